//! Finding records without an index: each one's size leads to the next.
//! cbf §1.2 "Without an index"

use std::io;

use chess_store::io::ReadAt;

use crate::header::{Checksum, RecordHeader, parse_header};
use crate::layout::HEADER_SIZE;

/// The records of a .cbf in the order they lie in it. Memory does not grow with their number:
/// the places of some are kept, and reading walks on from the nearest.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    count: u64,
    /// Whether some bytes belong to no record.
    gaps: bool,
    /// The places of all records whose numbers end with so many zero bits.
    places: Vec<Found>,
    zero_bits: u32,
}

/// A record's place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) offset: u64,
    /// Whether bytes that are no record lie before it.
    pub(crate) after_gap: bool,
}

/// The record that a thread found last, for reading one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    game: u64,
    found: Found,
}

/// The most places kept.
const PLACES: usize = 8192;

/// What follows a record.
enum Next {
    Record(Found),
    End,
    /// Bytes that are no record.
    Rest,
}

impl Walk {
    /// Walks through the file once.
    pub(crate) fn new<R: ReadAt>(file: &R) -> io::Result<Walk> {
        let mut walk = Walk::default();
        let size = file.size()?;
        if size == 0 {
            return Ok(walk);
        }
        let mut found = Found::default();
        if !is_plausible(file, 0, size)? {
            walk.gaps = true;
            // Without one sound record the file counts as one that is damaged.
            if let Some(offset) = find(file, 1, size)? {
                found = Found { offset, after_gap: true };
            }
        }
        loop {
            walk.keep(found);
            match next(file, found.offset, size)? {
                Next::Record(next) => {
                    found = next;
                    walk.gaps |= next.after_gap;
                }
                Next::End => break,
                Next::Rest => {
                    walk.gaps = true;
                    break;
                }
            }
        }
        Ok(walk)
    }

    fn keep(&mut self, found: Found) {
        if self.is_kept(self.count) && self.places.len() >= PLACES {
            let mut even = false;
            self.places.retain(|_| {
                even = !even;
                even
            });
            self.zero_bits = self.zero_bits.saturating_add(1);
        }
        if self.is_kept(self.count) {
            self.places.push(found);
        }
        self.count = self.count.saturating_add(1);
    }

    fn is_kept(&self, game: u64) -> bool {
        game.trailing_zeros() >= self.zero_bits
    }

    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// Whether every byte of the file belongs to a record.
    pub(crate) fn is_whole(&self) -> bool {
        !self.gaps
    }

    /// Where a record lies. `last` is the one that this thread found before.
    pub(crate) fn find<R: ReadAt>(
        &self,
        file: &R,
        game: u64,
        last: &mut Cursor,
    ) -> io::Result<Option<Found>> {
        if game >= self.count {
            return Ok(None);
        }
        let place = game >> self.zero_bits;
        let kept = usize::try_from(place).ok().and_then(|place| self.places.get(place));
        let Some(kept) = kept else { return Ok(None) };
        let mut at = Cursor { game: place << self.zero_bits, found: *kept };
        if last.game <= game && last.game > at.game {
            at = *last;
        }
        let size = file.size()?;
        while at.game < game {
            match next(file, at.found.offset, size)? {
                Next::Record(found) => at = Cursor { game: at.game.saturating_add(1), found },
                Next::End | Next::Rest => return Ok(None),
            }
        }
        *last = at;
        Ok(Some(at.found))
    }
}

fn read_header<R: ReadAt>(file: &R, offset: u64) -> io::Result<Option<RecordHeader>> {
    let mut bytes = [0; HEADER_SIZE];
    let count = file.read_full(offset, &mut bytes)?;
    Ok(bytes.get(..count).and_then(parse_header))
}

/// Where the record at this place ends, if it fits in the file.
pub(crate) fn record_end<R: ReadAt>(file: &R, offset: u64, size: u64) -> io::Result<Option<u64>> {
    let header = read_header(file, offset)?;
    Ok(header.and_then(|header| end_of(&header, offset, size)))
}

fn end_of(header: &RecordHeader, offset: u64, size: u64) -> Option<u64> {
    let end = offset.checked_add(header.record_size() as u64)?;
    (end <= size).then_some(end)
}

/// Whether a record may start here: it fits, and either has a known checksum or is followed by
/// the end of the file or another that fits.
fn is_plausible<R: ReadAt>(file: &R, offset: u64, size: u64) -> io::Result<bool> {
    let Some(header) = read_header(file, offset)? else { return Ok(false) };
    let Some(end) = end_of(&header, offset, size) else { return Ok(false) };
    if !header.has_known_bits() {
        return Ok(false);
    }
    if header.check() != Checksum::Foreign || end == size {
        return Ok(true);
    }
    Ok(record_end(file, end, size)?.is_some())
}

fn next<R: ReadAt>(file: &R, offset: u64, size: u64) -> io::Result<Next> {
    if let Some(end) = record_end(file, offset, size)? {
        if end == size {
            return Ok(Next::End);
        }
        if is_plausible(file, end, size)? {
            return Ok(Next::Record(Found { offset: end, after_gap: false }));
        }
    }
    // A damaged size may point anywhere; the next record may start right after the header.
    let from = offset.saturating_add(HEADER_SIZE as u64);
    let found = find(file, from, size)?.map(|offset| Found { offset, after_gap: true });
    Ok(found.map_or(Next::Rest, Next::Record))
}

/// The next place from which two records with known checksums follow each other, or one that
/// ends with the file.
fn find<R: ReadAt>(file: &R, from: u64, size: u64) -> io::Result<Option<u64>> {
    const WINDOW: usize = 4096;
    let mut window = Vec::new();
    let mut start = from;
    while start < size {
        file.read_into(start, WINDOW.saturating_add(HEADER_SIZE), &mut window)?;
        for (at, bytes) in (start..).zip(window.windows(HEADER_SIZE)) {
            if let Some(header) = parse_header(bytes)
                && starts_chain(file, &header, at, size)?
            {
                return Ok(Some(at));
            }
        }
        start = start.saturating_add(WINDOW as u64);
    }
    Ok(None)
}

fn starts_chain<R: ReadAt>(
    file: &R,
    header: &RecordHeader,
    at: u64,
    size: u64,
) -> io::Result<bool> {
    let end = end_of(header, at, size).filter(|_| header.is_sound());
    let Some(end) = end else { return Ok(false) };
    if end == size {
        return Ok(true);
    }
    Ok(read_header(file, end)?
        .is_some_and(|next| next.is_sound() && end_of(&next, end, size).is_some()))
}
