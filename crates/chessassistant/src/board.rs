//! The board of the format: numbered pieces, moved by steps modulo 8.
//!
//! A coordinate is `rank << 4 | file`, so that `(coordinate + step) & 0x77` is the target of a
//! step. Decoder and encoder play on this light board, which has no rules of chess.

use chess_core::{Bitboard, Color, Move, Piece, Position, Role, Square};

use crate::error::ErrorKind;
use crate::layout::{KING_NUMBER, KING_ROOK, OFFICER_CODES, PIECE_NUMBERS, QUEEN_ROOK};

/// A piece: its number, plus 32 for Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceId(u8);

impl PieceId {
    const NOBODY: PieceId = PieceId(0xff);

    #[inline]
    pub(crate) const fn new(side: Side, number: u8) -> PieceId {
        PieceId(side.0 | number & 31)
    }

    /// The number of the piece within its colour.
    pub(crate) const fn number(self) -> u8 {
        self.0 & 31
    }

    pub(crate) const fn side(self) -> Side {
        Side(self.0 & 32)
    }
}

/// A colour, as the bit that distinguishes a [`PieceId`] of Black from one of White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side(u8);

impl Side {
    pub(crate) const WHITE: Side = Side(0);
    const BLACK: Side = Side(32);

    pub(crate) const fn of(color: Color) -> Side {
        match color {
            Color::White => Side::WHITE,
            Color::Black => Side::BLACK,
        }
    }

    #[inline]
    pub(crate) const fn is_black(self) -> bool {
        self.0 != 0
    }

    /// The back rank of a side, as the high digit of a coordinate.
    const fn back_rank(self) -> u8 {
        if self.is_black() { 0x70 } else { 0 }
    }
}

/// `08`, the coordinate of a piece that is not on the board.
pub(crate) const ABSENT: u8 = 0x08;

/// The kind of move of a played step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remark {
    Plain,
    EnPassant,
    OwnPieceTaken,
}

/// Why a step cannot be played. Small, because every ply could return one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    NoPiece(u8),
    NoStep(u8),
    KingTakesRook,
    Castling,
}

impl From<Fault> for ErrorKind {
    #[cold]
    fn from(fault: Fault) -> ErrorKind {
        match fault {
            Fault::NoPiece(number) => ErrorKind::NoPiece(number),
            Fault::NoStep(number) => ErrorKind::NoStep(number),
            Fault::KingTakesRook => ErrorKind::KingTakesRook,
            Fault::Castling => ErrorKind::Castling,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    /// The piece on each coordinate.
    occupant: [u8; 128],
    /// The coordinate of each piece.
    place: [u8; 64],
    /// The role of each piece, numbered as in [`Role`]; 0 for none.
    role: [u8; 64],
    turn: Side,
}

const PAWN: u8 = Role::Pawn as u8;
const ROOK: u8 = Role::Rook as u8;
const KING: u8 = Role::King as u8;

static START: Board = Board::start_position();

#[allow(clippy::indexing_slicing, reason = "the masks keep every index within its array")]
impl Board {
    /// The usual start position.
    #[inline]
    pub(crate) fn start() -> Board {
        START
    }

    /// A board without pieces, White to move.
    pub(crate) const fn empty() -> Board {
        Board {
            occupant: [PieceId::NOBODY.0; 128],
            place: [ABSENT; 64],
            role: [0; 64],
            turn: Side::WHITE,
        }
    }

    #[allow(clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
    const fn start_position() -> Board {
        // Files of the pieces 8 to 15, and their roles.
        const OFFICER_FILES: [u8; 8] = [1, 6, 2, 5, 0, 7, 3, 4];
        const OFFICER_ROLES: [u8; 8] = [2, 2, 3, 3, 4, 4, 5, 6];
        let mut board = Board::empty();
        let mut number = 0;
        while number < 8 {
            board.put(PieceId(number), 0x10 | number, PAWN);
            board.put(PieceId(32 | number), 0x60 | number, PAWN);
            let (file, role) = (OFFICER_FILES[number as usize], OFFICER_ROLES[number as usize]);
            board.put(PieceId(8 + number), file, role);
            board.put(PieceId(32 | (8 + number)), 0x70 | file, role);
            number += 1;
        }
        board
    }

    #[inline]
    const fn put(&mut self, id: PieceId, coordinate: u8, role: u8) {
        self.occupant[(coordinate & 0x7f) as usize] = id.0;
        self.place[(id.0 & 63) as usize] = coordinate;
        self.role[(id.0 & 63) as usize] = role;
    }

    /// Removes a piece from the board, if it is there.
    #[inline]
    const fn remove(&mut self, id: PieceId) {
        let place = &mut self.place[(id.0 & 63) as usize];
        self.occupant[(*place & 0x7f) as usize] = PieceId::NOBODY.0;
        *place = ABSENT;
    }

    #[inline]
    pub(crate) fn turn(&self) -> Side {
        self.turn
    }

    pub(crate) fn set_turn(&mut self, color: Color) {
        self.turn = Side::of(color);
    }

    #[inline]
    pub(crate) fn pass(&mut self) {
        self.turn = Side(self.turn.0 ^ 32);
    }

    /// The coordinate of a piece, if it is on the board.
    #[inline]
    pub(crate) fn place(&self, id: PieceId) -> Option<u8> {
        let place = self.place[(id.0 & 63) as usize];
        if place & 0x88 == 0 { Some(place) } else { None }
    }

    #[inline]
    fn role_bits(&self, id: PieceId) -> u8 {
        self.role[(id.0 & 63) as usize]
    }

    /// Whether a piece is a pawn, or was one when last on the board.
    #[inline]
    pub(crate) fn is_pawn(&self, id: PieceId) -> bool {
        self.role_bits(id) == PAWN
    }

    /// Whether a piece is a king.
    #[inline]
    pub(crate) fn is_king(&self, id: PieceId) -> bool {
        self.role_bits(id) == KING
    }

    /// Whether a piece is a rook, or was one when last on the board.
    #[inline]
    pub(crate) fn is_rook(&self, id: PieceId) -> bool {
        self.role_bits(id) == ROOK
    }

    /// The role of a piece, or its role when last on the board.
    pub(crate) fn role(&self, id: PieceId) -> Option<Role> {
        role_of(self.role_bits(id))
    }

    /// The piece on each coordinate.
    #[inline]
    pub(crate) fn occupant(&self, coordinate: u8) -> Option<PieceId> {
        let id = PieceId(self.occupant[(coordinate & 0x77) as usize]);
        if id == PieceId::NOBODY { None } else { Some(id) }
    }

    /// Sets up a piece. Returns `false` if the square is occupied.
    pub(crate) fn set_up(&mut self, id: PieceId, coordinate: u8, role: Role) -> bool {
        let free = self.occupant(coordinate).is_none();
        self.put(id, coordinate & 0x77, role as u8);
        free
    }

    /// Moves a piece of the side to move by a step and passes the turn. A piece on the target is
    /// captured. A pawn that moves diagonally to an empty square captures the enemy pawn beside it.
    #[inline]
    pub(crate) fn play(&mut self, id: PieceId, step: u8) -> Result<(Move, Remark), Fault> {
        let Some(from) = self.place(id) else { return Err(Fault::NoPiece(id.number())) };
        let to = from.wrapping_add(step) & 0x77;
        let mut remark = Remark::Plain;
        match self.occupant(to) {
            Some(taken) => {
                if taken.side() == self.turn {
                    if taken == id {
                        return Err(Fault::NoStep(id.number()));
                    }
                    if self.role_bits(id) == KING && self.role_bits(taken) == ROOK {
                        return Err(Fault::KingTakesRook);
                    }
                    remark = Remark::OwnPieceTaken;
                }
                self.remove(taken);
            }
            None if self.role_bits(id) == PAWN && (from ^ to) & 7 != 0 => {
                if let Some(beside) = self.occupant(from & 0x70 | to & 7)
                    && beside.side() != self.turn
                    && self.role_bits(beside) == PAWN
                {
                    self.remove(beside);
                    remark = Remark::EnPassant;
                }
            }
            None => {}
        }
        self.occupant[(from & 0x77) as usize] = PieceId::NOBODY.0;
        self.occupant[(to & 0x77) as usize] = id.0;
        self.place[(id.0 & 63) as usize] = to;
        self.pass();
        Ok((Move::new(square(from), square(to)), remark))
    }

    /// Turns a piece that has just moved into another piece, with another number of its side.
    pub(crate) fn transform(&mut self, id: PieceId, number: u8, role: Role) {
        let Some(place) = self.place(id) else { return };
        let new = PieceId::new(id.side(), number);
        // A number in use is taken over: its previous piece becomes unreachable.
        self.remove(new);
        self.remove(id);
        self.put(new, place, role as u8);
    }

    /// The king that a side castles with: number 15, or else the first king found.
    pub(crate) fn king(&self, side: Side) -> Option<PieceId> {
        let usual = PieceId::new(side, KING_NUMBER);
        std::iter::once(usual)
            .chain((0..PIECE_NUMBERS).map(|number| PieceId::new(side, number)))
            .find(|id| self.place(*id).is_some() && self.role_bits(*id) == KING)
    }

    /// Castles and passes the turn. The king may be anywhere on its rank; the rook is on the a-file
    /// (`long`) or h-file. Returns the move, and whether the king was on its usual square.
    pub(crate) fn castle(&mut self, long: bool) -> Result<(Move, bool), Fault> {
        let king = self.king(self.turn).ok_or(Fault::Castling)?;
        let from = self.place(king).ok_or(Fault::Castling)?;
        let (rook_file, king_to, rook_to) = if long { (0, 2, 3) } else { (7, 6, 5) };
        let rank = from & 0x70;
        let rook = self.occupant(rank | rook_file).ok_or(Fault::Castling)?;
        if rook.side() != self.turn || self.role_bits(rook) != ROOK {
            return Err(Fault::Castling);
        }
        self.remove(king);
        self.remove(rook);
        for (id, file, role) in [(king, king_to, KING), (rook, rook_to, ROOK)] {
            if let Some(other) = self.occupant(rank | file) {
                self.remove(other);
            }
            self.put(id, rank | file, role);
        }
        let usual = from == self.turn.back_rank() | 4;
        self.pass();
        Ok((Move::new(square(from), square(rank | rook_file)), usual))
    }

    /// Returns the number of a promoted pawn: a vacant number of its new role, one of the two
    /// numbers of any role, or its own.
    // chessassistant §8.3 "Promotion"
    pub(crate) fn promotion_number(&self, pawn: PieceId, role: Role) -> u8 {
        self.vacant_number(pawn.side(), role).unwrap_or(pawn.number())
    }

    fn vacant_number(&self, side: Side, role: Role) -> Option<u8> {
        let numbers = match role {
            Role::Pawn | Role::King => return None,
            Role::Knight => [8, 9, 16, 17],
            Role::Bishop => [10, 11, 16, 17],
            Role::Rook => [QUEEN_ROOK, KING_ROOK, 16, 17],
            Role::Queen => [14, 14, 16, 17],
        };
        numbers.into_iter().find(|number| self.place(PieceId::new(side, *number)).is_none())
    }

    /// Assigns numbers to the pieces of a position. Returns `None` if there are more pieces than
    /// numbers.
    // chessassistant §7.4 "Start position"
    pub(crate) fn number(position: &Position) -> Option<Board> {
        let mut board = Board::empty();
        for color in Color::ALL {
            let side = Side::of(color);
            // First the pieces with a number of their role, then the rest in square order.
            let mut rest = Bitboard::EMPTY;
            for square in position.color(color) {
                let role = position.piece_at(square)?.role();
                let place = coordinate(square);
                let number = match role {
                    Role::Pawn => place & 7,
                    Role::Rook if place == side.back_rank() => QUEEN_ROOK,
                    Role::Rook if place == side.back_rank() | 7 => KING_ROOK,
                    Role::King => KING_NUMBER,
                    _ => PIECE_NUMBERS,
                };
                let id = PieceId::new(side, number);
                if number < PIECE_NUMBERS && board.place(id).is_none() {
                    board.set_up(id, place, role);
                } else {
                    rest |= Bitboard::of(square);
                }
            }
            for pawns in [true, false] {
                for square in rest {
                    let role = position.piece_at(square)?.role();
                    if (role == Role::Pawn) == pawns {
                        let number = board.setup_number(side, role)?;
                        board.set_up(PieceId::new(side, number), coordinate(square), role);
                    }
                }
            }
        }
        board.set_turn(position.turn());
        Some(board)
    }

    /// The number of a set-up piece without a number of its role: a vacant number of its kind, or
    /// the number of a missing pawn.
    fn setup_number(&self, side: Side, role: Role) -> Option<u8> {
        let pawn = || (0..8).find(|number| self.place(PieceId::new(side, *number)).is_none());
        self.vacant_number(side, role).or_else(pawn)
    }

    /// The code of a step of a piece, if it has one.
    pub(crate) fn plain_code(&self, id: PieceId, step: u8) -> Option<u8> {
        let number = id.number();
        if number < 8 {
            let kind = pawn_kind(id.side(), step)?;
            return (self.role_bits(id) == PAWN).then_some(number << 2 | kind);
        }
        let codes = OFFICER_CODES.get(usize::from(number.wrapping_sub(8)))?;
        codes.get(usize::from(step)).copied().filter(|code| *code != 0)
    }
}

/// The index of a step among a pawn's four steps.
pub(crate) fn pawn_kind(side: Side, step: u8) -> Option<u8> {
    let steps = if side.is_black() {
        crate::layout::BLACK_PAWN_STEPS
    } else {
        crate::layout::WHITE_PAWN_STEPS
    };
    (0u8..).zip(steps).find(|(_, listed)| *listed == step).map(|(kind, _)| kind)
}

/// The role of a type byte.
pub(crate) fn role_of(bits: u8) -> Option<Role> {
    Role::ALL.into_iter().find(|role| *role as u8 == bits)
}

#[inline]
pub(crate) fn square(coordinate: u8) -> Square {
    Square::from_low_bits(coordinate >> 1 & 0x38 | coordinate & 7)
}

pub(crate) fn coordinate(square: Square) -> u8 {
    square.rank() << 4 | square.file()
}

/// The step between two squares: differences of rank and file modulo 8.
pub(crate) fn step_between(from: Square, to: Square) -> u8 {
    let ranks = to.rank().wrapping_sub(from.rank()) & 7;
    let files = to.file().wrapping_sub(from.file()) & 7;
    ranks << 4 | files
}

/// Puts a piece into a position as well.
pub(crate) fn put_in_position(position: &mut Position, place: u8, role: Role, side: Side) {
    let color = if side.is_black() { Color::Black } else { Color::White };
    position.set(square(place), Some(Piece::new(role, color)));
}
