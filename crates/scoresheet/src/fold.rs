//! Games of a database shared out between threads where their order does not matter.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chess_store::seam::{Database, GameReader};

/// Games that a thread takes at a time: enough to read files in long stretches.
const CHUNK: u64 = 2048;

/// Hands the games of a database to `each`, a stretch of numbers at a time, with a reader and a heap
/// of the thread's own; gives back the heaps.
pub(crate) fn fold<A: Send>(
    database: &dyn Database,
    threads: usize,
    new: impl Fn() -> A,
    each: impl Fn(&mut A, &mut dyn GameReader, Range<u64>) + Sync,
) -> Vec<A> {
    let (next, len) = (AtomicU64::new(0), database.len());
    let work = |mut heap: A| {
        let mut reader = database.reader();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= len {
                return heap;
            }
            each(&mut heap, &mut *reader, first..len.min(first.saturating_add(CHUNK)));
        }
    };
    let work = &work;
    let threads = u64::try_from(threads).unwrap_or(u64::MAX).min(len.div_ceil(CHUNK));
    thread::scope(|scope| {
        let others = (1..threads).map(|_| new());
        let running: Vec<_> = others.map(|heap| scope.spawn(move || work(heap))).collect();
        let mut heaps = vec![work(new())];
        heaps.extend(running.into_iter().filter_map(|thread| thread.join().ok()));
        heaps
    })
}
