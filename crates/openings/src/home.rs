//! Pawns at home.

use chess_core::{Bitboard, Color, Position, Role};

/// Returns the files of the pawns that have not moved, if they began on their usual rank: White's in
/// bits 0 to 7, Black's in bits 8 to 15.
#[must_use]
#[inline]
pub fn home_pawns(position: &Position) -> u16 {
    let pawns = |color, rank| position.pieces(Role::Pawn, color) & Bitboard::rank(rank);
    let (white, black) = (pawns(Color::White, 1).0 >> 8, pawns(Color::Black, 6).0 >> 40);
    u16::try_from(white | black).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_pawns_are_those_of_each_side_on_its_own_rank() {
        let of = |fen: &str| home_pawns(&Position::from_fen(fen).unwrap());
        assert_eq!(of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0xffff);
        assert_eq!(of("4k3/P6p/8/8/8/8/pP6/4K3 w - - 0 1"), 0x8002);
    }
}
