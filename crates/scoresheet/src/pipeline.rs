//! Batches of games, made by threads and used in order.

use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{self, Scope as Threads};

use chess_core::seam::{Database, Loss, Source};
use chess_core::{AnyError, Diagnostics, Game, Header, Scope, Token, Warning};

use crate::base::{Base, Kind, Progress, Unit};
use crate::filter::Filter;
use crate::render::{Page, Renderer};

/// Games in a batch: enough to make handing it over cheap, few enough to be small.
const BATCH: u64 = 64;
/// Batches a thread may be ahead.
const AHEAD: usize = 2;
/// Memory is used again up to these sizes. Were the largest games kept, so would their memory be,
/// in each of the hundreds of entries that go round, and more of it the more games there are.
const USUAL_TOKENS: usize = 256;
const USUAL_TEXT: usize = 1 << 10;
const USUAL_NOTES: usize = 16;
const USUAL_PAGE: usize = 256 << 10;

/// Some games that follow one another. Batches are used again: nothing is allocated for a game.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) entries: Vec<Entry>,
    /// The chosen games as they are to be written, if there is a renderer.
    pub(crate) text: Vec<u8>,
    /// Where the stream is after these.
    position: u64,
    /// Nothing comes after these: the stream ends, or has failed.
    last: bool,
    /// Why there is nothing after these.
    pub(crate) failure: Option<AnyError>,
    spare: Vec<Entry>,
}

/// One game and what is known of it.
#[derive(Default)]
pub(crate) struct Entry {
    /// From zero.
    pub(crate) number: u64,
    /// False if number, header or index told that the filter does not choose it.
    pub(crate) read: bool,
    pub(crate) selected: bool,
    pub(crate) game: Game,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) damage: Option<AnyError>,
    pub(crate) losses: Vec<Loss>,
    pub(crate) refusal: Option<AnyError>,
}

/// How games become entries.
#[derive(Clone, Copy)]
pub(crate) struct Recipe<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) strict: bool,
    pub(crate) drop_damaged: bool,
    pub(crate) renderer: Option<&'a Renderer>,
}

impl Batch {
    /// An entry to fill, with the memory of an earlier one.
    fn blank(&mut self, number: u64) -> Entry {
        let Entry { game, warnings, losses, .. } = self.spare.pop().unwrap_or_default();
        Entry { number, game, warnings, losses, ..Entry::default() }
    }

    /// Adds a game that was just read; whether more can be.
    fn push(&mut self, mut entry: Entry, damage: Option<AnyError>) -> bool {
        match damage {
            Some(error) if error.scope() == Scope::Base => {
                self.failure = Some(error);
                self.last = true;
                return false;
            }
            damage => entry.damage = damage,
        }
        entry.read = true;
        self.entries.push(entry);
        true
    }

    /// Makes it empty, keeping what memory is usual.
    fn clear(&mut self) {
        self.entries.iter_mut().for_each(Entry::shrink);
        self.spare.append(&mut self.entries);
        empty(&mut self.text, USUAL_PAGE);
        self.last = false;
        self.failure = None;
    }

    /// Says which games are chosen, and renders those.
    fn settle(&mut self, recipe: Recipe<'_>) {
        if let Err((index, error)) = self.render(recipe) {
            self.entries.truncate(index);
            self.failure = Some(error);
            self.last = true;
        }
    }

    /// An error comes with the number of games that were done before.
    fn render(&mut self, recipe: Recipe<'_>) -> Result<(), (usize, AnyError)> {
        let text = std::mem::take(&mut self.text);
        let page = recipe.renderer.map(|renderer| renderer.page(text)).transpose();
        let mut page = page.map_err(|error| (0, error))?;
        for (index, entry) in self.entries.iter_mut().enumerate() {
            entry.select(recipe);
            if let (Some(page), true) = (&mut page, entry.selected) {
                entry.render(page).map_err(|error| (index, error))?;
            }
        }
        self.text =
            page.map(Page::finish).transpose().map_err(|error| (0, error))?.unwrap_or_default();
        Ok(())
    }
}

impl Entry {
    fn select(&mut self, recipe: Recipe<'_>) {
        let dropped = recipe.drop_damaged && self.damage.is_some();
        self.selected = self.read && !dropped && recipe.filter.selects(self.number, &self.game);
    }

    fn render(&mut self, page: &mut Page) -> Result<(), AnyError> {
        match page.write(&self.game, &mut self.losses) {
            Ok(()) => Ok(()),
            Err(error) if error.scope() == Scope::Base => Err(error),
            Err(error) => {
                self.refuse(error);
                Ok(())
            }
        }
    }

    /// Lets go of unusual memory. Each use is measured, so nothing has grown beyond it unseen.
    fn shrink(&mut self) {
        empty(&mut self.warnings, USUAL_NOTES);
        empty(&mut self.losses, USUAL_NOTES);
        let mut record = self.game.take_buffer();
        if is_usual(&self.game) {
            empty(&mut record, USUAL_TEXT);
            self.game.return_buffer(record);
        } else {
            self.game = Game::new();
        }
    }

    /// The target does not take the game.
    pub(crate) fn refuse(&mut self, error: AnyError) {
        self.losses.clear();
        self.refusal = Some(error);
    }
}

/// Empties a vector, and keeps its memory if that is no more than usual.
fn empty<T>(items: &mut Vec<T>, usual: usize) {
    if items.capacity() <= usual {
        items.clear();
    } else {
        *items = Vec::new();
    }
}

fn is_usual(game: &Game) -> bool {
    let tags: usize = game.header.tags.iter().map(|(_, value)| value.len()).sum();
    let (mut tokens, mut text) = (0usize, tags);
    for token in game.tokens() {
        tokens = tokens.saturating_add(1);
        if let Token::Comment(comment) = token {
            text = text.saturating_add(comment.len());
        }
    }
    tokens <= USUAL_TOKENS && text <= USUAL_TEXT
}

/// What reads batches, with the memory it reuses.
struct Maker<'a> {
    filter: &'a Filter,
    header: Header,
    diagnostics: Diagnostics,
}

impl<'a> Maker<'a> {
    fn new(recipe: Recipe<'a>) -> Maker<'a> {
        let diagnostics =
            if recipe.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        Maker { filter: recipe.filter, header: Header::default(), diagnostics }
    }

    /// The games of a database that are in a batch of this number.
    fn read_database(&mut self, database: &dyn Database, number: u64, batch: &mut Batch) {
        let start = number.saturating_mul(BATCH);
        for number in start..start.saturating_add(BATCH).min(database.len()) {
            let mut entry = batch.blank(number);
            if self.filter.passes_over(database, number, &mut self.header) {
                batch.entries.push(entry);
                continue;
            }
            self.diagnostics.clear();
            let damage = database.game(number, &mut entry.game, &mut self.diagnostics).err();
            entry.warnings.extend_from_slice(self.diagnostics.warnings());
            if !batch.push(entry, damage) {
                return;
            }
        }
    }

    /// The next games of a stream, as the batch of this number.
    fn read_source(&mut self, source: &mut dyn Source, number: u64, batch: &mut Batch) {
        let start = number.saturating_mul(BATCH);
        for number in start..start.saturating_add(BATCH) {
            let mut entry = batch.blank(number);
            self.diagnostics.clear();
            let damage = match source.next(&mut entry.game, &mut self.diagnostics) {
                Ok(true) => None,
                Ok(false) => {
                    batch.spare.push(entry);
                    batch.last = true;
                    break;
                }
                Err(error) => Some(error),
            };
            entry.warnings.extend_from_slice(self.diagnostics.warnings());
            if !batch.push(entry, damage) {
                break;
            }
        }
        batch.position = source.position().unwrap_or(0);
    }
}

/// One for each core.
pub(crate) fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Hands the games of a base, or what a stream still has, to `each` in order, made by so many
/// threads, until it breaks; and how far they reach.
pub(crate) fn run_base<E>(
    base: &mut Base,
    recipe: Recipe<'_>,
    threads: usize,
    mut each: impl FnMut(&mut Batch, Progress) -> Result<bool, E>,
) -> Result<(), E> {
    match base.parts() {
        (Kind::Database(database), _) => {
            let total = Some(database.len());
            let mut done = 0u64;
            run_database(database, recipe, threads, |batch| {
                done = done.saturating_add(batch.entries.len() as u64);
                each(batch, Progress { done, total, unit: Unit::Games })
            })
        }
        (Kind::Source(source), total) => run_source(source, recipe, threads, |batch| {
            let done = batch.position;
            each(batch, Progress { done, total, unit: Unit::Bytes })
        }),
    }
}

/// Hands the games of a database to `each` in order, made by so many threads, until it breaks.
fn run_database<E>(
    database: &dyn Database,
    recipe: Recipe<'_>,
    threads: usize,
    mut each: impl FnMut(&mut Batch) -> Result<bool, E>,
) -> Result<(), E> {
    let batches = database.len().div_ceil(BATCH);
    if threads <= 1 || batches <= 1 {
        let (mut maker, mut batch) = (Maker::new(recipe), Batch::default());
        for number in 0..batches {
            maker.read_database(database, number, &mut batch);
            batch.settle(recipe);
            if !each(&mut batch)? {
                break;
            }
            batch.clear();
        }
        return Ok(());
    }
    // Thread k makes the batches k, k + threads, ...: taken in turn, they are in order.
    thread::scope(|scope| {
        let starts = (0..batches).take(threads);
        let makers: Vec<(Receiver<Batch>, Sender<Batch>)> = starts
            .map(|first| spawn_maker(scope, database, recipe, (first..batches).step_by(threads)))
            .collect();
        for (_, (maker, spare)) in (0..batches).zip(makers.iter().cycle()) {
            let Ok(mut batch) = maker.recv() else { break };
            if !each(&mut batch)? {
                break;
            }
            batch.clear();
            // A thread that is through needs none.
            let _ = spare.send(batch);
        }
        Ok(())
    })
}

/// A thread that makes batches of these numbers: where they come from, and where used ones go.
fn spawn_maker<'scope>(
    scope: &'scope Threads<'scope, '_>,
    database: &'scope dyn Database,
    recipe: Recipe<'scope>,
    numbers: impl Iterator<Item = u64> + Send + 'scope,
) -> (Receiver<Batch>, Sender<Batch>) {
    let (sender, receiver) = sync_channel(AHEAD);
    let (spare, used) = channel::<Batch>();
    scope.spawn(move || {
        let mut maker = Maker::new(recipe);
        for number in numbers {
            let mut batch = used.try_recv().unwrap_or_default();
            maker.read_database(database, number, &mut batch);
            batch.settle(recipe);
            if sender.send(batch).is_err() {
                break;
            }
        }
    });
    (receiver, spare)
}

/// As [`run_database`] for a stream: one thread reads, the others choose and render, this one
/// writes.
fn run_source<E>(
    source: &mut dyn Source,
    recipe: Recipe<'_>,
    threads: usize,
    mut each: impl FnMut(&mut Batch) -> Result<bool, E>,
) -> Result<(), E> {
    let mut maker = Maker::new(recipe);
    if threads <= 1 {
        let mut batch = Batch::default();
        for number in 0u64.. {
            maker.read_source(source, number, &mut batch);
            batch.settle(recipe);
            if !each(&mut batch)? || batch.last {
                break;
            }
            batch.clear();
        }
        return Ok(());
    }
    thread::scope(|scope| {
        let (spare, used) = channel::<Batch>();
        let (mut read, mut settled) = (Vec::new(), Vec::new());
        for _ in 1..threads {
            let (sender, receiver) = sync_channel(AHEAD);
            read.push(sender);
            settled.push(spawn_settler(scope, recipe, receiver));
        }
        // Batches go round the threads in turn, and are taken from them so.
        scope.spawn(move || {
            for (number, settler) in (0u64..).zip(read.iter().cycle()) {
                let mut batch = used.try_recv().unwrap_or_default();
                maker.read_source(source, number, &mut batch);
                let last = batch.last;
                if settler.send(batch).is_err() || last {
                    break;
                }
            }
        });
        for settler in settled.iter().cycle() {
            let Ok(mut batch) = settler.recv() else { break };
            if !each(&mut batch)? || batch.last {
                break;
            }
            batch.clear();
            let _ = spare.send(batch);
        }
        Ok(())
    })
}

/// A thread that settles batches.
fn spawn_settler<'scope>(
    scope: &'scope Threads<'scope, '_>,
    recipe: Recipe<'scope>,
    batches: Receiver<Batch>,
) -> Receiver<Batch> {
    let (sender, receiver) = sync_channel(AHEAD);
    scope.spawn(move || {
        for mut batch in batches {
            batch.settle(recipe);
            if sender.send(batch).is_err() {
                break;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_buffer(comment: usize, buffer: usize) -> usize {
        let mut batch = Batch::default();
        let mut entry = batch.blank(0);
        entry.game.push_comment(&"x".repeat(comment)).unwrap();
        entry.game.return_buffer(Vec::with_capacity(buffer));
        assert!(batch.push(entry, None));
        batch.clear();
        batch.blank(1).game.take_buffer().capacity()
    }

    #[test]
    fn memory_is_kept_if_it_is_usual() {
        assert!(kept_buffer(10, 500) >= 500);
        assert_eq!(kept_buffer(10, 1 << 20), 0);
        assert_eq!(kept_buffer(5000, 500), 0);
    }
}
