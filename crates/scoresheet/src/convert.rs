//! Games from a base to an output, with everything that was lost on the way added up.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use chess_core::seam::{Loss, LossKind};
use chess_core::{AnyError, Scope, Warning};

use crate::base::{Base, Progress};
use crate::create::Output;
use crate::filter::Filter;
use crate::pipeline::{Batch, Entry, Recipe, available_threads, run_base};

/// Copies games, adding up over as many bases as it is [run](Converter::run) on.
///
/// A game that reads with an error is written as far as it goes and counted as damaged. One the
/// target refuses is left out and counted. Errors that concern a whole base stop the run.
#[derive(Debug)]
pub struct Converter {
    filter: Filter,
    strict: bool,
    drop_damaged: bool,
    threads: usize,
    summary: Summary,
}

/// Is told what happens in a conversion, in order. `()` does not care.
pub trait Watch {
    /// A game has been dealt with. Breaking ends the run as if there were no more games.
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        let _ = outcome;
        ControlFlow::Continue(())
    }

    /// Some more games have been dealt with.
    fn progress(&mut self, progress: Progress) {
        let _ = progress;
    }
}

impl Watch for () {}

/// What became of one game.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// Number in its base, from zero.
    pub number: u64,
    /// Whether the [`Filter`] chose it.
    pub selected: bool,
    /// Tolerated deviations met on reading.
    pub warnings: &'a [Warning],
    /// Why it did not read to its end.
    pub damage: Option<&'a AnyError>,
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

impl Default for Converter {
    fn default() -> Converter {
        Converter::new()
    }
}

impl Converter {
    /// Takes all games, tolerates deviations, damage and losses, and uses every core.
    #[must_use]
    pub fn new() -> Converter {
        Converter {
            filter: Filter::default(),
            strict: false,
            drop_damaged: false,
            threads: available_threads(),
            summary: Summary::default(),
        }
    }

    /// Stops at the first deviation, damage, refusal or loss.
    #[must_use]
    pub fn strict(self, strict: bool) -> Converter {
        Converter { strict, ..self }
    }

    /// Leaves damaged games out instead of writing them as far as they go.
    #[must_use]
    pub fn drop_damaged(self, drop_damaged: bool) -> Converter {
        Converter { drop_damaged, ..self }
    }

    /// Takes only games the filter chooses.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Converter {
        Converter { filter, ..self }
    }

    /// Uses so many threads; the order of games is kept, and what is written is the same.
    #[must_use]
    pub fn threads(self, threads: usize) -> Converter {
        Converter { threads, ..self }
    }

    /// What has happened so far, over all runs.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Copies the games of a base, or what a stream still has. The output is not finished: more
    /// may follow.
    ///
    /// # Errors
    /// What makes the base or the output of no more use; when strict, the first thing that
    /// would have been counted.
    pub fn run(
        &mut self,
        base: &mut Base,
        output: &mut Output,
        watch: &mut dyn Watch,
    ) -> Result<(), ConvertError> {
        let renderer = output.renderer();
        let strict = self.strict;
        let recipe = Recipe {
            filter: &self.filter,
            strict,
            drop_damaged: self.drop_damaged,
            renderer: renderer.as_ref(),
        };
        let rendered = renderer.is_some();
        let mut sink = Sink { summary: &mut self.summary, strict, rendered, output, watch };
        run_base(base, recipe, self.threads, |batch, progress| sink.take(batch, progress))
    }
}

/// Where batches go.
struct Sink<'a> {
    summary: &'a mut Summary,
    strict: bool,
    /// Whether games come rendered.
    rendered: bool,
    output: &'a mut Output,
    watch: &'a mut dyn Watch,
}

impl Sink<'_> {
    /// Writes and counts a batch; whether more are wanted.
    fn take(&mut self, batch: &mut Batch, progress: Progress) -> Result<bool, ConvertError> {
        if self.rendered {
            self.output.append(&batch.text).map_err(ConvertError::Write)?;
        }
        for entry in &mut batch.entries {
            if entry.selected && !self.rendered {
                self.write(entry)?;
            }
            if self.strict {
                refuse_anything(entry)?;
            }
            let outcome = entry.outcome();
            self.summary.add(&outcome);
            if self.watch.outcome(&outcome).is_break() {
                return Ok(false);
            }
        }
        self.watch.progress(progress);
        batch.failure.take().map_or(Ok(true), |error| Err(ConvertError::Read(error)))
    }

    fn write(&mut self, entry: &mut Entry) -> Result<(), ConvertError> {
        match self.output.write(&entry.game, &mut entry.losses) {
            Ok(()) => Ok(()),
            Err(error) if error.scope() == Scope::Base => Err(ConvertError::Write(error)),
            Err(error) => {
                entry.refuse(error);
                Ok(())
            }
        }
    }
}

/// The first thing wrong with a game, as an error.
fn refuse_anything(entry: &mut Entry) -> Result<(), ConvertError> {
    let number = entry.number;
    if let Some(error) = entry.damage.take() {
        return Err(ConvertError::Read(error));
    }
    if let Some(error) = entry.refusal.take() {
        return Err(ConvertError::Write(error));
    }
    entry.losses.drain(..).next().map_or(Ok(()), |loss| Err(ConvertError::Loss { number, loss }))
}

impl Entry {
    fn outcome(&self) -> Outcome<'_> {
        Outcome {
            number: self.number,
            selected: self.selected,
            warnings: &self.warnings,
            damage: self.damage.as_ref(),
            losses: &self.losses,
            refusal: self.refusal.as_ref(),
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
