//! Geometry in the format's own order, computed by the compiler.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs in the compiler only, where a mistake is a compile error"
)]

use chess_core::{Bitboard, PerSquare, Square};

/// One of the eight directions.
pub(crate) struct Ray {
    /// Change of file a step.
    pub(crate) files: i8,
    /// Change of rank a step.
    pub(crate) ranks: i8,
    /// The squares in this direction from each square, to the edge.
    pub(crate) squares: PerSquare<Bitboard>,
}

/// The bishop's directions in the order of cbf §6.1 "Order of moves", then the rook's.
pub(crate) static RAYS: [Ray; 8] =
    [ray(-1, -1), ray(1, -1), ray(1, 1), ray(-1, 1), ray(-1, 0), ray(0, -1), ray(1, 0), ray(0, 1)];
/// Places in [`RAYS`].
pub(crate) const BISHOP_DIRECTIONS: &[usize] = &[0, 1, 2, 3];
/// Places in [`RAYS`].
pub(crate) const ROOK_DIRECTIONS: &[usize] = &[4, 5, 6, 7];

/// The squares from which a bishop, or on the other table a rook, looks at each on an empty board.
pub(crate) static DIAGONALS: PerSquare<Bitboard> = union([(-1, -1), (1, -1), (1, 1), (-1, 1)]);
/// See [`DIAGONALS`].
pub(crate) static STRAIGHTS: PerSquare<Bitboard> = union([(-1, 0), (0, -1), (1, 0), (0, 1)]);

/// Where a king steps from each square, in order.
pub(crate) static KING_ORDER: PerSquare<[Option<Square>; 8]> =
    steps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);
/// Where a knight jumps from each square, in order.
pub(crate) static KNIGHT_ORDER: PerSquare<[Option<Square>; 8]> =
    steps([(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)]);

/// The squares that come before each in the order a1, a2, ... a8, b1, ... h8.
pub(crate) static BEFORE: PerSquare<Bitboard> = before();

const fn ray(files: i8, ranks: i8) -> Ray {
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
    Ray { files, ranks, squares: PerSquare(table) }
}

const fn union(directions: [(i8, i8); 4]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 4 {
        let ray = ray(directions[i].0, directions[i].1);
        let mut from = 0;
        while from < 64 {
            table[from] = Bitboard(table[from].0 | ray.squares.0[from].0);
            from += 1;
        }
        i += 1;
    }
    PerSquare(table)
}

const fn steps(deltas: [(i8, i8); 8]) -> PerSquare<[Option<Square>; 8]> {
    let mut table = [[None; 8]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            table[from][i] = Square::from_low_bits(from as u8).offset(deltas[i].0, deltas[i].1);
            i += 1;
        }
        from += 1;
    }
    PerSquare(table)
}

const fn before() -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (file, rank) = (square & 7, square >> 3);
            if other & 7 < file || (other & 7 == file && other >> 3 < rank) {
                table[square] = Bitboard(table[square].0 | 1 << other);
            }
            other += 1;
        }
        square += 1;
    }
    PerSquare(table)
}
