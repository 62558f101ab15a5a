//! The numbers of the pieces of a position, and the moves that theirs are.

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
use super::{Entry, Rules, State};

/// The targets of each officer of the side to move, by direction or step. What stands on other
/// squares is left from positions before.
pub(crate) type Targets = PerSquare<Sums>;

/// What the counting needs of a position, gathered once.
pub(super) struct Board<'a> {
    state: &'a State,
    rules: Rules,
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
        Board { state, rules, own, lines, pawns }
    }

    /// Counts the numbers of every own piece, and puts down what [`nth`](Board::nth) asks for.
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
            add(from, beyond_digits(self.state, self.rules, from));
        }
        self.for_each_officer(self.own, |from, sums| {
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
            sum = sum.wrapping_add(beyond_digits(self.state, self.rules, from));
        }
        self.for_each_officer(before, |_, sums| sum = sum.wrapping_add(sums.total()));
        match self.unmoved_king(before) {
            Some(home) => sum.wrapping_add(self.castlings(home)),
            None => sum,
        }
    }

    /// Calls `each` with some own pieces, of which pawns are passed over, and the targets of each.
    /// Role by role: from ply to ply the same loops, which the processor foresees.
    #[inline]
    fn for_each_officer(&self, own: Bitboard, mut each: impl FnMut(Square, Sums)) {
        let own = |role| own & self.state.position.role(role);
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

    /// The n-th of a piece's numbers, of which it has that many; `targets` are those
    /// [`count`](Board::count) found.
    // Roles are not told apart but by tables: which piece moves is past guessing.
    #[inline]
    pub(super) fn nth(&self, from: Square, n: u32, targets: &Targets) -> Entry {
        let is_pawn = self.state.position.role(Role::Pawn).contains(from);
        let sums = self.pawns.numbers(from).sums();
        let sums = select_unpredictable(is_pawn, sums, targets[from]);
        let Some((group, n)) = sums.find(n) else {
            return nth_beyond_steps(self.state, self.rules, from, n.wrapping_sub(sums.total()));
        };
        if self.pawns.promoting.contains(from) {
            return nth_promotion(self.state.position.turn(), from, group, n);
        }
        // A ray has no gaps: its n-th square is n steps away.
        let [steps, ..] = n.to_le_bytes();
        let step = self.step(from, group).cast_unsigned().wrapping_mul(steps);
        let to = Square::from_low_bits(from.index().wrapping_add(step));
        Entry::Move(Move::new(from, to))
    }

    /// What takes a piece one step further, as a change of a square's number.
    #[inline]
    fn step(&self, from: Square, group: u32) -> i8 {
        let Some(piece) = self.state.position.piece_at(from) else { return 0 };
        let row = piece.role() as usize | (piece.color() as usize) << 3;
        STEPS.get(row).and_then(|row| row.get(group as usize & 7)).copied().unwrap_or(0)
    }

    /// Place of a move among those of its piece, from 1; `None` if the piece cannot do that.
    #[inline]
    pub(super) fn index_of(&self, m: Move, role: Role) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        if role == Role::Pawn {
            return self.pawns.index_of(m, &self.state.position);
        }
        if m.promotion().is_some() {
            return None;
        }
        match role {
            Role::Knight => index_of_step(self.knight(from), role, from, to),
            Role::King => {
                let steps = self.king(from);
                match self.state.position.castling_side(m) {
                    Some(side) => {
                        let place = index_of_castling(&self.state.position, from, to, side)?;
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
        // All lines whatever the role: cheaper than a wrong guess which.
        let (oblique, straight) = (self.lines.oblique(from), self.lines.straight(from));
        oblique.unless(role == Role::Rook).plus(straight.unless(role == Role::Bishop))
    }

    /// The king on the square of one that has not moved, if it is among these pieces.
    #[inline]
    fn unmoved_king(&self, own: Bitboard) -> Option<Square> {
        let home = Square::from_low_bits(self.state.position.turn().back_rank() << 3 | 4);
        (own & self.state.position.role(Role::King)).contains(home).then_some(home)
    }

    /// How many ways the king on its home square castles.
    #[inline]
    fn castlings(&self, home: Square) -> u32 {
        let castles = |side| u32::from(castles(&self.state.position, home, side).is_some());
        castles(CastlingSide::King).wrapping_add(castles(CastlingSide::Queen))
    }
}

/// How many numbers more than its digits say a pawn has.
// From the state, so that nobody keeps a board in memory for it.
#[cold]
fn beyond_digits(state: &State, rules: Rules, from: Square) -> u32 {
    Board::new(state, rules).pawns.beyond_digits(from)
}

/// The n-th of a piece's numbers after its steps: what a pawn takes in passing, a king's castlings.
#[cold]
fn nth_beyond_steps(state: &State, rules: Rules, from: Square, n: u32) -> Entry {
    if state.position.role(Role::Pawn).contains(from) {
        return Board::new(state, rules).pawns.nth_passing(from, n, &state.position);
    }
    let sides = [CastlingSide::King, CastlingSide::Queen];
    let mut rooks = sides.into_iter().filter_map(|side| castles(&state.position, from, side));
    let rook = n.checked_sub(1).and_then(|n| rooks.nth(n as usize));
    rook.map_or(Entry::Beyond(0), |rook| Entry::Move(Move::new(from, rook)))
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
