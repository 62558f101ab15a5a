//! Batches of games, made by threads and used in order.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use chess_core::seam::{Database, Loss, Source};
use chess_core::{AnyError, Diagnostics, Game, Header, Scope, Warning};

use crate::filter::Filter;
use crate::render::{Page, Renderer};

/// Games in a batch: enough to make handing it over cheap, few enough to be small.
pub(crate) const BATCH: u64 = 64;
/// Batches a thread may be ahead.
const AHEAD: usize = 2;

/// Some games that follow one another.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) entries: Vec<Entry>,
    /// The chosen games that are to be written, rendered already.
    pub(crate) text: Option<Vec<u8>>,
    /// Why there is nothing after these.
    pub(crate) failure: Option<AnyError>,
}

/// One game and what is known of it.
pub(crate) struct Entry {
    pub(crate) number: u64,
    /// Absent if it was not chosen, or is rendered.
    pub(crate) game: Option<Game>,
    pub(crate) selected: bool,
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

/// What makes entries, with the memory it reuses.
struct Maker<'a> {
    recipe: Recipe<'a>,
    game: Game,
    header: Header,
    diagnostics: Diagnostics,
}

impl<'a> Maker<'a> {
    fn new(recipe: Recipe<'a>) -> Maker<'a> {
        let diagnostics =
            if recipe.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        Maker { recipe, game: Game::new(), header: Header::default(), diagnostics }
    }

    /// The games of a database from `start` on.
    fn read_database(&mut self, database: &dyn Database, start: u64) -> Batch {
        let end = start.saturating_add(BATCH).min(database.len());
        self.batch(|maker, batch, page| {
            for number in start..end {
                maker.diagnostics.clear();
                let header = &mut maker.header;
                if maker.recipe.filter.passes_over(database, number, header) {
                    batch.entries.push(Entry::passed_over(number));
                    continue;
                }
                let read = database.game(number, &mut maker.game, &mut maker.diagnostics);
                maker.take(number, read.err(), batch, page)?;
            }
            Ok(())
        })
    }

    /// The next games of a stream, counted from `start`, and whether there are more.
    fn read_source(&mut self, source: &mut dyn Source, start: u64) -> (Batch, bool) {
        let mut more = true;
        let batch = self.batch(|maker, batch, page| {
            for number in start..start.saturating_add(BATCH) {
                maker.diagnostics.clear();
                let damage = match source.next(&mut maker.game, &mut maker.diagnostics) {
                    Ok(true) => None,
                    Ok(false) => {
                        more = false;
                        return Ok(());
                    }
                    Err(error) => Some(error),
                };
                maker.take(number, damage, batch, page)?;
            }
            Ok(())
        });
        let more = more && batch.failure.is_none();
        (batch, more)
    }

    /// Fills a batch and renders it.
    fn batch(
        &mut self,
        fill: impl FnOnce(&mut Self, &mut Batch, &mut Option<Page>) -> Result<(), AnyError>,
    ) -> Batch {
        let mut batch = Batch::default();
        let done = self.recipe.renderer.map(Renderer::page).transpose().and_then(|mut page| {
            let filled = fill(self, &mut batch, &mut page);
            batch.text = page.map(Page::finish).transpose()?;
            filled
        });
        batch.failure = done.err();
        batch
    }

    /// Makes an entry of the game that was just read.
    fn take(
        &mut self,
        number: u64,
        damage: Option<AnyError>,
        batch: &mut Batch,
        page: &mut Option<Page>,
    ) -> Result<(), AnyError> {
        if let Some(error) = damage.as_ref()
            && error.scope() == Scope::Base
        {
            return damage.map_or(Ok(()), Err);
        }
        let dropped = self.recipe.drop_damaged && damage.is_some();
        let selected = !dropped && self.recipe.filter.selects(number, &self.game);
        let warnings = self.diagnostics.warnings().to_vec();
        let mut entry = Entry { warnings, damage, selected, ..Entry::passed_over(number) };
        match page {
            _ if !selected => {}
            None => entry.game = Some(std::mem::take(&mut self.game)),
            Some(page) => match page.write(&self.game, &mut entry.losses) {
                Ok(()) => {}
                Err(error) if error.scope() == Scope::Base => return Err(error),
                Err(error) => entry.refuse(error),
            },
        }
        batch.entries.push(entry);
        Ok(())
    }
}

impl Entry {
    fn passed_over(number: u64) -> Entry {
        Entry {
            number,
            game: None,
            selected: false,
            warnings: Vec::new(),
            damage: None,
            losses: Vec::new(),
            refusal: None,
        }
    }

    /// The target does not take the game.
    pub(crate) fn refuse(&mut self, error: AnyError) {
        self.losses.clear();
        self.refusal = Some(error);
    }
}

/// Hands the games of a database to `each` in order, made by so many threads, until it breaks.
pub(crate) fn run_database<E>(
    database: &dyn Database,
    recipe: Recipe<'_>,
    threads: usize,
    mut each: impl FnMut(Batch) -> Result<bool, E>,
) -> Result<(), E> {
    let batches = database.len().div_ceil(BATCH);
    let threads = u64::try_from(threads).unwrap_or(1).clamp(1, batches.max(1));
    if threads == 1 {
        let mut maker = Maker::new(recipe);
        for number in 0..batches {
            if !each(maker.read_database(database, number.saturating_mul(BATCH)))? {
                break;
            }
        }
        return Ok(());
    }
    // Thread k makes the batches k, k + threads, ...: taken in turn, they are in order.
    thread::scope(|scope| {
        let makers: Vec<Receiver<Batch>> = (0..threads)
            .map(|first| {
                let (sender, receiver) = sync_channel(AHEAD);
                scope.spawn(move || {
                    let mut maker = Maker::new(recipe);
                    let mut number = first;
                    while number < batches {
                        let batch = maker.read_database(database, number.saturating_mul(BATCH));
                        if sender.send(batch).is_err() {
                            break;
                        }
                        number = number.saturating_add(threads);
                    }
                });
                receiver
            })
            .collect();
        for (_, maker) in (0..batches).zip(makers.iter().cycle()) {
            let Ok(batch) = maker.recv() else { break };
            if !each(batch)? {
                break;
            }
        }
        Ok(())
    })
}

/// As [`run_database`] for a stream, which one thread reads and renders while this one writes.
pub(crate) fn run_source<E>(
    source: &mut dyn Source,
    recipe: Recipe<'_>,
    threads: usize,
    mut each: impl FnMut(Batch) -> Result<bool, E>,
) -> Result<(), E> {
    if threads <= 1 {
        read_batches(source, recipe, |batch| match each(batch) {
            Ok(more) => (more, Ok(())),
            Err(error) => (false, Err(error)),
        })
    } else {
        thread::scope(|scope| {
            let (sender, receiver): (SyncSender<Batch>, _) = sync_channel(AHEAD);
            scope.spawn(move || {
                read_batches(source, recipe, |batch| (sender.send(batch).is_ok(), Ok::<_, ()>(())))
            });
            for batch in receiver {
                if !each(batch)? {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// Reads a stream to its end, or until `each` has enough.
fn read_batches<E>(
    source: &mut dyn Source,
    recipe: Recipe<'_>,
    mut each: impl FnMut(Batch) -> (bool, Result<(), E>),
) -> Result<(), E> {
    let mut maker = Maker::new(recipe);
    let mut start = 0u64;
    loop {
        let (batch, more) = maker.read_source(source, start);
        start = start.saturating_add(BATCH);
        let (wanted, result) = each(batch);
        result?;
        if !more || !wanted {
            return Ok(());
        }
    }
}
