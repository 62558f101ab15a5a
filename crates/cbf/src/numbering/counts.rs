//! Counts of numbers by piece, and the search for the piece of a number.
//!
//! Pawn counts stay in binary (see [`Pawns::digits`](super::pawns::Pawns::digits)) until a file is
//! searched. Other pieces are added to the prefix sums one by one.

use chess_core::{Bitboard, Square};

use super::groups::{ONES, PackedCounts, PrefixSums};
use super::rays::SPREAD;

/// The largest total that [`PrefixSums`] can hold.
const MAX_SUM: u32 = 255;

/// The numbers of a side's pieces by file. Separate from [`Ranks`] so that it can stay in registers.
#[derive(Debug)]
pub(super) struct Files {
    total: u32,
    /// Invalid if `total` exceeds [`MAX_SUM`].
    sums: PrefixSums,
}

/// The numbers of a side's pieces by rank, for each file.
#[derive(Debug)]
pub(super) struct Ranks {
    /// Without the counts in `digits`. The maximum is 136, for eight queens on a file.
    files: [PrefixSums; 8],
    /// Counts of the pawns in binary: the ones and the twos digits.
    digits: [Bitboard; 2],
}

impl Files {
    /// Starts with the counts of the pawns.
    #[inline]
    pub(super) fn of_pawns(digits: [Bitboard; 2]) -> Files {
        let [ones, twos] = digits;
        let by_files = if has_doubled(ones | twos) {
            weigh(digits.map(count_files))
        } else {
            weigh(digits.map(mark_files))
        };
        let sums = by_files.sums();
        Files { total: sums.total(), sums }
    }

    /// Adds `count` numbers to the piece on `square`.
    #[inline]
    pub(super) fn add(&mut self, square: Square, count: u32) {
        self.total = self.total.wrapping_add(count);
        self.sums.add(square.file(), count);
    }

    /// Returns the piece that `number` belongs to, and its place among that piece's numbers, from 1.
    /// Returns the total as `Err` if `number` exceeds it. `number` is at most 128.
    #[inline]
    pub(super) fn find(&self, number: u32, ranks: &Ranks) -> Result<(Square, u32), u32> {
        // Number 0 does not exist and wraps to the maximum.
        if number.wrapping_sub(1) >= self.total {
            return Err(self.total);
        }
        let found =
            if self.total <= MAX_SUM { self.sums.find(number) } else { ranks.find_file(number) };
        let (file, rest) = found.unwrap_or_default();
        let (rank, rest) = ranks.on_file(file).find(rest).unwrap_or_default();
        let [square, ..] = (rank << 3 | file).to_le_bytes();
        Ok((Square::from_low_bits(square), rest))
    }

    /// Returns the count of numbers.
    #[cfg(test)]
    pub(super) fn total(&self) -> u32 {
        self.total
    }
}

impl Ranks {
    pub(super) const NONE: Ranks =
        Ranks { files: [PrefixSums::NONE; 8], digits: [Bitboard::EMPTY; 2] };

    /// Starts with the counts of the pawns.
    #[inline]
    pub(super) fn of_pawns(digits: [Bitboard; 2]) -> Ranks {
        Ranks { digits, ..Ranks::NONE }
    }

    /// Adds `count` numbers to the piece on `square`. A piece has fewer than 32.
    #[inline]
    pub(super) fn add(&mut self, square: Square, count: u32) {
        if let Some(file) = self.files.get_mut(usize::from(square.file() & 7)) {
            file.add(square.rank(), count);
        }
    }

    /// Returns the prefix sums by rank of one file.
    #[inline]
    fn on_file(&self, file: u32) -> PrefixSums {
        let others = self.files.get(file as usize & 7).copied().unwrap_or(PrefixSums::NONE);
        let pawns = weigh(self.digits.map(|digit| PackedCounts(digit.0 >> (file & 7) & ONES)));
        others.plus(pawns.sums())
    }

    /// Finds the file of `number` one file at a time, for a board with more than [`MAX_SUM`] numbers.
    #[cold]
    fn find_file(&self, number: u32) -> Option<(u32, u32)> {
        let mut rest = number;
        for file in 0..8 {
            let count = self.on_file(file).total();
            if rest <= count {
                return Some((file, rest));
            }
            rest = rest.wrapping_sub(count);
        }
        None
    }
}

/// Converts two binary digits to counts.
#[inline]
fn weigh([ones, twos]: [PackedCounts; 2]) -> PackedCounts {
    ones.plus(twos).plus(twos)
}

/// Returns `true` if two squares of `set` share a file.
#[inline]
fn has_doubled(set: Bitboard) -> bool {
    let mut above = set.0 << 8;
    above |= above << 8;
    above |= above << 16;
    above |= above << 32;
    set.0 & above != 0
}

/// Counts the squares of `set` on each file, which has at most one.
#[inline]
fn mark_files(set: Bitboard) -> PackedCounts {
    let [.., files] = set.0.wrapping_mul(ONES).to_le_bytes();
    spread(files)
}

/// Counts the squares of `set` on each file.
#[inline]
fn count_files(set: Bitboard) -> PackedCounts {
    set.0.to_le_bytes().map(spread).into_iter().fold(PackedCounts::default(), PackedCounts::plus)
}

/// Expands each bit of `byte` to a byte.
#[inline]
fn spread(byte: u8) -> PackedCounts {
    PackedCounts(SPREAD.get(usize::from(byte)).copied().unwrap_or(0))
}
