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
//! A chunk whose games exceed `BATCH_BYTES` is split into several batches; `Batch::more` is set on all
//! but the last. Memory is bounded three ways: by `QUEUE` chunks a worker, by the bytes of stream blocks
//! in flight, and by a byte semaphore for the batches of each worker.
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
    AnyError, Block, BlockStart, InBlock, Locate, Location, Trim as _, Warning, WarningCounts,
};

use crate::base::{Base, Progress};
use crate::filter::Filter;
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
/// Capacity for warnings that a reused [`BatchGame`] keeps.
const USUAL_WARNINGS: usize = 16;

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
}

/// The reader that produced a game.
pub(crate) enum ReadBy<'a> {
    /// The reader of a database, and the number of the game.
    Database(&'a mut (dyn GameReader + Send), u64),
    /// The parser of a stream, the block, and how many of its bytes come before the game.
    Stream(&'a (dyn Parser + Send), &'a Block, usize),
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
}

impl<'a> Scan<'a> {
    /// A lenient scan that keeps damaged games.
    pub(crate) fn new(filter: &'a Filter) -> Scan<'a> {
        let (strict, drop_damaged, skips, apart) = (false, false, false, false);
        Scan { filter, strict, drop_damaged, raw_games: None, skips, apart }
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
    /// The result of parsing, with places in the block. Moved to `found` on delivery.
    in_block: InBlock<Found>,
    /// The same result, with places in the base. Empty before delivery.
    pub(crate) found: Found,
    /// False if the prefilter rejected the game without reading it.
    pub(crate) read: bool,
    pub(crate) selected: bool,
    pub(crate) output: O,
}

/// The result of reading one game.
#[derive(Default)]
pub(crate) struct Found {
    /// Zero-based number in the base.
    pub(crate) number: u64,
    pub(crate) warnings: Vec<Warning>,
    /// Warnings beyond [`Diagnostics::KEPT`].
    pub(crate) unlisted: WarningCounts,
    pub(crate) damage: Option<AnyError>,
    /// The offset of the game's first byte in the text of a stream.
    pub(crate) offset: Option<u64>,
}

impl Locate for Found {
    fn relocate(mut self, change: &dyn Fn(Location) -> Location) -> Found {
        let game = change(Location::default().in_game(self.number)).game;
        self.warnings.iter_mut().for_each(|warning| *warning = warning.relocate(change));
        Found {
            number: game.unwrap_or(self.number),
            warnings: self.warnings,
            unlisted: self.unlisted,
            damage: self.damage.map(|error| error.relocate(change)),
            // Blocks count bytes from the beginning of their stream.
            offset: self.offset,
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
}

impl<O: TransformOutput> Batch<O> {
    fn new_game(&mut self, number: u64) -> Box<BatchGame<O>> {
        self.bytes = self.bytes.saturating_add(GAME_BYTES);
        let mut game = self.spare.pop().unwrap_or_default();
        game.in_block.relative_mut().number = number;
        game
    }

    /// Empties the batch and keeps buffers of usual size.
    fn clear(&mut self) {
        for mut game in self.games.drain(..) {
            let mut found = std::mem::take(&mut game.found);
            if std::mem::take(&mut game.read) {
                found.warnings.clear();
                found.unlisted.clear();
                found.warnings.shrink_to(USUAL_WARNINGS);
                game.output.clear();
            }
            game.selected = false;
            found.damage = None;
            game.in_block = InBlock::new(found);
            self.spare.push(game);
        }
        (self.failure, self.failure_in_block) = (None, None);
        self.more = false;
        self.skipped = 0;
        self.bytes = 0;
        self.chunk.block.bytes.trim(BATCH_BYTES);
    }

    /// Converts game numbers and locations in the block to those in the stream. `start` is the
    /// start of the block; the default for a database, whose readers number games themselves.
    fn place(&mut self, start: BlockStart) {
        for game in &mut self.games {
            game.found = std::mem::take(&mut game.in_block).in_stream(start);
        }
        if let Some(failure) = self.failure_in_block.take() {
            self.failure = Some(failure.in_stream(start));
        }
    }

    /// Applies the filter's game numbers, for a stream, whose parsers cannot.
    fn select_numbers(&mut self, filter: &Filter) {
        for game in &mut self.games {
            game.selected &= filter.has_number(game.found.number);
        }
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
pub(crate) fn run<T: Transform, E>(
    base: &mut Base,
    scan: &Scan<'_>,
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
            Pool::new(source, scan.filter, caller, handles).run(&mut each)
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
            let game = batch.new_game(*number);
            batch.games.push(game);
            batch.bytes <= BATCH_BYTES
        });
        let count = games.count();
        assert!((1_000..4_000).contains(&count), "{count}");
        batch.clear();
        assert_eq!(batch.bytes, 0);
    }
}
