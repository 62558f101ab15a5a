//! `move` and dashes.

use chess_core::{Bitboard, Move, PROMOTIONS};

use super::Eval;
use crate::expr::{Expr, MoveFilter, MoveSource, MoveValue};
use crate::line::{NONE, Played};

impl Eval<'_> {
    /// The squares that the filter gives, and how many moves match. `one` stops at the first.
    pub(super) fn moves(&mut self, m: &MoveFilter, one: bool) -> (Bitboard, i64) {
        let mut result = (Bitboard::EMPTY, 0_i64);
        if m.source == MoveSource::Previous {
            let spot = self.spot();
            let (parent, here) = (spot.parent, self.state.at);
            if parent != NONE {
                self.there(parent, |eval| eval.one_move(m, here, &mut result));
            }
            return result;
        }
        if m.source == MoveSource::Played {
            let mut child = self.state.line.next(self.state.at);
            while child != NONE && !(one && result.1 > 0) {
                self.one_move(m, child, &mut result);
                child = self.state.line.spot(child).sibling;
            }
            return result;
        }
        let Some(sets) = self.move_sets(m) else { return result };
        let position = self.spot().position;
        let mut offer = |candidate: Move| {
            let played = Played::new(&position, candidate);
            if fits(m, &played) && sets.fit(&played) {
                result.0 |= value_of(m, &played);
                result.1 = result.1.wrapping_add(1);
            }
        };
        if m.source == MoveSource::Legal {
            position.legal_moves().into_iter().for_each(offer);
            return result;
        }
        for from in position.color(position.turn()) {
            for to in !position.color(position.turn()) {
                let plain = Move::new(from, to);
                if position.is_pseudo_legal(plain) {
                    offer(plain);
                } else if matches!(to.rank(), 0 | 7) {
                    let promotions = PROMOTIONS.map(|role| Move::promoting(from, to, role));
                    promotions
                        .into_iter()
                        .filter(|m| position.is_pseudo_legal(*m))
                        .for_each(&mut offer);
                }
            }
        }
        result
    }

    /// Tests the move to a position.
    pub(super) fn one_move(&mut self, m: &MoveFilter, child: u32, result: &mut (Bitboard, i64)) {
        let spot = self.state.line.spot(child);
        if m.primary.is_some_and(|primary| spot.primary != primary) {
            return;
        }
        let played = Played::new(&self.spot().position, spot.played);
        if !fits(m, &played) {
            return;
        }
        let Some(sets) = self.move_sets(m) else { return };
        if !sets.fit(&played) {
            return;
        }
        if m.after.is_empty()
            || self.there(child, |eval| m.after.iter().all(|filter| eval.test(filter)))
        {
            result.0 |= value_of(m, &played);
            result.1 = result.1.wrapping_add(1);
        }
    }

    fn move_sets(&mut self, m: &MoveFilter) -> Option<MoveSets> {
        let mut part = |expr: &Option<Expr>| match expr {
            Some(expr) => self.set(expr).map(Some),
            None => Some(None),
        };
        let from = part(&m.from)?;
        if from.is_some_and(Bitboard::is_empty) {
            return None;
        }
        Some(MoveSets {
            from,
            to: part(&m.to)?,
            capture: part(&m.capture)?,
            en_passant: part(&m.en_passant_square)?,
        })
    }
}

/// The sets of a `move`, evaluated before it.
struct MoveSets {
    from: Option<Bitboard>,
    to: Option<Bitboard>,
    capture: Option<Bitboard>,
    en_passant: Option<Bitboard>,
}

impl MoveSets {
    fn fit(&self, played: &Played) -> bool {
        let on = |set: Option<Bitboard>, square: Bitboard| {
            set.is_none_or(|set| (set & square).has_any())
        };
        on(self.from, played.from)
            && on(self.to, played.to)
            && on(self.capture, played.captured)
            && self.en_passant.is_none_or(|set| played.en_passant && (set & played.to).has_any())
    }
}

/// Whether a move is of the kind that the filter wants.
#[inline]
fn fits(m: &MoveFilter, played: &Played) -> bool {
    m.null == played.null
        && (!m.en_passant || played.en_passant)
        && (m.castle == 0 || m.castle & played.castle != 0)
        && m.promote.is_none_or(|kinds| kinds & played.promotion != 0)
        && (m.capture.is_none() || played.captured.has_any())
}

fn value_of(m: &MoveFilter, played: &Played) -> Bitboard {
    match m.value {
        MoveValue::To => played.to,
        MoveValue::Capture => played.captured,
        _ => played.from,
    }
}
