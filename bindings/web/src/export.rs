//! Writes games to files.

use std::collections::BTreeMap;
use std::io;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::io::{FromStart, ReadAt as _};
use scoresheet::chess_store::{About, Diagnostics, Fact, Losses, Scope};
use scoresheet::{CreateOptions, Database, Filter, describe, describe_warning, format_named};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::failed;
use crate::host::{File, Spool};
use crate::open::Games;
use crate::target::{Target, Written, is_written};
use crate::walk::select;

/// The games to write.
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Wanted {
    /// By number, from 0, in this order.
    Listed(Vec<u64>),
    /// All games that a filter selects.
    Chosen(Filter),
}

/// An export in progress.
pub(crate) struct Export {
    wanted: Wanted,
    next: u64,
    target: Option<Target>,
    /// The name of a zip archive that receives the files.
    archive: Option<String>,
    /// The number of the written game that is the first to open, from 1.
    default_game: Option<u64>,
    tally: Tally,
    files: Vec<Written>,
}

/// Counts of games.
#[derive(Default, Serialize)]
struct Tally {
    written: u64,
    /// The number of games that could be read only in part.
    damaged: u64,
    /// The number of games that the format refused.
    refused: u64,
    /// The number of games with losses.
    lossy: u64,
    /// The number of losses of each kind.
    losses: BTreeMap<&'static str, u64>,
}

/// The progress of an export.
#[derive(Serialize)]
pub(crate) struct Progress<'a> {
    done: u64,
    total: u64,
    /// The files to download; empty until the end.
    files: &'a [Written],
    #[serde(flatten)]
    tally: &'a Tally,
    /// Damage and refusals since the last call, at most a hundred.
    messages: Vec<String>,
}

/// The most messages of one call.
const MAX_MESSAGES: usize = 100;

impl Export {
    /// Starts an export for download. A format of several files is packed into an archive.
    pub(crate) fn new(format: &str, name: &str, games: Vec<u64>) -> Result<Export, JsValue> {
        let known = format_named(format).filter(|known| known.name == format && is_written(known));
        let known = known.ok_or_else(|| failed(&format!("{format}: no format that is written")))?;
        let target = Target::create(known, name, &CreateOptions::default())?;
        let archive = (target.files.len() > 1).then(|| name.to_owned());
        Ok(Export { archive, ..Export::of(target, Wanted::Listed(games)) })
    }

    /// Starts to write games to files that stay as they are.
    pub(crate) fn of(target: Target, wanted: Wanted) -> Export {
        Export {
            wanted,
            next: 0,
            target: Some(target),
            archive: None,
            default_game: None,
            tally: Tally::default(),
            files: Vec::new(),
        }
    }

    /// Returns the metadata of the database, without the number of the game to open first. That
    /// game has another number in the export, or is not part of it.
    fn about(&self, database: &dyn Database) -> About {
        let mut about = database.about();
        if about.get(Fact::DefaultGame).is_some() {
            let number = self.default_game.map(|number| number.to_string());
            about.set(Fact::DefaultGame, number.unwrap_or_default());
        }
        about
    }

    fn count(&mut self, losses: &Losses) {
        for (kind, more) in losses.counts() {
            let count = self.tally.losses.entry(kind.name()).or_default();
            *count = count.saturating_add(more);
        }
    }

    /// Returns the numbers of the next games to write.
    fn take(&mut self, database: &dyn Database, count: u32) -> Result<Vec<u64>, JsError> {
        let start = self.next;
        self.next = start.saturating_add(count.into()).min(self.total(database));
        match &self.wanted {
            Wanted::Listed(games) => {
                let place = |at| usize::try_from(at).unwrap_or(usize::MAX);
                Ok(games.get(place(start)..place(self.next)).unwrap_or_default().to_vec())
            }
            Wanted::Chosen(filter) => select(filter, &mut *database.reader(), start..self.next),
        }
    }

    fn total(&self, database: &dyn Database) -> u64 {
        match &self.wanted {
            Wanted::Listed(games) => games.len() as u64,
            Wanted::Chosen(_) => database.len(),
        }
    }

    pub(crate) fn go_on(&mut self, games: &Games, count: u32) -> Result<Progress<'_>, JsValue> {
        let database = games.database().ok_or_else(|| failed(&"no database is open"))?;
        let path = games.path();
        let first = database.about().get(Fact::DefaultGame).and_then(|one| one.parse().ok());
        let mut reader = database.reader();
        let (mut game, mut notes, mut losses) =
            (Game::new(), Diagnostics::lenient(), Losses::new());
        let mut messages = Vec::new();
        for number in self.take(database, count)? {
            notes.clear();
            losses.clear();
            // As in the program's conversions, a damaged game is written as far as it can be read.
            if let Err(error) = reader.game(number, &mut game, &mut notes) {
                self.tally.damaged = self.tally.damaged.saturating_add(1);
                messages.push(describe(path, &error).to_string());
            }
            let Some(target) = &mut self.target else { break };
            match target.output.write(&game, &mut losses) {
                Ok(()) => {
                    self.tally.written = self.tally.written.saturating_add(1);
                    if first == Some(number.saturating_add(1)) {
                        self.default_game = Some(self.tally.written);
                    }
                    let is_lossy = u64::from(!losses.is_empty());
                    self.tally.lossy = self.tally.lossy.saturating_add(is_lossy);
                    self.count(&losses);
                }
                Err(error) if error.scope() == Scope::Game => {
                    self.tally.refused = self.tally.refused.saturating_add(1);
                    let (number, why) = (number.saturating_add(1), error.message());
                    messages.push(format!("{}: game {number}: refused: {why}", path.display()));
                }
                Err(error) => {
                    return Err(crate::failure::failed_base(target.output.path(), &error));
                }
            }
        }
        messages.truncate(MAX_MESSAGES);
        let total = self.total(database);
        if self.next == total
            && let Some(mut target) = self.target.take()
        {
            losses.clear();
            target.output.set_about(&self.about(database), &mut losses);
            self.count(&losses);
            let warnings = target.output.warnings().iter().take(MAX_MESSAGES);
            messages.extend(
                warnings.map(|odd| describe_warning(target.output.path(), odd).to_string()),
            );
            self.files = target.finish()?;
            if let Some(name) = &self.archive {
                self.files = zipped(name, &self.files).map_err(|error| failed(&error))?;
            }
        }
        Ok(Progress { done: self.next, total, files: &self.files, tally: &self.tally, messages })
    }
}

/// Packs a database of several files into one archive.
fn zipped(name: &str, files: &[Written]) -> Result<Vec<Written>, Box<dyn std::error::Error>> {
    let spool = Spool::new();
    let mut archive = zip::ZipWriter::new_stream(spool);
    let options = zip::write::SimpleFileOptions::default();
    for Written { name, file, .. } in files {
        let is_large = File(*file).size()? > 1 << 31;
        archive.start_file(name.as_str(), options.large_file(is_large))?;
        io::copy(&mut FromStart::new(File(*file)), &mut archive)?;
    }
    let file = archive.finish()?.into_inner().finish()?;
    Ok(vec![Written { name: format!("{name}.zip"), extension: "zip", file: file.0 }])
}
