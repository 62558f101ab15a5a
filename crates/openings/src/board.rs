//! A board that follows a game from the usual start position and knows the fingerprint of each position.

use chess_core::{Bitboard, CastlingSide, Color, Move, PerSquare, Piece, Position, Role, Square};

use crate::fingerprint::{OF_CASTLING, OF_EN_PASSANT, OF_TURN, difference, of_piece, sum};
use crate::{HOME_PAWNS, MAX_PIECES};

/// The content of a square: 0 if it is empty, else the role, and [`BLACK`] for a black piece.
type Cell = u8;

const EMPTY: Cell = 0;
const BLACK: Cell = 8;
const PAWN: Cell = cell(Role::Pawn, Color::White);
const ROOK: Cell = cell(Role::Rook, Color::White);
const KING: Cell = cell(Role::King, Color::White);

const fn cell(role: Role, color: Color) -> Cell {
    role as u8 | (color as u8) << 3
}

#[inline]
const fn color_of(cell: Cell) -> Color {
    if cell & BLACK == 0 { Color::White } else { Color::Black }
}

/// The board of the usual start position, computed at compile time.
static START: Board = Board::of_start();

/// The pieces and the state of a position. Holds no clocks.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    cells: PerSquare<Cell>,
    castling: Bitboard,
    /// The fingerprint without the en passant capture.
    sum: u64,
    home_pawns: Bitboard,
    /// The number of pieces.
    pieces: u32,
    turn: Color,
    /// The target of a legal en passant capture.
    en_passant: Option<Square>,
}

impl Board {
    /// Returns the usual start position.
    pub(crate) fn start() -> Board {
        START.clone()
    }

    /// Returns the [fingerprint](crate::fingerprint) of the position.
    #[inline]
    pub(crate) fn fingerprint(&self) -> u64 {
        match self.en_passant {
            Some(square) => sum(self.sum, OF_EN_PASSANT[square]),
            None => self.sum,
        }
    }

    /// Returns the pawns that have not moved.
    pub(crate) fn home_pawns(&self) -> Bitboard {
        self.home_pawns
    }

    /// Returns the number of pieces.
    pub(crate) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Plays a move like [`Position::apply`]. Returns `false` and changes nothing if the move is a promotion,
    /// en passant, the null move, or a kind of illegal move.
    // Inlined, it would take the registers of its caller.
    #[inline(never)]
    pub(crate) fn play(&mut self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let (cell, taken) = (self.cells[from], self.cells[to]);
        if from == to || m.promotion().is_some() {
            return false;
        }
        match cell & !BLACK {
            EMPTY => false,
            PAWN => self.play_pawn(from, to, cell),
            KING => self.play_king(from, to, cell),
            _ => {
                self.shift(from, to, cell, taken);
                true
            }
        }
    }

    #[inline]
    fn play_pawn(&mut self, from: Square, to: Square, cell: Cell) -> bool {
        let (color, taken) = (color_of(cell), self.cells[to]);
        let aside = from.file() != to.file();
        if aside && taken == EMPTY || to.rank() == color.pawn_rank() {
            return false;
        }
        self.home_pawns &= !Bitboard::of(from);
        self.shift(from, to, cell, taken);
        if from.rank() == color.pawn_rank() && from.index().abs_diff(to.index()) == 16 {
            let taker = cell ^ BLACK;
            let beside = [to.offset(-1, 0), to.offset(1, 0)];
            if beside.into_iter().flatten().any(|square| self.cells[square] == taker) {
                self.offer_en_passant(u8::midpoint(from.index(), to.index()));
            }
        }
        true
    }

    #[inline(never)]
    fn play_king(&mut self, from: Square, to: Square, cell: Cell) -> bool {
        let (color, taken) = (color_of(cell), self.cells[to]);
        if taken == cell ^ KING ^ ROOK {
            return self.castle(from, to, color);
        }
        self.forbid_castling(Bitboard::rank(color.back_rank()));
        self.shift(from, to, cell, taken);
        true
    }

    /// Castles to empty squares. Returns `false` if they are not.
    fn castle(&mut self, king: Square, rook: Square, color: Color) -> bool {
        let side = CastlingSide::of(king, rook);
        let of_rank = |file| Square::at(file, king.rank());
        let (Some(king_to), Some(rook_to)) = (of_rank(side.king_file()), of_rank(side.rook_file()))
        else {
            return false;
        };
        if (self.cells[king_to], self.cells[rook_to]) != (EMPTY, EMPTY) {
            return false;
        }
        self.forbid_castling(Bitboard::rank(color.back_rank()));
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            self.cells[from] = EMPTY;
            self.cells[to] = cell(role, color);
            let of_piece = of_cell(cell(role, color));
            self.sum = sum(difference(self.sum, of_piece[from]), of_piece[to]);
        }
        self.end_move();
        true
    }

    /// Moves a piece from its square to another one, which may have a piece.
    #[inline(always)]
    fn shift(&mut self, from: Square, to: Square, cell: Cell, taken: Cell) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        if (self.castling & both).has_any() {
            self.forbid_castling(both);
        }
        let of_piece = of_cell(cell);
        let mut all = sum(difference(self.sum, of_piece[from]), of_piece[to]);
        if taken != EMPTY {
            all = difference(all, of_cell(taken)[to]);
            self.pieces = self.pieces.wrapping_sub(1);
            self.home_pawns &= !Bitboard::of(to);
        }
        self.sum = all;
        (self.cells[from], self.cells[to]) = (EMPTY, cell);
        self.end_move();
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    fn end_move(&mut self) {
        self.sum = sum(self.sum, OF_TURN[self.turn as usize & 1]);
        self.turn = !self.turn;
        self.en_passant = None;
    }

    #[cold]
    fn offer_en_passant(&mut self, passed: u8) {
        let mut position = self.position();
        position.set_en_passant(Square::new(passed));
        self.en_passant = position.legal_en_passant();
    }

    #[cold]
    fn forbid_castling(&mut self, squares: Bitboard) {
        for rook in self.castling & squares {
            self.sum = difference(self.sum, OF_CASTLING[rook]);
        }
        self.castling &= !squares;
    }

    /// Returns the position, with clocks as at the start of a game.
    pub(crate) fn position(&self) -> Position {
        let mut position = Position::empty();
        for square in Square::all() {
            let cell = self.cells[square];
            let role = Role::ALL.into_iter().find(|role| *role as u8 == cell & !BLACK);
            position.set(square, role.map(|role| Piece::new(role, color_of(cell))));
        }
        position.set_turn(self.turn);
        for rook in self.castling {
            position.allow_castling(rook);
        }
        position.set_en_passant(self.en_passant);
        position
    }

    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "computed when compiling, which fails on any of these"
    )]
    const fn of_start() -> Board {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let officers = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        let mut cells = [EMPTY; 64];
        let mut all = 0;
        let mut square = 0;
        while square < cells.len() {
            cells[square] = match square / 8 {
                0 => cell(officers[square % 8], Color::White),
                1 => cell(Pawn, Color::White),
                6 => cell(Pawn, Color::Black),
                7 => cell(officers[square % 8], Color::Black),
                _ => EMPTY,
            };
            all = sum(all, OF_CELLS[cells[square] as usize].0[square]);
            square += 1;
        }
        let corners = [0, 7, 56, 63];
        let (mut castling, mut corner) = (0, 0);
        while corner < corners.len() {
            castling |= 1 << corners[corner];
            all = sum(all, OF_CASTLING.0[corners[corner]]);
            corner += 1;
        }
        Board {
            cells: PerSquare(cells),
            castling: Bitboard(castling),
            sum: all,
            home_pawns: HOME_PAWNS,
            pieces: MAX_PIECES,
            turn: Color::White,
            en_passant: None,
        }
    }
}

/// By cell and square: what a piece adds to a fingerprint. An empty square adds nothing.
static OF_CELLS: [PerSquare<u64>; 16] = of_cells();

#[allow(clippy::indexing_slicing, reason = "four bits are below 16")]
#[inline(always)]
fn of_cell(cell: Cell) -> &'static PerSquare<u64> {
    &OF_CELLS[usize::from(cell & 15)]
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "computed when compiling, which fails on any of these"
)]
const fn of_cells() -> [PerSquare<u64>; 16] {
    let mut all = [PerSquare([0; 64]); 16];
    let mut number = 0;
    while number < Role::ALL.len() {
        let role = Role::ALL[number];
        all[cell(role, Color::White) as usize] = of_piece(role, Color::White);
        all[cell(role, Color::Black) as usize] = of_piece(role, Color::Black);
        number += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::fingerprint;

    extern crate std;
    use std::vec::Vec;

    fn check(board: &Board, position: &Position) {
        let fen = position.to_fen();
        assert!(board.position().same_position(position), "{fen}");
        assert_eq!(board.fingerprint(), fingerprint(position), "{fen}");
        let irreversible = (board.home_pawns(), board.pieces());
        assert_eq!(irreversible, (position.home_pawns(), position.occupied().count()), "{fen}");
    }

    fn random(seed: &mut u64, below: usize) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(*seed >> 33).unwrap() % below
    }

    #[test]
    fn play_of_random_games_matches_position() {
        let (mut seed, mut played, mut refused, mut passed, mut castled) = (1, 0, 0, 0, 0);
        for _ in 0..300 {
            let (mut board, mut position) = (Board::start(), Position::start());
            check(&board, &position);
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Castling and moves of pawns more often than by chance.
                let wanted: Vec<Move> =
                    (0..3).map(|_| moves[random(&mut seed, moves.len())]).collect();
                let castling = moves.iter().find(|m| position.castling_side(**m).is_some());
                let pawn = |m: &&Move| position.role(Role::Pawn).contains(m.from());
                let m = *castling.or(wanted.iter().find(pawn)).unwrap_or(&wanted[0]);
                castled += usize::from(castling.is_some());
                position.apply(m);
                if board.play(m) {
                    played += 1;
                    passed += usize::from(position.legal_en_passant().is_some());
                    check(&board, &position);
                } else {
                    refused += 1;
                    break;
                }
            }
        }
        assert!(played > 10_000 && refused > 20 && passed > 100 && castled > 100);
    }

    #[test]
    fn play_any_move_matches_position_or_changes_nothing() {
        let (mut seed, mut played, mut refused) = (5, 0, 0);
        for _ in 0..2000 {
            let (mut board, mut position) = (Board::start(), Position::start());
            for _ in 0..30 {
                let [from, to] =
                    [(); 2].map(|()| Square::from_low_bits(random(&mut seed, 64) as u8));
                let m = if random(&mut seed, 40) == 0 {
                    Move::promoting(from, to, Role::Queen)
                } else {
                    Move::new(from, to)
                };
                if board.play(m) {
                    played += 1;
                    position.apply(m);
                } else {
                    refused += 1;
                }
                // Rights that are left over after a king was captured.
                if Color::ALL.into_iter().any(|color| position.king(color).is_none()) {
                    break;
                }
                check(&board, &position);
            }
        }
        assert!(played > 5_000 && refused > 5_000, "{played} {refused}");
    }
}
