//! The counts of a conversion.

use std::collections::BTreeMap;
use std::fmt;

use chess_store::{LossKind, Losses};

use super::Outcome;

/// The result of a conversion, in counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Games that the sources list.
    pub read: u64,
    /// Games written, complete or not.
    pub written: u64,
    /// Games that the filter did not select.
    pub passed_over: u64,
    /// Damaged games; they are written up to the damage.
    pub damaged: u64,
    /// Games that the target refused.
    pub refused: u64,
    /// Games written with losses.
    pub lossy: u64,
    /// Facts of the bases that the target could not hold, or that conflict between bases.
    pub base_losses: Losses,
    /// Games written that the source marks as deleted.
    pub deleted: u64,
    /// Losses of games by kind.
    pub losses: BTreeMap<LossKind, u64>,
    /// Tolerated deviations, and [warnings](crate::Output::warnings) about the outputs, by name.
    pub warnings: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Returns whether every selected game was read and written completely.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.damaged == 0 && self.refused == 0 && self.lossy == 0 && self.base_losses.is_empty()
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

impl Summary {
    /// Counts a game.
    pub(super) fn add(&mut self, outcome: &Outcome<'_>) {
        let count = |counter: &mut u64, when: bool| {
            *counter += u64::from(when);
        };
        let written = outcome.written > 0;
        count(&mut self.read, true);
        self.written += outcome.written;
        count(&mut self.passed_over, !outcome.selected);
        count(&mut self.damaged, outcome.damage.is_some());
        count(&mut self.refused, outcome.refusal.is_some());
        count(&mut self.deleted, written && outcome.deleted);
        count(&mut self.lossy, written && !outcome.losses.is_empty());
        if !outcome.losses.is_empty() {
            for (kind, more) in outcome.losses.counts() {
                let counter = self.losses.entry(kind).or_default();
                *counter += more;
            }
        }
        for warning in outcome.warnings {
            count(self.warnings.entry(warning.name).or_default(), true);
        }
        for (name, _, more) in outcome.unlisted.iter() {
            let counter = self.warnings.entry(name).or_default();
            *counter += more;
        }
    }
}
