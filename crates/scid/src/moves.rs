//! Encodes and decodes single moves of one or two bytes. (scid §4.5 "Move codes")

use chess_core::{CastlingSide, Color, Move, Role, Square};

use crate::board::{Board, CastlingRooks, Cell};
use crate::codes::{Step, StepKind, code_in_row, step_in_row};
use crate::error::{ErrorKind, MoveReason};
use crate::layout::marker;
use crate::quirk::Quirk;

/// A special move, or an invalid one.
pub(crate) enum Unusual {
    Quirk(Move, Quirk),
    Error(MoveReason),
}

/// Plays a stream byte that is not a marker: the piece's number in the high half, the move code in
/// the low half. (scid §4.5 "Move codes")
#[inline]
pub(crate) fn play(
    board: &mut Board,
    rooks: &CastlingRooks,
    byte: u8,
    bytes: &mut std::slice::Iter<'_, u8>,
) -> Result<Move, Unusual> {
    let number = byte >> 4;
    let Some(from) = board.square(number) else {
        return Err(Unusual::Error(MoveReason::NoPiece(number)));
    };
    let piece = board.cell(from);
    let step = step_in_row(piece.row(), from, byte & 15);
    if step.is_plain() {
        return move_piece(board, piece, from, step.target(), step.promotion(), None);
    }
    play_special(board, rooks, from, byte, step, bytes)
}

/// As [`play`], for special move codes.
#[inline(never)]
fn play_special(
    board: &mut Board,
    rooks: &CastlingRooks,
    from: Square,
    byte: u8,
    step: Step,
    bytes: &mut std::slice::Iter<'_, u8>,
) -> Result<Move, Unusual> {
    let piece = board.cell(from);
    let error = |reason| Err(Unusual::Error(reason));
    match step.kind() {
        StepKind::Plain | StepKind::OverEdge => {
            let quirk = Some(Quirk::OverEdge);
            move_piece(board, piece, from, step.target(), step.promotion(), quirk)
        }
        StepKind::SecondByte => match bytes.next() {
            Some(&target @ 64..=127) => {
                let target = Square::from_low_bits(target);
                if target == from {
                    return error(MoveReason::OwnSquare);
                }
                move_piece(board, piece, from, target, None, None)
            }
            _ => error(MoveReason::SecondByte),
        },
        StepKind::CastleQueen => castle(board, rooks, from, CastlingSide::Queen),
        StepKind::CastleKing => castle(board, rooks, from, CastlingSide::King),
        StepKind::Null => {
            board.pass();
            Ok(Move::NULL)
        }
        StepKind::OffBoard => error(MoveReason::OffBoard),
        StepKind::OwnSquare => error(MoveReason::OwnSquare),
        StepKind::Invalid => error(MoveReason::Code(piece.role(), byte & 15)),
    }
}

/// Inlined, because it takes most of the time of reading and writing a move.
#[inline(always)]
pub(crate) fn move_piece(
    board: &mut Board,
    piece: Cell,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    mut quirk: Option<Quirk>,
) -> Result<Move, Unusual> {
    let taken = board.cell(to);
    if !taken.is_empty() {
        if taken.has_role(Role::King) {
            return Err(Unusual::Error(MoveReason::TakesKing));
        }
        if taken.color() == board.turn() {
            if piece.has_role(Role::King) && taken.has_role(Role::Rook) {
                // The model would take this move for castling.
                return Err(Unusual::Error(MoveReason::TakesOwnRook));
            }
            quirk = Some(Quirk::TakesOwn);
        }
        board.remove(to);
    } else if piece.has_role(Role::Pawn) && from.file() != to.file() {
        let beside = to.with_rank(from.rank());
        if board.cell(beside).is(Role::Pawn, !board.turn()) {
            board.remove(beside);
        }
    }
    board.shift(from, to, promotion);
    board.pass();
    let m = match promotion {
        Some(role) => Move::promoting(from, to, role),
        None => Move::new(from, to),
    };
    match quirk {
        None => Ok(m),
        Some(quirk) => Err(Unusual::Quirk(m, quirk)),
    }
}

/// Castles if there is a rook and room for it. Scid checks nothing else.
pub(crate) fn castle(
    board: &mut Board,
    rooks: &CastlingRooks,
    king: Square,
    side: CastlingSide,
) -> Result<Move, Unusual> {
    let color = board.turn();
    let [white, black] = *rooks;
    let [towards_a, towards_h] = if color == Color::White { white } else { black };
    let rook = if side == CastlingSide::Queen { towards_a } else { towards_h };
    let right_side = match side {
        CastlingSide::Queen => rook.file() < king.file(),
        CastlingSide::King => rook.file() > king.file(),
    };
    if !board.cell(rook).is(Role::Rook, color) || rook.rank() != king.rank() || !right_side {
        return Err(Unusual::Error(MoveReason::NoRook));
    }
    let rank = king.index() & 56;
    let king_to = Square::from_low_bits(rank | side.king_file());
    let rook_to = Square::from_low_bits(rank | side.rook_file());
    let free = |square| square == king || square == rook || board.cell(square).is_empty();
    if !free(king_to) || !free(rook_to) {
        return Err(Unusual::Error(MoveReason::CastlingBlocked));
    }
    board.castle(king, rook, king_to, rook_to);
    board.pass();
    Ok(Move::new(king, rook))
}

/// Appends a move as one or two bytes and plays it.
#[inline(always)] // once a ply
pub(crate) fn encode_move(
    board: &mut Board,
    rooks: &CastlingRooks,
    m: Move,
    out: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    if let Some((plain, byte)) = board.plain_move_and_byte(m) {
        out.push(byte);
        board.play_plain(plain);
        return Ok(());
    }
    encode_special(board, rooks, m, out)
}

/// As [`encode_move`], for any move.
#[inline(never)]
fn encode_special(
    board: &mut Board,
    rooks: &CastlingRooks,
    m: Move,
    out: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    let no_code = || Err(ErrorKind::NoMoveCode(m));
    let turn = board.turn();
    if m.is_null() {
        if !board.square(0).is_some_and(|king| board.cell(king).is(Role::King, turn)) {
            return no_code();
        }
        out.push(0);
        board.pass();
        return Ok(());
    }
    let (from, to) = (m.from(), m.to());
    let piece = board.cell(from);
    if piece.is_empty() || piece.color() != turn {
        return no_code();
    }
    let byte = |code: u8| piece.number() << 4 | code;
    let taken = board.cell(to);
    if piece.has_role(Role::King) && taken.is(Role::Rook, turn) {
        let side = if to.file() > from.file() { CastlingSide::King } else { CastlingSide::Queen };
        out.push(byte(if side == CastlingSide::Queen { 9 } else { 10 }));
        return match castle(board, rooks, from, side) {
            Ok(castled) if castled == m => Ok(()),
            _ => no_code(),
        };
    }
    if taken.has_role(Role::King) {
        return no_code();
    }
    match move_code(piece, m) {
        // Below 16 the marker bytes leave room for king moves only.
        Some(code) if piece.number() > 0 || code < marker::NAG => out.push(byte(code)),
        None if piece.has_role(Role::Queen) && m.promotion().is_none() => {
            let first = byte(from.file());
            out.extend_from_slice(&[first, 64 | to.index()]);
        }
        _ => return no_code(),
    }
    match move_piece(board, piece, from, to, m.promotion(), None) {
        Err(Unusual::Error(_)) => no_code(),
        Ok(_) | Err(Unusual::Quirk(..)) => Ok(()),
    }
}

/// The code of a move, if it has one.
#[inline]
fn move_code(piece: Cell, m: Move) -> Option<u8> {
    let code = code_in_row(piece.row(), m.from(), m.to())?;
    let Some(becomes) = m.promotion() else { return Some(code) };
    let code = code.saturating_add(match becomes {
        Role::Queen => 3,
        Role::Rook => 6,
        Role::Bishop => 9,
        Role::Knight => 12,
        Role::Pawn | Role::King => return None,
    });
    step_in_row(piece.row(), m.from(), code).leads_to(m.to(), Some(becomes)).then_some(code)
}
