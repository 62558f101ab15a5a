//! Games read, chosen and made into something on every core, used in order on one.
//!
//! The thread that calls hands out work (numbers of a database's games, blocks of a stream) to the
//! others in turn and takes what they made of it in the same turn, so that the order is kept. It
//! does itself only what must be done in order.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Scope as Threads};

use chess_core::Game;
use chess_store::seam::{Database, GameReader, Parser};
use chess_store::{AnyError, Block, Diagnostics, Location, Place, Scope, Trim as _, Warning};

use crate::base::{Base, Kind, Progress, Stream, Unit};
use crate::filter::{Filter, Sieve};
use crate::texts::{Texts, Walk};

/// Games of a database that are handed out together: enough to make that cheap, few enough to be
/// small.
const GAMES: u64 = 256;
/// Bytes of games after which what was made is handed over.
const BYTES: usize = 1 << 20;
/// Pieces of work each thread may have waiting.
const AHEAD: usize = 4;
/// Bytes of a stream that are handed out at a time, for each piece of work that may wait: some
/// usual blocks, or one with a game that is as long as a game may be.
const BLOCKS: usize = 1 << 18;
/// Bytes of games that each thread may have waiting when more than one batch waits.
const MADE: usize = AHEAD * BYTES;
/// Warnings whose memory is kept.
const USUAL_WARNINGS: usize = 16;

/// Makes something of each chosen game.
pub(crate) trait Maker: Send {
    type Item: Item;

    /// `read_by` read it, if it is not damaged.
    fn make(&mut self, game: &mut Game, read_by: Option<ReadBy<'_>>, item: &mut Self::Item);

    /// Makes something of the [text](Texts) of a game that is chosen; `false` if it cannot.
    fn make_of_text(&mut self, text: &[u8], item: &mut Self::Item) -> bool {
        let _ = (text, item);
        false
    }
}

/// What read a game, for who wants to know more of it.
pub(crate) enum ReadBy<'a> {
    /// The reader of a database, as this number.
    Database(&'a mut (dyn GameReader + Send), u64),
    /// The parser of a stream, from this block, of which so much was used before.
    Stream(&'a (dyn Parser + Send), &'a Block, usize),
}

/// What a [`Maker`] makes; it is used again.
pub(crate) trait Item: Default + Send {
    /// Makes it empty, letting go of unusual memory: were the largest kept, hundreds would grow to
    /// the size of the largest game.
    fn clear(&mut self);
}

/// What is done with the games of a base.
pub(crate) struct Job<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) strict: bool,
    pub(crate) drop_damaged: bool,
    /// The texts that may stand for games of a stream, if the maker takes texts.
    pub(crate) texts: Option<&'a Texts>,
}

/// Some games that follow one another.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "entries are large, and go to and fro between two lists")]
pub(crate) struct Batch<T> {
    pub(crate) entries: Vec<Box<Entry<T>>>,
    /// Why there is nothing after these.
    pub(crate) failure: Option<AnyError>,
    work: Work,
    /// More of the same work follows.
    more: bool,
    /// How many bytes of games it was made of.
    bytes: usize,
    spare: Vec<Box<Entry<T>>>,
}

/// One game and what is known of it.
#[derive(Default)]
pub(crate) struct Entry<T> {
    /// From zero.
    pub(crate) number: u64,
    /// False if number, header or index told that the filter does not choose it.
    pub(crate) read: bool,
    pub(crate) selected: bool,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) damage: Option<AnyError>,
    pub(crate) item: T,
}

/// A game's entry, and why it did not read to its end.
type Read<T> = (Box<Entry<T>>, Result<(), AnyError>);

/// Games yet to be read.
#[derive(Default)]
struct Work {
    /// Of a database: from this number on, to before that.
    next: u64,
    end: u64,
    /// Of a stream.
    block: Block,
}

impl<T: Item> Batch<T> {
    fn entry(&mut self, number: u64) -> Box<Entry<T>> {
        let mut entry = self.spare.pop().unwrap_or_default();
        entry.number = number;
        entry
    }

    /// Makes it empty, keeping what memory is usual.
    fn clear(&mut self) {
        for mut entry in self.entries.drain(..) {
            if std::mem::take(&mut entry.read) {
                entry.warnings.clear();
                entry.warnings.shrink_to(USUAL_WARNINGS);
                entry.item.clear();
            }
            entry.selected = false;
            entry.damage = None;
            self.spare.push(entry);
        }
        self.failure = None;
        self.more = false;
        self.bytes = 0;
        self.work.block.bytes.trim(BYTES);
    }

    /// Counts the games and lines of a block from the beginning of the stream. What was chosen
    /// without its number is now chosen by it too.
    fn number_from(&mut self, first: u64, start: Place, filter: &Filter) {
        let place = |at: Location| at.counted_from(first, start);
        for entry in &mut self.entries {
            entry.number = entry.number.saturating_add(first);
            entry.selected &= filter.has_number(entry.number);
            entry.damage = entry.damage.take().map(|error| error.map_location(place));
            entry.warnings.iter_mut().for_each(|warning| warning.at = place(warning.at));
        }
    }
}

/// Reads games and makes something of them, on one thread.
struct Worker<'a, M> {
    games: Kind<Box<dyn GameReader + Send + 'a>, Box<dyn Parser + Send>>,
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
    fn new(
        games: Kind<Box<dyn GameReader + Send + 'a>, Box<dyn Parser + Send>>,
        job: &'a Job<'a>,
        maker: M,
    ) -> Worker<'a, M> {
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
    fn fill(&mut self, batch: &mut Batch<M::Item>) {
        while self.take_text(batch) || self.take_game(batch) {
            if batch.bytes > BYTES {
                batch.more = true;
                return;
            }
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

/// One for each core.
pub(crate) fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Where work comes from, in order.
struct Supply<'a> {
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
    fn new(base: &'a mut Base) -> Supply<'a> {
        let size = base.size();
        let games = base.kind();
        let (done, end) = match &games {
            Kind::Database(_) => (0, Place::default()),
            Kind::Stream(stream) => (stream.games(), stream.place()),
        };
        Supply { games, next: 0, done, end, size }
    }

    /// Hands out the next piece of work; `false` if there is none.
    fn next(&mut self, work: &mut Work) -> Result<bool, AnyError> {
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
    fn reader(&self) -> Kind<Box<dyn GameReader + Send + 'a>, Box<dyn Parser + Send>> {
        match &self.games {
            Kind::Database(database) => Kind::Database(database.reader()),
            Kind::Stream(stream) => Kind::Stream(stream.parser()),
        }
    }

    /// A batch comes back, and is handed to `each` with how far it reaches.
    fn use_batch<T: Item, E>(
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
    fn fail<T: Item, E>(
        &mut self,
        error: AnyError,
        each: &mut impl FnMut(&mut Batch<T>, Progress) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut batch = Batch { failure: Some(error), ..Batch::default() };
        let progress = Progress { done: self.done, total: None, unit: Unit::Games };
        each(&mut batch, progress).map(|_| ())
    }
}

/// Hands what is made of the games of a base, or of what a stream still has, to `each`, in order,
/// until that says `false` or fails. Each maker has a thread of its own; one alone has this one.
pub(crate) fn run<M: Maker, E>(
    base: &mut Base,
    job: &Job<'_>,
    mut makers: Vec<M>,
    mut each: impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    let mut supply = Supply::new(base);
    if makers.len() <= 1 {
        let Some(maker) = makers.pop() else { return Ok(()) };
        let worker = Worker::new(supply.reader(), job, maker);
        return run_here(supply, worker, &mut each);
    }
    thread::scope(|scope| {
        let workers = makers.into_iter().map(|maker| Worker::new(supply.reader(), job, maker));
        let lanes: Vec<Lane<M::Item>> = workers.map(|worker| Lane::new(scope, worker)).collect();
        run_on(&mut supply, job, &lanes, &mut each)
    })
}

/// On this thread alone.
fn run_here<M: Maker, E>(
    mut supply: Supply<'_>,
    mut worker: Worker<'_, M>,
    each: &mut impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    let mut batch = Batch::default();
    loop {
        match supply.next(&mut batch.work) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return supply.fail(error, each),
        }
        loop {
            worker.fill(&mut batch);
            let more = batch.more;
            if !supply.use_batch(&mut batch, worker.job.filter, each)? {
                return Ok(());
            }
            batch.clear();
            if !more {
                break;
            }
        }
    }
}

/// On the threads of these lanes.
fn run_on<T: Item, E>(
    supply: &mut Supply<'_>,
    job: &Job<'_>,
    lanes: &[Lane<T>],
    each: &mut impl FnMut(&mut Batch<T>, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    let most = lanes.len().saturating_mul(AHEAD);
    let most_bytes = most.saturating_mul(BLOCKS);
    let (mut waiting, mut bytes, mut spare) = (0usize, 0usize, Vec::new());
    let (mut to, mut from) = (lanes.iter().cycle(), lanes.iter().cycle());
    let mut lane = from.next();
    let mut end = None;
    loop {
        while end.is_none() && waiting < most && (waiting == 0 || bytes < most_bytes) {
            let mut batch: Batch<T> = spare.pop().unwrap_or_default();
            match supply.next(&mut batch.work) {
                Ok(true) => {}
                Ok(false) => end = Some(Ok(())),
                Err(error) => end = Some(Err(error)),
            }
            let length = batch.work.block.bytes.len();
            if end.is_none() && to.next().is_some_and(|lane| lane.work.send(batch).is_ok()) {
                waiting = waiting.saturating_add(1);
                bytes = bytes.saturating_add(length);
            }
        }
        if waiting == 0 {
            break;
        }
        let Some(mut batch) = lane.and_then(Lane::take) else { break };
        if !batch.more {
            waiting = waiting.saturating_sub(1);
            bytes = bytes.saturating_sub(batch.work.block.bytes.len());
            lane = from.next();
        }
        if !supply.use_batch(&mut batch, job.filter, each)? {
            return Ok(());
        }
        if spare.len() < most {
            batch.clear();
            spare.push(batch);
        }
    }
    match end {
        Some(Err(error)) => supply.fail(error, each),
        _ => Ok(()),
    }
}

/// Keeps what a thread has made and nobody has used yet to so many bytes, or one batch.
struct Room {
    /// Bytes that wait; `None` when nobody wants them any more.
    used: Mutex<Option<usize>>,
    left: Condvar,
}

impl Room {
    fn new() -> Room {
        Room { used: Mutex::new(Some(0)), left: Condvar::new() }
    }

    /// Waits until there is room; `false` if nobody wants it any more.
    fn enter(&self, bytes: usize) -> bool {
        let is_full = |used: &mut Option<usize>| {
            used.is_some_and(|used| used > 0 && used.saturating_add(bytes) > MADE)
        };
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let used = self.left.wait_while(used, is_full);
        let mut used = used.unwrap_or_else(PoisonError::into_inner);
        match &mut *used {
            Some(used) => {
                *used = used.saturating_add(bytes);
                true
            }
            None => false,
        }
    }

    fn leave(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.map(|used| used.saturating_sub(bytes));
        self.left.notify_one();
    }

    fn close(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.left.notify_one();
    }
}

/// The two ends of a thread: where its work goes, and where what it made comes from.
struct Lane<T> {
    work: Sender<Batch<T>>,
    made: Receiver<Batch<T>>,
    room: Arc<Room>,
}

impl<T: Item> Lane<T> {
    fn new<'scope, M: Maker<Item = T> + 'scope>(
        scope: &'scope Threads<'scope, '_>,
        worker: Worker<'scope, M>,
    ) -> Lane<T>
    where
        T: 'scope,
    {
        let (work, to_do) = channel();
        let (done, made) = sync_channel(AHEAD);
        let room = Arc::new(Room::new());
        let own = Arc::clone(&room);
        scope.spawn(move || work_off(worker, &to_do, &done, &own));
        Lane { work, made, room }
    }

    /// What was made next; `None` if nothing will be.
    fn take(&self) -> Option<Batch<T>> {
        let batch = self.made.recv().ok()?;
        self.room.leave(batch.bytes);
        Some(batch)
    }
}

/// Works until there is no more, or nobody wants it.
impl<T> Drop for Lane<T> {
    fn drop(&mut self) {
        self.room.close();
    }
}

fn work_off<M: Maker>(
    mut worker: Worker<'_, M>,
    to_do: &Receiver<Batch<M::Item>>,
    done: &SyncSender<Batch<M::Item>>,
    room: &Room,
) {
    for mut batch in to_do {
        loop {
            worker.fill(&mut batch);
            // What is left goes on in a batch of its own.
            let rest = batch.more.then(|| std::mem::take(&mut batch.work));
            if let Some(rest) = &rest {
                batch.work.block.used_place = rest.block.used_place;
            }
            if !room.enter(batch.bytes) || done.send(batch).is_err() {
                return;
            }
            match rest {
                Some(work) => batch = Batch { work, ..Batch::default() },
                None => break,
            }
        }
    }
}
