//! Checks a database for damage.

use scoresheet::chess_core::Game;
use scoresheet::chess_store::{AnyError, Diagnostics};
use scoresheet::{Database, describe, describe_warning};
use serde::Serialize;

use crate::open::Games;

/// A check in progress.
#[derive(Default)]
pub(crate) struct Check {
    next: u64,
    damaged: u64,
    odd: u64,
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
        let tell = |error: &AnyError| describe(path, error).to_string();
        let mut findings = Vec::new();
        let mut find = |number: Option<u64>, kind, text| {
            let number = number.map(|number| number.saturating_add(1));
            findings.push(Finding { number, kind, text });
        };
        if !self.begun {
            self.begun = true;
            if let Some(broken) = games.broken() {
                find(None, "damage", broken.to_owned());
            }
            for warning in database.warnings() {
                find(None, "deviation", describe_warning(path, warning).to_string());
            }
            match database.check() {
                Ok(odd) => odd.into_iter().for_each(|what| find(None, "deviation", what)),
                Err(error) => find(None, "damage", tell(&error)),
            }
        }
        let end = self.next.saturating_add(count).min(database.len());
        let mut reader = database.reader();
        let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
        for number in self.next..end {
            notes.clear();
            let read = reader.game(number, &mut game, &mut notes);
            for warning in notes.warnings() {
                find(Some(number), "deviation", describe_warning(path, warning).to_string());
            }
            for (name, message, count) in notes.unlisted().iter() {
                let game = number.saturating_add(1);
                let text = format!("game {game}: {message}: {count} more [{name}]");
                find(Some(number), "deviation", text);
            }
            let mut is_odd = !notes.warnings().is_empty();
            match read {
                Err(error) => {
                    self.damaged = self.damaged.saturating_add(1);
                    find(Some(number), "damage", tell(&error));
                }
                Ok(()) => match reader.verify(number, &game) {
                    Ok(stale) => {
                        is_odd |= !stale.is_empty();
                        for field in stale {
                            let text = format!("the index entry disagrees with the game: {field}");
                            find(Some(number), "stale", text);
                        }
                    }
                    Err(error) => {
                        is_odd = true;
                        let why = error.message();
                        let text = format!("the index entry cannot be compared: {why}");
                        find(Some(number), "stale", text);
                    }
                },
            }
            self.odd = self.odd.saturating_add(u64::from(is_odd));
        }
        self.next = end;
        let (damaged, odd) = (self.damaged, self.odd);
        Checked { done: end == database.len(), looked: end, damaged, odd, findings }
    }
}
