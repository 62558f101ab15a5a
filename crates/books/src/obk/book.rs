//! A book that is read.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use chess_core::{Move, Position};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location, Warning};
use nom::Parser;
use nom::bytes::complete::tag;
use nom::number::complete::le_u32;

use super::entry::Entry;
use super::note::{self, Note};
use super::{MAX_ENTRIES, MOVE_SIZE};
use crate::book::{BookMove, Kind, ReadBook, Summary, WalkOptions};
use crate::error::{Error, ErrorKind};
use crate::quirk::Quirk;
use crate::tree::{self, Line, Link, Tree, look_up_in_tree};

/// A book of ChessMaster.
///
/// The moves and the links between them are kept in memory: 6 bytes a move, and at most four
/// million moves.
#[derive(Debug)]
pub struct Book<R> {
    file: R,
    has_notes: bool,
    /// The number of moves that the header states.
    stated: u32,
    entries: Vec<Entry>,
    /// The next alternative of each move; 0 for none.
    alternatives: Vec<u32>,
    warnings: Vec<Warning>,
}

impl Book<File> {
    /// Opens a file; see [`new`](Book::new).
    ///
    /// # Errors
    /// I/O errors; a file without a header.
    pub fn open(path: impl AsRef<Path>) -> Result<Book<File>, Error> {
        Book::new(File::open(path).map_err(Error::io(at(0)))?)
    }
}

impl<R: ReadAt> Book<R> {
    /// Opens a book and reads its moves.
    ///
    /// # Errors
    /// I/O errors; a file without a header.
    pub fn new(file: R) -> Result<Book<R>, Error> {
        let mut bytes = [0; 12];
        let count = file.read_full(0, &mut bytes).map_err(Error::io(at(0)))?;
        let Some((has_notes, stated)) = parse_header(bytes.get(..count).unwrap_or_default()) else {
            let is_cut = bytes.starts_with(b"BOO!") || bytes.starts_with(b"UGWS");
            let kind = if is_cut { ErrorKind::HeaderCut } else { ErrorKind::Magic };
            return Err(kind("ChessMaster").at(at(0)));
        };
        let entries = Vec::new();
        let (alternatives, warnings) = (Vec::new(), Vec::new());
        let mut book = Book { file, has_notes, stated, entries, alternatives, warnings };
        book.read_moves()?;
        Ok(book)
    }

    /// Reads the moves until the tree is complete.
    // books §5.3 "Tree"
    fn read_moves(&mut self) -> Result<(), Error> {
        let size = self.file.size().map_err(Error::io(at(0)))?;
        let there = size.saturating_sub(self.first_move()) / MOVE_SIZE;
        let there = u32::try_from(there).unwrap_or(u32::MAX);
        let most = self.stated.min(there).min(MAX_ENTRIES);
        // The moves that have alternatives still to come.
        let mut open: Vec<u32> = Vec::new();
        let (mut bytes, mut is_complete) = (Vec::new(), self.stated == 0);
        let mut number = 0u32;
        'moves: while number < most {
            let length = usize::try_from(most.saturating_sub(number).min(32_768)).unwrap_or(0);
            let offset = self.offset(number);
            let length = length.saturating_mul(2);
            self.file.read_into(offset, length, &mut bytes).map_err(Error::io(at(offset)))?;
            let (moves, _) = bytes.as_chunks();
            if moves.is_empty() {
                break;
            }
            for bytes in moves {
                let entry = Entry(*bytes);
                self.entries.push(entry);
                self.alternatives.push(0);
                if !entry.is_last() {
                    open.push(number);
                }
                number = number.saturating_add(1);
                if entry.is_leaf() {
                    let Some(last) = open.pop() else {
                        is_complete = true;
                        break 'moves;
                    };
                    if let Some(link) = self.alternatives.get_mut(last as usize) {
                        *link = number;
                    }
                }
            }
        }
        let moves_end = self.offset(number);
        let has_tail = !self.has_notes && moves_end < size;
        let mut warn = |quirk, at| self.warnings.push(Warning::new(quirk, at));
        if !is_complete && most < self.stated {
            warn(Quirk::MovesCut, at(size));
        } else if !is_complete || number < self.stated {
            warn(Quirk::MoveCount, at(4));
        } else if has_tail {
            warn(Quirk::MovesAfter, at(moves_end));
        }
        Ok(())
    }

    fn first_move(&self) -> u64 {
        if self.has_notes { 12 } else { 8 }
    }

    fn offset(&self, number: u32) -> u64 {
        self.first_move().saturating_add(u64::from(number).saturating_mul(MOVE_SIZE))
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the book has no moves.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns whether the book is of the kind that has notes, of ChessMaster 9000 and later.
    pub fn has_notes(&self) -> bool {
        self.has_notes
    }

    /// Calls `visit` with each line that has moves after it, in the order of the book, until it
    /// breaks.
    ///
    /// # Errors
    /// Quirks in strict mode.
    pub fn lines(
        &self,
        visit: &mut dyn FnMut(Line<'_, Entry>) -> ControlFlow<()>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        tree::visit(self, visit, diagnostics).map(drop)
    }

    /// Calls `each` with each note.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    // books §5.4 "Notes"
    pub fn notes(
        &self,
        each: &mut dyn FnMut(&Note),
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        if !self.has_notes {
            return Ok(());
        }
        let mut offset = self.offset(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        let mut bytes = Vec::new();
        loop {
            self.file.read_into(offset, 261, &mut bytes).map_err(Error::io(at(offset)))?;
            if bytes.is_empty() {
                return Ok(());
            }
            let Some((note, size)) = note::parse(&bytes) else {
                diagnostics.note(Quirk::NoteCut, at(offset))?;
                return Ok(());
            };
            each(&note);
            offset = offset.saturating_add(size as u64);
        }
    }
}

fn at(offset: u64) -> Location {
    Location::file("obk").at(offset)
}

/// Parses the header: whether there are notes, and the number of moves.
// books §5.1 "Header"
fn parse_header(bytes: &[u8]) -> Option<(bool, u32)> {
    let number = |input| le_u32::<_, ()>(input);
    let mut with_notes = (tag("BOO!"), number, number).map(|(_, moves, _)| (true, moves));
    let plain = (tag("UGWS"), number).map(|(_, moves)| (false, moves));
    with_notes.parse(bytes).or_else(|_| { plain }.parse(bytes)).ok().map(|(_, header)| header)
}

impl<R: ReadAt> Tree for Book<R> {
    type Entry = Entry;

    fn end(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    fn root(&self) -> Link {
        if self.entries.is_empty() { Link::None } else { Link::To(0) }
    }

    fn entry(&self, number: u32) -> Result<Entry, Error> {
        Ok(self.entries.get(number as usize).copied().unwrap_or(Entry([0; 2])))
    }

    fn links(&self, number: u32, entry: &Entry) -> (Link, Link) {
        // A book that is cut has links beyond its end; `check` notes the cut.
        let to = |number: u32| if number < self.end() { Link::To(number) } else { Link::None };
        let next = if entry.is_leaf() { Link::None } else { to(number.saturating_add(1)) };
        let alternative = match self.alternatives.get(number as usize) {
            Some(0) | None => Link::None,
            Some(link) => to(*link),
        };
        (next, alternative)
    }

    fn decode(&self, entry: &Entry, position: &Position) -> Result<Option<Move>, Quirk> {
        if entry.is_empty() { Err(Quirk::EmptyMove) } else { Ok(Some(entry.decode(position))) }
    }

    fn book_move(&self, number: u32, entry: &Entry, m: Move) -> BookMove {
        BookMove { class: Some(entry.class()), ..BookMove::new(m, Tree::at(self, number)) }
    }

    fn at(&self, number: u32) -> Location {
        at(self.offset(number))
    }
}

impl<R: ReadAt> ReadBook for Book<R> {
    fn kind(&self) -> Kind {
        Kind::ChessMaster
    }

    look_up_in_tree!();

    fn check(&self, _: WalkOptions, diagnostics: &mut Diagnostics) -> Result<Summary, Error> {
        for warning in &self.warnings {
            if let Some(quirk) = warning.quirk::<Quirk>() {
                diagnostics.note(quirk, warning.at)?;
            }
        }
        let (summary, _) = tree::check(self, self.entries.len() as u64, diagnostics)?;
        self.notes(&mut |_| {}, diagnostics)?;
        Ok(summary)
    }
}
