//! Counts the numbers of each piece of a position, and finds the move that a number stands for.

use core::hint::select_unpredictable;

use chess_core::{
    Bitboard, CastlingSide, Move, PerSquare, Position, Role, Square, king_attacks, knight_attacks,
};

use super::counts::{Files, Ranks};
use super::groups::{Groups, Sums};
use super::lines::Lines;
use super::pawns::{Pawns, nth_promotion};
use super::rays::{BEFORE, RAYS};
use super::steps::{KING_STEPS, KNIGHT_STEPS, STEPS};
use super::{Meaning, NumberedPosition, Rules};

/// The targets of each piece of the side to move that is no pawn, by direction or step. Other
/// squares keep what earlier positions left there.
pub(crate) type Targets = PerSquare<Sums>;

/// What counting needs to know of a position, gathered once.
pub(super) struct Board<'a> {
    numbered: &'a NumberedPosition,
    rules: Rules,
    own: Bitboard,
    /// Its open squares are those without an own piece or the enemy king.
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

    /// Counts the numbers of every own piece, and leaves in `targets` what [`nth`](Board::nth)
    /// needs.
    // Filled in place: a copy would have to wait for the last byte written.
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
        if let Some(home) = self.unmoved_king(self.own) {
            add(home, self.castlings(home));
        }
        files
    }

    /// How many numbers come before those of the own piece on a square.
    #[inline]
    pub(super) fn count_before(&self, square: Square) -> u32 {
        let before = self.own & BEFORE[square];
        let [ones, twos] = self.pawns.digits().map(|digit| (digit & before).count());
        let mut sum = ones.wrapping_add(twos << 1);
        for from in self.pawns.unusual() & before {
            sum = sum.wrapping_add(beyond_digits(self.numbered, self.rules, from));
        }
        self.for_each_but_pawns(before, |_, sums| sum = sum.wrapping_add(sums.total()));
        match self.unmoved_king(before) {
            Some(home) => sum.wrapping_add(self.castlings(home)),
            None => sum,
        }
    }

    /// Calls `each` with each of these own pieces that is no pawn, and with its targets. It goes
    /// role by role: the processor predicts loops well that are the same at every ply.
    #[inline]
    fn for_each_but_pawns(&self, own: Bitboard, mut each: impl FnMut(Square, Sums)) {
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

    #[inline]
    fn knight(&self, from: Square) -> Sums {
        KNIGHT_STEPS.count(from, knight_attacks(from) & self.lines.open)
    }

    /// Without castling.
    #[inline]
    fn king(&self, from: Square) -> Sums {
        KING_STEPS.count(from, king_attacks(from) & self.lines.open)
    }

    /// What the `n`-th number of a piece means. The piece has that many, and `targets` are those
    /// that [`count`](Board::count) found.
    // Tables tell the roles apart: the processor cannot predict which piece moves.
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
        // A ray has no gaps: its n-th square is n steps away.
        let [steps, ..] = n.to_le_bytes();
        let step = self.step(from, group).cast_unsigned().wrapping_mul(steps);
        let to = Square::from_low_bits(from.index().wrapping_add(step));
        Meaning::Move(Move::new(from, to))
    }

    /// How one step of a piece changes the number of its square.
    #[inline]
    fn step(&self, from: Square, group: u32) -> i8 {
        let Some(piece) = self.numbered.position.piece_at(from) else { return 0 };
        let row = piece.role() as usize | (piece.color() as usize) << 3;
        STEPS.get(row).and_then(|row| row.get(group as usize & 7)).copied().unwrap_or(0)
    }

    /// Place of a move among those of its piece, from 1; `None` if the piece cannot do that.
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
                let (ray, _) = Groups::of_flags(on_ray).sums().find(1)?;
                let slides = self.slides(from, role);
                let (distance, before) = (distance(from, to), slides.sums().before(ray));
                (distance <= slides.get(ray)).then(|| before.wrapping_add(distance))
            }
        }
    }

    /// A slider's targets.
    #[inline]
    fn slides(&self, from: Square, role: Role) -> Groups {
        // Both kinds of lines for every role: cheaper than a wrong prediction.
        let (oblique, straight) = (self.lines.oblique(from), self.lines.straight(from));
        oblique.only_if(role != Role::Rook).plus(straight.only_if(role != Role::Bishop))
    }

    /// The king on the square of one that has not moved, if it is among these pieces.
    #[inline]
    fn unmoved_king(&self, own: Bitboard) -> Option<Square> {
        let home = Square::from_low_bits(self.numbered.position.turn().back_rank() << 3 | 4);
        (own & self.numbered.position.role(Role::King)).contains(home).then_some(home)
    }

    /// How many ways the king on its home square castles.
    #[inline]
    fn castlings(&self, home: Square) -> u32 {
        let able = |side| u32::from(castles(&self.numbered.position, home, side).is_some());
        able(CastlingSide::King).wrapping_add(able(CastlingSide::Queen))
    }
}

/// How many numbers a pawn has beyond those that its digits say.
// It makes a board of its own, so that the caller's can stay in registers.
#[cold]
fn beyond_digits(numbered: &NumberedPosition, rules: Rules, from: Square) -> u32 {
    Board::new(numbered, rules).pawns.beyond_digits(from)
}

/// What the `n`-th number of a piece after those of its steps means: en passant for a pawn,
/// castling for a king.
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

/// Place of a castling among those the king has, from 1.
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

/// The own rook with which the king castles from this square: it stands in the corner with
/// nothing between. Rights and checks do not matter. cbf §6.1 "Order of moves"
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

/// Place of a target among those of a king or knight, from 1.
#[inline]
fn index_of_step(targets: Sums, role: Role, from: Square, to: Square) -> Option<u32> {
    let step = to.index().wrapping_sub(from.index()).cast_signed();
    let steps = STEPS.get(role as usize)?;
    let (place, _) = Groups::of_flags(steps.map(|known| known == step)).sums().find(1)?;
    let index = targets.before(place).wrapping_add(1);
    (targets.up_to(place) == index).then_some(index)
}

/// Steps between two squares on one ray.
fn distance(from: Square, to: Square) -> u32 {
    u32::from(from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())))
}
