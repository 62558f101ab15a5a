//! Slider mobility. Each line through a slider is compressed to one byte, which indexes a table.

use chess_core::{Bitboard, Square};

use super::groups::{ONES, PackedCounts};
use super::rays::{LINES, OBLIQUES};

/// Multiplier that gathers the lowest bit of each byte into the highest byte, in order.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The two bitboards that limit a slider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub(super) occupied: Bitboard,
    /// The squares that a piece may move to.
    pub(super) open: Bitboard,
}

impl Lines {
    /// Counts a bishop's targets by direction: the first four of [`DIRECTIONS`](super::rays::DIRECTIONS).
    #[inline]
    pub(super) fn oblique(self, from: Square) -> PackedCounts {
        // No two squares of a diagonal share a file, so all ranks can be added into one byte.
        let fold = |board: Bitboard, line| top((board & line).0.wrapping_mul(ONES));
        let [rising, falling] = OBLIQUES[from]
            .map(|line| sides(from.file(), fold(self.occupied, line), fold(self.open, line)));
        // The falling diagonal has its upper side on the left, so its two halves swap.
        PackedCounts(rising.wrapping_add(falling.rotate_left(16) << 8).into())
    }

    /// Counts a rook's targets by direction: the last four of
    /// [`DIRECTIONS`](super::rays::DIRECTIONS).
    #[inline]
    pub(super) fn straight(self, from: Square) -> PackedCounts {
        let rank = |board: Bitboard| {
            let [byte, ..] = (board.0 >> (from.index() & 56)).to_le_bytes();
            byte
        };
        let file = |board: Bitboard| top((board.0 >> from.file() & ONES).wrapping_mul(GATHER));
        let across = sides(from.file(), rank(self.occupied), rank(self.open));
        let upright = sides(from.rank(), file(self.occupied), file(self.open));
        PackedCounts(u64::from(across.wrapping_add(upright << 8)) << 32)
    }
}

/// Counts a slider's targets on the lower side of a line of eight squares (first byte) and on the
/// higher side (third byte).
#[inline]
fn sides(at: u8, occupied: u8, open: u8) -> u32 {
    let [first, ..] = &LINES;
    let line = LINES.get(usize::from(at & 7)).unwrap_or(first);
    let targets = line.slides.get(usize::from(occupied)).copied().unwrap_or(0) & open;
    line.sides.get(usize::from(targets)).copied().unwrap_or(0)
}

/// Returns the highest byte.
#[inline]
fn top(word: u64) -> u8 {
    let [.., top] = word.to_le_bytes();
    top
}
