//! Walking a game's tokens with the position at hand.

use alloc::vec::Vec;

use crate::game::{Game, Token};
use crate::moves::Move;
use crate::position::Position;

/// Follows a game token by token and knows the position, into variations and out again.
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
#[derive(Clone, Debug)]
pub struct Replay {
    position: Position,
    /// The position before the last move of this level.
    before: Position,
    ply: u32,
    /// What to come back to when the innermost variation ends.
    stack: Vec<(Position, Position, u32)>,
    keep: bool,
}

impl Replay {
    /// At the start of a game.
    #[must_use]
    pub fn new(game: &Game) -> Replay {
        let position = game.start_position();
        Replay {
            position,
            before: position,
            ply: 0,
            stack: Vec::new(),
            keep: game.variation_count() > 0,
        }
    }

    /// To the start of another game, keeping the memory.
    pub fn restart(&mut self, game: &Game) {
        self.position = game.start_position();
        self.before = self.position;
        self.ply = 0;
        self.stack.clear();
        self.keep = game.variation_count() > 0;
    }

    /// The position after all tokens so far.
    #[must_use]
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Half-moves from the start to here, on this line.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// How many variations are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Plays a move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        if self.keep {
            self.before = self.position;
        }
        self.position.apply(m);
        self.ply = self.ply.saturating_add(1);
    }

    /// Takes the next token.
    #[inline]
    pub fn step(&mut self, token: Token<'_>) {
        match token {
            Token::Move(m) => self.play(m),
            Token::VariationStart => {
                self.stack.push((self.position, self.before, self.ply));
                self.position = self.before;
                self.ply = self.ply.saturating_sub(1);
            }
            Token::VariationEnd => {
                if let Some((position, before, ply)) = self.stack.pop() {
                    self.position = position;
                    self.before = before;
                    self.ply = ply;
                }
            }
            Token::Nag(_) | Token::Comment(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::square::Square;

    #[test]
    fn in_and_out_of_variations() {
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
}
