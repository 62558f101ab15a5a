//! Encodes moves from the game and the board to codes.

use chess_core::{Move, Role};

use crate::board::{Board, PieceId, Remark, coordinate, pawn_kind, step_between};
use crate::layout::{CASTLE_LONG, CASTLE_SHORT, EN_PASSANT, EXTENDED, NULL_MOVE, PROMOTION};

/// Appends the code of a move and plays it. Returns `false`, with nothing changed, if the move has
/// no code.
// chessassistant §8 "Moves"
pub(super) fn encode_move(m: Move, board: &mut Board, out: &mut Vec<u8>) -> bool {
    if m.is_null() {
        board.pass();
        out.push(NULL_MOVE);
        return true;
    }
    let own = |square| board.occupant(coordinate(square)).filter(|id| id.side() == board.turn());
    let Some(id) = own(m.from()).filter(|_| m.from() != m.to()) else { return false };
    if board.is_king(id) && own(m.to()).is_some_and(|target| board.is_rook(target)) {
        encode_castling(m, board, out)
    } else if let Some(role) = m.promotion() {
        encode_promotion(id, m, role, board, out)
    } else {
        encode_step(id, step_between(m.from(), m.to()), board, out)
    }
}

fn encode_castling(m: Move, board: &mut Board, out: &mut Vec<u8>) -> bool {
    for (long, code) in [(true, CASTLE_LONG), (false, CASTLE_SHORT)] {
        let mut after = *board;
        if let Ok((castled, _)) = after.castle(long)
            && castled == m
        {
            *board = after;
            out.push(code);
            return true;
        }
    }
    false
}

fn encode_promotion(
    id: PieceId,
    m: Move,
    role: Role,
    board: &mut Board,
    out: &mut Vec<u8>,
) -> bool {
    let step = step_between(m.from(), m.to());
    let Some(kind) = pawn_kind(board.turn(), step) else { return false };
    if !board.is_pawn(id) || board.play(id, step).is_err() {
        return false;
    }
    let number = board.promotion_number(id, role);
    board.transform(id, number, role);
    out.extend_from_slice(&[PROMOTION, id.number() << 2 | kind, (role as u8) << 5 | number]);
    true
}

fn encode_step(id: PieceId, step: u8, board: &mut Board, out: &mut Vec<u8>) -> bool {
    let code = board.plain_code(id, step);
    // The number of a pawn, for another piece.
    let extended = id.number() < 8 && !board.is_pawn(id);
    if code.is_none() && !extended {
        return false;
    }
    let Ok((_, remark)) = board.play(id, step) else { return false };
    if remark == Remark::EnPassant {
        out.push(EN_PASSANT);
    }
    match code {
        Some(code) => out.push(code),
        None => out.extend_from_slice(&[EXTENDED.saturating_add(id.number()), step]),
    }
    true
}
