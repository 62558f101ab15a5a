//! Work shared out between threads where its order does not matter.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chess_store::erased::{Database, GameReader};

/// Games that a thread takes at a time: enough to read files in long stretches.
const CHUNK: u64 = 2048;

/// Numbers that threads take in stretches.
pub(crate) struct Stretches {
    next: AtomicU64,
    len: u64,
    step: u64,
}

impl Stretches {
    /// The next stretch, if there is one.
    pub(crate) fn take(&self) -> Option<Range<u64>> {
        let first = self.next.fetch_add(self.step, Ordering::Relaxed);
        (first < self.len).then(|| first..self.len.min(first.saturating_add(self.step)))
    }
}

/// Has threads do a work that takes the numbers below `len`, so many at a time; gives back what
/// each made. A panic in one of them goes on in the caller.
pub(crate) fn share<T: Send>(
    len: u64,
    step: u64,
    threads: usize,
    work: impl Fn(&Stretches) -> T + Sync,
) -> Vec<T> {
    let stretches = Stretches { next: AtomicU64::new(0), len, step: step.max(1) };
    let (work, stretches) = (&work, &stretches);
    let threads = u64::try_from(threads).unwrap_or(u64::MAX).min(len.div_ceil(stretches.step));
    thread::scope(|scope| {
        let running: Vec<_> = (1..threads).map(|_| scope.spawn(move || work(stretches))).collect();
        let mut made = vec![work(stretches)];
        // What is left without a thread that panicked would pass for the whole.
        for thread in running {
            made.push(thread.join().unwrap_or_else(|why| resume_unwind(why)));
        }
        made
    })
}

/// Hands the games of a database to `each`, a stretch of numbers at a time, with a reader and a heap
/// of the thread's own; gives back the heaps.
pub(crate) fn fold<A: Send>(
    database: &dyn Database,
    threads: usize,
    new: impl Fn() -> A + Sync,
    each: impl Fn(&mut A, &mut dyn GameReader, Range<u64>) + Sync,
) -> Vec<A> {
    share(database.len(), CHUNK, threads, |stretches| {
        let (mut heap, mut reader) = (new(), database.reader());
        while let Some(games) = stretches.take() {
            each(&mut heap, &mut *reader, games);
        }
        heap
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_taken_once() {
        let sum = |stretches: &Stretches| {
            let mut sum = 0;
            while let Some(numbers) = stretches.take() {
                sum += numbers.sum::<u64>();
            }
            sum
        };
        assert_eq!(share(1000, 7, 3, sum).into_iter().sum::<u64>(), 499_500);
    }

    #[test]
    #[should_panic(expected = "not on this thread")]
    fn a_panic_is_not_lost() {
        let here = thread::current().id();
        share(2, 1, 2, |_| assert!(thread::current().id() == here, "not on this thread"));
    }
}
