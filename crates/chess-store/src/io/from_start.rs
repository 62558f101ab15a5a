//! Sequential reading of random-access files.

use std::io::{self, Read, Seek, SeekFrom};

use super::ReadAt;

/// Implements sequential reading for a random-access file.
#[derive(Debug)]
pub struct FromStart<R> {
    file: R,
    at: u64,
}

impl<R: ReadAt> FromStart<R> {
    /// Starts at the first byte.
    pub fn new(file: R) -> FromStart<R> {
        FromStart::at(file, 0)
    }

    /// Starts at this offset.
    pub fn at(file: R, at: u64) -> FromStart<R> {
        FromStart { file, at }
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
    fn read_after_seek_continues_there() {
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
