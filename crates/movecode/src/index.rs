//! The offsets of the games' rows, one per game.

use std::io;

use chess_store::io::{PageCache, ReadAt as _, Spool};

/// Size of an entry.
const ENTRY: usize = 8;

/// Marks the offset of a row that cannot be read, as its parts would be too many. No file is as long.
const UNREADABLE: u64 = 1 << 63;

/// A list of offsets under construction.
#[derive(Default)]
pub(crate) struct IndexBuilder {
    entries: Spool,
    count: u64,
}

impl IndexBuilder {
    pub(crate) fn push(&mut self, offset: u64) -> io::Result<()> {
        self.count = self.count.saturating_add(1);
        self.entries.push(&offset.to_le_bytes())
    }

    /// Appends a row that is an error.
    pub(crate) fn push_unreadable(&mut self, offset: u64) -> io::Result<()> {
        self.push(offset | UNREADABLE)
    }

    pub(crate) fn finish(self) -> io::Result<Index> {
        Ok(Index { entries: self.entries.finish()?, count: self.count })
    }
}

/// A list of offsets.
pub(crate) struct Index {
    entries: Spool,
    count: u64,
}

impl Index {
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// Returns an offset and whether the row there can be read, or `None` beyond the last.
    pub(crate) fn get(&self, number: u64, pages: &PageCache) -> io::Result<Option<(u64, bool)>> {
        if number >= self.count {
            return Ok(None);
        }
        let (at, mut entry) = (number.saturating_mul(ENTRY as u64), [0; ENTRY]);
        let count = pages.cached(&self.entries).read_full(at, &mut entry)?;
        if count < entry.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let entry = u64::from_le_bytes(entry);
        Ok(Some((entry & !UNREADABLE, entry & UNREADABLE == 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_offsets_round_trip() {
        for count in [0u64, 3, 300_001] {
            let mut builder = IndexBuilder::default();
            for number in 0..count {
                if number % 5 == 4 {
                    builder.push_unreadable(number * 7).unwrap();
                } else {
                    builder.push(number * 7).unwrap();
                }
            }
            let (index, pages) = (builder.finish().unwrap(), PageCache::default());
            assert_eq!(index.len(), count);
            assert_eq!(index.get(count, &pages).unwrap(), None);
            for number in [0, 1, count / 2, count.saturating_sub(1)] {
                let expected = (number < count).then_some((number * 7, number % 5 != 4));
                assert_eq!(index.get(number, &pages).unwrap(), expected);
            }
        }
    }
}
