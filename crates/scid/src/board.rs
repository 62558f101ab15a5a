//! A board that numbers its pieces as Scid does. (scid §4.6 "Piece numbers")

use chess_core::{CastlingSide, Color, Move, PerSquare, Position, Role, Square};

use crate::codes::{code_and_way, step_in_row};
use crate::error::ErrorKind;
use crate::layout::marker;

/// A piece and its number in one byte: bits 0-2 role, bit 3 colour, bits 4-7 number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(u8);

impl Cell {
    pub(crate) const EMPTY: Cell = Cell(0);

    const fn new(role: Role, color: Color, number: u8) -> Cell {
        Cell(role as u8 | (color as u8) << 3 | number << 4)
    }

    /// A piece without its number.
    pub(crate) const fn of(role: Role, color: Color) -> Cell {
        Cell::new(role, color, 0)
    }

    #[inline]
    pub(crate) const fn without_number(self) -> Cell {
        Cell(self.0 & 15)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 & 7 == 0
    }

    #[inline]
    pub(crate) const fn color(self) -> Color {
        if self.0 & 8 == 0 { Color::White } else { Color::Black }
    }

    #[inline]
    pub(crate) const fn number(self) -> u8 {
        self.0 >> 4
    }

    #[inline]
    pub(crate) const fn role(self) -> Role {
        match self.0 & 7 {
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => Role::Pawn,
        }
    }

    #[inline]
    pub(crate) const fn is(self, role: Role, color: Color) -> bool {
        self.0 & 15 == role as u8 | (color as u8) << 3
    }

    /// Whether the piece has this role. Cheaper than decoding the role.
    #[inline]
    pub(crate) const fn has_role(self, role: Role) -> bool {
        self.0 & 7 == role as u8
    }

    /// The piece's row in the table of move codes: its role, or 0 for Black's pawns.
    #[inline]
    pub(crate) const fn row(self) -> usize {
        if self.is(Role::Pawn, Color::Black) { 0 } else { (self.0 & 7) as usize }
    }

    const fn with_number(self, number: u8) -> Cell {
        Cell(self.0 & 15 | number << 4)
    }

    const fn with_role(self, role: Role) -> Cell {
        Cell(self.0 & !7 | role as u8)
    }
}

/// Pieces with their numbers, and the side to move. Castling rights and clocks are left out,
/// because moves do not need them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    cells: PerSquare<Cell>,
    /// Squares of the pieces, indexed by [`place`].
    squares: [Square; 32],
    /// How many pieces each side has.
    counts: [u8; 2],
    turn: Color,
}

/// The index of a piece in the list of both sides: White's 16 pieces, then Black's 16.
#[inline]
const fn place(color: Color, number: u8) -> usize {
    ((color as usize) << 4 | number as usize) & 31
}

/// A plain move of the side to move. It goes to an empty square or captures an enemy piece other
/// than the king there. It is not castling, a promotion or en passant. Nearly all moves are plain.
#[derive(Clone, Copy)]
pub(crate) struct PlainMove {
    from: Square,
    to: Square,
    piece: Cell,
}

impl PlainMove {
    #[inline]
    pub(crate) const fn to_move(self) -> Move {
        Move::new(self.from, self.to)
    }
}

/// The number of pieces of each kind, indexed by the low four bits of a [`Cell`].
pub(crate) struct Census([u8; 16]);

impl Census {
    pub(crate) fn count(&self, role: Role, color: Color) -> u8 {
        let bits = Cell::new(role, color, 0).0;
        self.0.get(usize::from(bits)).copied().unwrap_or(0)
    }
}

/// The lowest bit of the byte that counts a role; see [`Board::packed_counts`].
pub(crate) const fn lane(role: Role) -> u32 {
    (role as u32 & 7) << 3
}

/// The rooks to castle with: for each colour the rook towards the a-file, then the other.
pub(crate) type CastlingRooks = [[Square; 2]; 2];

/// The castling rooks of the usual start position, and of any position that names no others.
pub(crate) const CORNERS: CastlingRooks = [[Square::A1, Square::H1], [Square::A8, Square::H8]];

/// Computed at compile time: most games begin with a copy of it.
const START: Board = start();

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs in the compiler only, where a mistake is a compile error"
)]
const fn start() -> Board {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let officers = [
        (4, King),
        (0, Rook),
        (1, Knight),
        (2, Bishop),
        (3, Queen),
        (5, Bishop),
        (6, Knight),
        (7, Rook),
    ];
    let mut cells = [Cell::EMPTY; 64];
    let mut squares = [Square::A1; 32];
    let mut color = 0;
    while color < 2 {
        let (whose, back, pawns) =
            if color == 0 { (Color::White, 0, 8) } else { (Color::Black, 56, 48) };
        let mut number = 0;
        while number < 16 {
            let (square, role) = if number < 8 {
                (back + officers[number].0, officers[number].1)
            } else {
                (pawns + number - 8, Pawn)
            };
            cells[square] = Cell::new(role, whose, number as u8);
            squares[place(whose, number as u8)] = Square::from_low_bits(square as u8);
            number += 1;
        }
        color += 1;
    }
    Board { cells: PerSquare(cells), squares, counts: [16; 2], turn: Color::White }
}

impl Board {
    /// The usual start position. It has a numbering of its own: king, pieces from a to h, pawns
    /// from a to h.
    pub(crate) const fn start() -> Board {
        START
    }

    /// Sets up a position from a FEN. Numbers are given from a8 to h8, then from a7 on. A king
    /// takes number 0, and the piece that had it gets the next free number.
    pub(crate) fn numbered(position: &Position) -> Result<Board, ErrorKind> {
        let mut board = Board::empty(position.turn());
        let squares =
            (0..8).rev().flat_map(|rank| (0..8).filter_map(move |file| Square::at(file, rank)));
        for square in squares {
            let Some(piece) = position.piece_at(square) else { continue };
            if !board.append(square, piece.role(), piece.color()) {
                return Err(ErrorKind::TooManyPieces);
            }
            if piece.role() == Role::King {
                board.swap_to_zero(square);
            }
        }
        Ok(board)
    }

    fn empty(turn: Color) -> Board {
        let cells = PerSquare([Cell::EMPTY; 64]);
        Board { cells, squares: [Square::A1; 32], counts: [0; 2], turn }
    }

    fn append(&mut self, square: Square, role: Role, color: Color) -> bool {
        let count = self.count_mut(color);
        let number = *count;
        if number > 15 {
            return false;
        }
        *count = number.saturating_add(1);
        self.put(color, number, square);
        self.cells[square] = Cell::new(role, color, number);
        true
    }

    /// Swaps the king's number with the number of piece 0.
    fn swap_to_zero(&mut self, king: Square) {
        let cell = self.cells[king];
        let Some(zero) = self.square_of(cell.color(), 0) else { return };
        self.renumber(zero, cell.number());
        self.renumber(king, 0);
    }

    fn renumber(&mut self, square: Square, number: u8) {
        let cell = self.cells[square].with_number(number);
        self.cells[square] = cell;
        self.put(cell.color(), number, square);
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    fn count_mut(&mut self, color: Color) -> &mut u8 {
        &mut self.counts[color as usize]
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a place is below 32")]
    fn put(&mut self, color: Color, number: u8, square: Square) {
        self.squares[place(color, number)] = square;
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, a place is below 32")]
    fn square_of(&self, color: Color, number: u8) -> Option<Square> {
        let square = self.squares[place(color, number)];
        if number < self.counts[color as usize] { Some(square) } else { None }
    }

    #[inline]
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub(crate) fn cell(&self, square: Square) -> Cell {
        self.cells[square]
    }

    /// Returns the square of a piece of the side to move, by its number.
    #[inline]
    pub(crate) fn square(&self, number: u8) -> Option<Square> {
        self.square_of(self.turn, number)
    }

    /// Passes the turn.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.turn = !self.turn;
    }

    /// Removes a piece. The highest-numbered piece of its side takes over its number.
    #[inline]
    pub(crate) fn remove(&mut self, square: Square) {
        let gone = self.cells[square];
        let count = self.count_mut(gone.color());
        *count = count.saturating_sub(1);
        let last = *count;
        self.cells[square] = Cell::EMPTY;
        if gone.number() != last {
            let moved = self.squares.get(place(gone.color(), last)).copied();
            self.renumber(moved.unwrap_or(square), gone.number());
        }
    }

    /// Moves a piece to an empty square, where it may be promoted.
    #[inline]
    pub(crate) fn shift(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let mut cell = self.cells[from];
        if let Some(role) = promotion {
            cell = cell.with_role(role);
        }
        self.cells[from] = Cell::EMPTY;
        self.cells[to] = cell;
        self.put(cell.color(), cell.number(), to);
    }

    /// Decodes a stream byte to a move, if the move is plain.
    #[inline]
    pub(crate) fn plain_move(&self, byte: u8) -> Option<PlainMove> {
        let from = self.square(byte >> 4)?;
        let piece = self.cell(from);
        let step = step_in_row(piece.row(), from, byte & 15);
        let to = step.plain_target()?;
        if matches!(byte, marker::NAG..=marker::GAME_END) {
            return None;
        }
        self.plain(PlainMove { from, to, piece }, step.is_diagonal())
    }

    /// Encodes a move as a plain move and its stream byte, if it is plain.
    #[inline]
    pub(crate) fn plain_move_and_byte(&self, m: Move) -> Option<(PlainMove, u8)> {
        let (from, to) = (m.from(), m.to());
        let piece = self.cell(from);
        if piece.is_empty() || piece.color() != self.turn || m.promotion().is_some() {
            return None;
        }
        let (code, diagonal) = code_and_way(piece.row(), from, to)?;
        let byte = piece.number() << 4 | code;
        if matches!(byte, marker::NAG..=marker::GAME_END) {
            return None;
        }
        Some((self.plain(PlainMove { from, to, piece }, diagonal)?, byte))
    }

    /// Checks the remaining conditions of a plain move.
    #[inline]
    fn plain(&self, plain: PlainMove, diagonal: bool) -> Option<PlainMove> {
        let taken = self.cell(plain.to);
        let fits = if taken.is_empty() {
            !diagonal
        } else {
            taken.color() != self.turn && !taken.has_role(Role::King)
        };
        fits.then_some(plain)
    }

    /// Plays a plain move.
    #[inline]
    pub(crate) fn play_plain(&mut self, plain: PlainMove) {
        let PlainMove { from, to, piece } = plain;
        if !self.cell(to).is_empty() {
            self.remove(to);
        }
        self.cells[from] = Cell::EMPTY;
        self.cells[to] = piece;
        self.put(self.turn, piece.number(), to);
        self.pass();
    }

    /// Moves king and rook, even if their squares overlap.
    pub(crate) fn castle(&mut self, king: Square, rook: Square, king_to: Square, rook_to: Square) {
        let (king_cell, rook_cell) = (self.cells[king], self.cells[rook]);
        self.cells[king] = Cell::EMPTY;
        self.cells[rook] = Cell::EMPTY;
        for (cell, to) in [(king_cell, king_to), (rook_cell, rook_to)] {
            self.cells[to] = cell;
            self.put(cell.color(), cell.number(), to);
        }
    }

    /// The number of pieces of a side.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    pub(crate) fn count(&self, color: Color) -> u8 {
        self.counts[color as usize]
    }

    /// Whether the board has exactly these pieces, regardless of their numbers.
    pub(crate) fn has_pieces(&self, cells: &[Cell; 64]) -> bool {
        self.cells.0.iter().zip(cells).all(|(cell, other)| cell.without_number() == *other)
    }

    /// The number of pieces of each role of a side, a byte each.
    #[inline]
    pub(crate) fn packed_counts(&self, color: Color) -> u64 {
        let first = place(color, 0);
        let end = first.saturating_add(usize::from(self.count(color)));
        let squares = self.squares.get(first..end).unwrap_or_default();
        // A byte holds up to 16 pieces.
        squares.iter().fold(0u64, |sum, square| {
            sum.wrapping_add(1 << (u32::from(self.cells[*square].0 & 7) << 3))
        })
    }

    /// The number of pieces of each kind.
    pub(crate) fn census(&self) -> Census {
        let mut census = Census([0; 16]);
        for cell in self.cells.0 {
            if let Some(count) = census.0.get_mut(usize::from(cell.0 & 15)) {
                *count = count.saturating_add(1);
            }
        }
        census
    }

    /// The pieces, in a form that compares with a [`Position`].
    #[cfg(test)]
    pub(crate) fn same_pieces(&self, position: &Position) -> bool {
        Square::all().all(|square| {
            let cell = self.cells[square];
            let piece =
                (!cell.is_empty()).then(|| chess_core::Piece::new(cell.role(), cell.color()));
            piece == position.piece_at(square)
        })
    }
}

/// Returns the castling rooks of a FEN's position; the corners where the FEN names none.
pub(crate) fn castling_rooks(position: &Position) -> CastlingRooks {
    let mut rooks = CORNERS;
    for (color, row) in Color::ALL.into_iter().zip(&mut rooks) {
        for (side, rook) in [CastlingSide::Queen, CastlingSide::King].into_iter().zip(row) {
            *rook = position.castling_rook(color, side).unwrap_or(*rook);
        }
    }
    rooks
}
