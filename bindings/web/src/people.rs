//! The people whom the *Player* filter means.

use scoresheet::chess_core::{Color, Game};
use scoresheet::chess_store::Diagnostics;
use scoresheet::filter::{Identities, People, Text};
use scoresheet::{Database, Filter};
use serde::Serialize;

/// The most games that are asked. More would take seconds.
const MAX_GAMES: usize = 100_000;

/// A count in progress.
pub(crate) struct Asked {
    names: Vec<Text>,
    people: People,
    game: Game,
    next: usize,
}

/// The progress, and the people at the end: none unless they are several.
#[derive(Serialize)]
pub(crate) struct Progress {
    pub(crate) done: bool,
    people: Vec<Shown>,
    /// Games that can be of several of them.
    unclear: u64,
}

#[derive(Serialize)]
struct Shown {
    /// A query for the person: the FIDE id, or else the most frequent name.
    ask: String,
    name: String,
    games: u64,
    years: Option<(u16, u16)>,
    ratings: Option<(u16, u16)>,
}

impl Asked {
    pub(crate) fn new(filter: &Filter) -> Asked {
        let names = filter.player.clone();
        Asked { names, people: People::new(), game: Game::new(), next: 0 }
    }

    /// Reads the next `count` of the games `found`.
    pub(crate) fn go_on(
        &mut self,
        database: &dyn Database,
        found: &[u32],
        count: usize,
    ) -> Progress {
        let end = self.next.saturating_add(count).min(found.len()).min(MAX_GAMES);
        let mut reader = database.reader();
        let mut notes = Diagnostics::lenient();
        for number in found.get(self.next..end).unwrap_or_default() {
            notes.clear();
            // A damaged game has the names that could be read.
            let _ = reader.header(u64::from(*number), &mut self.game.header, &mut notes);
            for color in [Color::White, Color::Black] {
                if self.names.iter().any(|name| name.is_player(&self.game.header, color)) {
                    self.people.add(&self.game, color);
                }
            }
        }
        self.next = end;
        if end < found.len().min(MAX_GAMES) {
            return Progress { done: false, people: Vec::new(), unclear: 0 };
        }
        let several = |name: &Text| {
            let found = self.people.only(|own| name.is_in(own)).identities();
            (found.people.len() > 1).then_some(found)
        };
        Progress::of(self.names.iter().find_map(several).unwrap_or_default())
    }
}

impl Progress {
    fn of(found: Identities) -> Progress {
        let unclear = found.unclear.iter().map(|(_, games)| games).sum::<u64>();
        let unclear = unclear.saturating_add(found.others);
        let shown = |person: scoresheet::filter::Identity| {
            let name = person.names.into_iter().next().map(|(name, _)| name).unwrap_or_default();
            Shown {
                ask: person.fide_id.map_or_else(|| name.clone(), |id| id.to_string()),
                name,
                games: person.games,
                years: person.years,
                ratings: person.ratings,
            }
        };
        Progress { done: true, people: found.people.into_iter().map(shown).collect(), unclear }
    }
}
