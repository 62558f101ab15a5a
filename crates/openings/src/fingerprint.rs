//! Fingerprints of positions.
//!
//! A fingerprint is a sum of products of bitboards and keys, modulo a prime. So what a piece adds to it
//! depends on nothing else, and a [`Board`](crate::board::Board) need not compute it anew after a move.

use chess_core::{Bitboard, Color, PerSquare, Position, Role};

/// The greatest prime below 2⁶⁴.
const MODULUS: u64 = u64::MAX - 58;
/// 2⁶⁴ modulo [`MODULUS`].
const FOLD: u64 = 59;

// Bits in no order: the first 60 bits of the fractional parts of square roots of primes. Nine products of
// 60 and 64 bits have a sum below 2¹²⁸.
const PAWN: u64 = 0x06a0_9e66_7f3b_cc90;
const KNIGHT: u64 = 0x0bb6_7ae8_584c_aa73;
const BISHOP: u64 = 0x03c6_ef37_2fe9_4f82;
const ROOK: u64 = 0x0a54_ff53_a5f1_d36f;
const QUEEN: u64 = 0x0510_e527_fade_682d;
const KING: u64 = 0x09b0_5688_c2b3_e6c1;
/// The key of all white pieces.
const WHITE: u64 = 0x01f8_3d9a_bfb4_1bd6;
/// The key of the rooks that may castle.
const CASTLING: u64 = 0x05be_0cd1_9137_e217;
/// The key of the en passant square, and of [`BLACK_MOVES`].
const STATE: u64 = 0x0cbb_b9d5_dc10_59ed;
/// Black is to move. No en passant square is on the first rank.
const BLACK_MOVES: u64 = 1;

/// Returns a fingerprint of the pieces, the side to move, the castling rights and the legal en
/// passant capture. The clocks do not count.
///
/// The table is sorted by it, so a change of this function changes the table.
#[must_use]
#[inline]
pub fn fingerprint(position: &Position) -> u64 {
    let en_passant = position.legal_en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
    let black_moves = if position.turn() == Color::Black { BLACK_MOVES } else { 0 };
    let parts = [
        (position.role(Role::Pawn).0, PAWN),
        (position.role(Role::Knight).0, KNIGHT),
        (position.role(Role::Bishop).0, BISHOP),
        (position.role(Role::Rook).0, ROOK),
        (position.role(Role::Queen).0, QUEEN),
        (position.role(Role::King).0, KING),
        (position.color(Color::White).0, WHITE),
        (position.castling_rooks().0, CASTLING),
        (en_passant.0 | black_moves, STATE),
    ];
    reduce(parts.iter().fold(0, |sum, (bits, key)| product(*bits, *key).wrapping_add(sum)))
}

/// Returns the summand of a piece on each square.
pub(crate) const fn of_piece(role: Role, color: Color) -> PerSquare<u64> {
    let key = match role {
        Role::Pawn => PAWN,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    };
    of_each_square(match color {
        Color::White => key.wrapping_add(WHITE),
        Color::Black => key,
    })
}

/// By square: the summand of the castling right of a rook.
pub(crate) static OF_CASTLING: PerSquare<u64> = of_each_square(CASTLING);
/// By square: the summand of a legal en passant capture.
pub(crate) static OF_EN_PASSANT: PerSquare<u64> = of_each_square(STATE);
/// The change at the end of a move, of White and of Black.
pub(crate) static OF_TURN: [u64; 2] = {
    let black_moves = reduce(product(BLACK_MOVES, STATE));
    [black_moves, difference(0, black_moves)]
};

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "computed when compiling, which fails on any of these"
)]
const fn of_each_square(key: u64) -> PerSquare<u64> {
    let mut all = [0; 64];
    let mut square = 0;
    while square < all.len() {
        all[square] = reduce(product(1 << square, key));
        square += 1;
    }
    PerSquare(all)
}

/// Returns a sum modulo [`MODULUS`] of numbers below it.
#[inline]
pub(crate) const fn sum(one: u64, other: u64) -> u64 {
    difference(one, MODULUS.wrapping_sub(other))
}

/// Returns a difference modulo [`MODULUS`] of numbers up to it.
#[inline]
pub(crate) const fn difference(one: u64, other: u64) -> u64 {
    let (difference, borrow) = one.overflowing_sub(other);
    if borrow { difference.wrapping_add(MODULUS) } else { difference }
}

const fn product(bits: u64, key: u64) -> u128 {
    (bits as u128).wrapping_mul(key as u128)
}

/// Returns a number modulo [`MODULUS`].
#[inline]
const fn reduce(number: u128) -> u64 {
    // The first sum is below 2⁷¹, the second one below 2⁶⁴ + 2¹⁴.
    let [low, high] = halves(number);
    let [low, high] = halves(product(high, FOLD).wrapping_add(low as u128));
    let (sum, carry) = low.overflowing_add(high.wrapping_mul(FOLD));
    if carry || sum >= MODULUS { sum.wrapping_sub(MODULUS) } else { sum }
}

#[allow(clippy::cast_possible_truncation, reason = "the halves of a number")]
const fn halves(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
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

    #[test]
    fn reduce_is_remainder() {
        let modulus = u128::from(MODULUS);
        let near = |number: u128| (0..200).map(move |n| number.wrapping_sub(100).wrapping_add(n));
        for number in
            (0..8).map(|n| modulus.wrapping_mul(n)).chain([1 << 64, 1 << 70]).flat_map(near)
        {
            assert_eq!(u128::from(reduce(number)), number % modulus, "{number}");
        }
    }

    #[test]
    fn sum_and_difference_wrap_at_modulus() {
        let last = MODULUS - 1;
        assert_eq!(
            [sum(0, 0), sum(last, 0), sum(last, 1), sum(last, last)],
            [0, last, 0, last - 1]
        );
        assert_eq!([difference(0, 1), difference(5, 5), difference(0, last)], [last, 0, 1]);
    }

    fn alloc_fen(en_passant: &str) -> std::string::String {
        std::format!("4k3/8/8/8/4P3/8/8/4K3 b - {en_passant} 0 1")
    }

    extern crate std;
}
