//! The compressed input of a decoder.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of bytes to read at once.
const BUFFER: usize = 64 << 10;

/// A buffered compressed stream. It counts the bytes that the decoder has used, and supports
/// lookahead.
#[derive(Debug)]
pub struct Source<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    state: SourceState,
}

/// The state of a [`Source`], shared with the code that does not own it.
#[derive(Clone, Debug, Default)]
pub struct SourceState(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    used: AtomicU64,
    failed: AtomicBool,
    trailing: AtomicBool,
}

impl SourceState {
    /// Returns the number of compressed bytes that the decoder has used.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Returns whether the stream itself failed, rather than the decoder.
    pub(super) fn has_failed(&self) -> bool {
        self.0.failed.load(Ordering::Relaxed)
    }

    /// Returns whether bytes that are not compressed data follow and were ignored.
    #[must_use]
    pub fn has_trailing_bytes(&self) -> bool {
        self.0.trailing.load(Ordering::Relaxed)
    }

    /// Records that bytes follow that are not compressed data.
    #[cfg(feature = "compressed")]
    pub(super) fn note_trailing_bytes(&self) {
        self.0.trailing.store(true, Ordering::Relaxed);
    }
}

impl<R: Read> Source<R> {
    /// Wraps `inner`.
    pub fn new(inner: R) -> Source<R> {
        let state = SourceState::default();
        Source { inner, buffer: vec![0; BUFFER], start: 0, end: 0, state }
    }

    /// Returns the state, which stays accessible when a decoder owns the source.
    #[must_use]
    pub fn state(&self) -> SourceState {
        self.state.clone()
    }

    /// Returns the next `count` bytes without consuming them. Returns fewer at the end of the
    /// stream.
    ///
    /// # Errors
    /// I/O errors.
    pub fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let count = count.min(BUFFER);
        while self.unread().len() < count && self.fill()? > 0 {}
        let unread = self.buffer.get(self.start..self.end).unwrap_or_default();
        Ok(unread.get(..count).unwrap_or(unread))
    }

    fn unread(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Reads more bytes after the unread ones. Returns their number.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end.saturating_sub(self.start));
        loop {
            let room = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.inner.read(room) {
                Ok(count) => {
                    self.end = self.end.saturating_add(count).min(BUFFER);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.state.0.failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start >= self.end {
            self.fill()?;
        }
        Ok(self.unread())
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.unread().len());
        self.start = self.start.saturating_add(count);
        self.state.0.used.fetch_add(count as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte for each read.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let room = buffer.len().min(1);
            self.0.read(&mut buffer[..room])
        }
    }

    #[test]
    fn peek_does_not_use_bytes() {
        let mut source = Source::new(Drops(b"abcdef"));
        let state = source.state();
        assert_eq!(source.peek(4).unwrap(), b"abcd");
        assert_eq!(state.position(), 0);
        let mut rest = String::new();
        source.read_exact(&mut [0; 2]).unwrap();
        assert_eq!((source.peek(9).unwrap(), state.position()), (&b"cdef"[..], 2));
        source.read_to_string(&mut rest).unwrap();
        assert_eq!((&*rest, state.position(), source.peek(1).unwrap()), ("cdef", 6, &b""[..]));
    }
}
