//! Statistics of games.

use chess_core::{Color, Elo, GameResult, Header};
use chess_store::StatRow;

/// Counts over a set of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Number of games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// First known year.
    pub first_year: Option<u16>,
    /// Last known year.
    pub last_year: Option<u16>,
    /// Sum and count of the ratings of the side to move.
    own: (u64, u64),
    /// For finished games with a rated opponent of the side to move: sum of the opponents' ratings,
    /// count, and points doubled.
    met: (u64, u64, u64),
}

/// The data of a game that is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    result: GameResult,
    /// 0 if unknown.
    year: u16,
    /// Ratings of White and Black.
    elo: [Option<Elo>; 2],
}

impl From<&Header> for Played {
    fn from(header: &Header) -> Played {
        let Header { result, date, white_elo, black_elo, .. } = *header;
        let year = date.year().unwrap_or(0);
        Played { result, year, elo: [white_elo, black_elo] }
    }
}

impl From<&StatRow> for Played {
    fn from(row: &StatRow) -> Played {
        let StatRow { result, year, elo, .. } = *row;
        Played { result, year, elo }
    }
}

/// Counts for both sides to move. Counting is branch-free, because results are random and would be
/// mispredicted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    /// By [`GameResult`].
    games: [u64; 4],
    /// First year minus one, with wrap, so that 0 (unknown) sorts last.
    before_first: u16,
    last_year: u16,
    /// Sum and count of the ratings of White and Black, by result.
    rated: [[(u64, u64); 4]; 2],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { games: [0; 4], before_first: u16::MAX, last_year: 0, rated: Default::default() }
    }
}

impl Tally {
    #[inline]
    pub(super) fn add(&mut self, game: Played) {
        let result = game.result as usize & 3;
        if let Some(games) = self.games.get_mut(result) {
            *games = games.wrapping_add(1);
        }
        self.before_first = self.before_first.min(game.year.wrapping_sub(1));
        self.last_year = self.last_year.max(game.year);
        for (rated, elo) in self.rated.iter_mut().zip(game.elo) {
            if let Some((sum, count)) = rated.get_mut(result) {
                let elo = elo.map_or(0, Elo::get);
                *sum = sum.wrapping_add(elo.into());
                *count = count.wrapping_add(u64::from(elo != 0));
            }
        }
    }

    /// Returns the statistics from the view of the side to move.
    pub(super) fn stats(&self, turn: Color) -> Stats {
        let add = |one: u64, more: u64| one.saturating_add(more);
        let [unknown, white, black, draws] = self.games;
        let [of_white, of_black] = self.rated;
        let (own, other) =
            if turn == Color::White { (of_white, of_black) } else { (of_black, of_white) };
        let own = own.into_iter().fold((0, 0), |all, one| (add(all.0, one.0), add(all.1, one.1)));
        let mut met = (0, 0, 0);
        for (result, (sum, count)) in other.into_iter().enumerate().skip(1) {
            let points = match (result, turn) {
                (3, _) => 1,
                (1, Color::White) | (2, Color::Black) => 2,
                _ => 0,
            };
            met = (add(met.0, sum), add(met.1, count), add(met.2, count.saturating_mul(points)));
        }
        Stats {
            games: add(add(unknown, white), add(black, draws)),
            white,
            draws,
            black,
            first_year: self.before_first.checked_add(1),
            last_year: (self.last_year > 0).then_some(self.last_year),
            own,
            met,
        }
    }
}

impl Stats {
    /// Counts a game with `turn` to move. Like [`Tally`], but for one game, and without a step for
    /// each result.
    #[inline]
    pub(super) fn add(&mut self, game: Played, turn: Color) {
        let Played { result, year, elo: [white, black] } = game;
        let (own, other) = if turn == Color::White { (white, black) } else { (black, white) };
        let own = own.map_or(0, Elo::get);
        // Only a finished game has an opponent who was met.
        let other = other.filter(|_| result != GameResult::Unknown).map_or(0, Elo::get);
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.games, 1);
        add(&mut self.white, u64::from(result == GameResult::White));
        add(&mut self.draws, u64::from(result == GameResult::Draw));
        add(&mut self.black, u64::from(result == GameResult::Black));
        if year > 0 {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = self.last_year.max(Some(year));
        }
        add(&mut self.own.0, own.into());
        add(&mut self.own.1, u64::from(own != 0));
        add(&mut self.met.0, other.into());
        add(&mut self.met.1, u64::from(other != 0));
        let points = match (result, turn) {
            (GameResult::Draw, _) => 1,
            (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => 2,
            _ => 0,
        };
        add(&mut self.met.2, if other == 0 { 0 } else { points });
    }

    pub(super) fn merge(&mut self, other: &Stats) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.games, other.games);
        add(&mut self.white, other.white);
        add(&mut self.draws, other.draws);
        add(&mut self.black, other.black);
        let first = [self.first_year, other.first_year].into_iter().flatten().min();
        self.first_year = first;
        self.last_year = self.last_year.max(other.last_year);
        add(&mut self.own.0, other.own.0);
        add(&mut self.own.1, other.own.1);
        add(&mut self.met.0, other.met.0);
        add(&mut self.met.1, other.met.1);
        add(&mut self.met.2, other.met.2);
    }

    /// Mean rating of the side to move, if known.
    #[must_use]
    pub fn elo(&self) -> Option<u32> {
        mean(self.own.0, self.own.1)
    }

    /// Score of the side to move, from 0 to 1. Games without a result are ignored.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
    pub fn score(&self, turn: Color) -> Option<f64> {
        let decided = self.white.saturating_add(self.black).saturating_add(self.draws);
        let won = if turn == Color::White { self.white } else { self.black };
        let points = won as f64 + self.draws as f64 / 2.0;
        (decided > 0).then(|| points / decided as f64)
    }

    /// Performance rating of the side to move: the mean rating of the opponents plus the rating
    /// difference of the logistic curve, at most 800.
    #[must_use]
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "ratings are small and positive"
    )]
    pub fn performance(&self) -> Option<u32> {
        let (_, games, points) = self.met;
        let opponents = f64::from(mean(self.met.0, games)?);
        let score = points as f64 / (games as f64 * 2.0);
        let difference = (400.0 * (score / (1.0 - score)).log10()).clamp(-800.0, 800.0);
        Some((opponents + difference).round().max(0.0) as u32)
    }
}

fn mean(sum: u64, count: u64) -> Option<u32> {
    let rounded = sum.saturating_add(count / 2).checked_div(count)?;
    u32::try_from(rounded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(result: &str, white: &str, black: &str, date: &str) -> Header {
        let mut header = Header::default();
        let tags = [("Result", result), ("WhiteElo", white), ("BlackElo", black), ("Date", date)];
        tags.iter()
            .filter(|tag| !tag.1.is_empty())
            .for_each(|(name, value)| header.set(name, value));
        header
    }

    fn game(result: &str, white: &str, black: &str, date: &str) -> Played {
        Played::from(&header(result, white, black, date))
    }

    #[test]
    fn add_game_equals_tally_of_game() {
        for result in ["1-0", "0-1", "1/2-1/2", "*"] {
            for white in ["", "2000"] {
                for black in ["", "2700"] {
                    for date in ["", "1999.01.02", "2024.??.??"] {
                        let game = game(result, white, black, date);
                        for turn in Color::ALL {
                            let (mut stats, mut tally) = (Stats::default(), Tally::default());
                            for _ in 0..2 {
                                stats.add(game, turn);
                                tally.add(game);
                            }
                            assert_eq!(stats, tally.stats(turn), "{game:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn stats_results_ratings_and_years_are_counted() {
        let mut stats = Stats::default();
        stats.add(game("1-0", "2000", "2100", "1990.05.01"), Color::White);
        stats.add(game("1/2-1/2", "2101", "2300", "1985.??.??"), Color::White);
        stats.add(game("*", "", "2500", ""), Color::White);
        assert_eq!((stats.games, stats.white, stats.draws, stats.black), (3, 1, 1, 0));
        assert_eq!((stats.first_year, stats.last_year), (Some(1985), Some(1990)));
        assert_eq!(stats.elo(), Some(2051));
        assert_eq!(stats.score(Color::White), Some(0.75));
        // 2200 and log10(3) times 400.
        assert_eq!(stats.performance(), Some(2391));
        let mut all = Stats::default();
        all.merge(&stats);
        assert_eq!(all, stats);
        let mut won = Stats::default();
        won.add(game("0-1", "2000", "", ""), Color::Black);
        assert_eq!((won.performance(), won.score(Color::Black)), (Some(2800), Some(1.0)));
        assert_eq!(Stats::default().performance(), None);
    }
}
