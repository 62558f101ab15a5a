//! What the index says of a game's main line. (scid §2.5 "Derived fields")

use chess_core::{Bitboard, Color, Move, Role};

use crate::board::Board;
use crate::encode::Summary;
use crate::index::Derived;
use crate::layout::flag;
use crate::search::home_pawn;

/// The squares pawns start on.
const HOME: Bitboard = Bitboard(0x00ff_0000_0000_ff00);

/// Gathers it, move by move.
pub(crate) struct MainLine {
    plies: u32,
    /// Where pawns stand that have not left home yet; nowhere in a game with a start of its own.
    at_home: Bitboard,
    left: u8,
    nibbles: u64,
}

impl MainLine {
    pub(crate) fn new(own_start: bool) -> MainLine {
        let at_home = if own_start { Bitboard::EMPTY } else { HOME };
        MainLine { plies: 0, at_home, left: 0, nibbles: 0 }
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
        if (self.at_home & (Bitboard::of(m.from()) | Bitboard::of(m.to()))).has_any() {
            self.leave_home(after, m);
        }
    }

    /// A pawn leaves home from where a move begins or, being taken, where it ends.
    fn leave_home(&mut self, after: &Board, m: Move) {
        for square in [m.from(), m.to()] {
            let Some((color, number)) = home_pawn(square) else { continue };
            if self.at_home.contains(square) && !after.cell(square).is(Role::Pawn, color) {
                self.at_home &= !Bitboard::of(square);
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
