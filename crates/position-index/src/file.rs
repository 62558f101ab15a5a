//! The file of an index.
//!
//! ```text
//! magic      8 bytes
//! segments   facts of the games, 8 bytes each; 256 parts: lists, then entries of 15 bytes
//! trailer    fingerprint of the base; for each segment its games, places and checksum
//! end        length of the trailer and its checksum, 8 bytes each
//! ```
//!
//! An entry is the hash of a position (8 bytes), the place of its list in the part (5) and two bytes of a
//! checksum of the list. Entries are in the order of the hashes. A list has, for each move, its bits (2
//! bytes), the number of games and the differences of their numbers as varints. Numbers are little-endian.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use chess_store::Input;
use chess_store::files::Staged;
use chess_store::io::ReadAt as _;

use crate::build::Building;
use crate::spill::PARTS;

/// The first bytes of an index. The last one is the version of the layout.
pub const MAGIC: [u8; 8] = *b"SCOREPX1";
/// The bytes of an entry.
const ENTRY: usize = 15;
/// The longest trailer. 64 segments have 270 KB.
const MAX_TRAILER: u64 = 1 << 20;
/// More segments are slower to ask than one.
const MAX_SEGMENTS: usize = 64;

/// The index of a range of games.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) games: Range<u64>,
    /// The offset of the facts.
    start: u64,
    checksum: u64,
    pub(crate) parts: Vec<Part>,
}

/// The offsets of the lists and of the entries of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) lists: u64,
    pub(crate) entries: u64,
    pub(crate) end: u64,
}

impl Segment {
    pub(crate) fn new(games: Range<u64>, start: u64, checksum: u64) -> Segment {
        Segment { games, start, checksum, parts: Vec::with_capacity(PARTS) }
    }

    fn write(&self, to: &mut Vec<u8>) {
        let Range { start, end } = self.games;
        let offsets = self.parts.iter().flat_map(|part| [part.entries, part.end]);
        for number in [start, end, self.start, self.checksum].into_iter().chain(offsets) {
            to.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// Reads a segment whose games begin at `first`, and that ends before `limit`.
    fn read(from: &mut Numbers<'_>, first: u64, limit: u64) -> Option<Segment> {
        let games = from.next()?..from.next()?;
        let mut segment = Segment::new(games, from.next()?, from.next()?);
        let count = segment.games.end.checked_sub(segment.games.start)?;
        let mut lists = segment.start.checked_add(count.checked_mul(8)?)?;
        for _ in 0..PARTS {
            let part = Part { lists, entries: from.next()?, end: from.next()? };
            let is_sound = part.lists <= part.entries
                && part.entries <= part.end
                && part.end.checked_sub(part.entries)?.is_multiple_of(ENTRY as u64);
            lists = part.end;
            segment.parts.push(Some(part).filter(|_| is_sound)?);
        }
        let is_sound = segment.games.start == first
            && segment.games.end <= u64::from(u32::MAX)
            && lists <= limit;
        Some(segment).filter(|_| is_sound)
    }

    /// Reads the packed facts of the games.
    pub(crate) fn facts(&self, file: &Input) -> io::Result<Vec<u64>> {
        let count = self.games.end.saturating_sub(self.games.start);
        let bytes = read(file, self.start, count.saturating_mul(8))?;
        if checksum(&bytes) != self.checksum {
            return Err(damaged());
        }
        Ok(bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }

    /// Reads the list of a position; `None` if fewer than two games have it.
    pub(crate) fn list(&self, file: &Input, key: u64) -> io::Result<Option<Vec<u8>>> {
        let part = usize::from(key.to_be_bytes().first().copied().unwrap_or_default());
        let part = self.parts.get(part).ok_or_else(damaged)?;
        let count = part.end.saturating_sub(part.entries).checked_div(ENTRY as u64).unwrap_or(0);
        let entry = |place: u64| -> io::Result<(u64, u64, u16)> {
            let mut bytes = [0; ENTRY];
            let offset = part.entries.saturating_add(place.saturating_mul(ENTRY as u64));
            if file.read_full(offset, &mut bytes)? < ENTRY {
                return Err(damaged());
            }
            let [k0, k1, k2, k3, k4, k5, k6, k7, p0, p1, p2, p3, p4, s0, s1] = bytes;
            let key = u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]);
            let place = u64::from_le_bytes([p0, p1, p2, p3, p4, 0, 0, 0]);
            Ok((key, place, u16::from_le_bytes([s0, s1])))
        };
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            let (own, start, sum) = entry(middle)?;
            if own < key {
                low = middle.saturating_add(1);
                continue;
            } else if own > key {
                high = middle;
                continue;
            }
            let next = middle.saturating_add(1);
            let all = part.entries.saturating_sub(part.lists);
            let end = if next < count { entry(next)?.1 } else { all };
            let length = end.checked_sub(start).filter(|_| end <= all).ok_or_else(damaged)?;
            let bytes = read(file, part.lists.saturating_add(start), length)?;
            let [low, high, ..] = checksum(&bytes).to_le_bytes();
            let is_sound = u16::from_le_bytes([low, high]) == sum;
            return Some(bytes).filter(|_| is_sound).ok_or_else(damaged).map(Some);
        }
        Ok(None)
    }
}

/// An open index file.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) fingerprint: Vec<u8>,
    pub(crate) segments: Vec<Segment>,
    /// The offset of the trailer.
    end: u64,
}

impl Contents {
    pub(crate) fn read(file: &Input) -> io::Result<Contents> {
        let size = file.size()?;
        let mut magic = [0; MAGIC.len()];
        if file.read_full(0, &mut magic)? < MAGIC.len() || magic != MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a position index"));
        }
        let ending = size.checked_sub(16).ok_or_else(damaged)?;
        let bytes = read(file, ending, 16)?;
        let mut numbers = Numbers(&bytes);
        let (length, sum) = numbers.next().zip(numbers.next()).ok_or_else(damaged)?;
        let end = ending.checked_sub(length).filter(|_| length <= MAX_TRAILER);
        let end = end.ok_or_else(damaged)?;
        let bytes = read(file, end, length)?;
        if checksum(&bytes) != sum {
            return Err(damaged());
        }
        Contents::parse(&bytes, end).ok_or_else(damaged)
    }

    fn parse(bytes: &[u8], end: u64) -> Option<Contents> {
        let mut numbers = Numbers(bytes);
        let length = usize::try_from(numbers.next()?).ok()?;
        let (fingerprint, rest) = numbers.0.split_at_checked(length)?;
        let (mut numbers, mut segments, mut first) = (Numbers(rest), Vec::new(), 0);
        while !numbers.0.is_empty() {
            let segment = Segment::read(&mut numbers, first, end)?;
            first = segment.games.end;
            segments.push(segment);
        }
        Some(Contents { fingerprint: fingerprint.to_vec(), segments, end })
    }

    fn trailer(fingerprint: &[u8], segments: &[Segment]) -> Vec<u8> {
        let mut bytes = (fingerprint.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(fingerprint);
        segments.iter().for_each(|segment| segment.write(&mut bytes));
        let (length, sum) = (bytes.len() as u64, checksum(&bytes));
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Writes a new file. `fingerprint` is called when all games were read.
    pub(crate) fn create(
        path: &Path,
        building: &Building<'_>,
        games: u64,
        fingerprint: &dyn Fn() -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        let mut staged = Staged::new();
        let mut out = BufWriter::with_capacity(1 << 20, staged.create(path)?);
        out.write_all(&MAGIC)?;
        let segment = building.write(0..games, MAGIC.len() as u64, &mut out)?;
        out.write_all(&Contents::trailer(&fingerprint()?, &[segment]))?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?;
        staged.commit()
    }

    /// Adds the games behind the last one. The file is no index until this is complete. Returns `false` if it
    /// is to be built anew, because it has many segments.
    pub(crate) fn append(
        mut self,
        path: &Path,
        building: &Building<'_>,
        games: u64,
        fingerprint: &dyn Fn() -> io::Result<Vec<u8>>,
    ) -> io::Result<bool> {
        let first = self.segments.last().map_or(0, |segment| segment.games.end);
        let is_full = games > first && self.segments.len() >= MAX_SEGMENTS;
        if is_full || games < first {
            return Ok(false);
        }
        #[expect(clippy::disallowed_methods, reason = "opens a file for a change in place")]
        let mut file = File::options().write(true).open(path)?;
        file.set_len(self.end)?;
        file.seek(SeekFrom::Start(self.end))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        if games > first {
            self.segments.push(building.write(first..games, self.end, &mut out)?);
        }
        out.write_all(&Contents::trailer(&fingerprint()?, &self.segments))?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(true)
    }
}

/// Numbers of eight bytes.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }
}

fn read(file: &Input, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let end = offset.checked_add(length).ok_or_else(damaged)?;
    if end > file.size()? {
        return Err(damaged());
    }
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    if file.read_full(offset, &mut bytes)? < bytes.len() {
        return Err(damaged());
    }
    Ok(bytes)
}

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the position index is damaged")
}

/// A sum that notices damage, of words of eight bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let mix = |sum: u64, word: &[u8; 8]| {
        let mixed = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    };
    mix(words.iter().fold(bytes.len() as u64, mix), &last)
}

pub(crate) fn append_varint(to: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return to.push(low);
        }
        to.push(low | 128);
    }
}

/// Takes a varint of at most 32 bits.
pub(crate) fn take_varint(from: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in [0, 7, 14, 21, 28] {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 127) << shift;
        if *byte < 128 {
            return u32::try_from(number).ok();
        }
    }
    None
}
