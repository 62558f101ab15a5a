//! Tables of rays and lines in the format's own order, computed at compile time.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "evaluated at compile time only, where a mistake is a compile error"
)]

use chess_core::{Bitboard, PerSquare, Square};

/// The eight directions as changes of file and rank: the bishop's in the order of
/// cbf §6.1 "Order of moves", then the rook's.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (0, 1)];
/// For each of [`DIRECTIONS`] and each square, the ray to the edge of the board.
pub(super) static RAYS: [PerSquare<Bitboard>; 8] = rays();

/// The two diagonals through each square, without the square itself. The first rises from left to
/// right, the second falls.
pub(super) static OBLIQUES: PerSquare<[Bitboard; 2]> = obliques();

/// Indexed by the place of a slider on a line of eight squares.
pub(super) static LINES: [LineTables; 8] = line_tables();

/// Lookup tables for a slider on one place of a line of eight squares.
#[derive(Clone, Copy)]
pub(super) struct LineTables {
    /// Indexed by the occupation of the line: the set of places that the slider reaches.
    pub(super) slides: [u8; 256],
    /// Indexed by a set of places: how many lie on the lower side (first byte) and on the higher
    /// side (third byte) of the slider.
    pub(super) sides: [u32; 256],
}

/// The squares that precede each square in the order a1, a2, ... a8, b1, ... h8.
pub(super) static BEFORE: PerSquare<Bitboard> = before();
/// Each byte value with its bits expanded to bytes.
pub(super) static SPREAD: [u64; 256] = spread();

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

const fn obliques() -> PerSquare<[Bitboard; 2]> {
    let rays = rays();
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut from = 0;
    while from < 64 {
        table[from] = [
            Bitboard(rays[0].0[from].0 | rays[2].0[from].0),
            Bitboard(rays[1].0[from].0 | rays[3].0[from].0),
        ];
        from += 1;
    }
    PerSquare(table)
}

const fn line_tables() -> [LineTables; 8] {
    let mut tables = [LineTables { slides: [0; 256], sides: [0; 256] }; 8];
    let mut at = 0;
    while at < 8 {
        let mut set = 0;
        while set < 256 {
            tables[at].slides[set] = slides(at, set);
            let (lower, higher) = (set as u32 & !(0xff << at), set as u32 >> at >> 1);
            tables[at].sides[set] = lower.count_ones() | higher.count_ones() << 16;
            set += 1;
        }
        at += 1;
    }
    tables
}

const fn slides(at: usize, occupied: usize) -> u8 {
    let mut reached = 0;
    let mut to = at;
    while to < 7 {
        to += 1;
        reached |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
    }
    to = at;
    while to > 0 {
        to -= 1;
        reached |= 1 << to;
        if occupied >> to & 1 != 0 {
            break;
        }
    }
    reached
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
