//! Colours, roles and pieces.

use core::num::NonZeroU8;
use core::ops::Not;

use crate::square::Square;

/// The side that a piece belongs to, or the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Color {
    White = 0,
    Black = 1,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// Returns the rank (0 to 7) on which the king and the other pieces start.
    #[must_use]
    pub const fn back_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }

    /// Returns the rank on which the pawns start.
    #[must_use]
    pub const fn pawn_rank(self) -> u8 {
        match self {
            Color::White => 1,
            Color::Black => 6,
        }
    }

    /// Returns the rank that a pawn of this side reaches by an en passant capture.
    #[must_use]
    pub const fn en_passant_rank(self) -> u8 {
        match self {
            Color::White => 5,
            Color::Black => 2,
        }
    }

    /// Returns the start square of the king in standard chess: e1 or e8.
    #[must_use]
    pub const fn king_home(self) -> Square {
        Square::E1.with_rank(self.back_rank())
    }

    /// Returns the change of rank for one step forward.
    #[must_use]
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// Returns the change of rank for one step back.
    #[must_use]
    pub const fn backward(self) -> i8 {
        match self {
            Color::White => -1,
            Color::Black => 1,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// A kind of piece, without a colour. The number of a role is its value in the promotion field of
/// [`Move`](crate::Move) plus one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Role {
    Pawn = 1,
    Knight = 2,
    Bishop = 3,
    Rook = 4,
    Queen = 5,
    King = 6,
}

impl Role {
    /// All roles, pawn to king.
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// Returns the English letter in upper case, `P` for a pawn.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'P',
            Role::Knight => 'N',
            Role::Bishop => 'B',
            Role::Rook => 'R',
            Role::Queen => 'Q',
            Role::King => 'K',
        }
    }

    /// Returns the role with an English letter, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Role::Pawn,
            'N' => Role::Knight,
            'B' => Role::Bishop,
            'R' => Role::Rook,
            'Q' => Role::Queen,
            'K' => Role::King,
            _ => return None,
        })
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "three bits are below 8")]
    const fn from_bits(bits: u8) -> Role {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        const ROLES: [Role; 8] = [Pawn, Pawn, Knight, Bishop, Rook, Queen, King, Pawn];
        ROLES[(bits & 7) as usize]
    }
}

/// A piece with a colour, in one byte. `Option<Piece>` takes one byte too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// Creates a piece.
    #[must_use]
    #[inline]
    pub const fn new(role: Role, color: Color) -> Piece {
        match NonZeroU8::new((color as u8) << 3 | role as u8) {
            Some(bits) => Piece(bits),
            None => Piece(NonZeroU8::MIN),
        }
    }

    /// Returns the role.
    #[must_use]
    #[inline]
    pub const fn role(self) -> Role {
        Role::from_bits(self.0.get())
    }

    /// Returns the colour.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & 8 == 0 { Color::White } else { Color::Black }
    }

    /// Returns the index of this piece in an array of sixteen.
    #[inline]
    pub(crate) const fn bits(self) -> usize {
        (self.0.get() & 15) as usize
    }

    /// Returns the FEN letter: upper case for White, lower case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        let letter = self.role().letter();
        match self.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Returns the piece with a FEN letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece::new(role, color)),
            None => None,
        }
    }
}

impl core::fmt::Debug for Piece {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} {:?}", self.color(), self.role())
    }
}
