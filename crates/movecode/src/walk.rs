//! Follows the position and the piece slots along a game, into variations and out of them.
//!
//! Not [`chess_core::Replay`]: its stack is a `Vec`, which would allocate in every game with variations.

use chess_core::{Game, Move, Piece, Position};
use smallvec::SmallVec;

use crate::units::Units;

/// The position and piece slots at one point of a game.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) position: Position,
    pub(crate) units: Units,
    /// Plies from the start, on this line.
    pub(crate) ply: u32,
}

/// Replays the moves of a game on a [`Board`].
pub(crate) struct BoardReplay {
    /// The first piece of the start position without a slot.
    pub(crate) extra: Option<Piece>,
    pub(crate) board: Board,
    /// The board before the last move of this level.
    before: Board,
    /// `true` if the game may have variations, so that `before` is needed.
    keep: bool,
    /// `board` and `before` of each outer level.
    stack: SmallVec<[(Board, Board); 2]>,
}

impl BoardReplay {
    /// Starts at the beginning of `game`.
    #[inline]
    pub(crate) fn new(game: &Game, has_variations: bool) -> BoardReplay {
        let position = game.start_position();
        let (units, extra) = match game.setup() {
            None => (Units::START, None),
            Some(_) => Units::new(&position),
        };
        let board = Board { position, units, ply: 0 };
        BoardReplay { extra, board, before: board, keep: has_variations, stack: SmallVec::new() }
    }

    /// Plays `m`.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        if self.keep {
            self.before = self.board;
        }
        let Board { position, units, ply } = &mut self.board;
        units.follow(position, m);
        position.apply(m);
        *ply = ply.saturating_add(1);
    }

    /// Enters a variation: returns to the board before the last move of this level.
    pub(crate) fn start_variation(&mut self) {
        self.stack.push((self.board, self.before));
        self.board = self.before;
    }

    /// Leaves the innermost variation: returns to the board where it started.
    pub(crate) fn end_variation(&mut self) {
        if let Some((board, before)) = self.stack.pop() {
            self.board = board;
            self.before = before;
        }
    }

    /// Returns the number of open variations.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }
}
