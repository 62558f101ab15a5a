//! Comparisons of numbers of men, evaluated at once.

use chess_core::{Bitboard, PieceSets};

use crate::expr::{Compare, Expr, Kind, Men, Operator, Type};
use crate::geometry::men;

/// A comparison of two numbers of men with a constant: `#R - #r == 1`, `Pa1-8 >= 3`, `#Q == #q`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Balance {
    plus: Men,
    minus: Men,
    low: i64,
    high: i64,
}

const NONE: Men = Men { kinds: 0, squares: Bitboard::EMPTY };

impl Balance {
    /// Returns whether the difference of both numbers is in the range.
    #[inline]
    pub(crate) fn holds(&self, sets: &PieceSets) -> bool {
        // Most comparisons have one number of men.
        let count = |wanted: Men| match wanted.kinds {
            0 => 0,
            _ => i64::from(men(sets, wanted).count()),
        };
        let difference = count(self.plus).wrapping_sub(count(self.minus));
        (self.low..=self.high).contains(&difference)
    }

    /// Returns nothing if the comparison has another form.
    pub(crate) fn of(compare: &Compare) -> Option<Balance> {
        let [(relation, right)] = compare.rest.as_slice() else { return None };
        if compare.by != Type::Number {
            return None;
        }
        let Sum { plus, minus, constant } = sum(&compare.first)?.minus(sum(right)?)?;
        let (low, high) = relation.range(constant.checked_neg()?)?;
        let (plus, minus) = (plus.unwrap_or(NONE), minus.unwrap_or(NONE));
        Some(Balance { plus, minus, low, high })
    }
}

/// A number of men, less another one, and a constant.
struct Sum {
    plus: Option<Men>,
    minus: Option<Men>,
    constant: i64,
}

impl Sum {
    fn minus(self, other: Sum) -> Option<Sum> {
        let constant = other.constant.checked_neg()?;
        self.plus(Sum { plus: other.minus, minus: other.plus, constant })
    }

    fn plus(self, other: Sum) -> Option<Sum> {
        let one = |a: Option<Men>, b: Option<Men>| match (a, b) {
            (Some(_), Some(_)) => None,
            (a, b) => Some(a.or(b)),
        };
        Some(Sum {
            plus: one(self.plus, other.plus)?,
            minus: one(self.minus, other.minus)?,
            constant: self.constant.checked_add(other.constant)?,
        })
    }
}

fn sum(expr: &Expr) -> Option<Sum> {
    let nothing = Sum { plus: None, minus: None, constant: 0 };
    match &expr.kind {
        Kind::Number(constant) => Some(Sum { constant: *constant, ..nothing }),
        Kind::Men(men) => Some(Sum { plus: Some(*men), ..nothing }),
        Kind::Count(of) => match of.kind {
            Kind::Men(men) => Some(Sum { plus: Some(men), ..nothing }),
            _ => None,
        },
        Kind::Negate(of) => nothing.minus(sum(of)?),
        Kind::Arithmetic(Operator::Add, pair) => sum(&pair.0)?.plus(sum(&pair.1)?),
        Kind::Arithmetic(Operator::Subtract, pair) => sum(&pair.0)?.minus(sum(&pair.1)?),
        _ => None,
    }
}
