//! The numbering of pieces and squares.

use chess_core::{Role, Square};

/// The number of a piece within its side.
///
/// 0 is the king. Queens, rooks, bishops and knights follow with three numbers each, then the eight
/// pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot(pub(crate) u8);

impl Slot {
    pub(crate) const KING: Slot = Slot(0);
    pub(crate) const QUEENS: Slot = Slot(1);
    pub(crate) const ROOKS: Slot = Slot(4);
    pub(crate) const BISHOPS: Slot = Slot(7);
    pub(crate) const KNIGHTS: Slot = Slot(10);
    pub(crate) const PAWNS: Slot = Slot(13);
    pub(crate) const COUNT: usize = 21;
    /// The slot of a piece without a number.
    pub(crate) const NONE: Slot = Slot(0xff);

    pub(crate) const fn is_none(self) -> bool {
        self.0 == Slot::NONE.0
    }

    /// Returns the role of the piece. For [`Slot::NONE`] it returns a pawn.
    #[allow(clippy::indexing_slicing, reason = "the slot is below the number of slots")]
    pub(crate) const fn role(self) -> Role {
        if (self.0 as usize) < Slot::COUNT { ROLES[self.0 as usize] } else { Role::Pawn }
    }

    /// Iterates over the slots of a role.
    pub(crate) fn of(role: Role) -> impl Iterator<Item = Slot> {
        (0u8..).zip(ROLES).filter(move |(_, of)| *of == role).map(|(slot, _)| Slot(slot))
    }

    /// Returns how many slots of the same role have higher numbers that decrease when this piece is
    /// captured.
    ///
    /// Pawns keep their numbers.
    pub(crate) const fn higher(self) -> u8 {
        match self.0 {
            1 | 4 | 7 | 10 => 2,
            2 | 5 | 8 | 11 => 1,
            _ => 0,
        }
    }
}

/// The role of each slot.
#[rustfmt::skip]
const ROLES: [Role; Slot::COUNT] = [
    Role::King,
    Role::Queen, Role::Queen, Role::Queen,
    Role::Rook, Role::Rook, Role::Rook,
    Role::Bishop, Role::Bishop, Role::Bishop,
    Role::Knight, Role::Knight, Role::Knight,
    Role::Pawn, Role::Pawn, Role::Pawn, Role::Pawn,
    Role::Pawn, Role::Pawn, Role::Pawn, Role::Pawn,
];

/// Returns the square with this number. The format counts along the files: a1 to a8, b1 to b8, and
/// so on.
// cbh §2 "Conventions"
#[inline]
pub(crate) fn square_of(number: u8) -> Square {
    Square::from_low_bits((number & 7) << 3 | number >> 3 & 7)
}

/// Returns the format's number of a square.
#[inline]
pub(crate) fn number_of(square: Square) -> u8 {
    square.file() << 3 | square.rank()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_numbers_follow_files() {
        assert_eq!(square_of(1), Square::A2);
        assert_eq!(number_of(Square::B1), 8);
    }
}
