//! Attacks on the king, updated incrementally from move to move.

use chess_core::{Bitboard, Color, PerSquare, Role, Square, between};

/// A king and the squares from which enemy pieces would attack it on an empty board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KingGuard(&'static Guarded);

/// A square, and by role: the squares from which a piece would attack it on an empty board.
#[derive(Clone, Copy, Debug)]
struct Guarded {
    square: Square,
    attackers: [Bitboard; 7],
}

/// By the colour of the king.
static GUARDED: [PerSquare<Guarded>; 2] = [guarded(Color::White), guarded(Color::Black)];
static NOTHING: Guarded = Guarded { square: Square::A1, attackers: [Bitboard::EMPTY; 7] };

impl KingGuard {
    /// Creates the guard of a side with exactly one king. With any other number of kings, no square
    /// attacks.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    pub(crate) fn of(king: Option<Square>, color: Color) -> KingGuard {
        KingGuard(match king {
            Some(king) => &GUARDED[color as usize][king],
            None => &NOTHING,
        })
    }

    /// Returns the guard after the king moved to `to`. A guard without a king stays empty.
    #[inline]
    pub(crate) fn moved(self, to: Square, color: Color) -> KingGuard {
        if std::ptr::eq(self.0, &raw const NOTHING) {
            return self;
        }
        KingGuard::of(Some(to), color)
    }

    /// Returns the squares from which an enemy piece of this role would attack the king on an empty
    /// board.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a role is 1 to 6")]
    pub(crate) fn attackers(&self, role: Role) -> Bitboard {
        self.0.attackers[role as usize]
    }

    /// Whether a piece on any square of `from` attacks the king, given the occupied squares.
    #[inline]
    pub(crate) fn is_attacked(&self, from: Bitboard, occupied: Bitboard) -> bool {
        // `from` is empty in six positions of seven.
        from.has_any() && self.is_attacked_through(from, occupied)
    }

    #[cold]
    fn is_attacked_through(&self, mut from: Bitboard, occupied: Bitboard) -> bool {
        from.any(|square| (between(self.0.square, square) & occupied).is_empty())
    }
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "computed when compiling, which fails on any of these"
)]
const fn guarded(color: Color) -> PerSquare<Guarded> {
    let mut all = [NOTHING; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (king, from) = (pair >> 6, pair & 63);
        all[king].square = Square::from_low_bits(king as u8);
        let mut role = 0;
        while role < Role::ALL.len() {
            if attacks(Role::ALL[role], color, from, king) {
                let set = &mut all[king].attackers[Role::ALL[role] as usize];
                *set = Bitboard(set.0 | 1 << from);
            }
            role += 1;
        }
        pair += 1;
    }
    PerSquare(all)
}

/// Whether a piece on `from` attacks the king of `color` on an empty board.
const fn attacks(role: Role, color: Color, from: usize, king: usize) -> bool {
    let files = (from & 7).abs_diff(king & 7);
    let ranks = (from >> 3).abs_diff(king >> 3);
    let (straight, oblique) = ((files == 0) != (ranks == 0), files == ranks && files != 0);
    match role {
        // Enemy pawns attack from the side that the king's own pawns advance to.
        Role::Pawn => files == 1 && ranks == 1 && matches!(color, Color::White) == (from > king),
        Role::Knight => files == 1 && ranks == 2 || files == 2 && ranks == 1,
        Role::Bishop => oblique,
        Role::Rook => straight,
        Role::Queen => straight || oblique,
        Role::King => (straight || oblique) && files <= 1 && ranks <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::{Piece, PieceSets};

    #[test]
    fn guard_attackers_match_position_attacks() {
        for (color, role) in Color::ALL.into_iter().flat_map(|c| Role::ALL.map(|r| (c, r))) {
            for (king, from) in Square::all().flat_map(|k| Square::all().map(move |s| (k, s))) {
                let mut sets = PieceSets::EMPTY;
                sets.flip(Bitboard::of(from), Piece::new(role, !color));
                let attackers = KingGuard::of(Some(king), color).attackers(role).contains(from);
                assert_eq!(
                    attackers,
                    sets.aligned(king, !color).has_any(),
                    "{role:?} {from} {king}"
                );
            }
            assert!(KingGuard::of(None, color).attackers(role).is_empty());
            assert!(KingGuard::of(None, color).moved(Square::E4, color).attackers(role).is_empty());
        }
    }

    #[test]
    fn guard_blocked_line_is_not_attacked() {
        let guard = KingGuard::of(Some(Square::E1), Color::White);
        let of = Bitboard::of;
        let threats = of(Square::E8) | of(Square::H4);
        assert!(!guard.is_attacked(threats, of(Square::E4) | of(Square::F2) | threats));
        assert!(guard.is_attacked(threats, of(Square::E4) | threats));
        assert!(!guard.is_attacked(Bitboard::EMPTY, Bitboard::EMPTY));
    }
}
