//! How games went.

use chess_core::{Color, Elo, GameResult, Header};
use chess_store::Summary;

/// What is counted of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// All games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// The first year known.
    pub first_year: Option<u16>,
    /// The last year known.
    pub last_year: Option<u16>,
    /// Ratings of those to move: their sum and number.
    own: (u64, u64),
    /// Games that ended, with a rated opponent of who is to move: the sum of the opponents'
    /// ratings, their number, and the points made, doubled.
    met: (u64, u64, u64),
}

/// What is asked of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    result: GameResult,
    year: Option<u16>,
    white_elo: Option<Elo>,
    black_elo: Option<Elo>,
}

impl From<&Header> for Played {
    fn from(header: &Header) -> Played {
        let Header { result, date, white_elo, black_elo, .. } = *header;
        Played { result, year: date.year(), white_elo, black_elo }
    }
}

impl From<&Summary> for Played {
    fn from(summary: &Summary) -> Played {
        let Summary { result, date, white_elo, black_elo, .. } = *summary;
        Played { result, year: date.year(), white_elo, black_elo }
    }
}

impl Stats {
    /// Counts a game in which this side was to move.
    pub(super) fn add(&mut self, game: Played, turn: Color) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.games, 1);
        match game.result {
            GameResult::White => add(&mut self.white, 1),
            GameResult::Black => add(&mut self.black, 1),
            GameResult::Draw => add(&mut self.draws, 1),
            GameResult::Unknown => {}
        }
        if let Some(year) = game.year {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = self.last_year.max(Some(year));
        }
        let (own, other) = match turn {
            Color::White => (game.white_elo, game.black_elo),
            Color::Black => (game.black_elo, game.white_elo),
        };
        if let Some(elo) = own {
            add(&mut self.own.0, elo.get().into());
            add(&mut self.own.1, 1);
        }
        let points = match (game.result, turn) {
            (GameResult::Unknown, _) => None,
            (GameResult::Draw, _) => Some(1),
            (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => Some(2),
            _ => Some(0),
        };
        if let (Some(elo), Some(points)) = (other, points) {
            add(&mut self.met.0, elo.get().into());
            add(&mut self.met.1, 1);
            add(&mut self.met.2, points);
        }
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

    /// The mean rating of those to move, where it is known.
    #[must_use]
    pub fn elo(&self) -> Option<u32> {
        mean(self.own.0, self.own.1)
    }

    /// The points of the side that is to move, as a part of all, from 0 to 1; games without a
    /// result left out.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
    pub fn score(&self, turn: Color) -> Option<f64> {
        let decided = self.white.saturating_add(self.black).saturating_add(self.draws);
        let won = if turn == Color::White { self.white } else { self.black };
        let points = won as f64 + self.draws as f64 / 2.0;
        (decided > 0).then(|| points / decided as f64)
    }

    /// The rating at which the score of those to move was to be expected against their opponents:
    /// the opponents' mean, and the difference by the logistic curve, of at most 800.
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
    fn results_ratings_and_years() {
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
