//! A book that is read.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use chess_core::{Position, zobrist};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};

use super::entry::Entry;
use super::{ENTRY_SIZE, MAX_ENTRIES};
use crate::book::{BookMove, Kind, ReadBook, Summary, Visited, WalkOptions};
use crate::error::Error;
use crate::quirk::Quirk;
use crate::walk::{Found, LookUp, walk};

/// A book of Polyglot.
///
/// ```
/// use books::ReadBook as _;
/// use books::polyglot::{Book, Entry};
/// use books::{Diagnostics, Position, zobrist};
///
/// let start = Position::start();
/// let bytes = Entry::new(zobrist(&start), "e2e4".parse()?, 10).encode();
/// let book = Book::new(bytes.as_slice())?;
/// let mut moves = Vec::new();
/// book.moves(&start, &mut moves, &mut Diagnostics::lenient())?;
/// assert_eq!((moves[0].m.to_string().as_str(), moves[0].weight), ("e2e4", Some(10)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book<R> {
    file: R,
    count: u64,
    tail: u64,
    scans: bool,
}

impl Book<File> {
    /// Opens a file; see [`new`](Book::new).
    ///
    /// # Errors
    /// I/O errors.
    pub fn open(path: impl AsRef<Path>) -> Result<Book<File>, Error> {
        Book::new(File::open(path).map_err(Error::io(at(0)))?)
    }
}

impl<R: ReadAt> Book<R> {
    /// Opens a book. Any file is one: the format has no header.
    ///
    /// # Errors
    /// I/O errors.
    pub fn new(file: R) -> Result<Book<R>, Error> {
        let size = file.size().map_err(Error::io(at(0)))?;
        let (count, tail) = (size / ENTRY_SIZE, size % ENTRY_SIZE);
        Ok(Book { file, count, tail, scans: false })
    }

    /// Makes each look-up read the whole book. A look-up in a book that is not sorted misses
    /// positions otherwise.
    #[must_use]
    pub fn scanning(self) -> Book<R> {
        Book { scans: true, ..self }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Returns whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Iterates over all entries, in the order of the file.
    pub fn entries(&self) -> Entries<'_, R> {
        Entries::starting_at(self, 0)
    }

    /// Returns the entries of a position, at most 1024, in the order of the file.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    // books §2.4 "Look-up"
    pub fn entries_of(
        &self,
        key: u64,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<(u64, Entry)>, Error> {
        let first = if self.scans { 0 } else { self.first_at_least(key)? };
        let mut found = Vec::new();
        for item in Entries::starting_at(self, first) {
            let (number, entry) = item?;
            if entry.key != key {
                if self.scans {
                    continue;
                }
                break;
            }
            if found.len() >= MAX_ENTRIES {
                diagnostics.note(Quirk::CrowdedPosition, at(number))?;
                break;
            }
            found.push((number, entry));
        }
        Ok(found)
    }

    /// Returns the number of the first entry whose key is not below `key`.
    fn first_at_least(&self, key: u64) -> Result<u64, Error> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            let mut bytes = [0; 8];
            let offset = middle.saturating_mul(ENTRY_SIZE);
            self.file.read_full(offset, &mut bytes).map_err(Error::io(at(middle)))?;
            if u64::from_be_bytes(bytes) < key {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Notes what can be seen without positions: the order, duplicates, the tail.
    fn check_entries(
        &self,
        summary: &mut Summary,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        if self.tail > 0 {
            diagnostics.note(Quirk::Tail, at(self.count))?;
        }
        let mut last = None;
        let mut codes = Vec::new();
        for item in self.entries() {
            let (number, entry) = item?;
            summary.entries = summary.entries.saturating_add(1);
            if last.is_some_and(|last| entry.key < last) {
                diagnostics.note(Quirk::Unsorted, at(number))?;
            }
            if last != Some(entry.key) {
                summary.positions = summary.positions.saturating_add(1);
                codes.clear();
            }
            last = Some(entry.key);
            if codes.contains(&entry.code) {
                summary.duplicates = summary.duplicates.saturating_add(1);
                diagnostics.note(Quirk::Duplicate, at(number))?;
            } else if codes.len() < MAX_ENTRIES {
                codes.push(entry.code);
            }
            let one_if = |so: bool| u64::from(so);
            summary.unplayed = summary.unplayed.saturating_add(one_if(entry.weight == 0));
            summary.learned = summary.learned.saturating_add(one_if(entry.learn != 0));
            summary.max_weight = summary.max_weight.max(entry.weight);
        }
        Ok(())
    }
}

pub(super) fn at(number: u64) -> Location {
    Location::file("bin").at(number.saturating_mul(ENTRY_SIZE))
}

impl<R: ReadAt> LookUp for Book<R> {
    const HAS_GAPS: bool = true;

    fn has(&self, position: &Position) -> Result<bool, Error> {
        let key = zobrist(position);
        let first = if self.scans { 0 } else { self.first_at_least(key)? };
        for item in Entries::starting_at(self, first) {
            let (_, entry) = item?;
            if entry.key == key || !self.scans {
                return Ok(entry.key == key);
            }
        }
        Ok(false)
    }

    fn look_up(
        &self,
        position: &Position,
        out: &mut Vec<BookMove>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Found, Error> {
        let mut found = Found::default();
        for (number, entry) in self.entries_of(zobrist(position), diagnostics)? {
            found.is_known = true;
            let at = at(number);
            let quirk = match entry.decode(position) {
                _ if entry.is_null() => Quirk::NullMove,
                None => Quirk::PromotionCode,
                Some(m) if position.is_legal(m) => {
                    let (weight, learn) = (Some(entry.weight), Some(entry.learn));
                    out.push(BookMove { weight, learn, ..BookMove::new(m, at) });
                    continue;
                }
                Some(_) => Quirk::IllegalMove,
            };
            found.illegal = found.illegal.saturating_add(1);
            diagnostics.note(quirk, at)?;
        }
        Ok(found)
    }
}

impl<R: ReadAt> ReadBook for Book<R> {
    fn kind(&self) -> Kind {
        Kind::Polyglot
    }

    fn moves(
        &self,
        position: &Position,
        out: &mut Vec<BookMove>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        self.look_up(position, out, diagnostics).map(drop)
    }

    fn walk(
        &self,
        options: WalkOptions,
        visit: &mut dyn FnMut(Visited<'_>) -> ControlFlow<()>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        walk(self, options, visit, diagnostics, &mut Summary::default())
    }

    fn check(&self, options: WalkOptions, diagnostics: &mut Diagnostics) -> Result<Summary, Error> {
        let mut summary = Summary::default();
        self.check_entries(&mut summary, diagnostics)?;
        let mut visit = |_: Visited<'_>| ControlFlow::Continue(());
        walk(self, options, &mut visit, diagnostics, &mut summary)?;
        Ok(summary)
    }
}

/// An iterator over the entries of a book and their numbers, from zero.
#[derive(Debug)]
pub struct Entries<'a, R> {
    book: &'a Book<R>,
    next: u64,
    buffer: Vec<u8>,
    used: usize,
}

/// The number of entries read at once. A look-up wants few, a scan many, so the number grows.
const FEW: usize = 16;
const MANY: usize = 4096;

impl<'a, R> Entries<'a, R> {
    fn starting_at(book: &'a Book<R>, next: u64) -> Entries<'a, R> {
        Entries { book, next, buffer: Vec::new(), used: 0 }
    }
}

impl<R: ReadAt> Iterator for Entries<'_, R> {
    type Item = Result<(u64, Entry), Error>;

    fn next(&mut self) -> Option<Result<(u64, Entry), Error>> {
        if self.next >= self.book.count {
            return None;
        }
        let number = self.next;
        if self.used >= self.buffer.len() {
            let count = if self.buffer.is_empty() { FEW } else { MANY };
            self.used = 0;
            let offset = number.saturating_mul(ENTRY_SIZE);
            let read = self.book.file.read_into(offset, count.saturating_mul(16), &mut self.buffer);
            if let Err(error) = read {
                self.next = self.book.count;
                return Some(Err(Error::io(at(number))(error)));
            }
        }
        let entry = self.buffer.get(self.used..).and_then(Entry::parse)?;
        self.used = self.used.saturating_add(16);
        self.next = number.saturating_add(1);
        Some(Ok((number, entry)))
    }
}
