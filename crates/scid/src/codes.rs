//! The meaning of each move code for each piece on each square, as one table computed at compile
//! time. (scid §4.5 "Move codes")
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "the table is made in the compiler, where a mistake is a compile error; looking up is masked"
)]

use chess_core::{Role, Square};

/// The meaning of a move code: the target square and the kind of move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step(u16);

/// The kinds of [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    /// A move to [`Step::target`].
    Plain,
    /// A move to [`Step::target`] across the edge of the board.
    OverEdge,
    /// The role has no such code.
    Invalid,
    /// The target lies beyond the first or eighth rank.
    OffBoard,
    /// The target is the piece's own square.
    OwnSquare,
    /// A queen's diagonal move: the next byte is the target.
    SecondByte,
    /// Castling towards the a-file.
    CastleQueen,
    /// Castling towards the h-file.
    CastleKing,
    /// A null move.
    Null,
}

const PROMOTION: u16 = 6;
const SPECIAL: u16 = 9;
const KIND: u16 = 15;
/// Marks a pawn's diagonal move, which is only a capture.
const DIAGONAL: u16 = 1 << 15;

impl Step {
    const fn special(kind: StepKind) -> Step {
        Step((kind as u16) << SPECIAL)
    }

    /// Adds `delta` to a square. Scid does not check the edges of the files.
    const fn by(from: Square, delta: i8, promotion: u16) -> Step {
        let to = from.index() as i8 + delta;
        if to < 0 || to > 63 {
            return Step::special(StepKind::OffBoard);
        }
        let target = Square::from_low_bits(to as u8);
        let plain = target.index() as u16 | promotion << PROMOTION;
        if target.file().abs_diff(from.file()) > 2 {
            return Step(plain | (StepKind::OverEdge as u16) << SPECIAL);
        }
        Step(plain)
    }

    /// Whether the move is an ordinary one.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        self.0 >> SPECIAL & KIND == 0
    }

    /// The target, if the move is ordinary and the piece keeps its role.
    #[inline]
    pub(crate) const fn plain_target(self) -> Option<Square> {
        if self.0 & !DIAGONAL < 64 { Some(self.target()) } else { None }
    }

    /// Whether this is a diagonal pawn move, which is only a capture.
    #[inline]
    pub(crate) const fn is_diagonal(self) -> bool {
        self.0 & DIAGONAL != 0
    }

    const fn diagonal(self) -> Step {
        Step(self.0 | DIAGONAL)
    }

    pub(crate) const fn kind(self) -> StepKind {
        match self.0 >> SPECIAL & KIND {
            0 => StepKind::Plain,
            1 => StepKind::OverEdge,
            3 => StepKind::OffBoard,
            4 => StepKind::OwnSquare,
            5 => StepKind::SecondByte,
            6 => StepKind::CastleQueen,
            7 => StepKind::CastleKing,
            8 => StepKind::Null,
            _ => StepKind::Invalid,
        }
    }

    /// Whether the piece goes to this square and becomes this role, across the edge of the board or
    /// not.
    #[inline]
    pub(crate) fn leads_to(self, to: Square, promotion: Option<Role>) -> bool {
        let plain = u16::from(to.index()) | promotion.map_or(0, |role| role as u16) << PROMOTION;
        self.0 & !(DIAGONAL | (StepKind::OverEdge as u16) << SPECIAL) == plain
    }

    #[inline]
    pub(crate) const fn target(self) -> Square {
        Square::from_low_bits((self.0 & 63) as u8)
    }

    #[inline]
    pub(crate) const fn promotion(self) -> Option<Role> {
        if self.0 >> PROMOTION & 7 == 0 {
            return None;
        }
        match self.0 >> PROMOTION & 7 {
            2 => Some(Role::Knight),
            3 => Some(Role::Bishop),
            4 => Some(Role::Rook),
            5 => Some(Role::Queen),
            _ => None,
        }
    }
}

/// Returns the code of a move to a square on which the piece keeps its role, if there is one. Rows
/// as in [`step_in_row`].
#[inline]
pub(crate) fn code_in_row(row: usize, from: Square, to: Square) -> Option<u8> {
    code_and_way(row, from, to).map(|(code, _)| code)
}

/// As [`code_in_row`], and whether the move is a diagonal pawn move.
#[inline]
pub(crate) fn code_and_way(row: usize, from: Square, to: Square) -> Option<(u8, bool)> {
    let code = CODES[row & 7][usize::from(from.index() & 63)][usize::from(to.index() & 63)];
    let diagonal = code & CODE_DIAGONAL != 0;
    (code & !CODE_DIAGONAL).checked_sub(1).map(|code| (code, diagonal))
}

/// Marks diagonal pawn moves in [`CODES`], as [`DIAGONAL`] does in the other table.
const CODE_DIAGONAL: u8 = 1 << 7;

/// The inverse of [`TABLE`]: each code plus one, 0 for none.
static CODES: [[[u8; 64]; 64]; 8] = codes();

const fn codes() -> [[[u8; 64]; 64]; 8] {
    let table = table();
    let mut codes = [[[0; 64]; 64]; 8];
    let mut row = 0;
    while row < 8 {
        let mut from = 0;
        while from < 64 {
            let mut code = 0;
            while code < 16 {
                let step = table[row][from][code];
                let stays = step.promotion().is_none();
                if stays && matches!(step.kind(), StepKind::Plain | StepKind::OverEdge) {
                    let diagonal = if step.is_diagonal() { CODE_DIAGONAL } else { 0 };
                    codes[row][from][step.target().index() as usize] = (code as u8 + 1) | diagonal;
                }
                code += 1;
            }
            from += 1;
        }
        row += 1;
    }
    codes
}

/// Decodes `code` in a row of the table: the row of a role, or 0 for Black's pawns.
#[inline]
pub(crate) fn step_in_row(row: usize, from: Square, code: u8) -> Step {
    TABLE[row & 7][usize::from(from.index() & 63)][usize::from(code & 15)]
}

static TABLE: [[[Step; 16]; 64]; 8] = table();

const fn table() -> [[[Step; 16]; 64]; 8] {
    let mut table = [[[Step::special(StepKind::Invalid); 16]; 64]; 8];
    let mut square = 0;
    while square < 64 {
        let from = Square::from_low_bits(square as u8);
        let mut code = 0;
        while code < 16 {
            table[0][square][code] = pawn(from, code as u8, -1);
            table[Role::Pawn as usize][square][code] = pawn(from, code as u8, 1);
            table[Role::Knight as usize][square][code] = knight(from, code);
            table[Role::Bishop as usize][square][code] = bishop(from, code as u8);
            table[Role::Rook as usize][square][code] = rook(from, code as u8);
            table[Role::Queen as usize][square][code] = queen(from, code as u8);
            table[Role::King as usize][square][code] = king(from, code);
            code += 1;
        }
        square += 1;
    }
    table
}

/// Pawn codes. Code modulo 3 is the direction: capture, forward, capture, mirrored for Black. Code
/// divided by 3 is the promotion. Code 15 is the double step.
const fn pawn(from: Square, code: u8, forward: i8) -> Step {
    if code == 15 {
        return Step::by(from, 16 * forward, 0);
    }
    let promotion = match code / 3 {
        0 => 0,
        1 => Role::Queen as u16,
        2 => Role::Rook as u16,
        3 => Role::Bishop as u16,
        _ => Role::Knight as u16,
    };
    let step = Step::by(from, (7 + (code % 3) as i8) * forward, promotion);
    if code % 3 == 1 { step } else { step.diagonal() }
}

const KNIGHT_DELTAS: [i8; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];
const KING_DELTAS: [i8; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];

const fn knight(from: Square, code: usize) -> Step {
    match code {
        1..=8 => Step::by(from, KNIGHT_DELTAS[code - 1], 0),
        _ => Step::special(StepKind::Invalid),
    }
}

const fn king(from: Square, code: usize) -> Step {
    match code {
        0 => Step::special(StepKind::Null),
        1..=8 => Step::by(from, KING_DELTAS[code - 1], 0),
        9 => Step::special(StepKind::CastleQueen),
        10 => Step::special(StepKind::CastleKing),
        _ => Step::special(StepKind::Invalid),
    }
}

/// Bishop codes: below 8 the target's file on the rising diagonal, from 8 on the falling diagonal.
const fn bishop(from: Square, code: u8) -> Step {
    let files = (code & 7) as i8 - from.file() as i8;
    if files == 0 {
        return Step::special(StepKind::OwnSquare);
    }
    match from.offset(files, if code < 8 { files } else { -files }) {
        Some(target) => Step(target.index() as u16),
        None => Step::special(StepKind::OffBoard),
    }
}

/// Rook codes: below 8 the target's file, from 8 its rank.
const fn rook(from: Square, code: u8) -> Step {
    let target = if code < 8 {
        Square::from_low_bits(from.index() & 56 | code)
    } else {
        from.with_rank(code - 8)
    };
    if target.index() == from.index() {
        return Step::special(StepKind::OwnSquare);
    }
    Step(target.index() as u16)
}

/// As a rook. A move to the queen's own file announces a diagonal move.
const fn queen(from: Square, code: u8) -> Step {
    if code == from.file() { Step::special(StepKind::SecondByte) } else { rook(from, code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the target of each code with the words of the table, from every square.
    #[test]
    fn steps_agree_with_table() {
        let table = include_str!("../../../docs/formats/tables/scid-codes.tsv");
        let mut known = [[false; 16]; 8];
        for row in table.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<_> = row.split('\t').collect();
            let [piece, code, what, number] = cells[..] else { panic!("{row}") };
            let role = Role::from_letter(piece.chars().next().unwrap()).unwrap();
            let (code, number): (u8, i8) = (code.parse().unwrap(), number.parse().unwrap());
            known[role as usize][usize::from(code)] = true;
            for from in (0..64).filter_map(Square::new) {
                let step = step_in_row(role as usize, from, code);
                check_step(step, from, what, number, row);
                if role == Role::Pawn {
                    check_step(step_in_row(0, from, code), from, what, -number, row);
                }
                if role == Role::Rook {
                    let queen = step_in_row(Role::Queen as usize, from, code);
                    if code == from.file() {
                        assert_eq!(queen.kind(), StepKind::SecondByte, "{row} of a queen");
                    } else {
                        assert_eq!(queen, step, "{row} of a queen");
                    }
                }
            }
        }
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::King] {
            for code in 0..16 {
                let step = step_in_row(role as usize, Square::from_low_bits(27), code);
                let is_known = known[role as usize][usize::from(code)];
                assert_eq!(step.kind() != StepKind::Invalid, is_known, "{role:?} {code}");
            }
        }
    }

    #[track_caller]
    fn check_step(step: Step, from: Square, what: &str, number: i8, row: &str) {
        let index = from.index().cast_signed();
        let (file, rank) = (from.file().cast_signed(), from.rank().cast_signed());
        let special = match what {
            "null" => Some(StepKind::Null),
            "castling" if number < 0 => Some(StepKind::CastleQueen),
            "castling" => Some(StepKind::CastleKing),
            _ => None,
        };
        if let Some(special) = special {
            assert_eq!(step.kind(), special, "{row}");
            return;
        }
        let target = match what {
            "file" => index - file + number,
            "rank" => number * 8 + file,
            "rising" => (rank + number - file) * 8 + number,
            "falling" => (rank - number + file) * 8 + number,
            _ => index + number,
        };
        if !(0..64).contains(&target) {
            assert_eq!(step.kind(), StepKind::OffBoard, "{row} from {from}");
        } else if target == index {
            assert_eq!(step.kind(), StepKind::OwnSquare, "{row} from {from}");
        } else {
            let letter = what.chars().next().filter(|_| what.len() == 1);
            assert!(
                matches!(step.kind(), StepKind::Plain | StepKind::OverEdge),
                "{row} from {from}"
            );
            assert_eq!(step.target().index().cast_signed(), target, "{row} from {from}");
            assert_eq!(step.promotion(), letter.and_then(Role::from_letter), "{row} from {from}");
        }
    }
}
