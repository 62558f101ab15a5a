//! Teams: matches of several games, one on each board.

use std::collections::{BTreeMap, HashMap};

use chess_core::Color;

use super::kind::{Pairing, of_pairings};
use super::{EventReport, Kind, Played};

/// A team in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TeamStanding {
    /// Name.
    pub name: String,
    /// Match points: two for a win, one for a draw.
    pub match_points: u64,
    /// Points of all boards, counted in halves.
    pub half_points: u64,
    /// Matches.
    pub matches: u64,
}

/// The teams of an event, how they were paired, and the number of games that are missing.
pub(super) struct Teams {
    pub(super) kind: Kind,
    pub(super) standings: Vec<TeamStanding>,
    pub(super) missing: usize,
}

/// A match of two teams: its games, and the half-points of each team.
#[derive(Default)]
struct Encounter {
    games: usize,
    half_points: [u64; 2],
}

/// Returns the teams, if both teams of at least nine of ten games are known.
pub(super) fn of(report: &EventReport, games: &[Played]) -> Option<Teams> {
    let known = games.iter().filter(|game| game.teams.is_some()).count();
    if known == 0 || known * 10 < games.len() * 9 {
        return None;
    }
    let mut encounters: BTreeMap<_, Encounter> = BTreeMap::new();
    for game in games {
        let Some(teams) = game.teams else { continue };
        let mut pair = teams;
        pair.sort_unstable();
        // Without rounds, a match is on one day.
        let date = (game.round.0 == 0).then_some(game.date);
        let encounter = encounters.entry((game.round.0, date, pair)).or_default();
        encounter.games += 1;
        for (team, color) in teams.into_iter().zip([Color::White, Color::Black]) {
            let points = game.outcome.for_player(color).half_points();
            let slot = encounter.half_points.iter_mut().zip(pair);
            slot.filter(|(_, own)| *own == team).for_each(|(slot, _)| *slot += points);
        }
    }
    let mut standings: HashMap<u32, TeamStanding> = HashMap::new();
    for ((_, _, pair), Encounter { half_points: [one, other], .. }) in &encounters {
        for (team, own, against) in [(pair[0], *one, *other), (pair[1], *other, *one)] {
            let standing = standings.entry(team).or_insert_with(|| TeamStanding {
                name: report.teams.text(team).to_owned(),
                match_points: 0,
                half_points: 0,
                matches: 0,
            });
            standing.match_points += u64::from(own > against) + u64::from(own >= against);
            standing.half_points += own;
            standing.matches += 1;
        }
    }
    let boards = encounters.values().map(|encounter| encounter.games).max().unwrap_or(0);
    let pairings: Vec<Pairing> = { encounters.iter() }
        .map(|((round, _, pair), _)| Pairing {
            round: *round,
            game: 0,
            players: *pair,
            is_drawn: false,
        })
        .collect();
    let kind = of_pairings(&pairings, standings.len()).kind;
    let mut missing: usize = encounters.values().map(|encounter| boards - encounter.games).sum();
    let teams = standings.len();
    if let Kind::RoundRobin { cycles } = kind {
        let all = teams * teams.saturating_sub(1) / 2 * cycles as usize;
        missing += all.saturating_sub(encounters.len()) * boards;
    }
    let kind = match kind {
        Kind::RoundRobin { cycles } => Kind::TeamRoundRobin { cycles },
        Kind::Swiss { rounds } => Kind::TeamSwiss { rounds },
        Kind::Match => Kind::TeamMatch,
        Kind::KnockOut { rounds } => Kind::TeamKnockOut { rounds },
        _ => Kind::Teams,
    };
    let mut standings: Vec<TeamStanding> = standings.into_values().collect();
    standings.sort_by(|one, other| {
        let points = |team: &TeamStanding| (team.match_points, team.half_points);
        points(other).cmp(&points(one)).then_with(|| one.name.cmp(&other.name))
    });
    Some(Teams { kind, standings, missing })
}
