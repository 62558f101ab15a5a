//! Castling written as two steps of the king.

use chess_core::{CastlingSide, Move, Position, Square};

/// Returns the move between two squares. Two steps of a king from its start square are castling,
/// if the side may still castle.
pub(crate) fn two_steps(position: &Position, from: Square, to: Square) -> Move {
    let us = position.turn();
    let is_step = position.king(us) == Some(from)
        && from == us.king_home()
        && from.rank() == to.rank()
        && from.file().abs_diff(to.file()) == 2;
    let rook = position.castling_rook(us, CastlingSide::of(from, to)).filter(|_| is_step);
    Move::new(from, rook.unwrap_or(to))
}

/// Returns the square that the piece goes to; for castling, the target of the king.
pub(crate) fn king_target(position: &Position, m: Move) -> Square {
    let side = position.castling_side(m);
    side.and_then(|side| Square::at(side.king_file(), m.from().rank())).unwrap_or(m.to())
}
