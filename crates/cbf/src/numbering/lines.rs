//! How far sliders go, each line through them folded into a byte.

use chess_core::{Bitboard, Square};

use super::groups::{Groups, ONES};
use super::rays::{LINES, OBLIQUES};

/// Brings the lowest bit of each byte into the highest byte, the first one lowest.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The two boards that decide how far a slider goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) occupied: Bitboard,
    /// Where a piece may go.
    pub(super) open: Bitboard,
}

impl Lines {
    /// A bishop's targets by direction: the first four of [`DIRECTIONS`](super::rays::DIRECTIONS).
    #[inline]
    pub(super) fn oblique(self, from: Square) -> Groups {
        // No two squares share a file, so that all ranks can be laid on one another.
        let fold = |board: Bitboard, line| top((board & line).0.wrapping_mul(ONES));
        let [rising, falling] = OBLIQUES[from]
            .map(|line| sides(from.file(), fold(self.occupied, line), fold(self.open, line)));
        // From left to right, the second is the upper side first.
        Groups(rising.wrapping_add(falling.rotate_left(16) << 8).into())
    }

    /// A rook's targets by direction: the last four.
    #[inline]
    pub(super) fn straight(self, from: Square) -> Groups {
        let rank = |board: Bitboard| {
            let [byte, ..] = (board.0 >> (from.index() & 56)).to_le_bytes();
            byte
        };
        let file = |board: Bitboard| top((board.0 >> from.file() & ONES).wrapping_mul(GATHER));
        let across = sides(from.file(), rank(self.occupied), rank(self.open));
        let upright = sides(from.rank(), file(self.occupied), file(self.open));
        Groups(u64::from(across.wrapping_add(upright << 8)) << 32)
    }
}

/// How many targets a slider has on the lower side of a line of eight, in the first byte, and on
/// the higher side, in the third.
#[inline]
fn sides(at: u8, occupied: u8, open: u8) -> u32 {
    let [first, ..] = &LINES;
    let line = LINES.get(usize::from(at & 7)).unwrap_or(first);
    let targets = line.slides.get(usize::from(occupied)).copied().unwrap_or(0) & open;
    line.sides.get(usize::from(targets)).copied().unwrap_or(0)
}

/// The highest byte.
#[inline]
fn top(word: u64) -> u8 {
    let [.., top] = word.to_le_bytes();
    top
}
