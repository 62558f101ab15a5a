//! The two directions of castling.

use crate::piece::Color;
use crate::square::Square;

/// The two directions of castling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the h-file: `O-O`, king to the g-file.
    King,
    /// Towards the a-file: `O-O-O`, king to the c-file.
    Queen,
}

impl CastlingSide {
    /// Both directions, the king's side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// Returns the side of the king on which a rook is.
    #[must_use]
    #[inline]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Returns the corner of the rook in standard chess.
    #[must_use]
    pub const fn corner(self, color: Color) -> Square {
        match self {
            CastlingSide::King => Square::H1.with_rank(color.back_rank()),
            CastlingSide::Queen => Square::A1.with_rank(color.back_rank()),
        }
    }

    /// Returns the file that the king moves to.
    #[must_use]
    pub const fn king_file(self) -> u8 {
        match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        }
    }

    /// Returns the file that the rook moves to.
    #[must_use]
    pub const fn rook_file(self) -> u8 {
        match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        }
    }
}
