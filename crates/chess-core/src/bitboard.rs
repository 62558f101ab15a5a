//! Sets of squares, and the attacks of each piece.

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;
use crate::tables::{
    ANTIDIAGONAL, AROUND, BETWEEN, DIAGONAL, FILE, FIRST_RANK, PAWN_ORIGINS, REACH,
};

/// A set of squares. Bit `n` is the square with number `n`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const ALL: Bitboard = Bitboard(u64::MAX);

    /// Creates a set with one square.
    #[must_use]
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// Returns the eight squares of a rank (0 to 7).
    #[must_use]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xff << ((rank & 7) << 3))
    }

    /// Returns the eight squares of a file (0 to 7).
    #[must_use]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << (file & 7))
    }

    /// Returns whether the set contains the square.
    #[must_use]
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Returns whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains any square.
    #[must_use]
    #[inline]
    pub const fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Returns the number of squares.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the square with the lowest number.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }

    /// Returns a set with only the lowest square, if there is one.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Bitboard {
        Bitboard(self.0 & self.0.wrapping_neg())
    }

    /// Returns this set if `so` is true, or else the empty set, without a branch.
    #[must_use]
    #[inline]
    pub const fn only_if(self, so: bool) -> Bitboard {
        Bitboard(self.0 & (so as u64).wrapping_neg())
    }

    /// Returns the square with the highest number.
    #[must_use]
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_bit(63 ^ self.0.leading_zeros())) }
    }

    /// Returns the only square, if the set contains exactly one.
    #[must_use]
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.0.is_power_of_two() { self.first() } else { None }
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    /// Removes the square with the lowest number.
    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.count() as usize;
        (count, Some(count))
    }
}

macro_rules! bit_operator {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$method(other.0))
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// Returns the squares that a knight attacks.
#[must_use]
#[inline]
pub fn knight_attacks(from: Square) -> Bitboard {
    AROUND[from].knight
}

/// Returns the squares that a king attacks, without castling.
#[must_use]
#[inline]
pub fn king_attacks(from: Square) -> Bitboard {
    AROUND[from].king
}

/// Returns the squares that a pawn of this colour attacks.
#[must_use]
#[inline]
#[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    AROUND[from].pawns[color as usize]
}

/// Hyperbola quintessence: on each half of a line, one subtraction finds the first blocker. The
/// second half uses the byte-swapped line.
#[inline]
const fn slide(from: Bitboard, line: Bitboard, occupied: Bitboard) -> Bitboard {
    let forward = occupied.0 & line.0;
    let backward = forward.swap_bytes().wrapping_sub(from.0.swap_bytes()).swap_bytes();
    Bitboard((forward.wrapping_sub(from.0) ^ backward) & line.0)
}

/// Returns the squares that a bishop attacks on a board with these occupied squares.
#[must_use]
#[inline]
pub fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let bit = Bitboard::of(from);
    slide(bit, DIAGONAL[from], occupied) | slide(bit, ANTIDIAGONAL[from], occupied)
}

/// Returns the squares that a rook attacks on a board with these occupied squares.
#[must_use]
#[inline]
#[allow(clippy::indexing_slicing, reason = "a file is below 8, six bits are below 64")]
pub fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let shift = from.index() & 56;
    let inner = (occupied.0 >> shift >> 1 & 63) as usize;
    let rank = Bitboard(u64::from(FIRST_RANK[from.file() as usize][inner]) << shift);
    slide(Bitboard::of(from), FILE[from], occupied) | rank
}

/// Returns the squares that a queen attacks on a board with these occupied squares.
#[must_use]
#[inline]
pub fn queen_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(from, occupied) | rook_attacks(from, occupied)
}

/// Returns the squares that a piece can reach on an empty board, by a move or a capture.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a piece is below 16")]
pub(crate) fn piece_reach(piece: Piece, from: Square) -> Bitboard {
    REACH[piece.bits()][from]
}

/// Returns the squares from which a pawn of this colour can advance to a square of an empty board.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
pub(crate) fn pawn_origins(color: Color, to: Square) -> Bitboard {
    PAWN_ORIGINS[color as usize][to]
}

/// Returns the squares on the lines along which a rook moves, on an empty board.
#[must_use]
#[inline]
pub(crate) fn straight_lines(from: Square) -> Bitboard {
    AROUND[from].straight
}

/// Returns the squares on the lines along which a bishop moves, on an empty board.
#[must_use]
#[inline]
pub(crate) fn oblique_lines(from: Square) -> Bitboard {
    AROUND[from].oblique
}

/// Returns the squares strictly between two squares of a rank, file or diagonal. Empty for other
/// pairs.
#[must_use]
#[inline]
#[allow(clippy::indexing_slicing, reason = "two squares are below 4096")]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[(a.index() as usize & 63) << 6 | b.index() as usize & 63]
}

/// Returns the squares strictly between the origin and the target of a move; see [`between`].
#[must_use]
#[inline]
#[allow(clippy::indexing_slicing, reason = "twelve bits are below 4096")]
pub fn crossed(m: Move) -> Bitboard {
    BETWEEN[(m.bits() & 4095) as usize]
}

/// Returns the squares that a piece other than a pawn attacks. Empty for a pawn, whose attacks
/// depend on its colour.
#[must_use]
#[inline]
pub fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight_attacks(from),
        Role::Bishop => bishop_attacks(from, occupied),
        Role::Rook => rook_attacks(from, occupied),
        Role::Queen => queen_attacks(from, occupied),
        Role::King => king_attacks(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(*square))
    }

    #[test]
    fn between_aligned_squares_is_inner_squares() {
        use Square as S;
        assert_eq!(between(S::A1, S::D4), set(&[S::B2, S::C3]));
        assert_eq!(between(S::H5, S::E5), set(&[S::G5, S::F5]));
        assert_eq!(between(S::C7, S::C4), set(&[S::C6, S::C5]));
        assert_eq!(between(S::B6, S::D4), set(&[S::C5]));
        for (a, b) in [(S::E4, S::E5), (S::E4, S::E4), (S::G1, S::F3), (S::A1, S::B8)] {
            assert_eq!(between(a, b), Bitboard::EMPTY, "{a} {b}");
        }
    }
}
