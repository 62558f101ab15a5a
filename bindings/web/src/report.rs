//! Checks a database for damage.

use std::convert::Infallible;

use scoresheet::check::{self, What};
use scoresheet::{Database, describe, describe_warning};
use serde::Serialize;

use crate::open::Games;

/// A check in progress.
#[derive(Default)]
pub(crate) struct Check {
    next: u64,
    check: check::Check,
    begun: bool,
}

/// The progress of the check, and its findings since the last call.
#[derive(Serialize)]
pub(crate) struct Checked {
    done: bool,
    looked: u64,
    damaged: u64,
    odd: u64,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    /// The number of the game, from 1; `None` for the whole database.
    number: Option<u64>,
    /// `damage`, `deviation` or `stale`.
    kind: &'static str,
    text: String,
}

impl Check {
    pub(crate) fn go_on(&mut self, games: &Games, database: &dyn Database, count: u64) -> Checked {
        let path = games.path();
        let mut findings = Vec::new();
        let mut each = |finding: &check::Finding<'_>| {
            let number = finding.game.map(|number| number.saturating_add(1));
            let kind = match finding.what {
                What::Stale(_) | What::Unverified(_) => "stale",
                _ if finding.is_damage() => "damage",
                _ => "deviation",
            };
            let text = match finding.what {
                What::Warning(warning) => describe_warning(path, warning).to_string(),
                What::Damage(error) => describe(path, error).to_string(),
                _ => finding.to_string(),
            };
            findings.push(Finding { number, kind, text });
            Ok::<_, Infallible>(())
        };
        let end = self.next.saturating_add(count).min(database.len());
        let mut reader = database.reader();
        let begun = std::mem::replace(&mut self.begun, true);
        let mut run = || {
            if !begun {
                self.check.base(database.warnings(), Some(database), &mut each)?;
            }
            (self.next..end).try_for_each(|number| self.check.game(&mut *reader, number, &mut each))
        };
        let Ok(()) = run();
        if let (false, Some(broken)) = (begun, games.broken()) {
            let text = broken.to_owned();
            findings.insert(0, Finding { number: None, kind: "damage", text });
        }
        self.next = end;
        let counts = self.check.counts();
        Checked {
            done: end == database.len(),
            looked: end,
            damaged: counts.damaged,
            odd: counts.deviating,
            findings,
        }
    }
}
