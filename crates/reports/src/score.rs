//! Scores, performance ratings, and percentages that add up.

use chess_core::{Color, Elo, GameResult};

/// The score of a player over a set of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Score {
    /// Number of games, with a result or without.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// For games with a result and a rated opponent: the sum of the opponents' ratings, the number
    /// of games, and half points.
    rated: (u64, u64, u64),
}

impl Score {
    /// Counts a game from the view of the player with `color`.
    pub(super) fn add(&mut self, result: GameResult, color: Color, opponent: Option<Elo>) {
        self.add_half_points(result.half_points(color), opponent);
    }

    /// Counts a game with 0, 1 or 2 half points; `None` is a game without a result.
    pub(super) fn add_half_points(&mut self, half_points: Option<u64>, opponent: Option<Elo>) {
        self.games += 1;
        let Some(half_points) = half_points else { return };
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        if let Some(elo) = opponent {
            let (sum, games, points) = self.rated;
            self.rated = (sum + u64::from(elo.get()), games + 1, points + half_points);
        }
    }

    pub(super) fn merge(&mut self, other: &Score) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        let (sum, games, points) = other.rated;
        self.rated = (self.rated.0 + sum, self.rated.1 + games, self.rated.2 + points);
    }

    /// Returns the number of games with a result.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the number of games without a result.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.games.saturating_sub(self.finished())
    }

    /// Returns the points, counted in halves: a win is 2.
    #[must_use]
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Returns the share of the points that were possible, from 0 to 1. Games without a result are
    /// ignored.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
    pub fn share(&self) -> Option<f64> {
        let possible = 2 * self.finished();
        (possible > 0).then(|| self.half_points() as f64 / possible as f64)
    }

    /// Returns the mean rating of the rated opponents in games with a result.
    #[must_use]
    pub fn opponents(&self) -> Option<u32> {
        let (sum, games, _) = self.rated;
        let rounded = sum.saturating_add(games / 2).checked_div(games)?;
        u32::try_from(rounded).ok()
    }

    /// Returns the performance rating: the mean rating of the opponents plus the rating difference
    /// that FIDE's table gives for the score ([`expected_difference`]). Only games with a result
    /// against rated opponents count.
    #[must_use]
    pub fn performance(&self) -> Option<u32> {
        let (_, games, half_points) = self.rated;
        let mean = i64::from(self.opponents()?);
        let difference = i64::from(expected_difference(half_points, games)?);
        u32::try_from(mean.saturating_add(difference).max(0)).ok()
    }
}

/// Rating differences for scores of 50% to 100%: FIDE Rating Regulations (Handbook B.02), table
/// 8.1.1, `dp` by `p`.
///
/// The table is the quantile function of a normal distribution with a standard deviation of 2000/7, the
/// one of Elo's book. Each entry up to 97% is within one point of it; some are cut off, others rounded.
/// The published entries for 98% and 99% are larger than the function (587 and 665), and 800 stands for
/// infinity.
const DIFFERENCES: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// Returns the rating difference at which `half_points` of `games` games are the expected score, by
/// FIDE's table. The score is rounded to a whole per cent, half a per cent up. Returns `None` if `games` is zero.
#[must_use]
pub fn expected_difference(half_points: u64, games: u64) -> Option<i32> {
    let possible = games.checked_mul(2).filter(|possible| *possible > 0)?;
    let percent = half_points.saturating_mul(100).saturating_add(games).checked_div(possible)?;
    let (distance, sign) = match percent.checked_sub(50) {
        Some(above) => (above, 1),
        None => (50u64.saturating_sub(percent), -1),
    };
    let place = usize::try_from(distance).ok()?.min(DIFFERENCES.len() - 1);
    DIFFERENCES.get(place).map(|difference| sign * difference)
}

/// Returns the performance rating for `half_points` in `games` games against opponents whose ratings add up
/// to `ratings`: their mean plus the difference of FIDE's table, interpolated between whole per cents. Returns
/// `None` if `games` is zero.
///
/// ```
/// assert_eq!(reports::performance(2 * 2500, 2, 2), Some(2500));
/// assert_eq!(reports::performance(2500, 1, 0), Some(1700));
/// ```
#[must_use]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "ratings and their differences are small"
)]
pub fn performance(ratings: u64, games: u64, half_points: u64) -> Option<i64> {
    if games == 0 {
        return None;
    }
    let mean = ratings as f64 / games as f64;
    let distance = (half_points as f64 / games as f64 - 1.0) * 50.0;
    let below = distance.abs().floor().min(50.0);
    let entry = |place: f64| DIFFERENCES.get(place as usize).map_or(800.0, |it| f64::from(*it));
    let (low, high) = (entry(below), entry(below + 1.0));
    let difference = (high - low).mul_add(distance.abs() - below, low);
    Some((mean + difference.copysign(distance)).round() as i64)
}

/// Returns the share of each count in tenths of a per cent. The shares add up to 1000 exactly: those
/// with the largest remainders are rounded up. All are zero if the counts are.
///
/// ```
/// use reports::shares;
///
/// assert_eq!(shares(&[1, 1, 1]), [334, 333, 333]);
/// ```
#[must_use]
pub fn shares(counts: &[u64]) -> Vec<u32> {
    const WHOLE: u128 = 1000;
    let sum: u128 = counts.iter().map(|count| u128::from(*count)).sum();
    let mut parts: Vec<(usize, u128, u128)> = Vec::with_capacity(counts.len());
    for (place, count) in counts.iter().enumerate() {
        let scaled = u128::from(*count) * WHOLE;
        let (Some(whole), Some(rest)) = (scaled.checked_div(sum), scaled.checked_rem(sum)) else {
            return vec![0; counts.len()];
        };
        parts.push((place, whole, rest));
    }
    let missing = WHOLE.saturating_sub(parts.iter().map(|part| part.1).sum());
    parts.sort_by_key(|(place, _, rest)| (std::cmp::Reverse(*rest), *place));
    for (_, whole, _) in parts.iter_mut().take(usize::try_from(missing).unwrap_or(0)) {
        *whole += 1;
    }
    parts.sort_by_key(|(place, ..)| *place);
    parts.into_iter().map(|(_, whole, _)| u32::try_from(whole).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_counts_add_up_to_whole() {
        assert_eq!(shares(&[]), [0u32; 0]);
        assert_eq!(shares(&[0, 0]), [0, 0]);
        assert_eq!(shares(&[7]), [1000]);
        assert_eq!(shares(&[1, 1, 1, 1, 1, 1]), [167, 167, 167, 167, 166, 166]);
        assert_eq!(shares(&[0, 2, 1]), [0, 667, 333]);
        assert_eq!(shares(&[u64::MAX, u64::MAX]), [500, 500]);
        for counts in [&[1u64, 2, 4, 8, 16, 32][..], &[3, 3, 3, 1], &[999, 1, 1]] {
            assert_eq!(shares(counts).iter().sum::<u32>(), 1000, "{counts:?}");
        }
    }

    #[test]
    fn expected_difference_follows_fide_table() {
        for (half_points, games, difference) in [
            (9, 9, 0),
            (11, 9, 80),     // 61.1%
            (7, 9, -80),     // 38.9%
            (18, 9, 800),    // 100%
            (0, 9, -800),    // 0%
            (199, 100, 800), // 99.5% is rounded up
            (3, 4, -87),     // 37.5% is 38%
            (5, 4, 95),      // 62.5% is 63%
            (15, 10, 193),   // 75%
        ] {
            let found = expected_difference(half_points, games);
            assert_eq!(found, Some(difference), "{half_points} of {games}");
        }
        assert_eq!(expected_difference(0, 0), None);
    }

    /// The share of a normal distribution with the standard deviation 2000/7 that lies below `difference`.
    fn normal_share(difference: f64) -> f64 {
        let (deviation, steps) = (2000.0 / 7.0, 20_000u32);
        let width = difference / f64::from(steps);
        let density = |x: f64| (-0.5 * (x / deviation).powi(2)).exp();
        let area: f64 =
            (0..steps).map(|step| density((f64::from(step) + 0.5) * width) * width).sum();
        0.5 + area / (deviation * std::f64::consts::TAU.sqrt())
    }

    #[test]
    fn differences_up_to_97_percent_are_quantiles_of_normal_distribution() {
        let entries = DIFFERENCES.iter().zip(50u32..);
        for (difference, percent) in entries.take_while(|(_, percent)| *percent <= 97) {
            let (difference, share) = (f64::from(*difference), f64::from(percent) / 100.0);
            let is_near =
                normal_share(difference - 1.0) < share && share < normal_share(difference + 1.0);
            assert!(is_near, "{percent}%: {difference}");
        }
        // The published tail is steeper.
        assert!((0.9803..0.9805).contains(&normal_share(589.0)));
        assert!((0.9910..0.9912).contains(&normal_share(677.0)));
    }

    #[test]
    fn score_counts_results_from_view_of_player() {
        let elo = Elo::new(2500);
        let mut score = Score::default();
        score.add(GameResult::White, Color::White, elo);
        score.add(GameResult::White, Color::Black, elo);
        score.add(GameResult::Draw, Color::Black, None);
        score.add(GameResult::Unknown, Color::White, elo);
        assert_eq!((score.games, score.wins, score.draws, score.losses), (4, 1, 1, 1));
        assert_eq!((score.finished(), score.unfinished(), score.half_points()), (3, 1, 3));
        assert_eq!((score.share(), score.opponents()), (Some(0.5), Some(2500)));
        assert_eq!(score.performance(), Some(2500));
        assert_eq!((Score::default().share(), Score::default().performance()), (None, None));
    }
}
