//! Tie-breaks: how players with equal points are ranked.

use std::collections::HashSet;
use std::str::FromStr;

use chess_core::Color;

use super::standings::{Meeting, Standing};
use super::{Kind, Outcome};
use query::QueryError;

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
    /// [`Buchholz`](TieBreak::Buchholz) without the two opponents with the fewest points.
    BuchholzCut2,
    /// [`Buchholz`](TieBreak::Buchholz) without the opponents with the most and the fewest points.
    BuchholzMedian1,
    /// [`Buchholz`](TieBreak::Buchholz) without the two opponents with the most points, and the two
    /// with the fewest.
    BuchholzMedian2,
    /// Number of games won over the board.
    WonOverBoard,
    /// Number of games played with Black.
    BlackGames,
    /// Number of games won over the board with Black.
    BlackWins,
    /// Sum of the points after each game.
    Progressive,
    /// Points against opponents with at least half of the most points that there are.
    Koya,
    /// Mean rating of the opponents with a rating.
    AverageRating,
    /// [`AverageRating`](TieBreak::AverageRating) without the opponent with the lowest rating.
    AverageRatingCut1,
    /// Performance rating.
    Performance,
}

impl TieBreak {
    /// All criteria.
    pub const ALL: [TieBreak; 16] = [
        TieBreak::DirectEncounter,
        TieBreak::SonnebornBerger,
        TieBreak::Wins,
        TieBreak::Buchholz,
        TieBreak::BuchholzCut1,
        TieBreak::BuchholzCut2,
        TieBreak::BuchholzMedian1,
        TieBreak::BuchholzMedian2,
        TieBreak::WonOverBoard,
        TieBreak::BlackGames,
        TieBreak::BlackWins,
        TieBreak::Progressive,
        TieBreak::Koya,
        TieBreak::AverageRating,
        TieBreak::AverageRatingCut1,
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
            Kind::Match
            | Kind::KnockOut { .. }
            | Kind::Arena
            | Kind::Scheveningen
            | Kind::Simul => &[TieBreak::Wins],
            _ => &[TieBreak::SonnebornBerger, TieBreak::DirectEncounter, TieBreak::Wins],
        }
    }

    /// Returns the name: `direct`, `sb`, `wins`, ...; for those without an older name the code in
    /// small letters.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::DirectEncounter => "direct",
            TieBreak::SonnebornBerger => "sb",
            TieBreak::Wins => "wins",
            TieBreak::Buchholz => "buchholz",
            TieBreak::BuchholzCut1 => "cut1",
            TieBreak::BuchholzCut2 => "bh-c2",
            TieBreak::BuchholzMedian1 => "bh-m1",
            TieBreak::BuchholzMedian2 => "bh-m2",
            TieBreak::WonOverBoard => "won",
            TieBreak::BlackGames => "bpg",
            TieBreak::BlackWins => "bwg",
            TieBreak::Progressive => "ps",
            TieBreak::Koya => "ks",
            TieBreak::AverageRating => "aro",
            TieBreak::AverageRatingCut1 => "aro-c1",
            TieBreak::Performance => "performance",
        }
    }

    /// Returns the code of FIDE's regulations (Handbook C.07): `DE`, `SB`, `WIN`, `BH`, `BH-C1`, ...
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            TieBreak::DirectEncounter => "DE",
            TieBreak::SonnebornBerger => "SB",
            TieBreak::Wins => "WIN",
            TieBreak::Buchholz => "BH",
            TieBreak::BuchholzCut1 => "BH-C1",
            TieBreak::BuchholzCut2 => "BH-C2",
            TieBreak::BuchholzMedian1 => "BH-M1",
            TieBreak::BuchholzMedian2 => "BH-M2",
            TieBreak::WonOverBoard => "WON",
            TieBreak::BlackGames => "BPG",
            TieBreak::BlackWins => "BWG",
            TieBreak::Progressive => "PS",
            TieBreak::Koya => "KS",
            TieBreak::AverageRating => "ARO",
            TieBreak::AverageRatingCut1 => "ARO-C1",
            TieBreak::Performance => "TPR",
        }
    }

    /// Returns the name in FIDE's regulations: `Sonneborn-Berger`, `Buchholz Cut 1`, ...
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            TieBreak::DirectEncounter => "Direct Encounter",
            TieBreak::SonnebornBerger => "Sonneborn-Berger",
            TieBreak::Wins => "Number of Wins",
            TieBreak::Buchholz => "Buchholz",
            TieBreak::BuchholzCut1 => "Buchholz Cut 1",
            TieBreak::BuchholzCut2 => "Buchholz Cut 2",
            TieBreak::BuchholzMedian1 => "Buchholz Median 1",
            TieBreak::BuchholzMedian2 => "Buchholz Median 2",
            TieBreak::WonOverBoard => "Number of Games Won",
            TieBreak::BlackGames => "Number of Games Played with Black",
            TieBreak::BlackWins => "Number of Games Won with Black",
            TieBreak::Progressive => "Sum of Progressive Scores",
            TieBreak::Koya => "Koya System",
            TieBreak::AverageRating => "Average Rating of Opponents",
            TieBreak::AverageRatingCut1 => "Average Rating of Opponents Cut 1",
            TieBreak::Performance => "Tournament Performance Rating",
        }
    }

    /// Returns the value of a player, counted in quarter points; for
    /// [`DirectEncounter`](TieBreak::DirectEncounter) from the games against `tied`. `points` has the
    /// half-points of all players.
    pub(super) fn value(self, player: &Standing, points: &[u64], tied: &HashSet<usize>) -> u64 {
        let opponent = |number: usize| points.get(number).copied().unwrap_or(0);
        let met = player.games.iter().filter(|game| game.outcome.is_played());
        let count =
            |is: &dyn Fn(&Meeting) -> bool| 4 * met.clone().filter(|game| is(game)).count() as u64;
        let is_black = |game: &Meeting| game.color == Color::Black;
        let is_won = |game: &Meeting| game.outcome == Outcome::Win;
        let buchholz = |lowest: usize, highest: usize| {
            let mut points: Vec<u64> = met.clone().map(|game| opponent(game.opponent)).collect();
            points.sort_unstable();
            let most = points.len().saturating_sub(highest);
            2 * points.iter().take(most).skip(lowest).sum::<u64>()
        };
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
            TieBreak::Buchholz => buchholz(0, 0),
            TieBreak::BuchholzCut1 => buchholz(1, 0),
            TieBreak::BuchholzCut2 => buchholz(2, 0),
            TieBreak::BuchholzMedian1 => buchholz(1, 1),
            TieBreak::BuchholzMedian2 => buchholz(2, 2),
            TieBreak::WonOverBoard => count(&is_won),
            TieBreak::BlackGames => count(&is_black),
            TieBreak::BlackWins => count(&|game| is_won(game) && is_black(game)),
            TieBreak::Progressive => {
                let (mut sum, mut all) = (0, 0);
                for game in &player.games {
                    sum += game.outcome.half_points();
                    all += sum;
                }
                2 * all
            }
            TieBreak::Koya => {
                // The half points of a player who wins all games.
                let most = 2 * player.games.len() as u64;
                let strong = met.filter(|game| 2 * opponent(game.opponent) >= most);
                2 * strong.map(|game| game.outcome.half_points()).sum::<u64>()
            }
            TieBreak::AverageRating | TieBreak::AverageRatingCut1 => {
                let ratings = met.filter_map(|game| game.opponent_elo);
                let mut ratings: Vec<u64> = ratings.map(|elo| elo.get().into()).collect();
                ratings.sort_unstable();
                let cut = usize::from(self == TieBreak::AverageRatingCut1);
                let ratings = ratings.get(cut..).unwrap_or_default();
                let (sum, count) = (ratings.iter().sum::<u64>(), ratings.len() as u64);
                4 * (sum + count / 2).checked_div(count).unwrap_or(0)
            }
            TieBreak::Performance => 4 * u64::from(player.score.performance().unwrap_or(0)),
        }
    }
}

impl FromStr for TieBreak {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<TieBreak, QueryError> {
        let what = "a tie-break; write direct, sb, wins, buchholz, cut1, performance, or a code of FIDE \
                    as BH-C2, BH-M1, WON, BPG, BWG, PS, KS, ARO";
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(|letter| letter.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let text_letters = letters(text);
        let is_named = |one: &TieBreak| {
            [one.name(), one.code(), one.title()].iter().any(|name| letters(name) == text_letters)
        };
        let known = TieBreak::ALL.into_iter().find(is_named);
        known.ok_or_else(|| QueryError::unreadable(text, what))
    }
}

#[cfg(test)]
mod tests {
    use super::super::EventReport;
    use super::super::tests::add;
    use super::*;

    /// A met B (1 point), C (1), D (0): 1 with White, ½ with Black, 1 with White.
    #[test]
    fn values_of_fide_codes_match_count_by_hand() {
        let elos = [("WhiteElo", "2000"), ("BlackElo", "2101")];
        let mut report = EventReport::new();
        add(&mut report, &[("A", "B", "1-0")], &elos);
        add(&mut report, &[("C", "A", "1/2-1/2")], &elos);
        add(&mut report, &[("A", "D", "1-0")], &elos);
        add(&mut report, &[("B", "D", "1-0"), ("B", "C", "1/2-1/2")], &elos);
        add(&mut report, &[("C", "D", "1/2-1/2")], &elos);
        for (code, expected) in [
            ("BH", 3.5),
            ("BH-C1", 3.0),
            ("bh-c2", 1.5),
            ("BH-M1", 1.5),
            ("BH-M2", 0.0),
            ("buchholz cut-1", 3.0),
            ("Koya System", 1.5),
            ("ARO-C1", 2101.0),
            ("WIN", 2.0),
            ("WON", 2.0),
            ("BPG", 1.0),
            ("BWG", 0.0),
            ("PS", 5.0),
            ("KS", 1.5),
            ("ARO", 2067.0),
        ] {
            let table = report.table(&[code.parse().unwrap()]).unwrap();
            let first = &table.players[0];
            assert_eq!((&*first.name, first.half_points), ("A", 5));
            assert_eq!(first.tie_breaks, [Some(expected)], "{code}");
        }
        assert!("FB-X".parse::<TieBreak>().is_err());
    }

    #[test]
    fn codes_and_names_of_tie_breaks_are_read_back() {
        for one in TieBreak::ALL {
            assert_eq!(
                [one.name(), one.code(), one.title()].map(str::parse),
                [Ok(one), Ok(one), Ok(one)]
            );
        }
    }
}
