//! Statistics of games: by year, result, opening, time class, length and rating.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use chess_core::GameResult;

use super::openings::{ByOpening, Grain};
use super::{Facts, OpeningGroup, Report};
use query::TimeClass;

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Results {
    /// Number of games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
}

impl Results {
    fn add(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            GameResult::Unknown => {}
        }
    }

    /// Adds the games of `other`.
    pub fn merge(&mut self, other: &Results) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
    }

    /// Returns the number of games without a result.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.games.saturating_sub(self.white + self.draws + self.black)
    }

    /// Returns White's share of the points, from 0 to 1. Games without a result are ignored.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
    pub fn white_share(&self) -> Option<f64> {
        let finished = self.white + self.draws + self.black;
        let half_points = 2 * self.white + self.draws;
        (finished > 0).then(|| half_points as f64 / (2 * finished) as f64)
    }
}

/// Counts games by their facts. Each list adds up to all games.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    total: Results,
    damaged: u64,
    years: BTreeMap<Option<u16>, Results>,
    openings: ByOpening<Results>,
    time_classes: BTreeMap<TimeClass, Results>,
    lengths: BTreeMap<Option<usize>, Results>,
    ratings: BTreeMap<Option<usize>, Results>,
    /// Sum of the lengths in half-moves, and number of games, without damaged games.
    plies: (u64, u64),
    longest: usize,
}

/// Upper bounds of the length bands, in full moves. The last band has no bound.
const LENGTHS: [usize; 8] = [0, 20, 30, 40, 50, 60, 80, 100];
/// Lower bounds of the rating bands after the first.
const RATINGS: [usize; 9] = [1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800];

impl Statistics {
    /// Creates empty statistics.
    #[must_use]
    pub fn new() -> Statistics {
        Statistics::default()
    }

    /// Returns the results of all games.
    #[must_use]
    pub fn total(&self) -> Results {
        self.total
    }

    /// Returns the number of damaged games. They are in every list by what could be read; among
    /// [lengths](Statistics::lengths) they have a row of their own.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Returns the games by year, in order. Games without a year come last.
    #[must_use]
    pub fn years(&self) -> Vec<(Option<u16>, Results)> {
        with_unknown_last(&self.years)
    }

    /// Returns the games by the family of their opening, the most frequent first.
    #[must_use]
    pub fn openings(&self) -> Vec<OpeningGroup<Results>> {
        self.openings.sorted(Grain::Family, Results::merge, |results| results.games)
    }

    /// Returns the games by time class, the fastest class first.
    #[must_use]
    pub fn time_classes(&self) -> Vec<(TimeClass, Results)> {
        self.time_classes.iter().map(|(class, results)| (*class, *results)).collect()
    }

    /// Returns the games by the number of full moves. The range of damaged games, whose length is
    /// not known, is `None`; the last range ends with `usize::MAX`.
    #[must_use]
    pub fn lengths(&self) -> Vec<(Option<RangeInclusive<usize>>, Results)> {
        let range = |band: usize| {
            let first = band.checked_sub(1).and_then(|before| LENGTHS.get(before));
            let last = LENGTHS.get(band).copied().unwrap_or(usize::MAX);
            first.map_or(0, |first| first + 1)..=last
        };
        let bands = with_unknown_last(&self.lengths).into_iter();
        bands.map(|(band, results)| (band.map(range), results)).collect()
    }

    /// Returns the games by the mean rating of both players, or the rating of one if only that is
    /// known. The range of games without ratings is `None`; the last range ends with `usize::MAX`.
    #[must_use]
    pub fn ratings(&self) -> Vec<(Option<RangeInclusive<usize>>, Results)> {
        let range = |band: usize| {
            let first = band.checked_sub(1).and_then(|before| RATINGS.get(before));
            let last = RATINGS.get(band).map_or(usize::MAX, |next| next - 1);
            first.copied().unwrap_or(0)..=last
        };
        let bands = with_unknown_last(&self.ratings).into_iter();
        bands.map(|(band, results)| (band.map(range), results)).collect()
    }

    /// Returns the mean length in half-moves of the games that read to their end.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
    pub fn mean_plies(&self) -> Option<f64> {
        let (sum, games) = self.plies;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// Returns the length of the longest game in half-moves.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }
}

fn with_unknown_last<K: Copy + Ord, V: Copy>(map: &BTreeMap<Option<K>, V>) -> Vec<(Option<K>, V)> {
    let known = map.iter().filter(|(key, _)| key.is_some());
    let unknown = map.iter().filter(|(key, _)| key.is_none());
    known.chain(unknown).map(|(key, value)| (*key, *value)).collect()
}

impl Report for Statistics {
    fn add(&mut self, facts: &Facts<'_>) {
        let header = &facts.game.header;
        let result = header.result;
        self.total.add(result);
        self.years.entry(header.date.year()).or_default().add(result);
        self.openings.of(facts.opening).add(result);
        self.time_classes.entry(facts.time_class).or_default().add(result);
        let length = if facts.is_damaged {
            self.damaged += 1;
            None
        } else {
            self.plies = (self.plies.0 + facts.plies as u64, self.plies.1 + 1);
            self.longest = self.longest.max(facts.plies);
            let moves = facts.plies.div_ceil(2);
            Some(LENGTHS.partition_point(|last| *last < moves))
        };
        self.lengths.entry(length).or_default().add(result);
        let elo = match (header.white_elo, header.black_elo) {
            (Some(white), Some(black)) => {
                Some((usize::from(white.get()) + usize::from(black.get())) / 2)
            }
            (one, other) => one.or(other).map(|elo| usize::from(elo.get())),
        };
        let band = elo.map(|elo| RATINGS.partition_point(|first| *first <= elo));
        self.ratings.entry(band).or_default().add(result);
    }
}

#[cfg(test)]
mod tests {
    use chess_core::Game;

    use super::*;

    fn add(statistics: &mut Statistics, tags: &[(&str, &str)], plies: usize, is_damaged: bool) {
        let mut game = Game::new();
        tags.iter().for_each(|(name, value)| game.header.set(name, value));
        let time_class = TimeClass::of(&game);
        let (game, names) = (&game, ["A", "B"]);
        let opening = None;
        statistics.add(&Facts { number: 0, game, names, opening, time_class, plies, is_damaged });
    }

    #[test]
    fn lists_add_up_to_all_games() {
        let mut statistics = Statistics::new();
        let rated = |white, black| [("WhiteElo", white), ("BlackElo", black), ("Result", "1-0")];
        add(&mut statistics, &rated("2399", "2401"), 40, false);
        add(&mut statistics, &rated("2400", "2399"), 41, false);
        add(&mut statistics, &rated("1199", ""), 0, false);
        add(&mut statistics, &[("Date", "1999.??.??"), ("TimeControl", "60")], 300, false);
        add(&mut statistics, &[("Result", "1/2-1/2")], 10, true);
        let ratings: Vec<_> = statistics.ratings().into_iter().map(|(r, n)| (r, n.games)).collect();
        assert_eq!(
            ratings,
            [(Some(0..=1199), 1), (Some(2200..=2399), 1), (Some(2400..=2599), 1), (None, 2)]
        );
        let lengths: Vec<_> = statistics.lengths().into_iter().map(|(r, n)| (r, n.games)).collect();
        assert_eq!(
            lengths,
            [
                (Some(0..=0), 1),
                (Some(1..=20), 1),
                (Some(21..=30), 1),
                (Some(101..=usize::MAX), 1),
                (None, 1)
            ]
        );
        let years: Vec<_> = statistics.years().into_iter().map(|(y, n)| (y, n.games)).collect();
        assert_eq!(years, [(Some(1999), 1), (None, 4)]);
        assert_eq!(statistics.time_classes().len(), 2);
        let total = statistics.total();
        assert_eq!((total.games, total.white, total.draws, total.unfinished()), (5, 3, 1, 1));
        assert_eq!((statistics.damaged(), statistics.longest()), (1, 300));
        assert_eq!(statistics.mean_plies(), Some(95.25));
        assert_eq!(total.white_share(), Some(0.875));
    }
}
