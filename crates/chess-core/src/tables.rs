//! Attack tables, computed at compile time.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs in the compiler only, where a mistake is a compile error"
)]

use crate::bitboard::Bitboard;
use crate::square::{PerSquare, Square};

/// The squares that one step of each (file, rank) offset reaches from every square.
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

/// The attacked squares of a rank, for each file of a slider and each occupancy of the six inner
/// squares.
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

/// The squares of two lines through each square.
const fn both(a: &PerSquare<Bitboard>, b: &PerSquare<Bitboard>) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        table[from] = Bitboard(a.0[from].0 | b.0[from].0);
        from += 1;
    }
    PerSquare(table)
}

/// The squares that a piece can reach from every square of an empty board, including the capture
/// squares of pawns. Indexed by the bits of [`Piece`](crate::Piece).
const fn reach() -> [PerSquare<Bitboard>; 16] {
    let mut table = [PerSquare([Bitboard::EMPTY; 64]); 16];
    let mut color = 0;
    while color < 2 {
        let bits = color << 3;
        table[bits | 1] = both(&PAWN[color], &pawn_pushes(if color == 0 { 1 } else { -1 }));
        table[bits | 2] = KNIGHT;
        table[bits | 3] = OBLIQUE;
        table[bits | 4] = STRAIGHT;
        table[bits | 5] = both(&STRAIGHT, &OBLIQUE);
        table[bits | 6] = KING;
        color += 1;
    }
    table
}

/// One square ahead, and two from the second rank of the side.
const fn pawn_pushes(forward: i8) -> PerSquare<Bitboard> {
    let mut table = steps([(0, forward)]);
    let second = if forward > 0 { 8 } else { 48 };
    let mut file = 0;
    while file < 8 {
        let from = second + file;
        let jump = 1 << (from as i8 + 16 * forward);
        table.0[from] = Bitboard(table.0[from].0 | jump);
        file += 1;
    }
    table
}

/// The squares from which a straight pawn move ends on each square.
const fn pawn_origins(forward: i8) -> PerSquare<Bitboard> {
    let pushes = pawn_pushes(forward);
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if pushes.0[from].0 >> to & 1 != 0 {
                table[to] = Bitboard(table[to].0 | 1 << from);
            }
            to += 1;
        }
        from += 1;
    }
    PerSquare(table)
}

/// The squares strictly between two squares of a line. Empty for squares that share no line.
const fn between() -> [Bitboard; 4096] {
    let mut table = [Bitboard::EMPTY; 4096];
    let directions = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = directions[direction];
            let mut passed = Bitboard::EMPTY;
            let mut square = Square::from_low_bits(from as u8);
            while let Some(next) = square.offset(files, ranks) {
                table[from << 6 | next.index() as usize] = passed;
                passed = Bitboard(passed.0 | 1 << next.index());
                square = next;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// The pawn attacks of a square and the lines through it, in one struct. They are used together for
/// every move that is checked.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Around {
    /// The squares that a pawn on it attacks, by colour.
    pub(crate) pawns: [Bitboard; 2],
    pub(crate) knight: Bitboard,
    pub(crate) king: Bitboard,
    /// The lines along which a rook and a bishop move.
    pub(crate) straight: Bitboard,
    pub(crate) oblique: Bitboard,
}

const fn around() -> PerSquare<Around> {
    let none = Bitboard::EMPTY;
    let around =
        Around { pawns: [none; 2], knight: none, king: none, straight: none, oblique: none };
    let mut table = [around; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Around {
            pawns: [PAWN[0].0[square], PAWN[1].0[square]],
            knight: KNIGHT.0[square],
            king: KING.0[square],
            straight: STRAIGHT.0[square],
            oblique: OBLIQUE.0[square],
        };
        square += 1;
    }
    PerSquare(table)
}

const KNIGHT: PerSquare<Bitboard> =
    steps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
const KING: PerSquare<Bitboard> =
    steps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
const PAWN: [PerSquare<Bitboard>; 2] = [steps([(-1, 1), (1, 1)]), steps([(-1, -1), (1, -1)])];
pub(crate) static PAWN_ORIGINS: [PerSquare<Bitboard>; 2] = [pawn_origins(1), pawn_origins(-1)];
pub(crate) static FILE: PerSquare<Bitboard> = lines(0, 1);
pub(crate) static DIAGONAL: PerSquare<Bitboard> = lines(1, 1);
pub(crate) static ANTIDIAGONAL: PerSquare<Bitboard> = lines(1, -1);
const RANK: PerSquare<Bitboard> = lines(1, 0);
const STRAIGHT: PerSquare<Bitboard> = both(&lines(0, 1), &RANK);
const OBLIQUE: PerSquare<Bitboard> = both(&lines(1, 1), &lines(1, -1));
pub(crate) static AROUND: PerSquare<Around> = around();
pub(crate) static REACH: [PerSquare<Bitboard>; 16] = reach();
/// The index of a pair: the first square times 64, plus the second.
pub(crate) static BETWEEN: [Bitboard; 4096] = between();
pub(crate) static FIRST_RANK: [[u8; 64]; 8] = first_rank();
