//! Alternatives of men on squares, which shifted and flipped patterns become. The men of each kind are
//! found once for all alternatives.

use chess_core::Bitboard;

use crate::expr::{Expr, Kind, Men, Pawns};

/// The most kinds of men.
pub(crate) const MAX_SETS: usize = 12;

/// Lists of squares: a position must have men on some squares of each list of an alternative.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Layouts {
    /// Kinds of men as bits of [`Men`], and the kind of pawns that they must be.
    pub(crate) sets: Vec<(u16, Option<Pawns>)>,
    masks: Vec<Mask>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Mask {
    set: usize,
    squares: Bitboard,
    is_last: bool,
}

impl Layouts {
    /// Returns nothing for filters of another form, and where each alternative has men of its own.
    pub(crate) fn of(alternatives: &[Expr]) -> Option<Layouts> {
        let mut layouts = Layouts { sets: Vec::new(), masks: Vec::new() };
        for alternative in alternatives {
            layouts.add(alternative)?;
            layouts.masks.last_mut()?.is_last = true;
        }
        let is_worth_it = layouts.sets.len() < alternatives.len();
        (is_worth_it && layouts.sets.len() <= MAX_SETS).then_some(layouts)
    }

    fn add(&mut self, expr: &Expr) -> Option<()> {
        let (men, pawns) = match &expr.kind {
            Kind::Men(men) => (*men, None),
            Kind::Inter(pair) => match (&pair.0.kind, &pair.1.kind) {
                (Kind::Men(men), Kind::Pawns(pawns)) | (Kind::Pawns(pawns), Kind::Men(men)) => {
                    (*men, Some(*pawns))
                }
                _ => return None,
            },
            Kind::Block(list) | Kind::And(list) if !list.is_empty() => {
                return list.iter().try_for_each(|part| self.add(part));
            }
            Kind::Protected(body) => return self.add(body),
            _ => return None,
        };
        let Men { kinds, squares } = men;
        let known = self.sets.iter().position(|set| *set == (kinds, pawns));
        let set = known.unwrap_or_else(|| {
            self.sets.push((kinds, pawns));
            self.sets.len().saturating_sub(1)
        });
        self.masks.push(Mask { set, squares, is_last: false });
        Some(())
    }

    /// About how long an evaluation takes, in units of a designator.
    pub(crate) fn cost(&self) -> u64 {
        let set = |(_, pawns): &(u16, Option<Pawns>)| if pawns.is_some() { 6 } else { 1 };
        let masks = self.masks.len().div_euclid(8) as u64;
        self.sets.iter().map(set).fold(masks, u64::saturating_add)
    }

    /// Returns whether a position with these men has one of the alternatives.
    #[inline]
    pub(crate) fn hold(&self, men: &[Bitboard; MAX_SETS]) -> bool {
        let mut all = true;
        for mask in &self.masks {
            all = all && men.get(mask.set).is_some_and(|men| (*men & mask.squares).has_any());
            if mask.is_last {
                if all {
                    return true;
                }
                all = true;
            }
        }
        false
    }
}
