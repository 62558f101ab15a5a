//! A book that is written, line by line.

use chess_core::{Move, Position};
use chess_store::io::WriteAt;

use super::entry::Entry;
use super::header::Header;
use super::{ENTRY_SIZE, FIRST_ENTRY};
use crate::abk::book::{at, at_entry};
use crate::book::BookMove;
use crate::error::{Error, ErrorKind};

/// Writes a book of Arena. Only the current line is kept in memory.
///
/// ```
/// use books::abk::{Header, Writer};
/// use books::{BookMove, Location};
///
/// let place = Location::default();
/// let mut writer = Writer::new(Vec::new(), Header::default())?;
/// writer.push(0, &BookMove::new("e2e4".parse()?, place))?;
/// writer.push(1, &BookMove::new("e7e5".parse()?, place))?;
/// writer.push(0, &BookMove::new("d2d4".parse()?, place))?;
/// let bytes = writer.finish()?;
/// assert_eq!(bytes.len(), 28 * 903);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    file: W,
    header: Header,
    /// The last move of each ply of the current line.
    line: Vec<Pending>,
    next: u32,
    moves: u32,
    depth: u32,
}

/// An entry that is not written yet, because its links are not known.
#[derive(Debug)]
struct Pending {
    number: u32,
    entry: Entry,
    before: Position,
    m: Move,
}

impl<W: WriteAt> Writer<W> {
    /// Creates a writer over an empty file. The writer counts the moves and the depth of `header`.
    ///
    /// # Errors
    /// I/O errors; a text that is too long for its field.
    pub fn new(file: W, header: Header) -> Result<Writer<W>, Error> {
        header.encode(&mut Vec::new())?;
        Ok(Writer { file, header, line: Vec::new(), next: FIRST_ENTRY, moves: 0, depth: 0 })
    }

    /// Adds a move after the first `ply` moves of the current line. The moves of a position must
    /// come one after the other, each followed by its continuations. A move has its priority (5 by
    /// default), its results and whether it is deleted.
    ///
    /// # Errors
    /// I/O errors; a move that is not legal, or that follows no line; too many entries for the
    /// links.
    pub fn push(&mut self, ply: usize, book_move: &BookMove) -> Result<(), Error> {
        let place = at(at_entry(self.next));
        let number = self.next;
        if i32::try_from(number).is_err() {
            return Err(ErrorKind::Full.at(place));
        }
        let before = match ply.checked_sub(1) {
            None => Position::start(),
            Some(last) => {
                let Some(last) = self.line.get(last) else {
                    return Err(ErrorKind::Depth(ply, self.line.len()).at(place));
                };
                let mut position = last.before;
                position.apply(last.m);
                position
            }
        };
        let m = book_move.m;
        if m.is_null() || !before.is_legal(m) {
            return Err(ErrorKind::IllegalMove(m).at(place));
        }
        let link = i32::try_from(number).unwrap_or(-1);
        while self.line.len() > ply.saturating_add(1) {
            self.write_last()?;
        }
        if let Some(one) = self.line.get_mut(ply) {
            one.entry.alternative = link;
            self.write_last()?;
        } else if let Some(before) = self.line.last_mut() {
            before.entry.next = link;
        }
        let mut entry = Entry::of(m, &before);
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let results = book_move.results.unwrap_or_default();
        entry.games = narrow(results.games);
        (entry.white, entry.black) = (narrow(results.white), narrow(results.black));
        entry.priority = book_move.priority.unwrap_or(entry.priority);
        entry.flags = if book_move.deleted { 0x0100_0000 } else { 0 };
        self.moves = self.moves.saturating_add(u32::from(!book_move.deleted));
        self.depth = self.depth.max(u32::try_from(ply.saturating_add(1)).unwrap_or(u32::MAX));
        self.next = self.next.saturating_add(1);
        self.line.push(Pending { number, entry, before, m });
        Ok(())
    }

    /// Writes the last entry of the line, whose links are known.
    fn write_last(&mut self) -> Result<(), Error> {
        let Some(last) = self.line.pop() else { return Ok(()) };
        let offset = at_entry(last.number);
        self.file.write_at(offset, &last.entry.encode()).map_err(Error::io(at(offset)))
    }

    /// Writes the header and returns the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> Result<W, Error> {
        while !self.line.is_empty() {
            self.write_last()?;
        }
        self.header.moves = self.moves;
        self.header.depth = self.depth;
        let mut bytes = Vec::with_capacity(usize::try_from(ENTRY_SIZE).unwrap_or(0));
        self.header.encode(&mut bytes)?;
        self.file.write_at(0, &bytes).map_err(Error::io(at(0)))?;
        Ok(self.file)
    }
}
