//! Who is who: the slots by which codes name pieces.

use chess_core::{Color, Move, PerSquare, Piece, Position, Role, Square};

use crate::moves::en_passant_victim;

/// A piece of one side for the whole game: pawn slots 0 to 7, also after promotion, then two
/// knights, two bishops, two rooks, the queen and the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit(u8);

/// No unit: an empty square, or a piece beyond the slots.
const NOBODY: u8 = 0xff;
/// No square: the unit is not on the board.
const NOWHERE: u8 = 0xff;

impl Unit {
    pub(crate) const QUEEN: Unit = Unit(14);
    pub(crate) const KING: Unit = Unit(15);

    pub(crate) const fn pawn(slot: u8) -> Unit {
        Unit(slot & 7)
    }

    pub(crate) const fn knight(slot: u8) -> Unit {
        Unit(8 | slot & 1)
    }

    pub(crate) const fn bishop(slot: u8) -> Unit {
        Unit(10 | slot & 1)
    }

    pub(crate) const fn rook(slot: u8) -> Unit {
        Unit(12 | slot & 1)
    }

    /// The pawn slot, if it was a pawn at the start.
    pub(crate) const fn pawn_slot(self) -> Option<u8> {
        if self.0 < 8 { Some(self.0) } else { None }
    }

    /// Which of its kind it is, for knights, bishops and rooks.
    pub(crate) const fn officer_slot(self) -> u8 {
        self.0 & 1
    }
}

/// First unit and number of units of a role.
const fn slots(role: Role) -> (u8, u8) {
    match role {
        Role::Pawn => (0, 8),
        Role::Knight => (8, 2),
        Role::Bishop => (10, 2),
        Role::Rook => (12, 2),
        Role::Queen => (14, 1),
        Role::King => (15, 1),
    }
}

/// All units of both sides and where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    /// The unit on each square; whose it is the board says.
    on: PerSquare<u8>,
    /// The square of each unit, by colour.
    squares: [[u8; 16]; 2],
}

impl Units {
    /// The units of a start position, or the first piece there is no slot for, besides.
    // movecode §5 "Slots"
    pub(crate) fn new(position: &Position) -> (Units, Option<Piece>) {
        let mut units = Units { on: PerSquare([NOBODY; 64]), squares: [[NOWHERE; 16]; 2] };
        let mut used = [[0u8; 16]; 2];
        let mut extra = None;
        for rank in (0..8).rev() {
            for square in (0..8).filter_map(|file| Square::at(file, rank)) {
                let Some(piece) = position.piece_at(square) else { continue };
                let (first, count) = slots(piece.role());
                let used = used.get_mut(piece.color() as usize);
                let Some(used) = used.and_then(|of| of.get_mut(usize::from(first))) else {
                    continue;
                };
                if *used < count {
                    units.put(piece.color(), Unit(first.wrapping_add(*used)), square);
                    *used = used.wrapping_add(1);
                } else {
                    extra = extra.or(Some(piece));
                }
            }
        }
        (units, extra)
    }

    /// Where a unit is, if it is on the board.
    #[inline]
    pub(crate) fn square(&self, color: Color, unit: Unit) -> Option<Square> {
        let squares = self.squares.get(color as usize)?;
        squares.get(usize::from(unit.0 & 15)).copied().and_then(Square::new)
    }

    /// The unit of the piece on a square.
    #[inline]
    pub(crate) fn on(&self, square: Square) -> Option<Unit> {
        let unit = self.on[square];
        (unit != NOBODY).then_some(Unit(unit))
    }

    /// Follows a move; to be called before the position plays it.
    #[inline]
    pub(crate) fn follow(&mut self, position: &Position, m: Move) {
        if m.is_null() {
            return;
        }
        let color = position.turn();
        if let Some(side) = position.castling_side(m) {
            let (king, rook) = (self.take(color, m.from()), self.take(color, m.to()));
            let rank = m.from().rank();
            self.put_back(color, king, Square::at(side.king_file(), rank));
            self.put_back(color, rook, Square::at(side.rook_file(), rank));
            return;
        }
        let victim = en_passant_victim(position, m).unwrap_or(m.to());
        if position.piece_at(victim).is_some() {
            self.take(!color, victim);
        }
        let mover = self.take(color, m.from());
        self.put_back(color, mover, Some(m.to()));
    }

    /// Takes the unit off a square.
    #[inline]
    fn take(&mut self, color: Color, square: Square) -> u8 {
        let unit = self.on[square];
        self.on[square] = NOBODY;
        if let Some(place) = self.place(color, unit) {
            *place = NOWHERE;
        }
        unit
    }

    #[inline]
    fn put_back(&mut self, color: Color, unit: u8, square: Option<Square>) {
        if unit != NOBODY
            && let Some(square) = square
        {
            self.put(color, Unit(unit), square);
        }
    }

    #[inline]
    fn put(&mut self, color: Color, unit: Unit, square: Square) {
        self.on[square] = unit.0;
        if let Some(place) = self.place(color, unit.0) {
            *place = square.index();
        }
    }

    #[inline]
    fn place(&mut self, color: Color, unit: u8) -> Option<&mut u8> {
        self.squares.get_mut(color as usize)?.get_mut(usize::from(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_the_usual_start_go_by_file() {
        let (units, extra) = Units::new(&Position::start());
        assert_eq!(extra, None);
        assert_eq!(units.square(Color::White, Unit::knight(0)), Some(Square::B1));
        assert_eq!(units.square(Color::Black, Unit::knight(1)), Some(Square::G8));
        assert_eq!(units.square(Color::White, Unit::pawn(4)), Some(Square::E2));
        assert_eq!(units.square(Color::Black, Unit::QUEEN), Some(Square::D8));
        assert_eq!(units.on(Square::E1), Some(Unit::KING));
    }

    #[test]
    fn slots_of_a_fen_go_from_the_eighth_rank_down() {
        let fen = "4k3/8/1P6/6P1/P7/N7/8/R3K1NR w - - 0 1";
        let (units, _) = Units::new(&Position::from_fen(fen).unwrap());
        assert_eq!(units.square(Color::White, Unit::pawn(0)), Some(Square::B6));
        assert_eq!(units.square(Color::White, Unit::pawn(1)), Some(Square::G5));
        assert_eq!(units.square(Color::White, Unit::pawn(2)), Some(Square::A4));
        assert_eq!(units.square(Color::White, Unit::knight(0)), Some(Square::A3));
        assert_eq!(units.square(Color::White, Unit::knight(1)), Some(Square::G1));
    }

    #[test]
    fn a_third_knight_has_no_slot() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1").unwrap();
        let (units, extra) = Units::new(&position);
        assert_eq!(extra, Some(Piece::new(Role::Knight, Color::White)));
        assert_eq!(units.on(Square::C1), None);
    }

    #[test]
    fn moves_captures_and_castling_keep_the_slots() {
        let mut position = Position::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
        let (mut units, _) = Units::new(&position);
        for m in ["e5d6", "e8h8", "h1h8"] {
            let m = m.parse().unwrap();
            units.follow(&position, m);
            position.apply(m);
        }
        assert_eq!(units.square(Color::White, Unit::pawn(0)), Some(Square::D6));
        assert_eq!(units.square(Color::Black, Unit::pawn(0)), None);
        assert_eq!(units.square(Color::Black, Unit::KING), Some(Square::G8));
        assert_eq!(units.square(Color::Black, Unit::rook(1)), Some(Square::F8));
        assert_eq!(units.square(Color::White, Unit::rook(1)), Some(Square::H8));
    }
}
