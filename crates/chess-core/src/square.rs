//! Squares of the board, and tables with one value for each square.

use core::fmt;
use core::ops::{Index, IndexMut};
use core::str::FromStr;

/// One of the 64 squares, numbered a1 = 0, b1 = 1, ... h1 = 7, a2 = 8, ... h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! squares {
    ($($name:ident = $index:literal),* $(,)?) => {
        #[allow(missing_docs, reason = "the name of a square is its documentation")]
        impl Square {
            $(pub const $name: Square = Square($index);)*
        }
    };
}

squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// Returns the square with this number, if it is below 64.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// Returns the square whose number is the low six bits of `bits`.
    #[must_use]
    pub const fn from_low_bits(bits: u8) -> Square {
        Square(bits & 63)
    }

    /// Returns the square with a bit number, which must be below 64.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "masked to six bits")]
    pub(crate) const fn from_bit(bit: u32) -> Square {
        Square((bit & 63) as u8)
    }

    /// Returns the square on this file (0 = a) and rank (0 = first), if both are below 8.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(rank << 3 | file)) } else { None }
    }

    /// Returns the number of this square, 0 to 63.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns the file, from 0 = a to 7 = h.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Returns the rank, from 0 = first to 7 = eighth.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Returns the square `files` to the right and `ranks` up (White's view), if it is on the
    /// board.
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file().wrapping_add_signed(files);
        let rank = self.rank().wrapping_add_signed(ranks);
        Square::at(file, rank)
    }

    /// Returns the square on the same file and the given rank.
    #[must_use]
    pub const fn with_rank(self, rank: u8) -> Square {
        Square((rank & 7) << 3 | self.file())
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        f.write_char(char::from(b'a'.wrapping_add(self.file())))?;
        f.write_char(char::from(b'1'.wrapping_add(self.rank())))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not `a1` to `h8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is written a1 to h8")]
#[non_exhaustive]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match *text.as_bytes() {
            [file, rank] => Square::at(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1')),
            _ => None,
        }
        .ok_or(SquareError)
    }
}

/// A table with one value for each square, indexed by [`Square`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PerSquare<T>(pub [T; 64]);

impl<T> Index<Square> for PerSquare<T> {
    type Output = T;

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "the mask keeps the index below 64")]
    fn index(&self, square: Square) -> &T {
        &self.0[(square.0 & 63) as usize]
    }
}

impl<T> IndexMut<Square> for PerSquare<T> {
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "the mask keeps the index below 64")]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[(square.0 & 63) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_names_and_numbers_agree() {
        for (number, square) in (0..).zip(Square::all()) {
            assert_eq!(square.index(), number);
            assert_eq!(alloc::format!("{square}").parse(), Ok(square));
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
        }
        assert_eq!("e4".parse(), Ok(Square::E4));
        for wrong in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(wrong.parse::<Square>(), Err(SquareError), "{wrong}");
        }
    }

    #[test]
    fn offset_beyond_the_edge_is_none() {
        assert_eq!(Square::H1.offset(1, 0), None);
        assert_eq!(Square::A1.offset(0, -1), None);
        assert_eq!(Square::B1.offset(1, 2), Some(Square::C3));
        assert_eq!(Square::A1.offset(i8::MIN, i8::MAX), None);
    }
}
