//! How many numbers each piece takes, and which piece a number falls to.

use chess_core::{Bitboard, Square};

use super::groups::{Groups, ONES, Sums};
use super::rays::SPREAD;

/// The most that [`Sums`] count.
const MOST: u32 = 255;

/// The numbers of a side's pieces by files. It is separate from [`Ranks`], so that it can stay in
/// registers.
#[derive(Debug)]
pub(super) struct Files {
    total: u32,
    /// Of no use if there are more than [`MOST`].
    sums: Sums,
}

/// The numbers of a side's pieces by ranks, for each file.
#[derive(Debug)]
pub(super) struct Ranks {
    /// Without those that the pawns' digits say. Eight queens on a file take 136.
    files: [Sums; 8],
    /// Numbers of the pawns in binary: the ones and the twos.
    digits: [Bitboard; 2],
}

impl Files {
    /// Those that the pawns' digits say.
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

    /// Adds to the numbers of a piece.
    #[inline]
    pub(super) fn add(&mut self, square: Square, count: u32) {
        self.total = self.total.wrapping_add(count);
        self.sums.add(square.file(), count);
    }

    /// The piece a number falls to, and which of its own it is, from 1. If there are not so many,
    /// how many there are. `number` is at most 128.
    #[inline]
    pub(super) fn find(&self, number: u32, ranks: &Ranks) -> Result<(Square, u32), u32> {
        // There is no number 0.
        if number.wrapping_sub(1) >= self.total {
            return Err(self.total);
        }
        let found =
            if self.total <= MOST { self.sums.find(number) } else { ranks.find_file(number) };
        let (file, rest) = found.unwrap_or_default();
        let (rank, rest) = ranks.on_file(file).find(rest).unwrap_or_default();
        let [square, ..] = (rank << 3 | file).to_le_bytes();
        Ok((Square::from_low_bits(square), rest))
    }

    /// How many numbers there are.
    #[cfg(test)]
    pub(super) fn total(&self) -> u32 {
        self.total
    }
}

impl Ranks {
    pub(super) const NONE: Ranks = Ranks { files: [Sums::NONE; 8], digits: [Bitboard::EMPTY; 2] };

    /// Those that the pawns' digits say.
    #[inline]
    pub(super) fn of_pawns(digits: [Bitboard; 2]) -> Ranks {
        Ranks { digits, ..Ranks::NONE }
    }

    /// Adds to the numbers of a piece, which stay below 32.
    #[inline]
    pub(super) fn add(&mut self, square: Square, count: u32) {
        if let Some(file) = self.files.get_mut(usize::from(square.file() & 7)) {
            file.add(square.rank(), count);
        }
    }

    /// The numbers on one file, by ranks.
    #[inline]
    fn on_file(&self, file: u32) -> Sums {
        let others = self.files.get(file as usize & 7).copied().unwrap_or(Sums::NONE);
        let pawns = weigh(self.digits.map(|digit| Groups(digit.0 >> (file & 7) & ONES)));
        others.plus(pawns.sums())
    }

    /// The file a number falls to, file by file: for a board with more numbers than a byte counts.
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

/// What two binary digits come to.
#[inline]
fn weigh([ones, twos]: [Groups; 2]) -> Groups {
    ones.plus(twos).plus(twos)
}

/// Whether two squares of a set are on one file.
#[inline]
fn has_doubled(set: Bitboard) -> bool {
    let mut above = set.0 << 8;
    above |= above << 8;
    above |= above << 16;
    above |= above << 32;
    set.0 & above != 0
}

/// How many squares of a set there are on each file, where there is at most one.
#[inline]
fn mark_files(set: Bitboard) -> Groups {
    let [.., files] = set.0.wrapping_mul(ONES).to_le_bytes();
    spread(files)
}

/// How many squares of a set there are on each file.
#[inline]
fn count_files(set: Bitboard) -> Groups {
    set.0.to_le_bytes().map(spread).into_iter().fold(Groups::default(), Groups::plus)
}

/// The bits of a byte, a byte each.
#[inline]
fn spread(byte: u8) -> Groups {
    Groups(SPREAD.get(usize::from(byte)).copied().unwrap_or(0))
}
