//! Read-ahead: decompresses a stream on a thread of its own.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use chess_store::io::compressed::Lasting;

/// Bytes of a chunk.
const CHUNK: usize = 256 << 10;
/// Chunks in the queue. More would be out of the processor's cache when the reader comes to them.
const QUEUE: usize = 2;

/// Returns the number of cores that the decoder and its reader share.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Reads `input` ahead on its own thread if there are at least two `cores`, else on demand. An
/// error follows all bytes before it, and repeats.
pub(super) fn ahead(input: Box<dyn Read + Send>, cores: usize) -> Box<dyn Read + Send> {
    if cores < 2 {
        return Box::new(Lasting::new(input));
    }
    let (lend, borrowed) = channel::<Box<dyn Read + Send>>();
    let (full, chunks) = sync_channel(QUEUE);
    let (give_back, spare) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&waiting);
    let work = move || {
        if let Ok(input) = borrowed.recv() {
            (Unpacking { input, full, spare, waiting: count }).run();
        }
    };
    // The platform has no threads.
    if thread::Builder::new().name("unpack".to_owned()).spawn(work).is_err() {
        return Box::new(Lasting::new(input));
    }
    match lend.send(input) {
        Ok(()) => {
            let (chunk, used, ended) = (Vec::new(), 0, false);
            Box::new(Lasting::new(Ahead { chunks, give_back, waiting, chunk, used, ended }))
        }
        Err(unsent) => Box::new(Lasting::new(unsent.0)),
    }
}

/// State of the decoding thread.
struct Unpacking {
    input: Box<dyn Read + Send>,
    full: SyncSender<io::Result<Vec<u8>>>,
    spare: Receiver<Vec<u8>>,
    /// Chunks that the reader has not taken.
    waiting: Arc<AtomicUsize>,
}

impl Unpacking {
    /// Sends chunks until the input ends (an empty chunk), fails (after the bytes before the
    /// error), or the reader is gone.
    fn run(mut self) {
        loop {
            let mut chunk = self.spare.try_recv().unwrap_or_default();
            chunk.resize(CHUNK, 0);
            let (length, failure) = self.fill(&mut chunk);
            chunk.truncate(length);
            let is_last = length == 0 || failure.is_some();
            if (length > 0 || failure.is_none()) && !self.send(Ok(chunk)) {
                return;
            }
            if let Some(error) = failure {
                self.send(Err(error));
            }
            if is_last {
                return;
            }
        }
    }

    /// Sends a chunk. Returns `false` if the reader is gone.
    fn send(&self, chunk: io::Result<Vec<u8>>) -> bool {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.full.send(chunk).is_ok()
    }

    /// Fills a chunk, or part of it if the reader is waiting. Returns the number of bytes, and the
    /// error that follows them.
    fn fill(&mut self, chunk: &mut [u8]) -> (usize, Option<io::Error>) {
        let mut length = 0usize;
        while let Some(rest) = chunk.get_mut(length..).filter(|rest| !rest.is_empty()) {
            match self.input.read(rest) {
                Ok(0) => break,
                Ok(count) => length = length.saturating_add(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return (length, Some(error)),
            }
            if self.waiting.load(Ordering::Relaxed) == 0 {
                break;
            }
        }
        (length, None)
    }
}

/// The reading end.
struct Ahead {
    chunks: Receiver<io::Result<Vec<u8>>>,
    give_back: Sender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    chunk: Vec<u8>,
    used: usize,
    ended: bool,
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used >= self.chunk.len() && !self.ended && !buffer.is_empty() {
            let _ = self.give_back.send(std::mem::take(&mut self.chunk));
            self.used = 0;
            let next = self.chunks.recv();
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            // The thread announces its end. If the channel closes without it, the decoder has
            // panicked.
            let next = next.unwrap_or_else(|_| Err(io::Error::other("unpacking broke off")));
            self.ended = next.as_ref().map_or(true, Vec::is_empty);
            self.chunk = next?;
        }
        let rest = self.chunk.get(self.used..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.used = self.used.saturating_add(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes per call, then one error, then the end, as library decoders do.
    struct Slow {
        left: usize,
        error: bool,
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.left == 0 && std::mem::take(&mut self.error) {
                return Err(io::Error::other("torn"));
            }
            let count = buffer.len().min(self.left).min(777);
            for byte in &mut buffer[..count] {
                *byte = (self.left % 251) as u8;
                self.left -= 1;
            }
            Ok(count)
        }
    }

    #[test]
    fn read_ahead_failing_input_fails_after_all_bytes_and_again() {
        for cores in [1, 2] {
            for (length, error) in
                [(0, false), (0, true), (5, true), (3 * CHUNK * QUEUE + 1, false), (CHUNK, true)]
            {
                let (mut plain, mut read) = (Vec::new(), Vec::new());
                let _ = Slow { left: length, error }.read_to_end(&mut plain);
                let mut input = ahead(Box::new(Slow { left: length, error }), cores);
                let end = input.read_to_end(&mut read);
                assert!(read == plain, "{length}");
                assert_eq!(end.is_err(), error, "{length}");
                assert_eq!(input.read(&mut [0]).is_err(), error, "{length}");
            }
        }
    }

    /// Timing decides whether the error arrives with an empty chunk.
    #[test]
    fn read_ahead_failing_input_fails_at_any_speed() {
        for round in 0..200 {
            let mut input = ahead(Box::new(Slow { left: 3000 + round, error: true }), 2);
            if round % 2 == 0 {
                thread::sleep(std::time::Duration::from_micros(round as u64));
            }
            assert!(input.read_to_end(&mut Vec::new()).is_err(), "{round}");
        }
    }

    /// Neither side waits for the other after the reader is dropped.
    #[test]
    fn read_ahead_dropped_early_ends_thread() {
        let mut input = ahead(Box::new(Slow { left: usize::MAX, error: false }), 2);
        assert_eq!(input.read(&mut [0; 10]).unwrap(), 10);
    }

    #[test]
    fn read_ahead_panic_on_thread_is_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("a decoder's mistake")
            }
        }
        assert!(ahead(Box::new(Broken), 2).read(&mut [0; 10]).is_err());
    }
}
