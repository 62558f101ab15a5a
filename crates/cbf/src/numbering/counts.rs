//! How many numbers each piece takes, and which piece a number falls to.

use chess_core::{Bitboard, Square};

use super::groups::Groups;

/// The lower byte of each pair.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
/// A one in each pair of bytes.
const PAIRS: u64 = 0x0001_0001_0001_0001;

/// The numbers of each piece of a side, by squares in the format's order: file by file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// For each file a byte a rank, without what the pawns' digits say.
    files: [Groups; 8],
    /// A byte a file, all counted. Eight queens on one file take 136.
    sums: u64,
    /// Numbers of the pawns in binary: the ones, twos and fours.
    digits: [Bitboard; 3],
}

impl Counts {
    /// Those of pawns, all of them at once.
    #[inline]
    pub(super) fn of_pawns(digits: [Bitboard; 3]) -> Counts {
        let [ones, twos, fours] = digits;
        let mut sums = count_files(ones).wrapping_add(count_files(twos) << 1);
        // Only a pawn at home that can do all it ever can.
        if fours.has_any() {
            sums = sums.wrapping_add(count_files(fours) << 2);
        }
        Counts { files: [Groups(0); 8], sums, digits }
    }

    /// Adds to the numbers of a piece.
    #[inline]
    pub(super) fn add(&mut self, square: Square, count: u32) {
        let (file, rank) = (square.file(), square.rank());
        if let Some(ranks) = self.files.get_mut(usize::from(file)) {
            ranks.0 = ranks.0.wrapping_add(u64::from(count) << (rank << 3));
        }
        self.sums = self.sums.wrapping_add(u64::from(count) << (file << 3));
    }

    /// The piece a number falls to, and which of its own it is, from 1. If there are not so many,
    /// how many there are. `number` is 1 to 128.
    #[inline]
    pub(super) fn find(&self, number: u32) -> Result<(Square, u32), u32> {
        // By pairs of files first: all numbers of an odd board may not fit in a byte.
        let pairs = self.pairs();
        let sums = pairs.wrapping_mul(PAIRS);
        let enough = (sums | PAIRS << 15).wrapping_sub(u64::from(number).wrapping_mul(PAIRS));
        let enough = enough & PAIRS << 15;
        if enough == 0 {
            return Err(pair(sums, 3));
        }
        let found = enough.trailing_zeros() >> 4;
        let rest = number.wrapping_sub(pair(sums << 16, found));
        let first = Groups(self.sums).get(found << 1);
        let second = rest > first;
        let file = found << 1 | u32::from(second);
        let rest = if second { rest.wrapping_sub(first) } else { rest };
        let (rank, rest) = self.file(file).find(rest).unwrap_or_default();
        let [square, ..] = (rank << 3 | file).to_le_bytes();
        Ok((Square::from_low_bits(square), rest))
    }

    /// How many numbers come before those of the piece on a square.
    #[inline]
    pub(super) fn before(&self, square: Square) -> u32 {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let files = Counts { sums: self.sums & !(u64::MAX << (file << 3)), ..*self };
        files.total().wrapping_add(self.file(file).before(rank))
    }

    #[inline]
    pub(super) fn total(&self) -> u32 {
        pair(self.pairs().wrapping_mul(PAIRS), 3)
    }

    /// Sums of the files a and b, c and d, ...
    #[inline]
    fn pairs(&self) -> u64 {
        (self.sums & EVEN).wrapping_add(self.sums >> 8 & EVEN)
    }

    /// The numbers on one file, a byte a rank.
    #[inline]
    fn file(&self, file: u32) -> Groups {
        let others = self.files.get(file as usize & 7).copied().unwrap_or_default();
        let [ones, twos, fours] = self.digits.map(|digit| digit.0 >> file & Bitboard::file(0).0);
        let pawns = ones.wrapping_add(twos << 1).wrapping_add(fours << 2);
        Groups(others.0.wrapping_add(pawns))
    }
}

/// One of four pairs of bytes.
#[inline]
fn pair(pairs: u64, place: u32) -> u32 {
    let [low, high, ..] = (pairs >> (place << 4 & 63)).to_le_bytes();
    u32::from(u16::from_le_bytes([low, high]))
}

/// How many squares there are on each file, a byte each.
#[inline]
fn count_files(set: Bitboard) -> u64 {
    let bits = transposed(set.0);
    let pairs = bits.wrapping_sub(bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333).wrapping_add(pairs >> 2 & 0x3333_3333_3333_3333);
    fours.wrapping_add(fours >> 4) & 0x0f0f_0f0f_0f0f_0f0f
}

/// A board mirrored on the diagonal from a1 to h8: each byte becomes a file.
#[inline]
fn transposed(mut bits: u64) -> u64 {
    let swap = 0x0f0f_0f0f_0000_0000 & (bits ^ bits << 28);
    bits ^= swap ^ swap >> 28;
    let swap = 0x3333_0000_3333_0000 & (bits ^ bits << 14);
    bits ^= swap ^ swap >> 14;
    let swap = 0x5500_5500_5500_5500 & (bits ^ bits << 7);
    bits ^ swap ^ swap >> 7
}
