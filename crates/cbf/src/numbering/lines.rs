//! The lines that sliders move along, each folded into a byte.

use chess_core::{Bitboard, PerSquare, Square};

use crate::rays::{ANTIDIAGONALS, DIAGONALS, ONES_OF, SLIDES};

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// Brings the lowest bit of each byte into the highest byte, the first one lowest.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// A line through a slider's square: bit by bit its squares from left to right, on a file from
/// the first rank up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Place of the slider.
    at: u8,
    occupied: u8,
    open: u8,
}

/// The two boards that decide how far a slider goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) occupied: Bitboard,
    /// Where a piece may go.
    pub(super) open: Bitboard,
}

impl Lines {
    /// The line from lower left to upper right.
    #[inline]
    pub(super) fn diagonal(self, from: Square) -> Line {
        self.oblique(from, &DIAGONALS)
    }

    /// The line from upper left to lower right.
    #[inline]
    pub(super) fn antidiagonal(self, from: Square) -> Line {
        self.oblique(from, &ANTIDIAGONALS)
    }

    #[inline]
    fn oblique(self, from: Square, lines: &PerSquare<Bitboard>) -> Line {
        // No two squares share a file, so that all ranks can be laid on one another.
        let fold = |board: Bitboard| top((board & lines[from]).0.wrapping_mul(ONES));
        Line { at: from.file(), occupied: fold(self.occupied), open: fold(self.open) }
    }

    #[inline]
    pub(super) fn rank(self, from: Square) -> Line {
        let fold = |board: Bitboard| {
            let [byte, ..] = (board.0 >> (from.index() & 56)).to_le_bytes();
            byte
        };
        Line { at: from.file(), occupied: fold(self.occupied), open: fold(self.open) }
    }

    #[inline]
    pub(super) fn file(self, from: Square) -> Line {
        let fold = |board: Bitboard| top((board.0 >> from.file() & ONES).wrapping_mul(GATHER));
        Line { at: from.rank(), occupied: fold(self.occupied), open: fold(self.open) }
    }
}

impl Line {
    /// How many targets the slider has.
    #[inline]
    pub(super) fn count(self) -> u32 {
        ones(self.targets())
    }

    /// How many on the lower side of it, and how many on the higher.
    #[inline]
    pub(super) fn sides(self) -> (u32, u32) {
        let targets = self.targets();
        let lower = ones(targets & !(0xff << (self.at & 7)));
        (lower, ones(targets).wrapping_sub(lower))
    }

    #[inline]
    fn targets(self) -> u8 {
        let slides = SLIDES.get(usize::from(self.at)).unwrap_or(&[0; 256]);
        slides.get(usize::from(self.occupied)).copied().unwrap_or(0) & self.open
    }
}

/// The highest byte.
#[inline]
fn top(word: u64) -> u8 {
    let [.., top] = word.to_le_bytes();
    top
}

/// How many bits are set.
#[inline]
fn ones(byte: u8) -> u32 {
    u32::from(ONES_OF.get(usize::from(byte)).copied().unwrap_or(0))
}
