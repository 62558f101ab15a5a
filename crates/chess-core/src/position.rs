//! The board with castling rights, en passant square and clocks.

use core::hash::{Hash, Hasher};
use core::hint::select_unpredictable;

use crate::bitboard::{Bitboard, pawn_attacks};
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::sets::PieceSets;
use crate::square::{PerSquare, Square};

/// A chess position: a mailbox board and bitboards, castling rights, en passant square and clocks.
///
/// [`apply`](Position::apply) plays any move without checking it, because old files contain illegal
/// moves, boards without kings, and ten queens. [`is_legal`](Position::is_legal) checks a move.
/// There is no undo: copy the position instead.
///
/// Positions are equal if all fields of their FENs are equal, including the clocks. Equal positions
/// have equal hashes. To count positions regardless of the clocks, use
/// [`without_clocks`](Position::without_clocks).
#[derive(Clone, Copy, Debug)]
pub struct Position {
    mailbox: PerSquare<Option<Piece>>,
    sets: PieceSets,
    /// The rooks that have castling rights.
    castling: Bitboard,
    turn: Color,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// The start position, computed at compile time. Every game begins with a copy of it.
const START: Position = Position {
    mailbox: start_mailbox(),
    sets: PieceSets::START,
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

impl PartialEq for Position {
    /// Compares board, side to move, castling rights, en passant square and clocks.
    fn eq(&self, other: &Position) -> bool {
        self.is_alike(other)
            && self.en_passant == other.en_passant
            && self.halfmove_clock == other.halfmove_clock
            && self.fullmove_number == other.fullmove_number
    }
}

impl Eq for Position {}

impl Hash for Position {
    /// The bitboards have the same information as the 64 squares, in a ninth of the words.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.sets, self.castling).hash(state);
        (self.turn, self.en_passant, self.halfmove_clock, self.fullmove_number).hash(state);
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl Position {
    /// Returns the start position of standard chess.
    #[must_use]
    pub fn start() -> Position {
        START
    }

    /// Returns a board without pieces, with White to move at move 1.
    #[must_use]
    pub fn empty() -> Position {
        Position {
            mailbox: PerSquare([None; 64]),
            sets: PieceSets::EMPTY,
            castling: Bitboard::EMPTY,
            turn: Color::White,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Returns the piece on a square.
    #[must_use]
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square]
    }

    /// Returns the side to move.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the square that a pawn has just jumped over, if a pawn of the side to move could
    /// capture there. Pins are not considered.
    #[must_use]
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the number of plies since the last capture or pawn move, as in a FEN.
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Returns the number of the next full move, from 1.
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Returns the rooks of both sides that have castling rights.
    #[must_use]
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// Returns the rook with which a side may still castle on this side of its king.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color)?;
        self.rooks_in_line(king, color).find(|rook| CastlingSide::of(king, *rook) == side)
    }

    /// Returns the rooks with which a king may castle. The king may have been moved by
    /// [`set`](Position::set) since.
    pub(crate) fn rooks_in_line(&self, king: Square, color: Color) -> Bitboard {
        self.castling & self.color(color) & Bitboard::rank(king.rank())
    }

    /// Returns the rook nearest to the edge of the board on one side of a king on its back rank,
    /// with or without castling rights. This is the rook that `K` and `Q` denote in a FEN.
    #[must_use]
    pub fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color).filter(|king| king.rank() == color.back_rank())?;
        let rooks = self.pieces(Role::Rook, color) & Bitboard::rank(color.back_rank());
        let rook = match side {
            CastlingSide::King => rooks.last(),
            CastlingSide::Queen => rooks.first(),
        };
        rook.filter(|rook| CastlingSide::of(king, *rook) == side)
    }

    /// Returns whether a side may castle as in standard chess, with the king on the e-file and the
    /// rook in the corner.
    #[must_use]
    pub fn may_castle_from_home(&self, color: Color, side: CastlingSide) -> bool {
        self.king(color) == Some(color.king_home())
            && self.castling_rook(color, side) == Some(side.corner(color))
    }

    /// Returns whether a side has castling rights that only Chess960 allows, with the king off the
    /// e-file or the rook outside the corners. See
    /// [`stray_castling_rooks`](Position::stray_castling_rooks).
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.stray_castling_rooks().has_any()
    }

    /// Removes the castling rights that only Chess960 allows.
    pub(crate) fn forbid_stray_castling(&mut self) {
        self.castling &= !self.stray_castling_rooks();
    }

    /// Returns the pieces as bitboards.
    #[must_use]
    #[inline]
    pub fn piece_sets(&self) -> &PieceSets {
        &self.sets
    }

    /// Returns all occupied squares.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sets.occupied()
    }

    /// Returns the squares of the pieces of a colour.
    #[must_use]
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.sets.color(color)
    }

    /// Returns the squares of the pieces of a role, of both sides.
    #[must_use]
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.sets.role(role)
    }

    /// Returns the squares of one kind of piece.
    #[must_use]
    #[inline]
    pub fn pieces(&self, role: Role, color: Color) -> Bitboard {
        self.role(role) & self.color(color)
    }

    /// Returns the pawns of both sides on the rank where they start: White's on the second, Black's on
    /// the seventh.
    ///
    /// A pawn never returns, so a later position of the game has home pawns only on these squares.
    #[must_use]
    #[inline]
    pub fn home_pawns(&self) -> Bitboard {
        let of = |color: Color| self.pieces(Role::Pawn, color) & Bitboard::rank(color.pawn_rank());
        of(Color::White) | of(Color::Black)
    }

    /// Returns the square of the king, if the side has exactly one king.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.sets.king(color)
    }

    /// Returns whether two positions are the same by the rules, regardless of the clocks. They have
    /// the same pieces on the same squares, side to move, castling rights and en passant capture.
    /// An en passant square where no capture is [legal](Position::legal_en_passant) is ignored.
    #[must_use]
    pub fn same_position(&self, other: &Position) -> bool {
        self.is_alike(other)
            && (self.en_passant == other.en_passant
                || self.legal_en_passant() == other.legal_en_passant())
    }

    fn is_alike(&self, other: &Position) -> bool {
        self.sets == other.sets && self.turn == other.turn && self.castling == other.castling
    }

    /// Returns this position with the clocks of the start of a game, and without an en passant
    /// square where no capture is legal. Then positions that are the
    /// [same](Position::same_position) are equal and have equal hashes.
    #[must_use]
    pub fn without_clocks(mut self) -> Position {
        self.en_passant = self.legal_en_passant();
        self.set_clocks(0, 1);
        self
    }

    /// Puts a piece on a square, or empties it. A rook that was there loses its castling right.
    #[inline]
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.mailbox[square] {
            self.sets.flip(Bitboard::of(square), old);
        }
        if let Some(new) = piece {
            self.sets.flip(Bitboard::of(square), new);
        }
        self.mailbox[square] = piece;
        self.castling &= !Bitboard::of(square);
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// Sets the en passant square. It is meaningful only on the sixth rank of the side to move.
    pub fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square;
    }

    /// Sets the two counters of a FEN. Full moves are counted from 1, so 0 becomes 1.
    pub fn set_clocks(&mut self, halfmove_clock: u16, fullmove_number: u16) {
        self.halfmove_clock = halfmove_clock;
        self.fullmove_number = fullmove_number.max(1);
    }

    /// Adds the castling right of a rook. The square must hold a rook on its own back rank, which
    /// the only king of its side shares. Returns whether the right was added.
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

    /// Adds a castling right of standard chess. The only king of the side must be on the e-file of
    /// its back rank, and a rook in the corner. Returns whether the right was added.
    pub fn allow_castling_from_home(&mut self, color: Color, side: CastlingSide) -> bool {
        let rook = side.corner(color);
        self.king(color) == Some(color.king_home())
            && self.color(color).contains(rook)
            && self.allow_castling(rook)
    }

    /// Removes all castling rights.
    pub fn forbid_castling(&mut self) {
        self.castling = Bitboard::EMPTY;
    }

    /// Returns the side of castling, if the move is castling here: a king moves onto a rook of its
    /// own colour.
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
        Some(CastlingSide::of(m.from(), m.to()))
    }

    /// Plays a move without checking it, and passes the turn.
    ///
    /// The piece on the origin moves to the target and captures the piece there. A king that moves
    /// onto its own rook castles. A pawn that moves diagonally to an empty square captures the
    /// enemy pawn beside it. A promotion is made on any rank. The null move, and a move from an
    /// empty square, only pass the turn.
    // Hot path: called for every ply by readers and writers. Rare cases are outlined.
    #[inline(always)]
    pub fn apply(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.mailbox[from].filter(|_| from != to) else {
            return self.pass();
        };
        let (role, color) = (piece.role(), piece.color());
        let captured = self.mailbox[to];
        if role == Role::King && captured == Some(Piece::new(Role::Rook, color)) {
            self.castle(color, from, to);
            return self.pass();
        }
        self.apply_plain(piece, from, to);
        if role == Role::Pawn && captured.is_none() && from.file() != to.file() {
            self.take_beside(color, from, to);
        }
        if let Some(role) = m.promotion() {
            self.promote(to, Piece::new(role, color));
        }
    }

    /// Like [`apply`](Position::apply), for a caller that has checked these conditions: `piece` is
    /// on `from`, `from` and `to` differ, and the move is not castling, en passant or a promotion.
    /// The move captures the piece on `to`, if there is one.
    #[inline(always)] // once a ply
    pub fn apply_plain(&mut self, piece: Piece, from: Square, to: Square) {
        let captured = self.mailbox[to];
        if let Some(taken) = captured {
            self.sets.flip(Bitboard::of(to), taken);
        }
        self.shift(piece, from, to);
        let mut irreversible = captured.is_some();
        match piece.role() {
            Role::Pawn => {
                irreversible = true;
                if from.index().abs_diff(to.index()) == 16 {
                    self.jump(piece.color(), from, to);
                }
            }
            Role::King => self.castling &= !self.color(piece.color()),
            _ => {}
        }
        self.end_move(irreversible);
    }

    /// Like [`apply`](Position::apply), but faster in readers that cannot predict which piece
    /// moves.
    ///
    /// A mispredicted branch costs time. This method plays most moves without a branch. If a text
    /// names the piece first, the branches are predicted well, and `apply` is faster.
    #[inline(always)]
    pub fn apply_unforeseen(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let aside = (from.file() != to.file()) & !self.occupied().contains(to);
        let jump = from.index().abs_diff(to.index()) == 16;
        let special = (origin & self.role(Role::Pawn)).only_if(aside | jump)
            | target & self.color(self.turn)
            | origin & !self.color(self.turn);
        let (Some(piece), None, true) = (self.mailbox[from], m.promotion(), special.is_empty())
        else {
            return self.apply_special(m);
        };
        // Without a capture no bit is flipped, so any piece can be used.
        let taken = target & self.occupied();
        self.sets.flip(taken, self.mailbox[to].unwrap_or(Piece::new(Role::King, !self.turn)));
        self.shift(piece, from, to);
        let king = piece.role() == Role::King;
        let rooks = select_unpredictable(king, self.color(self.turn), Bitboard::EMPTY);
        self.castling &= !rooks;
        let irreversible = (piece.role() == Role::Pawn) | taken.has_any();
        let clock = self.halfmove_clock.saturating_add(1);
        self.halfmove_clock = select_unpredictable(irreversible, 0, clock);
        self.end_turn();
    }

    #[cold]
    #[inline(never)]
    fn promote(&mut self, square: Square, piece: Piece) {
        self.set(square, Some(piece));
    }

    #[cold]
    #[inline(never)]
    fn apply_special(&mut self, m: Move) {
        self.apply(m);
    }

    /// Moves a piece. A piece on the target must already be off the bitboards.
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let squares = Bitboard::of(from) | Bitboard::of(to);
        self.sets.flip(squares, piece);
        self.mailbox[from] = None;
        self.mailbox[to] = Some(piece);
        self.castling &= !squares;
        self.en_passant = None;
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

    /// En passant: a pawn that moves diagonally to an empty square captures the enemy pawn beside
    /// it.
    fn take_beside(&mut self, color: Color, from: Square, to: Square) {
        let beside = to.with_rank(from.rank());
        if self.mailbox[beside] == Some(Piece::new(Role::Pawn, !color)) {
            self.set(beside, None);
        }
    }

    /// Sets the en passant square after a double step.
    #[inline]
    fn jump(&mut self, color: Color, from: Square, to: Square) {
        if from.rank() == color.pawn_rank() {
            let middle = u8::midpoint(from.index(), to.index());
            self.offer_en_passant(color, Square::from_low_bits(middle));
        }
    }

    /// Sets the square that was jumped over, if an enemy pawn can capture there.
    fn offer_en_passant(&mut self, jumper: Color, square: Square) {
        let takers = pawn_attacks(jumper, square) & self.pieces(Role::Pawn, !jumper);
        if takers.has_any() {
            self.en_passant = Some(square);
        }
    }

    fn castle(&mut self, color: Color, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let rank = king.index() & 56;
        let king_to = Square::from_low_bits(rank | side.king_file());
        let rook_to = Square::from_low_bits(rank | side.rook_file());
        self.set(king, None);
        self.set(rook, None);
        self.set(king_to, Some(Piece::new(Role::King, color)));
        self.set(rook_to, Some(Piece::new(Role::Rook, color)));
        self.castling &= !self.color(color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::format;

    #[test]
    fn home_pawns_are_those_of_each_side_on_its_own_rank() {
        let of = |fen: &str| Position::from_fen(fen).unwrap().home_pawns();
        assert_eq!(Position::start().home_pawns(), Bitboard::rank(1) | Bitboard::rank(6));
        let [b2, h7] = [1 << 9, 1 << 55];
        assert_eq!(of("4k3/P6p/8/8/8/8/pP6/4K3 w - - 0 1"), Bitboard(b2 | h7));
    }

    #[test]
    fn is_chess960_needs_stray_castling_right() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", false),
            // A Chess960 start position without castling rights.
            ("1r2k1r1/8/8/8/8/8/8/1R1K3R w - - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/1R2K2R w Bkq - 0 1", true),
            ("r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
            ("rr2k2r/8/8/8/8/8/8/RR2K1RR w GBkq - 0 1", true),
            // Unusable rights are ignored.
            ("r2kk2r/8/8/8/8/8/8/1R5R w BHah - 0 1", false),
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().is_chess960(), expected, "{fen}");
        }
    }

    /// Illegal moves can lead to no king or several kings. The castling rights stay, but appear in no
    /// FEN and allow no move.
    #[test]
    fn is_chess960_right_without_king_is_false() {
        let start = Position::from_fen("1r2k2r/P7/8/8/8/8/8/1R2K2R w BHbh - 0 1").unwrap();
        assert!(start.is_chess960());
        let mut crowned = start;
        crowned.apply(Move::promoting(Square::A7, Square::A8, Role::King));
        crowned.apply("e8d8".parse().unwrap());
        assert_eq!(crowned.king(Color::White), None);
        assert!(crowned.castling_rooks().contains(Square::B1));
        assert!(!crowned.is_chess960());
        assert!(!Position::from_fen(&crowned.to_fen()).unwrap().is_chess960());
        let mut moved = start;
        moved.set(Square::E1, None);
        moved.set(Square::E2, Some(Piece::new(Role::King, Color::White)));
        assert_eq!(moved.castling_rook(Color::White, CastlingSide::King), None);
        assert!(!moved.is_legal(Move::new(Square::E2, Square::H1)));
        let mut taken = start;
        taken.apply("h1e8".parse().unwrap());
        taken.apply("b8e1".parse().unwrap());
        assert_eq!((taken.king(Color::White), taken.king(Color::Black)), (None, None));
        assert!(taken.castling_rooks().has_any() && !taken.is_chess960());
    }

    #[test]
    fn hash_of_equal_positions_is_equal() {
        extern crate std;
        use core::hash::BuildHasher as _;
        let hasher = std::hash::RandomState::new();
        let after = |moves: &str| {
            let mut position = Position::start();
            moves.split(' ').for_each(|m| position.apply(m.parse().unwrap()));
            position
        };
        let one = after("g1f3 g8f6 d2d4 d7d5");
        let other = after("d2d4 d7d5 g1f3 g8f6");
        assert!(one != other && one.same_position(&other), "the clock counts from another move");
        assert_eq!(one.without_clocks(), other.without_clocks());
        let hash = |position: &Position| hasher.hash_one(position);
        assert_eq!(hash(&one.without_clocks()), hash(&other.without_clocks()));
        assert_ne!(hash(&one), hash(&other));
    }

    /// Some programs set the square after every double step, some only if a pawn can capture there,
    /// and some only if the capture is legal.
    #[test]
    fn same_position_ignores_illegal_en_passant() {
        for (fen, square, counts) in [
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq", "e3", false),
            ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq", "e3", true),
            // The pawn is pinned along the file, or along the rank that both pawns leave.
            ("3rk3/8/8/8/3pP3/8/8/3RK3 b -", "e3", true),
            ("3k4/8/8/8/3pP3/8/8/3RK3 b -", "e3", false),
            ("8/8/8/8/k2pP2R/8/8/4K3 b -", "e3", false),
            // There was no double step.
            ("4k3/8/8/8/3p4/8/8/4K3 b -", "e3", false),
        ] {
            let read = |square: &str| Position::from_fen(&format!("{fen} {square} 3 9")).unwrap();
            let (with, without) = (read(square), read("-"));
            assert_eq!(with.legal_en_passant().is_some(), counts, "{fen}");
            assert_eq!(with.same_position(&without), !counts, "{fen}");
            assert_eq!(with.without_clocks() == without.without_clocks(), !counts, "{fen}");
        }
    }

    #[test]
    fn castling_from_home_needs_king_and_rook_at_home() {
        let rights = |position: &Position| {
            let mut rights = [false; 4];
            for (right, (color, side)) in rights.iter_mut().zip([
                (Color::White, CastlingSide::King),
                (Color::White, CastlingSide::Queen),
                (Color::Black, CastlingSide::King),
                (Color::Black, CastlingSide::Queen),
            ]) {
                *right = position.may_castle_from_home(color, side);
                let mut again = *position;
                again.forbid_castling();
                assert_eq!(again.allow_castling_from_home(color, side) && *right, *right);
            }
            rights
        };
        for (fen, expected) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", [true, false, false, true]),
            ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", [false, false, true, true]),
            ("r3k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", [false, false, true, true]),
        ] {
            assert_eq!(rights(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
        let mut without_king = Position::start();
        without_king.set(Square::E1, None);
        assert!(!without_king.allow_castling_from_home(Color::White, CastlingSide::King));
    }
}
