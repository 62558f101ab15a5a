//! Converts the value of a move's code to a target square, and back.
//!
//! Both directions are a table look-up and some arithmetic. They do not branch on the kind of piece,
//! because the moving piece is unpredictable.

use chess_core::{Color, Piece, Role, Square};

use crate::decode::Dialect;
use crate::layout::{
    KING_STEPS, KNIGHT_STEPS, PAWN_STEPS, PUBLISHED_KING_STEPS, PUBLISHED_KNIGHT_STEPS, Step,
};

/// The step or line of each code value, by piece.
// movecode §4 "Where a piece goes"
#[derive(Debug)]
pub(crate) struct Directions([[Way; 32]; 8]);

/// A step or line on the board, in differences of [`wide`] squares.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The step of a pawn, knight or king; 0 for sliders.
    step: u8,
    /// The difference between adjacent squares of a slider's line; 0 for other pieces.
    stride: u8,
    /// Bit position, in a square index, of the coordinate that the value gives: rank or file.
    shift: u8,
}

/// The lines of sliders, in the order of their values. On the two diagonals and the file, the value
/// gives the target rank; on the rank, the target file. The queen has all four lines, the bishop the
/// first two, and the rook the last two.
const LINES: [Way; 4] = [
    Way { step: 0, stride: 17, shift: 3 },
    Way { step: 0, stride: 15, shift: 3 },
    Way { step: 0, stride: 16, shift: 3 },
    Way { step: 0, stride: 1, shift: 0 },
];

static JOSE: Directions = Directions(ways(KNIGHT_STEPS, KING_STEPS));
static PUBLISHED: Directions = Directions(ways(PUBLISHED_KNIGHT_STEPS, PUBLISHED_KING_STEPS));

impl Directions {
    /// Returns the table of a dialect.
    pub(crate) fn of(dialect: Dialect) -> &'static Directions {
        match dialect {
            Dialect::Jose => &JOSE,
            Dialect::Published => &PUBLISHED,
        }
    }

    /// Returns the target of `piece` on `from` for `value`, or `None` if it is off the board or no move.
    #[inline]
    pub(crate) fn target(&self, piece: Piece, from: Square, value: u8) -> Option<Square> {
        let way = self.0.get(row(piece))?.get(usize::from(value & 31))?;
        let distance = (value & 7).wrapping_sub(from.index() >> way.shift & 7);
        let moved = way.step.wrapping_add(way.stride.wrapping_mul(distance));
        narrow(wide(from).wrapping_add(moved)).filter(|to| *to != from)
    }
}

/// Returns the code value for a move from `from` to `to`, or `None` if there is none. The squares imply
/// the colour of a pawn.
#[inline]
pub(crate) fn value(role: Role, from: Square, to: Square) -> Option<u8> {
    let difference = wide(to).wrapping_sub(wide(from));
    let entry = *VALUES.get(role as usize)?.get(usize::from(difference))?;
    (entry != NO_VALUE).then_some(entry & 31 | to.index() >> (entry >> 5) & 7)
}

/// Indexed by role and difference of [`wide`] squares. Bits 0 to 4 are the value without the target's
/// coordinate. Bits 5 to 7 are the bit position of that coordinate in the target's index.
static VALUES: [[u8; 256]; 8] = values();
const NO_VALUE: u8 = 0xff;
/// A shift by which no coordinate remains of a square index.
const NO_COORDINATE: u8 = 6;

/// Returns the row of a piece in [`Directions`]: its role, or the spare row for black pawns.
#[inline]
fn row(piece: Piece) -> usize {
    match (piece.role(), piece.color()) {
        (Role::Pawn, Color::Black) => 0,
        (role, _) => role as usize,
    }
}

/// Converts a square to 0x88 form: rank times 16 plus file. The difference of two squares determines
/// the differences of files and ranks. Squares off the board have bit 3 or 7 set.
const fn wide(square: Square) -> u8 {
    square.index().wrapping_add(square.index() & 56)
}

const fn narrow(wide: u8) -> Option<Square> {
    if wide & 0x88 == 0 { Some(Square::from_low_bits(wide >> 1 & 56 | wide & 7)) } else { None }
}

const fn wide_step((files, ranks): Step) -> u8 {
    ranks.wrapping_mul(16).wrapping_add(files).cast_unsigned()
}

#[allow(clippy::indexing_slicing, reason = "evaluated at compile time only")]
const fn ways(knight: [Step; 8], king: [Step; 8]) -> [[Way; 32]; 8] {
    const fn step(step: Step) -> Way {
        Way { step: wide_step(step), stride: 0, shift: 0 }
    }
    let mut table = [[step((0, 0)); 32]; 8];
    let mut value = 0;
    while value < 32 {
        let (files, ranks) = PAWN_STEPS[value & 3];
        table[0][value] = step((files.wrapping_neg(), ranks.wrapping_neg()));
        table[Role::Pawn as usize][value] = step((files, ranks));
        table[Role::Knight as usize][value] = step(knight[value & 7]);
        table[Role::King as usize][value] = step(king[value & 7]);
        let line = value >> 3;
        table[Role::Bishop as usize][value] = LINES[line & 1];
        table[Role::Rook as usize][value] = LINES[2 | line & 1];
        table[Role::Queen as usize][value] = LINES[line];
        value = value.wrapping_add(1);
    }
    table
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "evaluated at compile time only, where a mistake is a compile error"
)]
const fn values() -> [[u8; 256]; 8] {
    let mut table = [[NO_VALUE; 256]; 8];
    let mut value = 0;
    while value < 8 {
        let entry = NO_COORDINATE << 5 | value as u8;
        if value < PAWN_STEPS.len() {
            let white = wide_step(PAWN_STEPS[value]);
            table[Role::Pawn as usize][white as usize] = entry;
            table[Role::Pawn as usize][white.wrapping_neg() as usize] = entry;
        }
        table[Role::Knight as usize][wide_step(KNIGHT_STEPS[value]) as usize] = entry;
        table[Role::King as usize][wide_step(KING_STEPS[value]) as usize] = entry;
        value += 1;
    }
    let mut number = 0;
    while number < LINES.len() * 7 {
        let (line, distance) = (number / 7, number % 7 + 1);
        let ahead = LINES[line].stride * distance as u8;
        let coordinate = LINES[line].shift << 5;
        let mut sign = 0;
        while sign < 2 {
            let difference = [ahead, ahead.wrapping_neg()][sign] as usize;
            table[Role::Queen as usize][difference] = coordinate | (line as u8) << 3;
            let slider = if line < 2 { Role::Bishop } else { Role::Rook };
            table[slider as usize][difference] = coordinate | (line as u8 & 1) << 3;
            sign += 1;
        }
        number += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(role: Role, color: Color, from: Square, value: u8) -> Option<Square> {
        Directions::of(Dialect::Jose).target(Piece::new(role, color), from, value)
    }

    fn squares(role: Role, values: u8) -> Vec<String> {
        (0..values)
            .map(|value| {
                let to = target(role, Color::White, Square::E4, value);
                to.map_or_else(|| "-".into(), |to| to.to_string())
            })
            .collect()
    }

    #[test]
    fn target_documented_values_match() {
        let list = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(squares(Role::Pawn, 4), list("e5 f5 d5 e6"));
        assert_eq!(squares(Role::Knight, 8), list("g5 g3 f2 d2 c3 c5 d6 f6"));
        assert_eq!(squares(Role::King, 8), list("f5 f3 d3 d5 f4 d4 e5 e3"));
        assert_eq!(squares(Role::Bishop, 16), list("b1 c2 d3 - f5 g6 h7 - h1 g2 f3 - d5 c6 b7 a8"));
        assert_eq!(squares(Role::Rook, 16), list("e1 e2 e3 - e5 e6 e7 e8 a4 b4 c4 d4 - f4 g4 h4"));
        let mut queen = squares(Role::Bishop, 16);
        queen.extend(squares(Role::Rook, 16));
        assert_eq!(squares(Role::Queen, 32), queen);
    }

    #[test]
    fn black_pawns_go_the_other_way_in_files_too() {
        let to = |value| target(Role::Pawn, Color::Black, Square::E5, value);
        assert_eq!(to(0), Some(Square::E4));
        assert_eq!(to(1), Some(Square::D4));
        assert_eq!(to(2), Some(Square::F4));
        assert_eq!(to(3), Some(Square::E3));
    }

    /// Every value with a target round-trips, and no other move has a value.
    #[test]
    fn values_are_targets_backwards() {
        for (role, values) in [
            (Role::Pawn, 4),
            (Role::Knight, 8),
            (Role::King, 8),
            (Role::Bishop, 16),
            (Role::Rook, 16),
            (Role::Queen, 32),
        ] {
            for from in Square::all() {
                let mut reached = Vec::new();
                for color in Color::ALL {
                    for number in 0..values {
                        if let Some(to) = target(role, color, from, number) {
                            assert_eq!(value(role, from, to), Some(number), "{role:?} {from} {to}");
                            reached.push(to);
                        }
                    }
                }
                for to in Square::all().filter(|to| !reached.contains(to)) {
                    assert_eq!(value(role, from, to), None, "{role:?} {from} {to}");
                }
            }
        }
    }

    #[test]
    fn published_tables_have_the_same_steps() {
        let sorted = |mut steps: [Step; 8]| {
            steps.sort_unstable();
            steps
        };
        assert_eq!(sorted(KNIGHT_STEPS), sorted(PUBLISHED_KNIGHT_STEPS));
        assert_eq!(sorted(KING_STEPS), sorted(PUBLISHED_KING_STEPS));
    }
}
