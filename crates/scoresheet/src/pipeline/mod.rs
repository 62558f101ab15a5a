//! Games read, chosen and made into something on every core, used in order on one.
//!
//! The thread that calls hands out work (numbers of a database's games, blocks of a stream) to the
//! others, takes what they made of it in the same order, and does what must be done in order. When
//! there is nothing of that to do, it reads games, too: what it made itself is near its core when it
//! uses it, and there is no thread more than there are cores.

mod crew;
mod lane;
mod supply;
mod worker;

use std::thread;

use chess_core::Game;
use chess_store::erased::{GameReader, Parser};
use chess_store::{AnyError, Block, Location, Place, Trim as _, Warning};

use crate::base::{Base, Progress};
use crate::filter::Filter;
use crate::texts::Texts;
use crew::Crew;
use lane::Lane;
use supply::Supply;
use worker::Worker;

/// Bytes of games after which what was made is handed over.
const BYTES: usize = 1 << 20;
/// Pieces of work each thread may have waiting.
const AHEAD: usize = 4;
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
    /// The thread that calls does only what must be done in order; each maker has another.
    pub(crate) apart: bool,
}

impl<'a> Job<'a> {
    /// Tolerates everything.
    pub(crate) fn new(filter: &'a Filter) -> Job<'a> {
        Job { filter, strict: false, drop_damaged: false, texts: None, apart: false }
    }
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

/// One for each core.
pub(crate) fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Hands what is made of the games of a base, or of what a stream still has, to `each`, in order,
/// until that says `false` or fails. Each maker has a thread; one of these threads is this one, unless it
/// stays apart.
pub(crate) fn run<M: Maker, E>(
    base: &mut Base,
    job: &Job<'_>,
    makers: Vec<M>,
    mut each: impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    let supply = Supply::new(base);
    let mut workers: Vec<_> =
        makers.into_iter().map(|maker| Worker::new(supply.reader(), job, maker)).collect();
    let own = if job.apart { None } else { workers.pop() };
    match own {
        Some(own) if workers.is_empty() => run_here(supply, own, &mut each),
        own => thread::scope(|scope| {
            let lanes = workers.into_iter().map(|worker| Lane::new(scope, worker)).collect();
            Crew::new(supply, job.filter, own, lanes).run(&mut each)
        }),
    }
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
        worker.fill(&mut batch);
        if !worker.use_up(&mut batch, &mut supply, each)? {
            return Ok(());
        }
    }
}
