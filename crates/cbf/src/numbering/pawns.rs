//! What the pawns can do, all of them at once.

use core::hint::select_unpredictable;

use chess_core::{Bitboard, Color, Move, PROMOTIONS, Position, Role, Square};

use super::groups::Groups;
use super::steps::{BESIDE, PAWN_KINDS};
use super::{Meaning, NumberedPosition, Rules};

/// A side's second, fifth, seventh and last rank.
static RANKS: [[Bitboard; 4]; 2] = [
    [Bitboard::rank(1), Bitboard::rank(4), Bitboard::rank(6), Bitboard::rank(7)],
    [Bitboard::rank(6), Bitboard::rank(3), Bitboard::rank(1), Bitboard::rank(0)],
];

/// The own pawns by what they can do, each named by its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pawns {
    us: Color,
    /// Those that have a move of each of the [`PAWN_KINDS`].
    able: [Bitboard; 4],
    /// Those to which the format gives a number for en passant to the left, and to the right,
    /// whether the rules allow the capture or not.
    passing: [Bitboard; 2],
    /// Those one step from the last rank, each of whose moves has four numbers.
    pub(super) promoting: Bitboard,
    /// [`Rules::late_capture`]
    late_capture: bool,
}

impl Pawns {
    #[inline]
    pub(super) fn new(numbered: &NumberedPosition, rules: Rules, prey: Bitboard) -> Pawns {
        let position = &numbered.position;
        let occupied = position.occupied();
        let us = position.turn();
        let pawns = position.pieces(Role::Pawn, us);
        // Whether the square one or two ranks ahead is taken, seen from the origin: computed for
        // both sides and then picked, so that nothing branches on whose turn it is.
        let black = us == Color::Black;
        let pick = |white, black_too| Bitboard(select_unpredictable(black, black_too, white));
        let one = pick(occupied.0 >> 8, occupied.0 << 8);
        let two = pick(occupied.0 >> 16, occupied.0 << 16);
        let left = pick(prey.0 >> 7, prey.0 << 9);
        let right = pick(prey.0 >> 9, prey.0 << 7);
        let [second, fifth, seventh, last] = *RANKS.get(usize::from(black)).unwrap_or(&RANKS[0]);
        let single = pawns & !one & !last;
        let double = single & !two & second;
        let left = pawns & left & !Bitboard::file(0);
        let right = pawns & right & !Bitboard::file(7);
        let beside = beside(numbered.passing_file, rules);
        Pawns {
            us,
            able: [double, single, left, right],
            passing: beside.map(|files| pawns & fifth & files),
            promoting: pawns & seventh,
            late_capture: rules.late_capture,
        }
    }

    /// How many numbers each pawn has, as two binary digits, the ones first. Those of
    /// [`Pawns::unusual`] have more.
    #[inline]
    pub(super) fn digits(&self) -> [Bitboard; 2] {
        // Who goes two squares can go one, and who takes to both sides takes to one.
        let [double, single, left, right] = self.able;
        let (ahead, takes, takes_both) = (single ^ double, left ^ right, left & right);
        [ahead ^ takes, double | takes_both | ahead & takes]
    }

    /// Those with more numbers than the digits say.
    #[inline]
    pub(super) fn unusual(&self) -> Bitboard {
        let [double, _, left, right] = self.able;
        let [passing_left, passing_right] = self.passing;
        self.promoting | passing_left | passing_right | double & left & right
    }

    /// How many numbers a pawn has beyond those that the digits say.
    #[cold]
    pub(super) fn beyond_digits(&self, from: Square) -> u32 {
        let [ones, twos] = self.digits().map(|digit| u32::from(digit.contains(from)));
        let passing = self.passing.map(|able| u32::from(able.contains(from))).into_iter().sum();
        self.numbers(from)
            .sums()
            .total()
            .wrapping_add(passing)
            .wrapping_sub(ones)
            .wrapping_sub(twos << 1)
    }

    /// The numbers of a pawn by kinds of moves, without en passant, which comes last.
    #[inline]
    pub(super) fn numbers(&self, from: Square) -> Groups {
        let [double, single, left, right] = self.able.map(|able| able.contains(from));
        let kinds = [double, single, left, right, false, false, false, false];
        // Four times as many, for none of those pawns can go two squares.
        let twice = u32::from(self.promoting.contains(from)) << 1;
        Groups(Groups::of_flags(kinds).0 << twice)
    }

    /// Place of a move among the numbers of its pawn, from 1; `None` if the pawn
    /// does not have it.
    #[inline]
    pub(super) fn index_of(&self, m: Move, position: &Position) -> Option<u32> {
        let (from, to) = (m.from(), m.to());
        let numbers = self.numbers(from);
        let can = |kind: u32| numbers.get(kind) > 0 && target(self.us, from, kind) == Some(to);
        let Some(kind) = (0..4).find(|kind| can(*kind)) else {
            return self.index_of_passing(m, position);
        };
        let before = numbers.sums().before(kind).wrapping_add(1);
        match (m.promotion(), self.promoting.contains(from)) {
            (None, false) => Some(before),
            (Some(role), true) => {
                let place = PROMOTIONS.iter().position(|known| *known == role)?;
                before.checked_add(u32::try_from(place).ok()?)
            }
            _ => None,
        }
    }

    fn index_of_passing(&self, m: Move, position: &Position) -> Option<u32> {
        if !self.takes_in_passing(position, m.to()) || m.promotion().is_some() {
            return None;
        }
        let mut place = self.numbers(m.from()).sums().total();
        for to in self.passing_targets(m.from()) {
            place = place.checked_add(1)?;
            if to == Some(m.to()) {
                return Some(place);
            }
        }
        None
    }

    /// Where the en passant numbers of a pawn lead, if they lead onto the board.
    fn passing_targets(&self, from: Square) -> impl Iterator<Item = Option<Square>> {
        let able = (2..).zip(self.passing).filter(move |(_, able)| able.contains(from));
        able.map(move |(kind, _)| target(self.us, from, kind))
    }

    /// What the `n`-th en passant number of a pawn means.
    #[cold]
    pub(super) fn nth_passing(&self, from: Square, n: u32, position: &Position) -> Meaning {
        let to = n.checked_sub(1).and_then(|n| self.passing_targets(from).nth(n as usize));
        match to {
            None => Meaning::Beyond(0),
            Some(Some(to)) if self.takes_in_passing(position, to) => {
                Meaning::Move(Move::new(from, to))
            }
            Some(_) => Meaning::Phantom,
        }
    }

    /// Whether an en passant number that leads to this square stands for a move.
    /// cbf §6.2 "En passant"
    fn takes_in_passing(&self, position: &Position, to: Square) -> bool {
        if position.occupied().contains(to) {
            return false;
        }
        let enemies = || position.pieces(Role::Pawn, !self.us);
        let beside = || to.offset(0, self.us.forward().wrapping_neg());
        position.en_passant() == Some(to)
            || self.late_capture && beside().is_some_and(|square| enemies().contains(square))
    }
}

/// What the `n`-th number of a kind of promotion means.
#[cold]
pub(super) fn nth_promotion(us: Color, from: Square, kind: u32, n: u32) -> Meaning {
    let role = PROMOTIONS.get(n.wrapping_sub(1) as usize);
    match (target(us, from, kind), role) {
        (Some(to), Some(role)) => Meaning::Move(Move::promoting(from, to, *role)),
        _ => Meaning::Beyond(0),
    }
}

/// Where a kind of move leads.
#[inline]
fn target(us: Color, from: Square, kind: u32) -> Option<Square> {
    let (files, ranks) = *PAWN_KINDS.get(kind as usize)?;
    from.offset(files, ranks.wrapping_mul(us.forward()))
}

/// The files on which a pawn on its fifth rank has a number for en passant, to the left and to the
/// right.
#[inline]
fn beside(passing_file: u8, rules: Rules) -> [Bitboard; 2] {
    // Nothing is beside a file beyond the board.
    let file = if passing_file == 0 && !rules.edge_pawn { 15 } else { passing_file };
    BESIDE.get(usize::from(file & 15)).copied().unwrap_or_default()
}
