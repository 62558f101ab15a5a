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

/// The squares from which a bishop, or on the other table a rook, looks at each on an empty board.
pub(crate) static DIAGONALS: PerSquare<Bitboard> = union([(-1, -1), (1, -1), (1, 1), (-1, 1)]);
/// See [`DIAGONALS`].
pub(crate) static STRAIGHTS: PerSquare<Bitboard> = union([(-1, 0), (0, -1), (1, 0), (0, 1)]);

/// Where a king steps from each square, in order; for a step off the board, the square itself.
pub(crate) static KING_ORDER: PerSquare<[Square; 8]> =
    steps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);
/// The same for a knight.
pub(crate) static KNIGHT_ORDER: PerSquare<[Square; 8]> =
    steps([(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)]);

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

const fn union(directions: [(i8, i8); 4]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 4 {
        let ray = ray(directions[i].0, directions[i].1);
        let mut from = 0;
        while from < 64 {
            table[from] = Bitboard(table[from].0 | ray.0[from].0);
            from += 1;
        }
        i += 1;
    }
    PerSquare(table)
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
