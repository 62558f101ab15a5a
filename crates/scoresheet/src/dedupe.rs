//! Finds the repeated games of bases.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use chess_core::Game;
use chess_store::erased::Format;
pub use dedupe::{Differences, Duplicates, Kind, Merged, Pair, Place, Taken, merge};
use dedupe::{Fingerprinter, Games, Reduced, hash_whole};
use query::Filter;
use query::spelling::Speller;

use crate::base::{Base, Progress};
use crate::error::Error;
use crate::pipeline::{ReadBy, Scan, Transform, TransformOutput, available_threads, run};
use crate::raw_games::{RawGames, Span};
use crate::scan::{Scanned, Scanner};

/// Finds duplicate games in one or more bases, by the rules of [`Games`].
///
/// Memory: as for [`Games`], and 24 bytes per game that is to be copied as text.
///
/// ```no_run
/// use std::ops::ControlFlow;
///
/// use scoresheet::dedupe::Deduper;
///
/// let mut deduper = Deduper::new();
/// deduper.add(&mut scoresheet::open("a.pgn")?, &mut |_| ControlFlow::Continue(()))?;
/// deduper.add(&mut scoresheet::open("b.si4")?, &mut |_| ControlFlow::Continue(()))?;
/// for pair in &deduper.finish().pairs {
///     println!("game {} of base {} is a duplicate", pair.game.number, pair.game.base);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Deduper {
    filter: Filter,
    threads: usize,
    copied_to: Option<&'static Format>,
    games: Games,
    raw_games: Vec<RawGames>,
    /// The filter of each base.
    filters: Vec<Filter>,
    /// Games and bases that `look_within` has processed.
    looked: (usize, usize),
}

impl Default for Deduper {
    fn default() -> Deduper {
        Deduper::new()
    }
}

impl Deduper {
    /// Creates a deduper that compares all games.
    #[must_use]
    pub fn new() -> Deduper {
        Deduper {
            filter: Filter::default(),
            threads: available_threads(),
            copied_to: None,
            games: Games::new().threads(available_threads()),
            raw_games: Vec::new(),
            filters: Vec::new(),
            looked: (0, 0),
        }
    }

    /// Compares only the games that `filter` selects, of the bases that are added next. If the filter has a spelling file, the names of
    /// one person, event or site are one.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Deduper {
        Deduper { filter, ..self }
    }

    /// Uses `threads` threads. The result does not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Deduper {
        Deduper { threads, games: self.games.threads(threads), ..self }
    }

    /// Records which games can be copied as text to a base of this format.
    #[must_use]
    pub fn copied_to(self, format: &'static Format) -> Deduper {
        Deduper { copied_to: Some(format), ..self }
    }

    /// Adds the games of a base.
    ///
    /// # Errors
    /// Errors that concern the base as a whole.
    pub fn add(
        &mut self,
        base: &mut Base,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let number = self.filters.len();
        self.filters.push(self.filter.clone());
        let path = base.path().to_path_buf();
        let keeps_raw_games =
            self.copied_to.is_some_and(|format| format.name == base.format().name);
        let scan = Scan::of_candidates(&self.filter);
        let spelling = &self.filter.spelling;
        let (names, mut added) = self.games.adding();
        let transform = |_| Reduce {
            fingerprinter: Fingerprinter::new(&names),
            keeps_raw_games,
            speller: spelling.as_ref().map(|spelling| Speller::new(Arc::clone(spelling))),
        };
        let transforms = (0..self.threads.max(1)).map(transform).collect();
        let mut raw_games = RawGames::default();
        let read = run(base, &scan, transforms, |batch, done| {
            for game in batch.games.iter().filter(|game| game.selected) {
                added.push(&game.output.reduced, Place { base: number, number: game.number });
                game.output.span.iter().for_each(|span| raw_games.push(game.number, *span));
            }
            match batch.failure.take() {
                Some(error) => Err(Error::base(&path, error)),
                None => Ok(progress(done).is_continue()),
            }
        });
        self.raw_games.push(raw_games);
        read
    }

    /// Finds games that are the beginning of other games. Call it for each base again, in the same
    /// order, after all bases were added. Only games with known players and at least one move
    /// count.
    ///
    /// # Errors
    /// Errors that concern the base as a whole.
    pub fn look_within(
        &mut self,
        base: &mut Base,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (mut index, number) = self.looked;
        // The games were counted when they were added.
        let filter = self.filters.get(number).unwrap_or(&self.filter).recounted();
        Scanner::new().filter(filter).threads(self.threads).run(base, |scanned| {
            self.games.look_within(index, scanned.game);
            index += 1;
            Ok::<_, Error>(progress(scanned.progress))
        })?;
        self.looked = (index, number + 1);
        Ok(())
    }

    /// Takes the games of each base that can be copied as text, for
    /// [`Converter::set_raw_games`](crate::Converter::set_raw_games). Empty unless the deduper was
    /// created with [`copied_to`](Deduper::copied_to).
    pub fn take_raw_games(&mut self) -> Vec<RawGames> {
        std::mem::take(&mut self.raw_games)
    }

    /// Returns the duplicates found.
    #[must_use]
    pub fn finish(self) -> Duplicates {
        self.games.finish()
    }
}

/// Completes the games that are kept by their duplicates, for
/// [`Converter::set_merged`](crate::Converter::set_merged). `open` opens a base again, by its number;
/// each is read twice. Passes what each game took to `each`: the game, the duplicate, what it took.
///
/// Memory: the games that have duplicates.
///
/// # Errors
/// Errors that concern a base as a whole.
pub fn merge_duplicates(
    found: &Duplicates,
    bases: usize,
    open: &mut dyn FnMut(usize) -> Result<Base, Error>,
    each: &mut dyn FnMut(Place, Place, &[Taken]),
) -> Result<Merged, Error> {
    let mut kept: HashMap<Place, Kept> =
        found.pairs.iter().map(|pair| (pair.stays, Kept::default())).collect();
    for number in 0..bases {
        read(open, number, |place, game| {
            if let Some(kept) = kept.get_mut(&place) {
                (kept.hash, kept.game) = (hash_whole(game), game.clone());
            }
        })?;
    }
    let mut pairs = found.pairs.iter().peekable();
    for number in 0..bases {
        read(open, number, |place, game| {
            while pairs.next_if(|pair| pair.game < place).is_some() {}
            let Some(pair) = pairs.next_if(|pair| pair.game == place) else { return };
            let Some(kept) = kept.get_mut(&pair.stays) else { return };
            let taken = merge(&mut kept.game, game, false);
            if !taken.is_empty() {
                kept.has_taken = true;
                each(pair.stays, place, &taken);
            }
        })?;
    }
    let kept = kept.into_values().filter(|kept| kept.has_taken);
    Ok(kept.map(|kept| (kept.hash, kept.game)).collect())
}

/// A game that is kept.
#[derive(Default)]
struct Kept {
    hash: u64,
    game: Game,
    has_taken: bool,
}

/// Passes the games of a base to `each`, a damaged one up to the damage.
fn read(
    open: &mut dyn FnMut(usize) -> Result<Base, Error>,
    number: usize,
    mut each: impl FnMut(Place, &Game),
) -> Result<(), Error> {
    let each = |scanned: &Scanned<'_>| {
        each(Place { base: number, number: scanned.number }, scanned.game);
    };
    Scanner::new().for_each(&mut open(number)?, each).map(|_| ())
}

/// Reduces games to their fingerprints.
struct Reduce<'a> {
    fingerprinter: Fingerprinter<'a>,
    keeps_raw_games: bool,
    speller: Option<Speller>,
}

#[derive(Default)]
struct Output {
    reduced: Reduced,
    /// The text of a game that can be copied.
    span: Option<Span>,
}

impl TransformOutput for Output {
    fn clear(&mut self) {
        self.reduced.clear();
        self.span = None;
    }
}

impl Transform for Reduce<'_> {
    type Output = Output;

    fn apply(&mut self, game: &mut Game, read_by: Option<ReadBy<'_>>, output: &mut Output) {
        if let Some(speller) = &mut self.speller {
            speller.correct(&mut game.header, |_| {});
        }
        self.fingerprinter.reduce(game, &mut output.reduced);
        if let Some(ReadBy::Stream(parser, block, before)) = read_by
            && self.keeps_raw_games
            && !game.header.deleted
        {
            let text = parser.as_text().and_then(|parser| parser.text(block));
            output.span = text.and_then(|text| Span::new(block, before, &text));
        }
    }
}
