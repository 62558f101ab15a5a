//! Decides how the games of an event were paired.

use std::collections::{HashMap, HashSet};

use super::Played;

/// How the games of an event were paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Two players against each other.
    Match,
    /// Each player meets each other player.
    RoundRobin {
        /// Games of most pairs of players.
        cycles: u32,
    },
    /// Rounds in which each player has one game at most, each against another opponent.
    Swiss {
        /// The last round.
        rounds: u32,
    },
    /// None of these, or not enough is known.
    Open,
}

/// The most players of a round robin.
const MOST_IN_ROUND_ROBIN: usize = 60;
/// The most rounds of a Swiss tournament.
const MOST_ROUNDS: u32 = 40;

impl Kind {
    /// Returns the kind of an event with `players` players.
    ///
    /// - In a round robin at least three quarters of all pairs have met.
    /// - In a Swiss tournament every game has a round, no player has two games in a round, and of
    ///   twenty pairs at most one has met twice.
    pub(super) fn of(games: &[Played], players: usize) -> Kind {
        let mut pairs: HashMap<[u32; 2], u32> = HashMap::new();
        for game in games {
            let mut pair = game.players;
            pair.sort_unstable();
            *pairs.entry(pair).or_default() += 1;
        }
        if players <= 2 {
            return Kind::Match;
        }
        let possible = players * (players - 1) / 2;
        if players <= MOST_IN_ROUND_ROBIN && pairs.len() * 4 >= possible * 3 {
            let mut times: HashMap<u32, usize> = HashMap::new();
            pairs.values().for_each(|games| *times.entry(*games).or_default() += 1);
            let most = times.into_iter().max_by_key(|(games, pairs)| (*pairs, *games));
            return Kind::RoundRobin { cycles: most.map_or(1, |(games, _)| games) };
        }
        let again = pairs.values().filter(|games| **games > 1).count();
        let rounds = games.iter().map(|game| game.round.0).max().unwrap_or(0);
        let mut seats = HashSet::new();
        let has_one_seat = |game: &Played| {
            game.round.0 > 0
                && game.players.iter().all(|player| seats.insert((game.round.0, *player)))
        };
        let is_swiss = (2..=MOST_ROUNDS).contains(&rounds)
            && again * 20 <= pairs.len()
            && games.iter().all(has_one_seat);
        if is_swiss { Kind::Swiss { rounds } } else { Kind::Open }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::add;
    use super::super::{EventReport, Kind};

    /// Returns the kind for games as `round white black`.
    fn kind(games: &[(&str, &str, &str)]) -> Kind {
        let mut report = EventReport::new();
        for (round, white, black) in games {
            add(&mut report, &[(white, black, "1-0")], &[("Round", round)]);
        }
        report.table(&[]).unwrap().kind
    }

    #[test]
    fn kind_follows_from_the_pairs() {
        assert_eq!(kind(&[("1", "A", "B")]), Kind::Match);
        let single = [("1", "A", "B"), ("2", "B", "C"), ("3", "C", "A")];
        assert_eq!(kind(&single), Kind::RoundRobin { cycles: 1 });
        let back = [("4", "B", "A"), ("5", "C", "B"), ("6", "A", "C")];
        assert_eq!(kind(&[single, back].concat()), Kind::RoundRobin { cycles: 2 });
        let swiss = [
            ("1", "A", "B"),
            ("1", "C", "D"),
            ("1", "E", "F"),
            ("1", "G", "H"),
            ("2", "A", "C"),
            ("2", "E", "G"),
        ];
        assert_eq!(kind(&swiss), Kind::Swiss { rounds: 2 });
        let without_rounds = swiss.map(|(_, white, black)| ("?", white, black));
        assert_eq!(kind(&without_rounds), Kind::Open);
        let twice = [&swiss[..], &[("2", "A", "D")]].concat();
        assert_eq!(kind(&twice), Kind::Open);
    }
}
