//! The board and the state that goes with it.

use core::hint::select_unpredictable;

use crate::bitboard::{Bitboard, pawn_attacks};
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::square::{PerSquare, Square};

/// A chess position: a mailbox and bitboards side by side, castling rights, en passant and clocks.
///
/// [`apply`](Position::apply) plays whatever it is given, because old files hold illegal moves,
/// boards without kings and ten queens; [`is_legal`](Position::is_legal) tells the truth when
/// asked. Positions are copied rather than taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    mailbox: PerSquare<Option<Piece>>,
    colors: [Bitboard; 2],
    /// By the numbers of the roles, from 1; the first and last are never used.
    roles: [Bitboard; 8],
    /// The rooks that may still castle.
    castling: Bitboard,
    turn: Color,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// The two ways to castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingSide {
    /// Towards the h-file: `O-O`, king to the g-file.
    King,
    /// Towards the a-file: `O-O-O`, king to the c-file.
    Queen,
}

impl CastlingSide {
    /// The file the king lands on.
    #[must_use]
    pub const fn king_file(self) -> u8 {
        match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        }
    }

    /// The file the rook lands on.
    #[must_use]
    pub const fn rook_file(self) -> u8 {
        match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        }
    }
}

/// The start position, laid out by the compiler: every game begins with a copy of it.
const START: Position = Position {
    mailbox: start_mailbox(),
    colors: [Bitboard(0xffff), Bitboard(0xffff << 48)],
    roles: [
        Bitboard::EMPTY,
        Bitboard(0x00ff_0000_0000_ff00),
        Bitboard(0x4200_0000_0000_0042),
        Bitboard(0x2400_0000_0000_0024),
        Bitboard(0x8100_0000_0000_0081),
        Bitboard(0x0800_0000_0000_0008),
        Bitboard(0x1000_0000_0000_0010),
        Bitboard::EMPTY,
    ],
    castling: Bitboard(0x8100_0000_0000_0081),
    turn: Color::White,
    en_passant: None,
    halfmove_clock: 0,
    fullmove_number: 1,
};

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "runs in the compiler only, where a mistake is a compile error"
)]
const fn start_mailbox() -> PerSquare<Option<Piece>> {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let officers = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
    let mut squares = [None; 64];
    let mut file = 0;
    while file < 8 {
        squares[file] = Some(Piece::new(officers[file], Color::White));
        squares[8 + file] = Some(Piece::new(Pawn, Color::White));
        squares[48 + file] = Some(Piece::new(Pawn, Color::Black));
        squares[56 + file] = Some(Piece::new(officers[file], Color::Black));
        file += 1;
    }
    PerSquare(squares)
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl Position {
    /// The start position of standard chess.
    #[must_use]
    pub fn start() -> Position {
        START
    }

    /// A board without pieces, White to move, move 1.
    #[must_use]
    pub fn empty() -> Position {
        Position {
            mailbox: PerSquare([None; 64]),
            colors: [Bitboard::EMPTY; 2],
            roles: [Bitboard::EMPTY; 8],
            castling: Bitboard::EMPTY,
            turn: Color::White,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// What stands on a square.
    #[must_use]
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square]
    }

    /// Whose move it is.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The square a pawn has just jumped over, if a pawn of the side to move could take it
    /// there as far as geometry goes.
    #[must_use]
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move, as FEN counts them.
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the full move to come, from 1.
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The rooks of both sides that may still castle.
    #[must_use]
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The rook a side may still castle with on this side of its king.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color)?;
        (self.castling & self.color(color)).find(|rook| match side {
            CastlingSide::King => rook.file() > king.file(),
            CastlingSide::Queen => rook.file() < king.file(),
        })
    }

    /// All occupied squares.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        let [white, black] = self.colors;
        white | black
    }

    /// The squares of a colour's pieces.
    #[must_use]
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of both sides' pieces of a role.
    #[must_use]
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a role is 1 to 6")]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one kind of piece.
    #[must_use]
    #[inline]
    pub fn pieces(&self, role: Role, color: Color) -> Bitboard {
        self.role(role) & self.color(color)
    }

    /// The king's square, if the side has exactly one king.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(Role::King, color).single()
    }

    /// The same pieces on the same squares, the same side to move, castling and en passant:
    /// the same position to the rules, whatever the clocks say.
    #[must_use]
    pub fn same_position(&self, other: &Position) -> bool {
        self.mailbox == other.mailbox
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }

    /// Puts a piece on a square, or empties it. Castling rights of that square lapse.
    #[inline]
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.mailbox[square] {
            self.flip(Bitboard::of(square), old);
        }
        if let Some(new) = piece {
            self.flip(Bitboard::of(square), new);
        }
        self.mailbox[square] = piece;
        self.castling &= !Bitboard::of(square);
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// Sets the en passant square; meaningful only on the sixth rank of the side to move.
    pub fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square;
    }

    /// Sets the two counters of a FEN.
    pub fn set_clocks(&mut self, halfmove_clock: u16, fullmove_number: u16) {
        self.halfmove_clock = halfmove_clock;
        self.fullmove_number = fullmove_number;
    }

    /// Lets the king castle with this rook, if a rook stands there, on its own back rank, in line
    /// with its only king. Says whether it does.
    pub fn allow_castling(&mut self, rook: Square) -> bool {
        let Some(piece) = self.mailbox[rook] else { return false };
        let rank = piece.color().back_rank();
        let king = self.pieces(Role::King, piece.color());
        let sound = piece.role() == Role::Rook
            && rook.rank() == rank
            && king.single().is_some_and(|king| king.rank() == rank);
        if sound {
            self.castling |= Bitboard::of(rook);
        }
        sound
    }

    /// Takes all castling rights away.
    pub fn forbid_castling(&mut self) {
        self.castling = Bitboard::EMPTY;
    }

    /// Whether a move is castling here: a king moving onto a rook of its own colour.
    #[must_use]
    #[inline]
    pub fn castling_side(&self, m: Move) -> Option<CastlingSide> {
        let king = self.mailbox[m.from()]?;
        let rook = self.mailbox[m.to()]?;
        if king.role() != Role::King
            || rook.role() != Role::Rook
            || king.color() != rook.color()
            || m.is_null()
        {
            return None;
        }
        Some(if m.to().file() > m.from().file() { CastlingSide::King } else { CastlingSide::Queen })
    }

    /// Plays a move, whatever it is worth by the rules, and passes the turn.
    ///
    /// The piece on the origin goes to the target and takes what stands there; a king that moves
    /// onto its own rook castles; a pawn that goes diagonally to an empty square takes the enemy
    /// pawn beside it; a promotion is made wherever the move says so. The null move, and a move
    /// from an empty square, only pass.
    // Once a ply in every reader and writer.
    #[inline(always)]
    pub fn apply(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.mailbox[from].filter(|_| from != to) else {
            return self.pass();
        };
        let (role, color) = (piece.role(), piece.color());
        self.en_passant = None;
        let captured = self.mailbox[to];
        let mut irreversible = false;

        if let Some(taken) = captured {
            if role == Role::King && taken == Piece::new(Role::Rook, color) {
                self.castle(color, from, to);
                return self.end_move(false);
            }
            self.flip(Bitboard::of(to), taken);
            irreversible = true;
        }

        let placed = match m.promotion() {
            Some(promotion) => {
                let placed = Piece::new(promotion, color);
                self.flip(Bitboard::of(from), piece);
                self.flip(Bitboard::of(to), placed);
                placed
            }
            None => {
                self.flip(Bitboard::of(from) | Bitboard::of(to), piece);
                piece
            }
        };
        self.mailbox[from] = None;
        self.mailbox[to] = Some(placed);
        self.castling &= !(Bitboard::of(from) | Bitboard::of(to));

        match role {
            Role::Pawn => {
                irreversible = true;
                self.pawn_aftermath(color, from, to, captured.is_some());
            }
            Role::King => self.castling &= !self.color(color),
            _ => {}
        }
        self.end_move(irreversible);
    }

    /// [`apply`](Position::apply) for readers to whom each move comes as a surprise.
    ///
    /// Where a text names the piece, the processor knows what to do before it knows the square.
    /// Where both come late and at once, it would guess, and lose more by it than all of this
    /// takes: only what is rare is left to branches.
    #[inline(always)]
    pub fn apply_unforeseen(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let taken = target & self.occupied();
        let aside = (from.file() != to.file()) & taken.is_empty();
        let jump = from.index().abs_diff(to.index()) == 16;
        let special = (origin & self.role(Role::Pawn)).only_if(aside | jump)
            | target & self.color(self.turn)
            | origin & !self.color(self.turn);
        let (Some(piece), None, true) = (self.mailbox[from], m.promotion(), special.is_empty())
        else {
            return self.apply_rare(m);
        };
        self.en_passant = None;
        // Nothing is flipped where nothing is taken, and that far from what moves.
        self.flip(taken, self.mailbox[to].unwrap_or(Piece::new(Role::King, !self.turn)));
        self.flip(origin | target, piece);
        self.mailbox[from] = None;
        self.mailbox[to] = Some(piece);
        let king = piece.role() == Role::King;
        let rooks = select_unpredictable(king, self.color(self.turn), Bitboard::EMPTY);
        self.castling &= !(origin | target | rooks);
        let clock = self.halfmove_clock.saturating_add(1);
        let irreversible = (piece.role() == Role::Pawn) | taken.has_any();
        self.halfmove_clock = select_unpredictable(irreversible, 0, clock);
        self.end_turn();
    }

    #[cold]
    #[inline(never)]
    fn apply_rare(&mut self, m: Move) {
        self.apply(m);
    }

    /// Passes the turn without a move.
    pub fn pass(&mut self) {
        self.en_passant = None;
        self.end_move(false);
    }

    #[inline]
    fn end_move(&mut self, irreversible: bool) {
        self.halfmove_clock = if irreversible { 0 } else { self.halfmove_clock.saturating_add(1) };
        self.end_turn();
    }

    #[inline]
    fn end_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(self.turn as u16);
        self.turn = !self.turn;
    }

    /// What a pawn move does beyond moving: removes the pawn taken in passing, or offers itself.
    #[inline]
    fn pawn_aftermath(&mut self, color: Color, from: Square, to: Square, captured: bool) {
        if from.file() != to.file() {
            if !captured {
                let beside = to.with_rank(from.rank());
                if self.mailbox[beside] == Some(Piece::new(Role::Pawn, !color)) {
                    self.set(beside, None);
                }
            }
        } else if from.index().abs_diff(to.index()) == 16
            && from.rank() == color.back_rank().abs_diff(1)
        {
            let middle = u8::midpoint(from.index(), to.index());
            self.offer_en_passant(color, Square::from_low_bits(middle));
        }
    }

    /// Notes the jumped-over square if an enemy pawn stands ready to take there.
    fn offer_en_passant(&mut self, jumper: Color, square: Square) {
        let takers = pawn_attacks(jumper, square) & self.pieces(Role::Pawn, !jumper);
        if takers.has_any() {
            self.en_passant = Some(square);
        }
    }

    fn castle(&mut self, color: Color, king: Square, rook: Square) {
        let side = if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
        let rank = king.index() & 56;
        let king_to = Square::from_low_bits(rank | side.king_file());
        let rook_to = Square::from_low_bits(rank | side.rook_file());
        self.set(king, None);
        self.set(rook, None);
        self.set(king_to, Some(Piece::new(Role::King, color)));
        self.set(rook_to, Some(Piece::new(Role::Rook, color)));
        self.castling &= !self.color(color);
    }

    /// Adds a piece to the bitboards, takes it out, or both at once when it moves.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, three bits are below 8")]
    fn flip(&mut self, squares: Bitboard, piece: Piece) {
        self.colors[piece.color() as usize] ^= squares;
        self.roles[piece.bits() & 7] ^= squares;
    }
}
