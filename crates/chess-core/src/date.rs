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

    /// Whether no part is known.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        self.year == 0 && self.month == 0 && self.day == 0
    }

    /// Reads what people write: parts split by `.`, `-` or `/`, of any width, trailing parts
    /// missing; a part that is no number, or no possible one, is unknown.
    #[must_use]
    pub fn parse_lenient(text: &str) -> Date {
        fn part<T: FromStr + PartialOrd + Default>(text: Option<&str>, most: T) -> T {
            let value = text.and_then(|text| text.trim().parse().ok());
            value.filter(|value| *value <= most).unwrap_or_default()
        }
        let mut parts = text.trim().splitn(3, ['.', '-', '/']);
        let year = part(parts.next(), 9999);
        let month = part(parts.next(), 12);
        let day = part(parts.next(), 31);
        Date { year, month, day }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year() {
            Some(year) => write!(f, "{year:04}")?,
            None => f.write_str("????")?,
        }
        for part in [self.month, self.day] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
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
        ] {
            assert_eq!(Date::parse_lenient(text).to_string(), understood, "{text}");
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
