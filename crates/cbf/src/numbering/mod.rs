//! How the format numbers the moves of a position, and back.
//!
//! cbf §6 "Move numbering": own pieces in the order a1, a2, ... a8, b1, ... h8, each with its
//! targets in an order of its own; checks do not matter. No list of moves is made. Counting finds
//! the file that a number falls to ([`counts`]), then the piece, then its ray or step ([`board`]).

mod board;
mod counts;
mod groups;
mod lines;
mod pawns;
mod rays;
mod steps;

use chess_core::{Move, PerSquare, Position, Role};

use board::Board;
pub(crate) use board::Targets;
use counts::Ranks;
use groups::Sums;

/// What a reader starts with.
pub(crate) const NO_TARGETS: Targets = PerSquare([Sums::NONE; 64]);

/// Which of the numberings that different programs are believed to have used.
/// cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// With no en passant on, pawns of the a-file on their fifth rank take an extra number.
    pub(crate) edge_pawn: bool,
    /// Castling leaves the en passant file in force.
    pub(crate) stale_file: bool,
    /// A number that stands for no move means the next one.
    pub(crate) next_after_phantom: bool,
    /// En passant that castling has delayed is a move, where its target is empty and an enemy pawn
    /// stands beside.
    pub(crate) late_capture: bool,
}

impl Rules {
    /// What the format is believed to be.
    pub(crate) const USUAL: Rules =
        Rules { edge_pawn: true, stale_file: true, next_after_phantom: false, late_capture: false };

    /// What a writer numbers by: moves that only a lenient reader plays have a number too.
    pub(crate) const WRITTEN: Rules = Rules { late_capture: true, ..Rules::USUAL };
}

/// What a number means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A move that fits the pieces.
    Move(Move),
    /// An en passant capture that these rules do not play: the number stands for no move.
    Phantom,
    /// The number is beyond the last one: so many there are, or 255 if there are more.
    Beyond(u8),
}

/// A position, and the one thing more that its move numbers depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberedPosition {
    pub(crate) position: Position,
    /// File (1 = a) of the pawn that jumped last, or 0. cbf §6.2 "En passant"
    pub(crate) passing_file: u8,
}

impl NumberedPosition {
    /// Plays a move.
    #[inline]
    pub(crate) fn play(&mut self, m: Move, rules: Rules) {
        let (from, to) = (m.from(), m.to());
        // No branches: the processor cannot predict what kind of move this is.
        let jumps = (from.index().abs_diff(to.index()) == 16)
            & self.position.role(Role::Pawn).contains(from);
        let castles = self.position.color(self.position.turn()).contains(to);
        let kept = if castles & rules.stale_file { self.passing_file } else { 0 };
        self.passing_file = if jumps { from.file().wrapping_add(1) } else { kept };
        self.position.apply(m);
    }

    /// Whether the rules allow a move that has a number.
    #[inline]
    pub(crate) fn allows(&self, m: Move) -> bool {
        if self.position.color(self.position.turn()).contains(m.to()) {
            self.position.is_legal(m)
        } else {
            self.position.leaves_king_safe(m)
        }
    }

    /// Whether a move that has a number is en passant that castling has delayed.
    #[inline]
    pub(crate) fn is_late(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        from.file() != to.file()
            && self.position.role(Role::Pawn).contains(from)
            && !self.position.occupied().contains(to)
            && self.position.en_passant() != Some(to)
    }

    /// What a number means; numbers count from 1, and this is at most 128. `targets` may hold
    /// anything.
    #[inline]
    pub(crate) fn meaning(&self, number: u8, rules: Rules, targets: &mut Targets) -> Meaning {
        let board = Board::new(self, rules);
        let mut ranks = Ranks::NONE;
        let files = board.count(&mut ranks, targets);
        match files.find(number.into(), &ranks) {
            Ok((from, n)) => board.nth(from, n, targets),
            Err(total) => Meaning::Beyond(u8::try_from(total).unwrap_or(u8::MAX)),
        }
    }

    /// The number of a move, from 1. `None` if the pieces do not move like that here.
    #[inline]
    pub(crate) fn number(&self, m: Move, rules: Rules) -> Option<u32> {
        let piece = self.position.piece_at(m.from())?;
        if piece.color() != self.position.turn() {
            return None;
        }
        let board = Board::new(self, rules);
        let within = board.index_of(m, piece.role())?;
        Some(board.count_before(m.from()).wrapping_add(within))
    }

    /// How many numbers the position has.
    #[cfg(test)]
    pub(crate) fn total(&self, rules: Rules) -> u32 {
        let mut ranks = Ranks::NONE;
        Board::new(self, rules).count(&mut ranks, &mut NO_TARGETS.clone()).total()
    }
}

#[cfg(test)]
mod tests;
