//! Converts between a move and its number in a position.
//!
//! # What is numbered
//!
//! cbf §6 "Move numbering": own pieces in the order a1, a2, ... a8, b1, ... h8, each with its
//! targets in an order of its own; checks do not matter. A record stores each move as its index,
//! from 1, in this list of pseudo-legal moves.
//!
//! In the start position White's list has 20 entries:
//!
//! | numbers | piece | moves, in order |
//! |---|---|---|
//! | 1, 2 | pawn a2 | a4, a3 |
//! | 3, 4 | knight b1 | Na3, Nc3 |
//! | 5, 6 | pawn b2 | b4, b3 |
//! | 7, 8 | pawn c2 | c4, c3 |
//! | 9, 10 | pawn d2 | d4, d3 |
//! | 11, 12 | pawn e2 | e4, e3 |
//! | 13, 14 | pawn f2 | f4, f3 |
//! | 15, 16 | knight g1 | Nf3, Nh3 |
//! | 17, 18 | pawn g2 | g4, g3 |
//! | 19, 20 | pawn h2 | h4, h3 |
//!
//! # Why sums
//!
//! To find the move with number `n`, a decoder could build this list and index it. Most of that
//! work is wasted, because only one entry is used. This module counts the moves of each piece
//! instead and never builds the list. It keeps *prefix sums* of the counts: entry `i` is the number
//! of moves in groups 0 to `i`. The group that holds move `n` is then the first whose prefix sum is
//! at least `n`. The rank of the move within the group is `n` minus the prefix sum before it.
//!
//! The search takes three steps, each over eight groups:
//!
//! 1. The **file** of the piece. `Files` holds the prefix sums of the eight files.
//! 2. The **rank** of the piece. `Ranks` holds the prefix sums of the eight ranks on each file.
//! 3. The **direction** of the move. `Targets` holds, for each piece, the prefix sums of its eight
//!    directions (sliders) or steps (knight, king). A pawn has four kinds of moves.
//!
//! Number 11 in the start position:
//!
//! ```text
//! file             a   b   c   d   e   f   g   h
//! moves            2   4   2   2   2   2   4   2
//! prefix sums      2   6   8  10  12  14  18  20   first sum >= 11: file e;  11 - 10 = 1
//!
//! rank on file e   1   2   3   4   5   6   7   8
//! moves            0   2   0   0   0   0   0   0
//! prefix sums      0   2   2   2   2   2   2   2   first sum >= 1: rank 2;   1 - 0 = 1
//!
//! pawn e2          double  single  left  right
//! moves               1       1      0     0
//! prefix sums         1       2      2     2       first sum >= 1: double step
//! ```
//!
//! Move 11 is therefore e2-e4. For a slider, what is left of `n` after the third step is the
//! distance along the ray, since a ray has no gaps. The reverse conversion,
//! [`number`](NumberedPosition::number), adds the counts of all pieces before the moving one.
//!
//! Eight counts fit one `u64`, a byte each, so that one multiplication makes all prefix sums and
//! one addition compares them all with `n`. [`groups`] explains this arithmetic (SWAR: SIMD within
//! a register). Few boards have more than 255 moves; for these [`counts`] adds file by file.
//!
//! Castling and en passant are rare and come last among the numbers of their piece. The cold
//! functions of [`board`] and [`pawns`] handle them.

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
use groups::PrefixSums;

/// The initial scratch table of a reader. Stale entries are harmless.
pub(crate) const NO_TARGETS: Targets = PerSquare([PrefixSums::NONE; 64]);

/// The variant of the numbering. Different programs are believed to have used different ones.
/// cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// Without a current en passant file, a-pawns on their fifth rank take an extra number.
    pub(crate) edge_pawn: bool,
    /// Castling keeps the en passant file in force.
    pub(crate) stale_file: bool,
    /// A number without a move stands for the move with the next number.
    pub(crate) next_after_phantom: bool,
    /// An en passant capture delayed by castling is a move. Its target must be empty and an enemy
    /// pawn must stand beside the capturing pawn.
    pub(crate) late_capture: bool,
}

impl Rules {
    /// The numbering that the format is believed to use.
    pub(crate) const USUAL: Rules =
        Rules { edge_pawn: true, stale_file: true, next_after_phantom: false, late_capture: false };

    /// The numbering of a writer. It also numbers moves that only a lenient reader plays.
    pub(crate) const WRITTEN: Rules = Rules { late_capture: true, ..Rules::USUAL };
}

/// The meaning of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A pseudo-legal move.
    Move(Move),
    /// An en passant capture that the rules do not play: the number stands for no move.
    Phantom,
    /// The number exceeds the count of numbers. The field holds this count, capped at 255.
    Beyond(u8),
}

/// A position with the additional state that its move numbers depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberedPosition {
    pub(crate) position: Position,
    /// File (1 = a) of the last double step, or 0 for none. cbf §6.2 "En passant"
    pub(crate) passing_file: u8,
}

impl NumberedPosition {
    /// Plays `m` and updates the en passant file.
    #[inline]
    pub(crate) fn play(&mut self, m: Move, rules: Rules) {
        let (from, to) = (m.from(), m.to());
        // Branch-free: the kind of move is unpredictable.
        let jumps = (from.index().abs_diff(to.index()) == 16)
            & self.position.role(Role::Pawn).contains(from);
        let castles = self.position.color(self.position.turn()).contains(to);
        let kept = if castles & rules.stale_file { self.passing_file } else { 0 };
        self.passing_file = if jumps { from.file().wrapping_add(1) } else { kept };
        self.position.apply(m);
    }

    /// Returns `true` if the numbered move `m` is legal.
    #[inline]
    pub(crate) fn allows(&self, m: Move) -> bool {
        if self.position.color(self.position.turn()).contains(m.to()) {
            self.position.is_legal(m)
        } else {
            self.position.leaves_king_safe(m)
        }
    }

    /// Returns `true` if the numbered move `m` is an en passant capture delayed by castling.
    #[inline]
    pub(crate) fn is_late(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        from.file() != to.file()
            && self.position.role(Role::Pawn).contains(from)
            && !self.position.occupied().contains(to)
            && self.position.en_passant() != Some(to)
    }

    /// Decodes `number`, which counts from 1 and is at most 128. `targets` is scratch space and may
    /// hold anything.
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

    /// Returns the number of `m`, from 1, or `None` if `m` is not pseudo-legal here.
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

    /// Returns the count of numbers in the position.
    #[cfg(test)]
    pub(crate) fn total(&self, rules: Rules) -> u32 {
        let mut ranks = Ranks::NONE;
        Board::new(self, rules).count(&mut ranks, &mut NO_TARGETS.clone()).total()
    }
}

#[cfg(test)]
mod tests;
