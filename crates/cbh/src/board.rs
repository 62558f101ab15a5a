//! The board with the format's piece numbers.

use chess_core::{
    Bitboard, CastlingSide, Color, Move, PerSquare, Piece, PieceSets, Position, Role, Square,
    crossed,
};

use crate::moves::cell::Cell;
use crate::moves::numbers::{Slot, square_of};
use crate::moves::steps::{NO_SQUARE, PlainStep, Steps};
use crate::moves::threats::KingGuard;

/// Why a step could not be played as a plain step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StopReason {
    /// The code is not a plain step, or may not be one. The board is unchanged.
    Unusual,
    /// The move leaves the king in check. The board is no longer usable.
    IntoCheck(Move),
}

/// A run of consecutive plain steps.
struct Line<'a, S> {
    steps: S,
    /// The number of preceding moves, modulo 256.
    count: u8,
    bytes: &'a [u8],
    /// The decoded moves; the first `done` are valid.
    moves: &'a mut [Move],
    done: usize,
    state: LineState,
}

/// State that plain steps update besides the pieces. It is separate from the board so that it
/// stays in registers.
struct LineState {
    /// All occupied squares of the board.
    occupied: Bitboard,
    /// See [`Board::threats`].
    threats: [Bitboard; 2],
    /// The king guards by colour.
    guards: [KingGuard; 2],
}

/// The pieces with their numbers, and the state that the move rules need. Holds no clocks.
// cbh §4.5 "Numbers of pieces"
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    cells: PerSquare<Cell>,
    /// The squares of the numbered pieces by [`Cell::place`]; [`NO_SQUARE`] for pieces that are not
    /// on the board.
    squares: [u8; Cell::COUNT],
    sets: PieceSets,
    turn: Color,
    /// The rooks with castling rights in the start position.
    castling: Bitboard,
    last: Last,
    /// By colour of the king: the enemy pieces that would attack it on an empty board.
    threats: [Bitboard; 2],
}

/// The source of the en passant square.
#[derive(Clone, Copy, Debug)]
enum Last {
    /// The last move. It allows en passant if it was a double pawn step.
    Move(Move),
    /// The en passant square of the start position.
    Passed(Option<Square>),
}

/// The standard start position as a constant, because most games begin with a copy of it.
const START: Board = start();

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn start() -> Board {
    // The pieces from the a-file to the h-file.
    const OFFICERS: [Slot; 8] =
        [Slot(4), Slot(10), Slot(7), Slot::QUEENS, Slot::KING, Slot(8), Slot(11), Slot(5)];
    let mut cells = [Cell::EMPTY; 64];
    let mut squares = [NO_SQUARE; Cell::COUNT];
    let mut file = 0;
    while file < 8 {
        let pawn = Slot(Slot::PAWNS.0 + file as u8);
        let pieces = [
            (file, Cell::new(OFFICERS[file], Color::White)),
            (8 + file, Cell::new(pawn, Color::White)),
            (48 + file, Cell::new(pawn, Color::Black)),
            (56 + file, Cell::new(OFFICERS[file], Color::Black)),
        ];
        let mut piece = 0;
        while piece < 4 {
            let (square, cell) = pieces[piece];
            cells[square] = cell;
            squares[cell.place()] = square as u8;
            piece += 1;
        }
        file += 1;
    }
    Board {
        cells: PerSquare(cells),
        squares,
        sets: PieceSets::START,
        turn: Color::White,
        castling: Bitboard(0x8100_0000_0000_0081),
        last: Last::Passed(None),
        threats: [Bitboard::EMPTY; 2],
    }
}

impl Board {
    /// Numbers the pieces of a start position file by file, and within a file from the first rank.
    pub(crate) fn new(position: &Position) -> Board {
        if *position == Position::start() {
            return START;
        }
        Board::numbered(position)
    }

    fn numbered(position: &Position) -> Board {
        let mut board = Board {
            cells: PerSquare([Cell::EMPTY; 64]),
            squares: [NO_SQUARE; Cell::COUNT],
            sets: PieceSets::EMPTY,
            turn: position.turn(),
            castling: position.castling_rooks(),
            last: Last::Passed(position.en_passant()),
            threats: [Bitboard::EMPTY; 2],
        };
        for number in 0..64 {
            let square = square_of(number);
            if let Some(piece) = position.piece_at(square) {
                board.add(piece, square);
            }
        }
        board.find_threats();
        board
    }

    fn find_threats(&mut self) {
        self.threats = Color::ALL.map(|color| self.threats_to(color));
    }

    /// Returns the enemy pieces that would attack the king of `color` on an empty board. Empty
    /// unless the side has exactly one king.
    fn threats_to(&self, color: Color) -> Bitboard {
        let king = self.sets.king(color);
        king.map_or(Bitboard::EMPTY, |king| self.sets.aligned(king, !color))
    }

    #[inline]
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the piece on a square.
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let cell = self.cells[square];
        if cell.is_empty() { None } else { Some(cell.piece()) }
    }

    /// Returns the slot of the piece on a square.
    #[inline]
    pub(crate) fn slot(&self, square: Square) -> Slot {
        self.cells[square].slot()
    }

    /// Returns the square of a numbered piece of the side to move.
    #[inline]
    pub(crate) fn square(&self, slot: Slot) -> Option<Square> {
        Square::new(self.square_in(Cell::new(slot, self.turn)))
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a place is below 64")]
    fn square_in(&self, cell: Cell) -> u8 {
        self.squares[cell.place()]
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a place is below 64")]
    fn put(&mut self, cell: Cell, square: Square) {
        self.cells[square] = cell;
        self.squares[cell.place()] = square.index();
    }

    /// Returns the side of castling if `m` is a king move onto a rook of its own colour.
    pub(crate) fn castling_side(&self, m: Move) -> Option<CastlingSide> {
        let (king, rook) = (self.piece_at(m.from())?, self.piece_at(m.to())?);
        let castles = king.role() == Role::King
            && rook == Piece::new(Role::Rook, king.color())
            && !m.is_null();
        castles.then(|| CastlingSide::of(m.from(), m.to()))
    }

    /// Returns the position. Its clocks have their values at the start of a game.
    pub(crate) fn position(&self) -> Position {
        let mut position = Position::empty();
        for square in self.sets.occupied() {
            position.set(square, self.piece_at(square));
        }
        position.set_turn(self.turn);
        for color in Color::ALL {
            for rook in self.rooks_to_castle(color) {
                position.allow_castling(rook);
            }
        }
        position.set_en_passant(self.passed());
        position
    }

    /// Returns the rooks that `color` may still castle with. The caller checks that the
    /// king is on the same rank.
    fn rooks_to_castle(&self, color: Color) -> Bitboard {
        match self.sets.king(color) {
            Some(king) if !self.cells[king].is_moved() => {
                let rooks = self.castling & self.sets.color(color);
                let moved = { rooks }.filter(|rook| self.cells[*rook].is_moved());
                moved.fold(rooks, |rooks, moved| rooks & !Bitboard::of(moved))
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// Returns castling to one side if the side to move still has the right, and whether it is
    /// legal now.
    pub(crate) fn castling(&self, side: CastlingSide) -> Option<(Move, bool)> {
        let king = self.sets.king(self.turn)?;
        let mut rooks = self.rooks_to_castle(self.turn) & Bitboard::rank(king.rank());
        let rook = rooks.find(|rook| CastlingSide::of(king, *rook) == side)?;
        Some((Move::new(king, rook), self.sets.may_castle(self.turn, king, rook, side)))
    }

    /// Returns the square that a pawn has just jumped over, if en passant is possible.
    fn passed(&self) -> Option<Square> {
        let m = match self.last {
            Last::Move(m) => m,
            Last::Passed(square) => return square,
        };
        let (from, to) = (m.from(), m.to());
        let jumped = from.index().abs_diff(to.index()) == 16
            && self.piece_at(to) == Some(Piece::new(Role::Pawn, !self.turn));
        jumped.then(|| Square::from_low_bits(u8::midpoint(from.index(), to.index())))
    }

    /// Plays plain steps, one for each byte of `hidden`, until a byte is not a plain step. `count`
    /// moves came before.
    ///
    /// Writes the moves to `moves`. Returns their number, and the reason if it stopped before the
    /// last byte.
    // Hot path: rare cases are outlined, and this function is not inlined into them. White and
    // Black have separate copies in which the colour is a constant.
    #[inline(never)]
    pub(crate) fn play_steps<S: Steps>(
        &mut self,
        steps: S,
        hidden: &[u8],
        count: u8,
        moves: &mut [Move],
    ) -> (usize, Option<StopReason>) {
        let most = hidden.len().min(moves.len());
        let bytes = hidden.get(..most).unwrap_or_default();
        let moves = moves.get_mut(..most).unwrap_or_default();
        let state = LineState {
            occupied: self.sets.occupied(),
            threats: self.threats,
            guards: Color::ALL.map(|color| KingGuard::of(self.sets.king(color), color)),
        };
        let mut line = Line { steps, count, bytes, moves, done: 0, state };
        let end = self.play_line(&mut line);
        let Line { done, state, .. } = line;
        self.threats = state.threats;
        if done % 2 != 0 {
            self.turn = !self.turn;
        }
        if let Some(m) = moves.get(..done).and_then(<[Move]>::last) {
            self.last = Last::Move(*m);
        }
        (done, end)
    }

    /// Plays the steps of a line. Returns the reason if it stopped before the last byte.
    #[inline(always)]
    fn play_line<S: Steps>(&mut self, line: &mut Line<'_, S>) -> Option<StopReason> {
        if self.turn == Color::Black
            && let Err(end) = self.play_step::<S, true>(line)
        {
            return end;
        }
        loop {
            if let Err(end) = self.play_step::<S, false>(line) {
                return end;
            }
            if let Err(end) = self.play_step::<S, true>(line) {
                return end;
            }
        }
    }

    /// Plays the step of the next byte. Returns `Err(None)` after the last byte and `Err(Some(_))`
    /// if the step is not plain.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the modes count modulo 256")]
    fn play_step<S: Steps, const BLACK: bool>(
        &mut self,
        line: &mut Line<'_, S>,
    ) -> Result<(), Option<StopReason>> {
        let (Some(byte), Some(place)) = (line.bytes.get(line.done), line.moves.get_mut(line.done))
        else {
            return Err(None);
        };
        let color = if BLACK { Color::Black } else { Color::White };
        let count = line.count.wrapping_add(line.done as u8);
        let step = line.steps.step(*byte, count, color);
        *place = self.step(step, color, &mut line.state).map_err(Some)?;
        line.done = line.done.wrapping_add(1);
        Ok(())
    }

    /// Plays the step of a numbered piece to an empty square or as a capture.
    ///
    /// Fails for an obstructed path, castling, promotion and en passant. The caller updates the
    /// side to move and the last move.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    fn step(
        &mut self,
        step: PlainStep,
        color: Color,
        state: &mut LineState,
    ) -> Result<Move, StopReason> {
        let mover = step.piece();
        let destination = step.target(self.square_in(mover));
        let m = destination.to_move();
        let (from, to) = (m.from(), m.to());
        let occupant = self.cells[to];
        let blocked = (crossed(m) & state.occupied).has_any();
        if blocked || !destination.accepts().intersects(occupant.occupant_for(color)) {
            return Err(StopReason::Unusual);
        }
        let (own, other) = (color as usize, !color as usize);
        let target = Bitboard::of(to);
        if !occupant.is_empty() {
            self.take(to);
            state.occupied ^= target;
            state.threats[own] &= !target;
        }
        let both = Bitboard::of(from) | target;
        state.occupied ^= both;
        self.sets.flip_role(both, step.role(), color);
        self.cells[from] = Cell::EMPTY;
        self.put(mover, to);
        if mover == Cell::new(Slot::KING, color).moved() {
            state.guards[own] = state.guards[own].moved(to, color);
            state.threats[own] = self.threats_to(color);
        }
        // The piece may attack the enemy king from its new square, and no longer from its old one.
        state.threats[other] ^= state.guards[other].attackers(step.role()) & both;
        // The mover's own king must not be in check afterwards.
        if state.guards[own].is_attacked(state.threats[own], state.occupied) {
            return Err(StopReason::IntoCheck(m));
        }
        Ok(m)
    }

    /// Plays a legal move or the null move, and switches the side to move.
    pub(crate) fn apply(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let moved = self.cells[from];
        self.last = Last::Move(m);
        if !m.is_null() && !moved.is_empty() {
            match self.castling_side(m) {
                Some(side) => self.castle(from, to, side),
                None => self.shift(moved, m),
            }
            self.find_threats();
        }
        self.turn = !self.turn;
    }

    fn shift(&mut self, moved: Cell, m: Move) {
        let (from, to, piece) = (m.from(), m.to(), moved.piece());
        if !self.cells[to].is_empty() {
            self.take(to);
        } else if piece.role() == Role::Pawn && from.file() != to.file() {
            let beside = to.with_rank(from.rank());
            if self.piece_at(beside) == Some(Piece::new(Role::Pawn, !piece.color())) {
                self.take(beside);
            }
        }
        match m.promotion() {
            Some(role) => {
                self.take(from);
                self.add(Piece::new(role, piece.color()), to);
                self.cells[to] = self.cells[to].moved();
            }
            None => {
                self.lift(from);
                self.set_down(moved.moved(), to);
            }
        }
    }

    /// Moves king and rook. Their squares may overlap.
    fn castle(&mut self, king: Square, rook: Square, side: CastlingSide) {
        let cells = (self.cells[king], self.cells[rook]);
        let king_to = Square::at(side.king_file(), king.rank()).unwrap_or(king);
        let rook_to = Square::at(side.rook_file(), king.rank()).unwrap_or(rook);
        self.lift(king);
        self.lift(rook);
        self.set_down(cells.0.moved(), king_to);
        self.set_down(cells.1.moved(), rook_to);
    }

    /// Removes a piece that will be placed again.
    fn lift(&mut self, square: Square) {
        let cell = std::mem::replace(&mut self.cells[square], Cell::EMPTY);
        self.sets.flip(Bitboard::of(square), cell.piece());
    }

    fn set_down(&mut self, cell: Cell, square: Square) {
        self.sets.flip(Bitboard::of(square), cell.piece());
        self.put(cell, square);
    }

    /// Places a piece with the lowest free number of its kind, or without a number if none is free.
    fn add(&mut self, piece: Piece, square: Square) {
        let mut numbered = Slot::of(piece.role()).map(|slot| Cell::new(slot, piece.color()));
        let free = numbered.find(|cell| self.square_in(*cell) == NO_SQUARE);
        let cell = free.unwrap_or(Cell::unnumbered(piece.role(), piece.color()));
        self.set_down(cell, square);
    }

    /// Removes the piece on a square. Higher numbers of the same kind decrease by one.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "places are below 64")]
    fn take(&mut self, square: Square) {
        let cell = self.cells[square];
        self.sets.flip(Bitboard::of(square), cell.piece());
        // One move in five is a capture, which branch prediction cannot foresee, so this code has
        // no branches. If there is no piece with a higher number, the writes go to the unused entry
        // of `squares` and to the square that is cleared at the end.
        let (place, [next, last]) = (cell.place(), cell.higher());
        let moved = [self.square_in(next), self.square_in(last)];
        self.squares[place] = moved[0];
        self.squares[next.place()] = moved[1];
        self.squares[last.place()] = NO_SQUARE;
        let there = |moved| Square::new(moved).unwrap_or(square);
        for square in moved.map(there) {
            self.cells[square] = self.cells[square].renumbered();
        }
        self.cells[square] = Cell::EMPTY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::moves::codes;
    use crate::moves::mode::{Mode, ModeEncoder};
    use crate::moves::steps::Mode0Steps;

    fn follow(fen: &str, moves: &[&str]) -> Board {
        let mut position = Position::from_fen(fen).unwrap();
        let mut board = Board::new(&position);
        for text in moves {
            let m: Move = text.parse().unwrap();
            board.apply(m);
            position.apply(m);
            assert!(board.position().same_position(&position), "{fen}: {text}");
        }
        board
    }

    /// Tries all codes in the positions of random games. A plain step must be legal. A step that is
    /// not plain must be illegal, en passant, or the capture of a king.
    #[test]
    fn play_steps_random_positions_match_legal_moves() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "QQQQk3/8/8/8/8/8/8/4Kqqq w - - 0 1",
            "4k3/8/8/8/8/8/8/KK6 w - - 0 1",
            "8/8/8/3pP3/8/8/8/R6r w - d6 0 1",
        ];
        let (mut steps, mut seed) = ([0u32; 3], 1u64);
        for fen in starts.iter().cycle().take(140) {
            let mut position = Position::from_fen(fen).unwrap();
            let mut board = Board::new(&position);
            for _ in 0..80 {
                try_codes(&board, &position, &mut steps);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = moves[usize::try_from(seed >> 33).unwrap() % moves.len()];
                board.apply(m);
                position.apply(m);
                assert!(board.position().same_position(&position), "{}", position.to_fen());
            }
        }
        assert!(steps.iter().all(|count| *count > 500), "{steps:?}");
    }

    fn try_codes(board: &Board, position: &Position, steps: &mut [u32; 3]) {
        for code in 0..=255u8 {
            let Some(step) = codes::step_of(code, position.turn()) else { continue };
            let hidden =
                Mode::of(0).map(ModeEncoder::new).map(|mode_encoder| mode_encoder.encode(code, 7));
            let (mut after, mut moves) = (*board, [Move::NULL]);
            let (done, end) = after.play_steps(Mode0Steps, &[hidden.unwrap()], 7, &mut moves);
            let moves = &moves[..done];
            let m = board.square(step.slot).map(|from| Move::new(from, step.target(from)));
            let own = |m: &Move| position.color(position.turn()).contains(m.to());
            let legal = m.is_some_and(|m| !own(&m) && position.is_legal(m));
            let count = match end {
                None => {
                    assert!(legal && moves == [m.unwrap()], "{code}: {}", position.to_fen());
                    let mut played = *position;
                    played.apply(moves[0]);
                    assert!(after.position().same_position(&played), "{}", position.to_fen());
                    let threats = Color::ALL.map(|color| after.threats_to(color));
                    assert_eq!(after.threats, threats, "{code}: {}", position.to_fen());
                    &mut steps[0]
                }
                Some(StopReason::IntoCheck(into_check)) => {
                    assert!(!legal && Some(into_check) == m && moves.is_empty());
                    assert!(position.is_pseudo_legal(into_check));
                    &mut steps[1]
                }
                Some(StopReason::Unusual) => {
                    assert!(after.position().same_position(&board.position()) && moves.is_empty());
                    let special = m.is_some_and(|m| {
                        let taken = position.piece_at(m.to()).map(Piece::role);
                        taken == Some(Role::King) || Some(m.to()) == position.en_passant()
                    });
                    assert!(!legal || special, "{code}: {}", position.to_fen());
                    &mut steps[2]
                }
            };
            *count += 1;
        }
    }

    fn of(board: &Board, color: Color, slot: Slot) -> Option<Square> {
        Square::new(board.square_in(Cell::new(slot, color)))
    }

    #[test]
    fn board_start_position_numbers_pieces() {
        let (board, numbered) =
            (Board::new(&Position::start()), Board::numbered(&Position::start()));
        assert_eq!((board.cells, board.squares), (numbered.cells, numbered.squares));
        assert_eq!((board.sets, board.castling), (numbered.sets, numbered.castling));
        assert_eq!(board.slot(Square::B1), Slot::KNIGHTS);
        assert_eq!(board.slot(Square::G8), Slot(11));
        assert_eq!(of(&board, Color::Black, Slot(20)), Some(Square::H7));
        assert_eq!(board.square(Slot(3)), None);
    }

    #[test]
    fn board_capture_renumbers_pieces_but_not_pawns() {
        let board = follow("4k3/8/8/3p4/8/1NNP4/1N6/4K3 w - - 0 1", &["b3d4", "d5d4", "d3d4"]);
        assert!(board.slot(Square::D4) == Slot::PAWNS);
        let board = follow("q3k3/8/8/8/8/8/8/NNN1K3 b - - 0 1", &["a8a1"]);
        assert_eq!(board.slot(Square::B1), Slot(10));
        assert_eq!(board.slot(Square::C1), Slot(11));
        assert_eq!(board.square(Slot(12)), None);
    }

    #[test]
    fn board_fourth_queen_has_no_number() {
        let fen = "4k3/PP6/8/8/8/8/r7/QQ1QK3 w - - 0 1";
        let board = follow(fen, &["a7a8q", "a2a1", "b7b8q"]);
        assert!(board.slot(Square::A8).is_none());
        assert_eq!(board.slot(Square::B1), Slot(1));
        assert_eq!(board.slot(Square::B8), Slot(3));
        assert_eq!(of(&board, Color::White, Slot::PAWNS), None);
    }

    #[test]
    fn board_castling_and_en_passant_move_both_pieces() {
        let board = follow("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1h1"]);
        assert_eq!(board.slot(Square::G1), Slot::KING);
        assert_eq!(board.slot(Square::F1), Slot(5));
        let board = follow("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", &["d7d5", "e5d6"]);
        assert!(board.slot(Square::D5).is_none());
        assert_eq!(of(&board, Color::Black, Slot::PAWNS), None);
    }
}
