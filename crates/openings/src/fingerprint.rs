//! Fingerprints of positions.

use chess_core::{Bitboard, Color, Position, Role};

/// Odd constants with bits in no order: the fractional parts of square roots of primes.
const KEYS: [u64; 7] = [
    0x6a09_e667_f3bc_c909,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
];

/// Returns a fingerprint of the pieces, the side to move, the castling rights and the legal en
/// passant capture. The clocks do not count.
///
/// The table is sorted by it, so a change of this function changes the table.
#[must_use]
#[inline]
pub fn fingerprint(position: &Position) -> u64 {
    let role = |role| position.role(role);
    let (pawns, bishops, queens) = (role(Role::Pawn), role(Role::Bishop), role(Role::Queen));
    let (knights, rooks, kings) = (role(Role::Knight), role(Role::Rook), role(Role::King));
    // The number of a role, from 1 to 6, in three bits for each square.
    let low = pawns | bishops | queens;
    let middle = knights | bishops | kings;
    let high = rooks | queens | kings;
    let white = position.color(Color::White);
    let en_passant = position.legal_en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
    let black_moves = u64::from(position.turn() == Color::Black);
    let [a, b, c, d, e, f, g] = KEYS;
    let pieces = fold(low.0 ^ a, middle.0 ^ b) ^ fold(high.0 ^ c, white.0 ^ d).rotate_left(32);
    // No en passant square is on the first rank.
    fold(pieces ^ e, fold(position.castling_rooks().0 ^ f, (en_passant.0 | black_moves) ^ g))
}

/// Multiplies to 128 bits and folds both halves.
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one).wrapping_mul(u128::from(other));
    let [high, low] = [product >> 64, product & u128::from(u64::MAX)];
    u64::try_from(high ^ low).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_depends_on_each_field_but_clocks() {
        let of = |fen: &str| fingerprint(&Position::from_fen(fen).unwrap());
        let base = of("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1");
        for other in [
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQk e3 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2N b Qkq e3 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2r b Qkq e3 0 1",
            "r3k2r/8/8/8/3PP3/8/8/R3K2R b KQkq - 0 1",
        ] {
            assert_ne!(of(other), base, "{other}");
        }
        assert_eq!(of("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 9 40"), base);
        // Nobody can capture.
        let idle = ["e3", "-"].map(|field| of(&alloc_fen(field)));
        assert_eq!(idle[0], idle[1]);
    }

    fn alloc_fen(en_passant: &str) -> std::string::String {
        std::format!("4k3/8/8/8/4P3/8/8/4K3 b - {en_passant} 0 1")
    }

    extern crate std;
}
