//! The content of a square: a piece and its number.

use chess_core::{Color, Piece, Role};

use super::numbers::Slot;
use super::steps::Occupant;

/// The content of a square in one byte.
///
/// Bits 0 to 4 hold the slot, or [`Cell::UNNUMBERED`] plus the role. Bit 5 holds the colour. Bit 6
/// is set if the piece has moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(u8);

impl Cell {
    /// An empty square.
    pub(crate) const EMPTY: Cell = Cell(31);
    /// The first value for pieces without a number.
    const UNNUMBERED: u8 = 24;
    const BLACK: u8 = 32;
    const MOVED: u8 = 64;
    pub(crate) const COUNT: usize = 64;

    #[inline]
    pub(crate) const fn new(slot: Slot, color: Color) -> Cell {
        Cell((slot.0 & 31) | (color as u8) << 5)
    }

    pub(crate) const fn unnumbered(role: Role, color: Color) -> Cell {
        Cell::new(Slot(Cell::UNNUMBERED.wrapping_add(role as u8)), color)
    }

    /// Returns this piece with the moved bit set.
    #[inline]
    pub(crate) const fn moved(self) -> Cell {
        Cell(self.0 | Cell::MOVED)
    }

    pub(crate) const fn is_moved(self) -> bool {
        self.0 & Cell::MOVED != 0
    }

    /// The same piece with its number decreased by one.
    #[inline]
    pub(crate) const fn renumbered(self) -> Cell {
        Cell(self.0.wrapping_sub(1))
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == Cell::EMPTY.0
    }

    #[inline]
    pub(crate) const fn color(self) -> Color {
        if self.0 & Cell::BLACK == 0 { Color::White } else { Color::Black }
    }

    /// Returns the slot of the piece, or [`Slot::NONE`] if it has no number or the square is empty.
    pub(crate) const fn slot(self) -> Slot {
        let slot = self.0 & 31;
        if slot < Cell::UNNUMBERED { Slot(slot) } else { Slot::NONE }
    }

    const fn role(self) -> Role {
        match (self.0 & 31).wrapping_sub(Cell::UNNUMBERED) {
            1 => Role::Pawn,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => self.slot().role(),
        }
    }

    /// Returns the piece. The result for an empty square is unspecified.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a cell is below 64")]
    pub(crate) const fn piece(self) -> Piece {
        PIECES[(self.0 & 63) as usize]
    }

    /// Returns the pieces of the same kind whose numbers decrease when this one is captured, in
    /// order.
    ///
    /// See [`Slot::higher`]. Unused places hold [`Cell::EMPTY`], which is never on the board.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a cell is below 64")]
    pub(crate) const fn higher(self) -> [Cell; 2] {
        HIGHER[(self.0 & 63) as usize]
    }

    /// Returns the index of this piece in the table of squares by numbered piece.
    #[inline]
    pub(crate) const fn place(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns how a piece of `color` sees this square as a destination.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a cell is below 64")]
    pub(crate) const fn occupant_for(self, color: Color) -> Occupant {
        OCCUPANTS[color as usize][(self.0 & 63) as usize]
    }
}

/// See [`Cell::higher`].
static HIGHER: [[Cell; 2]; Cell::COUNT] = higher();
static PIECES: [Piece; Cell::COUNT] = pieces();
static OCCUPANTS: [[Occupant; Cell::COUNT]; 2] = [occupants(Color::White), occupants(Color::Black)];

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn pieces() -> [Piece; Cell::COUNT] {
    let mut all = [Piece::new(Role::Pawn, Color::White); Cell::COUNT];
    let mut cell = 0;
    while cell < Cell::COUNT {
        let of = Cell(cell as u8);
        all[cell] = Piece::new(of.role(), of.color());
        cell += 1;
    }
    all
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn higher() -> [[Cell; 2]; Cell::COUNT] {
    let mut all = [[Cell::EMPTY; 2]; Cell::COUNT];
    let mut cell = 0;
    while cell < Cell::COUNT {
        let mut next = 0;
        while next < Cell(cell as u8).slot().higher() as usize {
            all[cell][next] = Cell((cell + 1 + next) as u8);
            next += 1;
        }
        cell += 1;
    }
    all
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn occupants(color: Color) -> [Occupant; Cell::COUNT] {
    let mut all = [Occupant::NONE; Cell::COUNT];
    let mut cell = 0;
    while cell < Cell::COUNT {
        let of = Cell(cell as u8);
        let own = of.color() as u8 == color as u8;
        if of.is_empty() {
            all[cell] = Occupant::EMPTY;
        } else if !own && !matches!(of.role(), Role::King) {
            all[cell] = Occupant::ENEMY;
        }
        cell += 1;
    }
    all
}
