//! What the index tells of the positions of a game. (scid §2.5 "Derived fields")

use chess_core::{Color, Position, Role, Square};

use crate::index::{Derived, IndexEntry};
use crate::layout::flag;

impl IndexEntry {
    /// Whether the game could reach a position on its main line. `true` when in doubt: for a game
    /// with its own start position, whose fields are often stale, and for one whose fields were
    /// never filled in.
    #[must_use]
    pub fn may_reach(&self, position: &Position) -> bool {
        let derived = &self.derived;
        let own_start = self.flags & flag::OWN_START != 0;
        if own_start || derived.home_pawn_count == 0 || derived.material == 0 {
            return true;
        }
        enough_pawns(derived.material, position) && home_pawns_fit(derived, position)
    }
}

/// Pawns only grow fewer: the position must have at least those of the end.
fn enough_pawns(material: u32, position: &Position) -> bool {
    let count = |color| position.pieces(Role::Pawn, color).count();
    count(Color::White) >= material >> 12 & 15 && count(Color::Black) >= material & 15
}

/// The home pawns that are gone must be the first ones to go in the game.
fn home_pawns_fit(derived: &Derived, position: &Position) -> bool {
    let gone = home_pawns_gone(position);
    let count = gone.count_ones() as usize;
    if count > usize::from(derived.home_pawn_count) {
        return false;
    }
    let nibbles = derived.home_pawns.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.take(count).fold(0u16, |set, pawn| set | 1 << pawn) == gone
}

/// The home pawns that are not at home, a bit each: 15 for a2 down to 8 for h2, 7 for a7 down to
/// 0 for h7.
fn home_pawns_gone(position: &Position) -> u16 {
    home_pawn_squares()
        .filter(|(square, color, _)| !position.pieces(Role::Pawn, *color).contains(*square))
        .fold(0, |set, (_, _, number)| set | 1 << (number & 15))
}

/// Every home pawn: its square, its colour, its number in the index.
fn home_pawn_squares() -> impl Iterator<Item = (Square, Color, u8)> {
    Square::all().filter_map(|square| {
        let (color, number) = home_pawn(square)?;
        Some((square, color, number))
    })
}

/// Whose pawn begins on a square, and its number: a2 = 15 to h2 = 8, a7 = 7 to h7 = 0.
/// (scid §2.5 "Derived fields")
#[inline]
pub(crate) const fn home_pawn(square: Square) -> Option<(Color, u8)> {
    match square.rank() {
        1 => Some((Color::White, 15 ^ square.file())),
        6 => Some((Color::Black, 7 ^ square.file())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1. e4 d5 2. exd5: e2 went, d7 went, nothing else.
    fn entry() -> IndexEntry {
        let mut entry = IndexEntry::default();
        entry.derived.material = 0x6a_86a8 - 1; // Black lost a pawn
        entry.derived.home_pawn_count = 2;
        entry.derived.home_pawns = [0xb4, 0, 0, 0, 0, 0, 0, 0];
        entry
    }

    fn reaches(moves: &[&str]) -> bool {
        let mut position = Position::start();
        for m in moves {
            position.apply(m.parse().unwrap());
        }
        entry().may_reach(&position)
    }

    #[test]
    fn positions_of_the_game_are_never_ruled_out() {
        for length in 0..=3 {
            assert!(reaches(&["e2e4", "d7d5", "e4d5"][..length]));
        }
    }

    #[test]
    fn others_are() {
        assert!(!reaches(&["d2d4"]));
        assert!(!reaches(&["g1f3", "d7d5"]));
        assert!(!reaches(&["e2e4", "d7d5", "e4d5", "d8d5"]));
        assert!(!reaches(&["e2e4", "d7d5", "e4d5", "c7c6"]));
    }

    #[test]
    fn doubt_rules_nothing_out() {
        let mut position = Position::start();
        position.apply("d2d4".parse().unwrap());
        let mut own_start = entry();
        own_start.flags = flag::OWN_START;
        assert!(own_start.may_reach(&position));
        assert!(IndexEntry::default().may_reach(&position));
    }
}
