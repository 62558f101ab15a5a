//! `edit set --csv`: sets tags of many games by a table of changes.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use csv::{Position, Reader, ReaderBuilder, StringRecord};
use scoresheet::chess_core::Game;
use scoresheet::chess_store::io::{FromStart, TemporaryFile};
use scoresheet::is_pipe;

use super::set::{Outcome, setting};
use super::{Found, Session, Tally};
use crate::exit::Failure;
use crate::interrupt;

/// The most bytes of the first line that are searched for the separator.
const HEAD: u64 = 1 << 12;

/// A file that can be read from its start again and again. The bytes of a pipe are copied for that.
struct Source<'a> {
    path: &'a Path,
    copy: Option<TemporaryFile>,
}

impl Source<'_> {
    fn new(path: &Path) -> io::Result<Source<'_>> {
        if !is_pipe(path) {
            return Ok(Source { path, copy: None });
        }
        let mut copy = TemporaryFile::new()?;
        io::copy(&mut File::open(path)?, &mut copy)?;
        Ok(Source { path, copy: Some(copy) })
    }

    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match &self.copy {
            Some(copy) => Box::new(FromStart::new(copy)),
            None => Box::new(File::open(self.path)?),
        })
    }
}

/// A table of changes: a column with the numbers of games, and one for each tag.
struct Table<'a> {
    path: &'a Path,
    rows: Reader<BufReader<Box<dyn Read + 'a>>>,
    /// The tags by column. `None` for the numbers.
    tags: Vec<Option<String>>,
    number: usize,
    row: StringRecord,
}

/// A row of the table.
struct Change {
    /// One-based number of the game.
    game: u64,
    line: u64,
    settings: Vec<(String, String)>,
}

impl Table<'_> {
    fn open<'a>(source: &'a Source<'_>) -> Result<Table<'a>, Failure> {
        let path = source.path;
        let open = || source.open().map_err(|error| Failure::disk(path, &error));
        let mut head = Vec::new();
        let read = open()?.take(HEAD).read_to_end(&mut head);
        read.map_err(|error| Failure::disk(path, &error))?;
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        // Spreadsheets of some countries separate with semicolons.
        let delimiter = [b',', b';', b'\t'].into_iter().find(|byte| first.contains(byte));
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter.unwrap_or(b','));
        let mut rows = builder.from_reader(BufReader::new(open()?));
        let names = rows.headers().map_err(|error| wrong(path, &error))?.clone();
        let is_number = |name: &str| matches!(&*name.to_ascii_lowercase(), "number" | "game");
        let Some(number) = names.iter().position(|name| is_number(name.trim())) else {
            let message = "the first line names no column Number, the numbers of the games";
            return Err(Failure::Usage(format!("{}: {message}", path.display())));
        };
        let mut tags = Vec::new();
        for (place, name) in names.iter().map(str::trim).enumerate() {
            if place != number {
                // A tag without value is allowed for every tag that can be set.
                setting(&format!("{name}="))?;
            }
            tags.push((place != number).then(|| name.to_owned()));
        }
        Ok(Table { path, rows, tags, number, row: StringRecord::new() })
    }

    /// Returns the next row with its values checked. Empty cells change nothing.
    fn next(&mut self) -> Result<Option<Change>, Failure> {
        let more =
            self.rows.read_record(&mut self.row).map_err(|error| wrong(self.path, &error))?;
        if !more {
            return Ok(None);
        }
        let line = self.row.position().map_or(0, Position::line);
        let at =
            |message: &str| Failure::Usage(format!("{}:{line}: {message}", self.path.display()));
        let number = self.row.get(self.number).unwrap_or_default().trim();
        let Some(game) = number.parse().ok().filter(|game| *game > 0) else {
            return Err(at(&format!("{number:?} is not the number of a game")));
        };
        let mut settings = Vec::new();
        for (tag, cell) in self.tags.iter().zip(&self.row) {
            if let (Some(tag), false) = (tag, cell.is_empty()) {
                let word = format!("{tag}={}", unguarded(cell));
                let (name, value) = setting(&word).map_err(|error| match error {
                    Failure::Usage(message) => at(&message),
                    other => other,
                })?;
                settings.push((name.to_owned(), value));
            }
        }
        Ok(Some(Change { game, line, settings }))
    }
}

/// Removes the apostrophe that keeps a spreadsheet from running a cell. `list --csv` writes it.
fn unguarded(cell: &str) -> &str {
    let rest = cell.strip_prefix('\'');
    rest.filter(|rest| rest.starts_with(['=', '+', '-', '@', '\t', '\r'])).unwrap_or(cell)
}

fn wrong(path: &Path, error: &csv::Error) -> Failure {
    let line = error.position().map_or(0, Position::line);
    let what = match error.kind() {
        csv::ErrorKind::Io(error) => return Failure::disk(path, error),
        csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8; save the table as UTF-8".to_owned(),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} cells, but the first line has {expected_len}")
        }
        _ => error.to_string(),
    };
    Failure::Usage(format!("{}:{line}: {what}", path.display()))
}

impl Session<'_> {
    /// Sets tags as a table says. The whole table is checked before anything is changed.
    pub(super) fn set_table(&mut self, path: &Path) -> Result<(), Failure> {
        let mut numbers = HashSet::new();
        let source = Source::new(path).map_err(|error| Failure::disk(path, &error))?;
        let mut table = Table::open(&source)?;
        while let Some(change) = table.next()? {
            self.number(change.game)?;
            if !numbers.insert(change.game) {
                let (game, line) = (change.game, change.line);
                let message = format!("{}:{line}: game {game} is there twice", path.display());
                return Err(Failure::Usage(message));
            }
        }
        let base = self.base()?;
        let mut reader = base.database().ok_or_else(|| self.without_numbers())?.reader();
        let (mut table, mut tally) = (Table::open(&source)?, Tally::default());
        self.note_tags(table.tags.iter().flatten().map(String::as_str));
        self.replace_all(|session, game| {
            while let Some(change) = table.next()? {
                interrupt::check_edit()?;
                let number = change.game.saturating_sub(1);
                let found = Found { number, reader: &mut *reader };
                let outcome = session.change(found, game, &change)?;
                tally.count_outcome(&outcome);
                if let Outcome::Changed(what) = outcome {
                    return Ok(Some((number, what)));
                }
            }
            Ok(None)
        })?;
        self.done.found_nothing = tally.changed == 0 && tally.already == 0;
        self.sum_up("changed", tally);
        self.report_unknown_tags();
        Ok(())
    }

    /// Reads a game and changes it as the table says.
    fn change(
        &mut self,
        found: Found<'_>,
        game: &mut Game,
        change: &Change,
    ) -> Result<Outcome, Failure> {
        let Some(what) = self.read_to_change(found, game)? else {
            return Ok(Outcome::Refused);
        };
        let before = game.header.clone();
        self.unknown_tags.retain(|name| before.get(name).is_none());
        change.settings.iter().for_each(|(name, value)| game.header.put(name, value));
        if game.header == before {
            return Ok(Outcome::Already);
        }
        for (name, value) in &change.settings {
            let old = before.get(name);
            if old != game.header.get(name) {
                self.report_change(change.game.saturating_sub(1), name, old.as_deref(), value);
            }
        }
        Ok(Outcome::Changed(what))
    }
}
