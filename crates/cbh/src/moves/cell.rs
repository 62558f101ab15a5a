//! What stands on a square, with its number.

use chess_core::{Color, Piece, Role};

use super::numbers::Slot;
use super::steps::Lands;

/// What stands on a square, in one byte: bits 0 to 4 the slot, or [`Cell::UNNUMBERED`] plus the
/// role, bit 5 the colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(u8);

impl Cell {
    /// Nothing stands here.
    pub(crate) const EMPTY: Cell = Cell(31);
    /// From here on, pieces without a number.
    const UNNUMBERED: u8 = 24;
    const BLACK: u8 = 32;
    pub(crate) const COUNT: usize = 64;

    #[inline]
    pub(crate) const fn new(slot: Slot, color: Color) -> Cell {
        Cell((slot.0 & 31) | (color as u8) << 5)
    }

    pub(crate) const fn unnumbered(role: Role, color: Color) -> Cell {
        Cell::new(Slot(Cell::UNNUMBERED.wrapping_add(role as u8)), color)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == Cell::EMPTY.0
    }

    #[inline]
    pub(crate) const fn color(self) -> Color {
        if self.0 & Cell::BLACK == 0 { Color::White } else { Color::Black }
    }

    /// The slot of a piece; [`Slot::NONE`] if it has no number, or if there is none.
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

    /// The piece, whatever its number; of an empty square, any.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a cell is below 64")]
    pub(crate) const fn piece(self) -> Piece {
        PIECES[(self.0 & 63) as usize]
    }

    /// How many numbered pieces of its kind move down when it goes; see [`Slot::higher`].
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a cell is below 64")]
    pub(crate) const fn higher(self) -> u8 {
        HIGHER[(self.0 & 63) as usize]
    }

    /// Where it is among the squares of the numbered pieces.
    #[inline]
    pub(crate) const fn place(self) -> usize {
        (self.0 & 63) as usize
    }

    /// What has this place.
    #[allow(clippy::cast_possible_truncation, reason = "a place is below 64")]
    pub(crate) const fn at(place: usize) -> Cell {
        Cell(place as u8)
    }

    /// What a piece of a side finds where this stands.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a cell is below 64")]
    pub(crate) const fn met_by(self, color: Color) -> Lands {
        MET[color as usize][(self.0 & 63) as usize]
    }
}

/// See [`Slot::higher`].
static HIGHER: [u8; Cell::COUNT] = higher();
static PIECES: [Piece; Cell::COUNT] = pieces();
static MET: [[Lands; Cell::COUNT]; 2] = [met(Color::White), met(Color::Black)];

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
const fn higher() -> [u8; Cell::COUNT] {
    let mut all = [0; Cell::COUNT];
    let mut cell = 0;
    while cell < Cell::COUNT {
        all[cell] = Cell(cell as u8).slot().higher();
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
const fn met(color: Color) -> [Lands; Cell::COUNT] {
    let mut all = [Lands::NOWHERE; Cell::COUNT];
    let mut cell = 0;
    while cell < Cell::COUNT {
        let of = Cell(cell as u8);
        let own = of.color() as u8 == color as u8;
        if of.is_empty() {
            all[cell] = Lands::ON_NOTHING;
        } else if !own && !matches!(of.role(), Role::King) {
            all[cell] = Lands::ON_ENEMIES;
        }
        cell += 1;
    }
    all
}
