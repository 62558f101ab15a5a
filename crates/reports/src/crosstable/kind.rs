//! Decides how the games of an event were paired.

use std::collections::{BTreeMap, HashMap, HashSet};

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
    /// In each round a player meets one opponent, in one game or several, and the losers leave.
    KnockOut {
        /// The last round.
        rounds: u32,
    },
    /// Games without rounds, one after the other, as the name of the event says.
    Arena,
    /// Two teams.
    TeamMatch,
    /// Each team meets each other team.
    TeamRoundRobin {
        /// Matches of most pairs of teams.
        cycles: u32,
    },
    /// Teams with one match in each round, each against another team.
    TeamSwiss {
        /// The last round.
        rounds: u32,
    },
    /// Teams that were paired in another way.
    Teams,
    /// None of these, or not enough is known.
    Open,
}

/// The most players of a round robin.
const MAX_IN_ROUND_ROBIN: usize = 60;
/// The most rounds of a Swiss tournament.
const MAX_ROUNDS: u32 = 40;

/// Two players, or two teams, who met.
#[derive(Clone, Copy)]
pub(super) struct Pairing {
    /// Zero is unknown.
    pub(super) round: u32,
    pub(super) players: [u32; 2],
}

impl Kind {
    /// Returns the kind of an event with `players` players.
    pub(super) fn of(games: &[Played], players: usize, event: &str) -> Kind {
        let pairing = |game: &Played| Pairing { round: game.round.0, players: game.players };
        let pairings: Vec<Pairing> = games.iter().map(pairing).collect();
        let has_rounds = pairings.iter().any(|pairing| pairing.round > 0);
        if players > 2 && !has_rounds && event.to_lowercase().contains("arena") {
            return Kind::Arena;
        }
        of_pairings(&pairings, players)
    }
}

/// Returns how players, or teams, were paired.
///
/// - In a round robin at least three quarters of all pairs have met.
/// - In a knock-out each player has one opponent in a round, no player comes in later, and at most
///   half of the pairs of a round are left in the next. The last round may have a second pair. Pairs
///   have three games for two pairs, or more.
/// - In a Swiss tournament every game has a round, and of fifty games at most one is a second game of
///   a player in a round. Of twenty pairs at most one has met twice.
pub(super) fn of_pairings(games: &[Pairing], players: usize) -> Kind {
    let mut pairs: HashMap<[u32; 2], u32> = HashMap::new();
    for game in games {
        let mut pair = game.players;
        pair.sort_unstable();
        *pairs.entry(pair).or_default() += 1;
    }
    if players <= 2 {
        return Kind::Match;
    }
    let rounds = games.iter().map(|game| game.round).max().unwrap_or(0);
    let possible = players * (players - 1) / 2;
    if players <= MAX_IN_ROUND_ROBIN && pairs.len() * 4 >= possible * 3 {
        let mut times: HashMap<u32, usize> = HashMap::new();
        pairs.values().for_each(|games| *times.entry(*games).or_default() += 1);
        let most = times.into_iter().max_by_key(|(games, pairs)| (*pairs, *games));
        let most = most.map_or(1, |(games, _)| games);
        return Kind::RoundRobin { cycles: most.max(cycles_of_rounds(games, players, rounds)) };
    }
    if let Some(rounds) = rounds_of_knock_out(games) {
        return Kind::KnockOut { rounds };
    }
    let again = pairs.values().filter(|games| **games > 1).count();
    let mut seats = HashSet::new();
    let has_one_seat = |game: &&Pairing| {
        let [white, black] = game.players.map(|player| seats.insert((game.round, player)));
        white && black
    };
    let seated = games.iter().filter(has_one_seat).count();
    let is_swiss = (2..=MAX_ROUNDS).contains(&rounds)
        && again * 20 <= pairs.len()
        && (games.len() - seated) * 50 <= games.len()
        && games.iter().all(|game| game.round > 0);
    if is_swiss { Kind::Swiss { rounds } } else { Kind::Open }
}

/// Returns the cycles of a round robin by its last round. Rounds of a play-off do not count: at least
/// half of the players must have a game after the first cycle.
fn cycles_of_rounds(games: &[Pairing], players: usize, rounds: u32) -> u32 {
    let of_cycle = u32::try_from(players - 1 + players % 2).unwrap_or(u32::MAX);
    let later = games.iter().filter(|game| game.round > of_cycle);
    let later: HashSet<u32> = later.flat_map(|game| game.players).collect();
    if later.len() * 2 < players || rounds > MAX_ROUNDS {
        return 1;
    }
    rounds.div_ceil(of_cycle)
}

fn rounds_of_knock_out(games: &[Pairing]) -> Option<u32> {
    let mut rounds: BTreeMap<u32, HashMap<u32, u32>> = BTreeMap::new();
    for game in games {
        let [white, black] = game.players;
        let opponents = rounds.entry(game.round).or_default();
        for (own, opponent) in [(white, black), (black, white)] {
            if *opponents.entry(own).or_insert(opponent) != opponent {
                return None;
            }
        }
    }
    let stages: Vec<&HashMap<u32, u32>> = rounds.values().collect();
    let is_next = |(place, pair): (usize, &[&HashMap<u32, u32>])| {
        let [before, now] = pair else { return false };
        let is_last = place + 2 == stages.len() && now.len() <= 4;
        now.keys().all(|player| before.contains_key(player))
            && (now.len() * 2 <= before.len() || is_last)
    };
    // Single games could be a round of a Swiss tournament.
    let pairs: usize = stages.iter().map(|stage| stage.len() / 2).sum();
    let is_knock_out = !rounds.contains_key(&0)
        && rounds.len() > 1
        && games.len() * 2 >= pairs * 3
        && stages.first().is_some_and(|first| first.len() >= 4)
        && stages.windows(2).enumerate().all(is_next);
    rounds.keys().next_back().copied().filter(|_| is_knock_out)
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

    #[test]
    fn round_robin_with_later_rounds_has_more_cycles() {
        let first = [
            ("1", "A", "D"),
            ("1", "B", "C"),
            ("2", "D", "C"),
            ("2", "A", "B"),
            ("3", "B", "D"),
            ("3", "C", "A"),
        ];
        assert_eq!(kind(&first), Kind::RoundRobin { cycles: 1 });
        let fourth = [&first[..], &[("4", "D", "A"), ("4", "C", "B")]].concat();
        assert_eq!(kind(&fourth), Kind::RoundRobin { cycles: 2 });
    }

    #[test]
    fn knock_out_loses_half_of_its_pairs_each_round() {
        let games = [
            ("1.1", "A", "B"),
            ("1.2", "B", "A"),
            ("1.1", "C", "D"),
            ("1.2", "D", "C"),
            ("1.1", "E", "F"),
            ("1.2", "F", "E"),
            ("1.1", "G", "H"),
            ("2.1", "A", "C"),
            ("2.1", "E", "G"),
            ("3.1", "A", "E"),
            ("3.2", "E", "A"),
            ("3.1", "C", "G"),
        ];
        assert_eq!(kind(&games), Kind::KnockOut { rounds: 3 });
        let back = [&games[..], &[("3.1", "B", "D")]].concat();
        assert_ne!(kind(&back), Kind::KnockOut { rounds: 3 });
    }
}
