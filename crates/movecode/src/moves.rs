//! Checks which moves a game may hold.

use chess_core::{CastlingSide, Move, Position, Role, Square};

/// Returns the rook for castling: the one with castling rights, else the one nearest to the edge.
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

/// The legality of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Legality {
    /// The move is legal.
    Legal,
    /// The piece can reach the square, but the king is left in check, castling is not allowed, or a
    /// pawn on the last rank does not promote. jose accepts such moves.
    Doubtful,
    /// The piece cannot reach the square.
    Impossible,
}

/// Classifies a move of the side to move.
#[inline]
pub(crate) fn legality(position: &Position, m: Move) -> Legality {
    if position.is_legal(m) {
        return Legality::Legal;
    }
    doubtful_or_impossible(position, m)
}

#[cold]
fn doubtful_or_impossible(position: &Position, m: Move) -> Legality {
    if m.is_null() {
        return Legality::Doubtful;
    }
    let color = position.turn();
    let Some(piece) = position.piece_at(m.from()).filter(|piece| piece.color() == color) else {
        return Legality::Impossible;
    };
    if position.castling_side(m).is_some() {
        // movecode §4.5
        let only_king = position.king(color) == Some(m.from());
        let same_rank = m.from().rank() == color.back_rank() && m.to().rank() == m.from().rank();
        return if only_king && same_rank { Legality::Doubtful } else { Legality::Impossible };
    }
    let promotes = piece.role() == Role::Pawn && m.to().rank() == (!color).back_rank();
    let fits = m.promotion().is_none() || promotes;
    if fits && position.movers(piece.role(), m.to()).contains(m.from()) {
        Legality::Doubtful
    } else {
        Legality::Impossible
    }
}
