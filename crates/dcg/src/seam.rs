//! The format as data, and the traits of the seam, forwarded.

use std::path::Path;

use chess_core::io::ReadAt;
use chess_core::seam::{
    self, Confidence, CreateOptions, Creator, Field, Format, Loss, OpenOptions, Opener,
};
use chess_core::{AnyError, Diagnostics, Game, Header, Location, Warning};

use crate::database::Database;
use crate::edit::Editor;
use crate::error::ErrorKind;
use crate::layout::{EVENTS_MAGIC, GAMES_MAGIC, INDEX_MAGIC, Layout, PLAYERS_MAGIC, SITES_MAGIC};
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] = &[Format {
    name: "dcg",
    title: "Simple Chess Database",
    extensions: &["dci", "dcg", "dcn", "dcs", "dce"],
    probe,
    open: Some(Opener::Database(open)),
    create: Some(Creator::Database(create)),
    edit: Some(edit),
}];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let magic = match extension {
        "dci" => INDEX_MAGIC,
        "dcg" => GAMES_MAGIC,
        "dcn" => PLAYERS_MAGIC,
        "dcs" => SITES_MAGIC,
        "dce" => EVENTS_MAGIC,
        _ => return start.starts_with(b"SimpleCDb").then_some(Confidence::Certain),
    };
    if start.starts_with(magic) {
        return Some(Confidence::Certain);
    }
    // An aborted import leaves empty files.
    start.is_empty().then_some(Confidence::Name)
}

fn open(path: &Path, options: &OpenOptions) -> Result<Box<dyn seam::Database>, AnyError> {
    Ok(Box::new(Database::open(path, options)?))
}

fn create(path: &Path, options: &CreateOptions) -> Result<Box<dyn seam::Writer>, AnyError> {
    Ok(Box::new(Writer::create(path, options)?))
}

fn edit(path: &Path, options: &OpenOptions) -> Result<Box<dyn seam::Editor>, AnyError> {
    Ok(Box::new(Editor::open(path, options)?))
}

impl<R: ReadAt> seam::Database for Database<R> {
    fn len(&self) -> u64 {
        self.len()
    }

    fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Ok(self.header(game, header, diagnostics)?)
    }

    fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Ok(self.game(game, into, diagnostics)?)
    }

    fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Ok(self.dump(game, each)?)
    }

    fn about(&self) -> Vec<(&'static str, String)> {
        let layout = match self.layout() {
            Layout::Current => "39-byte index entries",
            Layout::Old => "35-byte index entries, before 17 January 2017",
        };
        vec![
            ("version", self.index_header().version.to_string()),
            ("layout", layout.to_string()),
            ("default game", self.default_game().saturating_add(1).to_string()),
            ("promotion codes", self.numbering().to_string()),
        ]
    }

    fn warnings(&self) -> &[Warning] {
        self.warnings()
    }
}

impl seam::Writer for Writer {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(self.write(game, losses)?)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Ok((*self).finish()?)
    }
}

impl seam::Editor for Editor {
    fn len(&self) -> u64 {
        self.len()
    }

    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError> {
        Ok(self.set_deleted(game, deleted)?)
    }

    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError> {
        self.entry(game)?;
        if flags.is_empty() {
            return Ok(());
        }
        let at = Location::file("dci").in_game(game);
        Err(ErrorKind::Flags(flags.to_string()).at(at).into())
    }

    /// The new game goes to the end, and this one is marked as deleted.
    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        self.replace(game, with, losses)?;
        Ok(())
    }

    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        self.append(game, losses)?;
        Ok(())
    }

    fn compact(self: Box<Self>) -> Result<(), AnyError> {
        Ok((*self).compact()?)
    }
}
