//! Looking through the games of a base on all cores.

use std::ops::ControlFlow;

use chess_core::{AnyError, Game, Warning};

use crate::base::{Base, Progress};
use crate::filter::Filter;
use crate::pipeline::{Batch, Recipe, available_threads, run_base};

/// Reads the games of a base on several threads, and hands them out in order on this one.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use scoresheet::{Filter, Scanner};
///
/// let mut base = scoresheet::open("twic.si4")?;
/// let filter = Filter { player: Some("karpov".to_owned()), ..Filter::default() };
/// Scanner::new().filter(filter).run(&mut base, &mut |scanned| {
///     if scanned.selected {
///         println!("{}: {} plies", scanned.number + 1, scanned.game.ply_count());
///     }
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scanner {
    filter: Filter,
    threads: usize,
}

/// One game that was read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Scanned<'a> {
    /// Number in its base, from zero.
    pub number: u64,
    /// Whether the [`Filter`] chooses it.
    pub selected: bool,
    /// The game; as far as it reads, if it is damaged.
    pub game: &'a Game,
    /// Tolerated deviations met on reading.
    pub warnings: &'a [Warning],
    /// Why it did not read to its end.
    pub damage: Option<&'a AnyError>,
    /// How far the reading has come.
    pub progress: Progress,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner::new()
    }
}

impl Scanner {
    /// Takes all games and uses every core.
    #[must_use]
    pub fn new() -> Scanner {
        Scanner { filter: Filter::default(), threads: available_threads() }
    }

    /// Chooses games. Those whose number, header or index tells that they are not chosen are
    /// not read, and not handed out.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Scanner {
        Scanner { filter, ..self }
    }

    /// Uses so many threads; the order of games is kept.
    #[must_use]
    pub fn threads(self, threads: usize) -> Scanner {
        Scanner { threads, ..self }
    }

    /// Hands each game of a base, or what a stream still has, to `each`, until that breaks.
    ///
    /// # Errors
    /// What makes the base of no more use; the games before have been handed out.
    pub fn run(
        &self,
        base: &mut Base,
        each: &mut dyn FnMut(&Scanned<'_>) -> ControlFlow<()>,
    ) -> Result<(), AnyError> {
        let recipe =
            Recipe { filter: &self.filter, strict: false, drop_damaged: false, renderer: None };
        run_base(base, recipe, self.threads, |batch, progress| hand_out(batch, progress, each))
    }
}

fn hand_out(
    batch: &mut Batch,
    progress: Progress,
    each: &mut dyn FnMut(&Scanned<'_>) -> ControlFlow<()>,
) -> Result<bool, AnyError> {
    for entry in batch.entries.iter().filter(|entry| entry.read) {
        let scanned = Scanned {
            number: entry.number,
            selected: entry.selected,
            game: &entry.game,
            warnings: &entry.warnings,
            damage: entry.damage.as_ref(),
            progress,
        };
        if each(&scanned).is_break() {
            return Ok(false);
        }
    }
    batch.failure.take().map_or(Ok(true), Err)
}
