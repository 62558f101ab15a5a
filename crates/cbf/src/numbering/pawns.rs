//! What the pawns can do, all of them at once.

use chess_core::{Bitboard, Color, Move, PROMOTIONS, Position, Role, Square};

use super::groups::Groups;
use super::{Entry, Rules, State};

/// A pawn's kinds of moves in the order of cbf §6.1 "Order of moves", as changes of file and, for
/// White, of rank. The last two are en passant.
const KINDS: [(i8, i8); 6] = [(0, 2), (0, 1), (-1, 1), (1, 1), (-1, 1), (1, 1)];
/// Place of the first en passant in [`KINDS`].
const PASSING: u32 = 4;

/// The own pawns by what they can do, each named by its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pawns {
    us: Color,
    /// Those that have a move of each kind.
    able: [Bitboard; 6],
    /// Those one step from the last rank, each of whose moves has four numbers.
    pub(super) promoting: Bitboard,
}

impl Pawns {
    #[inline]
    pub(super) fn new(state: &State, rules: Rules, prey: Bitboard) -> Pawns {
        let position = &state.position;
        let occupied = position.occupied();
        let us = position.turn();
        let pawns = position.pieces(Role::Pawn, us);
        // Whether the square one or two ranks ahead is taken, seen from the origin.
        let (one, two, left, right) = match us {
            Color::White => (occupied.0 >> 8, occupied.0 >> 16, prey.0 >> 7, prey.0 >> 9),
            Color::Black => (occupied.0 << 8, occupied.0 << 16, prey.0 << 9, prey.0 << 7),
        };
        let [fifth, seventh, second, last] = match us {
            Color::White => [4, 6, 1, 7].map(Bitboard::rank),
            Color::Black => [3, 1, 6, 0].map(Bitboard::rank),
        };
        let single = pawns & !Bitboard(one) & !last;
        let double = single & !Bitboard(two) & second;
        let left = pawns & Bitboard(left) & !Bitboard::file(0);
        let right = pawns & Bitboard(right) & !Bitboard::file(7);
        let ready = pawns & fifth;
        let (passing_left, passing_right) = if ready.has_any() {
            beside(ready, state.passing_file, rules)
        } else {
            Default::default()
        };
        Pawns {
            us,
            able: [double, single, left, right, passing_left, passing_right],
            promoting: pawns & seventh,
        }
    }

    /// How many kinds of moves each pawn has, in binary, the ones first: two full adders, and
    /// what they carry.
    #[inline]
    pub(super) fn digits(&self) -> [Bitboard; 3] {
        let add = |a: Bitboard, b: Bitboard, c: Bitboard| (a ^ b ^ c, a & b | c & (a ^ b));
        let [double, single, left, right, passing_left, passing_right] = self.able;
        let (first, carry) = add(double, single, left);
        let (second, carry_too) = add(right, passing_left, passing_right);
        let (twos, fours) = add(carry, carry_too, first & second);
        [first ^ second, twos, fours]
    }

    /// What the digits do not say of a pawn that promotes: they count each move once, it has four
    /// numbers.
    pub(super) fn beyond_digits(&self, from: Square) -> u32 {
        (self.numbers(from).total() >> 2).wrapping_mul(3)
    }

    /// The numbers of a pawn, by kinds of moves.
    #[inline]
    pub(super) fn numbers(&self, from: Square) -> Groups {
        let [double, single, left, right, passing_left, passing_right] =
            self.able.map(|able| able.contains(from));
        let kinds = [double, single, left, right, passing_left, passing_right, false, false];
        // None of those that promote can do what takes one number only.
        let each = if self.promoting.contains(from) { 4 } else { 1 };
        Groups::of_flags(kinds).times(each)
    }

    /// The n-th of a pawn's numbers, of which it has that many.
    #[inline]
    pub(super) fn nth(&self, from: Square, n: u32, position: &Position) -> Entry {
        let Some((kind, n)) = self.numbers(from).find(n) else { return Entry::Beyond(0) };
        let Some(to) = self.target(from, kind) else { return Entry::Phantom };
        if kind >= PASSING && !takes_in_passing(position, to) {
            return Entry::Phantom;
        }
        if !self.promoting.contains(from) {
            return Entry::Move(Move::new(from, to));
        }
        match PROMOTIONS.get(n.wrapping_sub(1) as usize) {
            Some(role) => Entry::Move(Move::promoting(from, to, *role)),
            None => Entry::Beyond(0),
        }
    }

    /// Place of a move among the numbers of its pawn, from 1; `None` if the pawn has it not.
    #[inline]
    pub(super) fn index_of(&self, m: Move, position: &Position) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        let numbers = self.numbers(from);
        let can = |kind: u32| numbers.get(kind) > 0 && self.target(from, kind) == Some(to);
        let plain = (0..PASSING).find(|kind| can(*kind));
        let kind = plain.or_else(|| {
            let passing = takes_in_passing(position, to);
            (PASSING..6).find(|kind| passing && can(*kind))
        })?;
        let before = numbers.before(kind).wrapping_add(1);
        match (m.promotion(), self.promoting.contains(from)) {
            (None, false) => Some(before),
            (Some(role), true) => {
                let place = PROMOTIONS.iter().position(|known| *known == role)?;
                before.checked_add(u32::try_from(place).ok()?)
            }
            _ => None,
        }
    }

    /// Where a kind of move leads. `None` off the board, as en passant may.
    #[inline]
    fn target(&self, from: Square, kind: u32) -> Option<Square> {
        let (files, ranks) = *KINDS.get(kind as usize)?;
        from.offset(files, ranks.wrapping_mul(self.us.forward()))
    }
}

/// Whether en passant to this square is a move, and not just a number.
fn takes_in_passing(position: &Position, to: Square) -> bool {
    position.en_passant() == Some(to) && !position.occupied().contains(to)
}

/// Of the pawns on their fifth rank, those whose left, and whose right neighbour is on the en
/// passant file. With none on, file 0, the left neighbour of the a-file fits: a number without a
/// move.
fn beside(ready: Bitboard, passing_file: u8, rules: Rules) -> (Bitboard, Bitboard) {
    let on = |file: u8| if file < 8 { ready & Bitboard::file(file) } else { Bitboard::EMPTY };
    let takes_left = if passing_file == 0 && !rules.edge_pawn { 8 } else { passing_file };
    (on(takes_left), on(passing_file.checked_sub(2).unwrap_or(8)))
}
