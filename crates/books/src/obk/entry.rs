//! A move.

use chess_core::{Move, Position, Role, Square};

use crate::castling::two_steps;

/// A move as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Entry(pub [u8; 2]);

impl Entry {
    /// Returns the square that the piece leaves.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0[0])
    }

    /// Returns the square that the piece goes to; for castling, the target of the king.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0[1])
    }

    /// Returns whether no alternative follows.
    #[must_use]
    pub const fn is_last(self) -> bool {
        self.0[0] & 0x40 != 0
    }

    /// Returns whether the line ends here.
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.0[0] & 0x80 != 0
    }

    /// Returns the weight: from 0, `?`, to 3, `!!`.
    #[must_use]
    pub const fn class(self) -> u8 {
        self.0[1] >> 6
    }

    /// Returns whether the move is a1a1, which is no move.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] & 0x3f == 0 && self.0[1] & 0x3f == 0
    }

    /// Returns the move in a position, legal or not. A promotion is to a queen.
    // books §5.2 "Moves"
    #[must_use]
    pub fn decode(self, position: &Position) -> Move {
        let (from, to) = (self.from(), self.to());
        let is_pawn = position.pieces(Role::Pawn, position.turn()).contains(from);
        if is_pawn && to.rank() == (!position.turn()).back_rank() {
            return Move::promoting(from, to, Role::Queen);
        }
        two_steps(position, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_of_two_bytes_has_each_field() {
        let entry = Entry([0x0c, 0xdc]);
        assert_eq!((entry.from(), entry.to(), entry.class()), (Square::E2, Square::E4, 3));
        assert!(!entry.is_last() && !entry.is_leaf() && !entry.is_empty());
        assert!(Entry([0x40, 0]).is_last() && Entry([0x80, 0xc0]).is_leaf());
        assert!(Entry([0xc0, 0xc0]).is_empty());
        assert_eq!(entry.decode(&Position::start()).to_string(), "e2e4");
    }
}
