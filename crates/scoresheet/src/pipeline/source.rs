//! The chunks of a base, and the delivery of their batches.

use chess_store::erased::Database;
use chess_store::{AnyError, BlockStart};
use query::{Filter, SUMMARY_CHUNK};

use super::worker::Games;
use super::{Batch, Chunk, Scan, Transform, TransformOutput};
use crate::base::{Base, Kind, Progress, Stream, Unit};

/// Games in a chunk of a database. Large enough to make the hand-over cheap, small enough that the
/// results stay in the processor's cache.
const CHUNK_GAMES: u64 = 128;
/// The most games in a chunk if rejected games are skipped: most chunks then have few results. The
/// headers of a chunk are still in the buffer when its games are read.
const MAX_CHUNK_GAMES: u64 = SUMMARY_CHUNK;
/// The least number of chunks for each thread, so that all threads end at about the same time.
const CHUNKS: u64 = 16;

/// Hands out the chunks of a base in order, and converts locations in a block to locations in the
/// stream when their batches are delivered.
pub(super) struct WorkSource<'a> {
    games: Kind<&'a dyn Database, &'a mut Stream>,
    filter: &'a Filter,
    /// The number after the last game to deliver of a stream.
    end: u64,
    /// Next game of the database to hand out.
    next: u64,
    /// Games in a chunk of the database.
    chunk_games: u64,
    /// The counts of everything delivered so far.
    done: BlockStart,
    /// Length of the stream in bytes, if known.
    size: Option<u64>,
}

impl<'a> WorkSource<'a> {
    pub(super) fn new(base: &'a mut Base, scan: &Scan<'a>, threads: usize) -> WorkSource<'a> {
        let size = base.size();
        let games = base.kind();
        // The prefilter of a database passes over other games without reading them.
        let end = match &games {
            Kind::Database(_) => u64::MAX,
            Kind::Stream(_) => scan.filter.end_number(),
        };
        let done = match &games {
            Kind::Database(_) => BlockStart::default(),
            Kind::Stream(stream) => BlockStart { games: stream.games(), after: stream.place() },
        };
        let chunk_games = match &games {
            Kind::Database(database) if scan.skips && !scan.filter.is_open() => {
                let chunks = CHUNKS.saturating_mul(u64::try_from(threads.max(1)).unwrap_or(1));
                let games = database.len().checked_div(chunks).unwrap_or(0);
                games.clamp(CHUNK_GAMES, MAX_CHUNK_GAMES)
            }
            _ => CHUNK_GAMES,
        };
        WorkSource { games, filter: scan.filter, end, next: 0, chunk_games, done, size }
    }

    /// Fills `chunk` with the next games. Returns `false` at the end of the base.
    pub(super) fn next(&mut self, chunk: &mut Chunk) -> Result<bool, AnyError> {
        match &mut self.games {
            Kind::Database(database) => {
                chunk.next = self.next;
                chunk.end = database.len().min(self.next.saturating_add(self.chunk_games));
                self.next = chunk.end;
                Ok(chunk.next < chunk.end)
            }
            Kind::Stream(stream) => {
                chunk.is_likely = self.filter.has_number(self.done.games.saturating_sub(1));
                // The games and lines before the block are not counted yet.
                stream.take_block(&mut chunk.block)
            }
        }
    }

    /// Creates a reader for one thread.
    pub(super) fn reader(&self) -> Games<'a> {
        match &self.games {
            Kind::Database(database) => Kind::Database(database.reader()),
            Kind::Stream(stream) => Kind::Stream(stream.parser()),
        }
    }

    /// Hands `batch` to `each`, with the progress at its end. `late` transforms the games that wait. Returns
    /// `false` if `each` did, if the batch ends with a failure, or if the filter selects none of the games that
    /// follow.
    pub(super) fn deliver<T: Transform, E>(
        &mut self,
        batch: &mut Batch<T::Output>,
        late: Option<&mut T>,
        each: &mut impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut ended = false;
        let progress = match &mut self.games {
            Kind::Database(database) => {
                batch.place(BlockStart::default());
                self.done.games += batch.games.len() as u64 + batch.skipped;
                Progress { done: self.done.games, total: Some(database.len()), unit: Unit::Games }
            }
            Kind::Stream(stream) => {
                batch.place(self.done);
                batch.select_numbers(self.filter, late);
                ended = batch.end_before(self.end);
                let block = &batch.chunk.block;
                if !batch.more {
                    let games = self.done.games.saturating_add(block.games);
                    let after = block.used_place.place_in_stream(self.done);
                    self.done = BlockStart { games, after };
                    stream.passed(games, after);
                }
                let done = block.used_place.offset();
                Progress { done, total: self.size, unit: Unit::Bytes }
            }
        };
        let failed = batch.failure.is_some();
        Ok(each(batch, progress)? && !failed && !ended)
    }

    /// Hands `error`, at which the source ended, to `each` in an empty batch.
    pub(super) fn deliver_failure<T: TransformOutput, E>(
        &mut self,
        error: AnyError,
        each: &mut impl FnMut(&mut Batch<T>, Progress) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut batch = Batch { failure: Some(error), ..Batch::default() };
        let progress = Progress { done: self.done.games, total: None, unit: Unit::Games };
        each(&mut batch, progress).map(|_| ())
    }
}
