//! Parsers for the values of options, with messages for values that they reject.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use scoresheet::chess_store::Encoding;
use scoresheet::{Format, format_named, formats, missing_format};

/// Parses the name of a format, or one of its extensions. Completions offer the names.
#[derive(Clone, Copy)]
pub enum FormatName {
    /// Any format.
    Known,
    /// A format that can be read.
    Readable,
    /// A format that can be written.
    Writable,
}

impl FormatName {
    fn allows(self, format: &Format) -> bool {
        match self {
            FormatName::Known => true,
            FormatName::Readable => format.open.is_some(),
            FormatName::Writable => format.create.is_some(),
        }
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        formats().filter(move |format| self.allows(format)).map(|format| format.name)
    }

    fn parse(self, name: &str) -> Result<&'static Format, String> {
        let Some(format) = format_named(name) else {
            let known =
                || format!("the formats are {}", self.names().collect::<Vec<_>>().join(", "));
            return Err(missing_format(name).map_or_else(known, str::to_owned));
        };
        if self.allows(format) {
            return Ok(format);
        }
        let (can, cannot) = match self {
            FormatName::Writable => ("read", "written"),
            _ => ("written", "read"),
        };
        Err(format!("{} is {can}, but not {cannot}", format.title))
    }
}

impl TypedValueParser for FormatName {
    type Value = &'static Format;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        let wanted = *self;
        let parser = StringValueParser::new().try_map(move |name| wanted.parse(&name));
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names().map(PossibleValue::new)))
    }
}

/// Parses a whole number in a range.
pub fn whole<T>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u64>,
{
    move |text| {
        let number = u64::from_str(text).ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| expected(&range))
    }
}

fn expected(range: &RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (0, u64::MAX) => "expected a whole number".to_owned(),
        (first, u64::MAX) => format!("expected a whole number, {first} or more"),
        (first, last) => format!("expected a whole number from {first} to {last}"),
    }
}

/// Parses a percentage.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "expected a percentage from 0 to 100".to_owned())
}

/// Parses the number of a game.
pub fn game_number(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number >= 1);
    number.ok_or_else(|| "expected the number of a game, 1 or more".to_owned())
}

/// Parses `NAME=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Parses the label of an encoding.
pub fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::from_label(label)
        .ok_or_else(|| "no encoding has this label; try utf-8 or windows-1252".to_owned())
}

/// Parses a number of bytes: `500M`, `4G`.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.to_ascii_uppercase().strip_suffix(['K', 'M', 'G', 'T']) {
        Some(number) => (number.to_owned(), text.chars().next_back()),
        None => (text.to_owned(), None),
    };
    let shift = match unit.map(|unit| unit.to_ascii_uppercase()) {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        _ => 0u32,
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, as 500M or 4G".to_owned())
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ply {
    /// After this many half-moves of the main line.
    Number(u32),
    /// The last position of the main line.
    End,
    /// The first position that matches the criteria.
    Match,
}

impl Ply {
    pub fn parse(text: &str) -> Result<Ply, String> {
        match text {
            "end" => Ok(Ply::End),
            "match" => Ok(Ply::Match),
            number => {
                let wrong = |_| "expected a number of half-moves, `end` or `match`".to_owned();
                number.parse().map(Ply::Number).map_err(wrong)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_name_offers_what_can_be_done() {
        let (read, write) = (FormatName::Readable, FormatName::Writable);
        assert!(read.names().any(|name| name == "si3") && !write.names().any(|name| name == "si3"));
        assert!(write.names().any(|name| name == "csv") && !read.names().any(|name| name == "csv"));
        assert_eq!(write.parse("si3").unwrap_err(), "Scid 3 is read, but not written");
        assert!(read.parse("csv").unwrap_err().ends_with("is written, but not read"));
        assert_eq!(FormatName::Known.parse(".PGN").unwrap().name, "pgn");
        assert!(write.parse("nonsense").unwrap_err().starts_with("the formats are "));
    }

    #[test]
    fn number_unreadable_says_what_is_expected() {
        assert_eq!(whole::<u16>(1..=64)("7"), Ok(7));
        for text in ["abc", "", "1.5", "-1", "0", "65", "99999999999999999999"] {
            assert_eq!(
                whole::<u16>(1..=64)(text),
                Err("expected a whole number from 1 to 64".into())
            );
        }
        assert_eq!(whole::<u64>(0..=u64::MAX)("x"), Err("expected a whole number".into()));
        assert_eq!(game_number("0"), Err("expected the number of a game, 1 or more".into()));
        assert_eq!((size("4g"), size("12")), (Ok(4 << 30), Ok(12)));
        assert!(size("much").is_err() && setting("x").is_err());
    }
}
