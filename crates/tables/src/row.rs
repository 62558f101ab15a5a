//! Converts a row of any table of games to PGN text, for the PGN reader.

use std::borrow::Cow;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use chess_core::Position;
use pgn::write_tag;

use crate::cell::{Part, each_pair, is_pairs, is_text, is_value, list_of, string, write_value};
use crate::error::{Error, ErrorKind, listed, location, named};
use crate::games::write_signed;
use crate::played::{write_codes, write_names};
use crate::schema::{Of, Rows};

/// The meaning of each column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    columns: Vec<(usize, Meaning)>,
    /// Whether the tag `Date` comes from `UTCDate`, because the table has no such column.
    date_from_utc: bool,
    /// The names of the columns that are no part of a game.
    unread: Vec<String>,
}

/// The meaning of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    Tag(String, Part, Spelling),
    Signed(String),
    Tags,
    Fen,
    Moves(Moves),
}

/// How the text of a column becomes the value of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spelling {
    AsItIs,
    /// `white`, `black` and `draw` are results.
    Winner,
    /// `15+2` is a base in minutes and an increment in seconds.
    Minutes,
}

/// Columns of tables from other places, and the tags that they are if the table has no column of the tag's own
/// name. docs/tables.md lists them.
static OTHER_NAMES: [(&str, &str, Spelling); 19] = [
    ("event", "Event", Spelling::AsItIs),
    ("site", "Site", Spelling::AsItIs),
    ("date", "Date", Spelling::AsItIs),
    ("round", "Round", Spelling::AsItIs),
    ("white", "White", Spelling::AsItIs),
    ("black", "Black", Spelling::AsItIs),
    ("result", "Result", Spelling::Winner),
    ("eco", "ECO", Spelling::AsItIs),
    ("white_elo", "WhiteElo", Spelling::AsItIs),
    ("black_elo", "BlackElo", Spelling::AsItIs),
    ("white_id", "White", Spelling::AsItIs),
    ("black_id", "Black", Spelling::AsItIs),
    ("white_rating", "WhiteElo", Spelling::AsItIs),
    ("black_rating", "BlackElo", Spelling::AsItIs),
    ("winner", "Result", Spelling::Winner),
    ("victory_status", "Termination", Spelling::AsItIs),
    ("increment_code", "TimeControl", Spelling::Minutes),
    ("opening_eco", "ECO", Spelling::AsItIs),
    ("opening_name", "Opening", Spelling::AsItIs),
];

impl Spelling {
    /// Returns the value of the tag.
    fn read(self, text: &str) -> Cow<'_, str> {
        let minutes = || {
            let (base, increment) = text.split_once('+')?;
            let base: f64 = base.trim().parse().ok()?;
            Some(format!("{}+{}", base * 60.0, increment.trim()))
        };
        match (self, text) {
            (Spelling::Winner, "white") => "1-0".into(),
            (Spelling::Winner, "black") => "0-1".into(),
            (Spelling::Winner, "draw") => "1/2-1/2".into(),
            (Spelling::Minutes, _) => minutes().map_or_else(|| text.into(), Cow::from),
            _ => text.into(),
        }
    }
}

/// The three representations of moves, in order of preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Moves {
    Movetext,
    Codes,
    /// UCI notation, or SAN.
    Names,
}

impl Layout {
    /// Determines the meaning of the columns from their names. A column of values with an unknown name is
    /// a tag.
    ///
    /// # Errors
    /// [`ErrorKind::NoMoves`], and [`ErrorKind::Type`] for a column with a known name and an
    /// unsupported type.
    pub(crate) fn new(schema: &Schema) -> Result<Layout, Error> {
        let (mut columns, mut unread) = (Vec::new(), Vec::new());
        for (place, field) in schema.fields().iter().enumerate() {
            let (name, kind) = (field.name(), field.data_type());
            let what = match other_name(schema, place) {
                Some(tag) => Some(tag),
                None => meaning(name, kind)?,
            };
            if what.is_none() && *kind != DataType::Null && Rows::Games.field(name).is_none() {
                unread.push(name.clone());
            }
            columns.extend(what.map(|what| (place, what)));
        }
        let moves = |what: &Meaning| match what {
            Meaning::Moves(moves) => Some(*moves),
            _ => None,
        };
        let Some(best) = columns.iter().filter_map(|(_, what)| moves(what)).min() else {
            let names = schema.fields().iter().map(|field| field.name().as_str());
            let kind = ErrorKind::NoMoves(listed(names).into());
            return Err(Error::new(kind, location()));
        };
        columns.retain(|(_, what)| moves(what).is_none_or(|moves| moves == best));
        let is = |what: &Meaning, name: &str| matches!(what, Meaning::Tag(tag, ..) if tag == name);
        let has = |name: &str| columns.iter().any(|(_, what)| is(what, name));
        let date_from_utc = has("UTCDate") && !has("Date");
        Ok(Layout { columns, date_from_utc, unread })
    }

    /// Returns the names of the columns that are no part of a game: lists, structures, moments and so on with
    /// unknown names.
    pub(crate) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Returns the columns that are read.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().map(|(place, _)| *place)
    }

    /// Returns the layout of a table that has only [these columns](Layout::columns), in their
    /// order.
    pub(crate) fn projected(mut self) -> Layout {
        self.columns.sort_by_key(|(place, _)| *place);
        for (at, (place, _)) in self.columns.iter_mut().enumerate() {
            *place = at;
        }
        self
    }

    /// Appends a row as PGN.
    ///
    /// # Errors
    /// [`ErrorKind::Row`] for moves that cannot be read; the tags are written.
    pub(crate) fn write(
        &self,
        batch: &RecordBatch,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let start = out.len();
        self.write_tags(batch, row, out);
        let written = self.write_moves(batch, row, start, out);
        out.extend_from_slice(b"\n\n");
        written
    }

    /// Like [`write`](Layout::write), without the moves.
    ///
    /// # Errors
    /// None.
    pub(crate) fn write_header(
        &self,
        batch: &RecordBatch,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.write_tags(batch, row, out);
        out.extend_from_slice(b"*\n\n");
        Ok(())
    }

    fn write_tags(&self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) {
        let mut text = String::new();
        let tags = self.columns.iter().find(|(_, what)| *what == Meaning::Tags);
        let tags = tags.and_then(|(place, _)| batch.columns().get(*place));
        let spelt = |name: &str| tags.is_some_and(|tags| has_tag(tags, row, name));
        let mut fen = None;
        for (place, what) in &self.columns {
            let Some(array) = batch.columns().get(*place).filter(|array| array.is_valid(row))
            else {
                continue;
            };
            text.clear();
            match what {
                Meaning::Tag(name, part, spelling) if !spelt(name) => {
                    if !write_value(array, row, *part, &mut text) {
                        continue;
                    }
                    write_tag(name, spelling.read(&text).as_bytes(), out);
                    if self.date_from_utc && name == "UTCDate" {
                        write_tag("Date", text.as_bytes(), out);
                    }
                }
                Meaning::Signed(name) if !spelt(name) => {
                    if !write_value(array, row, Part::Day, &mut text) {
                        continue;
                    }
                    if let Ok(number) = text.parse() {
                        text.clear();
                        write_signed(number, &mut text);
                    }
                    write_tag(name, text.as_bytes(), out);
                }
                Meaning::Tags => each_pair(array, row, |name, value| {
                    write_tag(name, value.as_bytes(), out);
                }),
                Meaning::Fen => fen = string(array, row),
                _ => {}
            }
        }
        // The tags implied by the FEN must come after it.
        if let Some(fen) = fen {
            write_tag("FEN", fen.as_bytes(), out);
        }
        out.push(b'\n');
    }

    /// Appends the moves; the text of the row begins at `start`.
    fn write_moves(
        &self,
        batch: &RecordBatch,
        row: usize,
        start: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let moves = self.columns.iter().find_map(|(place, what)| match what {
            Meaning::Moves(moves) => Some((*moves, batch.columns().get(*place)?)),
            _ => None,
        });
        let moves = moves.filter(|(_, array)| array.is_valid(row));
        let written = match (moves, self.start_position(batch, row)) {
            (Some((Moves::Movetext, array)), _) => {
                out.extend_from_slice(string(array, row).unwrap_or_default().as_bytes());
                return Ok(());
            }
            (Some((Moves::Codes, array)), Some(position)) => write_codes(array, row, position, out),
            (Some((Moves::Names, array)), Some(position)) => write_names(array, row, position, out),
            (None, _) | (_, None) => Ok(()),
        };
        let result = self.result(batch, row).unwrap_or("*".into());
        // A result alone is not a game.
        if out.get(start..).unwrap_or_default().trim_ascii().is_empty() {
            write_tag("Result", result.as_bytes(), out);
        }
        out.extend_from_slice(result.as_bytes());
        written
    }

    /// Returns the start position. If the FEN is invalid, the PGN reader reports the error.
    fn start_position(&self, batch: &RecordBatch, row: usize) -> Option<Position> {
        let fen = self.columns.iter().find(|(_, what)| *what == Meaning::Fen);
        let fen = fen.and_then(|(place, _)| batch.columns().get(*place));
        let fen = fen.filter(|array| array.is_valid(row)).and_then(|array| string(array, row));
        fen.map_or(Some(Position::start()), |fen| Position::from_fen(fen).ok())
    }

    fn result<'a>(&self, batch: &'a RecordBatch, row: usize) -> Option<Cow<'a, str>> {
        let (place, spelling) = self.columns.iter().find_map(|(place, what)| match what {
            Meaning::Tag(tag, _, spelling) if tag == "Result" => Some((place, spelling)),
            _ => None,
        })?;
        let array = batch.columns().get(*place).filter(|array| array.is_valid(row))?;
        Some(spelling.read(string(array, row)?))
    }
}

/// Returns the tag that a column is by [`OTHER_NAMES`], if no column before it is this tag and none has the tag's
/// own name.
fn other_name(schema: &Schema, place: usize) -> Option<Meaning> {
    let tag = |place: usize| {
        let field = schema.fields().get(place).filter(|field| is_value(field.data_type()))?;
        OTHER_NAMES.iter().find(|(name, ..)| field.name() == name)
    };
    let (_, name, spelling) = tag(place)?;
    let is_own = |field: &arrow_schema::FieldRef| field.name() == name;
    let is_taken = schema.fields().iter().any(is_own)
        || (0..place).filter_map(tag).any(|(_, other, _)| other == name);
    (!is_taken).then(|| Meaning::Tag((*name).into(), Part::Day, *spelling))
}

/// Returns the meaning of a column with this name and type, if it has one.
///
/// # Errors
/// [`ErrorKind::Type`] for a column with a known name and an unsupported type.
fn meaning(name: &str, kind: &DataType) -> Result<Option<Meaning>, Error> {
    // A column without values may have the null type.
    if *kind == DataType::Null {
        return Ok(None);
    }
    let moves = match name {
        "movetext" => is_text(kind).then_some(Moves::Movetext),
        "move_codes" => list_of(kind).filter(|item| item.is_numeric()).map(|_| Moves::Codes),
        "moves" if is_text(kind) || list_of(kind).is_some_and(is_text) => Some(Moves::Names),
        _ => None,
    };
    if let Some(moves) = moves {
        return Ok(Some(Meaning::Moves(moves)));
    }
    let tag = |part| Meaning::Tag(name.into(), part, Spelling::AsItIs);
    Ok(match Rows::Games.field(name).map(|field| field.of) {
        // These columns repeat others, or refer to another database.
        Some(Of::Year | Of::Month | Of::Day | Of::Plies | Of::FinalHash | Of::Game) => None,
        Some(Of::Source | Of::Damage | Of::Deviations | Of::Offset) => None,
        Some(Of::BaseSeconds | Of::Increment | Of::TimeClass | Of::OpeningName) => None,
        Some(Of::Variant) => None,
        Some(Of::Fen) if is_text(kind) => Some(Meaning::Fen),
        Some(Of::OtherTags) if is_pairs(kind) => Some(Meaning::Tags),
        Some(Of::OtherTags) if is_text(kind) => Some(tag(Part::Day)),
        Some(Of::Fen | Of::OtherTags | Of::Movetext | Of::Moves | Of::MoveCodes) => {
            return Err(unreadable(name, kind));
        }
        Some(_) if !is_value(kind) => return Err(unreadable(name, kind)),
        Some(Of::SignedTag) if !is_text(kind) => Some(Meaning::Signed(name.into())),
        Some(Of::TimeTag) => Some(tag(Part::Time)),
        Some(_) => Some(tag(Part::Day)),
        // A tag of a moment would have its day only.
        None => {
            let is_day =
                matches!(kind, DataType::Date32 | DataType::Time32(_) | DataType::Time64(_));
            let is_tag = is_day || is_text(kind) || kind.is_numeric() || *kind == DataType::Boolean;
            is_tag.then(|| tag(Part::Day))
        }
    })
}

fn unreadable(name: &str, kind: &DataType) -> Error {
    let (name, kind) = (named(name).into(), named(&kind.to_string()).into());
    Error::new(ErrorKind::Type { name, kind }, location())
}

fn has_tag(array: &dyn Array, row: usize, wanted: &str) -> bool {
    let mut found = false;
    if array.is_valid(row) {
        each_pair(array, row, |name, _| found |= name == wanted);
    }
    found
}
