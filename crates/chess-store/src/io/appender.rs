//! Files written from their start to their end.

use std::io;

use super::WriteAt;

/// Bytes gathered before they are written.
const GATHERED: usize = 256 * 1024;

/// Appends to a file through a buffer; [`finish`](Appender::finish) gives the file back, whose
/// bytes can then be changed anywhere.
#[derive(Debug)]
pub struct Appender<F> {
    file: F,
    /// Bytes in the file.
    written: u64,
    /// Bytes yet to be written.
    buffer: Vec<u8>,
}

impl<F: WriteAt> Appender<F> {
    /// Over an empty file.
    pub fn new(file: F) -> Appender<F> {
        Appender { file, written: 0, buffer: Vec::new() }
    }

    /// Bytes appended so far.
    pub fn size(&self) -> u64 {
        self.written.saturating_add(self.buffer.len() as u64)
    }

    /// Appends.
    ///
    /// # Errors
    /// Those of the file.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= GATHERED { self.flush() } else { Ok(()) }
    }

    /// Writes what was gathered.
    ///
    /// # Errors
    /// Those of the file.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.write_at(self.written, &self.buffer)?;
        self.written = self.size();
        self.buffer.clear();
        Ok(())
    }

    /// Gives the file back, everything written.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<F> {
        self.flush()?;
        Ok(self.file)
    }
}
