//! Decides how the games of an event were paired.

use std::collections::{BTreeMap, HashMap, HashSet};

use chess_core::{Color, GameResult};

use super::incomplete::{cycles_without_rounds, matches_of};
use super::{GameOutcome, Played};

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
    /// Each player has a match against each other player, of several games in one round.
    MatchRoundRobin {
        /// Matches of most pairs of players.
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
    /// Two sides; each player meets the players of the other side (Scheveningen system).
    Scheveningen,
    /// One player against all others.
    Simul,
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
    /// In each round a team meets one other, and the losers leave.
    TeamKnockOut {
        /// The last round.
        rounds: u32,
    },
    /// Teams that were paired in another way, or that the games do not name.
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
    /// The number behind the round, as in `3.2`. Zero is unknown.
    pub(super) game: u32,
    pub(super) players: [u32; 2],
    pub(super) is_drawn: bool,
}

/// The kind of an event, and what follows from it for single games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// Games of a pair by another reading of a round robin, if the games allow two.
    pub(super) other_cycles: Option<u32>,
    /// Games of later rounds decide a tie.
    pub(super) last_round: u32,
}

impl Found {
    /// Returns the kind of an event with `players` players.
    pub(super) fn of(games: &[Played], players: usize, event: &str) -> Found {
        let pairing = |game: &Played| Pairing {
            round: game.round.0,
            game: game.round.1,
            players: game.players,
            is_drawn: game.outcome == GameOutcome::Played(GameResult::Draw),
        };
        let pairings: Vec<Pairing> = games.iter().map(pairing).collect();
        let has_rounds = pairings.iter().any(|pairing| pairing.round > 0);
        if players > 2 && !has_rounds && event.to_lowercase().contains("arena") {
            return Kind::Arena.into();
        }
        let mut found = of_pairings(&pairings, players);
        let is_for_teams = is_team_event(event);
        match found.kind {
            Kind::Swiss { .. } | Kind::Open if is_for_teams => found.kind = Kind::Teams,
            Kind::Swiss { rounds }
                if players <= MAX_UNFINISHED
                    && rounds >= MIN_ROUNDS_BY_POINTS
                    && !meets_equals(games, players, rounds) =>
            {
                found.kind = Kind::RoundRobin { cycles: 1 };
            }
            _ => {}
        }
        found
    }
}

impl From<Kind> for Found {
    fn from(kind: Kind) -> Found {
        Found { kind, other_cycles: None, last_round: u32::MAX }
    }
}

/// Returns whether the name of an event says that teams met: `36th Olympiad`, `EuTCh`.
fn is_team_event(event: &str) -> bool {
    let is_championship = event.contains("TCh") || event.contains("chT");
    let lower = event.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    let names = ["olympiad", "olympiade", "team", "teams", "ecc", "ol"];
    is_championship || lower.contains("club cup") || words.any(|word| names.contains(&word))
}

/// How often each pair met.
fn pairs_of(games: &[Pairing]) -> HashMap<[u32; 2], u32> {
    let mut pairs: HashMap<[u32; 2], u32> = HashMap::new();
    for game in games {
        let mut pair = game.players;
        pair.sort_unstable();
        *pairs.entry(pair).or_default() += 1;
    }
    pairs
}

/// Returns how players, or teams, were paired. The first of these that holds:
///
/// - Two players have a match.
/// - In a round robin at least three quarters of all pairs have met; or a quarter, if the last round
///   is the last of a cycle; or half, if no round is known and a fifth of them met again. If most
///   pairs have several games in a round, the players have matches.
/// - In a knock-out the pairs are a tree, because the loser of a pair meets nobody else. A pair for
///   the third place is one more. At most three quarters of the players of a round are in the next,
///   except in the first of many rounds.
///   Pairs have several games, or more than two rounds have no draw.
/// - In a Scheveningen match, and in a simultaneous exhibition, the players have two sides, and no
///   two of a side met.
/// - In a Swiss tournament every game has a round, and of fifty games at most one is a second game of
///   a player in a round. Of twenty pairs at most one has met twice.
pub(super) fn of_pairings(games: &[Pairing], players: usize) -> Found {
    if players <= 2 {
        return Kind::Match.into();
    }
    let pairs = pairs_of(games);
    if let Some(found) = round_robin(games, &pairs, players) {
        return found;
    }
    if let Some(rounds) = rounds_of_knock_out(games, &pairs) {
        return Kind::KnockOut { rounds }.into();
    }
    if let Some(kind) = of_sides(&pairs, players) {
        return kind.into();
    }
    let again = pairs.values().filter(|games| **games > 1).count();
    let last_round = last_round_of_swiss(games, &pairs, players);
    if (2..=MAX_ROUNDS).contains(&last_round)
        && again * 20 <= pairs.len()
        && second_seats(games) * 50 <= games.len()
        && games.iter().all(|game| game.round > 0)
    {
        return Found { last_round, ..Kind::Swiss { rounds: last_round }.into() };
    }
    Kind::Open.into()
}

/// Returns the number of games in which a player has a second game of a round.
pub(super) fn second_seats(games: &[Pairing]) -> usize {
    let mut seats = HashSet::new();
    let has_second = |game: &&Pairing| {
        let [white, black] = game.players.map(|player| seats.insert((game.round, player)));
        !(white && black)
    };
    games.iter().filter(has_second).count()
}

fn round_robin(games: &[Pairing], pairs: &HashMap<[u32; 2], u32>, players: usize) -> Option<Found> {
    if players > MAX_IN_ROUND_ROBIN {
        return None;
    }
    let possible = players * (players - 1) / 2;
    let of_cycle = u32::try_from(players - 1 + players % 2).unwrap_or(u32::MAX);
    let last = games.iter().map(|game| game.round).max().unwrap_or(0);
    if let Some(matches) = matches_of(games) {
        let pairs = pairs_of(&matches);
        return match round_robin(&matches, &pairs, players)?.kind {
            Kind::RoundRobin { cycles } => Some(Kind::MatchRoundRobin { cycles }.into()),
            _ => None,
        };
    }
    if pairs.len() * 4 < possible * 3 && last == 0 {
        return cycles_without_rounds(pairs, players)
            .map(|cycles| Kind::RoundRobin { cycles }.into());
    }
    if pairs.len() * 4 < possible * 3 {
        // No Swiss tournament has as many rounds as its players have opponents.
        let cycles = last / of_cycle;
        let is_complete = last > 0 && last % of_cycle == 0 && last <= MAX_ROUNDS;
        let is_round_robin = is_complete
            && pairs.len() * 4 >= possible
            && pairs.values().all(|games| *games <= cycles)
            && second_seats(games) * 50 <= games.len()
            && games.iter().all(|game| game.round > 0);
        return is_round_robin.then(|| Kind::RoundRobin { cycles }.into());
    }
    let mut times: HashMap<u32, usize> = HashMap::new();
    pairs.values().for_each(|games| *times.entry(*games).or_default() += 1);
    let usual = times.iter().max_by_key(|(games, pairs)| (**pairs, **games));
    let usual = usual.map_or(1, |(games, _)| *games);
    // Rounds of a play-off do not count: at least half of the players must have a game after the
    // first cycle.
    let players_after = |round: u32| {
        let later = games.iter().filter(|game| game.round > round);
        later.flat_map(|game| game.players).collect::<HashSet<u32>>().len()
    };
    let by_rounds = match last <= MAX_ROUNDS && players_after(of_cycle) * 2 >= players {
        true => last.div_ceil(of_cycle),
        false => 1,
    };
    let cycles = usual.max(by_rounds);
    let most = times.keys().copied().max().unwrap_or(1);
    let is_begun = |cycles: u32| {
        let complete: usize =
            times.iter().filter(|(games, _)| **games >= cycles).map(|(_, pairs)| pairs).sum();
        complete * 2 >= possible || players_after((cycles - 1) * of_cycle) * 2 > players
    };
    let last_round = cycles.saturating_mul(of_cycle);
    let has_play_off = last > last_round;
    let other_cycles = match cycles {
        2.. if !is_begun(cycles) => Some(cycles - 1),
        _ if most > cycles && !has_play_off => Some(most),
        _ => None,
    };
    let last_round = if has_play_off { last_round } else { u32::MAX };
    Some(Found { kind: Kind::RoundRobin { cycles }, other_cycles, last_round })
}

/// Returns the last round that is no play-off. A play-off has at most four players, a quarter of the
/// usual round, and a pair of it has met before.
fn last_round_of_swiss(games: &[Pairing], pairs: &HashMap<[u32; 2], u32>, players: usize) -> u32 {
    let mut rounds: BTreeMap<u32, HashSet<u32>> = BTreeMap::new();
    for game in games {
        rounds.entry(game.round).or_default().extend(game.players);
    }
    let mut sizes: Vec<usize> = rounds.values().map(HashSet::len).collect();
    sizes.sort_unstable();
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(players);
    let last = rounds.keys().next_back().copied().unwrap_or(0);
    let is_small = |players: usize| players <= 4 && players * 4 <= usual;
    let mut regular = rounds.iter().rev().skip_while(|(_, players)| is_small(players.len()));
    let regular = regular.next().map_or(last, |(round, _)| *round);
    let meets_again = |game: &Pairing| {
        let mut pair = game.players;
        pair.sort_unstable();
        game.round > regular && pairs.get(&pair).is_some_and(|games| *games > 1)
    };
    if games.iter().any(meets_again) { regular } else { last }
}

fn rounds_of_knock_out(games: &[Pairing], pairs: &HashMap<[u32; 2], u32>) -> Option<u32> {
    let mut rounds: BTreeMap<u32, HashSet<u32>> = BTreeMap::new();
    for game in games {
        rounds.entry(game.round).or_default().extend(game.players);
    }
    let stages: Vec<usize> = rounds.values().map(HashSet::len).collect();
    // The games of the first rounds are those that bases lack most.
    let is_begin = |place: usize| place == 0 && stages.len() > 3;
    let is_next = |(place, pair): (usize, &[usize])| {
        let [before, now] = pair else { return false };
        let is_last = place + 2 == stages.len() && now.max(before) <= &4;
        is_begin(place) || now * 4 <= before * 3 || is_last
    };
    // Single games could be of a Swiss tournament, if some are drawn.
    let has_enough = match stages.len() {
        0..=2 => games.len() * 2 >= pairs.len() * 3,
        _ => games.len() * 5 >= pairs.len() * 6 || !games.iter().any(|game| game.is_drawn),
    };
    let is_knock_out = !rounds.contains_key(&0)
        && stages.len() > 1
        && has_enough
        && stages.first().is_some_and(|first| *first >= 4)
        && stages.windows(2).enumerate().all(is_next)
        && surplus_of_tree(pairs) <= 1;
    rounds.keys().next_back().copied().filter(|_| is_knock_out)
}

/// Returns the number of pairs that close a circle.
fn surplus_of_tree(pairs: &HashMap<[u32; 2], u32>) -> usize {
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let mut surplus = 0;
    for pair in pairs.keys() {
        let [one, other] = pair.map(|mut player| {
            while let Some(parent) = parents.get(&player).copied().filter(|one| *one != player) {
                // The path is halved, so that it stays short.
                let next = parents.get(&parent).copied().unwrap_or(parent);
                parents.insert(player, next);
                player = next;
            }
            player
        });
        if one == other {
            surplus += 1;
        } else {
            parents.insert(one, other);
            parents.entry(other).or_insert(other);
        }
    }
    surplus
}

/// Returns the kind if the players have two sides that met each other only, and three of five pairs
/// have met.
fn of_sides(pairs: &HashMap<[u32; 2], u32>, players: usize) -> Option<Kind> {
    let mut opponents: HashMap<u32, Vec<u32>> = HashMap::new();
    for [one, other] in pairs.keys() {
        opponents.entry(*one).or_default().push(*other);
        opponents.entry(*other).or_default().push(*one);
    }
    let first = opponents.keys().min().copied()?;
    let mut sides: HashMap<u32, bool> = HashMap::from([(first, false)]);
    let mut queue = vec![first];
    while let Some(player) = queue.pop() {
        let side = sides.get(&player).copied().unwrap_or(false);
        for opponent in opponents.get(&player).into_iter().flatten() {
            match sides.get(opponent) {
                Some(other) if *other == side => return None,
                Some(_) => {}
                None => {
                    sides.insert(*opponent, !side);
                    queue.push(*opponent);
                }
            }
        }
    }
    let one = sides.values().filter(|side| **side).count();
    let other = sides.len() - one;
    let is_met = sides.len() == players && pairs.len() * 5 >= one * other * 3;
    match one.min(other) {
        1 if is_met => Some(Kind::Simul),
        2.. if is_met => Some(Kind::Scheveningen),
        _ => None,
    }
}

/// The most players of a round robin that points reveal.
const MAX_UNFINISHED: usize = 20;
/// Fewer rounds do not tell.
const MIN_ROUNDS_BY_POINTS: u32 = 4;

/// Returns whether opponents have similar points before their games, as in a Swiss tournament. If
/// fewer than four of five games are there, points tell nothing, and this is assumed.
fn meets_equals(games: &[Played], players: usize, rounds: u32) -> bool {
    let boards = players / 2 * rounds as usize;
    if games.len() * 5 < boards * 4 {
        return true;
    }
    let mut points: HashMap<u32, u64> = HashMap::new();
    // The differences of the points of opponents, and of all pairs of players in the same round.
    let (mut met, mut all) = ((0, 0), (0, 0));
    for round in games.chunk_by(|one, other| one.round.0 == other.round.0) {
        let point = |player: u32| points.get(&player).copied().unwrap_or(0);
        let there: Vec<u64> = round.iter().flat_map(|game| game.players).map(point).collect();
        for game in round {
            let [white, black] = game.players.map(point);
            met = (met.0 + white.abs_diff(black), met.1 + 1);
        }
        for (place, one) in there.iter().enumerate() {
            for other in there.iter().skip(place + 1) {
                all = (all.0 + one.abs_diff(*other), all.1 + 1);
            }
        }
        for game in round {
            for (player, color) in game.players.into_iter().zip([Color::White, Color::Black]) {
                *points.entry(player).or_default() += game.outcome.for_player(color).half_points();
            }
        }
    }
    // Three quarters of the mean difference of all pairs.
    met.0 * all.1 * 4 < all.0 * met.1 * 3
}

#[cfg(test)]
mod tests {
    use super::super::tests::add;
    use super::super::{Crosstable, EventReport, Kind};

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

    /// Returns a complete round robin of an even number of players, in rounds.
    fn circle(players: u32) -> Vec<(u32, u32, u32)> {
        let mut games = Vec::new();
        for round in 1..players {
            let turn = |place: u32| (place + round) % (players - 1);
            games.push((round, turn(0), players - 1));
            for place in 1..players / 2 {
                games.push((round, turn(place), turn(players - 1 - place)));
            }
        }
        games
    }

    /// Returns the table of games as round, White, Black. The player with the lower number wins.
    fn table(event: &str, games: &[(u32, u32, u32)]) -> Crosstable {
        let mut report = EventReport::new();
        for (round, white, black) in games {
            let result = if white < black { "1-0" } else { "0-1" };
            let [white, black] = [white, black].map(|player| format!("P{player}"));
            let round = if *round == 0 { "?".to_owned() } else { round.to_string() };
            add(&mut report, &[(&white, &black, result)], &[("Round", &round), ("Event", event)]);
        }
        report.table(&[]).unwrap()
    }

    #[test]
    fn round_robin_with_half_of_its_games_is_told_by_its_last_round() {
        let all = circle(14);
        let some: Vec<_> =
            all.iter().copied().filter(|(round, one, _)| (round + one) % 3 == 0).collect();
        assert!(some.len() < 40 && some.iter().any(|(round, ..)| *round == 13));
        let found = table("Corus", &some);
        assert_eq!(found.kind, Kind::RoundRobin { cycles: 1 });
        assert_eq!(found.missing, 91 - some.len());
        let without_last: Vec<_> = some.into_iter().filter(|(round, ..)| *round < 12).collect();
        assert_eq!(table("Open", &without_last).kind, Kind::Swiss { rounds: 11 });
    }

    #[test]
    fn round_robin_after_six_rounds_is_no_swiss_since_opponents_have_other_points() {
        let six: Vec<_> = circle(14).into_iter().filter(|(round, ..)| *round <= 6).collect();
        let found = table("Tata Steel", &six);
        assert_eq!((found.kind, found.missing), (Kind::RoundRobin { cycles: 1 }, 91 - 42));
        // The winners of each round meet: 16 players, 8 games a round.
        let mut points = [0u32; 16];
        let mut met = std::collections::HashSet::new();
        let mut swiss = Vec::new();
        for round in 1..=6 {
            let mut order: Vec<u32> = (0..16).collect();
            order.sort_by_key(|player| (std::cmp::Reverse(points[*player as usize]), *player));
            while let Some(one) = order.first().copied() {
                let is_new = |other: &u32| {
                    *other != one && !met.contains(&(one.min(*other), one.max(*other)))
                };
                let other = order.iter().copied().find(is_new).unwrap_or(order[1]);
                met.insert((one.min(other), one.max(other)));
                points[one.min(other) as usize] += 1;
                swiss.push((round, one, other));
                order.retain(|player| ![one, other].contains(player));
            }
        }
        assert_eq!(table("Open", &swiss).kind, Kind::Swiss { rounds: 6 });
    }

    #[test]
    fn round_robin_without_rounds_is_told_by_pairs_that_met_again() {
        let single = circle(12);
        let (twice, once): (Vec<_>, Vec<_>) = single
            .iter()
            .map(|(_, one, two)| (0, *one, *two))
            .partition(|(_, one, two)| (one + two) % 5 == 0);
        let once: Vec<_> = once.into_iter().filter(|(_, one, two)| (one + two) % 3 > 0).collect();
        let again: Vec<_> = twice.iter().map(|(round, one, two)| (*round, *two, *one)).collect();
        let games = [&twice[..], &once, &again].concat();
        let pairs = twice.len() + once.len();
        assert!(pairs * 4 < 66 * 3 && pairs * 2 >= 66, "{pairs}");
        let found = table("New York", &games);
        assert_eq!(found.kind, Kind::RoundRobin { cycles: 2 });
        assert_eq!(found.missing, 132 - games.len());
        assert_eq!(table("New York", &[twice, once].concat()).kind, Kind::Open);
    }

    #[test]
    fn round_robin_of_matches_misses_games_that_their_numbers_tell() {
        let mut report = EventReport::new();
        let mut add_match = |round: u32, players: [u32; 2], games: &[u32]| {
            let [one, other] = players.map(|player| format!("P{player}"));
            for game in games {
                let round = format!("{round}.{game}");
                add(&mut report, &[(&one, &other, "1-0")], &[("Round", &round)]);
            }
        };
        for (round, one, other) in circle(6) {
            let games: &[u32] = match (one + other) % 3 {
                0 => &[1, 2, 3],
                1 => &[1, 2, 3, 4],
                _ => &[1, 4],
            };
            // One match is missing, and two games of each of some others.
            if (round, one, other) != (1, 1, 5) {
                add_match(round, [one, other], games);
            }
        }
        let found = report.table(&[]).unwrap();
        assert_eq!(found.kind, Kind::MatchRoundRobin { cycles: 1 });
        let cut = circle(6).iter().filter(|(_, one, other)| (one + other) % 3 == 2).count();
        assert_eq!(found.missing, 1 + 2 * cut);
    }

    #[test]
    fn cycles_of_a_round_robin_that_has_begun_again_have_two_readings() {
        let single = circle(4);
        let reading = |games: &[_]| {
            let table = table("Club", games);
            (table.kind, table.missing, table.other_reading)
        };
        let [one, two, three] = [1, 2, 3].map(|cycles| Kind::RoundRobin { cycles });
        assert_eq!(reading(&single), (one, 0, None));
        let again: Vec<_> =
            single.iter().map(|(round, one, two)| (round + 3, *two, *one)).collect();
        let double = [&single[..], &again].concat();
        assert_eq!(reading(&double), (two, 0, None));
        // Two rounds of the second cycle are played by all.
        assert_eq!(reading(&double[..10]), (two, 2, None));
        // One game of the last round.
        assert_eq!(reading(&[&single[..], &again[5..]].concat()), (two, 5, Some((1, 0))));
        // Without rounds, a pair that met twice.
        let no_rounds: Vec<_> = double[..7].iter().map(|(_, one, two)| (0, *one, *two)).collect();
        assert_eq!(reading(&no_rounds), (one, 0, Some((2, 5))));
        let third = single.iter().map(|(round, one, two)| (round + 6, *one, *two));
        assert_eq!(reading(&[double, third.collect()].concat()), (three, 0, None));
    }

    #[test]
    fn games_after_the_last_round_decide_a_tie_and_do_not_count() {
        let games = circle(6);
        let play_off = [(6, 0, 1), (7, 1, 0)];
        let found = table("Club", &[&games[..], &play_off].concat());
        assert_eq!((found.kind, found.missing), (Kind::RoundRobin { cycles: 1 }, 0));
        assert_eq!((found.play_off, found.players[0].half_points), (2, 10));
        // A Swiss tournament of 40 players, three rounds.
        let swiss =
            (1..=3).flat_map(|round| (0..20).map(move |one| (round, one, 20 + (one + round) % 20)));
        let swiss: Vec<_> =
            swiss.chain((0..20).map(|one| (4, one, (one + 10) % 20)).take(10)).collect();
        let found = table("Open", &[&swiss[..], &[(5, 1, 22), (6, 22, 1)]].concat());
        assert_eq!((found.kind, found.play_off), (Kind::Swiss { rounds: 4 }, 2));
        let mut report = EventReport::new();
        for (round, white, black) in [("1", "A", "B"), ("2", "B", "A"), ("TB 1", "A", "B")] {
            add(&mut report, &[(white, black, "1-0")], &[("Round", round)]);
        }
        let found = report.table(&[]).unwrap();
        assert_eq!((found.kind, found.play_off, found.missing), (Kind::Match, 1, 0));
        assert_eq!(found.players[0].half_points, 2);
    }

    #[test]
    fn two_sides_are_a_scheveningen_match_or_a_simul() {
        // Ten rounds, ten boards; three games are missing.
        let games = (1..=10)
            .flat_map(|round| (0..10).map(move |one| (round, one, 10 + (one + round) % 10)));
        let found = table("RUS vs. ROW", &games.skip(3).collect::<Vec<_>>());
        assert_eq!((found.kind, found.missing), (Kind::Scheveningen, 3));
        let simul: Vec<_> = (1..20).map(|other| (0, 0, other)).collect();
        assert_eq!(table("Simul", &simul).kind, Kind::Simul);
    }

    #[test]
    fn teams_are_told_by_the_name_of_the_event() {
        let swiss: Vec<_> = (1..=3)
            .flat_map(|round| (0..20).map(move |one| (round, one, 20 + (one + round) % 20)))
            .collect();
        let swiss: Vec<_> = swiss.into_iter().chain([(4, 0, 1), (4, 20, 21)]).collect();
        for (event, kind) in [
            ("36th Olympiad", Kind::Teams),
            ("EuTCh", Kind::Teams),
            ("Moscow ol (Men)", Kind::Teams),
            ("Polish Open", Kind::Swiss { rounds: 4 }),
        ] {
            assert_eq!(table(event, &swiss).kind, kind, "{event}");
        }
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

    #[test]
    fn knock_out_with_half_of_its_games_is_a_tree() {
        // 32 players; each pair has two games, and every second one is missing.
        let mut games = Vec::new();
        let mut players: Vec<u32> = (0..32).collect();
        for round in 1..=5 {
            for (place, pair) in players.chunks(2).enumerate() {
                let count = 1 + place % 2;
                games.extend(
                    [(round, pair[0], pair[1]), (round, pair[1], pair[0])].iter().take(count),
                );
            }
            players = players.iter().copied().step_by(2).collect();
        }
        // Of the first round a base has a few games only.
        assert_eq!(table("Cup", &games[16..]).kind, Kind::KnockOut { rounds: 5 });
        games.remove(3);
        assert_eq!(table("Cup", &games).kind, Kind::KnockOut { rounds: 5 });
        games.extend([(2, 1, 3), (3, 5, 7)]);
        assert_eq!(table("Cup", &games).kind, Kind::KnockOut { rounds: 5 });
        games.extend([(2, 1, 5), (3, 3, 7)]);
        assert_ne!(table("Cup", &games).kind, Kind::KnockOut { rounds: 5 });
    }
}
