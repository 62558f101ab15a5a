//! Games from a source to a writer, with everything that was lost on the way added up.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use chess_core::seam::{Loss, LossKind, Source, Writer};
use chess_core::{AnyError, Diagnostics, Game, Scope, Warning};

/// Copies games, adding up over as many sources as it is [run](Converter::run) on.
///
/// A game that reads with an error is written as far as it goes and counted as damaged. One the
/// target refuses is left out and counted. Errors that concern a whole base stop the run.
#[derive(Debug, Default)]
pub struct Converter {
    game: Game,
    losses: Vec<Loss>,
    diagnostics: Diagnostics,
    strict: bool,
    summary: Summary,
}

/// Is told what happens to each game of a conversion. `()` does not care.
pub trait Watch {
    /// Whether to write a game. Damaged games ask too.
    fn select(&mut self, game: &Game) -> bool {
        let _ = game;
        true
    }

    /// A game has been dealt with; `number` counts from zero within its source. Breaking ends
    /// the run as if the source had no more games.
    fn outcome(&mut self, number: u64, outcome: &Outcome<'_>) -> ControlFlow<()> {
        let _ = (number, outcome);
        ControlFlow::Continue(())
    }
}

impl Watch for () {}

/// What became of one game.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// The game as it was read.
    pub game: &'a Game,
    /// Tolerated deviations met on reading.
    pub warnings: &'a [Warning],
    /// Why it did not read to its end.
    pub damage: Option<&'a AnyError>,
    /// Whether [`Watch::select`] chose it.
    pub selected: bool,
    /// What the target could not hold.
    pub losses: &'a [Loss],
    /// Why the target did not take it at all.
    pub refusal: Option<&'a AnyError>,
}

/// What happened in a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Games the sources listed.
    pub read: u64,
    /// Games written, whole or not.
    pub written: u64,
    /// Games not chosen.
    pub passed_over: u64,
    /// Games that did not read to their end; written as far as they go.
    pub damaged: u64,
    /// Games the target refused.
    pub refused: u64,
    /// Games written of which the target could not hold everything.
    pub lossy: u64,
    /// Losses by kind.
    pub losses: BTreeMap<LossKind, u64>,
    /// Tolerated deviations by name.
    pub warnings: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Whether every chosen game was read whole and written whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.damaged == 0 && self.refused == 0 && self.lossy == 0
    }
}

impl fmt::Display for Summary {
    /// One line: `103 games read, 102 written, 1 refused`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = if self.read == 1 { "game" } else { "games" };
        write!(f, "{} {games} read, {} written", self.read, self.written)?;
        let more = [
            (self.passed_over, "not chosen"),
            (self.damaged, "damaged"),
            (self.refused, "refused"),
            (self.lossy, "with losses"),
        ];
        for (count, word) in more {
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        Ok(())
    }
}

impl Converter {
    /// Tolerates and adds up.
    #[must_use]
    pub fn lenient() -> Converter {
        Converter::default()
    }

    /// Stops at the first deviation, damage, refusal or loss.
    #[must_use]
    pub fn strict() -> Converter {
        let diagnostics = Diagnostics::strict();
        Converter { strict: true, diagnostics, ..Converter::default() }
    }

    /// What has happened so far, over all runs.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Copies the games a source still has. The writer is not finished: more may follow.
    ///
    /// # Errors
    /// What makes the source or the writer of no more use; when strict, the first thing that
    /// would have been counted.
    pub fn run(
        &mut self,
        source: &mut dyn Source,
        writer: &mut dyn Writer,
        watch: &mut dyn Watch,
    ) -> Result<(), ConvertError> {
        let mut number = 0u64;
        loop {
            self.diagnostics.clear();
            self.losses.clear();
            let damage = match source.next(&mut self.game, &mut self.diagnostics) {
                Ok(false) => return Ok(()),
                Ok(true) => None,
                Err(error) if self.strict || error.scope() == Scope::Base => {
                    return Err(ConvertError::Read(error));
                }
                Err(error) => Some(error),
            };
            let selected = watch.select(&self.game);
            let refusal = if selected { self.write(writer, number)? } else { None };
            let outcome = Outcome {
                game: &self.game,
                warnings: self.diagnostics.warnings(),
                damage: damage.as_ref(),
                selected,
                losses: &self.losses,
                refusal: refusal.as_ref(),
            };
            self.summary.add(&outcome);
            if watch.outcome(number, &outcome).is_break() {
                return Ok(());
            }
            number = number.saturating_add(1);
        }
    }

    fn write(
        &mut self,
        writer: &mut dyn Writer,
        number: u64,
    ) -> Result<Option<AnyError>, ConvertError> {
        let refusal = match writer.write(&self.game, &mut self.losses) {
            Ok(()) => None,
            Err(error) if self.strict || error.scope() == Scope::Base => {
                return Err(ConvertError::Write(error));
            }
            Err(error) => {
                self.losses.clear();
                Some(error)
            }
        };
        match self.losses.first() {
            Some(loss) if self.strict => Err(ConvertError::Loss { number, loss: loss.clone() }),
            _ => Ok(refusal),
        }
    }
}

impl Summary {
    /// Counts a game.
    fn add(&mut self, outcome: &Outcome<'_>) {
        let count = |counter: &mut u64, when: bool| {
            *counter = counter.saturating_add(u64::from(when));
        };
        let written = outcome.selected && outcome.refusal.is_none();
        count(&mut self.read, true);
        count(&mut self.written, written);
        count(&mut self.passed_over, !outcome.selected);
        count(&mut self.damaged, outcome.damage.is_some());
        count(&mut self.refused, outcome.refusal.is_some());
        count(&mut self.lossy, written && !outcome.losses.is_empty());
        for loss in outcome.losses {
            count(self.losses.entry(loss.kind).or_default(), true);
        }
        for warning in outcome.warnings {
            count(self.warnings.entry(warning.name).or_default(), true);
        }
    }
}

/// Why a conversion stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The source failed.
    #[error("{0}")]
    Read(AnyError),
    /// The writer failed.
    #[error("{0}")]
    Write(AnyError),
    /// Strict, and the target cannot hold everything.
    #[error("game {}: the target cannot hold everything: {loss}", number.saturating_add(1))]
    Loss {
        /// Number of the game in its source, from zero.
        number: u64,
        /// The first thing lost.
        loss: Loss,
    },
}
