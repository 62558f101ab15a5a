//! One-byte codes: a numbered piece and a step.

use chess_core::{Color, Square};

use super::numbers::Slot;

/// The side to move passes. // cbh §4.4 "Codes of one byte"
pub(crate) const NULL: u8 = 0;
/// Castling with the rook on the h-file.
pub(crate) const CASTLE_SHORT: u8 = 9;
/// Castling with the rook on the a-file.
pub(crate) const CASTLE_LONG: u8 = 10;
/// A word of two bytes follows.
pub(crate) const WORD: u8 = 235;
/// A code without meaning. Readers skip it.
pub(crate) const IGNORED: u8 = 236;
/// A variation starts at this position, so the reader must return to it.
pub(crate) const BRANCH: u8 = 254;
/// The end of a line.
pub(crate) const END: u8 = 255;

/// A numbered piece and its displacement. Files and ranks are added modulo eight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) slot: Slot,
    pub(super) files: u8,
    /// Eight times the number of ranks.
    pub(super) ranks: u8,
}

impl Step {
    /// Returns the destination square of the step from `from`.
    #[inline]
    pub(crate) fn target(self, from: Square) -> Square {
        let from = from.index();
        let file = (from & 7).wrapping_add(self.files) & 7;
        let rank = (from & 56).wrapping_add(self.ranks) & 56;
        Square::from_low_bits(rank | file)
    }
}

const NO_STEP: Step = Step { slot: Slot::NONE, files: 0, ranks: 0 };

/// Steps by colour and code. Pawns of the two colours move in opposite directions.
static STEPS: [[Step; 256]; 2] = [steps(1), steps(-1)];
/// Codes by colour, slot and step (files plus eight times ranks). 0 means that there is no code.
static CODES: [[[u8; 64]; Slot::COUNT]; 2] = [codes(&steps(1)), codes(&steps(-1))];

const KING: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: [(i8, i8); 8] =
    [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];

/// The first code of each queen. The next constants do the same for the other pieces.
const QUEENS: [u8; 3] = [11, 143, 171];
const ROOKS: [u8; 3] = [39, 53, 199];
const BISHOPS: [u8; 3] = [67, 81, 213];
const KNIGHTS: [u8; 3] = [95, 103, 227];
const PAWNS: u8 = 111;

// cbh §4.4 "Codes of one byte"
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
pub(super) const fn steps(pawns: i8) -> [Step; 256] {
    let mut all = [NO_STEP; 256];
    let mut i = 0;
    while i < 8 {
        set(&mut all, 1 + i as u8, Slot::KING, KING[i]);
        i += 1;
    }
    let mut piece = 0;
    while piece < 3 {
        let number = piece as u8;
        let mut i = 1;
        while i <= 7 {
            let (code, step) = (i as u8 - 1, i as i8);
            let (queen, rook, bishop) = (QUEENS[piece], ROOKS[piece], BISHOPS[piece]);
            set(&mut all, queen + code, Slot(Slot::QUEENS.0 + number), (0, step));
            set(&mut all, queen + 7 + code, Slot(Slot::QUEENS.0 + number), (step, 0));
            set(&mut all, queen + 14 + code, Slot(Slot::QUEENS.0 + number), (step, step));
            set(&mut all, queen + 21 + code, Slot(Slot::QUEENS.0 + number), (step, -step));
            set(&mut all, rook + code, Slot(Slot::ROOKS.0 + number), (0, step));
            set(&mut all, rook + 7 + code, Slot(Slot::ROOKS.0 + number), (step, 0));
            set(&mut all, bishop + code, Slot(Slot::BISHOPS.0 + number), (step, step));
            set(&mut all, bishop + 7 + code, Slot(Slot::BISHOPS.0 + number), (step, -step));
            i += 1;
        }
        let mut i = 0;
        while i < 8 {
            let slot = Slot(Slot::KNIGHTS.0 + number);
            set(&mut all, KNIGHTS[piece] + i as u8, slot, KNIGHT[i]);
            i += 1;
        }
        piece += 1;
    }
    let mut pawn = 0;
    while pawn < 8 {
        let (code, slot) = (PAWNS + 4 * pawn, Slot(Slot::PAWNS.0 + pawn));
        set(&mut all, code, slot, (0, pawns));
        set(&mut all, code + 1, slot, (0, 2 * pawns));
        set(&mut all, code + 2, slot, (pawns, pawns));
        set(&mut all, code + 3, slot, (-pawns, pawns));
        pawn += 1;
    }
    all
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "computed when compiling, which fails on any of these"
)]
const fn set(all: &mut [Step; 256], code: u8, slot: Slot, step: (i8, i8)) {
    let files = step.0.rem_euclid(8).unsigned_abs();
    let ranks = 8 * step.1.rem_euclid(8).unsigned_abs();
    all[code as usize] = Step { slot, files, ranks };
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn codes(steps: &[Step; 256]) -> [[u8; 64]; Slot::COUNT] {
    let mut all = [[0; 64]; Slot::COUNT];
    let mut code = 0;
    while code < 256 {
        let step = steps[code];
        if !step.slot.is_none() {
            let place = &mut all[step.slot.0 as usize][(step.files | step.ranks) as usize];
            // Four squares along a diagonal have two codes; the writer uses the first.
            if *place == 0 {
                *place = code as u8;
            }
        }
        code += 1;
    }
    all
}

/// Returns the step of `code`, or `None` if the code is not a step.
#[inline]
pub(crate) fn step_of(code: u8, color: Color) -> Option<Step> {
    let steps = STEPS.get(color as usize)?;
    steps.get(usize::from(code)).copied().filter(|step| !step.slot.is_none())
}

/// Returns the code that moves the piece `slot` between two squares, if there is one.
#[inline]
pub(crate) fn code_of(slot: Slot, color: Color, from: Square, to: Square) -> Option<u8> {
    let files = to.file().wrapping_sub(from.file()) & 7;
    let ranks = to.rank().wrapping_sub(from.rank()) & 7;
    let codes = CODES.get(color as usize)?.get(usize::from(slot.0))?;
    let code = codes.get(usize::from(files.wrapping_add(ranks.wrapping_mul(8)) & 63));
    code.copied().filter(|code| *code != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_specification_round_trip() {
        let from = Square::D4;
        for (code, slot, to) in [
            (1, Slot::KING, Square::D5),
            (8, Slot::KING, Square::C5),
            (11, Slot::QUEENS, Square::D5),
            (17, Slot::QUEENS, Square::D3), // seven up is one down
            (38, Slot::QUEENS, Square::C5),
            (95, Slot::KNIGHTS, Square::F5),
            (111, Slot::PAWNS, Square::D5),
            (114, Slot::PAWNS, Square::C5),
            (142, Slot(Slot::PAWNS.0 + 7), Square::C5),
            (234, Slot(Slot::KNIGHTS.0 + 2), Square::F3),
        ] {
            let step = step_of(code, Color::White).unwrap();
            assert_eq!((step.slot, step.target(from)), (slot, to), "code {code}");
            assert_eq!(code_of(slot, Color::White, from, to), Some(code));
        }
        let step = step_of(113, Color::Black).unwrap();
        assert_eq!(step.target(from), Square::C3);
        for code in [0, 9, 10, 235, 236, 237, 253, 254, 255] {
            assert!(step_of(code, Color::White).is_none());
        }
        // Four squares along a diagonal have two codes; the encoder picks the first.
        assert_eq!(code_of(Slot::BISHOPS, Color::White, Square::A8, Square::E4), Some(70));
    }

    // cbh §4.4 "Codes of one byte"
    #[test]
    fn steps_of_each_code_match_specification() {
        let page = include_str!("../../../../docs/formats/tables/cbh-codes.tsv");
        let mut rows = 0;
        for row in page.lines().filter(|row| !row.starts_with('#')) {
            let cells: Vec<_> = row.split('\t').collect();
            let step = step_of(cells[0].parse().unwrap(), Color::White).unwrap();
            let first = Slot::of(step.slot.role()).next().unwrap();
            let number = (step.slot.0 - first.0).to_string();
            let letter = step.slot.role().letter().to_string();
            assert_eq!((letter.as_str(), number.as_str()), (cells[1], cells[2]), "{row}");
            let [files, ranks] = [cells[3], cells[4]].map(|cell| cell.parse::<i8>().unwrap());
            let (file, rank) = (files.rem_euclid(8) as u8, ranks.rem_euclid(8) as u8);
            assert_eq!(step.target(Square::A1).index(), rank * 8 + file, "{row}");
            rows += 1;
        }
        let codes = (0..=u8::MAX).filter(|code| step_of(*code, Color::White).is_some());
        assert_eq!(rows, codes.count());
    }
}
