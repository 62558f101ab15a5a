//! Replays the tokens of a game on a board.

use smallvec::SmallVec;

use crate::game::{Game, Token};
use crate::moves::Move;
use crate::position::Position;

/// Plays the tokens of a game and maintains the position, into variations and out again.
///
/// ```
/// use chess_core::{Game, Replay, Token};
///
/// let mut game = Game::new();
/// game.push_move("e2e4".parse().unwrap());
/// let mut replay = Replay::new(&game);
/// for token in game.tokens() {
///     if let Token::Move(m) = token {
///         assert!(replay.position().is_legal(m));
///     }
///     replay.step(token);
/// }
/// ```
///
/// A format with a board of its own can use it beside the position, or instead of it. For this use
/// `Replay<Board>`, created by [`on`](Replay::on) and moved by [`play_with`](Replay::play_with).
#[derive(Clone, Debug)]
pub struct Replay<B = Position> {
    board: B,
    /// The board before the last move of this level.
    before: B,
    ply: u32,
    /// The states to restore when variations end, the innermost last.
    outer: SmallVec<[(B, B, u32); 2]>,
    keep: bool,
}

impl Default for Replay {
    /// Starts at the usual start position, without variations.
    fn default() -> Replay {
        Replay::on(Position::start(), false)
    }
}

impl Replay {
    /// Starts at the beginning of a game.
    #[must_use]
    pub fn new(game: &Game) -> Replay {
        Replay::on(game.start_position(), game.variation_count() > 0)
    }

    /// Restarts with another game and keeps the buffers.
    pub fn restart(&mut self, game: &Game) {
        self.restart_on(game.start_position(), game.variation_count() > 0);
    }

    /// Returns the position after all tokens so far.
    #[must_use]
    #[inline]
    pub fn position(&self) -> &Position {
        &self.board
    }

    /// Plays a move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.play_with(|position| position.apply(m));
    }

    /// Processes the next token.
    #[inline]
    pub fn step(&mut self, token: Token<'_>) {
        match token {
            Token::Move(m) => self.play(m),
            Token::VariationStart => self.start_variation(),
            Token::VariationEnd => self.end_variation(),
            Token::Nag(_) | Token::Comment(_) => {}
        }
    }
}

impl<B: Copy> Replay<B> {
    /// Starts a line on this board. The board before each move is kept only if there may be
    /// variations.
    #[must_use]
    pub fn on(board: B, variations: bool) -> Replay<B> {
        Replay { board, before: board, ply: 0, outer: SmallVec::new(), keep: variations }
    }

    /// Restarts with another line and keeps the buffers; see [`on`](Replay::on).
    pub fn restart_on(&mut self, board: B, variations: bool) {
        self.board = board;
        self.before = board;
        self.ply = 0;
        self.outer.clear();
        self.keep = variations;
    }

    /// Returns whether the board before each move is kept.
    #[must_use]
    #[inline]
    pub fn keeps_before(&self) -> bool {
        self.keep
    }

    /// Keeps the board before each move from now on. `before` is the board before the last move.
    ///
    /// A reader of a stream calls it at the first variation. Lines without variations then cost no
    /// copies of the board.
    #[inline]
    pub fn keep_before(&mut self, before: B) {
        self.before = before;
        self.keep = true;
    }

    /// Returns the board after all moves so far.
    #[must_use]
    #[inline]
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Returns the board before the last move of this line, if there may be variations.
    #[must_use]
    #[inline]
    pub fn before(&self) -> &B {
        &self.before
    }

    /// Returns the number of plies from the start, on this line.
    #[must_use]
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the number of open variations.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Plays a move by calling `play`, and returns its result.
    #[inline]
    pub fn play_with<T>(&mut self, play: impl FnOnce(&mut B) -> T) -> T {
        if self.keep {
            self.before = self.board;
        }
        self.ply = self.ply.saturating_add(1);
        play(&mut self.board)
    }

    /// Starts a variation: returns to the board before the last move of this line.
    #[inline]
    pub fn start_variation(&mut self) {
        self.outer.push((self.board, self.before, self.ply));
        self.board = self.before;
        self.ply = self.ply.saturating_sub(1);
    }

    /// Ends the innermost variation: returns to the board where it started.
    #[inline]
    pub fn end_variation(&mut self) {
        if let Some(outer) = self.outer.pop() {
            (self.board, self.before, self.ply) = outer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::square::Square;

    #[test]
    fn replay_variations_restores_positions() {
        // 1. e4 (1. d4 d5 (1... Nf6)) 1... e5
        let mut game = Game::new();
        let m = |text: &str| text.parse().unwrap();
        game.push_move(m("e2e4"));
        game.start_variation().unwrap();
        game.push_move(m("d2d4"));
        game.push_move(m("d7d5"));
        game.start_variation().unwrap();
        game.push_move(m("g8f6"));
        game.end_variation().unwrap();
        game.end_variation().unwrap();
        game.push_move(m("e7e5"));
        let mut replay = Replay::new(&game);
        for token in game.tokens() {
            if let Token::Move(m) = token {
                assert!(replay.position().is_legal(m), "{m}");
            }
            replay.step(token);
        }
        assert_eq!((replay.ply(), replay.depth()), (2, 0));
        assert!(replay.position().piece_at(Square::E5).is_some());
        assert!(replay.position().piece_at(Square::D4).is_none());
    }

    #[test]
    fn keep_before_at_first_variation_returns_to_given_board() {
        let mut replay = Replay::on(0, false);
        for _ in 0..2 {
            replay.play_with(|board| *board += 1);
        }
        assert!(!replay.keeps_before());
        replay.keep_before(1);
        replay.start_variation();
        assert_eq!((*replay.board(), replay.ply(), replay.keeps_before()), (1, 1, true));
        replay.play_with(|board| *board += 10);
        replay.play_with(|board| *board += 10);
        assert_eq!((*replay.before(), replay.ply()), (11, 3));
        replay.end_variation();
        replay.play_with(|board| *board += 1);
        assert_eq!((*replay.board(), *replay.before(), replay.ply()), (3, 2, 3));
    }

    #[test]
    fn replay_deep_variations_restores_all_levels() {
        // Deeper than the levels that are stored without allocation.
        let mut replay = Replay::on(0, true);
        for depth in 0..10 {
            replay.play_with(|board| *board += 1);
            replay.play_with(|board| *board += 1);
            replay.start_variation();
            assert_eq!((*replay.board(), replay.depth()), (depth + 1, depth as usize + 1));
        }
        for depth in (0..10).rev() {
            replay.end_variation();
            assert_eq!((*replay.board(), replay.depth()), (depth + 2, depth as usize));
        }
    }

    #[test]
    fn replay_on_custom_board_follows_moves() {
        // The list of moves serves as a board.
        let mut replay = Replay::on([0; 3], true);
        let play = |replay: &mut Replay<[u8; 3]>, m| {
            let place = replay.ply() as usize;
            replay.play_with(|board| board[place] = m);
        };
        play(&mut replay, 1);
        play(&mut replay, 2);
        replay.start_variation();
        assert_eq!((replay.board(), replay.ply(), replay.depth()), (&[1, 0, 0], 1, 1));
        play(&mut replay, 3);
        replay.end_variation();
        assert_eq!((replay.board(), replay.before()), (&[1, 2, 0], &[1, 0, 0]));
        replay.end_variation();
        play(&mut replay, 4);
        assert_eq!((replay.board(), replay.ply(), replay.depth()), (&[1, 2, 4], 3, 0));
    }
}
