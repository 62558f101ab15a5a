//! Counts the move numbers of each piece, and finds the move within a piece's numbers.
//!
//! The hot path handles ordinary moves without data-dependent branches. Rare cases (castling, en
//! passant, pawns with three or more moves) are outlined into cold functions.

use core::hint::select_unpredictable;

use chess_core::{
    Bitboard, CastlingSide, Move, PerSquare, Position, Role, Square, king_attacks, knight_attacks,
};

use super::counts::{Files, Ranks};
use super::groups::{PackedCounts, PrefixSums};
use super::lines::Lines;
use super::pawns::{Pawns, nth_promotion};
use super::rays::{BEFORE, RAYS};
use super::steps::{KING_STEPS, KNIGHT_STEPS, STEPS};
use super::{Meaning, NumberedPosition, Rules};

/// For each non-pawn of the side to move, the prefix sums of its targets by direction or step.
/// Entries of other squares are stale values of earlier positions.
pub(crate) type Targets = PerSquare<PrefixSums>;

/// The bitboards that counting needs, computed once per position.
pub(super) struct Board<'a> {
    numbered: &'a NumberedPosition,
    rules: Rules,
    own: Bitboard,
    /// The open squares are all without an own piece or the enemy king.
    lines: Lines,
    pawns: Pawns,
}

impl<'a> Board<'a> {
    #[inline]
    pub(super) fn new(numbered: &'a NumberedPosition, rules: Rules) -> Board<'a> {
        let position = &numbered.position;
        let us = position.turn();
        let own = position.color(us);
        let kings = position.pieces(Role::King, !us);
        let pawns = Pawns::new(numbered, rules, position.color(!us) & !kings);
        let lines = Lines { occupied: position.occupied(), open: !(own | kings) };
        Board { numbered, rules, own, lines, pawns }
    }

    /// Counts the numbers of every own piece. Fills `ranks`, and fills `targets` for
    /// [`nth`](Board::nth).
    // Filled in place, because copying would stall on store forwarding.
    #[inline]
    pub(super) fn count(&self, ranks: &mut Ranks, targets: &mut Targets) -> Files {
        let digits = self.pawns.digits();
        *ranks = Ranks::of_pawns(digits);
        let mut files = Files::of_pawns(digits);
        let mut add = |square, count| {
            files.add(square, count);
            ranks.add(square, count);
        };
        for from in self.pawns.unusual() {
            add(from, beyond_digits(self.numbered, self.rules, from));
        }
        self.for_each_but_pawns(self.own, |from, sums| {
            targets[from] = sums;
            add(from, sums.total());
        });
        if let Some(home) = self.king_at_home(self.own) {
            add(home, self.castlings(home));
        }
        files
    }

    /// Returns how many numbers precede the numbers of the own piece on `square`.
    #[inline]
    pub(super) fn count_before(&self, square: Square) -> u32 {
        let before = self.own & BEFORE[square];
        let [ones, twos] = self.pawns.digits().map(|digit| (digit & before).count());
        let mut sum = ones.wrapping_add(twos << 1);
        for from in self.pawns.unusual() & before {
            sum = sum.wrapping_add(beyond_digits(self.numbered, self.rules, from));
        }
        self.for_each_but_pawns(before, |_, sums| sum = sum.wrapping_add(sums.total()));
        match self.king_at_home(before) {
            Some(home) => sum.wrapping_add(self.castlings(home)),
            None => sum,
        }
    }

    /// Calls `each` with every non-pawn in `own` and the prefix sums of its targets. Iterates role
    /// by role, because these loop counts rarely change between plies and are well predicted.
    #[inline]
    fn for_each_but_pawns(&self, own: Bitboard, mut each: impl FnMut(Square, PrefixSums)) {
        let own = |role| own & self.numbered.position.role(role);
        for from in own(Role::Knight) {
            each(from, self.knight(from));
        }
        for from in own(Role::Bishop) {
            each(from, self.lines.oblique(from).sums());
        }
        for from in own(Role::Rook) {
            each(from, self.lines.straight(from).sums());
        }
        for from in own(Role::Queen) {
            each(from, self.lines.oblique(from).plus(self.lines.straight(from)).sums());
        }
        for from in own(Role::King) {
            each(from, self.king(from));
        }
    }

    /// Prefix sums of a knight's targets, by step.
    #[inline]
    fn knight(&self, from: Square) -> PrefixSums {
        KNIGHT_STEPS.count(from, knight_attacks(from) & self.lines.open)
    }

    /// Prefix sums of a king's targets, by step, without castling.
    #[inline]
    fn king(&self, from: Square) -> PrefixSums {
        KING_STEPS.count(from, king_attacks(from) & self.lines.open)
    }

    /// Decodes number `n` of the piece on `from`, which has at least `n` numbers. `targets` must
    /// have been filled by [`count`](Board::count).
    // Roles are distinguished by tables, because the moving piece is unpredictable.
    #[inline]
    pub(super) fn nth(&self, from: Square, n: u32, targets: &Targets) -> Meaning {
        let is_pawn = self.numbered.position.role(Role::Pawn).contains(from);
        let sums = self.pawns.numbers(from).sums();
        let sums = select_unpredictable(is_pawn, sums, targets[from]);
        let Some((group, n)) = sums.find(n) else {
            return nth_beyond_steps(self.numbered, self.rules, from, n.wrapping_sub(sums.total()));
        };
        if self.pawns.promoting.contains(from) {
            return nth_promotion(self.numbered.position.turn(), from, group, n);
        }
        // A ray has no gaps, so its n-th square is n steps away.
        let [steps, ..] = n.to_le_bytes();
        let step = self.step(from, group).cast_unsigned().wrapping_mul(steps);
        let to = Square::from_low_bits(from.index().wrapping_add(step));
        Meaning::Move(Move::new(from, to))
    }

    /// Returns the change of the square index by one step of the piece on `from` in `group`.
    #[inline]
    fn step(&self, from: Square, group: u32) -> i8 {
        let Some(piece) = self.numbered.position.piece_at(from) else { return 0 };
        let row = piece.role() as usize | (piece.color() as usize) << 3;
        STEPS.get(row).and_then(|row| row.get(group as usize & 7)).copied().unwrap_or(0)
    }

    /// Returns the place of `m` among the moves of its piece, from 1. Returns `None` if the piece
    /// has no such move.
    #[inline]
    pub(super) fn index_of(&self, m: Move, role: Role) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        if role == Role::Pawn {
            return self.pawns.index_of(m, &self.numbered.position);
        }
        if m.promotion().is_some() {
            return None;
        }
        match role {
            Role::Knight => index_of_step(self.knight(from), role, from, to),
            Role::King => {
                let steps = self.king(from);
                match self.numbered.position.castling_side(m) {
                    Some(side) => {
                        let place = index_of_castling(&self.numbered.position, from, to, side)?;
                        steps.total().checked_add(place)
                    }
                    None => index_of_step(steps, role, from, to),
                }
            }
            _ => {
                let on_ray = RAYS.each_ref().map(|ray| ray[from].contains(to));
                let (ray, _) = PackedCounts::of_flags(on_ray).sums().find(1)?;
                let slides = self.slides(from, role);
                let (distance, before) = (distance(from, to), slides.sums().before(ray));
                (distance <= slides.get(ray)).then(|| before.wrapping_add(distance))
            }
        }
    }

    /// Counts a slider's targets by direction.
    #[inline]
    fn slides(&self, from: Square, role: Role) -> PackedCounts {
        // Computing both for every role is cheaper than a branch misprediction.
        let (oblique, straight) = (self.lines.oblique(from), self.lines.straight(from));
        oblique.only_if(role != Role::Rook).plus(straight.only_if(role != Role::Bishop))
    }

    /// Returns the king's home square if it is in `own` and holds the king.
    #[inline]
    fn king_at_home(&self, own: Bitboard) -> Option<Square> {
        let home = Square::from_low_bits(self.numbered.position.turn().back_rank() << 3 | 4);
        (own & self.numbered.position.role(Role::King)).contains(home).then_some(home)
    }

    /// Counts the castling moves of the king on its home square.
    #[inline]
    fn castlings(&self, home: Square) -> u32 {
        let able = |side| u32::from(castles(&self.numbered.position, home, side).is_some());
        able(CastlingSide::King).wrapping_add(able(CastlingSide::Queen))
    }
}

/// Returns how many numbers the pawn on `from` has beyond its two-bit count.
// Builds its own board, so that the caller's can stay in registers.
#[cold]
fn beyond_digits(numbered: &NumberedPosition, rules: Rules, from: Square) -> u32 {
    Board::new(numbered, rules).pawns.beyond_digits(from)
}

/// Decodes number `n` of a piece after its ordinary moves: en passant for a pawn, castling for a
/// king.
#[cold]
fn nth_beyond_steps(numbered: &NumberedPosition, rules: Rules, from: Square, n: u32) -> Meaning {
    let position = &numbered.position;
    if position.role(Role::Pawn).contains(from) {
        return Board::new(numbered, rules).pawns.nth_passing(from, n, position);
    }
    let mut rooks = CastlingSide::ALL.into_iter().filter_map(|side| castles(position, from, side));
    let rook = n.checked_sub(1).and_then(|n| rooks.nth(n as usize));
    rook.map_or(Meaning::Beyond(0), |rook| Meaning::Move(Move::new(from, rook)))
}

/// Returns the place of a castling move among the king's castling moves, from 1.
fn index_of_castling(
    position: &Position,
    king: Square,
    rook: Square,
    side: CastlingSide,
) -> Option<u32> {
    castles(position, king, side).filter(|corner| *corner == rook)?;
    let second =
        side == CastlingSide::Queen && castles(position, king, CastlingSide::King).is_some();
    Some(if second { 2 } else { 1 })
}

/// Returns the own rook with which the king on `king` castles to `side`. The rook must stand in the
/// corner with no piece between. Castling rights and checks do not matter. cbf §6.1 "Order of moves"
#[inline]
fn castles(position: &Position, king: Square, side: CastlingSide) -> Option<Square> {
    let us = position.turn();
    let back = us.back_rank() << 3;
    if king != Square::from_low_bits(back | 4) {
        return None;
    }
    let (corner, between) = match side {
        CastlingSide::King => (7, 0x60),
        CastlingSide::Queen => (0, 0x0e),
    };
    let rook = Square::from_low_bits(back | corner);
    let free = (position.occupied() & Bitboard(between << back)).is_empty();
    (free & position.pieces(Role::Rook, us).contains(rook)).then_some(rook)
}

/// Returns the place of `to` among the targets of a king or knight, from 1.
#[inline]
fn index_of_step(targets: PrefixSums, role: Role, from: Square, to: Square) -> Option<u32> {
    let step = to.index().wrapping_sub(from.index()).cast_signed();
    let steps = STEPS.get(role as usize)?;
    let (place, _) = PackedCounts::of_flags(steps.map(|known| known == step)).sums().find(1)?;
    let index = targets.before(place).wrapping_add(1);
    (targets.up_to(place) == index).then_some(index)
}

/// Returns the distance in steps between two squares on one ray.
fn distance(from: Square, to: Square) -> u32 {
    u32::from(from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())))
}
