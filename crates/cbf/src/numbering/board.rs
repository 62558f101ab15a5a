//! The numbers of the pieces of a position, and the moves that theirs are.

use chess_core::{
    Bitboard, CastlingSide, Color, Move, Position, Role, Square, king_attacks, knight_attacks,
};

use super::counts::Counts;
use super::groups::Groups;
use super::lines::Lines;
use super::pawns::Pawns;
use super::{Entry, Rules, State};
use crate::rays::{BEFORE, DIRECTIONS, KING_ORDER, KNIGHT_ORDER, RAYS};

/// What the counting needs of a position, gathered once.
pub(super) struct Board<'a> {
    position: &'a Position,
    us: Color,
    own: Bitboard,
    /// Open is what is not its own side nor an enemy king.
    lines: Lines,
    pawns: Pawns,
}

impl<'a> Board<'a> {
    #[inline]
    pub(super) fn new(state: &'a State, rules: Rules) -> Board<'a> {
        let position = &state.position;
        let us = position.turn();
        let own = position.color(us);
        let kings = position.pieces(Role::King, !us);
        let pawns = Pawns::new(state, rules, position.color(!us) & !kings);
        let lines = Lines { occupied: position.occupied(), open: !(own | kings) };
        Board { position, us, own, lines, pawns }
    }

    /// The numbers of every own piece.
    #[inline]
    pub(super) fn count_into(&self, counts: &mut Counts) {
        counts.set_pawns(self.pawns.digits());
        for from in self.pawns.promoting {
            counts.add(from, self.pawns.beyond_digits(from));
        }
        self.for_each_officer(self.own, |from, count| counts.add(from, count));
    }

    /// How many numbers come before those of the own piece on a square.
    #[inline]
    pub(super) fn count_before(&self, square: Square) -> u32 {
        let before = self.own & BEFORE[square];
        let [ones, twos, fours] = self.pawns.digits().map(|digit| (digit & before).count());
        let mut sum = ones.wrapping_add(twos << 1).wrapping_add(fours << 2);
        for from in self.pawns.promoting & before {
            sum = sum.wrapping_add(self.pawns.beyond_digits(from));
        }
        self.for_each_officer(before, |_, count| sum = sum.wrapping_add(count));
        sum
    }

    /// Calls `each` with some own pieces, of which pawns are passed over, and the numbers each
    /// takes, in parts. Role by role: from ply to ply the same loops, which the processor
    /// foresees.
    #[inline]
    fn for_each_officer(&self, own: Bitboard, mut each: impl FnMut(Square, u32)) {
        let own = |role| own & self.position.role(role);
        let queens = own(Role::Queen);
        for from in own(Role::Knight) {
            each(from, (knight_attacks(from) & self.lines.open).count());
        }
        for from in own(Role::Bishop) | queens {
            let (one, other) = (self.lines.diagonal(from), self.lines.antidiagonal(from));
            each(from, one.count().wrapping_add(other.count()));
        }
        for from in own(Role::Rook) | queens {
            let (one, other) = (self.lines.rank(from), self.lines.file(from));
            each(from, one.count().wrapping_add(other.count()));
        }
        let kings = own(Role::King);
        for from in kings {
            each(from, (king_attacks(from) & self.lines.open).count());
        }
        let home = self.king_home();
        if kings.contains(home) {
            let castles = |side| u32::from(self.castles(home, side).is_some());
            each(home, castles(CastlingSide::King).wrapping_add(castles(CastlingSide::Queen)));
        }
    }

    /// The n-th of a piece's numbers, of which it has that many.
    #[inline]
    pub(super) fn nth(&self, from: Square, n: u32) -> Entry {
        let Some(piece) = self.position.piece_at(from) else { return Entry::Beyond(0) };
        let to = match piece.role() {
            Role::Pawn => return self.pawns.nth(from, n, self.position),
            Role::Knight => {
                nth_step(&KNIGHT_ORDER[from], knight_attacks(from) & self.lines.open, n)
            }
            Role::King => {
                let step = nth_step(&KING_ORDER[from], king_attacks(from) & self.lines.open, n);
                step.or_else(|| self.nth_castling(from, n))
            }
            role => self.slides(from, role).find(n).and_then(|(ray, n)| {
                // A ray has no gaps: its n-th square is n steps away.
                let (files, ranks) = *DIRECTIONS.get(ray as usize)?;
                let n = i8::try_from(n).ok()?;
                from.offset(files.wrapping_mul(n), ranks.wrapping_mul(n))
            }),
        };
        to.map_or(Entry::Beyond(0), |to| Entry::Move(Move::new(from, to)))
    }

    /// Place of a move among those of its piece, from 1; `None` if the piece cannot do that.
    #[inline]
    pub(super) fn index_of(&self, m: Move, role: Role) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        if role == Role::Pawn {
            return self.pawns.index_of(m, self.position);
        }
        if m.promotion().is_some() {
            return None;
        }
        match role {
            Role::Knight => {
                index_of_step(&KNIGHT_ORDER[from], knight_attacks(from) & self.lines.open, to)
            }
            Role::King => {
                let steps = king_attacks(from) & self.lines.open;
                match self.position.castling_side(m) {
                    Some(side) => {
                        steps.count().checked_add(self.index_of_castling(from, to, side)?)
                    }
                    None => index_of_step(&KING_ORDER[from], steps, to),
                }
            }
            _ => {
                let on_ray = RAYS.each_ref().map(|ray| ray[from].contains(to));
                let (ray, _) = Groups::of_flags(on_ray).find(1)?;
                let slides = self.slides(from, role);
                let distance = distance(from, to);
                (distance <= slides.get(ray)).then(|| slides.before(ray).wrapping_add(distance))
            }
        }
    }

    /// How many targets a slider has in each of [`DIRECTIONS`].
    #[inline]
    fn slides(&self, from: Square, role: Role) -> Groups {
        // All lines whatever the role: cheaper than a wrong guess which.
        let lines = self.lines;
        let (lower_left, upper_right) = lines.diagonal(from).sides();
        let (upper_left, lower_right) = lines.antidiagonal(from).sides();
        let (left, right) = lines.rank(from).sides();
        let (down, up) = lines.file(from).sides();
        let all = [lower_left, lower_right, upper_right, upper_left, left, down, right, up];
        Groups::of_counts(all).only(match role {
            Role::Bishop => 0x0000_0000_ffff_ffff,
            Role::Rook => 0xffff_ffff_0000_0000,
            _ => u64::MAX,
        })
    }

    /// The square of a king that has not moved.
    #[inline]
    fn king_home(&self) -> Square {
        Square::from_low_bits(self.us.back_rank() << 3 | 4)
    }

    /// The own rook with which the king castles from this square: it stands in the corner with
    /// nothing between. Rights and checks do not matter. cbf §6.1 "Order of moves"
    #[inline]
    fn castles(&self, king: Square, side: CastlingSide) -> Option<Square> {
        if king != self.king_home() {
            return None;
        }
        let back = self.us.back_rank() << 3;
        let (corner, between) = match side {
            CastlingSide::King => (7, 0x60),
            CastlingSide::Queen => (0, 0x0e),
        };
        let rook = Square::from_low_bits(back | corner);
        let free = (self.lines.occupied & Bitboard(between << back)).is_empty();
        (free & self.position.pieces(Role::Rook, self.us).contains(rook)).then_some(rook)
    }

    /// The castling that the n-th of a king's numbers is, the steps before them included.
    fn nth_castling(&self, king: Square, n: u32) -> Option<Square> {
        let steps = (king_attacks(king) & self.lines.open).count();
        let sides = [CastlingSide::King, CastlingSide::Queen];
        let mut rooks = sides.into_iter().filter_map(|side| self.castles(king, side));
        rooks.nth(n.checked_sub(steps)?.checked_sub(1)? as usize)
    }

    /// Place of a castling among those the king has, from 1.
    fn index_of_castling(&self, king: Square, rook: Square, side: CastlingSide) -> Option<u32> {
        self.castles(king, side).filter(|corner| *corner == rook)?;
        let second =
            side == CastlingSide::Queen && self.castles(king, CastlingSide::King).is_some();
        Some(if second { 2 } else { 1 })
    }
}

/// The n-th of a king's or knight's targets, if it has so many.
#[inline]
fn nth_step(order: &[Square; 8], targets: Bitboard, n: u32) -> Option<Square> {
    let (place, _) = steps(order, targets).find(n)?;
    order.get(place as usize).copied()
}

/// Place of a target among those of a king or knight, from 1.
#[inline]
fn index_of_step(order: &[Square; 8], targets: Bitboard, to: Square) -> Option<u32> {
    if !targets.contains(to) {
        return None;
    }
    let (place, _) = Groups::of_flags(order.map(|square| square == to)).find(1)?;
    Some(steps(order, targets).before(place).wrapping_add(1))
}

/// Which of a king's or knight's steps lead to a target. Those off the board lead to its own
/// square, which is none.
#[inline]
fn steps(order: &[Square; 8], targets: Bitboard) -> Groups {
    Groups::of_flags(order.map(|square| targets.contains(square)))
}

/// Steps between two squares on one ray.
fn distance(from: Square, to: Square) -> u32 {
    u32::from(from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())))
}
