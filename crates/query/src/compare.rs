//! Comparisons of tag values: `WhiteElo>=2500`, `Round<5`, `EventDate>1990`.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use chess_core::Date;

use crate::filter::{HeaderMatch, in_dates};
use crate::{QueryError, ranges};

/// A comparison with a number or a date.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Comparison {
    /// Decimal numbers.
    Number(Relation, f64),
    /// Rounds: numbers with dots between them, compared part by part. Round 5.10 is after 5.9.
    Round(Relation, Vec<u64>),
    /// A date. `inverted` selects the days outside the range.
    Date { range: RangeInclusive<Date>, inverted: bool },
}

/// A relation between a value and a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    AtMost,
    AtLeast,
    Greater,
}

impl Relation {
    /// Splits `TAG<VALUE`, `TAG<=VALUE`, `TAG>=VALUE` or `TAG>VALUE`.
    pub(super) fn split(text: &str) -> Option<(&str, Relation, &str)> {
        let at = text.find(['<', '>', '='])?;
        let (name, rest) = text.split_at_checked(at)?;
        let relations = [
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        relations
            .into_iter()
            .find_map(|(sign, relation)| Some((name, relation, rest.strip_prefix(sign)?)))
    }

    fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::AtLeast => order.is_ge(),
            Relation::Greater => order.is_gt(),
        }
    }
}

/// Tags whose values are texts, so that no comparison has a meaning.
const TEXTS: [&str; 7] = ["Event", "Site", "White", "Black", "Result", "FEN", "Opening"];

impl Comparison {
    /// Creates the comparison of a tag with `value`.
    pub(super) fn new(
        name: &str,
        relation: Relation,
        value: &str,
    ) -> Result<Comparison, QueryError> {
        let value = value.trim();
        if value.is_empty() {
            return Err(QueryError::Empty);
        }
        if TEXTS.iter().any(|text| text.eq_ignore_ascii_case(name)) {
            let what = "a tag with numbers or dates; write TAG=REGEX for texts";
            return Err(QueryError::unreadable(name, what));
        }
        if name.eq_ignore_ascii_case("ECO") {
            let what = "a tag with numbers or dates; the criterion eco takes codes, as B90..B99";
            return Err(QueryError::unreadable(name, what));
        }
        if name.to_ascii_lowercase().ends_with("date") {
            return Comparison::with_date(relation, value);
        }
        let wrong = || QueryError::unreadable(value, "a number, as in WhiteElo>=2500");
        if name.eq_ignore_ascii_case("Round") {
            return Ok(Comparison::Round(relation, round(value).ok_or_else(wrong)?));
        }
        Ok(Comparison::Number(relation, number(value).ok_or_else(wrong)?))
    }

    fn with_date(relation: Relation, value: &str) -> Result<Comparison, QueryError> {
        let what = "a date, as in Date>=1990, EventDate<1990-05 or Date>1990-05-31";
        let parsed = ranges::dates(value).ok();
        let date = match parsed.as_deref() {
            Some([range]) if range.start() == range.end() => *range.start(),
            _ => return Err(QueryError::unreadable(value, what)),
        };
        // Later than a month is not from its first day on, and so on.
        let (range, inverted) = match relation {
            Relation::AtLeast => (date..=Date::UNKNOWN, false),
            Relation::AtMost => (Date::UNKNOWN..=date, false),
            Relation::Less => (date..=Date::UNKNOWN, true),
            Relation::Greater => (Date::UNKNOWN..=date, true),
        };
        Ok(Comparison::Date { range, inverted })
    }

    /// Compares a number. `None` if this does not compare numbers.
    pub(super) fn judge_number(&self, value: f64) -> Option<HeaderMatch> {
        let Comparison::Number(relation, limit) = self else { return None };
        let holds = value.partial_cmp(limit).is_some_and(|order| relation.holds(order));
        Some(HeaderMatch::of(holds))
    }

    /// Compares the value of a tag. A value of another kind does not match.
    pub(super) fn judge(&self, value: &str) -> HeaderMatch {
        let value = value.trim();
        let holds = match self {
            Comparison::Number(relation, limit) => number(value)
                .and_then(|number| number.partial_cmp(limit))
                .is_some_and(|order| relation.holds(order)),
            Comparison::Round(relation, limit) => {
                round(value).is_some_and(|round| relation.holds(round.cmp(limit)))
            }
            Comparison::Date { .. } => return self.judge_date(Date::parse_lenient(value)),
        };
        if holds { HeaderMatch::Selected } else { HeaderMatch::Rejected }
    }

    /// Compares a date. Dates that are partly known can be inside and outside.
    pub(super) fn judge_date(&self, date: Date) -> HeaderMatch {
        let Comparison::Date { range, inverted } = self else { return HeaderMatch::Rejected };
        match in_dates(range, date) {
            _ if date.is_unknown() => HeaderMatch::Rejected,
            HeaderMatch::Undecided => HeaderMatch::Undecided,
            HeaderMatch::Selected if *inverted => HeaderMatch::Rejected,
            HeaderMatch::Rejected if *inverted => HeaderMatch::Selected,
            outcome => outcome,
        }
    }
}

/// Parses a decimal number: digits with an optional sign and point.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| is_plain)
}

/// Parses a round: `5`, `5.10`.
fn round(text: &str) -> Option<Vec<u64>> {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').map(|part| part.parse().ok().filter(|_| digits(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(comparison: &str, value: &str) -> HeaderMatch {
        let (name, relation, limit) = Relation::split(comparison).unwrap();
        Comparison::new(name, relation, limit).unwrap().judge(value)
    }

    #[test]
    fn judge_number_compares_by_value() {
        for (comparison, value, holds) in [
            ("WhiteElo>=2500", "2500", true),
            ("WhiteElo>2500", "2500", false),
            ("WhiteElo<=2500", "900", true),
            ("WhiteElo<2500", "", false),
            ("WhiteElo<2500", "?", false),
            ("PlyCount>9", "10", true),
            ("WhiteRatingDiff>=-5", "+3", true),
            ("WhiteRatingDiff<-5", "-6.5", true),
            ("PlyCount>1", "inf", false),
            ("Round<5", "4", true),
            ("Round<5", "5.1", false),
            ("Round>5.9", "5.10", true),
            ("Round>=5", "5.1", true),
            ("Round<5", "-", false),
            ("Board<5", " 4 ", true),
        ] {
            let expected = if holds { HeaderMatch::Selected } else { HeaderMatch::Rejected };
            assert_eq!(judge(comparison, value), expected, "{value} in {comparison}");
        }
    }

    #[test]
    fn judge_date_goes_by_days() {
        use HeaderMatch::{Rejected, Selected, Undecided};
        for (comparison, value, expected) in [
            ("Date>=1990", "1990.01.01", Selected),
            ("Date>1990", "1990.12.31", Rejected),
            ("Date>1990", "1991.01.01", Selected),
            ("Date<1990-05", "1990.04.30", Selected),
            ("Date<1990-05", "1990.05.01", Rejected),
            ("Date<=1990-05", "1990.05.31", Selected),
            ("Date<1990-05", "1990.??.??", Undecided),
            ("Date>1990-05", "1990.??.??", Undecided),
            ("Date>1989", "1990.??.??", Selected),
            ("UTCDate<31.05.1990", "1990-05-30", Selected),
            ("Date<1990", "????.??.??", Rejected),
            ("Date>1990", "?", Rejected),
        ] {
            assert_eq!(judge(comparison, value), expected, "{value} in {comparison}");
        }
    }

    #[test]
    fn new_comparison_without_meaning_is_error() {
        for wrong in [
            "White>5",
            "event<=x",
            "ECO>=B20",
            "WhiteElo>strong",
            "WhiteElo>=",
            "Round<five",
            "Date<yesterday",
            "Date<1990..1995",
            "Date<1990,1991",
            "PlyCount>1e3",
        ] {
            let (name, relation, value) = Relation::split(wrong).unwrap();
            assert!(Comparison::new(name, relation, value).is_err(), "{wrong}");
        }
        assert_eq!(Relation::split("Event=a>b"), None);
        assert_eq!(Relation::split("White"), None);
    }
}
