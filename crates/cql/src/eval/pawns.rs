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

    /// Returns the next position of the main line with other pawns than the position before, or the end of
    /// the line.
    pub(super) fn next_pawn_move(&mut self, at: u32) -> u32 {
        let end = self.state.line.len();
        if self.state.pawn_moves.is_empty() {
            let pawns = |at| pawns_of(&self.state.line.spot(at).position);
            let mut last = pawns(0);
            for at in 1..end {
                let here = pawns(at);
                if !are_equal(here, last) {
                    self.state.pawn_moves.push(at);
                    last = here;
                }
            }
            self.state.pawn_moves.push(end);
        }
        let moves = &self.state.pawn_moves;
        moves.get(moves.partition_point(|next| *next <= at)).copied().unwrap_or(end)
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
