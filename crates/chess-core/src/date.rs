//! Dates with optional parts.

use core::fmt;
use core::str::FromStr;

/// A date whose year, month or day may be unknown, in PGN notation: `1987.04.??`.
///
/// The day is not checked against the calendar: old files contain dates such as 31 February.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The part that comes first in a date whose year comes last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateOrder {
    /// `31/12/2018`
    DayFirst,
    /// `12/31/2018`
    MonthFirst,
}

impl Date {
    /// `????.??.??`
    pub const UNKNOWN: Date = Date { year: 0, month: 0, day: 0 };

    /// Creates a date. Zero is an unknown part. Returns `None` if the year is above 9999, the month
    /// above 12 or the day above 31.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        if year <= 9999 && month <= 12 && day <= 31 {
            Some(Date { year, month, day })
        } else {
            None
        }
    }

    /// Returns the year, 1 to 9999.
    #[must_use]
    pub const fn year(self) -> Option<u16> {
        if self.year == 0 { None } else { Some(self.year) }
    }

    /// Returns the month, 1 to 12.
    #[must_use]
    pub const fn month(self) -> Option<u8> {
        if self.month == 0 { None } else { Some(self.month) }
    }

    /// Returns the day, 1 to 31.
    #[must_use]
    pub const fn day(self) -> Option<u8> {
        if self.day == 0 { None } else { Some(self.day) }
    }

    /// Returns year, month and day. Unknown parts are zero.
    #[must_use]
    pub const fn parts(self) -> (u16, u8, u8) {
        (self.year, self.month, self.day)
    }

    /// Formats the date like [`Display`](fmt::Display).
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

    /// Returns whether all parts are unknown.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        self.year == 0 && self.month == 0 && self.day == 0
    }

    /// Returns the first and the last possible day, if the year is known. `1995.02.??` is between
    /// 1995.02.01 and 1995.02.28.
    #[must_use]
    pub const fn days(self) -> Option<(Date, Date)> {
        if self.year == 0 {
            return None;
        }
        let (mut first, mut last) = (self, self);
        if self.month == 0 {
            (first.month, last.month) = (1, 12);
        }
        if self.day == 0 {
            (first.day, last.day) = (1, last_day(last.year, last.month));
        }
        Some((first, last))
    }

    /// Parses common spellings of a date. A part that is not a number, or out of range, is unknown.
    ///
    /// - Numbers separated by `.`, `-` or `/`, of any width, the year first or last, parts missing
    ///   at the end: `2020-2-3`, `3.2.2020`, `31/12/1999`, `2020`.
    /// - Eight digits: `20200203`.
    /// - A month name in one of several languages, or in Roman numerals: `3 Feb 2020`,
    ///   `February 3, 2020`, `3.II.2020`.
    /// - Other separators, and a time after the date: `2020-02-03T10:00:00Z`.
    ///
    /// A year has three or four digits. So `3.2.2020` is the third of February, and `3` is not a
    /// date. `3/2/2020` is some day in 2020, because the order of day and month differs between
    /// countries; `03.02.20` is no date. Of days from one to another, only what both have in common
    /// is known: `2020.02.28-2020.03.02` is some day in 2020.
    #[must_use]
    pub fn parse_lenient(text: &str) -> Date {
        let text = text.trim();
        let is_plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'?' | b'.' | b'-' | b'/' | b' ');
        if let Some(date) = compact(text) {
            date
        } else if text.bytes().all(is_plain) {
            Date::parse_numbers(text.trim_end_matches(['.', '-', '/', ' ']))
        } else {
            Date::parse_words(text)
        }
    }

    /// Returns the order of a date that has only one reading: `12/31/2018`. Returns `None` for
    /// dates with full stops, which conventionally put the day first.
    #[must_use]
    pub fn told_order(text: &str) -> Option<DateOrder> {
        match year_last(text)? {
            (13..=31, 1..=12, _) => Some(DateOrder::DayFirst),
            (1..=12, 13..=31, _) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// Like [`parse_lenient`](Date::parse_lenient), but reads an ambiguous date such as `3/2/2020`
    /// in this order.
    #[must_use]
    pub fn parse_in_order(text: &str, order: DateOrder) -> Date {
        match (year_last(text), order) {
            (Some((day @ 1..=12, month @ 1..=12, year)), DateOrder::DayFirst)
            | (Some((month @ 1..=12, day @ 1..=12, year)), DateOrder::MonthFirst) => {
                Date::of_numbers(year, month, day)
            }
            _ => Date::parse_lenient(text),
        }
    }

    fn parse_numbers(text: &str) -> Date {
        let separators = ['.', '-', '/'];
        if text.contains(' ') && !text.contains(separators) {
            return Date::parse_words(text);
        }
        let mut parts = text.splitn(4, separators).map(str::trim);
        let mut part = || parts.next().unwrap_or_default();
        let (first, second, third, rest) = (certain(part()), part(), part(), part());
        let slashes = text.contains('/');
        if rest.is_empty() {
            return Date::of_parts(first, second, third, slashes);
        }
        if is_year(rest) && ![first, second, third].into_iter().any(is_year) {
            // `29-31.12.2018`
            return Date::of_numbers(number(rest), number(third), 0);
        }
        // Days from one to another: only what both have in common is known.
        let date = Date::of_parts(first, second, third, slashes);
        let mut parts = rest.splitn(3, separators).map(str::trim);
        let mut part = || parts.next().unwrap_or_default();
        let last = match (part(), part(), part()) {
            (day, "", "") => Date::of_numbers(date.year, date.month.into(), number(day)),
            (month, day, "") => Date::of_numbers(date.year, number(month), number(day)),
            (first, second, third) => Date::of_parts(first, second, third, slashes),
        };
        date.common(last)
    }

    /// Parses a date of up to three parts. Two digits are no year, but a number above 31 tells
    /// where the year stands.
    fn of_parts(first: &str, second: &str, third: &str, slashes: bool) -> Date {
        let numbers = (number(first), number(second), number(third));
        if is_year(first) {
            // `1985-1986`
            if is_year(second) && numbers.0 != numbers.1 {
                return Date::UNKNOWN;
            }
            return Date::of_numbers(numbers.0, numbers.1, numbers.2);
        }
        if is_year(third) {
            return Date::of_day_and_month(numbers.0, numbers.1, numbers.2, slashes);
        }
        match numbers {
            // `12.2018`
            (month, year, 0) if is_year(second) => Date::of_numbers(year, month, 0),
            (0 | 32.., month, day) => Date::of_numbers(0, month, day),
            (day, month, 32..) => Date::of_day_and_month(day, month, 0, slashes),
            // `05.01.18`
            _ => Date::UNKNOWN,
        }
    }

    /// Returns the parts that two dates have in common, from the year on.
    fn common(self, other: Date) -> Date {
        if self.year != other.year {
            return Date::UNKNOWN;
        }
        let month = if self.month == other.month { self.month } else { 0 };
        let day = if month > 0 && self.day == other.day { self.day } else { 0 };
        Date { year: self.year, month, day }
    }

    /// Parses a date whose year comes last.
    fn of_day_and_month(day: u16, month: u16, year: u16, slashes: bool) -> Date {
        let either = slashes && (1..=12).contains(&day) && (1..=12).contains(&month);
        match (either && day != month, month > 12) {
            (true, _) => Date::of_numbers(year, 0, 0),
            (_, true) => Date::of_numbers(year, day, month),
            _ => Date::of_numbers(year, month, day),
        }
    }

    /// Parses numbers and month names with any separators.
    fn parse_words(text: &str) -> Date {
        let (mut numbers, mut count, mut month) = ([(0u16, 0usize); 3], 0usize, 0u8);
        // Whether an unknown word, perhaps the name of a month, stands between the numbers.
        let (mut word, mut strange) = (false, false);
        let words = text.split(|letter: char| !letter.is_alphabetic());
        let may_be_roman = words.filter(|word| !word.is_empty()).count() == 1;
        let (mut rest, mut glued) = (text, false);
        while let Some(first) = rest.chars().next() {
            let kind = Kind::of(first);
            let end = rest.find(|letter| Kind::of(letter) != kind).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            rest = after;
            let wanted = if month > 0 { 2 } else { 3 };
            let found = match kind {
                Kind::Other => None,
                // `T10:00`, `Q1`
                Kind::Digits if glued && count > 0 => break,
                Kind::Digits if glued => None,
                Kind::Digits => Some(number(run)),
                Kind::Unknown => Some(0),
                Kind::Letters
                    if is_placeholder(run) && (!may_be_roman || roman_month(run) == 0) =>
                {
                    Some(0)
                }
                Kind::Letters => {
                    let named = if may_be_roman { roman_month(run) } else { 0 };
                    let named = if named > 0 { named } else { month_of(run) };
                    if month == 0 && named > 0 {
                        month = named;
                    } else {
                        word |= count > 0 && !is_filler(run);
                    }
                    None
                }
            };
            let ascii_word = kind == Kind::Letters && run.is_ascii() && !is_placeholder(run);
            glued = ascii_word && month_of(run) == 0;
            let Some(found) = found else { continue };
            let Some(slot) = numbers.get_mut(count) else { break };
            *slot = (found, run.len());
            count = count.saturating_add(1);
            strange |= word;
            if count >= wanted {
                break;
            }
        }
        let [(first, first_width), (second, second_width), (third, third_width)] = numbers;
        let (is_year, other_is_year) = (first_width >= 3, second_width >= 3);
        match (month, is_year, other_is_year) {
            (0, true, false) if strange => Date::of_numbers(first, 0, 0),
            (0, true, false) => Date::of_numbers(first, second, third),
            (0, false, true) if strange => Date::of_numbers(second, 0, 0),
            (0, false, true) => Date::of_numbers(second, first, 0),
            (0, false, false) if third_width >= 3 && strange => Date::of_numbers(third, 0, 0),
            (0, false, false) if third_width >= 3 => {
                Date::of_day_and_month(first, second, third, text.contains('/'))
            }
            (0, _, _) => Date::UNKNOWN,
            (month, true, false) => Date::of_numbers(first, month.into(), second),
            (month, false, true) => Date::of_numbers(second, month.into(), first),
            (month, false, false) => Date::of_numbers(0, month.into(), first),
            (_, true, true) => Date::UNKNOWN,
        }
    }

    /// Creates a date. Parts that are out of range are unknown.
    fn of_numbers(year: u16, month: u16, day: u16) -> Date {
        let part = |value: u16, most: u16| u8::try_from(value).ok().filter(|_| value <= most);
        let year = if year <= 9999 { year } else { 0 };
        Date { year, month: part(month, 12).unwrap_or(0), day: part(day, 31).unwrap_or(0) }
    }

    /// Returns whether `text` is a spelling of this date without additional information: `2020-2-3`
    /// is one of `2020.02.03`. Storing the date instead then loses only the spelling.
    #[must_use]
    pub fn is_all_of(self, spelling: &str) -> bool {
        let known = [self.year, self.month.into(), self.day.into()];
        let known = known.into_iter().filter(|part| *part > 0).count();
        if compact(spelling.trim()) == Some(self) {
            return true;
        }
        let mut numbers = 0usize;
        let separators = ['?', '.', ',', '-', '/', ' '];
        for part in spelling.split(separators).filter(|part| !part.is_empty()) {
            match part.parse::<u32>() {
                Ok(0) => {}
                Ok(_) => numbers = numbers.saturating_add(1),
                Err(_) if month_of(part) > 0 || roman_month(part) > 0 => {
                    numbers = numbers.saturating_add(1)
                }
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

/// The error for a text that is not `YYYY.MM.DD` with `?` for unknown parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date is written YYYY.MM.DD with ? for what is unknown")]
#[non_exhaustive]
pub struct DateError;

impl FromStr for Date {
    type Err = DateError;

    /// Accepts exactly the output of [`Display`](fmt::Display).
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

/// Returns the last day of a month in the Gregorian calendar.
const fn last_day(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    }
}

/// `20200203`
fn compact(text: &str) -> Option<Date> {
    let all =
        text.parse::<u32>().ok().filter(|_| text.len() == 8 && !text.starts_with(['0', '+']))?;
    let part = |value: u32| u8::try_from(value).ok();
    let year = u16::try_from(all / 10_000).ok()?;
    let (month, day) = (part(all / 100 % 100)?, part(all % 100)?);
    Date::new(year, month, day)
}

/// Returns the number of the month with this name, 1 to 12, or zero. Accepts English, German,
/// French, Spanish, Portuguese, Italian, Dutch and Russian names, in full or abbreviated.
fn month_of(word: &str) -> u8 {
    const MONTHS: [&[&str]; 12] = [
        &["jan", "ene", "gen", "янв"],
        &["feb", "fev", "fév", "фев"],
        &["mar", "mär", "mrz", "maa", "мар"],
        &["apr", "avr", "abr", "апр"],
        &["may", "mai", "maj", "mag", "mei", "май", "мая"],
        &["jun", "juin", "giu", "июн"],
        &["jul", "juil", "lug", "июл"],
        &["aug", "aoû", "aou", "ago", "авг"],
        &["sep", "set", "сен"],
        &["oct", "okt", "out", "ott", "окт"],
        &["nov", "ноя"],
        &["dec", "dez", "déc", "dic", "дек"],
    ];
    let begins = |name: &&str| {
        let mut letters = word.chars().flat_map(char::to_lowercase);
        name.chars().all(|letter| letters.next() == Some(letter))
    };
    let month = MONTHS.iter().position(|names| names.iter().any(begins));
    month.and_then(|month| u8::try_from(month.saturating_add(1)).ok()).unwrap_or(0)
}

/// A kind of characters in a date.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digits,
    Letters,
    /// Question marks, which stand for unknown digits.
    Unknown,
    Other,
}

impl Kind {
    fn of(letter: char) -> Kind {
        match letter {
            '0'..='9' => Kind::Digits,
            '?' => Kind::Unknown,
            _ if letter.is_alphanumeric() => Kind::Letters,
            _ => Kind::Other,
        }
    }
}

/// Returns whether a word stands for unknown digits: `xx`.
fn is_placeholder(word: &str) -> bool {
    word.len() <= 4 && word.bytes().all(|letter| matches!(letter, b'x' | b'X'))
}

/// Returns whether a word between the numbers of a date means nothing by itself: `5th of`, `年`.
fn is_filler(word: &str) -> bool {
    matches!(word, "st" | "nd" | "rd" | "th" | "of" | "the" | "de" | "del" | "T")
        || !word.is_ascii() && word.chars().count() == 1
}

/// Returns the number of a month in Roman numerals, or zero.
fn roman_month(word: &str) -> u8 {
    const MONTHS: [&str; 12] =
        ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    let mut letters = word.chars();
    if let (Some(letter @ '\u{2160}'..='\u{216b}'), None) = (letters.next(), letters.next()) {
        let number = u32::from(letter).saturating_sub(0x215f);
        return u8::try_from(number).unwrap_or(0);
    }
    let month = MONTHS.iter().position(|name| *name == word);
    month.and_then(|month| u8::try_from(month.saturating_add(1)).ok()).unwrap_or(0)
}

/// Removes the doubt from a year: `2018?`.
fn certain(text: &str) -> &str {
    let year = text.trim_end_matches('?');
    if year.len() == 4 && is_year(year) { year } else { text }
}

/// Returns the three numbers of a date such as `3/2/2020` or `3-2-2020`.
fn year_last(text: &str) -> Option<(u16, u16, u16)> {
    let mut parts = text.trim().splitn(3, ['/', '-']).map(str::trim);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    (year.len() == 4 && is_year(year) && !is_year(first))
        .then(|| (number(first), number(second), number(year)))
}

fn is_year(text: &str) -> bool {
    matches!(text.len(), 3 | 4) && digits(text.as_bytes()).is_some()
}

/// Returns zero if the text is not a number.
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
    fn display_date_parses_back() {
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
    fn parse_lenient_common_spellings_are_dates() {
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
            ("20190112", "2019.01.12"),
            ("20191312", "????.??.??"),
            ("12 Jan 2019", "2019.01.12"),
            ("12-JAN-2019", "2019.01.12"),
            ("January 12, 2019", "2019.01.12"),
            ("Saturday, 12th January 2019", "2019.01.12"),
            ("Jan 2019", "2019.01.??"),
            ("2019 Jan 12", "2019.01.12"),
            ("12. März 2019", "2019.03.12"),
            ("12 de enero de 2019", "2019.01.12"),
            ("1 août 2019", "2019.08.01"),
            ("12 января 2019", "2019.01.12"),
            ("2019-01-12T10:00:00Z", "2019.01.12"),
            ("2019.01.12 10:00:00", "2019.01.12"),
            ("2019\u{2013}01\u{2013}12", "2019.01.12"),
            ("2019年1月12日", "2019.01.12"),
            ("2019. 01. 12.", "2019.01.12"),
            ("12,01,2019", "2019.01.12"),
            ("spring 2020", "2020.??.??"),
            ("c. 1850", "1850.??.??"),
            ("10:30", "????.??.??"),
            ("1995..03", "1995.??.03"),
            ("2018?", "2018.??.??"),
            ("199?", "????.??.??"),
            ("2018 01 05", "2018.01.05"),
            ("12.2018", "2018.12.??"),
            ("1/2018", "2018.01.??"),
            ("05.01.18", "????.??.??"),
            ("18.01.05", "????.??.??"),
            ("31.12.99", "????.12.31"),
            ("99.12.31", "????.12.31"),
            ("5.1", "????.??.??"),
            ("2018-Q1", "2018.??.??"),
            ("Q1 2018", "2018.??.??"),
            ("2018-01T10:30", "2018.01.??"),
            ("03.IX.1972", "1972.09.03"),
            ("1972-IX-03", "1972.09.03"),
            ("XII 1972", "1972.12.??"),
            ("2018.\u{2169}.1", "2018.10.01"),
            ("2018.X.X", "2018.??.??"),
            ("2018.XX.05", "2018.??.05"),
            ("xxxx.05.01", "????.05.01"),
            ("World War I 1914", "1914.??.??"),
            ("5 stycznia 2018", "2018.??.??"),
            ("2018 luty 5", "2018.??.??"),
            ("5 maj 2018", "2018.05.05"),
            ("2018.12.31-2019.01.02", "????.??.??"),
            ("2018.11.30-2018.12.01", "2018.??.??"),
            ("2018.12.29-31", "2018.12.??"),
            ("2018.12.29-2018.12.29", "2018.12.29"),
            ("29-31.12.2018", "2018.12.??"),
            ("29.12.2018-02.01.2019", "????.??.??"),
            ("1985-1986", "????.??.??"),
            ("1985/1985", "1985.??.??"),
        ] {
            assert_eq!(Date::parse_lenient(text).to_string(), understood, "{text}");
        }
    }

    #[test]
    fn spelling_without_more_information_is_exact() {
        for (text, all) in [
            ("2020-2-3", true),
            ("3.2.2020", true),
            ("2020.??.??", true),
            ("?", true),
            ("3/2/2020", false),
            ("2020.13.01", false),
            ("spring 2020", false),
            ("12 Jan 2019", true),
            ("12.I.2019", true),
            ("January 12, 2019", true),
            ("20190112", true),
            ("2019-01-12T10:00:00Z", false),
        ] {
            assert_eq!(Date::parse_lenient(text).is_all_of(text), all, "{text}");
        }
    }

    #[test]
    fn days_of_partial_date_are_first_and_last() {
        for (text, first, last) in [
            ("1995.??.??", "1995.01.01", "1995.12.31"),
            ("1995.02.??", "1995.02.01", "1995.02.28"),
            ("1996.02.??", "1996.02.01", "1996.02.29"),
            ("1995.??.05", "1995.01.05", "1995.12.05"),
            ("1995.02.31", "1995.02.31", "1995.02.31"),
        ] {
            let days = Date::parse_lenient(text).days().unwrap();
            assert_eq!((days.0.to_string(), days.1.to_string()), (first.into(), last.into()));
        }
        assert_eq!(Date::parse_lenient("????.05.01").days(), None);
    }

    #[test]
    fn new_date_out_of_range_is_none() {
        assert_eq!(Date::new(10_000, 1, 1), None);
        assert_eq!(Date::new(1, 13, 1), None);
        assert_eq!(Date::new(1, 1, 32), None);
        assert!(Date::new(0, 0, 0).unwrap().is_unknown());
    }
}
