//! The numbers of the pieces.

use chess_core::{Color, Move, PerSquare, Piece, Position, Role, Square};

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

    /// What the piece is.
    #[inline]
    pub(crate) fn role(self) -> Role {
        ROLES.get(usize::from(self.0)).copied().unwrap_or(Role::Pawn)
    }

    /// The first slot of a role and how many it has.
    const fn of(role: Role) -> (u8, u8) {
        match role {
            Role::King => (Slot::KING.0, 1),
            Role::Queen => (Slot::QUEENS.0, 3),
            Role::Rook => (Slot::ROOKS.0, 3),
            Role::Bishop => (Slot::BISHOPS.0, 3),
            Role::Knight => (Slot::KNIGHTS.0, 3),
            Role::Pawn => (Slot::PAWNS.0, 8),
        }
    }

    /// The last slot of the same kind, for pieces that move down when one goes; pawns do not.
    const fn last(self) -> u8 {
        match self.0 {
            1..=3 => 3,
            4..=6 => 6,
            7..=9 => 9,
            10..=12 => 12,
            other => other,
        }
    }
}

/// The role of each slot.
#[rustfmt::skip]
static ROLES: [Role; Slot::COUNT] = [
    Role::King,
    Role::Queen, Role::Queen, Role::Queen,
    Role::Rook, Role::Rook, Role::Rook,
    Role::Bishop, Role::Bishop, Role::Bishop,
    Role::Knight, Role::Knight, Role::Knight,
    Role::Pawn, Role::Pawn, Role::Pawn, Role::Pawn,
    Role::Pawn, Role::Pawn, Role::Pawn, Role::Pawn,
];

/// No square: the slot is free.
const FREE: u8 = 0xff;

/// Which numbered piece stands where.
// cbh §4.5 "Numbers of pieces"
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    squares: [[u8; Slot::COUNT]; 2],
    slots: PerSquare<Slot>,
}

impl Numbers {
    /// The numbers at the start of a game: in the order of the files, on each from its first rank.
    pub(crate) fn new(position: &Position) -> Numbers {
        let mut numbers =
            Numbers { squares: [[FREE; Slot::COUNT]; 2], slots: PerSquare([Slot::NONE; 64]) };
        for index in 0..64u8 {
            let square = square_of(index);
            if let Some(piece) = position.piece_at(square) {
                numbers.add(piece, square);
            }
        }
        numbers
    }

    /// Where a numbered piece stands.
    #[inline]
    pub(crate) fn square(&self, color: Color, slot: Slot) -> Option<Square> {
        let square = self.squares.get(color as usize)?.get(usize::from(slot.0))?;
        if *square == FREE { None } else { Some(Square::from_low_bits(*square)) }
    }

    /// The number of the piece on a square.
    #[inline]
    pub(crate) fn slot(&self, square: Square) -> Slot {
        self.slots[square]
    }

    /// Gives a piece the next free number of its kind, if there is one.
    fn add(&mut self, piece: Piece, square: Square) {
        let (first, count) = Slot::of(piece.role());
        for number in first..first.saturating_add(count) {
            let Some(place) = self.place(piece.color(), Slot(number)) else { continue };
            if *place == FREE {
                *place = square.index();
                self.slots[square] = Slot(number);
                return;
            }
        }
    }

    #[inline]
    fn place(&mut self, color: Color, slot: Slot) -> Option<&mut u8> {
        self.squares.get_mut(color as usize)?.get_mut(usize::from(slot.0))
    }

    /// Takes the piece on a square off; those of its kind with higher numbers move down.
    fn remove(&mut self, color: Color, square: Square) {
        let slot = std::mem::replace(&mut self.slots[square], Slot::NONE);
        if slot.is_none() {
            return;
        }
        let last = slot.last();
        let Some(squares) = self.squares.get_mut(color as usize) else { return };
        let group = squares.get_mut(usize::from(slot.0)..=usize::from(last)).unwrap_or_default();
        group.rotate_left(1);
        if let Some(free) = group.last_mut() {
            *free = FREE;
        }
        let moved = (slot.0..last).zip(group.iter());
        for (slot, square) in moved.filter(|(_, square)| **square != FREE) {
            self.slots[Square::from_low_bits(*square)] = Slot(slot);
        }
    }

    /// Follows a legal step of a numbered piece: no castling, no promotion.
    #[inline]
    pub(crate) fn step(&mut self, slot: Slot, from: Square, to: Square, position: &Position) {
        let color = position.turn();
        if position.occupied().contains(to) {
            self.remove(!color, to);
        } else if slot.0 >= Slot::PAWNS.0 && from.file() != to.file() {
            self.remove(!color, to.with_rank(from.rank()));
        }
        self.slots[from] = Slot::NONE;
        self.put(color, slot, to);
    }

    /// Follows a move that the position is about to make.
    #[inline]
    pub(crate) fn apply(&mut self, m: Move, position: &Position) {
        if m.is_null() {
            return;
        }
        let (from, to, color) = (m.from(), m.to(), position.turn());
        if let Some(side) = position.castling_side(m) {
            let king = Square::at(side.king_file(), from.rank()).unwrap_or(from);
            let rook = Square::at(side.rook_file(), from.rank()).unwrap_or(to);
            self.castle(color, (from, king), (to, rook));
            return;
        }
        let slot = self.slots[from];
        if position.piece_at(to).is_some() {
            self.remove(!color, to);
        } else if slot.0 >= Slot::PAWNS.0 && from.file() != to.file() {
            // En passant; also of a pawn without a number.
            let taken = to.with_rank(from.rank());
            if position.piece_at(taken).is_some_and(|piece| piece.role() == Role::Pawn)
                && position.piece_at(from).is_some_and(|piece| piece.role() == Role::Pawn)
            {
                self.remove(!color, taken);
            }
        }
        self.slots[from] = Slot::NONE;
        match m.promotion() {
            None => self.put(color, slot, to),
            Some(role) => {
                self.put(color, slot, from);
                self.remove(color, from);
                self.add(Piece::new(role, color), to);
            }
        }
    }

    #[inline]
    fn put(&mut self, color: Color, slot: Slot, square: Square) {
        self.slots[square] = slot;
        if let Some(place) = self.place(color, slot) {
            *place = square.index();
        }
    }

    #[cold]
    fn castle(&mut self, color: Color, king: (Square, Square), rook: (Square, Square)) {
        let slots = (self.slots[king.0], self.slots[rook.0]);
        self.slots[king.0] = Slot::NONE;
        self.slots[rook.0] = Slot::NONE;
        self.put(color, slots.0, king.1);
        self.put(color, slots.1, rook.1);
    }
}

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
        let numbers = Numbers::new(&Position::start());
        assert_eq!(numbers.slot(Square::B1), Slot::KNIGHTS);
        assert_eq!(numbers.slot(Square::G8), Slot(11));
        assert_eq!(numbers.square(Color::Black, Slot(20)), Some(Square::H7));
        assert_eq!(numbers.square(Color::White, Slot(3)), None);
    }

    fn follow(fen: &str, moves: &[&str]) -> Numbers {
        let mut position = Position::from_fen(fen).unwrap();
        let mut numbers = Numbers::new(&position);
        for text in moves {
            let m: Move = text.parse().unwrap();
            numbers.apply(m, &position);
            position.apply(m);
        }
        numbers
    }

    #[test]
    fn higher_numbers_move_down_and_pawns_keep_theirs() {
        let numbers = follow("4k3/8/8/3p4/8/1NNP4/1N6/4K3 w - - 0 1", &["b3d4", "d5d4", "d3d4"]);
        assert!(numbers.slot(Square::D4) == Slot::PAWNS);
        let numbers = follow("q3k3/8/8/8/8/8/8/NNN1K3 b - - 0 1", &["a8a1"]);
        assert_eq!(numbers.slot(Square::B1), Slot(10));
        assert_eq!(numbers.slot(Square::C1), Slot(11));
        assert_eq!(numbers.square(Color::White, Slot(12)), None);
    }

    #[test]
    fn a_fourth_queen_stays_without_a_number() {
        let fen = "4k3/PP6/8/8/8/8/r7/QQ1QK3 w - - 0 1";
        let numbers = follow(fen, &["a7a8q", "a2a1", "b7b8q"]);
        assert!(numbers.slot(Square::A8).is_none());
        assert_eq!(numbers.slot(Square::B1), Slot(1));
        assert_eq!(numbers.slot(Square::B8), Slot(3));
        assert_eq!(numbers.square(Color::White, Slot::PAWNS), None);
    }

    #[test]
    fn castling_and_en_passant() {
        let numbers = follow("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1h1"]);
        assert_eq!(numbers.slot(Square::G1), Slot::KING);
        assert_eq!(numbers.slot(Square::F1), Slot(5));
        let numbers = follow("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", &["d7d5", "e5d6"]);
        assert!(numbers.slot(Square::D5).is_none());
        assert_eq!(numbers.square(Color::Black, Slot::PAWNS), None);
    }
}
