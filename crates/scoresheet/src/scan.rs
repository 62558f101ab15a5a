//! Reads the games of a base on all cores.

use std::ops::ControlFlow;

use chess_core::Game;
use chess_store::{AnyError, Warning, WarningCounts};
use query::Filter;

use crate::base::{Base, Progress};
use crate::error::Error;
use crate::pipeline::{ReadBy, Scan, Transform, TransformOutput, available_threads, run};

/// Buffer size of a game that is kept for reuse.
const USUAL: usize = 8 << 10;

/// Reads the games of a base on several threads, and hands the selected games out on the calling thread
/// in order.
///
/// ```no_run
/// use scoresheet::{Filter, Scanner};
///
/// let mut base = scoresheet::open("twic.si4")?;
/// let filter = Filter::new().with("player", "karpov")?.with("date", "1975..1985")?;
/// Scanner::new().filter(filter).for_each(&mut base, |scanned| {
///     println!("{}: {} plies", scanned.number + 1, scanned.game.ply_count());
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
    /// The game. If it is damaged, the part that could be read.
    pub game: &'a Game,
    /// Deviations that were tolerated while reading.
    pub warnings: &'a [Warning],
    /// Further deviations, by name, if there are more than [`Diagnostics::KEPT`].
    ///
    /// [`Diagnostics::KEPT`]: chess_store::Diagnostics::KEPT
    pub unlisted: &'a WarningCounts,
    /// The error that ended the reading of a damaged game.
    pub damage: Option<&'a AnyError>,
    /// The fields of the index entry that disagree with the game. Filled if the scanner
    /// [verifies](Scanner::verify) and the game is not damaged.
    pub stale: &'a [&'static str],
    /// The error that prevented the comparison with the index entry.
    pub unverified: Option<&'a AnyError>,
    /// Progress of the scan.
    pub progress: Progress,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner::new()
    }
}

impl Scanner {
    /// Creates a scanner that selects all games and uses every core.
    #[must_use]
    pub fn new() -> Scanner {
        Scanner { filter: Filter::default(), threads: available_threads(), verify: false }
    }

    /// Returns whether the filter selects every game.
    #[cfg(feature = "lines")]
    pub(crate) fn selects_all(&self) -> bool {
        self.filter.is_open()
    }

    /// Hands out only the games that `filter` selects. Games that number, header or index rule out are
    /// not read.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Scanner {
        Scanner { filter, ..self }
    }

    /// Uses `threads` threads. The order of games does not change.
    #[must_use]
    pub fn threads(self, threads: usize) -> Scanner {
        Scanner { threads, ..self }
    }

    /// Compares each game with its index entry.
    #[must_use]
    pub fn verify(self, verify: bool) -> Scanner {
        Scanner { verify, ..self }
    }

    /// Returns a scanner with the same filter and threads that compares each game with its index entry.
    pub(crate) fn verifying(&self) -> Scanner {
        Scanner { filter: self.filter.clone(), threads: self.threads, verify: true }
    }

    /// Hands each selected game of `base`, or of the rest of a stream, to `each`. Returns the number of
    /// games seen, selected or not.
    ///
    /// # Errors
    /// Errors that concern the base as a whole. The games before the error have been handed out.
    pub fn for_each(
        &self,
        base: &mut Base,
        mut each: impl FnMut(&Scanned<'_>),
    ) -> Result<u64, Error> {
        self.run(base, |scanned| {
            each(scanned);
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Like [`for_each`](Scanner::for_each), for an `each` that can stop or fail. Stops if `each` breaks
    /// or fails. Returns the number of games seen, selected or not.
    ///
    /// # Errors
    /// Errors of `each`, and errors that concern the base as a whole. The games before the error have
    /// been handed out.
    pub fn run<E: From<Error>>(
        &self,
        base: &mut Base,
        each: impl FnMut(&Scanned<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<u64, E> {
        self.run_watched(base, each, |_| ControlFlow::Continue(()))
    }

    /// Like [`run`](Scanner::run). Also calls `watch` after each batch of games, however few of them are
    /// selected, and stops if `watch` breaks.
    ///
    /// # Errors
    /// As [`run`](Scanner::run).
    pub fn run_watched<E: From<Error>>(
        &self,
        base: &mut Base,
        mut each: impl FnMut(&Scanned<'_>) -> Result<ControlFlow<()>, E>,
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<u64, E> {
        let path = base.path().to_path_buf();
        let narrowed = base.narrowed(&self.filter);
        let scan = Scan::of_candidates(narrowed.as_ref().unwrap_or(&self.filter));
        let transforms = (0..self.threads.max(1)).map(|_| Take { verify: self.verify }).collect();
        let is_database = base.database().is_some();
        let mut games = 0u64;
        run(base, &scan, transforms, |batch, progress| -> Result<bool, E> {
            for read in &batch.games {
                games += 1;
                if !read.selected {
                    continue;
                }
                let scanned = Scanned {
                    number: read.number,
                    game: &read.output.game,
                    warnings: read.findings.warnings(),
                    unlisted: read.findings.unlisted(),
                    damage: read.findings.damage(),
                    stale: &read.output.stale,
                    unverified: read.output.unverified.as_ref(),
                    progress,
                };
                if each(&scanned)?.is_break() {
                    if is_database {
                        // Games before this one may have been skipped.
                        games = scanned.number + 1;
                    }
                    return Ok(false);
                }
            }
            games += batch.skipped;
            match batch.failure.take() {
                Some(error) => Err(Error::base(&path, error).into()),
                None => Ok(watch(progress).is_continue()),
            }
        })?;
        Ok(games)
    }
}

/// Keeps each game, and compares it with its index entry if asked.
struct Take {
    verify: bool,
}

#[derive(Default)]
struct Taken {
    game: Game,
    stale: Vec<&'static str>,
    unverified: Option<AnyError>,
}

impl TransformOutput for Taken {
    fn clear(&mut self) {
        self.game.trim(USUAL);
        self.stale.clear();
        self.unverified = None;
    }
}

impl Transform for Take {
    type Output = Taken;

    fn apply(&mut self, game: &mut Game, read_by: Option<ReadBy<'_>>, output: &mut Taken) {
        if let (true, Some(ReadBy::Database(reader, number))) = (self.verify, read_by) {
            match reader.verify(number, game) {
                Ok(stale) => output.stale = stale,
                Err(error) => output.unverified = Some(error),
            }
        }
        std::mem::swap(game, &mut output.game);
    }
}
