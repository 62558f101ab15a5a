//! Precomputed move tables: the destination of every one-byte code from every square.

use chess_core::{Color, Move, Role, Square};

use super::cell::Cell;
use super::codes::{Step, steps};
use super::tables::MODE_0;

/// The square of a piece that is not on the board, and the origin without targets.
pub(crate) const NO_SQUARE: u8 = 64;

/// The occupant of a destination square, or the set of occupants that a step accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Occupant(u8);

impl Occupant {
    pub(crate) const NONE: Occupant = Occupant(0);
    pub(crate) const EMPTY: Occupant = Occupant(1);
    pub(crate) const ENEMY: Occupant = Occupant(2);
    const EMPTY_OR_ENEMY: Occupant = Occupant(3);

    /// Whether the two sets have a common member.
    #[inline]
    pub(crate) const fn intersects(self, other: Occupant) -> bool {
        self.0 & other.0 != 0
    }
}

/// The step of a numbered piece. Codes of castling and promotions are not plain steps.
// cbh §4.4 "Codes of one byte"
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainStep {
    /// The start of the step's row in [`TARGETS`].
    row: u16,
    piece: Cell,
    role: Role,
}

/// A destination: a move without promotion, and the accepted [`Occupant`]s in the top two bits.
///
/// All bits are 0 if the step leaves the board or the piece is not on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target(u16);

impl Target {
    const NONE: Target = Target(0);

    /// Returns the move. The result is unspecified if there is none.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "six bits")]
    pub(crate) const fn to_move(self) -> Move {
        let [low, high] = [self.0 & 63, self.0 >> 6 & 63];
        Move::new(Square::from_low_bits(low as u8), Square::from_low_bits(high as u8))
    }

    /// Returns the occupants that the step accepts at its destination.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "two bits")]
    pub(crate) const fn accepts(self) -> Occupant {
        Occupant((self.0 >> 14) as u8)
    }
}

/// The length of a row: one target for each origin square, and one for [`NO_SQUARE`].
const ROW: usize = 65;
/// A power of two above the real count, so that a masked index is always in bounds.
const PLACES: usize = 8192;

/// Plain steps by colour and code.
static STEPS: [[PlainStep; 256]; 2] = [plain_steps(Color::White), plain_steps(Color::Black)];
/// Plain steps by colour and byte of mode 0, after the count was subtracted.
static MODE_0_STEPS: [[PlainStep; 256]; 2] =
    [mode_0_steps(Color::White), mode_0_steps(Color::Black)];
static TARGETS: [Target; PLACES] = targets();

/// Decodes the bytes of a mode to steps.
pub(crate) trait Steps: Copy {
    /// Returns the step of `byte` after `count` moves. Other codes give a step without targets.
    fn step(self, byte: u8, count: u8, color: Color) -> PlainStep;
}

/// Mode 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode0Steps;

/// A mode that subtracts the count from the value in its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableSteps(pub(super) &'static [u8; 256]);

#[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, a byte below 256")]
impl Steps for Mode0Steps {
    #[inline(always)]
    fn step(self, byte: u8, count: u8, color: Color) -> PlainStep {
        MODE_0_STEPS[color as usize][byte.wrapping_sub(count) as usize]
    }
}

#[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, a byte below 256")]
impl Steps for TableSteps {
    #[inline(always)]
    fn step(self, byte: u8, count: u8, color: Color) -> PlainStep {
        STEPS[color as usize][self.0[byte as usize].wrapping_sub(count) as usize]
    }
}

impl PlainStep {
    /// Returns the piece, marked as moved. If there is none, returns [`Cell::EMPTY`], which is
    /// never on the board.
    #[inline]
    pub(crate) const fn piece(self) -> Cell {
        self.piece
    }

    /// Returns the role of the piece. The result is unspecified if there is none.
    #[inline]
    pub(crate) const fn role(self) -> Role {
        self.role
    }

    /// Returns the target from the square `from`, which may be [`NO_SQUARE`].
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "the place is masked")]
    pub(crate) const fn target(self, from: u8) -> Target {
        TARGETS[(self.row as usize).wrapping_add(from as usize) & (PLACES - 1)]
    }
}

/// Rows 0 to 27 belong to queens, rooks and bishops. The constants are the first rows of the other
/// pieces; the last row has no targets.
const KINGS: usize = 28;
const KNIGHTS: usize = KINGS + 9;
const PAWNS: usize = KNIGHTS + 25;
const NOWHERE: usize = PAWNS + 18;

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn plain_steps(color: Color) -> [PlainStep; 256] {
    let nowhere = PlainStep { row: (NOWHERE * ROW) as u16, piece: Cell::EMPTY, role: Role::Pawn };
    let mut all = [nowhere; 256];
    let steps = steps(color.forward());
    let mut code = 0;
    while code < 256 {
        let step = steps[code];
        if !step.slot.is_none() {
            let row = (row(step, color) * ROW) as u16;
            let (piece, role) = (Cell::new(step.slot, color).moved(), step.slot.role());
            all[code] = PlainStep { row, piece, role };
        }
        code += 1;
    }
    all
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "computed when compiling, which fails on any of these"
)]
const fn mode_0_steps(color: Color) -> [PlainStep; 256] {
    let steps = plain_steps(color);
    let mut all = steps;
    let mut byte = 0;
    while byte < 256 {
        all[byte] = steps[MODE_0[byte] as usize];
        byte += 1;
    }
    all
}

/// Returns the row of a step. There is one row for each direction and distance.
#[allow(clippy::arithmetic_side_effects, reason = "computed when compiling")]
const fn row(step: Step, color: Color) -> usize {
    let (files, ranks) = (step.files as usize, (step.ranks >> 3) as usize);
    // Shifts the range, which begins at -1 or -2, to begin at 0.
    let (near_files, near_ranks) = ((files + 1) & 7, (ranks + 1) & 7);
    let (jump_files, jump_ranks) = ((files + 2) & 7, (ranks + 2) & 7);
    match step.slot.role() {
        Role::King => KINGS + 3 * near_files + near_ranks,
        Role::Knight => KNIGHTS + 5 * jump_files + jump_ranks,
        Role::Pawn => PAWNS + 9 * color as usize + 3 * near_files + pawn_ranks(ranks),
        _ if files == 0 => ranks - 1,
        _ if ranks == 0 => 7 + files - 1,
        _ if files == ranks => 14 + files - 1,
        _ => 21 + files - 1,
    }
}

/// Returns 1 for a step of two ranks and 0 for a step of one, in either direction.
const fn pawn_ranks(ranks: usize) -> usize {
    match ranks {
        2 | 6 => 1,
        _ => 0,
    }
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn targets() -> [Target; PLACES] {
    let mut all = [Target::NONE; PLACES];
    let mut color = 0;
    while color < 2 {
        let of = if color == 0 { Color::White } else { Color::Black };
        let steps = steps(of.forward());
        let mut code = 0;
        while code < 256 {
            let step = steps[code];
            let mut from = 0;
            while from < 64 && !step.slot.is_none() {
                if leads(step, of, from as u8) {
                    all[row(step, of) * ROW + from] = to(step, from as u8);
                }
                from += 1;
            }
            code += 1;
        }
        color += 1;
    }
    all
}

const fn to(step: Step, from: u8) -> Target {
    let accepts = match step.slot.role() {
        Role::Pawn if step.files == 0 => Occupant::EMPTY,
        Role::Pawn => Occupant::ENEMY,
        _ => Occupant::EMPTY_OR_ENEMY,
    };
    Target(from as u16 | (target(step, from) as u16) << 6 | (accepts.0 as u16) << 14)
}

const fn target(step: Step, from: u8) -> u8 {
    (from & 7).wrapping_add(step.files) & 7 | (from & 56).wrapping_add(step.ranks) & 56
}

/// Whether the step is possible on an empty board without a promotion.
const fn leads(step: Step, color: Color, from: u8) -> bool {
    let to = target(step, from);
    let files = (from & 7).abs_diff(to & 7);
    let ranks = (from >> 3).abs_diff(to >> 3);
    match step.slot.role() {
        Role::King => files <= 1 && ranks <= 1,
        Role::Knight => files == 1 && ranks == 2 || files == 2 && ranks == 1,
        Role::Pawn if ranks == 2 => from >> 3 == color.pawn_rank(),
        Role::Pawn => files <= 1 && ranks == 1 && !matches!(to >> 3, 0 | 7),
        Role::Queen | Role::Rook | Role::Bishop => files == 0 || ranks == 0 || files == ranks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::moves::numbers::Slot;
    use chess_core::{Bitboard, Piece, Position};

    #[test]
    fn mode_0_first_byte_ff_is_e2e4() {
        let step = Mode0Steps.step(0xff, 0, Color::White);
        assert_eq!(step.piece(), Cell::new(Slot(17), Color::White).moved());
        let target = step.target(Square::E2.index());
        assert_eq!(target.to_move(), Move::new(Square::E2, Square::E4));
        assert_eq!(target.accepts(), Occupant::EMPTY);
    }

    #[test]
    fn plain_steps_every_square_match_move_rules() {
        for (color, code) in Color::ALL.into_iter().flat_map(|c| (0..=255u8).map(move |n| (c, n))) {
            let plain = STEPS[color as usize][usize::from(code)];
            let Some(step) = super::super::codes::step_of(code, color) else {
                assert!(plain.piece() == Cell::EMPTY);
                assert!((0..=64).all(|from| plain.target(from) == Target::NONE));
                continue;
            };
            assert_eq!(plain.piece(), Cell::new(step.slot, color).moved());
            assert_eq!(plain.target(NO_SQUARE), Target::NONE);
            for from in Square::all() {
                let to = step.target(from);
                // First with an enemy piece on the destination, then without.
                let goes = [true, false].map(|taken| {
                    let mut position = Position::empty();
                    position.set_turn(color);
                    position.set(from, Some(Piece::new(step.slot.role(), color)));
                    if taken && to != from {
                        position.set(to, Some(Piece::new(Role::Queen, !color)));
                    }
                    let last = step.slot.role() == Role::Pawn && matches!(to.rank(), 0 | 7);
                    to != from
                        && !last
                        && position.movers(step.slot.role(), to) == Bitboard::of(from)
                });
                let target = plain.target(from.index());
                let accepts = [Occupant::ENEMY, Occupant::EMPTY];
                let found = accepts.map(|l| target.accepts().intersects(l));
                assert_eq!(found, goes, "{code} {color:?} {from}");
                if goes != [false, false] {
                    assert_eq!(target.to_move(), Move::new(from, to), "{code} {color:?} {from}");
                }
            }
        }
    }
}
