//! Attack tables, computed by the compiler.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs in the compiler only, where a mistake is a compile error"
)]

use crate::bitboard::Bitboard;
use crate::square::{PerSquare, Square};

/// The squares a lone step of each (file, rank) pair reaches from every square.
const fn steps<const N: usize>(deltas: [(i8, i8); N]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < N {
            let (files, ranks) = deltas[i];
            if let Some(to) = Square::from_low_bits(from as u8).offset(files, ranks) {
                table[from] = Bitboard(table[from].0 | 1 << to.index());
            }
            i += 1;
        }
        from += 1;
    }
    PerSquare(table)
}

/// The squares of a whole line through each square, without the square itself.
const fn lines(files: i8, ranks: i8) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut sign = -1;
        while sign <= 1 {
            let mut square = Square::from_low_bits(from as u8);
            while let Some(next) = square.offset(files * sign, ranks * sign) {
                table[from] = Bitboard(table[from].0 | 1 << next.index());
                square = next;
            }
            sign += 2;
        }
        from += 1;
    }
    PerSquare(table)
}

/// For each file of a slider and each occupation of the six inner squares of its rank: the
/// attacked squares of the rank.
const fn first_rank() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u8) << 1;
            let mut attacks = 0u8;
            let mut to = file;
            while to < 7 {
                to += 1;
                attacks |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            to = file;
            while to > 0 {
                to -= 1;
                attacks |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
}

pub(crate) static KNIGHT: PerSquare<Bitboard> =
    steps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
pub(crate) static KING: PerSquare<Bitboard> =
    steps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
pub(crate) static PAWN: [PerSquare<Bitboard>; 2] =
    [steps([(-1, 1), (1, 1)]), steps([(-1, -1), (1, -1)])];
pub(crate) static FILE: PerSquare<Bitboard> = lines(0, 1);
pub(crate) static DIAGONAL: PerSquare<Bitboard> = lines(1, 1);
pub(crate) static ANTIDIAGONAL: PerSquare<Bitboard> = lines(1, -1);
pub(crate) static FIRST_RANK: [[u8; 64]; 8] = first_rank();
