//! Selects the games of a database on several threads.

use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use chess_store::erased::{Database, GameReader};

use query::{Filter, Prefilter, Unanswered};

use crate::par_chunks::Chunks;
use crate::pipeline::available_threads;

/// Games that one thread selects at a time. Large enough that the index is read in long runs.
const RANGE: u64 = 2048;
/// The largest number of ranges in a round, for each thread.
const MAX_RANGES: u64 = 16;

/// Selects the games of a database on several threads, and delivers their numbers in rising order.
///
/// The threads take the ranges of one *round* in turn. A round is delivered on the calling thread
/// before the next one begins. The first round is small, because a caller may want few games only.
/// Memory: the numbers of the games of one round.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use scoresheet::filter::Text;
/// use scoresheet::{Filter, Selector};
///
/// let base = scoresheet::open("../../fixtures/scid/plain/base.si4")?;
/// let mut filter = Filter::default();
/// filter.player = vec![Text::name("alder")?];
/// let mut numbers = Vec::new();
/// if let Some(database) = base.database() {
///     Selector::new(&filter).run(database, |selected| {
///         numbers.extend_from_slice(selected.numbers);
///         ControlFlow::<()>::Continue(())
///     })?;
/// }
/// assert_eq!(numbers, [0, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Selector<'f> {
    filter: &'f Filter,
    threads: usize,
}

/// The games of a range that a filter selects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Selected<'a> {
    /// The range.
    pub games: Range<u64>,
    /// The numbers of the selected games, in rising order.
    pub numbers: &'a [u64],
    /// The numbers of the games whose damage the search met (see [`Prefilter::damaged`]).
    pub damaged: &'a [u64],
}

impl<'f> Selector<'f> {
    /// Creates a selector that uses all cores.
    #[must_use]
    pub fn new(filter: &'f Filter) -> Selector<'f> {
        Selector { filter, threads: available_threads() }
    }

    /// Uses `threads` threads. The result does not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Selector<'f> {
        Selector { threads, ..self }
    }

    /// Passes the selected games of `database` to `each`, range by range in rising order, until `each`
    /// breaks.
    ///
    /// # Errors
    /// A game could not be tested. The ranges before it have been passed on.
    pub fn run<B>(
        self,
        database: &dyn Database,
        mut each: impl FnMut(Selected<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Unanswered> {
        let len = database.len();
        let threads = u64::try_from(self.threads.max(1)).unwrap_or(1).min(len.div_ceil(RANGE));
        let known = Arc::default();
        let prefilter = || Prefilter::sharing(self.filter, Arc::clone(&known));
        let worker = |_| Worker::new(database.reader(), prefilter());
        let mut workers: Vec<_> = (0..threads).map(worker).collect();
        let (mut first, mut ranges) = (0u64, threads);
        while first < len {
            let end = len.min(first.saturating_add(RANGE.saturating_mul(ranges)));
            select_round(&mut workers, &Chunks::new(first..end, RANGE));
            self.filter.answer()?;
            let mut selected: Vec<_> = workers.iter().flat_map(Worker::selected).collect();
            selected.sort_unstable_by_key(|selected| selected.games.start);
            let passed = selected.into_iter().try_for_each(&mut each);
            if passed.is_break() {
                return Ok(passed);
            }
            first = end;
            ranges = ranges.saturating_mul(2).min(MAX_RANGES.saturating_mul(threads));
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Selects the games of `chunks`, on the calling thread and one for each other worker. Propagates a
/// panic, or a partial result would look complete.
fn select_round(workers: &mut [Worker<'_, '_>], chunks: &Chunks) {
    let Some((own, others)) = workers.split_first_mut() else { return };
    thread::scope(|scope| {
        let select = |worker| scope.spawn(|| Worker::select(worker, chunks));
        let running: Vec<_> = others.iter_mut().map(select).collect();
        own.select(chunks);
        for thread in running {
            thread.join().unwrap_or_else(|why| resume_unwind(why));
        }
    });
}

/// The state of one thread, and what it selected in this round.
struct Worker<'d, 'f> {
    reader: Box<dyn GameReader + Send + 'd>,
    prefilter: Prefilter<'f>,
    ranges: Vec<Part>,
    /// The numbers of all ranges.
    numbers: Vec<u64>,
    damaged: Vec<u64>,
}

/// A range of games, and its part of the numbers of a [`Worker`].
struct Part {
    games: Range<u64>,
    numbers: Range<usize>,
    damaged: Range<usize>,
}

impl<'d, 'f> Worker<'d, 'f> {
    fn new(reader: Box<dyn GameReader + Send + 'd>, prefilter: Prefilter<'f>) -> Worker<'d, 'f> {
        let (ranges, numbers, damaged) = (Vec::new(), Vec::new(), Vec::new());
        Worker { reader, prefilter, ranges, numbers, damaged }
    }

    /// Selects the games of the chunks that no other thread takes.
    fn select(&mut self, chunks: &Chunks) {
        self.ranges.clear();
        self.numbers.clear();
        self.damaged.clear();
        while let Some(games) = chunks.take() {
            // The filter keeps the error for the calling thread.
            let Ok(numbers) = self.prefilter.select(&mut *self.reader, games.clone()) else {
                return;
            };
            let numbers = append(&mut self.numbers, numbers);
            let damaged = append(&mut self.damaged, self.prefilter.damaged());
            self.ranges.push(Part { games, numbers, damaged });
        }
    }

    fn selected(&self) -> impl Iterator<Item = Selected<'_>> {
        self.ranges.iter().map(|Part { games, numbers, damaged }| Selected {
            games: games.clone(),
            numbers: self.numbers.get(numbers.clone()).unwrap_or_default(),
            damaged: self.damaged.get(damaged.clone()).unwrap_or_default(),
        })
    }
}

/// Appends `more`, and returns where it is.
fn append(to: &mut Vec<u64>, more: &[u64]) -> Range<usize> {
    let start = to.len();
    to.extend_from_slice(more);
    start..to.len()
}
