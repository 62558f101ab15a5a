//! Runs work on several threads where the order does not matter.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chess_store::erased::{Database, GameReader};

/// Games in a chunk. Large enough that files are read in long sequential runs.
const CHUNK: u64 = 2048;

/// Chunks of a range that threads take in turn.
pub(crate) struct Chunks {
    next: AtomicU64,
    end: u64,
    step: u64,
}

impl Chunks {
    pub(crate) fn new(range: Range<u64>, step: u64) -> Chunks {
        Chunks { next: AtomicU64::new(range.start), end: range.end, step: step.max(1) }
    }

    /// Returns the next chunk; `None` when all are taken.
    pub(crate) fn take(&self) -> Option<Range<u64>> {
        let first = self.next.fetch_add(self.step, Ordering::Relaxed);
        (first < self.end).then(|| first..self.end.min(first.saturating_add(self.step)))
    }
}

/// Runs `work` on several threads over `0..len` in chunks of `step`. Returns one result per thread.
/// Propagates a panic of a thread to the caller.
pub(crate) fn share<T: Send>(
    len: u64,
    step: u64,
    threads: usize,
    work: impl Fn(&Chunks) -> T + Sync,
) -> Vec<T> {
    let chunks = Chunks::new(0..len, step);
    let (work, chunks) = (&work, &chunks);
    let threads = u64::try_from(threads).unwrap_or(u64::MAX).min(len.div_ceil(chunks.step));
    thread::scope(|scope| {
        let running: Vec<_> = (1..threads).map(|_| scope.spawn(move || work(chunks))).collect();
        let mut results = vec![work(chunks)];
        // Propagate panics, or a partial result would look complete.
        for thread in running {
            results.push(thread.join().unwrap_or_else(|why| resume_unwind(why)));
        }
        results
    })
}

/// Hands the games of `database` to `each` in chunks, on several threads. Each thread has its own reader
/// and accumulator. Returns the accumulators.
pub fn par_chunks<A: Send>(
    database: &dyn Database,
    threads: usize,
    new: impl Fn() -> A + Sync,
    each: impl Fn(&mut A, &mut dyn GameReader, Range<u64>) + Sync,
) -> Vec<A> {
    share(database.len(), CHUNK, threads, |chunks| {
        let (mut accumulator, mut reader) = (new(), database.reader());
        while let Some(games) = chunks.take() {
            each(&mut accumulator, &mut *reader, games);
        }
        accumulator
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_over_several_threads_takes_each_number_once() {
        let sum = |chunks: &Chunks| {
            let mut sum = 0;
            while let Some(numbers) = chunks.take() {
                sum += numbers.sum::<u64>();
            }
            sum
        };
        assert_eq!(share(1000, 7, 3, sum).into_iter().sum::<u64>(), 499_500);
    }

    #[test]
    #[should_panic(expected = "not on this thread")]
    fn share_with_panic_on_worker_panics_in_caller() {
        let here = thread::current().id();
        share(2, 1, 2, |_| assert!(thread::current().id() == here, "not on this thread"));
    }
}
