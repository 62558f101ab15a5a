//! Colours, roles and pieces.

use core::num::NonZeroU8;
use core::ops::Not;

use crate::square::Square;

/// The side a piece belongs to, or that is to move.
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

    /// The rank (0 to 7) the king and the officers start on.
    #[must_use]
    pub const fn back_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }

    /// The rank the pawns start on.
    #[must_use]
    pub const fn pawn_rank(self) -> u8 {
        match self {
            Color::White => 1,
            Color::Black => 6,
        }
    }

    /// The rank a pawn of this side lands on when it takes in passing.
    #[must_use]
    pub const fn en_passant_rank(self) -> u8 {
        match self {
            Color::White => 5,
            Color::Black => 2,
        }
    }

    /// The square the king starts on in standard chess: e1 or e8.
    #[must_use]
    pub const fn king_home(self) -> Square {
        Square::E1.with_rank(self.back_rank())
    }

    /// One rank forward, as a change of rank.
    #[must_use]
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// One rank back, as a change of rank.
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

/// What a piece is, whatever its colour. The numbers are those of [`Move`](crate::Move)'s
/// promotion field plus one.
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

    /// The English letter in upper case, `P` for a pawn.
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

    /// The role of an English letter in either case.
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

/// A piece of a colour, one byte; `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of this role and colour.
    #[must_use]
    #[inline]
    pub const fn new(role: Role, color: Color) -> Piece {
        match NonZeroU8::new((color as u8) << 3 | role as u8) {
            Some(bits) => Piece(bits),
            None => Piece(NonZeroU8::MIN),
        }
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub const fn role(self) -> Role {
        Role::from_bits(self.0.get())
    }

    /// Whose it is.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & 8 == 0 { Color::White } else { Color::Black }
    }

    /// Place in an array of sixteen, one for each piece.
    #[inline]
    pub(crate) const fn bits(self) -> usize {
        (self.0.get() & 15) as usize
    }

    /// The FEN letter: upper case for White, lower case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        let letter = self.role().letter();
        match self.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
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
