//! The bytes of a stream that were read and are not in a block yet.

use std::io::{self, Read};

use super::is_too_large;

/// A buffer of stream bytes. The space after `end` keeps its old content and is overwritten by the
/// next read, so no read has to zero it first.
#[derive(Default)]
pub(super) struct Unread {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Unread {
    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Discards the first `bytes` bytes.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.end);
    }

    /// Reads until `wanted` bytes are buffered or the stream ends. Returns whether the stream
    /// ended. Bytes read before an error stay in the buffer.
    pub(super) fn fill(&mut self, stream: &mut impl Read, wanted: usize) -> io::Result<bool> {
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.len());
        if is_too_large(&self.bytes, wanted) {
            self.bytes.truncate(wanted.max(self.end));
            self.bytes.shrink_to(wanted);
        }
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
        while let Some(room) = self.bytes.get_mut(self.end..wanted).filter(|room| !room.is_empty())
        {
            match stream.read(room) {
                Ok(0) => return Ok(true),
                Ok(count) => self.end = self.end.saturating_add(count).min(wanted),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Returns the first `window` bytes, and keeps the bytes after the first `end` of them, which
    /// are returned again. `old` is memory for reuse.
    pub(super) fn hand_out(&mut self, window: usize, end: usize, mut old: Vec<u8>) -> Vec<u8> {
        let window = self.start.saturating_add(window).min(self.end);
        let stop = self.start.saturating_add(end).min(window);
        let rest = self.bytes.get(stop..self.end).unwrap_or_default();
        if self.start == 0 && rest.len() <= end {
            if old.len() < rest.len() {
                old.resize(rest.len(), 0);
            }
            if let Some(place) = old.get_mut(..rest.len()) {
                place.copy_from_slice(rest);
            }
            (self.start, self.end) = (0, rest.len());
            std::mem::swap(&mut old, &mut self.bytes);
            old.truncate(window);
        } else {
            old.clear();
            old.extend_from_slice(self.bytes.get(self.start..window).unwrap_or_default());
            self.start = stop;
        }
        old
    }
}
