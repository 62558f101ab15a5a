//! The position and the piece slots that [`Replay`](chess_core::Replay) keeps along a game.

use chess_core::{Game, Move, Piece, Position};

use crate::units::Units;

/// The position and piece slots at one point of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    pub(crate) position: Position,
    pub(crate) units: Units,
}

impl Board {
    /// Returns the board at the beginning of `game`, and the first piece without a slot.
    #[inline]
    pub(crate) fn start(game: &Game) -> (Board, Option<Piece>) {
        let position = game.start_position();
        let (units, extra) = match game.setup() {
            None => (Units::START, None),
            Some(_) => Units::new(&position),
        };
        (Board { position, units }, extra)
    }

    /// Plays `m`.
    #[inline]
    pub(crate) fn apply(&mut self, m: Move) {
        self.units.follow(&self.position, m);
        self.position.apply(m);
    }
}
