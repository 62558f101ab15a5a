//! What a decoder remembers while it reads a record: its lines and branches.

use chess_core::Move;

use crate::board::Board;

/// Working memory, kept from game to game; only games with branches or comments need it.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// All branches in the order they begin.
    pub(super) branches: Vec<Branch>,
    pub(super) scanned: bool,
    /// The levels around the current one.
    pub(super) frames: Vec<Frame>,
    /// Branches met but not yet read, by their number: those of outer levels first.
    pub(super) waiting: Vec<usize>,
    /// Symbols for the move to come: type and byte.
    pub(super) held: Vec<(u8, u8)>,
    /// A comment to which more may be joined.
    pub(super) comment: String,
    pub(super) comment_open: bool,
}

/// For how many levels memory is kept from game to game; a frame is large.
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

/// Where a branch's codes stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) begin: usize,
    pub(super) end: usize,
    /// After its end code.
    pub(super) resume: usize,
    /// The first branch that begins after it ends.
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
    /// Where in `Scratch::waiting` this level's branches stand, and the next to be read.
    pub(super) first_waiting: usize,
    pub(super) next_waiting: usize,
    /// How many branches of outer levels wait below.
    pub(super) outer_waiting: usize,
    pub(super) state: Waiting,
    pub(super) last: Option<Move>,
    /// Whether a variation stands after the last move.
    pub(super) varied: bool,
}

/// What the waiting branches of a level wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waiting {
    /// There are none.
    None,
    /// The move they replace.
    ForMove,
    /// The comments on that move to end; then they are read.
    ForComments,
    /// As before, but the move they replace never came: each begins by repeating the last.
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

/// A level put aside while one of its branches is read.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) level: Level,
    pub(super) board: Board,
    pub(super) before: Board,
}
