//! Two-byte words: origin, destination and promotion.

use chess_core::{Move, Piece, Position, Role, Square};

use super::numbers::{number_of, square_of};
use crate::board::Board;

/// The line ends after this move. Used only in modes of words.
pub(crate) const LINE_END: u16 = 0x4000;
/// A variation starts at the position before this move. Used only in modes of words.
pub(crate) const BRANCH: u16 = 0x8000;

/// Splits a word into origin, destination and promotion role.
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

/// Returns the move of a word, or `None` if the origin is empty.
///
/// A pawn move to the last rank is a promotion. A king move of two files is castling. In Chess960
/// castling may also keep the king on the named square.
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

/// Returns castling with the king's destination `to`, if possible.
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

/// Returns the word of a move, or `None` for a promotion that standard chess does not have.
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
