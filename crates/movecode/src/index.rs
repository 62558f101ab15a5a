//! Where the rows of a table are: one number a game, in memory while they are few and in a
//! temporary file beyond.

use std::fs::File;
use std::io::{self, Write as _};

use chess_core::io::{PagedFile, ReadAt};

/// Bytes held in memory.
const IN_MEMORY: usize = 1 << 20;
/// Bytes of an entry.
const ENTRY: u64 = 8;

/// A list of offsets under construction.
#[derive(Default)]
pub(crate) struct IndexBuilder {
    buffer: Vec<u8>,
    file: Option<File>,
    count: u64,
}

impl IndexBuilder {
    pub(crate) fn push(&mut self, offset: u64) -> io::Result<()> {
        self.buffer.extend_from_slice(&offset.to_le_bytes());
        self.count = self.count.saturating_add(1);
        if self.buffer.len() >= IN_MEMORY {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<Index> {
        if self.file.is_some() {
            self.flush()?;
        }
        let entries: Box<dyn ReadAt> = match self.file {
            Some(file) => Box::new(PagedFile::new(file)?),
            None => Box::new(self.buffer),
        };
        Ok(Index { entries, count: self.count })
    }
}

/// A list of offsets.
pub(crate) struct Index {
    entries: Box<dyn ReadAt>,
    count: u64,
}

impl Index {
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// An offset, `None` beyond the last.
    pub(crate) fn get(&self, number: u64) -> io::Result<Option<u64>> {
        if number >= self.count {
            return Ok(None);
        }
        let mut entry = [0; 8];
        self.entries.read_full(number.saturating_mul(ENTRY), &mut entry)?;
        Ok(Some(u64::from_le_bytes(entry)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_stay_in_memory_and_many_do_not() {
        for count in [0u64, 3, 131_072, 300_001] {
            let mut builder = IndexBuilder::default();
            for number in 0..count {
                builder.push(number * 7).unwrap();
            }
            assert_eq!(builder.file.is_some(), count > 131_000);
            let index = builder.finish().unwrap();
            assert_eq!(index.len(), count);
            assert_eq!(index.get(count).unwrap(), None);
            for number in [0, 1, count / 2, count.saturating_sub(1)] {
                let expected = (number < count).then_some(number * 7);
                assert_eq!(index.get(number).unwrap(), expected);
            }
        }
    }
}
