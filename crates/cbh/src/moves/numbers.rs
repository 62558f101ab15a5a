//! The numbers of the pieces and of the squares.

use chess_core::{Role, Square};

/// A numbered piece of one side: its king, queens 1 to 3, rooks, bishops, knights, pawns 1 to 8.
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
    /// No numbered piece.
    pub(crate) const NONE: Slot = Slot(0xff);

    pub(crate) const fn is_none(self) -> bool {
        self.0 == Slot::NONE.0
    }

    /// What the piece is; a pawn if there is none.
    #[allow(clippy::indexing_slicing, reason = "the slot is below the number of slots")]
    pub(crate) const fn role(self) -> Role {
        if (self.0 as usize) < Slot::COUNT { ROLES[self.0 as usize] } else { Role::Pawn }
    }

    /// The slots of a role.
    pub(crate) fn of(role: Role) -> impl Iterator<Item = Slot> {
        (0u8..).zip(ROLES).filter(move |(_, of)| *of == role).map(|(slot, _)| Slot(slot))
    }

    /// How many slots of the same kind have higher numbers that move down when this one goes;
    /// pawns keep theirs.
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

/// The square of a number as the format counts them: along the files, a1 to a8, b1 to b8, ...
// cbh §2 "Conventions"
#[inline]
pub(crate) fn square_of(number: u8) -> Square {
    Square::from_low_bits((number & 7) << 3 | number >> 3 & 7)
}

/// The number of a square.
#[inline]
pub(crate) fn number_of(square: Square) -> u8 {
    square.file() << 3 | square.rank()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn along_the_files() {
        assert_eq!(square_of(1), Square::A2);
        assert_eq!(number_of(Square::B1), 8);
    }
}
