//! Move statistics of a game, as the index stores them. (scid §2.5 "Derived fields")

use chess_core::{Bitboard, Color, Move, Role, Square};

use crate::bits::low_16;
use crate::board::Board;
use crate::index::{Counts, Derived};
use crate::layout::flag;
use crate::opening_lines::LongestLine;
use crate::search::home_pawn;

/// The move statistics in the index entry of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GameStatistics {
    /// The counts of all lines.
    pub(crate) counts: Counts,
    /// The statistics of the main line.
    pub(crate) derived: Derived,
    /// The flags derived from the game: own start, promotions.
    pub(crate) flags: u32,
    /// Whether the game has Chess960 castling.
    pub(crate) chess960: bool,
}

/// The squares pawns start on.
const HOME: Bitboard = Bitboard(0x00ff_0000_0000_ff00);

/// Collects the statistics of the main line, move by move.
pub(crate) struct MainLineStatistics {
    plies: u32,
    promotions: u32,
    /// The squares of pawns that have not left home; none in a game with its own start position.
    at_home: Bitboard,
    /// The number of pawns that left home, and their order, a nibble each from the top.
    left: u8,
    nibbles: u64,
    opening: LongestLine,
}

impl MainLineStatistics {
    pub(crate) fn new(own_start: bool) -> MainLineStatistics {
        let (at_home, opening) = match own_start {
            true => (Bitboard::EMPTY, LongestLine::none()),
            false => (HOME, LongestLine::new()),
        };
        MainLineStatistics { plies: 0, promotions: 0, at_home, left: 0, nibbles: 0, opening }
    }

    /// Adds a move, given the board after it.
    #[inline(always)] // once a ply
    pub(crate) fn add(&mut self, m: Move, after: &Board) {
        self.plies = self.plies.wrapping_add(1);
        self.opening.play(m);
        if let Some(role) = m.promotion() {
            self.promotions |= flag::PROMOTION;
            if role != Role::Queen {
                self.promotions |= flag::UNDER_PROMOTION;
            }
        }
        let home = self.at_home;
        if home.contains(m.from()) | home.contains(m.to()) | home.contains(beside(m)) {
            self.leave_home(after, m);
        }
    }

    /// A pawn leaves home from the origin of a move, or is captured on its target or, by an illegal
    /// move, en passant.
    fn leave_home(&mut self, after: &Board, m: Move) {
        for square in [m.from(), m.to(), beside(m)] {
            let Some((color, number)) = home_pawn(square) else { continue };
            if self.at_home.contains(square) && !after.cell(square).is(Role::Pawn, color) {
                self.at_home &= !Bitboard::of(square);
                let shift = 60u32.saturating_sub(u32::from(self.left).saturating_mul(4));
                self.nibbles |= u64::from(number) << shift;
                self.left = self.left.saturating_add(1);
            }
        }
    }

    /// Adds the statistics of the main line to a game's statistics.
    pub(crate) fn finish(&self, end: &Board, game: &mut GameStatistics) {
        game.flags |= self.promotions;
        game.derived = Derived {
            opening_line: self.opening.code(),
            material: material(end),
            plies: low_16(self.plies & 0x3ff),
            home_pawn_count: self.left,
            home_pawns: self.nibbles.to_be_bytes(),
        };
    }
}

/// The square of a pawn captured en passant.
#[inline]
fn beside(m: Move) -> Square {
    m.to().with_rank(m.from().rank())
}

/// Piece counts in 24 bits, White's first: two bits each for queens, rooks, bishops and knights, at
/// most 3, and four bits for pawns.
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
