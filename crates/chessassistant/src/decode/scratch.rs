//! The decoder's state within a record: its lines and branches.

use chess_core::Move;

use crate::board::Board;

/// Buffers, reused from game to game. Only games with branches or comments need them.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// All branches in the order of their starts.
    pub(super) branches: Vec<Branch>,
    pub(super) scanned: bool,
    /// The levels around the current level.
    pub(super) frames: Vec<Frame>,
    /// Branches met and not yet read, by number; branches of outer levels first.
    pub(super) waiting: Vec<usize>,
    /// Symbols for the next move: type and byte.
    pub(super) held: Vec<(u8, u8)>,
    /// A comment to which more text may be joined.
    pub(super) comment: String,
    pub(super) comment_open: bool,
}

/// The number of levels whose buffers are kept from game to game; a frame is large.
const KEPT_FRAMES: usize = 64;

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.branches.clear();
        self.scanned = false;
        self.frames.clear();
        self.frames.shrink_to(KEPT_FRAMES);
        self.waiting.clear();
        self.held.clear();
        self.comment.clear();
        self.comment_open = false;
    }
}

/// The extent of a branch's codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) begin: usize,
    pub(super) end: usize,
    /// The offset after its end code.
    pub(super) resume: usize,
    /// The first branch that begins after this one ends.
    pub(super) next: usize,
}

/// A level of play: the main line or a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) cursor: usize,
    pub(super) end: usize,
    pub(super) ply: u32,
    /// The number of the next branch to begin.
    pub(super) next_branch: usize,
    /// The range of this level's branches in `Scratch::waiting`, and the next to be read.
    pub(super) first_waiting: usize,
    pub(super) next_waiting: usize,
    /// The number of waiting branches of outer levels.
    pub(super) outer_waiting: usize,
    pub(super) state: Waiting,
    pub(super) last: Option<Move>,
    /// Whether a variation follows the last move.
    pub(super) varied: bool,
}

/// The event that a level's waiting branches wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waiting {
    /// No branches are waiting.
    None,
    /// The move they replace.
    ForMove,
    /// The end of the comments on that move; then they are read.
    ForComments,
    /// As before, but the move that they replace is missing: each begins by repeating the last
    /// move.
    Repeating,
}

impl Level {
    pub(super) fn new(cursor: usize, end: usize) -> Level {
        Level {
            cursor,
            end,
            ply: 0,
            next_branch: 0,
            first_waiting: 0,
            next_waiting: 0,
            outer_waiting: 0,
            state: Waiting::None,
            last: None,
            varied: false,
        }
    }
}

/// A level suspended while one of its branches is read.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) level: Level,
    pub(super) board: Board,
    pub(super) before: Board,
}
