//! A damaged book becomes a sound one.

use std::collections::HashSet;
use std::ops::ControlFlow;

use chess_core::zobrist;
use chess_store::io::{Appender, ReadAt, TemporaryFile, WriteAt};
use chess_store::{Diagnostics, Location};

use super::book::Book;
use super::writer::Writer;
use crate::book::{ReadBook as _, Visited, WalkOptions};
use crate::error::Error;

/// The counts of entries that [`repair`] left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Repaired {
    /// Entries of the repaired book.
    pub entries: u64,
    /// Entries that are no move, or moves that the position has already; their weights are added.
    pub merged: u64,
    /// Moves that are not legal.
    pub illegal: u64,
    /// Moves of weight 0.
    pub unplayed: u64,
}

/// Writes a sorted book without duplicates and without moves that are not legal into an empty file.
/// Returns the file and what was left out. Moves of weight 0 are left out if `drop_unplayed` is set.
///
/// Only positions that can be reached from the start position tell which moves are legal.
///
/// # Errors
/// I/O errors.
// books §2.7 "Repair"
pub fn repair<R: ReadAt, W: WriteAt>(
    book: &Book<R>,
    options: WalkOptions,
    drop_unplayed: bool,
    file: W,
) -> Result<(W, Repaired), Error> {
    let temporary = Error::io(Location::default());
    let disk = Error::io(Location::file("bin"));
    let mut writer = Writer::new();
    for entry in book.entries() {
        let (_, entry) = entry?;
        writer.push(entry)?;
    }
    let sorted = writer.finish(TemporaryFile::new().map_err(&temporary)?)?;
    let sorted = Book::new(sorted)?;
    let mut repaired =
        Repaired { merged: book.len().saturating_sub(sorted.len()), ..Repaired::default() };
    let mut illegal: HashSet<(u64, u16)> = HashSet::new();
    let mut failed = None;
    let mut visit = |visited: Visited<'_>| {
        let key = zobrist(visited.position);
        match sorted.entries_of(key, &mut Diagnostics::lenient()) {
            Ok(entries) => illegal.extend(entries.iter().filter_map(|(_, entry)| {
                let m = entry.decode(visited.position);
                let is_legal = m.is_some_and(|m| visited.position.is_legal(m));
                (!is_legal).then_some((key, entry.code))
            })),
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    sorted.walk(options, &mut visit, &mut Diagnostics::lenient())?;
    if let Some(error) = failed {
        return Err(error);
    }
    let mut out = Appender::new(file);
    for entry in sorted.entries() {
        let (_, entry) = entry?;
        let count = if illegal.contains(&(entry.key, entry.code)) {
            &mut repaired.illegal
        } else if drop_unplayed && entry.weight == 0 {
            &mut repaired.unplayed
        } else {
            out.push(&entry.encode()).map_err(&disk)?;
            &mut repaired.entries
        };
        *count = count.saturating_add(1);
    }
    Ok((out.finish().map_err(disk)?, repaired))
}
