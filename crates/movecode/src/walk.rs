//! The way through a game: the board and who is who on it, into variations and out of them.

use chess_core::{Game, Move, Piece, Position};
use smallvec::SmallVec;

use crate::units::Units;

/// The board at one point of a game.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) position: Position,
    pub(crate) units: Units,
    /// Half-moves from the start, on this line.
    pub(crate) ply: u32,
}

/// The board along the moves of a game.
pub(crate) struct Walk {
    /// The first piece of the start position that no code can name.
    pub(crate) extra: Option<Piece>,
    pub(crate) board: Board,
    /// Before the last move of this level.
    before: Board,
    /// Whether there may be variations, and `before` is needed.
    keep: bool,
    /// The two boards of each level around this one.
    stack: SmallVec<[(Board, Board); 2]>,
}

impl Walk {
    /// At the start of a game.
    #[inline]
    pub(crate) fn new(game: &Game, has_variations: bool) -> Walk {
        let position = game.start_position();
        let (units, extra) = match game.setup() {
            None => (Units::START, None),
            Some(_) => Units::new(&position),
        };
        let board = Board { position, units, ply: 0 };
        Walk { extra, board, before: board, keep: has_variations, stack: SmallVec::new() }
    }

    /// Plays a move.
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

    /// Back before the last move of this level.
    pub(crate) fn start_variation(&mut self) {
        self.stack.push((self.board, self.before));
        self.board = self.before;
    }

    /// Back to where the variation was begun.
    pub(crate) fn end_variation(&mut self) {
        if let Some((board, before)) = self.stack.pop() {
            self.board = board;
            self.before = before;
        }
    }

    /// How many variations are open.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }
}
