//! The facts of a game that an index keeps.

use chess_core::{Date, Elo, Game, GameResult};
use time_control::{TimeClass, TimeControl};

/// Lichess's names for the speed of a game, the fastest first.
pub const SPEEDS: [&str; 6] =
    ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
/// Lichess's names for games that count for a rating and games that do not.
pub const MODES: [&str; 2] = ["rated", "casual"];

/// The facts of a game that the questions of an explorer are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Facts {
    /// The result.
    pub result: GameResult,
    /// The date.
    pub date: Date,
    /// The ratings of White and Black.
    pub elo: [Option<Elo>; 2],
    /// Whether the game is chess from the usual start position.
    pub is_usual: bool,
    /// The index of [`speed_of`] in [`SPEEDS`].
    pub speed: Option<usize>,
    /// The index of [`mode_of`] in [`MODES`].
    pub mode: Option<usize>,
}

const RESULTS: [GameResult; 4] =
    [GameResult::Unknown, GameResult::White, GameResult::Black, GameResult::Draw];

impl Facts {
    /// Packs the facts: two ratings of 16 bits; year 14, month 4, day 5; result 2, speed 3, mode 2, usual 1.
    pub(crate) fn pack(&self) -> u64 {
        let (year, month, day) = self.date.parts();
        let result = RESULTS.iter().position(|result| *result == self.result).unwrap_or_default();
        let choice =
            |chosen: Option<usize>| chosen.map_or(0, |place| (place as u64).saturating_add(1));
        let elo = |elo: Option<Elo>| u64::from(elo.map_or(0, Elo::get));
        let [white, black] = self.elo;
        let fields = [
            (elo(white), 16),
            (elo(black), 16),
            (u64::from(year), 14),
            (u64::from(month), 4),
            (u64::from(day), 5),
            (result as u64, 2),
            (choice(self.speed), 3),
            (choice(self.mode), 2),
            (u64::from(self.is_usual), 1),
        ];
        fields.into_iter().fold(0, |packed, (value, bits)| packed << bits | value)
    }

    pub(crate) fn unpack(mut packed: u64) -> Facts {
        let mut take = |bits: u32| {
            let value = packed & !(u64::MAX << bits);
            packed >>= bits;
            u16::try_from(value).unwrap_or_default()
        };
        let is_usual = take(1) != 0;
        let choice = |place: u16| usize::from(place).checked_sub(1);
        let (mode, speed) = (choice(take(2)), choice(take(3)));
        let result = RESULTS.get(usize::from(take(2))).copied().unwrap_or_default();
        let mut small = |bits| u8::try_from(take(bits)).unwrap_or_default();
        let (day, month) = (small(5), small(4));
        let date = Date::new(take(14), month, day).unwrap_or_default();
        let black = Elo::new(take(16));
        Facts { result, date, elo: [Elo::new(take(16)), black], is_usual, speed, mode }
    }
}

/// Returns the speed of a game as Lichess counts it, by the time for 40 moves, as an index in [`SPEEDS`].
/// `None` if no tag tells it.
#[must_use]
pub fn speed_of(game: &Game) -> Option<usize> {
    const SLOWEST: usize = SPEEDS.len().saturating_sub(1);
    if TimeClass::of(game) == TimeClass::Correspondence {
        return Some(SLOWEST);
    }
    // Lichess writes seconds, also where 15+0 looks like minutes.
    let control = parts_of(game).map(|(base, more)| (f64::from(base), f64::from(more)));
    let of_control = || TimeControl::of(game).map(|control| (control.base, control.increment));
    let (base, increment) = control.or_else(of_control)?;
    let bounds = [30.0, 180.0, 480.0, 1500.0, 21600.0];
    let seconds = 40.0f64.mul_add(increment, base);
    Some(bounds.iter().position(|bound| seconds < *bound).unwrap_or(SLOWEST))
}

/// Returns a time control of two whole numbers, as `180+2`.
fn parts_of(game: &Game) -> Option<(u32, u32)> {
    let (base, more) = game.header.tags.get("TimeControl").unwrap_or_default().split_once('+')?;
    Some((base.parse().ok()?, more.parse().ok()?))
}

/// Returns whether only the clocks in the moves may decide the speed of a game.
pub(crate) fn speed_needs_moves(game: &Game) -> bool {
    // Less than a day, even if the number counted minutes.
    let is_plain = |(base, more)| base < 1000 && more < 10;
    game.header.tags.get("TimeControl").is_some() && !parts_of(game).is_some_and(is_plain)
}

/// Returns whether a game was rated, if its event tells it, as Lichess's do, as an index in [`MODES`].
#[must_use]
pub fn mode_of(game: &Game) -> Option<usize> {
    let event = game.header.event.to_lowercase();
    let mut words = event.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| MODES.into_iter().position(|mode| mode == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_restores_every_field() {
        let all = Facts {
            result: GameResult::Draw,
            date: Date::new(9999, 12, 31).unwrap(),
            elo: [Elo::new(u16::MAX), Elo::new(1)],
            is_usual: true,
            speed: Some(5),
            mode: Some(1),
        };
        for facts in [
            all,
            Facts::default(),
            Facts { result: GameResult::White, speed: Some(0), ..all },
            Facts { date: Date::new(1851, 6, 0).unwrap(), mode: None, ..all },
            Facts { elo: [None, Elo::new(2851)], is_usual: false, ..all },
        ] {
            assert_eq!(Facts::unpack(facts.pack()), facts);
        }
    }
}
