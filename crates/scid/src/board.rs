//! The board as Scid numbers its pieces. (scid §4.6 "Piece numbers")

use chess_core::{CastlingSide, Color, PerSquare, Position, Role, Square};

use crate::error::ErrorKind;

/// What stands on a square, and its number, in one byte: bits 0-2 role, 3 colour, 4-7 number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(u8);

impl Cell {
    pub(crate) const EMPTY: Cell = Cell(0);

    const fn new(role: Role, color: Color, number: u8) -> Cell {
        Cell(role as u8 | (color as u8) << 3 | number << 4)
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

    /// Whether it has this role, without asking which it has.
    #[inline]
    pub(crate) const fn has_role(self, role: Role) -> bool {
        self.0 & 7 == role as u8
    }

    /// Its row in the table of move codes: its role, 0 for Black's pawns.
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

/// The pieces of a side by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Side {
    squares: [Square; 16],
    count: u8,
}

impl Side {
    #[inline]
    fn square(&self, number: u8) -> Option<Square> {
        let square = self.squares.get(usize::from(number & 15)).copied();
        square.filter(|_| number < self.count)
    }

    #[inline]
    fn put(&mut self, number: u8, square: Square) {
        if let Some(slot) = self.squares.get_mut(usize::from(number & 15)) {
            *slot = square;
        }
    }
}

/// Pieces with their numbers, and the side to move. Just what moves need: neither rights nor
/// clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    cells: PerSquare<Cell>,
    sides: [Side; 2],
    turn: Color,
}

/// How many there are of each piece, by the low four bits of a [`Cell`].
pub(crate) struct Census([u8; 16]);

impl Census {
    pub(crate) fn count(&self, role: Role, color: Color) -> u8 {
        let bits = Cell::new(role, color, 0).0;
        self.0.get(usize::from(bits)).copied().unwrap_or(0)
    }
}

/// The rooks to castle with: for each colour the one towards the a-file, then the other.
pub(crate) type CastlingRooks = [[Square; 2]; 2];

/// Those of the usual start position, and of any other that does not say.
pub(crate) const CORNERS: CastlingRooks = [[Square::A1, Square::H1], [Square::A8, Square::H8]];

/// Laid out by the compiler: most games begin with a copy of it.
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
    let mut sides = [Side { squares: [Square::A1; 16], count: 16 }; 2];
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
            sides[color].squares[number] = Square::from_low_bits(square as u8);
            number += 1;
        }
        color += 1;
    }
    Board { cells: PerSquare(cells), sides, turn: Color::White }
}

impl Board {
    /// The usual start position, whose numbering is a rule of its own: king, officers from a to
    /// h, pawns from a to h.
    pub(crate) const fn start() -> Board {
        START
    }

    /// A position of a FEN: numbers are given from a8 to h8, then a7 and so on; a king takes
    /// number 0, and what held it the next free number.
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
        let side = Side { squares: [Square::A1; 16], count: 0 };
        Board { cells: PerSquare([Cell::EMPTY; 64]), sides: [side; 2], turn }
    }

    fn append(&mut self, square: Square, role: Role, color: Color) -> bool {
        let side = self.side_mut(color);
        let number = side.count;
        if number > 15 {
            return false;
        }
        side.count = number.saturating_add(1);
        side.put(number, square);
        self.cells[square] = Cell::new(role, color, number);
        true
    }

    /// Gives a king number 0 and what held it the king's.
    fn swap_to_zero(&mut self, king: Square) {
        let cell = self.cells[king];
        let Some(zero) = self.side(cell.color()).square(0) else { return };
        self.renumber(zero, cell.number());
        self.renumber(king, 0);
    }

    fn renumber(&mut self, square: Square, number: u8) {
        let cell = self.cells[square].with_number(number);
        self.cells[square] = cell;
        self.side_mut(cell.color()).put(number, square);
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    fn side(&self, color: Color) -> &Side {
        &self.sides[color as usize]
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    fn side_mut(&mut self, color: Color) -> &mut Side {
        &mut self.sides[color as usize]
    }

    #[inline]
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub(crate) fn cell(&self, square: Square) -> Cell {
        self.cells[square]
    }

    /// Where the piece of this number of the side to move stands.
    #[inline]
    pub(crate) fn square(&self, number: u8) -> Option<Square> {
        self.side(self.turn).square(number)
    }

    /// Passes the turn.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.turn = !self.turn;
    }

    /// Takes a piece off. The highest-numbered piece of its side takes its number.
    #[inline]
    pub(crate) fn remove(&mut self, square: Square) {
        let gone = self.cells[square];
        let side = self.side_mut(gone.color());
        side.count = side.count.saturating_sub(1);
        let last = side.count;
        self.cells[square] = Cell::EMPTY;
        if gone.number() != last
            && let Some(moved) =
                self.side(gone.color()).squares.get(usize::from(last & 15)).copied()
        {
            self.renumber(moved, gone.number());
        }
    }

    /// Moves a piece to an empty square, where it may become another.
    #[inline]
    pub(crate) fn shift(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let mut cell = self.cells[from];
        if let Some(role) = promotion {
            cell = cell.with_role(role);
        }
        self.cells[from] = Cell::EMPTY;
        self.cells[to] = cell;
        self.side_mut(cell.color()).put(cell.number(), to);
    }

    /// Moves king and rook, whichever way their squares overlap.
    pub(crate) fn castle(&mut self, king: Square, rook: Square, king_to: Square, rook_to: Square) {
        let (king_cell, rook_cell) = (self.cells[king], self.cells[rook]);
        self.cells[king] = Cell::EMPTY;
        self.cells[rook] = Cell::EMPTY;
        for (cell, to) in [(king_cell, king_to), (rook_cell, rook_to)] {
            self.cells[to] = cell;
            self.side_mut(cell.color()).put(cell.number(), to);
        }
    }

    /// How many there are of each piece.
    pub(crate) fn census(&self) -> Census {
        let mut census = Census([0; 16]);
        for cell in self.cells.0 {
            if let Some(count) = census.0.get_mut(usize::from(cell.0 & 15)) {
                *count = count.saturating_add(1);
            }
        }
        census
    }

    /// The pieces, for comparison with a [`Position`].
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

/// The rooks a position of a FEN lets the kings castle with; the corners where it does not say.
pub(crate) fn castling_rooks(position: &Position) -> CastlingRooks {
    let mut rooks = CORNERS;
    for (color, row) in Color::ALL.into_iter().zip(&mut rooks) {
        for (side, rook) in [CastlingSide::Queen, CastlingSide::King].into_iter().zip(row) {
            *rook = position.castling_rook(color, side).unwrap_or(*rook);
        }
    }
    rooks
}
