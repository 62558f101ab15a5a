//! Reads the games of bases once, for a report.

use std::sync::Arc;

use chess_core::Game;
use openings::Opening;
use query::spelling::Speller;
use query::{Filter, TimeClass};
use reports::{Facts, Report};

use crate::base::{Base, Progress};
use crate::error::Error;
use crate::pipeline::{ReadBy, Scan, Transform, TransformOutput, available_threads, run};

/// Buffer size of a game that is kept for reuse.
const USUAL: usize = 8 << 10;

/// Reads bases for a report. Each call of [`run`](Survey::run) adds a base.
#[derive(Clone, Debug)]
pub struct Survey {
    filter: Filter,
    threads: usize,
    seen: u64,
    selected: u64,
    damaged: u64,
}

impl Default for Survey {
    fn default() -> Survey {
        Survey::new()
    }
}

impl Survey {
    /// Creates a survey of all games, which uses every core.
    #[must_use]
    pub fn new() -> Survey {
        let filter = Filter::default();
        Survey { filter, threads: available_threads(), seen: 0, selected: 0, damaged: 0 }
    }

    /// Counts only the games that `filter` selects. If the filter has a spelling file, the report gets
    /// the names that the file prefers.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Survey {
        Survey { filter, ..self }
    }

    /// Uses `threads` threads. The result does not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Survey {
        Survey { threads: threads.max(1), ..self }
    }

    /// Returns the number of games read, selected or not.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns the number of selected games.
    #[must_use]
    pub fn selected(&self) -> u64 {
        self.selected
    }

    /// Returns the number of selected games that are damaged.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Hands the selected games of `base`, or of the rest of a stream, to `report`.
    ///
    /// # Errors
    /// Errors that concern the base as a whole. The games before the error were handed over.
    pub fn run(
        &mut self,
        base: &mut Base,
        report: &mut impl Report,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Error> {
        let path = base.path().to_path_buf();
        let filter = self.filter.clone();
        let asks_openings = report.asks_openings();
        let transform = |_| {
            let speller = filter.spelling.as_ref().map(|all| Speller::new(Arc::clone(all)));
            Extract { asks_openings, speller }
        };
        let transforms = (0..self.threads).map(transform).collect();
        run(base, &Scan::of_candidates(&filter), transforms, |batch, at| {
            progress(at);
            self.seen += batch.skipped;
            for read in &batch.games {
                self.seen += 1;
                if !read.selected {
                    continue;
                }
                let Extracted { game, names, opening, time_class, plies } = &read.output;
                let names = match names {
                    Some([white, black]) => [white.as_str(), black],
                    None => [game.header.white.as_str(), &game.header.black],
                };
                let is_damaged = read.findings.damage().is_some();
                self.selected += 1;
                self.damaged += u64::from(is_damaged);
                report.add(&Facts {
                    number: read.number,
                    game,
                    names,
                    opening: *opening,
                    time_class: time_class.unwrap_or(TimeClass::Unknown),
                    plies: *plies,
                    is_damaged,
                });
            }
            match batch.failure.take() {
                Some(error) => Err(Error::base(&path, error)),
                None => Ok(true),
            }
        })
    }
}

/// Computes the facts of a game on the thread that read the game.
struct Extract {
    asks_openings: bool,
    speller: Option<Speller>,
}

#[derive(Default)]
struct Extracted {
    game: Game,
    /// White and Black before they were corrected.
    names: Option<[String; 2]>,
    opening: Option<Opening>,
    time_class: Option<TimeClass>,
    plies: usize,
}

impl TransformOutput for Extracted {
    fn clear(&mut self) {
        self.game.trim(USUAL);
        self.names = None;
        (self.opening, self.time_class, self.plies) = (None, None, 0);
    }
}

impl Transform for Extract {
    type Output = Extracted;

    fn apply(&mut self, game: &mut Game, _: Option<ReadBy<'_>>, output: &mut Extracted) {
        output.opening = if self.asks_openings { Opening::of(game) } else { None };
        output.time_class = Some(TimeClass::of(game));
        output.plies = game.ply_count();
        if let Some(speller) = &mut self.speller {
            output.names = Some([game.header.white.clone(), game.header.black.clone()]);
            speller.correct(&mut game.header, |_| ());
        }
        std::mem::swap(game, &mut output.game);
    }
}
