//! A buffer for sequential data, in memory while it is small and in a temporary file beyond that.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use super::{ReadAt, TemporaryFile, WriteAt as _};

/// Maximum number of bytes in memory.
const IN_MEMORY: usize = 1 << 20;
/// Minimum number of bytes for one write.
const MANY: usize = 1 << 14;
/// Other targets have no temporary files. All data stays in memory there.
const HAS_FILES: bool = cfg!(any(unix, windows));

/// Collects sequential data. All bytes pushed so far can be read at any time.
#[derive(Debug, Default)]
pub struct Spool {
    /// Bytes that are not in the file.
    memory: Vec<u8>,
    file: Option<TemporaryFile>,
    /// The number of bytes in the file.
    in_file: u64,
}

impl Spool {
    /// Appends bytes.
    ///
    /// # Errors
    /// I/O errors.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() >= MANY && self.file.is_some() {
            self.flush()?;
            return self.write(bytes);
        }
        self.memory.extend_from_slice(bytes);
        if self.memory.len() >= IN_MEMORY && HAS_FILES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let memory = std::mem::take(&mut self.memory);
        let written = self.write(&memory);
        self.memory = memory;
        written.map(|()| self.memory.clear())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(TemporaryFile::new()?),
        };
        // On Windows a read moves the position.
        file.write_at(self.in_file, bytes)?;
        self.in_file = self.in_file.saturating_add(bytes.len() as u64);
        Ok(())
    }

    /// Returns the number of collected bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.in_file.saturating_add(self.memory.len() as u64)
    }

    /// Returns whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves the bytes into the file, if there is one, and frees their memory.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> io::Result<Spool> {
        if self.file.is_some() {
            self.flush()?;
            self.memory = Vec::new();
        }
        Ok(self)
    }
}

impl ReadAt for Spool {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match (&self.file, offset.checked_sub(self.in_file)) {
            (Some(file), None) => file.read_at(offset, buffer),
            (_, offset) => self.memory.read_at(offset.unwrap_or(0), buffer),
        }
    }
}

/// Bytes of one read from a stream.
const CHUNK: usize = 256 << 10;

/// Gives random access to a stream. The stream is read once, up to the highest offset that was asked
/// for, and copied into a temporary file.
///
/// The size is unknown until the stream ends. An error of the stream concerns only offsets after the
/// bytes before it.
pub struct SpooledStream(Mutex<StreamState>);

struct StreamState {
    /// `None` after the end and after an error.
    stream: Option<Box<dyn Read + Send>>,
    bytes: Spool,
    failure: Option<io::Error>,
}

impl SpooledStream {
    /// Wraps a stream.
    pub fn new(stream: Box<dyn Read + Send>) -> SpooledStream {
        let (stream, bytes) = (Some(stream), Spool::default());
        SpooledStream(Mutex::new(StreamState { stream, bytes, failure: None }))
    }
}

impl std::fmt::Debug for SpooledStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SpooledStream")
    }
}

impl StreamState {
    /// Reads the stream up to `end`, or to its end.
    fn read_to(&mut self, end: u64) {
        let mut chunk = Vec::new();
        while self.bytes.len() < end {
            let Some(stream) = &mut self.stream else { return };
            chunk.clear();
            let read = stream.take(CHUNK as u64).read_to_end(&mut chunk);
            // The bytes before an error count.
            let kept = self.bytes.push(&chunk);
            let is_last = chunk.len() < CHUNK;
            if let Err(error) = read.map(drop).and(kept) {
                self.failure = Some(error);
                self.stream = None;
            } else if is_last {
                self.stream = None;
            }
        }
    }
}

impl ReadAt for SpooledStream {
    fn size(&self) -> io::Result<u64> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.stream {
            None => Ok(state.bytes.len()),
            Some(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.read_to(offset.saturating_add(buffer.len() as u64));
        if offset >= state.bytes.len() && !buffer.is_empty() {
            return match &state.failure {
                Some(error) => Err(TemporaryFile::repeat(error)),
                None => Ok(0),
            };
        }
        state.bytes.read_at(offset, buffer)
    }

    /// Reads what the bytes so far hold, because the size of the whole may be unknown.
    fn read_into(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.read_to(offset.saturating_add(length as u64));
        let there = usize::try_from(state.bytes.len().saturating_sub(offset)).unwrap_or(usize::MAX);
        drop(state);
        buffer.resize(length.min(there), 0);
        let read = self.read_full(offset, buffer);
        buffer.truncate(*read.as_ref().unwrap_or(&0));
        read.map(drop)
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
            let (mut so_far, half) = (vec![0; all.len()], all.len() / 2);
            assert_eq!(
                spool.read_full(half as u64, &mut so_far[half..]).unwrap(),
                all.len() - half
            );
            assert!(so_far[half..] == all[half..]);
        }
        let mut back = Vec::new();
        spool.finish().unwrap().read_into(0, all.len() + 1, &mut back).unwrap();
        assert!(back == all);
    }

    /// Returns the bytes, then an error, then the end.
    struct Torn(usize, bool);

    impl Read for Torn {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 && std::mem::take(&mut self.1) {
                return Err(io::Error::other("torn"));
            }
            let count = buffer.len().min(self.0).min(60_000);
            for byte in &mut buffer[..count] {
                *byte = (self.0 % 251) as u8;
                self.0 -= 1;
            }
            Ok(count)
        }
    }

    #[test]
    fn spooled_stream_any_order_equals_stream() {
        for length in [0, 10, IN_MEMORY - 1, IN_MEMORY + CHUNK, 5 * IN_MEMORY / 2] {
            for is_torn in [false, true] {
                let mut all = Vec::new();
                let _ = Torn(length, false).read_to_end(&mut all);
                let spooled = SpooledStream::new(Box::new(Torn(length, is_torn)));
                let mut place = 1usize;
                for _ in 0..50 {
                    place = place * 7919 % (length + 1);
                    let count = 1000.min(length - place);
                    let mut bytes = vec![0; count];
                    assert_eq!(spooled.read_full(place as u64, &mut bytes).unwrap(), count);
                    assert!(bytes == all[place..place + count], "{length} {place}");
                    spooled.read_into(place as u64, count, &mut bytes).unwrap();
                    assert!(bytes == all[place..place + count], "{length} {place}");
                }
                for _ in 0..2 {
                    let end = spooled.read_at(length as u64, &mut [0]);
                    assert_eq!(end.map_err(|error| error.to_string()).is_err(), is_torn);
                }
                assert_eq!(spooled.size().unwrap(), length as u64);
            }
        }
    }

    #[test]
    fn spooled_stream_first_bytes_leave_the_rest_unread() {
        let spooled = SpooledStream::new(Box::new(Torn(3 * IN_MEMORY, true)));
        assert_eq!(spooled.read_full(0, &mut [0; 100]).unwrap(), 100);
        assert!(spooled.size().is_err());
    }

    #[test]
    fn spool_beyond_limit_uses_a_file() {
        for count in [0usize, 3, 131_072, 300_001] {
            let mut spool = Spool::default();
            for number in 0..count {
                spool.push(&number.to_le_bytes()).unwrap();
            }
            let spooled = spool.finish().unwrap();
            assert_eq!(spooled.file.is_some(), count > 131_000);
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
