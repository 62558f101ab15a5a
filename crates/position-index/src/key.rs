//! The number by which a position is found.

use chess_core::{Color, Position, Role, Square};

/// Odd, with as many ones as zeros.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns a hash that [equal positions](Position::same_position) share. Unlike a hash that is kept by
/// differences, it needs no table: a dozen multiplications are faster than the look-ups.
pub(crate) fn key_of(position: &Position) -> u64 {
    let passed = position.en_passant().and_then(|_| position.legal_en_passant());
    let rights = position.castling_rooks().0;
    // A square with rights is on the first or the last rank, so that there is room for the rest.
    let rest = (u64::from(position.turn() == Color::Black) << 8)
        | passed.map_or(0, |square: Square| (u64::from(square.index()) | 64) << 16);
    let roles = Role::ALL.into_iter().map(|role| position.role(role).0);
    let words = roles.chain([position.color(Color::White).0, rights ^ rest]);
    words.fold(FACTOR, |key, word| {
        let product = u128::from(key ^ word).wrapping_mul(u128::from(FACTOR | 1));
        let (high, low) = ((product >> 64) as u64, (key ^ word).wrapping_mul(FACTOR));
        (high ^ low).rotate_left(23).wrapping_add(FACTOR)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(fen: &str) -> u64 {
        key_of(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn key_of_same_positions_is_equal_and_of_others_differs() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let keys = [
            key(&format!("{start} w KQkq - 0 1")),
            key(&format!("{start} b KQkq - 0 1")),
            key(&format!("{start} w KQk - 0 1")),
            key(&format!("{start} w - - 0 1")),
            key("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1"),
            key("4k3/8/8/8/4Pp2/8/8/4K3 b - - 0 1"),
            key("4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1"),
        ];
        for (place, one) in keys.iter().enumerate() {
            assert!(keys.iter().skip(place + 1).all(|other| one != other), "{place}");
        }
        assert_eq!(key(&format!("{start} w KQkq - 7 9")), keys[0]);
        // Nobody can capture there, or only by exposing the king.
        assert_eq!(key("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
        assert_eq!(
            key("8/8/8/8/k3Pp1R/8/8/4K3 b - e3 0 1"),
            key("8/8/8/8/k3Pp1R/8/8/4K3 b - - 0 1")
        );
    }
}
