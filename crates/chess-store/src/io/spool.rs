//! A buffer for sequential data, in memory while it is small and in a temporary file beyond that.

use std::fs::File;
use std::io::{self, Write as _};

use super::ReadAt;

/// Maximum number of bytes in memory.
const IN_MEMORY: usize = 1 << 20;
/// Minimum number of bytes for one write.
const MANY: usize = 1 << 14;
/// Other targets have no temporary files. All data stays in memory there.
const HAS_FILES: bool = cfg!(any(unix, windows));

/// Collects sequential data.
#[derive(Debug, Default)]
pub struct Spool {
    /// Bytes that are not in the file.
    memory: Vec<u8>,
    file: Option<File>,
}

impl Spool {
    /// Appends bytes.
    ///
    /// # Errors
    /// I/O errors.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() >= MANY && self.file.is_some() {
            self.flush()?;
            return self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes));
        }
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

    /// Returns the collected bytes.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> io::Result<Spooled> {
        if self.file.is_some() {
            self.flush()?;
        }
        Ok(self.file.map_or(Spooled::Memory(self.memory), Spooled::File))
    }
}

/// The collected bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spool_large_write_keeps_order() {
        let mut spool = Spool::default();
        let mut all = Vec::new();
        for length in [3, IN_MEMORY, MANY, 5, MANY - 1, 2 * MANY, 0, 1] {
            let bytes = vec![(all.len() % 251) as u8; length];
            spool.push(&bytes).unwrap();
            all.extend_from_slice(&bytes);
        }
        let mut back = Vec::new();
        spool.finish().unwrap().read_into(0, all.len() + 1, &mut back).unwrap();
        assert!(back == all);
    }

    #[test]
    fn spool_beyond_limit_uses_a_file() {
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
}
