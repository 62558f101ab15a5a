//! A book that is read.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use chess_core::{Move, Position};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};

use super::entry::Entry;
use super::header::Header;
use super::{ENTRY_SIZE, FIRST_ENTRY};
use crate::book::{BookMove, Kind, ReadBook, Summary, WalkOptions};
use crate::error::{Error, ErrorKind};
use crate::quirk::Quirk;
use crate::tree::{self, Line, Link, Tree, look_up_in_tree};

/// A book of Arena.
///
/// A look-up follows all lines of the book, for a position can be at the end of several.
#[derive(Debug)]
pub struct Book<R> {
    file: R,
    header: Header,
    /// The number of entries, those that the header takes the place of included.
    end: u32,
    tail: u64,
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
    /// Opens a book.
    ///
    /// # Errors
    /// I/O errors; a file without a header.
    pub fn new(file: R) -> Result<Book<R>, Error> {
        let size = file.size().map_err(Error::io(at(0)))?;
        let mut bytes = [0; 256];
        let count = file.read_full(0, &mut bytes).map_err(Error::io(at(0)))?;
        let start = bytes.get(..count).unwrap_or_default();
        let Some(header) = Header::parse(start) else {
            let kind = match start {
                [3, b'A', b'B', b'K' | b'2', ..] => ErrorKind::HeaderCut("Arena"),
                _ => ErrorKind::Magic("Arena"),
            };
            return Err(kind.at(at(0)));
        };
        if size < at_entry(FIRST_ENTRY) {
            return Err(ErrorKind::HeaderCut("Arena").at(at(size)));
        }
        // Links have 31 bits.
        let end = u32::try_from(size / ENTRY_SIZE).unwrap_or(u32::MAX).min(i32::MAX as u32);
        Ok(Book { file, header, end, tail: size % ENTRY_SIZE })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        u64::from(self.end.saturating_sub(FIRST_ENTRY))
    }

    /// Returns whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `visit` with each line that has moves after it, in the order of the book, until it
    /// breaks.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    // books §4.3 "Tree"
    pub fn lines(
        &self,
        visit: &mut dyn FnMut(Line<'_, Entry>) -> ControlFlow<()>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        tree::visit(self, visit, diagnostics).map(drop)
    }

    /// Returns the number of entries that are not deleted.
    fn count_moves(&self) -> Result<u64, Error> {
        let (mut count, mut bytes) = (0u64, Vec::new());
        let mut number = FIRST_ENTRY;
        while number < self.end {
            let step = 1024;
            let length = usize::try_from(ENTRY_SIZE).unwrap_or(1).saturating_mul(step);
            let offset = at_entry(number);
            self.file.read_into(offset, length, &mut bytes).map_err(Error::io(at(offset)))?;
            let entries = bytes.chunks_exact(28).filter_map(Entry::parse);
            let kept = entries.filter(|entry| entry.flags == 0).count();
            count = count.saturating_add(kept as u64);
            number = number.saturating_add(1024);
        }
        Ok(count)
    }
}

pub(super) fn at(offset: u64) -> Location {
    Location::file("abk").at(offset)
}

pub(super) fn at_entry(number: u32) -> u64 {
    u64::from(number).saturating_mul(ENTRY_SIZE)
}

// books §4.3.2
fn link(number: i32) -> Link {
    match u32::try_from(number) {
        Ok(number) if number >= FIRST_ENTRY => Link::To(number),
        Err(_) if number == -1 => Link::None,
        _ => Link::Outside,
    }
}

impl<R: ReadAt> Tree for Book<R> {
    type Entry = Entry;

    fn end(&self) -> u32 {
        self.end
    }

    fn root(&self) -> Link {
        if self.is_empty() { Link::None } else { Link::To(FIRST_ENTRY) }
    }

    fn entry(&self, number: u32) -> Result<Entry, Error> {
        let (mut bytes, offset) = ([0; 28], at_entry(number));
        let read = self.file.read_full(offset, &mut bytes);
        read.map_err(Error::io(at(offset)))?;
        Entry::parse(&bytes).ok_or_else(|| ErrorKind::HeaderCut("Arena").at(at(offset)))
    }

    fn links(&self, _: u32, entry: &Entry) -> (Link, Link) {
        (link(entry.next), link(entry.alternative))
    }

    fn decode(&self, entry: &Entry, position: &Position) -> Result<Option<Move>, Quirk> {
        if entry.is_empty() {
            return Ok(None);
        }
        entry.decode(position).map(Some).ok_or(Quirk::IllegalMove)
    }

    fn book_move(&self, number: u32, entry: &Entry, m: Move) -> BookMove {
        BookMove {
            results: Some(entry.results()),
            priority: Some(entry.priority),
            deleted: entry.flags != 0,
            ..BookMove::new(m, Tree::at(self, number))
        }
    }

    fn at(&self, number: u32) -> Location {
        at(at_entry(number))
    }
}

impl<R: ReadAt> ReadBook for Book<R> {
    fn kind(&self) -> Kind {
        Kind::Arena
    }

    look_up_in_tree!();

    fn check(&self, _: WalkOptions, diagnostics: &mut Diagnostics) -> Result<Summary, Error> {
        if self.tail > 0 {
            diagnostics.note(Quirk::TreeTail, Tree::at(self, self.end))?;
        }
        let (summary, unreached) = tree::check(self, self.len(), diagnostics)?;
        if unreached > 0 {
            diagnostics.note(Quirk::TreeUnreached, at(at_entry(FIRST_ENTRY)))?;
        }
        if self.count_moves()? != u64::from(self.header.moves) {
            diagnostics.note(Quirk::TreeMoves, at(218))?;
        }
        Ok(summary)
    }
}
