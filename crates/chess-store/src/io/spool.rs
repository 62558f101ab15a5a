//! Bytes that come one after the other: in memory while they are few, in a temporary file beyond.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write as _};

use super::ReadAt;

/// Bytes held in memory.
const IN_MEMORY: usize = 1 << 20;
/// Elsewhere there are no temporary files, and everything stays in memory.
const HAS_FILES: bool = cfg!(any(unix, windows));

/// Gathers bytes that come one after the other.
#[derive(Debug, Default)]
pub struct Spool {
    /// The bytes that are not in the file.
    memory: Vec<u8>,
    file: Option<File>,
}

impl Spool {
    /// Appends.
    ///
    /// # Errors
    /// Those of the file.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.memory.extend_from_slice(bytes);
        if self.memory.len() >= IN_MEMORY && HAS_FILES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all(&self.memory)?;
        self.memory.clear();
        Ok(())
    }

    /// Gives the bytes back.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<Spooled> {
        if self.file.is_some() {
            self.flush()?;
        }
        Ok(self.file.map_or(Spooled::Memory(self.memory), Spooled::File))
    }
}

/// The bytes that were gathered.
#[derive(Debug)]
pub enum Spooled {
    /// In memory.
    Memory(Vec<u8>),
    /// In a temporary file.
    File(File),
}

impl ReadAt for Spooled {
    fn size(&self) -> io::Result<u64> {
        match self {
            Spooled::Memory(bytes) => bytes.size(),
            Spooled::File(file) => file.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Spooled::Memory(bytes) => bytes.read_at(offset, buffer),
            Spooled::File(file) => file.read_at(offset, buffer),
        }
    }
}

/// A file read from its start, for those who do not read by position.
#[derive(Debug)]
pub struct FromStart<R> {
    file: R,
    at: u64,
}

impl<R: ReadAt> FromStart<R> {
    /// At its first byte.
    pub fn new(file: R) -> FromStart<R> {
        FromStart { file, at: 0 }
    }
}

impl<R: ReadAt> Read for FromStart<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(self.at, buffer)?;
        self.at = self.at.saturating_add(count as u64);
        Ok(count)
    }
}

impl<R: ReadAt> Seek for FromStart<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(distance) => self.file.size()?.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.at.checked_add_signed(distance),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bytes_stay_in_memory_and_many_do_not() {
        for count in [0usize, 3, 131_072, 300_001] {
            let mut spool = Spool::default();
            for number in 0..count {
                spool.push(&number.to_le_bytes()).unwrap();
            }
            let spooled = spool.finish().unwrap();
            assert_eq!(matches!(spooled, Spooled::File(_)), count > 131_000);
            assert_eq!(spooled.size().unwrap(), count as u64 * 8);
            for number in
                [0, 1, count / 2, count.saturating_sub(1)].into_iter().filter(|n| *n < count)
            {
                let mut bytes = [0; 8];
                spooled.read_full(number as u64 * 8, &mut bytes).unwrap();
                assert_eq!(bytes, number.to_le_bytes());
            }
        }
    }

    #[test]
    fn a_file_is_read_on_from_where_it_was_sought() {
        let mut file = FromStart::new(&b"abcdef"[..]);
        let mut next = |to| {
            let mut byte = [0];
            let at = file.seek(to)?;
            file.read_exact(&mut byte).map(|()| (at, byte[0]))
        };
        assert_eq!(next(SeekFrom::Start(1)).unwrap(), (1, b'b'));
        assert_eq!(next(SeekFrom::Current(2)).unwrap(), (4, b'e'));
        assert_eq!(next(SeekFrom::End(-1)).unwrap(), (5, b'f'));
        assert!(next(SeekFrom::End(0)).is_err());
        assert!(next(SeekFrom::Current(-9)).is_err());
    }
}
