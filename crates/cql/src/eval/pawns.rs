//! Pawns move once in three half-moves: what depends on them alone is kept.

use chess_core::{Bitboard, Color, Position, Role};

use super::Eval;
use crate::expr::{Expr, Pawns};
use crate::geometry::pawns;

/// Returns the white and the black pawns.
#[inline]
fn pawns_of(position: &Position) -> [Bitboard; 2] {
    [position.pieces(Role::Pawn, Color::White), position.pieces(Role::Pawn, Color::Black)]
}

#[inline]
fn are_equal([a, b]: [Bitboard; 2], [c, d]: [Bitboard; 2]) -> bool {
    a == c && b == d
}

impl Eval<'_> {
    /// Whether a filter of pawns alone matches.
    pub(super) fn test_of_pawns(&mut self, slot: u16, body: &Expr) -> bool {
        let pawns = pawns_of(&self.spot().position);
        let known = self.state.of_pawns.get(usize::from(slot)).copied().flatten();
        if let Some((known, matches)) = known
            && are_equal(known, pawns)
        {
            return matches;
        }
        let matches = self.test(body);
        if let Some(place) = self.state.of_pawns.get_mut(usize::from(slot)) {
            *place = Some((pawns, matches));
        }
        matches
    }

    /// Whether a position of the main line has the pawns of the position before.
    #[inline]
    pub(super) fn has_pawns_of_last(&self, at: u32) -> bool {
        let pawns = |at| pawns_of(&self.state.line.spot(at).position);
        are_equal(pawns(at), pawns(at.wrapping_sub(1)))
    }

    /// The pawns of a kind.
    pub(super) fn pawns(&mut self, kind: Pawns) -> Bitboard {
        let at = self.state.at;
        let known = self.state.pawns.get(kind as usize).filter(|known| known.0 == at);
        if let Some((_, pawns)) = known {
            return *pawns;
        }
        let found = pawns(self.spot().position.piece_sets(), kind);
        if let Some(place) = self.state.pawns.get_mut(kind as usize) {
            *place = (at, found);
        }
        found
    }
}
