//! Looking through the games of a base on all cores.

use std::ops::ControlFlow;

use chess_core::Game;
use chess_store::{AnyError, Warning};

use crate::base::{Base, Progress};
use crate::error::Error;
use crate::filter::Filter;
use crate::pipeline::{Item, Job, Maker, ReadBy, available_threads, run};

/// Memory of a game that is kept for the next.
const USUAL: usize = 8 << 10;

/// Reads the games of a base on several threads, and hands the chosen ones out in order on this one.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use scoresheet::Scanner;
/// use scoresheet::filter::{Filter, Text};
///
/// let mut base = scoresheet::open("twic.si4")?;
/// let mut filter = Filter::default();
/// filter.player = vec![Text::name("karpov")?];
/// Scanner::new().filter(filter).run(&mut base, |scanned| {
///     println!("{}: {} plies", scanned.number + 1, scanned.game.ply_count());
///     Ok::<_, scoresheet::Error>(ControlFlow::Continue(()))
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scanner {
    filter: Filter,
    threads: usize,
    verify: bool,
}

/// One game that was read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Scanned<'a> {
    /// Number in its base, from zero.
    pub number: u64,
    /// The game; as far as it reads, if it is damaged.
    pub game: &'a Game,
    /// Tolerated deviations met on reading.
    pub warnings: &'a [Warning],
    /// Why it did not read to its end.
    pub damage: Option<&'a AnyError>,
    /// The fields of its index entry that do not agree with it, if the scanner
    /// [verifies](Scanner::verify) and the game is not damaged.
    pub stale: &'a [&'static str],
    /// Why its index entry could not be compared with it.
    pub unverified: Option<&'a AnyError>,
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
        Scanner { filter: Filter::default(), threads: available_threads(), verify: false }
    }

    /// Chooses games; only these are handed out. Those whose number, header or index tells that
    /// they are not chosen are not even read.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Scanner {
        Scanner { filter, ..self }
    }

    /// Uses so many threads; the order of games is kept.
    #[must_use]
    pub fn threads(self, threads: usize) -> Scanner {
        Scanner { threads, ..self }
    }

    /// Compares each game with its index entry.
    #[must_use]
    pub fn verify(self, verify: bool) -> Scanner {
        Scanner { verify, ..self }
    }

    /// Hands each chosen game of a base, or of what a stream still has, to `each`, until that
    /// breaks or fails. Says how many games there were, chosen or not.
    ///
    /// # Errors
    /// Those of `each`; what makes the base of no more use. The games before have been handed out.
    pub fn run<E: From<Error>>(
        &self,
        base: &mut Base,
        mut each: impl FnMut(&Scanned<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<u64, E> {
        let path = base.path().to_path_buf();
        let job = Job::new(&self.filter);
        let makers = (0..self.threads.max(1)).map(|_| Take { verify: self.verify }).collect();
        let mut games = 0u64;
        run(base, &job, makers, |batch, progress| -> Result<bool, E> {
            for entry in &batch.entries {
                games = games.saturating_add(1);
                if !entry.selected {
                    continue;
                }
                let scanned = Scanned {
                    number: entry.number,
                    game: &entry.item.game,
                    warnings: &entry.warnings,
                    damage: entry.damage.as_ref(),
                    stale: &entry.item.stale,
                    unverified: entry.item.unverified.as_ref(),
                    progress,
                };
                if each(&scanned)?.is_break() {
                    return Ok(false);
                }
            }
            match batch.failure.take() {
                Some(error) => Err(Error::base(&path, error).into()),
                None => Ok(true),
            }
        })?;
        Ok(games)
    }
}

/// Takes games as they are.
struct Take {
    verify: bool,
}

#[derive(Default)]
struct Taken {
    game: Game,
    stale: Vec<&'static str>,
    unverified: Option<AnyError>,
}

impl Item for Taken {
    fn clear(&mut self) {
        self.game.trim(USUAL);
        self.stale.clear();
        self.unverified = None;
    }
}

impl Maker for Take {
    type Item = Taken;

    fn make(&mut self, game: &mut Game, read_by: Option<ReadBy<'_>>, item: &mut Taken) {
        if let (true, Some(ReadBy::Database(reader, number))) = (self.verify, read_by) {
            match reader.verify(number, game) {
                Ok(stale) => item.stale = stale,
                Err(error) => item.unverified = Some(error),
            }
        }
        std::mem::swap(game, &mut item.game);
    }
}
