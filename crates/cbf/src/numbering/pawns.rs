//! Pawn moves, computed for all pawns at once with bitboards.
//!
//! Most pawns have zero to three numbers, so their counts are stored as two bitboards of binary
//! digits: bit `s` of the first is the ones digit of the pawn on `s`, bit `s` of the second the
//! twos digit. Pawns with other counts are listed by [`Pawns::unusual`].

use core::hint::select_unpredictable;

use chess_core::{Bitboard, Color, Move, PROMOTIONS, Position, Role, Square};

use super::groups::PackedCounts;
use super::steps::{BESIDE, PAWN_KINDS};
use super::{Meaning, NumberedPosition, Rules};

/// The second, fifth, seventh and last rank of each side.
static RANKS: [[Bitboard; 4]; 2] = [
    [Bitboard::rank(1), Bitboard::rank(4), Bitboard::rank(6), Bitboard::rank(7)],
    [Bitboard::rank(6), Bitboard::rank(3), Bitboard::rank(1), Bitboard::rank(0)],
];

/// The own pawns by available moves, as sets of origin squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pawns {
    us: Color,
    /// The pawns that have a move of each of the [`PAWN_KINDS`].
    able: [Bitboard; 4],
    /// The pawns with an en passant number to the left, and to the right. The capture itself may
    /// not be allowed by the rules.
    passing: [Bitboard; 2],
    /// The pawns one step from the last rank. Each of their moves has four numbers.
    pub(super) promoting: Bitboard,
    /// [`Rules::late_capture`]
    late_capture: bool,
}

impl Pawns {
    #[inline]
    pub(super) fn new(numbered: &NumberedPosition, rules: Rules, enemies: Bitboard) -> Pawns {
        let position = &numbered.position;
        let occupied = position.occupied();
        let us = position.turn();
        let pawns = position.pieces(Role::Pawn, us);
        // Occupation one and two ranks ahead, shifted back to the origin. Computed for both sides
        // and then selected, so that nothing branches on the side to move.
        let black = us == Color::Black;
        let pick = |white, black_too| Bitboard(select_unpredictable(black, black_too, white));
        let one = pick(occupied.0 >> 8, occupied.0 << 8);
        let two = pick(occupied.0 >> 16, occupied.0 << 16);
        let left = pick(enemies.0 >> 7, enemies.0 << 9);
        let right = pick(enemies.0 >> 9, enemies.0 << 7);
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

    /// Returns the count of numbers of each pawn as two binary digits, the ones first. Pawns in
    /// [`Pawns::unusual`] have more numbers than this.
    #[inline]
    pub(super) fn digits(&self) -> [Bitboard; 2] {
        // A double step implies a single step; two captures imply one.
        let [double, single, left, right] = self.able;
        let (ahead, takes, takes_both) = (single ^ double, left ^ right, left & right);
        [ahead ^ takes, double | takes_both | ahead & takes]
    }

    /// Returns the pawns with more numbers than their digits.
    #[inline]
    pub(super) fn unusual(&self) -> Bitboard {
        let [double, _, left, right] = self.able;
        let [passing_left, passing_right] = self.passing;
        self.promoting | passing_left | passing_right | double & left & right
    }

    /// Returns how many numbers the pawn on `from` has beyond its digits.
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

    /// Counts the numbers of a pawn by [`PAWN_KINDS`], without en passant, which comes last.
    #[inline]
    pub(super) fn numbers(&self, from: Square) -> PackedCounts {
        let [double, single, left, right] = self.able.map(|able| able.contains(from));
        let kinds = [double, single, left, right, false, false, false, false];
        // Four promotions for each move. None of these pawns has a double step.
        let twice = u32::from(self.promoting.contains(from)) << 1;
        PackedCounts(PackedCounts::of_flags(kinds).0 << twice)
    }

    /// Returns the place of `m` among the numbers of its pawn, from 1. Returns `None` if the pawn
    /// has no such move.
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

    /// Returns the target of each en passant number of a pawn; `None` is off the board.
    fn passing_targets(&self, from: Square) -> impl Iterator<Item = Option<Square>> {
        let able = (2..).zip(self.passing).filter(move |(_, able)| able.contains(from));
        able.map(move |(kind, _)| target(self.us, from, kind))
    }

    /// Decodes en passant number `n` of a pawn.
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

    /// Returns `true` if an en passant number with target `to` stands for a move.
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

/// Decodes number `n` of the promotions by a kind of move.
#[cold]
pub(super) fn nth_promotion(us: Color, from: Square, kind: u32, n: u32) -> Meaning {
    let role = PROMOTIONS.get(n.wrapping_sub(1) as usize);
    match (target(us, from, kind), role) {
        (Some(to), Some(role)) => Meaning::Move(Move::promoting(from, to, *role)),
        _ => Meaning::Beyond(0),
    }
}

/// Returns the target of a move of this kind.
#[inline]
fn target(us: Color, from: Square, kind: u32) -> Option<Square> {
    let (files, ranks) = *PAWN_KINDS.get(kind as usize)?;
    from.offset(files, ranks.wrapping_mul(us.forward()))
}

/// Returns the files on which a pawn on its fifth rank has an en passant number, to the left and to
/// the right.
#[inline]
fn beside(passing_file: u8, rules: Rules) -> [Bitboard; 2] {
    // File 15 has no neighbours, so it disables en passant.
    let file = if passing_file == 0 && !rules.edge_pawn { 15 } else { passing_file };
    BESIDE.get(usize::from(file & 15)).copied().unwrap_or_default()
}
