//! Geometry in the format's own order, computed by the compiler.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs in the compiler only, where a mistake is a compile error"
)]

use chess_core::{Bitboard, PerSquare, Square};

/// The eight directions as changes of file and rank: the bishop's in the order of
/// cbf §6.1 "Order of moves", then the rook's.
pub(crate) const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (0, 1)];
/// The squares in each of [`DIRECTIONS`] from each square, to the edge.
pub(crate) static RAYS: [PerSquare<Bitboard>; 8] = rays();

/// The lines through each square without itself, from lower left to upper right.
pub(crate) static DIAGONALS: PerSquare<Bitboard> = line(0, 2);
/// From upper left to lower right.
pub(crate) static ANTIDIAGONALS: PerSquare<Bitboard> = line(1, 3);

/// For each place on a line of eight and each occupation of it, the places a slider reaches.
pub(crate) static SLIDES: [[u8; 256]; 8] = slides();
/// How many bits each byte has set: the plainest processors of today's have no instruction for it.
pub(crate) static ONES_OF: [u8; 256] = ones_of();

/// Where a king steps from each square, in order; for a step off the board, the square itself.
pub(crate) static KING_ORDER: PerSquare<[Square; 8]> =
    steps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);
/// The same for a knight.
pub(crate) static KNIGHT_ORDER: PerSquare<[Square; 8]> =
    steps([(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)]);

/// The squares that come before each in the order a1, a2, ... a8, b1, ... h8.
pub(crate) static BEFORE: PerSquare<Bitboard> = before();
/// A one in the byte of each square's file, of eight bytes with the a-file's lowest.
pub(crate) static FILE_UNITS: PerSquare<u64> = file_units();

/// The bits of each byte, a byte each.
pub(crate) static SPREAD: [u64; 256] = spread();

const fn rays() -> [PerSquare<Bitboard>; 8] {
    let mut table = [PerSquare([Bitboard::EMPTY; 64]); 8];
    let mut i = 0;
    while i < 8 {
        table[i] = ray(DIRECTIONS[i].0, DIRECTIONS[i].1);
        i += 1;
    }
    table
}

const fn ray(files: i8, ranks: i8) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut square = Square::from_low_bits(from as u8);
        while let Some(next) = square.offset(files, ranks) {
            table[from] = Bitboard(table[from].0 | 1 << next.index());
            square = next;
        }
        from += 1;
    }
    PerSquare(table)
}

/// The union of two opposite rays.
const fn line(one: usize, other: usize) -> PerSquare<Bitboard> {
    let rays = rays();
    let mut table = rays[one];
    let mut from = 0;
    while from < 64 {
        table.0[from] = Bitboard(table.0[from].0 | rays[other].0[from].0);
        from += 1;
    }
    table
}

const fn slides() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut occupied = 0;
        while occupied < 256 {
            let mut to = at;
            while to < 7 {
                to += 1;
                table[at][occupied] |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            to = at;
            while to > 0 {
                to -= 1;
                table[at][occupied] |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            occupied += 1;
        }
        at += 1;
    }
    table
}

const fn ones_of() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
}

const fn steps(deltas: [(i8, i8); 8]) -> PerSquare<[Square; 8]> {
    let mut table = [[Square::A1; 8]; 64];
    let mut from = 0;
    while from < 64 {
        let square = Square::from_low_bits(from as u8);
        let mut i = 0;
        while i < 8 {
            table[from][i] = match square.offset(deltas[i].0, deltas[i].1) {
                Some(to) => to,
                None => square,
            };
            i += 1;
        }
        from += 1;
    }
    PerSquare(table)
}

const fn file_units() -> PerSquare<u64> {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = 1 << ((square & 7) << 3);
        square += 1;
    }
    PerSquare(table)
}

const fn spread() -> [u64; 256] {
    let mut table = [0; 256];
    let mut rank = 0;
    while rank < 256 {
        let mut file = 0;
        while file < 8 {
            table[rank] |= (rank as u64 >> file & 1) << (8 * file);
            file += 1;
        }
        rank += 1;
    }
    table
}

const fn before() -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square & 7, square >> 3);
        let mut other = 0;
        while other < 64 {
            if other & 7 < file || (other & 7 == file && other >> 3 < rank) {
                table[square] = Bitboard(table[square].0 | 1 << other);
            }
            other += 1;
        }
        square += 1;
    }
    PerSquare(table)
}
