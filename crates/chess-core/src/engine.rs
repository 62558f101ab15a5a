//! Moves in the notation of chess engines.

use crate::moves::Move;
use crate::piece::Color;
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Converts the move to standard UCI. Castling in standard chess becomes the king's two-square
    /// move (`e1g1`). All other moves, including castling in Chess960, are as in [`Move`].
    #[must_use]
    #[inline]
    pub fn engine_move(&self, m: Move) -> Move {
        let Some(side) = self.castling_side(m) else { return m };
        let color = if m.from().rank() == 0 { Color::White } else { Color::Black };
        let usual = m.from() == color.king_home() && m.to() == side.corner(color);
        if !usual || self.is_chess960() {
            return m;
        }
        let rank = m.from().index() & !7;
        Move::new(m.from(), Square::from_low_bits(rank | side.king_file()))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn engine_castling_standard_is_two_square_king_move() {
        let named = |fen: &str, m: &str| {
            let position: Position = fen.parse().unwrap();
            position.engine_move(m.parse().unwrap()).to_string()
        };
        let usual = "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(named(usual, "e1h1"), "e1g1");
        assert_eq!(named(usual, "e1a1"), "e1c1");
        assert_eq!(named(&usual.replace('w', "b"), "e8a8"), "e8c8");
        for same in ["e1e2", "a7b8n", "0000"] {
            assert_eq!(named(usual, same), same);
        }
        assert_eq!(named("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "f1g1");
        assert_eq!(named("4k3/8/8/8/8/8/8/1R2K2R w BH - 0 1", "e1h1"), "e1h1");
    }
}
