//! Dates of which parts may be unknown.

use core::fmt;
use core::str::FromStr;

/// A date whose year, month or day may be unknown, as PGN writes it: `1987.04.??`.
///
/// No calendar is consulted: old files hold 31st Februaries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// `????.??.??`
    pub const UNKNOWN: Date = Date { year: 0, month: 0, day: 0 };

    /// A date; zero stands for an unknown part. `None` when the year is above 9999, the month
    /// above 12 or the day above 31.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        if year <= 9999 && month <= 12 && day <= 31 {
            Some(Date { year, month, day })
        } else {
            None
        }
    }

    /// The year, 1 to 9999.
    #[must_use]
    pub const fn year(self) -> Option<u16> {
        if self.year == 0 { None } else { Some(self.year) }
    }

    /// The month, 1 to 12.
    #[must_use]
    pub const fn month(self) -> Option<u8> {
        if self.month == 0 { None } else { Some(self.month) }
    }

    /// The day, 1 to 31.
    #[must_use]
    pub const fn day(self) -> Option<u8> {
        if self.day == 0 { None } else { Some(self.day) }
    }

    /// Year, month and day, zero where unknown.
    #[must_use]
    pub const fn parts(self) -> (u16, u8, u8) {
        (self.year, self.month, self.day)
    }

    /// As it is [displayed](fmt::Display).
    #[must_use]
    pub const fn spelt(self) -> [u8; 10] {
        const fn digit(number: u16) -> u8 {
            b'0'.wrapping_add(number.wrapping_rem(10).to_le_bytes()[0])
        }
        let mut text = *b"????.??.??";
        let [y1, y2, y3, y4, _, m1, m2, _, d1, d2] = &mut text;
        if self.year > 0 {
            (*y1, *y2) = (digit(self.year / 1000), digit(self.year / 100));
            (*y3, *y4) = (digit(self.year / 10), digit(self.year));
        }
        if self.month > 0 {
            (*m1, *m2) = (digit(self.month as u16 / 10), digit(self.month as u16));
        }
        if self.day > 0 {
            (*d1, *d2) = (digit(self.day as u16 / 10), digit(self.day as u16));
        }
        text
    }

    /// Whether no part is known.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        self.year == 0 && self.month == 0 && self.day == 0
    }

    /// Reads what people write: parts split by `.`, `-` or `/`, of any width, the year first or
    /// last, parts missing at the end; a part that is no number, or no possible one, is unknown.
    ///
    /// A year has three or four digits, so that `3.2.2020` is the third of February and `3` no
    /// date. `3/2/2020` is some day in 2020: on one side of an ocean the month stands first.
    #[must_use]
    pub fn parse_lenient(text: &str) -> Date {
        let mut parts = text.trim().splitn(3, ['.', '-', '/']).map(str::trim);
        let mut part = || parts.next().unwrap_or_default();
        let (first, second, third) = (part(), part(), part());
        if is_year(first) || !is_year(third) {
            let year = if is_year(first) { first } else { "" };
            return Date::of_numbers(number(year), number(second), number(third));
        }
        let (day, month) = (number(first), number(second));
        let either = text.contains('/') && (1..=12).contains(&day) && (1..=12).contains(&month);
        match (either && day != month, month > 12) {
            (true, _) => Date::of_numbers(number(third), 0, 0),
            (_, true) => Date::of_numbers(number(third), day, month),
            _ => Date::of_numbers(number(third), month, day),
        }
    }

    /// A date of which impossible parts are unknown.
    fn of_numbers(year: u16, month: u16, day: u16) -> Date {
        let part = |value: u16, most: u16| u8::try_from(value).ok().filter(|_| value <= most);
        let year = if year <= 9999 { year } else { 0 };
        Date { year, month: part(month, 12).unwrap_or(0), day: part(day, 31).unwrap_or(0) }
    }

    /// Whether a text spells this date and says nothing more: `2020-2-3` does for `2020.02.03`. Who
    /// stores the date then loses nothing but the spelling.
    #[must_use]
    pub fn is_all_of(self, spelling: &str) -> bool {
        let known = [self.year, self.month.into(), self.day.into()];
        let known = known.into_iter().filter(|part| *part > 0).count();
        let mut numbers = 0usize;
        for part in spelling.split(['?', '.', '-', '/', ' ']).filter(|part| !part.is_empty()) {
            match part.parse::<u32>() {
                Ok(0) => {}
                Ok(_) => numbers = numbers.saturating_add(1),
                Err(_) => return false,
            }
        }
        numbers == known
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.spelt()).unwrap_or_default())
    }
}

/// The text is not `YYYY.MM.DD` with `?` for unknown parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date is written YYYY.MM.DD with ? for what is unknown")]
#[non_exhaustive]
pub struct DateError;

impl FromStr for Date {
    type Err = DateError;

    /// Reads exactly what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Date, DateError> {
        let [y @ .., b'.', m1, m2, b'.', d1, d2] = text.as_bytes() else { return Err(DateError) };
        let year = if y == b"????" { Some(0) } else { digits(y).filter(|year| *year > 0) };
        let part = |digits_of: &[u8]| match digits_of {
            b"??" => Some(0),
            other => digits(other).filter(|part| *part > 0),
        };
        let narrow = |value: Option<u16>| value.and_then(|value| u8::try_from(value).ok());
        match (year, narrow(part(&[*m1, *m2])), narrow(part(&[*d1, *d2]))) {
            (Some(year), Some(month), Some(day)) if y.len() == 4 => {
                Date::new(year, month, day).ok_or(DateError)
            }
            _ => Err(DateError),
        }
    }
}

fn is_year(text: &str) -> bool {
    matches!(text.len(), 3 | 4) && digits(text.as_bytes()).is_some()
}

/// Zero if it is none.
fn number(text: &str) -> u16 {
    text.parse().unwrap_or(0)
}

fn digits(text: &[u8]) -> Option<u16> {
    text.iter().try_fold(0u16, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| u16::from(byte & 15))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::string::ToString;

    #[test]
    fn pgn_dates_read_back() {
        for text in
            ["1987.04.23", "1987.04.??", "1987.??.??", "????.??.??", "????.05.01", "0001.02.31"]
        {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "1987",
            "1987.4.23",
            "1987.13.01",
            "1987.01.32",
            "87.01.01",
            "0000.01.01",
            "1987-01-01",
        ] {
            assert_eq!(wrong.parse::<Date>(), Err(DateError), "{wrong}");
        }
    }

    #[test]
    fn lenient_dates() {
        for (text, understood) in [
            ("1987", "1987.??.??"),
            ("1987.4.3", "1987.04.03"),
            ("1987-04-03", "1987.04.03"),
            (" 1987/04 ", "1987.04.??"),
            ("1987.13.40", "1987.??.??"),
            ("spring", "????.??.??"),
            ("", "????.??.??"),
            ("3.2.2020", "2020.02.03"),
            ("31-12-1999", "1999.12.31"),
            ("31/12/1999", "1999.12.31"),
            ("12/31/1999", "1999.12.31"),
            ("5/5/1999", "1999.05.05"),
            ("3/2/2020", "2020.??.??"),
            ("??.02.2020", "2020.02.??"),
            ("3", "????.??.??"),
            ("87.4.3", "????.04.03"),
            ("????.5.1", "????.05.01"),
        ] {
            assert_eq!(Date::parse_lenient(text).to_string(), understood, "{text}");
        }
    }

    #[test]
    fn a_spelling_says_all_of_a_date_or_more() {
        for (text, all) in [
            ("2020-2-3", true),
            ("3.2.2020", true),
            ("2020.??.??", true),
            ("?", true),
            ("3/2/2020", false),
            ("2020.13.01", false),
            ("spring 2020", false),
        ] {
            assert_eq!(Date::parse_lenient(text).is_all_of(text), all, "{text}");
        }
    }

    #[test]
    fn parts_are_bounded() {
        assert_eq!(Date::new(10_000, 1, 1), None);
        assert_eq!(Date::new(1, 13, 1), None);
        assert_eq!(Date::new(1, 1, 32), None);
        assert!(Date::new(0, 0, 0).unwrap().is_unknown());
    }
}
