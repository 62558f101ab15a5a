//! Tie-breaks: how players with equal points are ranked.

use std::collections::HashSet;
use std::str::FromStr;

use super::Kind;
use super::standings::Standing;
use crate::filter::QueryError;

/// A criterion that ranks players with equal points.
///
/// The FIDE Handbook, C.07, defines them under these names. Only games against known opponents count: a bye
/// or a missing game adds nothing, where FIDE's rules set in a virtual opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TieBreak {
    /// Points from the games between the players who are still tied.
    DirectEncounter,
    /// Sum of the points of the opponents that the player beat, and half the points of the
    /// opponents that the player drew with.
    SonnebornBerger,
    /// Number of wins, with forfeits.
    Wins,
    /// Sum of the points of all opponents.
    Buchholz,
    /// [`Buchholz`](TieBreak::Buchholz) without the opponent with the fewest points.
    BuchholzCut1,
    /// Performance rating.
    Performance,
}

impl TieBreak {
    /// All criteria.
    pub const ALL: [TieBreak; 6] = [
        TieBreak::DirectEncounter,
        TieBreak::SonnebornBerger,
        TieBreak::Wins,
        TieBreak::Buchholz,
        TieBreak::BuchholzCut1,
        TieBreak::Performance,
    ];

    /// Returns the usual criteria for a kind of event.
    #[must_use]
    pub fn usual(kind: Kind) -> &'static [TieBreak] {
        match kind {
            Kind::Swiss { .. } => &[
                TieBreak::BuchholzCut1,
                TieBreak::Buchholz,
                TieBreak::SonnebornBerger,
                TieBreak::DirectEncounter,
                TieBreak::Wins,
            ],
            Kind::Match => &[TieBreak::Wins],
            Kind::RoundRobin { .. } | Kind::Open => {
                &[TieBreak::SonnebornBerger, TieBreak::DirectEncounter, TieBreak::Wins]
            }
        }
    }

    /// Returns the name: `direct`, `sb`, `wins`, `buchholz`, `cut1`, `performance`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::DirectEncounter => "direct",
            TieBreak::SonnebornBerger => "sb",
            TieBreak::Wins => "wins",
            TieBreak::Buchholz => "buchholz",
            TieBreak::BuchholzCut1 => "cut1",
            TieBreak::Performance => "performance",
        }
    }

    /// Returns the value of a player, counted in quarter points; for
    /// [`DirectEncounter`](TieBreak::DirectEncounter) from the games against `tied`.
    pub(super) fn value(self, player: &Standing, points: &[u64], tied: &HashSet<usize>) -> u64 {
        let opponent = |number: usize| points.get(number).copied().unwrap_or(0);
        let met = player.games.iter().filter(|game| game.outcome.is_played());
        match self {
            TieBreak::DirectEncounter => {
                let games = player.games.iter().filter(|game| tied.contains(&game.opponent));
                2 * games.map(|game| game.outcome.half_points()).sum::<u64>()
            }
            TieBreak::SonnebornBerger => {
                met.map(|game| game.outcome.half_points() * opponent(game.opponent)).sum()
            }
            TieBreak::Wins => {
                let won = player.games.iter().filter(|game| game.outcome.half_points() == 2);
                4 * won.count() as u64
            }
            TieBreak::Buchholz => 2 * met.map(|game| opponent(game.opponent)).sum::<u64>(),
            TieBreak::BuchholzCut1 => {
                let least = met.clone().map(|game| opponent(game.opponent)).min().unwrap_or(0);
                2 * met.map(|game| opponent(game.opponent)).sum::<u64>().saturating_sub(least)
            }
            TieBreak::Performance => 4 * u64::from(player.score.performance().unwrap_or(0)),
        }
    }
}

impl FromStr for TieBreak {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<TieBreak, QueryError> {
        let what = "a tie-break; write direct, sb, wins, buchholz, cut1 or performance";
        let known = TieBreak::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(text));
        known.ok_or_else(|| QueryError::unreadable(text, what))
    }
}
