//! Work handed out, and taken back, in order.

use chess_store::erased::Database;
use chess_store::{AnyError, Place};

use super::worker::Games;
use super::{Batch, Item, Work};
use crate::base::{Base, Kind, Progress, Stream, Unit};
use crate::filter::Filter;

/// Games of a database that are handed out together: enough to make that cheap, few enough that
/// what is made of them stays near the core.
const GAMES: u64 = 128;

/// Where work comes from, in order.
pub(super) struct Supply<'a> {
    games: Kind<&'a dyn Database, &'a mut Stream>,
    /// Next game of a database to hand out.
    next: u64,
    /// Games of the stream, or of the database, that have been used.
    done: u64,
    /// Where the blocks of the stream end that have been used.
    end: Place,
    /// Bytes of a stream.
    size: Option<u64>,
}

impl<'a> Supply<'a> {
    pub(super) fn new(base: &'a mut Base) -> Supply<'a> {
        let size = base.size();
        let games = base.kind();
        let (done, end) = match &games {
            Kind::Database(_) => (0, Place::default()),
            Kind::Stream(stream) => (stream.games(), stream.place()),
        };
        Supply { games, next: 0, done, end, size }
    }

    /// Hands out the next piece of work; `false` if there is none.
    pub(super) fn next(&mut self, work: &mut Work) -> Result<bool, AnyError> {
        match &mut self.games {
            Kind::Database(database) => {
                work.next = self.next;
                work.end = database.len().min(self.next.saturating_add(GAMES));
                self.next = work.end;
                Ok(work.next < work.end)
            }
            Kind::Stream(stream) => {
                // Other threads are still counting the games and lines before it.
                stream.take_block(&mut work.block)
            }
        }
    }

    /// What reads on one thread.
    pub(super) fn reader(&self) -> Games<'a> {
        match &self.games {
            Kind::Database(database) => Kind::Database(database.reader()),
            Kind::Stream(stream) => Kind::Stream(stream.parser()),
        }
    }

    /// A batch comes back, and is handed to `each` with how far it reaches.
    pub(super) fn use_batch<T: Item, E>(
        &mut self,
        batch: &mut Batch<T>,
        filter: &Filter,
        each: &mut impl FnMut(&mut Batch<T>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let progress = match &mut self.games {
            Kind::Database(database) => {
                self.done = self.done.saturating_add(batch.entries.len() as u64);
                Progress { done: self.done, total: Some(database.len()), unit: Unit::Games }
            }
            Kind::Stream(stream) => {
                batch.number_from(self.done, self.end, filter);
                let block = &batch.work.block;
                if !batch.more {
                    self.done = self.done.saturating_add(block.games);
                    self.end = block.used_place.counted_from(self.end);
                    stream.passed(self.done, self.end);
                }
                let done = block.used_place.offset;
                Progress { done, total: self.size, unit: Unit::Bytes }
            }
        };
        let failed = batch.failure.is_some();
        Ok(each(batch, progress)? && !failed)
    }

    /// Nothing follows because the stream failed.
    pub(super) fn fail<T: Item, E>(
        &mut self,
        error: AnyError,
        each: &mut impl FnMut(&mut Batch<T>, Progress) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut batch = Batch { failure: Some(error), ..Batch::default() };
        let progress = Progress { done: self.done, total: None, unit: Unit::Games };
        each(&mut batch, progress).map(|_| ())
    }
}
