//! How many numbers each piece takes, and which piece a number falls to.

use chess_core::{Bitboard, PerSquare, Square};

use super::groups::Groups;
use crate::rays::{FILE_UNITS, SPREAD};

/// The lower byte of each pair.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
/// The most that [`Groups`] count.
const MOST: u32 = 255;
/// A one in each pair of bytes.
const PAIRS: u64 = 0x0001_0001_0001_0001;

/// The numbers of each piece of a side, by squares in the format's order: file by file.
#[derive(Debug)]
pub(super) struct Counts {
    /// Those that the pawns' digits do not say.
    squares: PerSquare<u8>,
    /// A byte a file, all counted. Eight queens on one file take 136.
    sums: u64,
    /// Numbers of the pawns in binary: the ones, twos and fours.
    digits: [Bitboard; 3],
}

impl Counts {
    pub(super) const NONE: Counts =
        Counts { squares: PerSquare([0; 64]), sums: 0, digits: [Bitboard::EMPTY; 3] };

    /// Takes in those of the pawns, all of them at once, where none are counted yet.
    #[inline]
    pub(super) fn set_pawns(&mut self, digits: [Bitboard; 3]) {
        let [ones, twos, fours] = digits;
        let mut sums = count_files(ones).wrapping_add(count_files(twos) << 1);
        // Only a pawn at home that can do all it ever can.
        if fours.has_any() {
            sums = sums.wrapping_add(count_files(fours) << 2);
        }
        self.sums = sums;
        self.digits = digits;
    }

    /// Adds to the numbers of a piece, which stay below 32.
    #[inline]
    pub(super) fn add(&mut self, square: Square, count: u32) {
        let [low, ..] = count.to_le_bytes();
        self.squares[square] = self.squares[square].wrapping_add(low);
        self.sums = self.sums.wrapping_add(u64::from(count).wrapping_mul(FILE_UNITS[square]));
    }

    /// The piece a number falls to, and which of its own it is, from 1. If there are not so many,
    /// how many there are. `number` is 1 to 128.
    #[inline]
    pub(super) fn find(&self, number: u32) -> Result<(Square, u32), u32> {
        let total = self.total();
        if number > total {
            return Err(total);
        }
        let found =
            if total <= MOST { Groups(self.sums).find(number) } else { self.crowded(number) };
        let (file, rest) = found.unwrap_or_default();
        let (rank, rest) = self.file(file).find(rest).unwrap_or_default();
        let [square, ..] = (rank << 3 | file).to_le_bytes();
        Ok((Square::from_low_bits(square), rest))
    }

    /// The file a number falls to on a board with more numbers than a byte counts.
    #[cold]
    fn crowded(&self, number: u32) -> Option<(u32, u32)> {
        let mut rest = number;
        for (file, count) in (0..).zip(self.sums.to_le_bytes().map(u32::from)) {
            if rest <= count {
                return Some((file, rest));
            }
            rest = rest.wrapping_sub(count);
        }
        None
    }

    /// How many numbers there are.
    #[inline]
    pub(super) fn total(&self) -> u32 {
        // By pairs: all numbers of an odd board may not fit in a byte.
        let pairs = (self.sums & EVEN).wrapping_add(self.sums >> 8 & EVEN);
        let [.., low, high] = pairs.wrapping_mul(PAIRS).to_le_bytes();
        u32::from(u16::from_le_bytes([low, high]))
    }

    /// The numbers on one file, a byte a rank.
    #[inline]
    fn file(&self, file: u32) -> Groups {
        let (ranks, _) = self.squares.0.as_chunks::<8>();
        let others = ranks.iter().rev().fold(0, |all, files| {
            let count = files.get(file as usize & 7).copied().unwrap_or(0);
            all << 8 | u64::from(count)
        });
        let [ones, twos, fours] = self.digits.map(|digit| digit.0 >> file & Bitboard::file(0).0);
        let pawns = ones.wrapping_add(twos << 1).wrapping_add(fours << 2);
        Groups(others.wrapping_add(pawns))
    }
}

/// How many squares of a set there are on each file, a byte each.
#[inline]
fn count_files(set: Bitboard) -> u64 {
    let spread = |rank: u8| SPREAD.get(usize::from(rank)).copied().unwrap_or(0);
    set.0.to_le_bytes().map(spread).into_iter().fold(0, u64::wrapping_add)
}
