//! The standings of an event: points, tie-breaks, places.

use std::collections::{HashMap, HashSet};

use chess_core::{Color, Date, Elo};

use super::kind::Found;
use super::{
    EventReport, EventSummary, GameOutcome, Kind, Outcome, Played, PlayerTags, TeamStanding,
    TieBreak, repeats, teams,
};
use crate::Score;
use crate::names::is_nobody;

/// The table of an event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Crosstable {
    /// The event.
    pub event: EventSummary,
    /// How the games were paired.
    pub kind: Kind,
    /// The players, the best first.
    pub players: Vec<Standing>,
    /// The teams, the best first. Empty if the games do not name them.
    pub teams: Vec<TeamStanding>,
    /// The criteria by which players with equal points are ranked, in order.
    pub tie_breaks: Vec<TieBreak>,
    /// Number of games without a result.
    pub unfinished: usize,
    /// Number of forfeits.
    pub forfeits: usize,
    /// Number of games that one side won without a move, though nothing says that they are
    /// forfeits. They count as played.
    pub without_moves: usize,
    /// Games that a complete round robin, or the rounds of a match, would have besides these. For a round
    /// robin of matches, whose lengths differ, a lower limit.
    pub missing: usize,
    /// Another number of games of each pair of a round robin, if the games allow two, and the games
    /// that are missing then.
    pub other_reading: Option<(u32, usize)>,
    /// Games that decide a tie after the last round. They do not count.
    pub play_off: usize,
    /// Games that repeat the players, the colours, the round and the moves of another game. They do not
    /// count.
    pub repeated: usize,
    /// Games without an opponent (`?`, `bye`). They count for points only.
    pub byes: usize,
}

/// A player in a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Standing {
    /// Place, from 1. Players whom no tie-break separates share a place.
    pub place: usize,
    /// Name as it is spelt in the games.
    pub name: String,
    /// Title, FIDE id and federation, as far as tags say so.
    pub about: PlayerTags,
    /// The player's rating in the first game with one.
    pub elo: Option<Elo>,
    /// Points, counted in halves, with forfeits.
    pub half_points: u64,
    /// The score of the games that were played.
    pub score: Score,
    /// The values of the tie-breaks in the order of [`Crosstable::tie_breaks`]. The direct encounter
    /// has a value only where players are still tied.
    pub tie_breaks: Vec<Option<f64>>,
    /// Rounds without an opponent, and the points in halves. The round is known or `None`.
    pub byes: Vec<(Option<u32>, u64)>,
    /// The games in the order of rounds and dates.
    pub games: Vec<Meeting>,
}

/// A game from the view of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Meeting {
    /// Index of the opponent in [`Crosstable::players`].
    pub opponent: usize,
    /// Colour of the player.
    pub color: Color,
    /// Outcome for the player.
    pub outcome: Outcome,
    /// Round, from 1, if known.
    pub round: Option<u32>,
    /// Date of the game.
    pub date: Date,
    /// Rating of the opponent.
    pub(super) opponent_elo: Option<Elo>,
}

/// The most games of a match; greater numbers are no rounds.
const MAX_ROUNDS: u32 = 100;

/// Computes the table of the games of `report`, all in one event.
pub(super) fn table(
    report: &EventReport,
    event: EventSummary,
    tie_breaks: &[TieBreak],
) -> Crosstable {
    let mut games = report.games.clone();
    // Rounds without a number are in the order of their dates. The sort is stable.
    games.sort_by_key(|game| (game.round, game.date));
    let repeated = repeats::remove(&mut games);
    let is_nobody = |player: &u32| is_nobody(report.players.text(*player));
    let (byes, games): (Vec<Played>, Vec<Played>) =
        games.into_iter().partition(|game| game.players.iter().any(is_nobody));
    let (mut teams, mut games) = (None, games);
    let (kind, other_cycles, play_off) = match teams::of(report, &games) {
        Some(found) => (teams.insert(found).kind, None, 0),
        None => {
            let with_byes = games.iter().chain(&byes).flat_map(|game| game.players);
            let count = with_byes.filter(|player| !is_nobody(player)).collect::<HashSet<_>>().len();
            let regular = games.iter().filter(|game| !game.is_play_off).copied();
            let found = Found::of(&regular.collect::<Vec<_>>(), count, &event.event);
            let all = games.len();
            let last = found.last_round;
            let counts_all = matches!(found.kind, Kind::KnockOut { .. } | Kind::Open);
            games.retain(|game| counts_all || !game.is_play_off && game.round.0 <= last);
            (found.kind, found.other_cycles, all - games.len())
        }
    };
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut players: Vec<Standing> = Vec::new();
    for game in games.iter().chain(&byes) {
        let sides = game.players.into_iter().zip(game.elos);
        for (player, elo) in sides.filter(|(player, _)| !is_nobody(player)) {
            let number = *numbers.entry(player).or_insert_with(|| {
                players.push(Standing {
                    place: 0,
                    name: report.players.text(player).to_owned(),
                    about: report.people.get(&player).cloned().unwrap_or_default(),
                    elo: None,
                    half_points: 0,
                    score: Score::default(),
                    tie_breaks: Vec::new(),
                    byes: Vec::new(),
                    games: Vec::new(),
                });
                players.len() - 1
            });
            if let Some(player) = players.get_mut(number) {
                player.elo = player.elo.or(elo);
            }
        }
    }
    for game in &games {
        let [white, black] = game.players.map(|player| numbers.get(&player).copied().unwrap_or(0));
        let sides = [
            (white, black, Color::White, game.elos[1]),
            (black, white, Color::Black, game.elos[0]),
        ];
        for (own, opponent, color, opponent_elo) in sides {
            let Some(player) = players.get_mut(own) else { continue };
            let outcome = game.outcome.for_player(color);
            let round = Some(game.round.0).filter(|round| *round > 0);
            let date = game.date;
            player.games.push(Meeting { opponent, color, outcome, round, date, opponent_elo });
            player.half_points += outcome.half_points();
            if outcome.is_played() {
                player.score.add_half_points(Some(outcome.half_points()), opponent_elo);
            } else if outcome == Outcome::Unfinished {
                player.score.add_half_points(None, None);
            }
        }
    }
    for bye in &byes {
        for (player, color) in bye.players.iter().zip([Color::White, Color::Black]) {
            let player = numbers.get(player).and_then(|number| players.get_mut(*number));
            if let Some(player) = player {
                let half_points = bye.outcome.for_player(color).half_points();
                player.half_points += half_points;
                let round = Some(bye.round.0).filter(|round| *round > 0);
                player.byes.push((round, half_points));
            }
        }
    }
    let games_missing = |kind| missing(kind, &players, &games);
    let missing = teams.as_ref().map_or_else(|| games_missing(kind), |teams| teams.missing);
    let other_reading =
        other_cycles.map(|cycles| (cycles, games_missing(Kind::RoundRobin { cycles })));
    let count =
        |is: &dyn Fn(GameOutcome) -> bool| games.iter().filter(|game| is(game.outcome)).count();
    let unfinished = count(&|outcome| outcome.for_player(Color::White) == Outcome::Unfinished);
    let forfeits = count(&|outcome| !matches!(outcome, GameOutcome::Played(_)));
    let tie_breaks = if tie_breaks.is_empty() { TieBreak::usual(kind) } else { tie_breaks };
    Crosstable {
        event,
        kind,
        missing,
        other_reading,
        play_off,
        teams: teams.map(|teams| teams.standings).unwrap_or_default(),
        players: ranked(players, tie_breaks),
        tie_breaks: tie_breaks.to_vec(),
        unfinished,
        forfeits,
        without_moves: games.iter().filter(|game| game.has_no_moves).count(),
        repeated,
        byes: byes.iter().filter(|bye| !bye.players.iter().all(is_nobody)).count(),
    }
}

/// Returns the number of games that `players` lack for a complete round robin or Scheveningen match,
/// or for all rounds of a match up to the last; of a round robin of matches, the fewest.
fn missing(kind: Kind, players: &[Standing], games: &[Played]) -> usize {
    if let (Kind::Match, Some(player)) = (kind, players.first()) {
        let rounds: Option<HashSet<u32>> = player.games.iter().map(|game| game.round).collect();
        let last = rounds.iter().flatten().max().copied().unwrap_or(0);
        let known = rounds.map_or(last as usize, |rounds| rounds.len());
        return if last <= MAX_ROUNDS { (last as usize).saturating_sub(known) } else { 0 };
    }
    if kind == Kind::Scheveningen {
        // Each round has all boards.
        let mut boards: HashMap<u32, usize> = HashMap::new();
        games.iter().for_each(|game| *boards.entry(game.round.0).or_default() += 1);
        let most = boards.values().max().copied().unwrap_or(0);
        let last = boards.keys().max().copied().filter(|last| *last <= MAX_ROUNDS).unwrap_or(0);
        return if boards.contains_key(&0) {
            0
        } else {
            (most * last as usize).saturating_sub(games.len())
        };
    }
    if let Kind::MatchRoundRobin { cycles } = kind {
        return missing_of_matches(cycles as usize, players.len(), games);
    }
    let Kind::RoundRobin { cycles } = kind else { return 0 };
    let cycles = cycles as usize;
    let mut missing = 0;
    for (number, player) in players.iter().enumerate() {
        let mut games = vec![0usize; players.len()];
        for game in &player.games {
            games.get_mut(game.opponent).into_iter().for_each(|games| *games += 1);
        }
        let later = games.iter().skip(number + 1);
        missing += later.map(|games| cycles.saturating_sub(*games)).sum::<usize>();
    }
    missing
}

/// Returns the fewest games that a round robin of matches lacks: one for each match, and those before
/// the last number of a match.
fn missing_of_matches(cycles: usize, players: usize, games: &[Played]) -> usize {
    let mut matches: HashMap<(u32, [u32; 2]), HashSet<u32>> = HashMap::new();
    for game in games {
        let mut pair = game.players;
        pair.sort_unstable();
        matches.entry((game.round.0, pair)).or_default().insert(game.round.1);
    }
    let all = players * players.saturating_sub(1) / 2 * cycles;
    let gaps = matches.values().map(|numbers| {
        let last = numbers.iter().max().copied().filter(|last| *last <= MAX_ROUNDS).unwrap_or(0);
        (last as usize).saturating_sub(numbers.len())
    });
    gaps.sum::<usize>() + all.saturating_sub(matches.len())
}

/// Sorts the players by points and tie-breaks.
fn ranked(mut players: Vec<Standing>, tie_breaks: &[TieBreak]) -> Vec<Standing> {
    let points: Vec<u64> = players.iter().map(|player| player.half_points).collect();
    let point = |player: usize| points.get(player).copied().unwrap_or(0);
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|one, other| {
        let name = |player: usize| players.get(player).map(|player| &player.name);
        point(*other).cmp(&point(*one)).then_with(|| name(*one).cmp(&name(*other)))
    });
    let mut groups: Vec<Vec<usize>> =
        order.chunk_by(|one, other| point(*one) == point(*other)).map(<[usize]>::to_vec).collect();
    for tie_break in tie_breaks {
        let mut split = Vec::with_capacity(groups.len());
        for mut group in groups {
            let tied: HashSet<usize> = group.iter().copied().collect();
            let mut values: HashMap<usize, u64> = HashMap::new();
            for number in &group {
                let Some(player) = players.get(*number) else { continue };
                values.insert(*number, tie_break.value(player, &points, &tied));
            }
            let value = |number: &usize| values.get(number).copied().unwrap_or(0);
            let is_shown = *tie_break != TieBreak::DirectEncounter || group.len() > 1;
            for number in &group {
                let Some(player) = players.get_mut(*number) else { continue };
                player.tie_breaks.push(is_shown.then(|| quarters(value(number))));
            }
            group.sort_by_key(|number| std::cmp::Reverse(value(number)));
            split.extend(group.chunk_by(|a, b| value(a) == value(b)).map(<[usize]>::to_vec));
        }
        groups = split;
    }
    let mut place = 1;
    for group in &groups {
        for number in group {
            players.get_mut(*number).into_iter().for_each(|player| player.place = place);
        }
        place += group.len();
    }
    // Renumber the opponents.
    let order = groups.concat();
    let mut new = vec![0; players.len()];
    for (place, number) in order.iter().enumerate() {
        new.get_mut(*number).into_iter().for_each(|new| *new = place);
    }
    for game in players.iter_mut().flat_map(|player| &mut player.games) {
        game.opponent = new.get(game.opponent).copied().unwrap_or(0);
    }
    let mut slots: Vec<Option<Standing>> = players.into_iter().map(Some).collect();
    order.into_iter().filter_map(|number| slots.get_mut(number)?.take()).collect()
}

#[allow(clippy::cast_precision_loss, reason = "no event has so many games")]
fn quarters(value: u64) -> f64 {
    value as f64 / 4.0
}

#[cfg(test)]
mod tests {
    use super::super::tests::{add, report};
    use super::*;

    /// A tournament of five players, counted by hand.
    ///
    /// ```text
    ///             A  B  C  D  E   points  SB
    /// 1 Alder     x  ½  1  0  1   2½      1.25 + 2 + 1  = 4.25  (of B, C, E)
    /// 2 Birch     ½  x  0  1  1   2½      1.25 + 2 + 1  = 4.25  (of A, D, E)
    /// 3 Cedar     0  1  x  1  0   2       2.5 + 2       = 4.5   (of B, D)
    /// 4 Dogwood   1  0  0  x  +   2       2.5           = 2.5   (of A; the forfeit adds none)
    /// 5 Elm       0  0  1  -  x   1       2             = 2     (of C)
    /// ```
    fn tournament() -> EventReport {
        let mut report = report(
            &[
                ("Alder", "Birch", "1/2-1/2"),
                ("Alder", "Cedar", "1-0"),
                ("Dogwood", "Alder", "1-0"),
                ("Elm", "Alder", "0-1"),
                ("Birch", "Cedar", "0-1"),
                ("Birch", "Dogwood", "1-0"),
                ("Elm", "Birch", "0-1"),
                ("Cedar", "Dogwood", "1-0"),
                ("Cedar", "Elm", "0-1"),
            ],
            &[("WhiteElo", "2000"), ("BlackElo", "2000")],
        );
        add(&mut report, &[("Dogwood", "Elm", "+/-")], &[]);
        report
    }

    #[test]
    fn table_of_round_robin_matches_count_by_hand() {
        let table = tournament().table(&[]).unwrap();
        assert_eq!(table.kind, Kind::RoundRobin { cycles: 1 });
        let rows: Vec<_> = table
            .players
            .iter()
            .map(|p| (p.place, &*p.name, p.half_points, p.tie_breaks[0], p.score.performance()))
            .collect();
        // Performance: 62.5% is 63% and 95 points; 33.3% is 33% and 125 points below.
        assert_eq!(
            rows,
            [
                (1, "Alder", 5, Some(4.25), Some(2095)),
                (1, "Birch", 5, Some(4.25), Some(2095)),
                (3, "Cedar", 4, Some(4.5), Some(2000)),
                (4, "Dogwood", 4, Some(2.5), Some(1875)),
                (5, "Elm", 2, Some(2.0), Some(1875)),
            ]
        );
        assert_eq!((table.forfeits, table.unfinished, table.missing), (1, 0, 0));
        let signs = |player: usize| -> Vec<(usize, &str)> {
            let games = table.players[player].games.iter();
            let mut signs: Vec<_> = games.map(|g| (g.opponent, g.outcome.sign())).collect();
            signs.sort_unstable();
            signs
        };
        assert_eq!(signs(3), [(0, "1"), (1, "0"), (2, "0"), (4, "+")]);
        assert_eq!(signs(4), [(0, "0"), (1, "0"), (2, "1"), (3, "-")]);
        let by_direct = tournament().table(&[TieBreak::DirectEncounter]).unwrap();
        let places: Vec<_> = by_direct.players.iter().map(|p| (p.place, p.tie_breaks[0])).collect();
        // Alder and Birch drew and share the first place; Cedar beat Dogwood.
        assert_eq!(
            places,
            [(1, Some(0.5)), (1, Some(0.5)), (3, Some(1.0)), (4, Some(0.0)), (5, None)]
        );
    }

    #[test]
    fn buchholz_of_swiss_matches_count_by_hand() {
        let mut report = EventReport::new();
        for (round, games) in [
            ("1.1", [("A", "B", "1-0"), ("C", "D", "1-0")]),
            ("1.2", [("E", "F", "1-0"), ("G", "H", "1-0")]),
            ("2", [("A", "C", "1-0"), ("E", "G", "1/2-1/2")]),
            ("3", [("A", "E", "1-0"), ("C", "G", "1-0")]),
        ] {
            add(&mut report, &games, &[("Round", round)]);
        }
        let table = report.table(&[]).unwrap();
        assert_eq!(table.kind, Kind::Swiss { rounds: 3 });
        let find = |name: &str| table.players.iter().find(|p| p.name == name).unwrap();
        // A met B (0), C (2) and E (1½).
        let a = find("A");
        assert_eq!((a.place, a.half_points), (1, 6));
        assert_eq!(a.tie_breaks, [Some(3.5), Some(3.5), Some(3.5), None, Some(3.0)]);
        // E met F (0), G (1½) and A (3): 4½ in all and with the weakest cut.
        let e = find("E");
        assert_eq!(e.tie_breaks[..2], [Some(4.5), Some(4.5)]);
        // G met H (0), E (1½) and C (2); H met G only, and has nothing left when cut.
        assert_eq!(find("H").tie_breaks[..2], [Some(0.0), Some(1.5)]);
        assert_eq!(table.players.len(), 8);
    }

    #[test]
    fn table_counts_missing_unfinished_and_repeated_games() {
        let games = [("A", "B", "1-0"), ("B", "C", "*"), ("C", "A", "0-1")];
        let mut report = report(&games, &[("Round", "1")]);
        add(&mut report, &[("A", "D", "1-0"), ("B", "D", "1-0")], &[("Round", "2")]);
        add(&mut report, &games[..1], &[("Round", "1")]);
        let table = report.table(&[]).unwrap();
        assert_eq!(table.kind, Kind::RoundRobin { cycles: 1 });
        assert_eq!((table.missing, table.unfinished, table.repeated), (1, 1, 1));
        let b = table.players.iter().find(|player| player.name == "B").unwrap();
        assert_eq!((b.score.games, b.score.unfinished()), (3, 1));
    }

    #[test]
    fn table_bye_gives_points_and_no_player() {
        let games = [("A", "?", "1-0"), ("bye", "B", "1/2-1/2"), ("B", "A", "1-0"), ("", "?", "*")];
        let table = report(&games, &[]).table(&[]).unwrap();
        let players: Vec<_> = table
            .players
            .iter()
            .map(|one| (&*one.name, one.half_points, one.score.games))
            .collect();
        assert_eq!(players, [("B", 3, 1), ("A", 2, 1)]);
        assert_eq!((table.byes, table.event.players, table.kind), (2, 2, Kind::Match));
    }

    #[test]
    fn table_of_one_player_against_himself_is_harmless() {
        let table = report(&[("A", "A", "1-0")], &[]).table(&[]).unwrap();
        assert_eq!((table.kind, table.players.len()), (Kind::Match, 1));
        assert!(EventReport::new().table(&[]).is_none());
    }
}
