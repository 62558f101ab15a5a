//! Locates records without an index, by following the size of each record to the next.
//! cbf §1.2 "Without an index"

use std::io;

use chess_store::io::ReadAt;

use crate::header::{Checksum, RecordHeader, parse_header};
use crate::layout::HEADER_SIZE;

/// The records of a .cbf in file order. Memory is bounded: only sampled offsets are kept, and a
/// look-up scans on from the nearest sample.
#[derive(Debug, Default)]
pub(crate) struct RecordScan {
    count: u64,
    /// `true` if some bytes belong to no record.
    gaps: bool,
    /// The samples: all records whose numbers end with `zero_bits` zero bits.
    places: Vec<Found>,
    zero_bits: u32,
}

/// The location of a record.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) offset: u64,
    /// `true` if bytes without a record precede it.
    pub(crate) after_gap: bool,
}

/// The last record found by a thread, from which sequential reads continue.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    game: u64,
    found: Found,
}

/// Maximum number of samples.
const MAX_PLACES: usize = 8192;

/// The item after a record.
enum Next {
    Record(Found),
    End,
    /// Bytes without a record.
    Rest,
}

impl RecordScan {
    /// Scans the whole file once.
    pub(crate) fn new<R: ReadAt>(file: &R) -> io::Result<RecordScan> {
        let mut scan = RecordScan::default();
        let size = file.size()?;
        if size == 0 {
            return Ok(scan);
        }
        let mut found = Found::default();
        if !is_plausible(file, 0, size)? {
            // A file without a sound record is treated as one damaged record.
            if let Some(offset) = find(file, 1, size)? {
                scan.gaps = true;
                found = Found { offset, after_gap: true };
            }
        }
        loop {
            scan.keep(found);
            match next(file, found.offset, size)? {
                Next::Record(next) => {
                    found = next;
                    scan.gaps |= next.after_gap;
                }
                Next::End => break,
                Next::Rest => {
                    scan.gaps = true;
                    break;
                }
            }
        }
        Ok(scan)
    }

    fn keep(&mut self, found: Found) {
        if self.is_kept(self.count) && self.places.len() >= MAX_PLACES {
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

    /// Returns `true` if every byte of the file belongs to a record.
    pub(crate) fn is_whole(&self) -> bool {
        !self.gaps
    }

    /// Locates a record. `last` is the last record that this thread found.
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

/// Returns the end of the record at `offset`, if it fits the file.
pub(crate) fn record_end<R: ReadAt>(file: &R, offset: u64, size: u64) -> io::Result<Option<u64>> {
    let header = read_header(file, offset)?;
    Ok(header.and_then(|header| end_of(&header, offset, size)))
}

fn end_of(header: &RecordHeader, offset: u64, size: u64) -> Option<u64> {
    let end = offset.checked_add(header.record_size() as u64)?;
    (end <= size).then_some(end)
}

/// Returns `true` if a record may start at `offset`. It must fit the file. It must also have a known
/// checksum, or be followed by the end of the file or another record that fits.
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
    // A damaged size may point anywhere. The next record may start right after the header.
    let from = offset.saturating_add(HEADER_SIZE as u64);
    let found = find(file, from, size)?.map(|offset| Found { offset, after_gap: true });
    Ok(found.map_or(Next::Rest, Next::Record))
}

/// Finds the next offset at which two records with known checksums follow each other, or one such
/// record ends with the file.
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
