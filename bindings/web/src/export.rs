//! Writes games to files for download.

use std::collections::BTreeMap;
use std::io::Write as _;

use scid::Writer;
use scoresheet::chess_core::Game;
use scoresheet::chess_store::{About, Diagnostics, Fact, Scope};
use scoresheet::{CreateOptions, Database, Loss, Output, create_stream, format_named};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::failed;
use crate::host::{Spool, seal};

/// An export in progress.
pub(crate) struct Export {
    name: String,
    games: Vec<u64>,
    next: usize,
    target: Option<Target>,
    losses: BTreeMap<&'static str, u64>,
    damaged: u64,
    refused: u64,
    files: Vec<Written>,
}

#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Target {
    Stream { output: Output, file: u32, extension: &'static str },
    Si4(Writer<Vec<u8>>),
}

/// The progress of an export.
#[derive(Serialize)]
pub(crate) struct Progress<'a> {
    done: usize,
    total: usize,
    /// The files to download; empty until the end.
    files: &'a [Written],
    /// The number of losses of each kind.
    losses: &'a BTreeMap<&'static str, u64>,
    /// The number of games that could be read only in part.
    damaged: u64,
    /// The number of games that the format refused.
    refused: u64,
}

#[derive(Serialize)]
pub(crate) struct Written {
    name: String,
    file: u32,
}

impl Export {
    pub(crate) fn new(format: &str, name: &str, games: Vec<u64>) -> Result<Export, JsError> {
        let target = if format == "si4" {
            Target::Si4(Writer::in_memory())
        } else {
            let format = format_named(format).filter(|known| known.name == format);
            let format = format.ok_or_else(|| JsError::new("pgn, jsonl, csv or si4"))?;
            let spool = Spool::new();
            let (file, options) = (spool.file(), CreateOptions::default());
            let output = create_stream(Box::new(spool), name, format, &options);
            let output = output.map_err(|error| failed(&error))?;
            let extension = format.extensions.first().copied().unwrap_or_default();
            Target::Stream { output, file, extension }
        };
        Ok(Export {
            name: name.to_owned(),
            games,
            next: 0,
            target: Some(target),
            losses: BTreeMap::new(),
            damaged: 0,
            refused: 0,
            files: Vec::new(),
        })
    }

    /// Returns the metadata of the database, without the number of the game to open first. That
    /// game has another number in the export, or is not part of it.
    fn about(&self, database: &dyn Database) -> About {
        let mut about = database.about();
        let game = about.get(Fact::DefaultGame).and_then(|number| number.parse::<u64>().ok());
        if let Some(game) = game {
            let wanted = game.checked_sub(1);
            let place = self.games.iter().position(|number| Some(*number) == wanted);
            let number = place.map(|place| place.saturating_add(1).to_string());
            about.set(Fact::DefaultGame, number.unwrap_or_default());
        }
        about
    }

    fn count(&mut self, losses: &[Loss]) {
        for loss in losses {
            let count = self.losses.entry(loss.kind.name()).or_default();
            *count = count.saturating_add(1);
        }
    }

    pub(crate) fn go_on(
        &mut self,
        database: &dyn Database,
        count: u32,
    ) -> Result<Progress<'_>, JsError> {
        let end = self.next.saturating_add(count as usize).min(self.games.len());
        let mut reader = database.reader();
        let (mut game, mut notes, mut losses) = (Game::new(), Diagnostics::lenient(), Vec::new());
        for place in self.next..end {
            let Some(number) = self.games.get(place) else { break };
            notes.clear();
            losses.clear();
            // As in the program's conversions, a damaged game is written as far as it can be read.
            let read = reader.game(*number, &mut game, &mut notes);
            self.damaged = self.damaged.saturating_add(u64::from(read.is_err()));
            let Some(target) = &mut self.target else { break };
            if !target.write(&game, &mut losses)? {
                self.refused = self.refused.saturating_add(1);
            }
            self.count(&losses);
        }
        self.next = end;
        if end == self.games.len()
            && let Some(mut target) = self.target.take()
        {
            losses.clear();
            target.set_about(&self.about(database), &mut losses);
            self.count(&losses);
            self.files = target.finish(&self.name)?;
        }
        Ok(Progress {
            done: self.next,
            total: self.games.len(),
            files: &self.files,
            losses: &self.losses,
            damaged: self.damaged,
            refused: self.refused,
        })
    }
}

impl Target {
    /// Writes the metadata of the database.
    fn set_about(&mut self, about: &About, losses: &mut Vec<Loss>) {
        match self {
            Target::Stream { output, .. } => output.set_about(about, losses),
            Target::Si4(writer) => writer.set_about(about, losses),
        }
    }

    /// Writes a game. Returns `false` if the format cannot hold it.
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<bool, JsError> {
        let written = match self {
            Target::Stream { output, .. } => output.write(game, losses),
            Target::Si4(writer) => writer.write(game, losses).map_err(Into::into),
        };
        match written {
            Ok(()) => Ok(true),
            Err(error) if error.scope() == Scope::Game => Ok(false),
            Err(error) => Err(failed(&error)),
        }
    }

    fn finish(self, name: &str) -> Result<Vec<Written>, JsError> {
        match self {
            Target::Stream { output, file, extension } => {
                output.finish().map_err(|error| failed(&error))?;
                seal(file);
                Ok(vec![Written { name: format!("{name}.{extension}"), file }])
            }
            Target::Si4(writer) => {
                let parts = writer.into_bytes().map_err(|error| failed(&error))?;
                let files = [("si4", parts.index), ("sg4", parts.games), ("sn4", parts.names)];
                zipped(name, &files).map_err(|error| failed(&error))
            }
        }
    }
}

/// Packs a database of several files into one archive.
fn zipped(
    name: &str,
    files: &[(&str, Vec<u8>)],
) -> Result<Vec<Written>, Box<dyn std::error::Error>> {
    let spool = Spool::new();
    let mut archive = zip::ZipWriter::new_stream(spool);
    let options = zip::write::SimpleFileOptions::default();
    for (extension, bytes) in files {
        archive
            .start_file(format!("{name}.{extension}"), options.large_file(bytes.len() > 1 << 31))?;
        archive.write_all(bytes)?;
    }
    let file = archive.finish()?.into_inner().finish()?;
    Ok(vec![Written { name: format!("{name}.zip"), file: file.0 }])
}
