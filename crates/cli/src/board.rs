//! A drawing of the board.

use std::fmt::Write as _;

use scoresheet::chess_core::{Color, Position, Role, Square};

/// Draws the board with White below, with Unicode figures or letters.
pub(crate) fn draw(position: &Position, ascii: bool) -> String {
    let mut text = String::new();
    for rank in (0..8u8).rev() {
        let _ = write!(text, "  {} ", rank.saturating_add(1));
        for file in 0..8u8 {
            let cell = Square::at(file, rank).map_or(' ', |square| cell(position, square, ascii));
            let _ = write!(text, " {cell}");
        }
        text.push('\n');
    }
    text.push_str("     a b c d e f g h\n");
    let turn = match position.turn() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    };
    let _ = writeln!(text, "{turn}   {}", position.fen());
    text
}

fn cell(position: &Position, square: Square, ascii: bool) -> char {
    let Some(piece) = position.piece_at(square) else { return if ascii { '.' } else { '·' } };
    if ascii {
        return piece.letter();
    }
    match (piece.color(), piece.role()) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, Role::King) => '♚',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Pawn) => '♟',
    }
}
