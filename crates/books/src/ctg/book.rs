//! A book that is read: `.ctg`, and its index `.cto` and `.ctb`.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use chess_core::{Color, Nag, Position};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{be_i32, be_u16, be_u32};

use super::layout::{INDEX_HEADER, PAGE_SIZE};
use super::moves;
use super::position::{Form, encode, hash};
use super::record::{self, Record};
use crate::book::{BookMove, Facts, Kind, ReadBook, Summary, Visited, WalkOptions};
use crate::error::{Error, ErrorKind};
use crate::quirk::Quirk;
use crate::walk::{Found, LookUp, walk};

/// The numbers in the header of the `.ctg`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Header {
    /// The number of positions.
    pub positions: u32,
    /// The number of games.
    pub games: u32,
}

impl Header {
    // books §3.1 "Files"
    fn parse(bytes: &[u8]) -> Option<Header> {
        let mut header = (take::<_, _, ()>(24usize), be_u32, be_u32);
        let (_, (_, positions, games)) = header.parse(bytes).ok()?;
        Some(Header { positions, games })
    }
}

/// A book of ChessBase.
///
/// A look-up finds the page of a position through the index. If the index is missing, opening the
/// book reads all pages once, and keeps 8 bytes of memory for each position.
#[derive(Debug)]
pub struct Book<R> {
    ctg: R,
    header: Header,
    pages: u64,
    /// The bytes of an incomplete page at the end.
    tail: u64,
    index: Index<R>,
}

#[derive(Debug)]
enum Index<R> {
    Files {
        cto: R,
        low: u32,
        high: u32,
    },
    /// The hash and the page of each position, sorted.
    Memory(Vec<(u32, u32)>),
}

impl Book<File> {
    /// Opens the `.ctg` of a book and the `.cto` and `.ctb` beside it; see [`new`](Book::new).
    ///
    /// # Errors
    /// I/O errors; a `.ctg` without a complete header.
    pub fn open(path: impl AsRef<Path>) -> Result<Book<File>, Error> {
        let path = path.as_ref();
        let ctg = File::open(path).map_err(Error::io(at(0)))?;
        let beside = |extension: &'static str, upper: &str| {
            let opened = File::open(path.with_extension(extension))
                .or_else(|_| File::open(path.with_extension(upper)));
            match opened {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                opened => opened.map(Some).map_err(Error::io(Location::file(extension))),
            }
        };
        Book::new(ctg, beside("cto", "CTO")?, beside("ctb", "CTB")?)
    }
}

impl<R: ReadAt> Book<R> {
    /// Opens a book. Without the `.cto` and the `.ctb`, all pages are read.
    ///
    /// # Errors
    /// I/O errors; a `.ctg` without a complete header.
    pub fn new(ctg: R, cto: Option<R>, ctb: Option<R>) -> Result<Book<R>, Error> {
        let size = ctg.size().map_err(Error::io(at(0)))?;
        let mut start = [0; 32];
        ctg.read_full(0, &mut start).map_err(Error::io(at(0)))?;
        let Some(header) = Header::parse(&start).filter(|_| size >= PAGE_SIZE) else {
            return Err(ErrorKind::HeaderCut("ChessBase").at(at(size)));
        };
        let body = size.saturating_sub(PAGE_SIZE);
        let (pages, tail) = (body / PAGE_SIZE, body % PAGE_SIZE);
        let index = Index::Memory(Vec::new());
        let mut book = Book { ctg, header, pages, tail, index };
        let bounds = match &ctb {
            Some(ctb) => read_bounds(ctb)?,
            None => None,
        };
        book.index = match (cto, bounds) {
            (Some(cto), Some((low, high))) => Index::Files { cto, low, high },
            _ => Index::Memory(book.indexed()?),
        };
        Ok(book)
    }

    /// Returns the numbers of the header.
    pub fn header(&self) -> Header {
        self.header
    }

    /// Returns the number of complete pages.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Returns the smallest and the largest index in use, if the book has an index.
    pub fn bounds(&self) -> Option<(u32, u32)> {
        match &self.index {
            Index::Files { low, high, .. } => Some((*low, *high)),
            Index::Memory(_) => None,
        }
    }

    /// Returns the record of a position, how it is stored, and the place of the record.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    pub fn record(
        &self,
        position: &Position,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<(Record, Form, Location)>, Error> {
        // books §3.3.5: it is not known when programs store the square, so all ways are tried.
        let legal = position.legal_en_passant();
        let mut tried: Vec<Vec<u8>> = Vec::new();
        for square in [legal, position.en_passant(), None] {
            let Some(bytes) = encode(position, square) else { continue };
            if tried.contains(&bytes) {
                continue;
            }
            if let Some((record, at)) = self.record_of(&bytes, diagnostics)? {
                return Ok(Some((record, Form::of(position), at)));
            }
            tried.push(bytes);
        }
        Ok(None)
    }

    /// Calls `visit` with each record of each page, until it breaks. This also lists positions that
    /// no look-up finds, see [`Record::decode`].
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    pub fn records(
        &self,
        visit: &mut dyn FnMut(&Record, Location) -> ControlFlow<()>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let mut flow = ControlFlow::Continue(());
        for page in 0..self.pages {
            let mut pass_on = |record: &Record, at| {
                flow = visit(record, at);
                flow
            };
            self.read_page(page, diagnostics, &mut pass_on)?;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the record of a stored position.
    // books §3.4 "Look-up"
    fn record_of(
        &self,
        bytes: &[u8],
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<(Record, Location)>, Error> {
        let hash = hash(bytes);
        let mut found = None;
        let mut look = |record: &Record, at: Location| {
            if record.position == bytes {
                found = Some((record.clone(), at));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        match &self.index {
            Index::Files { .. } => {
                if let Some(page) = self.page_of(hash, diagnostics)? {
                    self.read_page(page, diagnostics, &mut look)?;
                }
            }
            Index::Memory(index) => {
                let first = index.partition_point(|(other, _)| *other < hash);
                let same = index.get(first..).unwrap_or_default().iter();
                let mut last = None;
                // Hostile pages have many records of one hash; no two pages of a book do.
                for (_, page) in same.take_while(|(other, _)| *other == hash).take(256) {
                    if last != Some(*page) {
                        self.read_page(u64::from(*page), diagnostics, &mut look)?;
                    }
                    last = Some(*page);
                }
            }
        }
        Ok(found)
    }

    /// Returns the page on which positions with this hash are.
    fn page_of(&self, hash: u32, diagnostics: &mut Diagnostics) -> Result<Option<u64>, Error> {
        let Index::Files { cto, low, high } = &self.index else { return Ok(None) };
        let mut mask = 0u32;
        loop {
            let index = (hash & mask).saturating_add(mask);
            if index >= *low {
                let offset = u64::from(index).saturating_mul(4).saturating_add(INDEX_HEADER);
                let at = Location::file("cto").at(offset);
                let mut bytes = [0; 4];
                let count = cto.read_full(offset, &mut bytes).map_err(Error::io(at))?;
                if count < bytes.len() {
                    diagnostics.note(Quirk::IndexCut, at)?;
                    return Ok(None);
                }
                let (_, page) = be_i32::<_, ()>(bytes.as_slice()).unwrap_or_default();
                if let Ok(page) = u64::try_from(page) {
                    if page >= self.pages {
                        diagnostics.note(Quirk::PageNumber, at)?;
                        return Ok(None);
                    }
                    return Ok(Some(page));
                }
            }
            if index >= *high || mask >= i32::MAX as u32 {
                return Ok(None);
            }
            mask = mask << 1 | 1;
        }
    }

    /// Calls `each` with the records of a page until it breaks.
    // books §3.2 "Pages"
    fn read_page(
        &self,
        page: u64,
        diagnostics: &mut Diagnostics,
        each: &mut dyn FnMut(&Record, Location) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let start = page.saturating_add(1).saturating_mul(PAGE_SIZE);
        let mut bytes = Vec::new();
        let length = usize::try_from(PAGE_SIZE).unwrap_or(0);
        self.ctg.read_into(start, length, &mut bytes).map_err(Error::io(at(start)))?;
        let Ok((mut rest, (count, used))) = (be_u16::<_, ()>, be_u16).parse(bytes.as_slice())
        else {
            return Ok(());
        };
        for _ in 0..count {
            let done = bytes.len().saturating_sub(rest.len()) as u64;
            let at = at(start.saturating_add(done));
            let Some((record, size)) = record::parse(rest) else {
                diagnostics.note(Quirk::BadRecord, at)?;
                return Ok(());
            };
            if each(&record, at).is_break() {
                return Ok(());
            }
            rest = rest.get(size..).unwrap_or_default();
        }
        if bytes.len().saturating_sub(rest.len()) != usize::from(used) {
            diagnostics.note(Quirk::PageUsed, at(start.saturating_add(2)))?;
        }
        Ok(())
    }

    /// Returns the hash and the page of each position, sorted.
    fn indexed(&self) -> Result<Vec<(u32, u32)>, Error> {
        let mut index = Vec::new();
        for page in 0..self.pages {
            let Ok(number) = u32::try_from(page) else { break };
            // A look-up notes the damage of the pages that it reads.
            self.read_page(page, &mut Diagnostics::lenient(), &mut |record, _| {
                index.push((hash(&record.position), number));
                ControlFlow::Continue(())
            })?;
        }
        index.sort_unstable();
        Ok(index)
    }

    /// Checks that the index names pages that exist.
    fn check_index(&self, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        let Index::Files { cto, low, high } = &self.index else {
            diagnostics.note(Quirk::NoIndex, Location::file("cto"))?;
            return Ok(());
        };
        let place = |index: u64| INDEX_HEADER.saturating_add(index.saturating_mul(4));
        let at = |index: u64| Location::file("cto").at(place(index));
        let mut bytes = Vec::new();
        let (mut index, end) = (u64::from(*low), u64::from(*high).saturating_add(1));
        while index < end {
            let count = usize::try_from(end.saturating_sub(index).min(4096)).unwrap_or(0);
            let length = count.saturating_mul(4);
            cto.read_into(place(index), length, &mut bytes).map_err(Error::io(at(index)))?;
            for bytes in bytes.as_chunks().0 {
                let page = i32::from_be_bytes(*bytes);
                if u64::try_from(page).is_ok_and(|page| page >= self.pages) {
                    diagnostics.note(Quirk::PageNumber, at(index))?;
                }
                index = index.saturating_add(1);
            }
            if bytes.len() < length {
                diagnostics.note(Quirk::IndexCut, at(index))?;
                break;
            }
        }
        Ok(())
    }

    /// Checks the records of a page.
    fn check_page(
        &self,
        page: u64,
        summary: &mut Summary,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let mut records = Vec::new();
        self.read_page(page, diagnostics, &mut |record, at| {
            records.push((record.clone(), at));
            ControlFlow::Continue(())
        })?;
        for (number, (record, at)) in records.iter().enumerate() {
            summary.positions = summary.positions.saturating_add(1);
            summary.entries = summary.entries.saturating_add(record.moves.len() as u64);
            let before = records.get(..number).unwrap_or_default();
            if before.iter().any(|(other, _)| other.position == record.position) {
                summary.duplicates = summary.duplicates.saturating_add(1);
                diagnostics.note(Quirk::Misplaced, *at)?;
            }
            if matches!(self.index, Index::Files { .. }) {
                // `check_index` notes the damage of the index itself.
                let hash = hash(&record.position);
                if self.page_of(hash, &mut Diagnostics::lenient())? != Some(page) {
                    diagnostics.note(Quirk::Misplaced, *at)?;
                }
            }
            if record.statistics.results(Color::White).exceed_games() {
                diagnostics.note(Quirk::BookResults, *at)?;
            }
            let Some(position) = record.decode() else {
                diagnostics.note(Quirk::BadPosition, *at)?;
                continue;
            };
            for [code, _] in &record.moves {
                if let Err(quirk) = moves::decode(*code, &position) {
                    summary.illegal = summary.illegal.saturating_add(1);
                    diagnostics.note(quirk, *at)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the smallest and the largest index in use. Returns `None` if the file is too short.
fn read_bounds(ctb: &impl ReadAt) -> Result<Option<(u32, u32)>, Error> {
    let mut bytes = [0; 12];
    let count = ctb.read_full(0, &mut bytes).map_err(Error::io(Location::file("ctb")))?;
    let mut fields = (be_u32::<_, ()>, be_u32, be_u32);
    let parsed = fields.parse(bytes.get(..count).unwrap_or_default());
    Ok(parsed.ok().map(|(_, (_, low, high))| (low, high)))
}

fn at(offset: u64) -> Location {
    Location::file("ctg").at(offset)
}

impl<R: ReadAt> LookUp for Book<R> {
    const HAS_GAPS: bool = false;

    fn has(&self, position: &Position) -> Result<bool, Error> {
        Ok(self.record(position, &mut Diagnostics::lenient())?.is_some())
    }

    fn look_up(
        &self,
        position: &Position,
        out: &mut Vec<BookMove>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Found, Error> {
        let Some((record, _, at)) = self.record(position, diagnostics)? else {
            return Ok(Found::default());
        };
        let mut found = Found { is_known: true, illegal: 0 };
        for [code, annotation] in record.moves {
            let m = match moves::decode(code, position) {
                Ok(m) => m,
                Err(quirk) => {
                    found.illegal = found.illegal.saturating_add(1);
                    diagnostics.note(quirk, at)?;
                    continue;
                }
            };
            let nag = u16::from(annotation & 0x1f);
            let mut book_move = BookMove::new(m, at);
            book_move.annotation = (nag > 0).then_some(Nag(nag));
            let mut after = *position;
            after.apply(m);
            // books §3.6.3: a move has the statistics of the position that it leads to.
            if let Some((reached, ..)) = self.record(&after, diagnostics)? {
                book_move.results = Some(reached.statistics.results(after.turn()));
                book_move.recommendation = reached.statistics.recommended();
            }
            out.push(book_move);
        }
        Ok(found)
    }
}

impl<R: ReadAt> ReadBook for Book<R> {
    fn kind(&self) -> Kind {
        Kind::ChessBase
    }

    fn moves(
        &self,
        position: &Position,
        out: &mut Vec<BookMove>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        self.look_up(position, out, diagnostics).map(drop)
    }

    fn facts(
        &self,
        position: &Position,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Facts>, Error> {
        let record = self.record(position, diagnostics)?;
        Ok(record.map(|(record, ..)| record.statistics.facts(position.turn())))
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
        if self.tail > 0 {
            let end = self.pages.saturating_add(1).saturating_mul(PAGE_SIZE);
            diagnostics.note(Quirk::PageCut, at(end))?;
        }
        self.check_index(diagnostics)?;
        for page in 0..self.pages {
            self.check_page(page, &mut summary, diagnostics)?;
        }
        if summary.positions != u64::from(self.header.positions) {
            diagnostics.note(Quirk::PositionCount, at(24))?;
        }
        // The pages have shown the illegal moves already.
        let (mut walked, illegal) = (Diagnostics::lenient(), summary.illegal);
        let mut visit = |_: Visited<'_>| ControlFlow::Continue(());
        walk(self, options, &mut visit, &mut walked, &mut summary)?;
        summary.illegal = illegal;
        Ok(summary)
    }
}
