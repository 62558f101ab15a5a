//! Columns of game lists, and sort keys.

use std::cmp::Ordering;
use std::path::Path;

use chess_core::{Date, Game, Header, is_typed};
use openings::Opening;

use crate::cells;
pub use crate::cells::{csv_cell, san, uci};
pub use crate::order::sorted;
use crate::{CqlSortKey, Filter, Matches, QueryError, SortValue, ply_ranges, sort_key};

/// A column of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// One-based number of the game in its base.
    Number,
    /// The file of the base.
    File,
    /// Mean of both ratings, if both are known.
    Elo,
    /// Full moves of the main line.
    Moves,
    /// Plies of the main line.
    Plies,
    /// The year of the date.
    Year,
    /// The year and the month of the date.
    Month,
    /// The opening: the tag of that name, or else the name that the moves have.
    Opening,
    /// The moves of the main line in UCI notation.
    Uci,
    /// The moves of the main line in SAN.
    San,
    /// The plies of the main line that match the criteria on positions: `12,30-34`. No name stands for it
    /// in [`parse`](Column::parse), because only a list has the [matches](Row::with_matches).
    Match,
    /// The value of a sort key of the queries in CQL.
    Value {
        /// The place of the key among the [sort keys](Filter::sort_keys).
        place: usize,
        /// The title of the key.
        title: String,
    },
    /// The messages of the queries in CQL.
    Message,
    /// A tag by its name.
    Tag(String),
}

/// Names of columns in lower case, with the tag for columns that show a tag.
const NAMES: [(&str, Option<&str>); 22] = [
    ("number", None),
    ("file", None),
    ("elo", None),
    ("moves", None),
    ("plies", None),
    ("year", None),
    ("month", None),
    ("opening", None),
    ("uci", None),
    ("san", None),
    ("white", Some("White")),
    ("whiteelo", Some("WhiteElo")),
    ("black", Some("Black")),
    ("blackelo", Some("BlackElo")),
    ("result", Some("Result")),
    ("date", Some("Date")),
    ("eventdate", Some("EventDate")),
    ("eco", Some("ECO")),
    ("event", Some("Event")),
    ("site", Some("Site")),
    ("round", Some("Round")),
    ("deleted", Some("Deleted")),
];

/// Tags of the PGN standard and of well-known programs that are not in [`NAMES`].
const TAGS: [&str; 48] = [
    "Annotator",
    "BlackFideId",
    "BlackNA",
    "BlackRatingDiff",
    "BlackTeam",
    "BlackTitle",
    "BlackType",
    "BlackUSCF",
    "Board",
    "CurrentPosition",
    "ECOUrl",
    "EndDate",
    "EndTime",
    "EventCategory",
    "EventCountry",
    "EventRounds",
    "EventSponsor",
    "EventType",
    "FEN",
    "GameId",
    "Link",
    "Mode",
    "NIC",
    "Opening",
    "PlyCount",
    "Section",
    "SetUp",
    "Source",
    "SourceDate",
    "SourceTitle",
    "Stage",
    "StartTime",
    "SubVariation",
    "Table",
    "Termination",
    "Time",
    "TimeControl",
    "UTCDate",
    "UTCTime",
    "Variant",
    "Variation",
    "WhiteFideId",
    "WhiteNA",
    "WhiteRatingDiff",
    "WhiteTeam",
    "WhiteTitle",
    "WhiteType",
    "WhiteUSCF",
];

/// Iterates over the tags of the PGN standard and of well-known programs.
pub fn known_tags() -> impl Iterator<Item = &'static str> {
    NAMES.iter().filter_map(|(_, tag)| *tag).chain(TAGS)
}

fn known_tag(name: &str) -> Option<&'static str> {
    known_tags().find(|tag| tag.eq_ignore_ascii_case(name))
}

impl Column {
    /// Finds a column by its name or tag. Names of usual columns and of [known tags](known_tags) ignore
    /// case. Other tags are spelt exactly and begin with a capital.
    ///
    /// # Errors
    /// [`QueryError`] if there is no such column.
    pub fn parse(text: &str) -> Result<Column, QueryError> {
        let small = text.to_ascii_lowercase();
        let known = NAMES.iter().find(|(name, _)| *name == small);
        let is_tag = text.starts_with(|letter: char| letter.is_uppercase())
            && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        match (known, &*small) {
            (Some((_, Some(tag))), _) => Ok(Column::Tag((*tag).to_owned())),
            (_, "number") => Ok(Column::Number),
            (_, "file") => Ok(Column::File),
            (_, "elo") => Ok(Column::Elo),
            (_, "moves") => Ok(Column::Moves),
            (_, "plies") => Ok(Column::Plies),
            (_, "year") => Ok(Column::Year),
            (_, "month") => Ok(Column::Month),
            (_, "opening") => Ok(Column::Opening),
            (_, "uci") => Ok(Column::Uci),
            (_, "san") => Ok(Column::San),
            (_, "") => Err(QueryError::Empty),
            _ if is_tag && known_tag(text).is_none() => Ok(Column::Tag(text.to_owned())),
            _ => known_tag(text).map(Column::tag).ok_or_else(|| QueryError::Unreadable {
                text: text.to_owned(),
                what: "a column; write number, file, white, whiteelo, black, blackelo, elo, result, \
                    date, year, month, eventdate, eco, opening, event, site, round, moves, plies, \
                    deleted, uci, san, or a tag like WhiteTitle",
            }),
        }
    }

    /// Creates the column of a tag.
    #[must_use]
    pub fn tag(name: &str) -> Column {
        Column::Tag(name.to_owned())
    }

    /// Creates the columns that the queries of `filter` make: their sort keys, and their messages.
    #[must_use]
    pub fn of_queries(filter: &Filter) -> Vec<Column> {
        let value = |(place, key): (usize, &CqlSortKey)| {
            let title = if key.title.is_empty() { "Value" } else { &key.title };
            Column::Value { place, title: title.to_owned() }
        };
        let message = filter.cql_tests().any(|test| test.query().has_messages());
        let message = message.then_some(Column::Message);
        filter.sort_keys().enumerate().map(value).chain(message).collect()
    }

    /// Returns whether the value needs the matches of a game.
    #[must_use]
    pub fn asks_matches(&self) -> bool {
        matches!(self, Column::Match | Column::Value { .. } | Column::Message)
    }

    /// The name of the column, spelt like a tag.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Column::Number => "Number",
            Column::File => "File",
            Column::Elo => "Elo",
            Column::Moves => "Moves",
            Column::Plies => "Plies",
            Column::Year => "Year",
            Column::Month => "Month",
            Column::Opening => "Opening",
            Column::Uci => "UCI",
            Column::San => "SAN",
            Column::Match => "Match",
            Column::Value { title, .. } => title,
            Column::Message => "Message",
            Column::Tag(name) => name,
        }
    }

    /// Returns whether the values are numbers.
    #[must_use]
    pub fn is_number(&self) -> bool {
        match self {
            Column::Number | Column::Elo | Column::Moves | Column::Plies | Column::Year => true,
            Column::File | Column::Month | Column::Opening | Column::Uci | Column::San => false,
            Column::Match | Column::Value { .. } | Column::Message => false,
            Column::Tag(name) => matches!(&**name, "WhiteElo" | "BlackElo"),
        }
    }

    /// Returns whether the value needs the whole game.
    #[must_use]
    pub fn asks_moves(&self) -> bool {
        match self {
            Column::Moves | Column::Plies => true,
            Column::Opening | Column::Uci | Column::San => true,
            Column::Match | Column::Value { .. } | Column::Message => true,
            Column::Tag(name) => !is_typed(name),
            Column::Number | Column::File | Column::Elo | Column::Year | Column::Month => false,
        }
    }

    /// Returns the value for `row`, empty if unknown. Dates, results, ratings and ECO codes have
    /// their standard spelling. A value that cannot be parsed is returned unchanged.
    #[must_use]
    pub fn text(&self, row: &Row<'_>) -> String {
        match self {
            Column::File => row.file.display().to_string(),
            Column::Month => month(row.header.date),
            Column::Opening => opening(row),
            Column::Uci => row.game.map(cells::uci).unwrap_or_default(),
            Column::San => row.game.map(cells::san).unwrap_or_default(),
            Column::Match => row.matches.map(|it| ply_ranges(it.plies())).unwrap_or_default(),
            Column::Value { .. } => self.value(row).map(ToString::to_string).unwrap_or_default(),
            Column::Message => row.matches.map(|it| it.messages.join("; ")).unwrap_or_default(),
            Column::Tag(name) if name == "FEN" => {
                let setup = row.game.and_then(Game::setup);
                setup.map_or_else(String::new, |setup| setup.fen().to_owned())
            }
            Column::Tag(name) => match typed(name, row.header) {
                Some(value) => value,
                None => row.header.get(name).unwrap_or_default(),
            },
            _ => self.number(row).map(|number| number.to_string()).unwrap_or_default(),
        }
    }

    /// Returns the group of `row`, for dividing games by value. Empty if the value is unknown or
    /// cannot be parsed.
    #[must_use]
    pub fn group(&self, row: &Row<'_>) -> String {
        let text = match self {
            Column::Tag(name) if has_type(name) => typed(name, row.header).unwrap_or_default(),
            Column::Tag(name) => row.header.get(name).unwrap_or_default(),
            _ => self.text(row),
        };
        let text = text.trim();
        if says_something(text) || text == "*" { text.to_owned() } else { String::new() }
    }

    /// Returns the value as a number, if it is one.
    #[must_use]
    pub fn number(&self, row: &Row<'_>) -> Option<u64> {
        let header = row.header;
        let elos = (header.white_elo, header.black_elo);
        match (self, elos) {
            (Column::Number, _) => Some(row.number),
            (Column::Elo, (Some(white), Some(black))) => {
                Some(u64::from(white.get().midpoint(black.get())))
            }
            (Column::Moves, _) => row.plies().map(|plies| plies.div_ceil(2)),
            (Column::Plies, _) => row.plies(),
            (Column::Year, _) => header.date.year().map(u64::from),
            (Column::Tag(name), (white, black)) => match &**name {
                "WhiteElo" => white.map(|elo| elo.get().into()),
                "BlackElo" => black.map(|elo| elo.get().into()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the value of a sort key of the queries, for a [`Column::Value`].
    #[must_use]
    pub fn value<'a>(&self, row: &Row<'a>) -> Option<&'a SortValue> {
        let Column::Value { place, .. } = self else { return None };
        row.matches?.values.get(*place)?.as_ref()
    }

    pub(crate) fn key(&self, row: &Row<'_>) -> Key {
        if let Some(SortValue::Number(number)) = self.value(row) {
            // Negative numbers come first.
            return Key::Number(number.cast_unsigned() ^ i64::MIN.cast_unsigned());
        }
        if self.is_number() {
            return self.number(row).map_or(Key::Missing, Key::Number);
        }
        let date = match self {
            Column::Month => Some(without_day(row.header.date)),
            Column::Tag(name) if is_date(name) => Some(date_of(name, row.header)),
            _ => None,
        };
        if let Some(date) = date {
            return if date.is_unknown() { Key::Missing } else { Key::Date(date) };
        }
        let text = self.text(row);
        if says_something(&text) {
            Key::Text(natural(&sort_key(text.trim())).into())
        } else {
            Key::Missing
        }
    }
}

/// Returns whether a tag is a date: `Date`, `EventDate`, `UTCDate` and similar names.
fn is_date(name: &str) -> bool {
    name.ends_with("Date")
}

/// Returns whether the values of a tag have a type other than text.
fn has_type(name: &str) -> bool {
    is_date(name) || matches!(name, "Result" | "WhiteElo" | "BlackElo" | "ECO")
}

/// Parses the value of a date tag.
fn date_of(name: &str, header: &Header) -> Date {
    match name {
        "Date" => header.date,
        "EventDate" => header.event_date.unwrap_or_default(),
        _ => header.tags.get(name).map(Date::parse_lenient).unwrap_or_default(),
    }
}

/// Returns the standard spelling of a typed tag, if the value can be parsed.
fn typed(name: &str, header: &Header) -> Option<String> {
    match name {
        "Result" => Some(header.result.to_string()),
        "WhiteElo" => header.white_elo.map(|elo| elo.to_string()),
        "BlackElo" => header.black_elo.map(|elo| elo.to_string()),
        "ECO" => header.eco.map(|eco| eco.to_string()),
        _ if is_date(name) => {
            let date = date_of(name, header);
            (!date.is_unknown()).then(|| date.to_string())
        }
        _ => None,
    }
}

/// Formats year and month: `1987.04`, `1987.??`, or nothing.
fn month(date: Date) -> String {
    let text = date.to_string();
    let known = date.year().and_then(|_| text.get(..7));
    known.unwrap_or_default().to_owned()
}

fn without_day(date: Date) -> Date {
    let (year, month, _) = date.parts();
    Date::new(year, month, 0).unwrap_or_default()
}

fn says_something(text: &str) -> bool {
    text.chars().any(|letter| !matches!(letter, '?' | '.' | '-' | ' '))
}

/// The data of a game from which [`Column`] computes values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row<'a> {
    /// One-based number in its base.
    pub number: u64,
    /// The file of its base.
    pub file: &'a Path,
    /// The header of the game.
    pub header: &'a Header,
    /// The game, if it was read.
    pub game: Option<&'a Game>,
    /// The places that the filter found in the game, if they are asked for.
    pub matches: Option<&'a Matches>,
}

impl Row<'_> {
    /// Returns the plies of the main line.
    fn plies(&self) -> Option<u64> {
        self.game.map(|game| game.ply_count() as u64)
    }
}

/// Returns the tag `Opening`, or else the name of the opening that was played.
fn opening(row: &Row<'_>) -> String {
    let tag = row.header.tags.get("Opening").filter(|text| says_something(text));
    let played = || row.game.and_then(Opening::of).map(Opening::name);
    tag.or_else(played).unwrap_or_default().to_owned()
}

impl<'a> Row<'a> {
    /// Creates the row of the game with this one-based number in `file`. The moves of the game are
    /// not read.
    #[must_use]
    pub fn new(number: u64, file: &'a Path, header: &'a Header) -> Row<'a> {
        Row { number, file, header, game: None, matches: None }
    }

    /// Adds the game, if it was read.
    #[must_use]
    pub fn with_game(self, game: Option<&'a Game>) -> Row<'a> {
        Row { game, ..self }
    }

    /// Adds what a [`Matcher`](crate::Matcher) found in the game.
    #[must_use]
    pub fn with_matches(self, matches: Option<&'a Matches>) -> Row<'a> {
        Row { matches, ..self }
    }
}

/// A column to sort by, and the direction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SortKey {
    /// The column.
    pub column: Column,
    /// Whether the greatest value comes first.
    pub descending: bool,
}

impl SortKey {
    /// Parses the name of a column, with a leading `-` for descending order.
    ///
    /// # Errors
    /// [`QueryError`] if there is no such column.
    pub fn parse(text: &str) -> Result<SortKey, QueryError> {
        let (descending, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        Ok(SortKey { column: Column::parse(name)?, descending })
    }

    /// Creates the order that the queries of `filter` ask for by `sort`.
    #[must_use]
    pub fn of_queries(filter: &Filter) -> Vec<SortKey> {
        let columns = Column::of_queries(filter).into_iter().zip(filter.sort_keys());
        columns.map(|(column, key)| SortKey { column, descending: !key.lowest_first }).collect()
    }
}

/// The sort position of a game. Unknown values come last in both directions. A date with an unknown
/// month or day sorts after all days of its year or month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rank(Box<[(Key, bool)]>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Number(u64),
    Date(Date),
    Text(Box<str>),
    Missing,
}

impl Rank {
    /// Computes the rank of `row` in the order `keys`.
    #[must_use]
    pub fn new(order: &[SortKey], row: &Row<'_>) -> Rank {
        Rank(order.iter().map(|sort| (sort.column.key(row), sort.descending)).collect())
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let pairs = self.0.iter().zip(&other.0);
        let orders = pairs.map(|((one, descending), (other, _))| one.compare(other, *descending));
        { orders }.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Key {
    /// Compares two keys of a column. Missing values come last in both directions.
    pub(crate) fn compare(&self, other: &Key, descending: bool) -> Ordering {
        match (self, other) {
            (Key::Missing, Key::Missing) => Ordering::Equal,
            (Key::Missing, _) => Ordering::Greater,
            (_, Key::Missing) => Ordering::Less,
            (one, other) if descending => one.order(other).reverse(),
            (one, other) => one.order(other),
        }
    }

    fn order(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Number(one), Key::Number(other)) => one.cmp(other),
            (Key::Date(one), Key::Date(other)) => order_dates(*one, *other),
            (Key::Text(one), Key::Text(other)) => one.cmp(other),
            // All values of a column have one kind.
            _ => Ordering::Equal,
        }
    }
}

/// Year, month and day. Unknown parts sort after known parts.
fn order_dates(one: Date, other: Date) -> Ordering {
    let parts = |date: Date| {
        let (year, month, day) = date.parts();
        [year, month.into(), day.into()].map(|part| if part == 0 { u16::MAX } else { part })
    };
    parts(one).cmp(&parts(other))
}

/// Sort key of a text in which numbers sort by value: round 10 after round 9.
fn natural(text: &str) -> String {
    const WIDTH: usize = 9;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (run, after) = rest.split_at(if length > 0 { length } else { first.len_utf8() });
        if length > 0 {
            out.extend(std::iter::repeat_n('0', WIDTH.saturating_sub(length)));
        }
        out.push_str(run);
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(order: &str, tags: &[(&str, &str)]) -> Vec<u64> {
        let order: Vec<SortKey> =
            order.split(',').map(|text| SortKey::parse(text).unwrap()).collect();
        let mut ranks: Vec<(Rank, u64)> = tags
            .iter()
            .zip(1..)
            .map(|((name, value), number)| {
                let mut header = Header::default();
                header.set(name, value);
                header.set("Event", "Open");
                let row = Row::new(number, Path::new("x"), &header);
                (Rank::new(&order, &row), number)
            })
            .collect();
        ranks.sort();
        ranks.into_iter().map(|(_, number)| number).collect()
    }

    #[test]
    fn rank_games_sorts_numbers_text_and_unknown() {
        let rounds = [("Round", "10"), ("Round", "9"), ("Round", "?"), ("Round", "9.2")];
        assert_eq!(sorted("round", &rounds), [2, 4, 1, 3]);
        assert_eq!(sorted("-round", &rounds), [1, 4, 2, 3]);
        let names =
            [("White", "Zukertort"), ("White", "Ørberg"), ("White", "Carlsen"), ("White", "?")];
        assert_eq!(sorted("white", &names), [3, 2, 1, 4]);
        let elos =
            [("WhiteElo", "900"), ("WhiteElo", "2500"), ("Round", "1"), ("WhiteElo", "2500")];
        assert_eq!(sorted("-whiteelo,-number", &elos), [4, 2, 1, 3]);
        assert_eq!(sorted("event,-number", &elos), [4, 3, 2, 1]);
        let dates = [("Date", "1999.12.31"), ("Date", "2001.??.??"), ("Date", "1850.01.01")];
        assert_eq!(sorted("-date", &dates), [2, 1, 3]);
    }

    #[test]
    fn sort_date_mixed_spellings_is_by_day() {
        let dates = [
            "2025-02-23",
            "2025.02.22",
            "12/31/2018",
            "2014-10-18",
            "2014-1-18",
            "31.12.1950",
            "2018.??.??",
            "1 Jan 2018",
            "",
            "2018-12-??",
        ];
        for tag in ["Date", "EventDate", "UTCDate"] {
            let tags = dates.map(|date| (tag, date));
            assert_eq!(sorted(tag, &tags), [6, 5, 4, 8, 3, 10, 7, 2, 1, 9], "{tag}");
            let order = format!("-{tag}");
            assert_eq!(sorted(&order, &tags), [1, 2, 7, 10, 3, 8, 4, 5, 6, 9], "{order}");
        }
        let tags = dates.map(|date| ("Date", date));
        assert_eq!(sorted("month,number", &tags), [6, 5, 4, 8, 3, 10, 7, 1, 2, 9]);
    }

    #[test]
    fn opening_column_prefers_tag_to_moves() {
        let column = Column::parse("Opening").unwrap();
        let mut game = Game::new();
        let text = |game: &Game| {
            let header = &game.header;
            column.text(&Row::new(1, Path::new("x"), header).with_game(Some(game)))
        };
        assert_eq!(text(&game), "");
        ["e2e4", "c7c5"].iter().for_each(|m| game.push_move(m.parse().unwrap()));
        assert_eq!(text(&game), "Sicilian Defense");
        game.header.put("Opening", "?");
        assert_eq!(text(&game), "Sicilian Defense");
        game.header.put("Opening", "Sizilianisch");
        assert_eq!(text(&game), "Sizilianisch");
        assert!(column.asks_moves() && !column.is_number());
    }

    #[test]
    fn column_value_is_typed_for_lists_and_groups() {
        for (name, tag, value, text, group) in [
            ("date", "Date", "12/31/2018", "2018.12.31", "2018.12.31"),
            ("date", "Date", "spring", "spring", ""),
            ("month", "Date", "2018-3-1", "2018.03", "2018.03"),
            ("month", "Date", "2018", "2018.??", "2018.??"),
            ("year", "Date", "March 2018", "2018", "2018"),
            ("UTCDate", "UTCDate", "2018-3-1", "2018.03.01", "2018.03.01"),
            ("result", "Result", "1-0 ", "1-0", "1-0"),
            ("result", "Result", "adjourned", "*", "*"),
            ("whiteelo", "WhiteElo", "02500 ", "2500", "2500"),
            ("whiteelo", "WhiteElo", "2500?", "2500", "2500"),
            ("eco", "ECO", "b20", "B20", "B20"),
            ("round", "Round", " 3 ", " 3 ", "3"),
            ("round", "Round", "-", "-", ""),
            ("white", "White", "Tal, M ", "Tal, M ", "Tal, M"),
        ] {
            let mut header = Header::default();
            header.set(tag, value);
            let row = Row::new(1, Path::new("x"), &header);
            let column = Column::parse(name).unwrap();
            assert_eq!(
                (&*column.text(&row), &*column.group(&row)),
                (text, group),
                "{name} {value}"
            );
        }
    }

    #[test]
    fn column_unknown_name_is_error() {
        assert_eq!(Column::parse("WHITE"), Ok(Column::tag("White")));
        assert_eq!(Column::parse("WhiteTitle"), Ok(Column::tag("WhiteTitle")));
        assert_eq!(Column::parse("plies"), Ok(Column::Plies));
        for wrong in ["", "whte", "White Title", "-white"] {
            assert!(Column::parse(wrong).is_err(), "{wrong}");
        }
    }
}
