//! Pawns move once in three half-moves: what depends on them alone is kept.

use chess_core::{Bitboard, Color, Role};

use super::Eval;
use crate::expr::{Expr, Pawns};
use crate::geometry::pawns;

impl Eval<'_> {
    /// Whether a filter of pawns alone matches.
    pub(super) fn test_of_pawns(&mut self, slot: u16, body: &Expr) -> bool {
        let position = &self.spot().position;
        let pawns = Color::ALL.map(|color| position.pieces(Role::Pawn, color));
        let known = self.state.of_pawns.get(usize::from(slot)).copied().flatten();
        if let Some((_, matches)) = known.filter(|(known, _)| *known == pawns) {
            return matches;
        }
        let matches = self.test(body);
        if let Some(place) = self.state.of_pawns.get_mut(usize::from(slot)) {
            *place = Some((pawns, matches));
        }
        matches
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
