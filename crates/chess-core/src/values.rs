//! Small values of a game: result, rating and NAG.

use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;

use crate::Color;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum GameResult {
    /// `*`: unfinished, abandoned or not known.
    #[default]
    Unknown,
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// Returns the PGN token.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// Returns the points of a side, doubled: 2 for a win, 1 for a draw. `None` for an unknown result.
    #[must_use]
    pub const fn half_points(self, side: Color) -> Option<u64> {
        match (self, side) {
            (GameResult::Unknown, _) => None,
            (GameResult::Draw, _) => Some(1),
            (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => Some(2),
            _ => Some(0),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for a text that is not a PGN result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
#[non_exhaustive]
pub struct GameResultError;

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<GameResult, GameResultError> {
        Ok(match text {
            "*" => GameResult::Unknown,
            "1-0" => GameResult::White,
            "0-1" => GameResult::Black,
            "1/2-1/2" => GameResult::Draw,
            _ => return Err(GameResultError),
        })
    }
}

/// A rating, 1 to 65535.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Elo(NonZeroU16);

impl Elo {
    /// Creates a rating. Returns `None` for zero, which files use for a missing rating.
    #[must_use]
    pub const fn new(value: u16) -> Option<Elo> {
        match NonZeroU16::new(value) {
            Some(value) => Some(Elo(value)),
            None => None,
        }
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0.get()
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The error for a text that is not a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rating is a number from 1 to 65535")]
#[non_exhaustive]
pub struct EloError;

impl FromStr for Elo {
    type Err = EloError;

    /// Accepts digits as in the output of [`Elo`]: no sign and no leading zero.
    fn from_str(text: &str) -> Result<Elo, EloError> {
        let plain = text.starts_with(|first: char| matches!(first, '1'..='9'));
        let value = text.parse().ok().filter(|_| plain);
        value.map(Elo).ok_or(EloError)
    }
}

/// A numeric annotation glyph (NAG): `$1` is a good move, `$18` a decisive advantage.
///
/// PGN standard §10 defines 0 to 139; up to 255 are in use, and larger numbers are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u16);

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// The error for a text that is not a NAG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a NAG is written $0 to $65535")]
#[non_exhaustive]
pub struct NagError;

impl FromStr for Nag {
    type Err = NagError;

    /// Accepts a dollar sign and digits as in the output of [`Nag`]: no leading zero.
    fn from_str(text: &str) -> Result<Nag, NagError> {
        let digits = text.strip_prefix('$').ok_or(NagError)?;
        let plain = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
        digits.parse().ok().filter(|_| plain).map(Nag).ok_or(NagError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::string::ToString;

    #[test]
    fn display_rating_and_nag_parses_back() {
        for text in ["1", "2851", "65535"] {
            assert_eq!(text.parse::<Elo>().unwrap().to_string(), text);
        }
        for wrong in ["", "0", "02500", "+2500", "2500 ", "65536", "?"] {
            assert_eq!(wrong.parse::<Elo>(), Err(EloError), "{wrong}");
        }
        for text in ["$0", "$1", "$146", "$65535"] {
            assert_eq!(text.parse::<Nag>().unwrap().to_string(), text);
        }
        for wrong in ["", "$", "1", "$01", "$+1", "$65536", "$$1", "$1 "] {
            assert_eq!(wrong.parse::<Nag>(), Err(NagError), "{wrong}");
        }
        for result in ["*", "1-0", "0-1", "1/2-1/2"] {
            assert_eq!(result.parse::<GameResult>().unwrap().as_str(), result);
        }
        assert_eq!("1-0 ".parse::<GameResult>(), Err(GameResultError));
    }
}
