//! The syntax of ranges, for all ordered values.
//!
//! `a..b` and `a-b` have both ends. `a..`, `a-` and `a+` have no end; `..b` and `-b` have no start.
//! `a` alone is the range of all values that it covers. Commas separate alternatives.

use std::ops::RangeInclusive;

use chess_core::{Date, Eco, GameResult, ResultText};

use crate::QueryError;

/// The end of a range that a value stands at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// A type of value that has ranges.
trait Value: Sized {
    /// The values for a missing start and a missing end.
    const OPEN: RangeInclusive<Self>;
    /// The expected form, for messages.
    const WHAT: &'static str;
    /// Parses a value. `B` is B00 at the start of a range and B99 at the end.
    fn read(text: &str, end: End) -> Option<Self>;
    /// Returns whether no value is in the range from `first` to `last`.
    fn is_backwards(first: &Self, last: &Self) -> bool;
}

fn parse<T: Value>(text: &str) -> Result<Vec<RangeInclusive<T>>, QueryError> {
    if text.trim().is_empty() {
        return Err(QueryError::Empty);
    }
    text.split(',').map(|part| range(part.trim())).collect()
}

fn range<T: Value>(text: &str) -> Result<RangeInclusive<T>, QueryError> {
    let wrong = |part: &str| QueryError::unreadable(part, T::WHAT);
    let read = |part: &str, end: End| T::read(part.trim(), end).ok_or_else(|| wrong(part));
    if let (Some(first), Some(last)) = (T::read(text, End::First), T::read(text, End::Last)) {
        return Ok(first..=last);
    }
    let (first, last) = if let Some(ends) = text.split_once("..") {
        ends
    } else if let Some(first) = text.strip_suffix('+') {
        (first, "")
    } else {
        // The hyphen that separates two values, which may contain hyphens themselves.
        let is_end = |part: &str, end| part.is_empty() || T::read(part.trim(), end).is_some();
        let mut ends = text.match_indices('-').filter_map(|(at, _)| text.split_at_checked(at));
        let ends = ends.find_map(|(first, last)| {
            let last = last.strip_prefix('-')?;
            (is_end(first, End::First) && is_end(last, End::Last)).then_some((first, last))
        });
        ends.ok_or_else(|| wrong(text))?
    };
    let (open_first, open_last) = T::OPEN.into_inner();
    if first.is_empty() && last.is_empty() && text != ".." {
        return Err(wrong(text));
    }
    let first = if first.is_empty() { open_first } else { read(first, End::First)? };
    let last = if last.is_empty() { open_last } else { read(last, End::Last)? };
    if T::is_backwards(&first, &last) {
        return Err(QueryError::Backwards(text.to_owned()));
    }
    Ok(first..=last)
}

/// Parses one-based game numbers. The returned ranges are zero-based.
///
/// # Errors
/// [`QueryError`]
pub fn games(text: &str) -> Result<Vec<RangeInclusive<u64>>, QueryError> {
    let from_zero = |number: u64| match number {
        u64::MAX => u64::MAX,
        number => number.saturating_sub(1),
    };
    let ranges = parse::<u64>(text)?.into_iter();
    Ok(ranges.map(|range| from_zero(*range.start())..=from_zero(*range.end())).collect())
}

impl Value for u64 {
    const OPEN: RangeInclusive<u64> = 1..=u64::MAX;
    const WHAT: &'static str = "a game number; write 12, 1-100 or 205..";

    fn read(text: &str, _: End) -> Option<u64> {
        digits(text)?.parse().ok().filter(|number| *number > 0)
    }

    fn is_backwards(first: &u64, last: &u64) -> bool {
        first > last
    }
}

/// Parses dates: `1990`, `1990-05`, `05.1990`, `1990.05.31`, `31.05.1990`. Missing parts in the end of a range
/// include everything.
///
/// # Errors
/// [`QueryError`]
pub fn dates(text: &str) -> Result<Vec<RangeInclusive<Date>>, QueryError> {
    parse(text)
}

impl Value for Date {
    const OPEN: RangeInclusive<Date> = Date::UNKNOWN..=Date::UNKNOWN;
    const WHAT: &'static str = "a date; write 1990, 1990-05, 1990.05.31 or 1990..1995";

    fn read(text: &str, _: End) -> Option<Date> {
        let separator = ['.', '/'].into_iter().find(|mark| text.contains(*mark)).unwrap_or('-');
        let count = text.split(separator).count();
        if text.rsplit(separator).next().is_some_and(|year| year.len() == 4)
            && (count == 3 || count == 2 && separator != '-')
        {
            // `3/2/2020` is ambiguous: day first or month first. `2.2020` is a month.
            let date = Date::parse_lenient(text);
            let whole = if count == 3 { date.day() } else { date.month() };
            return Some(date).filter(|date| whole.is_some() && date.is_all_of(text));
        }
        let mut parts = text.split(separator);
        let year = parts.next().filter(|year| year.len() == 4).and_then(digits)?;
        let mut part = |most: u8| match parts.next() {
            None => Some(None),
            Some("??") => Some(Some(0)),
            Some(text) if text.len() <= 2 => {
                digits(text)?.parse().ok().filter(|part| (1..=most).contains(part)).map(Some)
            }
            Some(_) => None,
        };
        let (month, day) = (part(12)?, part(31)?);
        let year: u16 = year.parse().ok().filter(|year| *year > 0)?;
        let known_day_alone = month == Some(0) && day.is_some_and(|day| day > 0);
        if parts.next().is_some() || known_day_alone {
            return None;
        }
        Date::new(year, month.unwrap_or(0), day.unwrap_or(0))
    }

    fn is_backwards(first: &Date, last: &Date) -> bool {
        let latest = |part: u8| if part == 0 { u8::MAX } else { part };
        let (year, month, day) = last.parts();
        year > 0 && first.parts() > (year, latest(month), latest(day))
    }
}

/// Parses ECO codes and prefixes: `B` is B00 to B99, `B9` is B90 to B99.
///
/// # Errors
/// [`QueryError`]
pub fn ecos(text: &str) -> Result<Vec<RangeInclusive<Eco>>, QueryError> {
    Ok(parse::<Code>(text)?.into_iter().map(|range| range.start().0..=range.end().0).collect())
}

/// An ECO code. Its order includes the extension.
struct Code(Eco);

impl Value for Code {
    const OPEN: RangeInclusive<Code> =
        Code(Eco::new(0).unwrap())..=Code(Eco::new(Eco::MAX).unwrap());
    const WHAT: &'static str = "an ECO code; write B90, C, B20/03 or B90..B99";

    fn read(text: &str, end: End) -> Option<Code> {
        let fill = if end == End::First { "A00" } else { "F99" };
        let missing = fill.get(text.len().clamp(1, 3)..)?;
        let first = text.get(..1)?.to_ascii_uppercase();
        format!("{first}{}{missing}", text.get(1..)?).parse().ok().map(Code)
    }

    fn is_backwards(first: &Code, last: &Code) -> bool {
        first.0.code() > last.0.code()
    }
}

/// Parses ratings.
///
/// # Errors
/// [`QueryError`]
pub fn ratings(text: &str) -> Result<Vec<RangeInclusive<u16>>, QueryError> {
    parse(text)
}

impl Value for u16 {
    const OPEN: RangeInclusive<u16> = 1..=u16::MAX;
    const WHAT: &'static str = "a rating; write 2500, 2500.. or 2400-2600";

    fn read(text: &str, _: End) -> Option<u16> {
        digits(text)?.parse().ok()
    }

    fn is_backwards(first: &u16, last: &u16) -> bool {
        first > last
    }
}

/// Parses differences of ratings.
///
/// # Errors
/// [`QueryError`]
pub fn differences(text: &str) -> Result<Vec<RangeInclusive<u16>>, QueryError> {
    let ranges = parse::<Difference>(text)?.into_iter();
    Ok(ranges.map(|range| range.start().0..=range.end().0).collect())
}

/// A difference of ratings.
struct Difference(u16);

impl Value for Difference {
    const OPEN: RangeInclusive<Difference> = Difference(0)..=Difference(u16::MAX);
    const WHAT: &'static str = "a difference of ratings; write 200.. or 0..50";

    fn read(text: &str, _: End) -> Option<Difference> {
        digits(text)?.parse().ok().map(Difference)
    }

    fn is_backwards(first: &Difference, last: &Difference) -> bool {
        first.0 > last.0
    }
}

/// Parses move counts.
///
/// # Errors
/// [`QueryError`]
pub fn lengths(text: &str) -> Result<Vec<RangeInclusive<u32>>, QueryError> {
    parse(text)
}

impl Value for u32 {
    const OPEN: RangeInclusive<u32> = 0..=u32::MAX;
    const WHAT: &'static str = "a number of moves; write 40 or 20..40";

    fn read(text: &str, _: End) -> Option<u32> {
        digits(text)?.parse().ok()
    }

    fn is_backwards(first: &u32, last: &u32) -> bool {
        first > last
    }
}

/// Parses seconds, which may have a fraction.
///
/// # Errors
/// [`QueryError`]
pub fn seconds(text: &str) -> Result<Vec<RangeInclusive<f64>>, QueryError> {
    parse(text)
}

impl Value for f64 {
    const OPEN: RangeInclusive<f64> = 0.0..=f64::INFINITY;
    const WHAT: &'static str = "a number of seconds; write 180, 60..300 or 0.5";

    fn read(text: &str, _: End) -> Option<f64> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        digits(whole).and(digits(fraction))?;
        text.parse().ok()
    }

    fn is_backwards(first: &f64, last: &f64) -> bool {
        first > last
    }
}

/// Parses results: PGN results, `1/2`, `=`, or the words `white`, `black`, `draw`, `unknown`.
///
/// # Errors
/// [`QueryError`]
pub fn results(text: &str) -> Result<Vec<GameResult>, QueryError> {
    if text.trim().is_empty() {
        return Err(QueryError::Empty);
    }
    let result = |part: &str| match part.trim().to_ascii_lowercase().as_str() {
        "1/2" | "=" | "draw" | "½" | "½-½" => Ok(GameResult::Draw),
        "white" => Ok(GameResult::White),
        "black" => Ok(GameResult::Black),
        "unknown" => Ok(GameResult::Unknown),
        other => {
            let what = "a result; write 1-0, 0-1, 1/2-1/2, *, white, black, draw or unknown";
            let read = ResultText::parse(other).filter(|read| !read.says_more);
            read.map(|read| read.result).ok_or_else(|| QueryError::unreadable(part, what))
        }
    };
    text.split(',').map(result).collect()
}

/// Parses a number of digits only, without sign or spaces.
fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_one_based_text_gives_zero_based_ranges() {
        assert_eq!(games("1-100,205"), Ok(vec![0..=99, 204..=204]));
        assert_eq!(games("1..100, 205"), Ok(vec![0..=99, 204..=204]));
        for open in ["7-", "7..", "7+"] {
            assert_eq!(games(open), Ok(vec![6..=u64::MAX]), "{open}");
        }
        assert_eq!(games("..3"), games("-3"));
        assert_eq!(games("5-5"), Ok(vec![4..=4]));
        assert_eq!(games("3-1"), Err(QueryError::Backwards("3-1".into())));
        for wrong in ["0", "a-b", "-", "+", "1,,2", "1-2-3", "1...3", " "] {
            assert!(games(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn eco_prefix_is_range() {
        let codes = |text| -> Result<Vec<_>, QueryError> {
            Ok(ecos(text)?.iter().map(|r| r.start().code()..=r.end().code()).collect())
        };
        assert_eq!(codes("B9"), Ok(vec![190..=199]));
        assert_eq!(codes("b90..C"), Ok(vec![190..=299]));
        assert_eq!(codes("B90-B92,E"), Ok(vec![190..=192, 400..=499]));
        assert_eq!(codes(".."), Ok(vec![0..=599]));
        assert_eq!(codes("B9..B95"), Ok(vec![190..=195]));
        assert_eq!(codes("D80+"), Ok(vec![380..=599]));
        assert_eq!(codes("b20/03"), Ok(vec![120..=120]));
        for wrong in ["X", "C..B", "B901", "B90kk", ""] {
            assert!(codes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dates_iso_and_dotted_forms_are_parsed() {
        let ends = |text: &str| {
            dates(text).map(|ranges| {
                ranges.iter().map(|range| format!("{} {}", range.start(), range.end())).collect()
            })
        };
        for (text, range) in [
            ("1990", "1990.??.?? 1990.??.??"),
            ("1990-05", "1990.05.?? 1990.05.??"),
            ("1990-05-01", "1990.05.01 1990.05.01"),
            ("1990.5.1", "1990.05.01 1990.05.01"),
            ("1990.??.??", "1990.??.?? 1990.??.??"),
            ("1990-1995", "1990.??.?? 1995.??.??"),
            ("1990-05-1991", "1990.05.?? 1991.??.??"),
            ("1990-05-01-1991-02-03", "1990.05.01 1991.02.03"),
            ("1990.05..", "1990.05.?? ????.??.??"),
            ("..1990-05-31", "????.??.?? 1990.05.31"),
            ("1990-", "1990.??.?? ????.??.??"),
            ("1990+", "1990.??.?? ????.??.??"),
            ("1990..1990", "1990.??.?? 1990.??.??"),
            ("1990/05/01", "1990.05.01 1990.05.01"),
            ("31.05.1990", "1990.05.31 1990.05.31"),
            ("12/31/1990..", "1990.12.31 ????.??.??"),
            ("01-02-1990", "1990.02.01 1990.02.01"),
            ("31.V.1990", "1990.05.31 1990.05.31"),
            ("05.1990", "1990.05.?? 1990.05.??"),
            ("5/1990..6/1990", "1990.05.?? 1990.06.??"),
        ] {
            assert_eq!(ends(text), Ok(vec![range.to_owned()]), "{text}");
        }
        for wrong in [
            "tomorrow",
            "3/2/1990",
            "32.05.1990",
            "1990.05.",
            "1990.13",
            "13.1990",
            "05.01.18",
            "1990-05-32",
            "90",
            "1995..1990",
            "1990.05..1990.04.30",
            "1990-05.01",
            "",
            "????",
            "1990.??.05",
            "+1990",
            "1990-00-01",
            "0000",
        ] {
            assert!(dates(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ratings_and_lengths_are_parsed_as_ranges() {
        assert_eq!(ratings("2500.."), Ok(vec![2500..=u16::MAX]));
        assert_eq!(ratings("2800+"), Ok(vec![2800..=u16::MAX]));
        assert_eq!(ratings("..2000"), Ok(vec![1..=2000]));
        assert_eq!(ratings("2000-2200"), Ok(vec![2000..=2200]));
        assert!(ratings("good").is_err() && ratings("2200..2000").is_err());
        assert_eq!(lengths("20..40"), Ok(vec![20..=40]));
        assert_eq!(differences("0,..50,200+"), Ok(vec![0..=0, 0..=50, 200..=u16::MAX]));
        assert!(differences("much").is_err());
    }

    #[test]
    fn results_by_symbol_or_name_are_parsed() {
        use GameResult::{Black, Draw, Unknown, White};
        assert_eq!(results("1-0,0-1"), Ok(vec![White, Black]));
        assert_eq!(results("Draw, =,1/2,1/2-1/2"), Ok(vec![Draw; 4]));
        assert_eq!(results("*,unknown"), Ok(vec![Unknown; 2]));
        assert!(results("won").is_err() && results("").is_err());
    }
}
