//! One thread's reading.

use chess_core::Game;
use chess_store::erased::{GameReader, Parser};
use chess_store::{AnyError, Block, Diagnostics, Scope};

use super::supply::Supply;
use super::{BYTES, Batch, Entry, Item as _, Job, Maker, ReadBy};
use crate::base::{Kind, Progress};
use crate::filter::Sieve;
use crate::texts::Walk;

/// What reads the games: of a database, or of a stream's blocks.
pub(super) type Games<'a> = Kind<Box<dyn GameReader + Send + 'a>, Box<dyn Parser + Send>>;

/// A game's entry, and why it did not read to its end.
type Read<T> = (Box<Entry<T>>, Result<(), AnyError>);

/// Reads games and makes something of them, on one thread.
pub(super) struct Worker<'a, M> {
    games: Games<'a>,
    job: &'a Job<'a>,
    maker: M,
    game: Game,
    diagnostics: Diagnostics,
    sieve: Sieve<'a>,
    /// The end of the piece of work whose games have been through the sieve, and those that are
    /// left to be read, the last first.
    sifted: Option<u64>,
    waiting: Vec<u64>,
    texts: Option<Walk<'a>>,
    /// How much of the block was used before the game at hand.
    before: usize,
}

impl<'a, M: Maker> Worker<'a, M> {
    pub(super) fn new(games: Games<'a>, job: &'a Job<'a>, maker: M) -> Worker<'a, M> {
        let diagnostics = if job.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let sieve = Sieve::new(job.filter);
        Worker {
            games,
            job,
            maker,
            game: Game::new(),
            diagnostics,
            sieve,
            sifted: None,
            waiting: Vec::new(),
            texts: job.texts.map(Walk::new),
            before: 0,
        }
    }

    /// Does the work of a batch, or as much of it as makes the batch full.
    pub(super) fn fill(&mut self, batch: &mut Batch<M::Item>) {
        while self.take_text(batch) || self.take_game(batch) {
            if batch.bytes > BYTES {
                batch.more = true;
                return;
            }
        }
    }

    /// Uses a batch that is filled, and what is left of its work.
    pub(super) fn use_up<E>(
        &mut self,
        batch: &mut Batch<M::Item>,
        supply: &mut Supply<'_>,
        each: &mut impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        loop {
            let more = batch.more;
            if !supply.use_batch(batch, self.job.filter, each)? {
                return Ok(false);
            }
            batch.clear();
            if !more {
                return Ok(true);
            }
            self.fill(batch);
        }
    }

    /// Makes something of the text of the next game, if that may stand for the game.
    fn take_text(&mut self, batch: &mut Batch<M::Item>) -> bool {
        let (Some(texts), Kind::Stream(parser)) = (&mut self.texts, &mut self.games) else {
            return false;
        };
        parser.load(&mut batch.work.block);
        let block = &batch.work.block;
        if block.used >= block.end {
            return false;
        }
        let Some(passage) = texts.at(block.used_place.offset) else { return false };
        let mut entry = batch.entry(block.games);
        let block = &mut batch.work.block;
        let made =
            passage.text(block).is_some_and(|text| self.maker.make_of_text(text, &mut entry.item));
        if !made || !parser.pass_game(block, passage.length()) {
            // The output has another encoding, or the file is no longer what it was.
            entry.item.clear();
            batch.spare.push(entry);
            return false;
        }
        batch.bytes = batch.bytes.saturating_add(passage.length());
        (entry.read, entry.selected) = (true, true);
        batch.entries.push(entry);
        true
    }

    /// Reads the next game and makes something of it; `false` if there is none, or no more.
    fn take_game(&mut self, batch: &mut Batch<M::Item>) -> bool {
        let Some((mut entry, read)) = self.read_next(batch) else { return false };
        if let Err(error) = read {
            if error.scope() == Scope::Base {
                batch.failure = Some(error);
                return false;
            }
            entry.damage = Some(error);
        }
        if entry.read {
            entry.warnings.extend_from_slice(self.diagnostics.warnings());
            self.make(&mut entry, &batch.work.block);
            batch.bytes = batch.bytes.saturating_add(self.game.size());
            self.game.trim(BYTES);
        }
        batch.entries.push(entry);
        true
    }

    /// The next game of the work, as an entry; `None` if there is none.
    fn read_next(&mut self, batch: &mut Batch<M::Item>) -> Option<Read<M::Item>> {
        self.diagnostics.clear();
        match &mut self.games {
            Kind::Database(reader) => {
                let number = batch.work.next;
                if number >= batch.work.end {
                    return None;
                }
                batch.work.next = number.saturating_add(1);
                let mut entry = batch.entry(number);
                if self.sifted != Some(batch.work.end) {
                    // A new piece of work.
                    self.sifted = Some(batch.work.end);
                    let found = self.sieve.sift(&mut **reader, number..batch.work.end);
                    self.waiting.clear();
                    self.waiting.extend(found.iter().rev());
                }
                if self.waiting.pop_if(|next| *next == number).is_none() {
                    return Some((entry, Ok(())));
                }
                entry.read = true;
                let read = reader.game(number, &mut self.game, &mut self.diagnostics);
                Some((entry, read))
            }
            Kind::Stream(parser) => {
                let block = &mut batch.work.block;
                let number = block.games;
                self.before = block.used;
                let read = match parser.game(block, &mut self.game, &mut self.diagnostics) {
                    Ok(false) => return None,
                    read => read.map(|_| ()),
                };
                let mut entry = batch.entry(number);
                entry.read = true;
                Some((entry, read))
            }
        }
    }

    /// Makes something of the game just read, if it is chosen.
    fn make(&mut self, entry: &mut Entry<M::Item>, block: &Block) {
        let dropped = self.job.drop_damaged && entry.damage.is_some();
        entry.selected = !dropped && self.job.filter.selects(&self.game);
        if !entry.selected {
            return;
        }
        let read_by = match &mut self.games {
            Kind::Database(reader) => ReadBy::Database(&mut **reader, entry.number),
            Kind::Stream(parser) => ReadBy::Stream(&**parser, block, self.before),
        };
        let read_by = Some(read_by).filter(|_| entry.damage.is_none());
        self.maker.make(&mut self.game, read_by, &mut entry.item);
    }
}
