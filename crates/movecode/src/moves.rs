//! Which moves a game may hold.

use chess_core::{CastlingSide, Move, Position, Role, Square};

/// The rook a side castles with: the one the rules allow, else the nearest to the edge.
pub(crate) fn castling_rook(position: &Position, side: CastlingSide) -> Option<Square> {
    let color = position.turn();
    if let Some(rook) = position.castling_rook(color, side) {
        return Some(rook);
    }
    let king = position.king(color).filter(|king| king.rank() == color.back_rank())?;
    let mut rooks = position
        .pieces(Role::Rook, color)
        .filter(|rook| rook.rank() == king.rank())
        .filter(|rook| (rook.file() > king.file()) == (side == CastlingSide::King));
    match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.next(),
    }
}

/// What the rules say of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// It is legal.
    Legal,
    /// The piece can go there, but its king is or stays in check, castling is not allowed, or a
    /// pawn stays a pawn on the last rank. jose takes such moves.
    Doubtful,
    /// The piece cannot go there.
    Impossible,
}

/// What the rules say of a move of the side to move.
#[inline]
pub(crate) fn worth(position: &Position, m: Move) -> Worth {
    if position.is_legal(m) {
        return Worth::Legal;
    }
    doubtful_or_impossible(position, m)
}

#[cold]
fn doubtful_or_impossible(position: &Position, m: Move) -> Worth {
    if m.is_null() {
        return Worth::Doubtful;
    }
    let color = position.turn();
    let Some(piece) = position.piece_at(m.from()).filter(|piece| piece.color() == color) else {
        return Worth::Impossible;
    };
    if position.castling_side(m).is_some() {
        let same_rank = m.from().rank() == color.back_rank() && m.to().rank() == m.from().rank();
        return if same_rank { Worth::Doubtful } else { Worth::Impossible };
    }
    let promotes = piece.role() == Role::Pawn && m.to().rank() == (!color).back_rank();
    let fits = m.promotion().is_none() || promotes;
    if fits && position.movers(piece.role(), m.to()).contains(m.from()) {
        Worth::Doubtful
    } else {
        Worth::Impossible
    }
}
