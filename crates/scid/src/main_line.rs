//! What the index says of a game's main line. (scid §2.5 "Derived fields")

use chess_core::{Color, Move, Role};

use crate::board::Board;
use crate::encode::Summary;
use crate::index::Derived;
use crate::layout::flag;
use crate::search::home_pawn;

/// Gathers what the index says of the main line. (scid §2.5 "Derived fields")
pub(crate) struct MainLine {
    own_start: bool,
    plies: u32,
    /// Home pawns that are still at home, a bit a number.
    at_home: u16,
    left: u8,
    nibbles: u64,
}

impl MainLine {
    pub(crate) fn new(own_start: bool) -> MainLine {
        MainLine { own_start, plies: 0, at_home: u16::MAX, left: 0, nibbles: 0 }
    }

    #[inline]
    pub(crate) fn note(&mut self, after: &Board, m: Move, summary: &mut Summary) {
        self.plies = self.plies.saturating_add(1);
        if let Some(role) = m.promotion() {
            summary.flags |= flag::PROMOTION;
            if role != Role::Queen {
                summary.flags |= flag::UNDER_PROMOTION;
            }
        }
        if self.own_start {
            return;
        }
        // A pawn leaves home from where the move begins or where it ends.
        for square in [m.from(), m.to()] {
            let Some((color, number)) = home_pawn(square) else { continue };
            let bit = 1u16 << (number & 15);
            if self.at_home & bit != 0 && !after.cell(square).is(Role::Pawn, color) {
                self.at_home &= !bit;
                let shift = 60u32.saturating_sub(u32::from(self.left).saturating_mul(4));
                self.nibbles |= u64::from(number) << shift;
                self.left = self.left.saturating_add(1);
            }
        }
    }

    pub(crate) fn finish(&self, end: &Board, derived: &mut Derived) {
        *derived = Derived {
            stored_line: 0,
            material: material(end),
            plies: u16::try_from(self.plies & 0x3ff).unwrap_or(0),
            home_pawn_count: self.left,
            home_pawns: self.nibbles.to_be_bytes(),
        };
    }
}

/// Piece counts in 24 bits: two bits each for queens, rooks, bishops and knights, at most 3, and
/// four for pawns; White's first.
fn material(board: &Board) -> u32 {
    let roles = [
        (Role::Queen, 2, 3),
        (Role::Rook, 2, 3),
        (Role::Bishop, 2, 3),
        (Role::Knight, 2, 3),
        (Role::Pawn, 4, 15),
    ];
    let census = board.census();
    Color::ALL.into_iter().fold(0, |all, color| {
        roles.into_iter().fold(all, |all, (role, bits, most)| {
            all << bits | u32::from(census.count(role, color)).min(most)
        })
    })
}
