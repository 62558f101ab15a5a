//! An ordered parallel pipeline: reads, filters and transforms games on all cores, and delivers the
//! results on the calling thread in input order.
//!
//! ```text
//!               chunks                                batches
//! WorkSource ----+--> worker 0: read, filter, apply --+
//!  (in order)    |                                    |
//!                +--> worker 1: read, filter, apply --+--> deliver (in input order) --> each
//!                |                                    |
//!                +--> the caller, while it waits -----+
//!
//! order:  [worker 0] [worker 1] [caller] [worker 0] ...   who processes each chunk in flight
//! ```
//!
//! A *chunk* is a range of game numbers (of a database) or a block (of a stream). The calling thread
//! does four things in a loop:
//!
//! 1. It sends chunks to the worker with the shortest queue, until every queue holds `QUEUE` chunks.
//!    It notes in `order` which worker has each chunk.
//! 2. It takes the first entry of `order` and waits for that worker's batch.
//! 3. While it waits, it processes chunks itself. So there is one thread per core, and the results
//!    that the caller made are hot in its cache. `Scan::apart` turns this off.
//! 4. It delivers the batch to `each`.
//!
//! Example, with two workers and chunks `a` to `e`: `a` and `c` go to worker 0, `b` and `d` to worker 1.
//! If `a` is not ready, the caller processes `e` and buffers the result. `each` still sees `a` to `e`.
//!
//! The calling thread keeps delivered batches for reuse. The next worker empties their games, because the
//! calling thread does as little as possible: what it does is done in order.
//!
//! A chunk whose games exceed `BATCH_BYTES` is split into several batches; `Batch::more` is set on all
//! but the last. Memory is bounded three ways: by `QUEUE` chunks a worker, by the bytes of stream blocks
//! in flight, and by a byte semaphore for the batches of each worker.
//!
//! The numbers of the games in a block are not known before delivery either. If a filter asks for numbers that
//! the block cannot be expected to have, its games are parsed and wait (`BatchGame::waits`). The calling thread
//! transforms those that have a chosen number. The run ends after the last number that the filter can select.
//!
//! Locations in a block of a stream count from the start of the block, because other threads may still
//! be counting the games and lines before it. Their type is [`InBlock`] until `Batch::place` converts them
//! on delivery.

mod handle;
mod pool;
mod source;
mod worker;

use std::sync::Arc;
use std::thread;

use chess_core::Game;
use chess_store::erased::{GameReader, Parser};
use chess_store::{
    AnyError, Block, BlockStart, Diagnostics, InBlock, Locate, Location, Trim as _, Warning,
    WarningCounts,
};
use query::Filter;

use crate::base::{Base, Progress};
use crate::raw_games::RawGames;
use handle::WorkerHandle;
use pool::Pool;
use source::WorkSource;
use worker::Worker;

/// Bytes of games after which a batch is full.
const BATCH_BYTES: usize = 1 << 20;
/// Bytes that each game adds to its batch besides its own size. Without them a batch of tiny games
/// would take many times its size in memory.
const GAME_BYTES: usize = 512;
/// Chunks in the queue of one worker.
const QUEUE: usize = 4;

/// Turns each selected game into an output, on the thread that read the game.
pub(crate) trait Transform: Send {
    type Output: TransformOutput;

    /// Transforms `game` into `output`. `read_by` is the reader that produced `game`; `None` if the
    /// game is damaged.
    fn apply(&mut self, game: &mut Game, read_by: Option<ReadBy<'_>>, output: &mut Self::Output);

    /// Transforms the source text of a selected game (see [`RawGames`]). Returns `false` if it cannot.
    fn apply_to_text(&mut self, text: &[u8], output: &mut Self::Output) -> bool {
        let _ = (text, output);
        false
    }

    /// Returns whether [`apply`](Transform::apply) takes long and does without the reader. A game of a stream
    /// then waits for its number if the filter may reject that.
    fn can_wait(&self) -> bool {
        false
    }
}

/// The reader that produced a game.
pub(crate) enum ReadBy<'a> {
    /// The reader of a database, and the number of the game.
    Database(&'a mut (dyn GameReader + Send), u64),
    /// The parser of a stream, the block, and how many of its bytes come before the game.
    Stream(&'a mut (dyn Parser + Send), &'a Block, usize),
}

/// The output of a [`Transform`]. It is reused for other games.
pub(crate) trait TransformOutput: Default + Send {
    /// Empties the output and releases unusually large buffers. Otherwise hundreds of outputs would
    /// grow to the size of the largest game.
    fn clear(&mut self);
}

/// How the games of a base are read and selected.
pub(crate) struct Scan<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) strict: bool,
    pub(crate) drop_damaged: bool,
    /// Games of the stream that can be copied as text, if the transform accepts text.
    pub(crate) raw_games: Option<&'a RawGames>,
    /// If set, games that the prefilter of a database rejects are counted in [`Batch::skipped`] and not
    /// delivered.
    pub(crate) skips: bool,
    /// If set, the calling thread only delivers, and each transform has a thread of its own.
    pub(crate) apart: bool,
    /// If set, the games may lack their moves, and the damage and deviations in the moves.
    pub(crate) skips_moves: bool,
}

impl<'a> Scan<'a> {
    /// A lenient scan that keeps damaged games.
    pub(crate) fn new(filter: &'a Filter) -> Scan<'a> {
        let (strict, drop_damaged, skips, apart) = (false, false, false, false);
        Scan { filter, strict, drop_damaged, raw_games: None, skips, apart, skips_moves: false }
    }

    /// Like [`new`](Scan::new), without the games that the prefilter rejects.
    pub(crate) fn of_candidates(filter: &'a Filter) -> Scan<'a> {
        Scan { skips: true, ..Scan::new(filter) }
    }
}

/// Consecutive games, read, filtered and transformed.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "games move between `games` and `spare`: one pointer each")]
pub(crate) struct Batch<O> {
    pub(crate) games: Vec<Box<BatchGame<O>>>,
    /// Games of the chunk that the prefilter rejected and that are not in `games`.
    pub(crate) skipped: u64,
    /// The error at which the base ended, after these games.
    pub(crate) failure: Option<AnyError>,
    /// The failure before delivery.
    failure_in_block: Option<InBlock<AnyError>>,
    chunk: Chunk,
    /// Whether another batch of the same chunk follows.
    more: bool,
    /// Size of the games that were read, in bytes.
    bytes: usize,
    spare: Vec<Box<BatchGame<O>>>,
}

/// One game of a [`Batch`].
#[derive(Default)]
pub(crate) struct BatchGame<O> {
    /// The number in the block of a stream, or in a database. Becomes `number` on delivery.
    number_in_block: InBlock<u64>,
    /// The findings, with places in the block. Moved to `findings` on delivery.
    findings_in_block: InBlock<Findings>,
    /// Zero-based number in the base.
    pub(crate) number: u64,
    /// The findings, with places in the base. Empty before delivery.
    pub(crate) findings: Findings,
    /// The offset of the game's first byte in the text of a stream. Blocks count bytes from the
    /// beginning of their stream.
    pub(crate) offset: Option<u64>,
    /// False if the prefilter rejected the game without reading it.
    pub(crate) read: bool,
    pub(crate) selected: bool,
    /// Whether `waiting` holds the game, which is selected if its number is.
    waits: bool,
    /// A buffer for a game that waits for its number.
    waiting: Option<Box<Game>>,
    pub(crate) output: O,
}

/// The warnings and the damage of a game. Most games have none, so this is one pointer.
#[derive(Default)]
pub(crate) struct Findings(Option<Box<Found>>);

#[derive(Default)]
struct Found {
    warnings: Vec<Warning>,
    unlisted: WarningCounts,
    damage: Option<AnyError>,
}

/// The unlisted warnings of a game without findings.
static NONE_UNLISTED: WarningCounts = WarningCounts::new();

impl Findings {
    /// Takes what was noted while a game was read.
    fn new(noted: &Diagnostics, damage: Option<AnyError>) -> Findings {
        let warnings = noted.warnings();
        // The list fills before anything is only counted.
        if warnings.is_empty() && damage.is_none() {
            return Findings(None);
        }
        let (warnings, unlisted) = (warnings.to_vec(), noted.unlisted().clone());
        Findings(Some(Box::new(Found { warnings, unlisted, damage })))
    }

    pub(crate) fn warnings(&self) -> &[Warning] {
        self.0.as_ref().map_or(&[], |found| &found.warnings)
    }

    /// Returns the warnings beyond [`Diagnostics::KEPT`].
    pub(crate) fn unlisted(&self) -> &WarningCounts {
        self.0.as_ref().map_or(&NONE_UNLISTED, |found| &found.unlisted)
    }

    /// Returns the names of the warnings, each once, with commas.
    pub(crate) fn names(&self) -> String {
        let mut names: Vec<&str> = self.warnings().iter().map(|warning| warning.name).collect();
        names.extend(self.unlisted().iter().map(|(name, ..)| name));
        names.sort_unstable();
        names.dedup();
        names.join(",")
    }

    pub(crate) fn damage(&self) -> Option<&AnyError> {
        self.0.as_ref()?.damage.as_ref()
    }

    pub(crate) fn take_damage(&mut self) -> Option<AnyError> {
        self.0.as_mut()?.damage.take()
    }
}

impl Locate for Findings {
    fn relocate(mut self, change: &dyn Fn(Location) -> Location) -> Findings {
        if let Some(found) = &mut self.0 {
            found.warnings.iter_mut().for_each(|warning| *warning = warning.relocate(change));
            found.damage = found.damage.take().map(|error| error.relocate(change));
        }
        self
    }
}

impl<O> BatchGame<O> {
    /// Converts the number and the findings to those in the stream.
    #[inline]
    fn place(&mut self, start: BlockStart) {
        self.number = self.number_in_block.number_in_stream(start);
        if self.findings_in_block.relative().0.is_some() {
            self.findings = std::mem::take(&mut self.findings_in_block).in_stream(start);
        }
    }
}

/// The unread games of a chunk.
#[derive(Default)]
struct Chunk {
    /// Next game of a database.
    next: u64,
    /// End of the range of a database, exclusive.
    end: u64,
    /// The block of a stream.
    block: Block,
    /// Whether the filter has the number of the last game delivered before this block was handed out, and so
    /// probably the numbers of this block.
    is_likely: bool,
}

impl<O: TransformOutput> Batch<O> {
    fn new_game(&mut self, number: InBlock<u64>) -> Box<BatchGame<O>> {
        self.bytes = self.bytes.saturating_add(GAME_BYTES);
        let mut game = self.spare.pop().unwrap_or_default();
        game.number_in_block = number;
        game
    }

    /// Empties the batch and keeps buffers of usual size.
    fn clear(&mut self) {
        self.clear_games();
        self.clear_chunk();
    }

    /// Clears everything but the games. The calling thread leaves those to the next worker, unless
    /// they take unusually much memory.
    fn retire(&mut self) {
        if self.bytes > BATCH_BYTES {
            self.clear_games();
        }
        self.clear_chunk();
    }

    /// Moves the games to `spare`, for reuse.
    fn clear_games(&mut self) {
        for mut game in self.games.drain(..) {
            if std::mem::take(&mut game.read) {
                game.output.clear();
            }
            game.selected = false;
            if std::mem::take(&mut game.waits)
                && let Some(waiting) = &mut game.waiting
            {
                waiting.trim(BATCH_BYTES);
            }
            (game.findings, game.findings_in_block) = Default::default();
            game.offset = None;
            self.spare.push(game);
        }
    }

    fn clear_chunk(&mut self) {
        (self.failure, self.failure_in_block) = (None, None);
        self.more = false;
        self.skipped = 0;
        self.bytes = 0;
        self.chunk.block.bytes.trim(BATCH_BYTES);
    }

    /// Converts game numbers and locations in the block to those in the stream. `start` is the
    /// start of the block; the default for a database, whose readers number games themselves.
    fn place(&mut self, start: BlockStart) {
        self.games.iter_mut().for_each(|game| game.place(start));
        if let Some(failure) = self.failure_in_block.take() {
            self.failure = Some(failure.in_stream(start));
        }
    }

    /// Applies the filter's game numbers, for a stream, whose parsers cannot. Transforms the selected games
    /// that wait.
    fn select_numbers<T: Transform<Output = O>>(&mut self, filter: &Filter, late: Option<&mut T>) {
        let mut late = late;
        for game in &mut self.games {
            if !filter.has_number(game.number) {
                game.selected = false;
                game.findings = Findings::default();
            } else if let (true, Some(waiting), Some(late)) =
                (game.waits, &mut game.waiting, &mut late)
            {
                late.apply(waiting, None, &mut game.output);
            }
        }
    }

    /// Leaves out the games from number `end` on. Returns whether no game before `end` can follow.
    fn end_before(&mut self, end: u64) -> bool {
        self.games.truncate(self.games.partition_point(|game| game.number < end));
        let ended = self.games.last().is_some_and(|game| game.number.saturating_add(1) >= end);
        if ended {
            self.failure = None;
        }
        ended
    }
}

/// Returns the number of available cores.
pub(crate) fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Reads the games of `base`, or the rest of a stream, and delivers them to `each` in input order.
///
/// Stops if `each` returns `false` or an error. Each of `transforms` runs on a thread of its own. The
/// calling thread is one of them, unless `scan.apart` is set.
pub(crate) fn run<'a, T: Transform, E>(
    base: &'a mut Base,
    scan: &'a Scan<'a>,
    transforms: Vec<T>,
    mut each: impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    let source = WorkSource::new(base, scan, transforms.len());
    let known = Arc::default();
    let mut workers: Vec<_> = transforms
        .into_iter()
        .map(|transform| Worker::new(source.reader(), scan, &known, transform))
        .collect();
    let caller = if scan.apart { None } else { workers.pop() };
    match caller {
        Some(caller) if workers.is_empty() => run_here(source, caller, &mut each),
        caller => thread::scope(|scope| {
            let handles =
                workers.into_iter().map(|worker| WorkerHandle::spawn(scope, worker)).collect();
            Pool::new(source, caller, handles).run(&mut each)
        }),
    }
}

/// Runs the pipeline on the calling thread alone.
fn run_here<T: Transform, E>(
    mut source: WorkSource<'_>,
    mut worker: Worker<'_, T>,
    each: &mut impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    let mut batch = Batch::default();
    loop {
        match source.next(&mut batch.chunk) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return source.deliver_failure(error, each),
        }
        worker.fill(&mut batch);
        if !worker.finish(&mut batch, &mut source, each)? {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    chess_store::quirks! {
        /// For the tests.
        #[allow(unreachable_pub, reason = "a format's own is public")]
        Odd = "test-odd", "something odd";
    }

    #[derive(Default)]
    struct Nothing;

    impl TransformOutput for Nothing {
        fn clear(&mut self) {}
    }

    /// Ten bytes of PGN can be a game, and a game in a batch takes hundreds.
    #[test]
    fn batch_of_tiny_games_holds_few() {
        let mut batch = Batch::<Nothing>::default();
        let games = (0..100_000u64).take_while(|number| {
            let game = batch.new_game(InBlock::new(*number));
            batch.games.push(game);
            batch.bytes <= BATCH_BYTES
        });
        let count = games.count();
        assert!((1_000..4_000).contains(&count), "{count}");
        batch.clear();
        assert_eq!(batch.bytes, 0);
    }

    #[test]
    fn batch_retired_keeps_its_games_only_if_it_is_of_usual_size() {
        for (bytes, kept) in [(0, 3), (BATCH_BYTES + 1, 0)] {
            let mut batch = Batch::<Nothing>::default();
            for number in 0..3 {
                let game = batch.new_game(InBlock::new(number));
                batch.games.push(game);
            }
            batch.bytes += bytes;
            batch.retire();
            assert_eq!((batch.games.len(), batch.spare.len(), batch.bytes), (kept, 3 - kept, 0));
            batch.clear_games();
            assert_eq!((batch.games.len(), batch.spare.len()), (0, 3));
        }
    }

    #[test]
    fn game_placed_has_number_and_findings_in_stream() {
        let at = Location::file("pgn").on_line(2, 1).in_game(1);
        let warning = Warning::new(Quirk::Odd, at);
        let found = Found { warnings: vec![warning], ..Found::default() };
        let mut game = BatchGame::<Nothing> {
            number_in_block: InBlock::new(1),
            findings_in_block: InBlock::new(Findings(Some(Box::new(found)))),
            ..BatchGame::default()
        };
        let after = chess_store::Place { offset: 90, line: 30, column: 5 };
        game.place(BlockStart { games: 10, after });
        assert_eq!(game.number, 11);
        let mut expected = warning;
        expected.at = Location::file("pgn").on_line(32, 1).in_game(11);
        assert_eq!(game.findings.warnings(), [expected]);
        assert!(
            game.findings.unlisted().iter().next().is_none() && game.findings.damage().is_none()
        );
        assert!(BatchGame::<Nothing>::default().findings.warnings().is_empty());
    }
}
