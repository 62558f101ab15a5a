//! Game headers: the tags of a game.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Range, RangeInclusive};
use core::str::FromStr;

use crate::date::{Date, DateOrder};
use crate::eco::Eco;
use crate::result_text::{RESULT_SPELLING_TAG, ResultText};
use crate::values::{Elo, GameResult};

/// The header of a game. The seven-tag roster and other common tags are typed fields. All other
/// tags are a list in file order.
///
/// Text fields hold the text of the file. Their default is `?`, which means unknown in PGN.
///
/// **Every spelling is kept.** A typed tag may be spelt differently from the output of its type
/// (`[WhiteElo ""]`, `[Date "1999.1.2"]`). The field then holds the value as far as it could be
/// parsed. The original spelling is in [`tags`](Header::tags) under the same name, and writers of
/// text use it.
///
/// The result is an exception. Its spelling (`1 - 0`, `0-0`) becomes the tag `ResultSpelling`, so
/// that `Result` is always one of PGN's four.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Header {
    /// Tournament or match.
    pub event: String,
    /// Site.
    pub site: String,
    /// Date of the game.
    pub date: Date,
    /// Round, also `3.1` or `-`.
    pub round: String,
    /// Player of the white pieces.
    pub white: String,
    /// Player of the black pieces.
    pub black: String,
    /// Result.
    pub result: GameResult,
    /// White's Elo rating. Other ratings are tags: `WhiteUSCF`.
    pub white_elo: Option<Elo>,
    /// Black's Elo rating.
    pub black_elo: Option<Elo>,
    /// Opening code.
    pub eco: Option<Eco>,
    /// Start date of the event.
    pub event_date: Option<Date>,
    /// Whether the base marks the game as deleted. In text this is the tag `Deleted` with the value
    /// `1`.
    pub deleted: bool,
    /// All other tags in file order.
    pub tags: Tags,
}

impl Default for Header {
    fn default() -> Header {
        let unknown = || String::from("?");
        Header {
            event: unknown(),
            site: unknown(),
            date: Date::UNKNOWN,
            round: unknown(),
            white: unknown(),
            black: unknown(),
            result: GameResult::Unknown,
            white_elo: None,
            black_elo: None,
            eco: None,
            event_date: None,
            deleted: false,
            tags: Tags::default(),
        }
    }
}

/// The names of the tags that have a typed field in [`Header`], in the order in which they are
/// written.
pub const TYPED_TAGS: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "EventDate",
    "Deleted",
];

impl Header {
    /// Resets all fields and keeps their buffers.
    pub fn clear(&mut self) {
        for text in
            [&mut self.event, &mut self.site, &mut self.round, &mut self.white, &mut self.black]
        {
            assign(text, "?");
        }
        self.date = Date::UNKNOWN;
        self.result = GameResult::Unknown;
        self.white_elo = None;
        self.black_elo = None;
        self.eco = None;
        self.event_date = None;
        self.deleted = false;
        self.tags.clear();
    }

    /// Sets a tag from text. It goes to its typed field, or to the end of [`tags`](Header::tags).
    pub fn set(&mut self, name: &str, value: &str) {
        let spelt_as_typed = match name {
            "Event" => assign(&mut self.event, value),
            "Site" => assign(&mut self.site, value),
            "Round" => assign(&mut self.round, value),
            "White" => assign(&mut self.white, value),
            "Black" => assign(&mut self.black, value),
            "Date" => read(&mut self.date, value, parse_date),
            "Result" => {
                self.set_result(value);
                true
            }
            "WhiteElo" => read_optional(&mut self.white_elo, value, parse_elo),
            "BlackElo" => read_optional(&mut self.black_elo, value, parse_elo),
            "ECO" => read_optional(&mut self.eco, value, parse_eco),
            "EventDate" => read(self.event_date.insert(Date::UNKNOWN), value, parse_date),
            "Deleted" => {
                self.deleted = value == "1";
                self.deleted
            }
            _ => {
                self.tags.push(name, value);
                return;
            }
        };
        // Of a value that was set before.
        self.remove_tags(name);
        if !spelt_as_typed {
            self.tags.push(name, value);
        }
    }

    /// Parses ambiguous dates again, now that the order of day and month is known.
    pub fn reread_dates(&mut self, order: DateOrder) {
        if let Some(spelling) = self.tags.get("Date") {
            self.date = Date::parse_in_order(spelling, order);
        }
        if let Some(spelling) = self.tags.get("EventDate") {
            self.event_date = Some(Date::parse_in_order(spelling, order));
        }
    }

    /// Sets the result from any spelling. A spelling that is not PGN's is kept as a tag, unless it
    /// is empty.
    fn set_result(&mut self, value: &str) {
        if let Ok(result) = value.parse() {
            self.result = result;
            return;
        }
        self.result = ResultText::parse(value).map_or(GameResult::Unknown, |read| read.result);
        if !value.is_empty() {
            self.tags.push(RESULT_SPELLING_TAG, value);
        }
    }

    /// Removes all tags with a name from [`tags`](Header::tags).
    pub fn remove_tags(&mut self, name: &str) {
        if self.tags.get(name).is_some() {
            self.tags = self.tags.iter().filter(|(tag, _)| *tag != name).collect();
        }
    }

    /// Sets the value of a tag, replacing the old value. An empty value removes the tag.
    pub fn put(&mut self, name: &str, value: &str) {
        self.remove_tags(name);
        if name == "Result" {
            self.remove_tags(RESULT_SPELLING_TAG);
        }
        match name {
            "WhiteElo" => self.white_elo = None,
            "BlackElo" => self.black_elo = None,
            "ECO" => self.eco = None,
            "EventDate" => self.event_date = None,
            "Deleted" => self.deleted = false,
            "Date" => self.date = Date::UNKNOWN,
            "Result" => self.result = GameResult::Unknown,
            _ => {}
        }
        match (value, name) {
            ("", "Event" | "Site" | "Round" | "White" | "Black") => self.set(name, "?"),
            ("", _) => {}
            _ => self.set(name, value),
        }
    }

    /// Calls `each` with every tag as text: the seven-tag roster, the other typed tags that are
    /// set, then [`tags`](Header::tags) in order. A spelling kept in `tags` replaces the value of
    /// its typed field.
    pub fn for_each_tag(&self, mut each: impl FnMut(&str, fmt::Arguments<'_>)) {
        let mut typed = |name: &'static str, value: Option<fmt::Arguments<'_>>| match (
            self.tags.get(name),
            value,
        ) {
            (Some(spelling), _) => each(name, format_args!("{spelling}")),
            (None, Some(value)) => each(name, value),
            (None, None) => {}
        };
        typed("Event", Some(format_args!("{}", self.event)));
        typed("Site", Some(format_args!("{}", self.site)));
        typed("Date", Some(format_args!("{}", self.date)));
        typed("Round", Some(format_args!("{}", self.round)));
        typed("White", Some(format_args!("{}", self.white)));
        typed("Black", Some(format_args!("{}", self.black)));
        typed("Result", Some(format_args!("{}", self.result)));
        optional("WhiteElo", self.white_elo.as_ref(), &mut typed);
        optional("BlackElo", self.black_elo.as_ref(), &mut typed);
        optional("ECO", self.eco.as_ref(), &mut typed);
        optional("EventDate", self.event_date.as_ref(), &mut typed);
        optional("Deleted", self.deleted.then_some(&1), &mut typed);
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_typed(name)) {
            each(name, format_args!("{value}"));
        }
    }

    /// Returns a tag as text, typed or not, if it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        // A spelling kept in `tags` replaces the value of its typed field.
        if let Some(value) = self.tags.get(name) {
            return Some(String::from(value));
        }
        match name {
            "Event" => Some(self.event.clone()),
            "Site" => Some(self.site.clone()),
            "Date" => Some(self.date.to_string()),
            "Round" => Some(self.round.clone()),
            "White" => Some(self.white.clone()),
            "Black" => Some(self.black.clone()),
            "Result" => Some(self.result.to_string()),
            "WhiteElo" => self.white_elo.map(|elo| elo.to_string()),
            "BlackElo" => self.black_elo.map(|elo| elo.to_string()),
            "ECO" => self.eco.map(|eco| eco.to_string()),
            "EventDate" => self.event_date.map(|date| date.to_string()),
            "Deleted" => self.deleted.then(|| String::from("1")),
            _ => None,
        }
    }

    /// Iterates over the tags without a typed field. A format must store these separately, or
    /// report a loss.
    pub fn untyped_tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().filter(|(name, _)| !is_typed(name))
    }
}

/// Returns whether [`Header`] has a typed field for the tag with this name.
#[must_use]
pub fn is_typed(name: &str) -> bool {
    TYPED_TAGS.contains(&name)
}

/// Returns whether a tag is redundant: `[SetUp "1"]` with a custom start position, or the spelling
/// `1 - 0` of a known result. A format that drops it loses nothing.
#[must_use]
pub fn is_implied(name: &str, value: &str) -> bool {
    match name {
        "SetUp" => value == "1",
        RESULT_SPELLING_TAG => ResultText::parse(value).is_some_and(|read| !read.says_more),
        _ => false,
    }
}

fn optional<T: fmt::Display>(
    name: &'static str,
    value: Option<&T>,
    typed: &mut impl FnMut(&'static str, Option<fmt::Arguments<'_>>),
) {
    match value {
        Some(value) => typed(name, Some(format_args!("{value}"))),
        None => typed(name, None),
    }
}

fn assign(field: &mut String, value: &str) -> bool {
    field.clear();
    field.push_str(value);
    true
}

/// Accepts a sign, leading zeros, a remark after a rating, and a mark of thousands: `2500*`,
/// `1873 (FIDE)`, `2345.5`, `2 500`.
fn parse_elo(value: &str) -> Option<Elo> {
    let digits = |text: &str| {
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        text.get(..end)?.parse::<u16>().ok().filter(|_| end > 0).map(|number| (number, end))
    };
    let with_remark = || {
        let (number, end) = digits(value)?;
        let rest = value.get(end..)?;
        let thousands = || {
            let after =
                rest.strip_prefix([' ', ',', '.', '\'', '\u{a0}', '\u{2009}', '\u{202f}'])?;
            let (hundreds, _) = digits(after).filter(|(_, length)| *length == 3)?;
            number.checked_mul(1000)?.checked_add(hundreds)
        };
        let number = if number < 10 { thousands()? } else { number };
        Some(number).filter(|rating| REMARKED.contains(rating))
    };
    value.parse().ok().or_else(with_remark).and_then(Elo::new)
}

/// The ratings that can have a remark. The number of `1e3` is something else.
const REMARKED: RangeInclusive<u16> = 100..=4000;

/// Accepts a lower-case first letter.
fn parse_eco(value: &str) -> Option<Eco> {
    let (first, rest) = value.split_at_checked(1)?;
    let mut text = String::with_capacity(value.len());
    text.push_str(first);
    text.make_ascii_uppercase();
    text.push_str(rest);
    text.parse().ok()
}

fn parse_date(value: &str) -> Date {
    value.parse().unwrap_or_else(|_| Date::parse_lenient(value))
}

/// Parses a value exactly or else leniently. Returns which of the two succeeded.
fn read<T: FromStr>(field: &mut T, value: &str, lenient: impl FnOnce(&str) -> T) -> bool {
    let exact = value.parse();
    let is_exact = exact.is_ok();
    *field = exact.unwrap_or_else(|_| lenient(value));
    is_exact
}

/// Parses an optional value, with or without surrounding spaces. Also returns whether the spelling
/// is the output of its type.
fn read_optional<T>(
    field: &mut Option<T>,
    value: &str,
    lenient: impl FnOnce(&str) -> Option<T>,
) -> bool
where
    T: FromStr,
{
    *field = value.parse().ok();
    let is_exact = field.is_some();
    if !is_exact {
        *field = lenient(value.trim());
    }
    is_exact
}

/// A list of tags. All names and values share one buffer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tags {
    text: String,
    /// For each tag, the ends of name and value in `text`.
    ends: Vec<(usize, usize)>,
}

impl Tags {
    /// Appends a tag.
    pub fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push((name_end, self.text.len()));
    }

    /// Appends some tags of `other`, by index. Indices out of bounds are ignored.
    pub fn append(&mut self, others: &Tags, places: Range<usize>) {
        let before = others.ends.get(..places.start).and_then(<[_]>::last);
        let (from, to) = (before.map_or(0, |ends| ends.1), self.text.len());
        let ends = others.ends.get(places).unwrap_or_default();
        let until = ends.last().map_or(from, |ends| ends.1);
        self.text.push_str(others.text.get(from..until).unwrap_or_default());
        let moved = |end: usize| end.saturating_sub(from).saturating_add(to);
        self.ends.extend(ends.iter().map(|(name, value)| (moved(*name), moved(*value))));
    }

    /// Returns the value of the first tag with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut start = 0usize;
        for &(name_end, value_end) in &self.ends {
            let is_as_long = name_end.wrapping_sub(start) == name.len();
            if is_as_long && self.text.get(start..name_end) == Some(name) {
                return self.text.get(name_end..value_end);
            }
            start = value_end;
        }
        None
    }

    /// Iterates over names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(name_end, value_end)| {
            let name = self.text.get(start..name_end).unwrap_or_default();
            let value = self.text.get(name_end..value_end).unwrap_or_default();
            start = value_end;
            (name, value)
        })
    }

    /// Returns the number of tags.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no tags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of bytes of all names and values.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// Returns the size of the buffers in bytes.
    pub(crate) fn capacity(&self) -> usize {
        let ends = self.ends.capacity().saturating_mul(size_of::<(usize, usize)>());
        self.text.capacity().saturating_add(ends)
    }

    /// Removes all tags and keeps the buffers.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(tags: I) -> Tags {
        let mut all = Tags::default();
        for (name, value) in tags {
            all.push(name, value);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::{format, vec};

    fn tags(header: &Header) -> Vec<(String, String)> {
        let mut all = Vec::new();
        header.for_each_tag(|name, value| all.push((name.to_string(), value.to_string())));
        all
    }

    #[test]
    fn append_tags_by_index_ignores_bad_indices() {
        let mut others = Tags::default();
        [("A", "1"), ("Be", ""), ("C", "drei")].iter().for_each(|(n, v)| others.push(n, v));
        let appended = |places| {
            let mut tags = Tags::default();
            tags.push("First", "x");
            tags.append(&others, places);
            tags.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(appended(0..3), ["First=x", "A=1", "Be=", "C=drei"]);
        assert_eq!(appended(1..3), ["First=x", "Be=", "C=drei"]);
        assert_eq!(appended(1..2), ["First=x", "Be="]);
        for nothing in [0..0, 2..2, 3..3, 2..4, 7..9] {
            assert_eq!(appended(nothing), ["First=x"]);
        }
    }

    #[test]
    fn put_repeated_tag_leaves_one_value() {
        let mut header = Header::default();
        for (name, value) in [("Date", "2.3.1999"), ("Annotator", "A"), ("Annotator", "B")] {
            header.set(name, value);
        }
        header.put("Date", "2001.05.??");
        header.put("Annotator", "C");
        header.put("White", "Karpov");
        assert_eq!(header.get("Date").as_deref(), Some("2001.05.??"));
        assert_eq!(header.tags.iter().collect::<Vec<_>>(), [("Annotator", "C")]);
        for name in ["Date", "Annotator", "White"] {
            header.put(name, "");
        }
        assert_eq!(header, Header::default());
    }

    #[test]
    fn default_header_is_unknown_game() {
        let names: Vec<_> = tags(&Header::default());
        let expected = [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", "*"),
        ];
        assert_eq!(names, expected.map(|(name, value)| (name.into(), value.into())));
    }

    #[test]
    fn set_unusual_spelling_is_kept() {
        let given = [
            ("Event", ""),
            ("Site", "x"),
            ("Date", "1999.1.2"),
            ("Round", "3.1"),
            ("White", "A"),
            ("Black", "B"),
            ("Result", "1-0 "),
            ("WhiteElo", ""),
            ("BlackElo", "02500"),
            ("ECO", "?"),
            ("EventDate", "????.??.??"),
            ("Deleted", "yes"),
            ("Annotator", "\u{e9}"),
            ("Annotator", "2"),
        ];
        let mut header = Header::default();
        for (name, value) in given {
            header.set(name, value);
        }
        // The spelling of a result is among the other tags.
        let mut expected = given.map(|(name, value)| (name.into(), value.into())).to_vec();
        expected[6].1 = "1-0".into();
        expected.insert(12, (RESULT_SPELLING_TAG.into(), "1-0 ".into()));
        assert_eq!(tags(&header), expected);
        assert_eq!(header.date, Date::new(1999, 1, 2).unwrap());
        assert_eq!(header.result, GameResult::White);
        assert_eq!(header.black_elo, Elo::new(2500));
        assert_eq!((header.white_elo, header.eco, header.deleted), (None, None, false));
        header.put("ECO", "b20/03");
        assert_eq!(header.eco.map(|eco| eco.to_string()).as_deref(), Some("B20/03"));
        assert_eq!(header.get("ECO").as_deref(), Some("b20/03"));
        header.put("ECO", "?");
        assert_eq!(
            header.untyped_tags().collect::<Vec<_>>(),
            vec![(RESULT_SPELLING_TAG, "1-0 "), ("Annotator", "\u{e9}"), ("Annotator", "2")]
        );
        assert_eq!(header.get("Annotator").as_deref(), Some("\u{e9}"));
    }

    #[test]
    fn set_rating_with_remark_is_read_as_scid_reads_it() {
        for (text, rating) in [
            ("2500*", 2500),
            ("1873 (FIDE)", 1873),
            ("2345.5", 2345),
            (" 1500?? ", 1500),
            ("2500 FIDE", 2500),
            ("1900P12", 1900),
            ("2500/2400", 2500),
            ("02500", 2500),
            ("+2500", 2500),
            ("2,500", 2500),
            ("2 500", 2500),
            ("2 50", 0),
            ("2 5000", 0),
            ("1e3", 0),
            ("0*", 0),
            ("99999?", 0),
            ("?1500", 0),
            ("USCF 2500", 0),
            ("unr", 0),
        ] {
            let mut header = Header::default();
            header.set("WhiteElo", text);
            assert_eq!(header.white_elo, Elo::new(rating), "{text}");
            assert_eq!(header.get("WhiteElo").as_deref(), Some(text));
        }
    }

    #[test]
    fn get_returns_first_value_of_each_tag() {
        let mut header = Header::default();
        for (name, value) in [
            ("Event", "E"),
            ("White", "W"),
            ("Date", "1999.1.2"),
            ("Result", "1 - 0"),
            ("WhiteElo", "2500"),
            ("BlackElo", "?"),
            ("ECO", "b20/03"),
            ("EventDate", "2001.??.??"),
            ("Deleted", "1"),
            ("Annotator", "first"),
            ("Annotator", "second"),
        ] {
            header.set(name, value);
        }
        let mut seen = Vec::new();
        header.for_each_tag(|name, value| {
            if !seen.contains(&String::from(name)) {
                assert_eq!(header.get(name), Some(value.to_string()), "{name}");
                seen.push(String::from(name));
            }
        });
        assert!(seen.len() > TYPED_TAGS.len(), "{seen:?}");
        assert_eq!(header.get("FEN"), None);
        assert!(
            TYPED_TAGS.iter().filter(|name| Header::default().get(name).is_none()).count() == 5
        );
    }

    #[test]
    fn set_typed_tag_twice_keeps_last() {
        let mut header = Header::default();
        for (name, value) in
            [("Date", "x"), ("Date", "1999.01.02"), ("Deleted", "0"), ("Deleted", "1")]
        {
            header.set(name, value);
        }
        assert!(header.tags.is_empty() && header.deleted);
        assert_eq!(header.get("Date").as_deref(), Some("1999.01.02"));
    }

    #[test]
    fn set_plain_spelling_leaves_no_tag() {
        let mut header = Header::default();
        for (name, value) in [
            ("Date", "1999.01.02"),
            ("Result", "1/2-1/2"),
            ("WhiteElo", "2500"),
            ("ECO", "B90"),
            ("EventDate", "1999.01.??"),
            ("Deleted", "1"),
        ] {
            header.set(name, value);
        }
        assert!(header.tags.is_empty() && header.deleted);
        header.clear();
        assert_eq!(header, Header::default());
    }
}
