//! Words of two bytes: squares from and to, and what a pawn becomes.

use chess_core::{Move, Piece, Position, Role, Square};

use super::numbers::{number_of, square_of};
use crate::board::Board;

/// The line ends after this move; only in modes of words.
pub(crate) const LINE_END: u16 = 0x4000;
/// The position before this move is one to come back to; only in modes of words.
pub(crate) const BRANCH: u16 = 0x8000;

/// The squares of a word and what a pawn becomes.
// cbh §4.6 "Words of two bytes"
pub(crate) fn parse(word: u16) -> (Square, Square, Role) {
    let square = |shift: u32| square_of(u8::try_from(word >> shift & 63).unwrap_or(0));
    let role = match word >> 12 & 3 {
        0 => Role::Queen,
        1 => Role::Rook,
        2 => Role::Bishop,
        _ => Role::Knight,
    };
    (square(0), square(6), role)
}

/// The move of a word: a promotion if a pawn comes to the last rank, castling if a king goes two
/// files (or stays, in Chess960, on the square named); `None` if nobody stands there.
pub(crate) fn decode(word: u16, position: &Position, chess960: bool) -> Option<Move> {
    let (from, to, role) = parse(word);
    if from == to && chess960 {
        return castling(to, position);
    }
    let piece = position.piece_at(from)?;
    let two_files = from.file().abs_diff(to.file()) == 2 && from.rank() == to.rank();
    if piece == Piece::new(Role::King, position.turn()) && two_files && !chess960 {
        return castling(to, position);
    }
    let promotes = piece.role() == Role::Pawn && matches!(to.rank(), 0 | 7);
    Some(if promotes { Move::promoting(from, to, role) } else { Move::new(from, to) })
}

/// Castling to a square of the king's.
fn castling(to: Square, position: &Position) -> Option<Move> {
    let color = position.turn();
    let king = position.king(color)?;
    let side = match to.file() {
        2 => chess_core::CastlingSide::Queen,
        6 => chess_core::CastlingSide::King,
        _ => return None,
    };
    let rook = position.castling_rook(color, side).unwrap_or(side.corner(color));
    Some(Move::new(king, rook))
}

/// The word of a move; `None` for a promotion that chess does not have.
pub(crate) fn encode(m: Move, board: &Board, chess960: bool) -> Option<u16> {
    let promotion = match m.promotion() {
        None | Some(Role::Queen) => 0,
        Some(Role::Rook) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Knight) => 3,
        Some(_) => return None,
    };
    let (mut from, mut to) = (m.from(), m.to());
    if let Some(side) = board.castling_side(m) {
        to = Square::at(side.king_file(), from.rank())?;
        if chess960 {
            from = to;
        }
    }
    let word = u16::from(number_of(from)) | u16::from(number_of(to)) << 6;
    Some(word | promotion << 12)
}
