//! Moves, encoded in sixteen bits.

use core::fmt;
use core::str::FromStr;

use crate::piece::Role;
use crate::square::Square;

/// A move: origin, target and promotion.
///
/// Castling is the king moving to **its own rook's square**, in standard chess too, so that
/// Chess960 needs no special case. [`Move::NULL`] passes the turn.
///
/// Bits 0-5 are the origin, 6-11 the target, 12-14 the promotion: 0 none, 1 knight, 2 bishop,
/// 3 rook, 4 queen, 5 king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// The null move: the side to move passes.
    pub const NULL: Move = Move(0);

    /// Creates a move without promotion.
    #[must_use]
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// Creates a move with promotion. With the role pawn it equals [`Move::new`].
    #[must_use]
    #[inline]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Move {
        Move(Move::new(from, to).0 | (role as u16).wrapping_sub(1) << 12)
    }

    /// Returns whether this is [`Move::NULL`].
    #[must_use]
    #[inline]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Returns the origin; for castling, the square of the king.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits((self.0 & 63) as u8)
    }

    /// Returns the target; for castling, the square of the own rook.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0 >> 6 & 63) as u8)
    }

    /// Returns the promotion role, if the move is a promotion.
    #[must_use]
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        if self.0 >> 12 == 0 {
            return None;
        }
        match self.0 >> 12 & 7 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            5 => Some(Role::King),
            _ => None,
        }
    }

    /// Decodes sixteen bits, if they are a valid move.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 12 > 5 { None } else { Some(Move(bits)) }
    }

    /// Returns the sixteen bits.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Move {
    /// UCI notation as engines write it under `UCI_Chess960`: `e2e4`, `e7e8q`, castling `e1h1`,
    /// null move `0000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not a move in the notation of [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written like e2e4, e7e8q, e1h1 (castling) or 0000 (null)")]
#[non_exhaustive]
pub struct MoveError;

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        if text == "0000" {
            return Ok(Move::NULL);
        }
        let square = |range| text.get(range).and_then(|s: &str| s.parse::<Square>().ok());
        let from = square(0..2).ok_or(MoveError)?;
        let to = square(2..4).ok_or(MoveError)?;
        // From a1 to a1 is the null move, which is spelt `0000`.
        if Move::new(from, to) == Move::NULL {
            return Err(MoveError);
        }
        match text.as_bytes().get(4..) {
            None | Some([]) => Ok(Move::new(from, to)),
            Some([letter]) if letter.is_ascii_lowercase() => {
                match Role::from_letter(char::from(*letter)) {
                    Some(Role::Pawn) | None => Err(MoveError),
                    Some(role) => Ok(Move::promoting(from, to, role)),
                }
            }
            Some(_) => Err(MoveError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_every_move_parses_back() {
        for text in ["e2e4", "e7e8q", "a2a1n", "e1h1", "0000", "h8a1"] {
            let m: Move = text.parse().unwrap();
            assert_eq!(alloc::format!("{m}"), text);
            assert_eq!(Move::from_bits(m.bits()), Some(m));
        }
        assert_eq!([0x6000, 0x8000].map(Move::from_bits), [None, None]);
        assert_eq!(Move::NULL.bits(), 0);
        let m = Move::promoting(Square::E7, Square::D8, Role::Rook);
        assert_eq!((m.from(), m.to(), m.promotion()), (Square::E7, Square::D8, Some(Role::Rook)));
        for wrong in ["", "e2", "e2e", "a1a1", "e2e4p", "e2e4Q", "e2e4qq", "e2é"] {
            assert_eq!(wrong.parse::<Move>(), Err(MoveError), "{wrong}");
        }
    }
}
