//! Tracks the slots by which codes name pieces.

use chess_core::{Color, Move, PerSquare, Piece, Position, Role, Square};

use crate::layout::FIRST_CODES;

/// The slot of a piece of one side for the whole game: pawns 0 to 7, also after promotion, then two
/// knights, two bishops, two rooks, the queen and the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit(u8);

impl Unit {
    pub(crate) const KING: Unit = Unit(15);

    /// Returns the unit with this index in [`FIRST_CODES`].
    pub(crate) const fn new(number: u8) -> Unit {
        Unit(number & 15)
    }

    pub(crate) const fn pawn(slot: u8) -> Unit {
        Unit(slot & 7)
    }

    /// Returns the pawn slot, if the piece started as a pawn.
    #[inline]
    pub(crate) const fn pawn_slot(self) -> Option<u8> {
        if self.0 < 8 { Some(self.0) } else { None }
    }

    /// Returns the first code of the unit's moves before promotion.
    #[inline]
    pub(crate) fn first_code(self) -> u8 {
        FIRST_CODES.get(usize::from(self.0 & 15)).copied().unwrap_or_default()
    }
}

/// Returns the first unit and the number of units of a role.
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

/// The units of both sides and their squares.
///
/// Updates are lazy: nothing is cleared when a piece moves away or is captured. An entry of `on` is
/// valid only while its square is occupied. An entry of `squares` is valid only while `on` agrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    /// The last unit on each square: its index, plus 16 for Black; or [`NOBODY`].
    on: PerSquare<u8>,
    /// The last square of each unit, by the same index.
    squares: [Square; 32],
}

/// A piece without a slot.
const NOBODY: u8 = 0xff;

impl Units {
    /// The units of the usual start position.
    pub(crate) const START: Units = usual_start();

    /// Returns the units of a start position, and the first piece without a slot, if any.
    // movecode §5 "Slots"
    pub(crate) fn new(position: &Position) -> (Units, Option<Piece>) {
        let mut units = Units { on: PerSquare([NOBODY; 64]), squares: [Square::A1; 32] };
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
                    units.put(name(piece.color(), Unit(first.wrapping_add(*used))), square);
                    *used = used.wrapping_add(1);
                } else {
                    extra = extra.or(Some(piece));
                }
            }
        }
        (units, extra)
    }

    /// Returns the square of a unit on the board. For a pawn captured en passant it may return its last
    /// square, which is empty.
    #[inline]
    pub(crate) fn square(&self, color: Color, unit: Unit) -> Option<Square> {
        let name = name(color, unit);
        let square = *self.squares.get(usize::from(name))?;
        (self.on[square] == name).then_some(square)
    }

    /// Returns the unit of the piece on an occupied square.
    #[inline]
    pub(crate) fn on(&self, square: Square) -> Option<Unit> {
        let name = self.on[square];
        (name != NOBODY).then_some(Unit(name & 15))
    }

    /// Updates the units for a move. Call this before `position` plays it.
    #[inline]
    pub(crate) fn follow(&mut self, position: &Position, m: Move) {
        if m.is_null() {
            return;
        }
        if position.color(position.turn()).contains(m.to()) {
            return self.castle(position, m);
        }
        self.put(self.on[m.from()], m.to());
    }

    #[cold]
    fn castle(&mut self, position: &Position, m: Move) {
        let Some(side) = position.castling_side(m) else { return };
        let (king, rook) = (self.on[m.from()], self.on[m.to()]);
        let rank = m.from().rank();
        for (name, file) in [(king, side.king_file()), (rook, side.rook_file())] {
            if let Some(square) = Square::at(file, rank) {
                self.put(name, square);
            }
        }
    }

    #[inline]
    fn put(&mut self, name: u8, square: Square) {
        self.on[square] = name;
        if let Some(place) = self.squares.get_mut(usize::from(name)) {
            *place = square;
        }
    }
}

/// Combines a colour and a unit in one index.
#[inline]
const fn name(color: Color, unit: Unit) -> u8 {
    (color as u8) << 4 | unit.0 & 15
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "evaluated at compile time only, where a mistake is a compile error"
)]
const fn usual_start() -> Units {
    // Rook, knight, bishop, queen, king, bishop, knight, rook.
    let officers = [12, 8, 10, 14, 15, 11, 9, 13];
    let mut units = Units { on: PerSquare([NOBODY; 64]), squares: [Square::A1; 32] };
    let mut file = 0;
    while file < 8 {
        let (officer, pawn) = (Unit(officers[file as usize]), Unit(file));
        let men = [
            (name(Color::White, officer), file),
            (name(Color::White, pawn), file | 8),
            (name(Color::Black, pawn), file | 48),
            (name(Color::Black, officer), file | 56),
        ];
        let mut number = 0;
        while number < men.len() {
            let (name, square) = men[number];
            units.on.0[square as usize] = name;
            units.squares[name as usize] = Square::from_low_bits(square);
            number = number.wrapping_add(1);
        }
        file = file.wrapping_add(1);
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNIGHTS: [Unit; 2] = [Unit(8), Unit(9)];
    const ROOKS: [Unit; 2] = [Unit(12), Unit(13)];
    const QUEEN: Unit = Unit(14);

    #[test]
    fn units_usual_start_slots_follow_files() {
        let (units, extra) = Units::new(&Position::start());
        assert_eq!(extra, None);
        assert_eq!(units.square(Color::White, KNIGHTS[0]), Some(Square::B1));
        assert_eq!(units.square(Color::Black, KNIGHTS[1]), Some(Square::G8));
        assert_eq!(units.square(Color::White, Unit::pawn(4)), Some(Square::E2));
        assert_eq!(units.square(Color::Black, QUEEN), Some(Square::D8));
        assert_eq!(units.on(Square::E1), Some(Unit::KING));
        assert_eq!(units.on, Units::START.on);
        assert_eq!(units.squares, Units::START.squares);
    }

    #[test]
    fn square_captured_unit_is_none() {
        let mut position = Position::from_fen("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1").unwrap();
        let (mut units, _) = Units::new(&position);
        for m in ["d1d5", "e8e7", "d5d1"] {
            let m = m.parse().unwrap();
            assert!(units.square(Color::White, ROOKS[0]).is_some());
            units.follow(&position, m);
            position.apply(m);
            assert_eq!(units.square(Color::Black, Unit::pawn(0)), None);
        }
    }

    #[test]
    fn units_fen_slots_start_at_eighth_rank() {
        let fen = "4k3/8/1P6/6P1/P7/N7/8/R3K1NR w - - 0 1";
        let (units, _) = Units::new(&Position::from_fen(fen).unwrap());
        assert_eq!(units.square(Color::White, Unit::pawn(0)), Some(Square::B6));
        assert_eq!(units.square(Color::White, Unit::pawn(1)), Some(Square::G5));
        assert_eq!(units.square(Color::White, Unit::pawn(2)), Some(Square::A4));
        assert_eq!(units.square(Color::White, KNIGHTS[0]), Some(Square::A3));
        assert_eq!(units.square(Color::White, KNIGHTS[1]), Some(Square::G1));
    }

    #[test]
    fn units_third_knight_is_extra() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1").unwrap();
        let (units, extra) = Units::new(&position);
        assert_eq!(extra, Some(Piece::new(Role::Knight, Color::White)));
        assert_eq!(units.on(Square::C1), None);
    }

    #[test]
    fn follow_moves_captures_castling_keep_slots() {
        let mut position = Position::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
        let (mut units, _) = Units::new(&position);
        for m in ["e5d6", "e8h8", "h1h8"] {
            let m = m.parse().unwrap();
            units.follow(&position, m);
            position.apply(m);
        }
        assert_eq!(units.square(Color::White, Unit::pawn(0)), Some(Square::D6));
        // Captured en passant, which the units do not track.
        assert_eq!(units.square(Color::Black, Unit::pawn(0)), Some(Square::D5));
        assert_eq!(position.piece_at(Square::D5), None);
        assert_eq!(units.square(Color::Black, Unit::KING), Some(Square::G8));
        assert_eq!(units.square(Color::Black, ROOKS[1]), Some(Square::F8));
        assert_eq!(units.square(Color::White, ROOKS[1]), Some(Square::H8));
    }
}
