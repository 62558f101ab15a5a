//! The formats as data, and this crate's types behind the seam's traits.

use std::path::Path;

use chess_core::io::ReadAt;
use chess_core::seam::{
    self, Confidence, CreateOptions, Creator, Field, Format, Loss, OpenOptions, Opener,
};
use chess_core::{AnyError, Diagnostics, Game, Header, Position, Warning};

use crate::database::Database;
use crate::edit::{Editor, SwapFile};
use crate::layout::{BASE_TYPES, Extensions, INDEX_MAGIC, NAMES_MAGIC, Version};
use crate::writer::Writer;

/// Scid's three generations.
pub const FORMATS: &[Format] = &[
    Format {
        name: "si4",
        title: "Scid 4",
        extensions: &["si4", "sg4", "sn4"],
        probe: probe_4,
        open: Some(Opener::Database(open)),
        create: Some(Creator::Database(create)),
        edit: Some(edit),
    },
    Format {
        name: "si5",
        title: "Scid 5",
        extensions: &["si5", "sg5", "sn5"],
        probe: probe_5,
        open: Some(Opener::Database(open)),
        create: Some(Creator::Database(create)),
        edit: Some(edit),
    },
    Format {
        name: "si3",
        title: "Scid 3",
        extensions: &["si3", "sg3", "sn3"],
        probe: probe_3,
        open: Some(Opener::Database(open)),
        create: None,
        edit: None,
    },
];

fn open(path: &Path, options: &OpenOptions) -> Result<Box<dyn seam::Database>, AnyError> {
    Ok(Box::new(Database::open(path, options)?))
}

fn create(path: &Path, options: &CreateOptions) -> Result<Box<dyn seam::Writer>, AnyError> {
    Ok(Box::new(Writer::create(path, options)?))
}

fn edit(path: &Path, options: &OpenOptions) -> Result<Box<dyn seam::Editor>, AnyError> {
    Ok(Box::new(Editor::open(path, options)?))
}

/// Index and names begin with a mark; a games file has only its name.
fn probe_marked(start: &[u8], extension: &str, files: Extensions) -> Option<Confidence> {
    if Extensions::family(extension) != Some(files) {
        return None;
    }
    let marked = start.starts_with(&INDEX_MAGIC) || start.starts_with(&NAMES_MAGIC);
    Some(if marked { Confidence::Certain } else { Confidence::Name })
}

fn probe_3(start: &[u8], extension: &str) -> Option<Confidence> {
    probe_marked(start, extension, Extensions::SI3)
}

fn probe_4(start: &[u8], extension: &str) -> Option<Confidence> {
    let confidence = probe_marked(start, extension, Extensions::SI4);
    // An index under some other name is still one.
    confidence.or_else(|| start.starts_with(&INDEX_MAGIC).then_some(Confidence::Likely))
}

/// No file of version 5 carries a mark.
fn probe_5(_: &[u8], extension: &str) -> Option<Confidence> {
    (Extensions::family(extension) == Some(Extensions::SI5)).then_some(Confidence::Name)
}

impl<R: ReadAt> seam::Database for Database<R> {
    fn len(&self) -> u64 {
        Database::len(self)
    }

    fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Ok(Database::header(self, game, header, diagnostics)?)
    }

    fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Ok(Database::game(self, game, into, diagnostics)?)
    }

    fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Ok(Database::dump(self, game, each)?)
    }

    fn may_reach(&self, game: u64, position: &Position) -> bool {
        Database::may_reach(self, game, position)
    }

    fn verify(&self, game: u64) -> Result<Vec<&'static str>, AnyError> {
        Ok(Database::verify(self, game)?)
    }

    fn about(&self) -> Vec<(&'static str, String)> {
        let info = self.info();
        let version = match self.version() {
            Version::Si5 => String::from("5"),
            Version::Si3 | Version::Si4 => info.version.to_string(),
        };
        let kind = usize::try_from(info.base_type).ok().and_then(|kind| BASE_TYPES.get(kind));
        let mut about = vec![
            ("version", version),
            ("type", kind.map_or_else(|| info.base_type.to_string(), |kind| (*kind).to_string())),
            ("description", self.text.decode(&info.description).into_owned()),
            ("autoload", info.autoload.to_string()),
        ];
        let labels = ["flag 1", "flag 2", "flag 3", "flag 4", "flag 5", "flag 6"];
        about.extend(
            labels
                .into_iter()
                .zip(&info.flag_labels)
                .filter(|(_, label)| !label.is_empty())
                .map(|(name, label)| (name, self.text.decode(label).into_owned())),
        );
        let [players, events, sites, rounds] = self.names();
        about.extend([
            ("players", players.count().to_string()),
            ("events", events.count().to_string()),
            ("sites", sites.count().to_string()),
            ("rounds", rounds.count().to_string()),
        ]);
        about
    }

    fn warnings(&self) -> &[Warning] {
        Database::warnings(self)
    }
}

impl seam::Writer for Writer {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Writer::write(self, game, losses)?)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Ok(Writer::finish(*self)?)
    }
}

impl<F: SwapFile> seam::Editor for Editor<F> {
    fn len(&self) -> u64 {
        Editor::len(self)
    }

    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError> {
        Ok(Editor::set_deleted(self, game, deleted)?)
    }

    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError> {
        Ok(Editor::set_flags(self, game, flags)?)
    }

    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Editor::replace(self, game, with, losses)?)
    }

    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Editor::append(self, game, losses)?)
    }

    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError> {
        Editor::append_all(self, next, losses)
    }

    fn compact(mut self: Box<Self>) -> Result<(), AnyError> {
        Ok(Editor::compact(&mut self)?)
    }
}
