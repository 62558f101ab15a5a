//! Buffered sequential writing.

use std::io;

use super::WriteAt;

/// Buffer size in bytes.
const GATHERED: usize = 256 * 1024;

/// Number of bytes that are written without a copy, if the buffer is empty.
const LARGE: usize = 64 * 1024;

/// Appends to a file through a buffer. [`finish`](Appender::finish) returns the file, which can
/// then be changed at any offset.
#[derive(Debug)]
pub struct Appender<F> {
    file: F,
    /// Number of bytes in the file.
    written: u64,
    /// Bytes that are not written yet.
    buffer: Vec<u8>,
}

impl<F: WriteAt> Appender<F> {
    /// Wraps an empty file.
    pub fn new(file: F) -> Appender<F> {
        Appender { file, written: 0, buffer: Vec::new() }
    }

    /// Returns the number of bytes appended so far.
    pub fn size(&self) -> u64 {
        self.written.saturating_add(self.buffer.len() as u64)
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// I/O errors.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.is_empty() && bytes.len() >= LARGE {
            self.file.write_at(self.written, bytes)?;
            self.written = self.written.saturating_add(bytes.len() as u64);
            return Ok(());
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= GATHERED { self.flush() } else { Ok(()) }
    }

    /// Writes the buffer.
    ///
    /// # Errors
    /// I/O errors.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.write_at(self.written, &self.buffer)?;
        self.written = self.size();
        self.buffer.clear();
        Ok(())
    }

    /// Writes the buffer and returns the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> io::Result<F> {
        self.flush()?;
        Ok(self.file)
    }
}

impl<F: WriteAt> io::Write for Appender<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Appender::flush(self)
    }
}
