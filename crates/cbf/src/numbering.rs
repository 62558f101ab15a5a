//! How the format numbers the moves of a position, and back.
//!
//! cbf §6 "Move numbering": own pieces in the order a1, a2, ... a8, b1, ... h8, each with its
//! targets in an order of its own; checks do not matter. A number is found by counting targets,
//! file by file and then piece by piece, so that only one piece's are ever listed.

use chess_core::{
    Bitboard, CastlingSide, Color, Move, PROMOTIONS, Piece, Position, Role, Square, bishop_attacks,
    king_attacks, knight_attacks, queen_attacks, rook_attacks,
};

use crate::rays::{BEFORE, BISHOP_DIRECTIONS, KING_ORDER, KNIGHT_ORDER, RAYS, ROOK_DIRECTIONS};

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
}

impl Rules {
    /// What the format is believed to be.
    pub(crate) const USUAL: Rules =
        Rules { edge_pawn: true, stale_file: true, next_after_phantom: false };
}

/// What a number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    /// A move that fits the pieces.
    Move(Move),
    /// An en passant capture that the rules do not know: a number without a move.
    Phantom,
    /// Beyond the last number, which this is.
    Beyond(u32),
}

/// A position with the one thing the numbering knows beyond it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) position: Position,
    /// File (1 = a) of the pawn that jumped last, or 0. cbf §6.2 "En passant"
    pub(crate) passing_file: u8,
}

impl State {
    /// Plays a move.
    #[inline]
    pub(crate) fn play(&mut self, m: Move, rules: Rules) {
        let (from, to) = (m.from(), m.to());
        let jump = from.index().abs_diff(to.index()) == 16;
        if jump && self.position.role(Role::Pawn).contains(from) {
            self.passing_file = from.file().wrapping_add(1);
        } else if self.passing_file != 0
            && !(rules.stale_file && self.position.castling_side(m).is_some())
        {
            self.passing_file = 0;
        }
        self.position.apply(m);
    }

    /// The move of a number, counted from 1.
    pub(crate) fn entry(&self, number: u8, rules: Rules) -> Entry {
        let board = Board::new(self, rules);
        let mut rest = u32::from(number);
        if rest == 0 {
            return Entry::Beyond(board.total());
        }
        // One loop over pieces of all kinds: from ply to ply their order hardly changes, which
        // the processor foresees; loops within loops were measured at twice the time.
        for place in transposed(board.own) {
            let square = across(place);
            let Some(piece) = self.position.piece_at(square) else { continue };
            let count = board.count(square, piece.role());
            if rest <= count {
                return board.nth(square, piece.role(), rest);
            }
            rest = rest.wrapping_sub(count);
        }
        Entry::Beyond(u32::from(number).saturating_sub(rest))
    }

    /// The number of a move, from 1. `None` if the pieces do not move like that here.
    pub(crate) fn number(&self, m: Move, rules: Rules) -> Option<u32> {
        let piece = self.position.piece_at(m.from())?;
        if piece.color() != self.position.turn() {
            return None;
        }
        let board = Board::new(self, rules);
        let within = board.index_of(m, piece.role())?;
        let before = board.own & BEFORE[m.from()];
        Some(board.count_all(before).saturating_add(within))
    }

    /// How many numbers the position has.
    #[cfg(test)]
    pub(crate) fn total(&self, rules: Rules) -> u32 {
        Board::new(self, rules).total()
    }
}

/// What the counting needs of a position, gathered once.
struct Board<'a> {
    position: &'a Position,
    us: Color,
    own: Bitboard,
    occupied: Bitboard,
    /// Where a piece may go: not onto its own side, not onto an enemy king.
    open: Bitboard,
    pawns: Pawns,
}

/// Pawns by what they can do, each named by its origin.
struct Pawns {
    double: Bitboard,
    single: Bitboard,
    left: Bitboard,
    right: Bitboard,
    passing_left: Bitboard,
    passing_right: Bitboard,
    /// Those one step from the last rank, each of whose moves has four numbers.
    promoting: Bitboard,
    /// How many of the first six sets hold each pawn, in binary, the ones first.
    digits: [Bitboard; 3],
}

impl<'a> Board<'a> {
    #[inline]
    fn new(state: &'a State, rules: Rules) -> Board<'a> {
        let position = &state.position;
        let us = position.turn();
        let own = position.color(us);
        let kings = position.pieces(Role::King, !us);
        let pawns = Pawns::new(state, rules, position.color(!us) & !kings);
        let open = !(own | kings);
        Board { position, us, own, occupied: position.occupied(), open, pawns }
    }

    fn total(&self) -> u32 {
        self.count_all(self.own)
    }

    /// How many numbers these of the own pieces take.
    fn count_all(&self, pieces: Bitboard) -> u32 {
        let mut sum = self.pawns.count_all(pieces);
        self.for_each_officer(pieces, |_, count| sum = sum.saturating_add(count));
        sum
    }

    /// Calls `each` with every own piece but pawns among `pieces`, and the numbers it takes. Role
    /// by role: from ply to ply the same loops, which the processor foresees.
    #[inline]
    fn for_each_officer(&self, pieces: Bitboard, mut each: impl FnMut(Square, u32)) {
        let own = pieces & self.own;
        for from in own & self.position.role(Role::Knight) {
            each(from, (knight_attacks(from) & self.open).count());
        }
        for from in own & self.position.role(Role::Bishop) {
            each(from, (bishop_attacks(from, self.occupied) & self.open).count());
        }
        for from in own & self.position.role(Role::Rook) {
            each(from, (rook_attacks(from, self.occupied) & self.open).count());
        }
        for from in own & self.position.role(Role::Queen) {
            each(from, (queen_attacks(from, self.occupied) & self.open).count());
        }
        for from in own & self.position.role(Role::King) {
            each(from, self.count(from, Role::King));
        }
    }

    /// How many numbers a piece takes.
    #[inline]
    fn count(&self, from: Square, role: Role) -> u32 {
        match role {
            Role::Pawn => self.pawns.count(from),
            Role::King => {
                let steps = (king_attacks(from) & self.open).count();
                steps.wrapping_add(self.count_castling(from))
            }
            Role::Knight => (knight_attacks(from) & self.open).count(),
            Role::Bishop => (bishop_attacks(from, self.occupied) & self.open).count(),
            Role::Rook => (rook_attacks(from, self.occupied) & self.open).count(),
            Role::Queen => (queen_attacks(from, self.occupied) & self.open).count(),
        }
    }

    /// The n-th of a piece's numbers, of which it has that many.
    fn nth(&self, from: Square, role: Role, n: u32) -> Entry {
        match role {
            Role::Pawn => self.nth_of_pawn(from, n),
            Role::King => match nth_step(&KING_ORDER[from], king_attacks(from) & self.open, n) {
                Ok(to) => Entry::Move(Move::new(from, to)),
                Err(rest) => self.nth_castling(from, rest),
            },
            Role::Knight => step(from, &KNIGHT_ORDER[from], knight_attacks(from) & self.open, n),
            Role::Bishop => self.nth_on_rays(from, BISHOP_DIRECTIONS, &[], n),
            Role::Rook => self.nth_on_rays(from, &[], ROOK_DIRECTIONS, n),
            Role::Queen => self.nth_on_rays(from, BISHOP_DIRECTIONS, ROOK_DIRECTIONS, n),
        }
    }

    fn count_castling(&self, king: Square) -> u32 {
        if king.file() != 4 {
            return 0;
        }
        let castles = |side| u32::from(self.castles(king, side).is_some());
        castles(CastlingSide::King).wrapping_add(castles(CastlingSide::Queen))
    }

    /// Where the king goes that castles from this square: its own rook, standing in the corner
    /// with nothing between. Rights and checks do not matter. cbf §6.1 "Order of moves"
    fn castles(&self, king: Square, side: CastlingSide) -> Option<Square> {
        let home = Square::at(4, self.us.back_rank())?;
        if king != home {
            return None;
        }
        let (corner, between) = match side {
            CastlingSide::King => (7, 0x60),
            CastlingSide::Queen => (0, 0x0e),
        };
        let rook = Square::at(corner, self.us.back_rank())?;
        let between = Bitboard(between << (king.index() & 56));
        let free = (self.occupied & between).is_empty();
        let there = self.position.piece_at(rook) == Some(Piece::new(Role::Rook, self.us));
        (free && there).then_some(rook)
    }

    fn nth_castling(&self, king: Square, n: u32) -> Entry {
        let short = self.castles(king, CastlingSide::King);
        let long = self.castles(king, CastlingSide::Queen);
        let rook = match (short, long, n) {
            (Some(rook), _, 1) | (None, Some(rook), 1) | (Some(_), Some(rook), 2) => rook,
            _ => return Entry::Beyond(0),
        };
        Entry::Move(Move::new(king, rook))
    }

    /// The n-th square along a slider's rays, each ray from the nearest square on.
    fn nth_on_rays(&self, from: Square, oblique: &[usize], straight: &[usize], n: u32) -> Entry {
        let mut rest = n;
        for (directions, attacks) in [
            (oblique, (!oblique.is_empty()).then(|| bishop_attacks(from, self.occupied))),
            (straight, (!straight.is_empty()).then(|| rook_attacks(from, self.occupied))),
        ] {
            let targets = attacks.unwrap_or_default() & self.open;
            for direction in directions {
                let Some(ray) = RAYS.get(*direction) else { continue };
                let count = (targets & ray.squares[from]).count();
                if rest <= count {
                    // A ray has no gaps: its n-th square is n steps away.
                    let to = i8::try_from(rest).ok().and_then(|n| {
                        from.offset(ray.files.wrapping_mul(n), ray.ranks.wrapping_mul(n))
                    });
                    return to.map_or(Entry::Beyond(0), |to| Entry::Move(Move::new(from, to)));
                }
                rest = rest.saturating_sub(count);
            }
        }
        Entry::Beyond(0)
    }

    /// cbf §6.1 "Order of moves": double step, single step, captures, en passant.
    fn nth_of_pawn(&self, from: Square, n: u32) -> Entry {
        let pawns = &self.pawns;
        let forward = self.us.forward();
        let mut rest = n;
        let each = if pawns.promoting.contains(from) { 4 } else { 1 };
        for (able, files, ranks, numbers) in [
            (pawns.double, 0, forward.wrapping_mul(2), 1),
            (pawns.single, 0, forward, each),
            (pawns.left, -1, forward, each),
            (pawns.right, 1, forward, each),
        ] {
            if !able.contains(from) {
                continue;
            }
            if rest > numbers {
                rest = rest.saturating_sub(numbers);
                continue;
            }
            let Some(to) = from.offset(files, ranks) else { return Entry::Beyond(0) };
            if numbers == 1 {
                return Entry::Move(Move::new(from, to));
            }
            let role = PROMOTIONS.get(rest.saturating_sub(1) as usize);
            return role
                .map_or(Entry::Beyond(0), |role| Entry::Move(Move::promoting(from, to, *role)));
        }
        let left = pawns.passing_left.contains(from);
        let files = if left && rest == 1 { -1 } else { 1 };
        match from.offset(files, forward) {
            Some(to) if self.takes_in_passing(to) => Entry::Move(Move::new(from, to)),
            _ => Entry::Phantom,
        }
    }

    fn takes_in_passing(&self, to: Square) -> bool {
        self.position.en_passant() == Some(to) && !self.occupied.contains(to)
    }

    /// Place of a move among those of its piece, from 1; `None` if the piece cannot do that.
    fn index_of(&self, m: Move, role: Role) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        if role == Role::Pawn {
            return self.index_of_pawn(m);
        }
        if m.promotion().is_some() {
            return None;
        }
        match role {
            Role::King => {
                let steps = king_attacks(from) & self.open;
                if let Some(side) = self.position.castling_side(m) {
                    return self.index_of_castling(from, to, side, steps.count());
                }
                index_of_step(&KING_ORDER[from], steps, to)
            }
            Role::Knight => {
                index_of_step(&KNIGHT_ORDER[from], knight_attacks(from) & self.open, to)
            }
            Role::Bishop => self.index_on_rays(from, to, BISHOP_DIRECTIONS, &[]),
            Role::Rook => self.index_on_rays(from, to, &[], ROOK_DIRECTIONS),
            _ => self.index_on_rays(from, to, BISHOP_DIRECTIONS, ROOK_DIRECTIONS),
        }
    }

    fn index_of_castling(
        &self,
        king: Square,
        rook: Square,
        side: CastlingSide,
        steps: u32,
    ) -> Option<u32> {
        self.castles(king, side).filter(|corner| *corner == rook)?;
        let short_too =
            side == CastlingSide::Queen && self.castles(king, CastlingSide::King).is_some();
        steps.checked_add(1)?.checked_add(u32::from(short_too))
    }

    fn index_on_rays(
        &self,
        from: Square,
        to: Square,
        oblique: &[usize],
        straight: &[usize],
    ) -> Option<u32> {
        let mut sum = 0u32;
        for (directions, attacks) in [
            (oblique, (!oblique.is_empty()).then(|| bishop_attacks(from, self.occupied))),
            (straight, (!straight.is_empty()).then(|| rook_attacks(from, self.occupied))),
        ] {
            let targets = attacks.unwrap_or_default() & self.open;
            for direction in directions {
                let ray = RAYS.get(*direction)?;
                let on_ray = targets & ray.squares[from];
                if on_ray.contains(to) {
                    return sum.checked_add(distance(from, to));
                }
                sum = sum.saturating_add(on_ray.count());
            }
        }
        None
    }

    fn index_of_pawn(&self, m: Move) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        let pawns = &self.pawns;
        let forward = self.us.forward();
        let promoting = pawns.promoting.contains(from);
        let each = if promoting { 4 } else { 1 };
        let within = match m.promotion() {
            Some(role) if promoting => {
                u32::try_from(PROMOTIONS.iter().position(|known| *known == role)?).ok()?
            }
            None if !promoting => 0,
            _ => return None,
        };
        let in_passing = self.takes_in_passing(to);
        let mut sum = 1u32;
        for (able, files, ranks, numbers, matches) in [
            (pawns.double, 0, forward.wrapping_mul(2), 1, true),
            (pawns.single, 0, forward, each, true),
            (pawns.left, -1, forward, each, true),
            (pawns.right, 1, forward, each, true),
            (pawns.passing_left, -1, forward, 1, in_passing),
            (pawns.passing_right, 1, forward, 1, in_passing),
        ] {
            if !able.contains(from) {
                continue;
            }
            if matches && from.offset(files, ranks) == Some(to) {
                return sum.checked_add(within);
            }
            sum = sum.saturating_add(numbers);
        }
        None
    }
}

impl Pawns {
    #[inline]
    fn new(state: &State, rules: Rules, prey: Bitboard) -> Pawns {
        let position = &state.position;
        let occupied = position.occupied();
        let us = position.turn();
        let pawns = position.pieces(Role::Pawn, us);
        let not_a = !Bitboard::file(0);
        let not_h = !Bitboard::file(7);
        let (fifth, seventh, second, last) = match us {
            Color::White => (4, 6, 1, 7),
            Color::Black => (3, 1, 6, 0),
        };
        // Whether the square one or two ranks ahead is taken, seen from the origin.
        let (one, two, left, right) = match us {
            Color::White => (occupied.0 >> 8, occupied.0 >> 16, prey.0 >> 7, prey.0 >> 9),
            Color::Black => (occupied.0 << 8, occupied.0 << 16, prey.0 << 9, prey.0 << 7),
        };
        let single = pawns & !Bitboard(one) & !Bitboard::rank(last);
        let ready = pawns & Bitboard::rank(fifth);
        let double = single & !Bitboard(two) & Bitboard::rank(second);
        let left = pawns & Bitboard(left) & not_a;
        let right = pawns & Bitboard(right) & not_h;
        let (passing_left, passing_right) = if ready.has_any() {
            beside(ready, state.passing_file, rules)
        } else {
            Default::default()
        };
        Pawns {
            double,
            single,
            left,
            right,
            passing_left,
            passing_right,
            promoting: pawns & Bitboard::rank(seventh),
            digits: digits([double, single, left, right, passing_left, passing_right]),
        }
    }

    #[inline]
    fn count(&self, from: Square) -> u32 {
        let digit = |set: Bitboard| u32::from(set.contains(from));
        let [ones, twos, fours] = self.digits;
        let once = digit(ones) | digit(twos) << 1 | digit(fours) << 2;
        if !self.promoting.contains(from) {
            return once;
        }
        let moves =
            digit(self.single).wrapping_add(digit(self.left)).wrapping_add(digit(self.right));
        once.wrapping_add(moves.wrapping_mul(3))
    }

    fn count_all(&self, pawns: Bitboard) -> u32 {
        let [ones, twos, fours] = self.digits.map(|digit| (digit & pawns).count());
        let mut sum = ones.wrapping_add(twos << 1).wrapping_add(fours << 2);
        let promoting = self.promoting & pawns;
        if promoting.has_any() {
            for set in [self.single, self.left, self.right] {
                sum = sum.saturating_add((set & promoting).count().saturating_mul(3));
            }
        }
        sum
    }
}

fn step(from: Square, order: &[Option<Square>; 8], targets: Bitboard, n: u32) -> Entry {
    match nth_step(order, targets, n) {
        Ok(to) => Entry::Move(Move::new(from, to)),
        Err(_) => Entry::Beyond(0),
    }
}

/// The n-th of a stepper's targets, or what is left of `n` after all of them.
fn nth_step(order: &[Option<Square>; 8], targets: Bitboard, n: u32) -> Result<Square, u32> {
    let mut rest = n;
    for to in order.iter().flatten() {
        if targets.contains(*to) {
            if rest <= 1 {
                return Ok(*to);
            }
            rest = rest.saturating_sub(1);
        }
    }
    Err(rest)
}

fn index_of_step(order: &[Option<Square>; 8], targets: Bitboard, to: Square) -> Option<u32> {
    if !targets.contains(to) {
        return None;
    }
    let before = order.iter().flatten().take_while(|square| **square != to);
    let before = before.filter(|square| targets.contains(**square)).count();
    u32::try_from(before).ok()?.checked_add(1)
}

/// Steps between two squares on one ray.
fn distance(from: Square, to: Square) -> u32 {
    u32::from(from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())))
}

/// Of the pawns on their fifth rank, those whose left, and whose right neighbour is on the en
/// passant file. With none on, file 0, the left neighbour of the a-file fits: a number without a
/// move.
fn beside(ready: Bitboard, passing_file: u8, rules: Rules) -> (Bitboard, Bitboard) {
    let on = |file: u8| if file < 8 { ready & Bitboard::file(file) } else { Bitboard::EMPTY };
    let takes_left = if passing_file == 0 && !rules.edge_pawn { 8 } else { passing_file };
    (on(takes_left), on(passing_file.checked_sub(2).unwrap_or(8)))
}

/// Adds sets square by square: two full adders, and what they carry.
#[inline]
fn digits([a, b, c, d, e, f]: [Bitboard; 6]) -> [Bitboard; 3] {
    let add = |a: Bitboard, b: Bitboard, c: Bitboard| (a ^ b ^ c, a & b | c & (a ^ b));
    let (first, carry) = add(a, b, c);
    let (second, carry_too) = add(d, e, f);
    let both = first & second;
    let (twos, fours) = add(carry, carry_too, both);
    [first ^ second, twos, fours]
}

/// The board mirrored on the diagonal from a1 to h8: bit order becomes file by file.
#[inline]
fn transposed(board: Bitboard) -> Bitboard {
    let mut bits = board.0;
    let swap = 0x0f0f_0f0f_0000_0000 & (bits ^ bits << 28);
    bits ^= swap ^ swap >> 28;
    let swap = 0x3333_0000_3333_0000 & (bits ^ bits << 14);
    bits ^= swap ^ swap >> 14;
    let swap = 0x5500_5500_5500_5500 & (bits ^ bits << 7);
    bits ^= swap ^ swap >> 7;
    Bitboard(bits)
}

/// The mirror image of a square.
#[inline]
fn across(square: Square) -> Square {
    Square::from_low_bits(square.index() >> 3 | (square.index() & 7) << 3)
}

#[cfg(test)]
mod tests;
