//! A row of any table of games as PGN text, which the PGN reader then reads.

use std::fmt::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Date32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{DataType, Schema};
use chess_core::{Move, Position};
use pgn::write_tag;

use crate::error::{Error, ErrorKind, location};
use crate::games::write_signed;
use crate::schema::{Of, Rows};
use crate::tags::{write_days, write_time};

/// Which columns of a table say what of a game.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    columns: Vec<(usize, What)>,
    /// The tag `Date` comes from `UTCDate`, for the table has none.
    date_from_utc: bool,
}

/// What a column says.
#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    Tag(String),
    Signed(String),
    Tags,
    Fen,
    Moves(Moves),
}

/// The three ways that moves are told, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Moves {
    Movetext,
    Codes,
    Uci,
}

impl Layout {
    /// Columns are known by their names; a column of texts with another name is a tag.
    ///
    /// # Errors
    /// [`ErrorKind::NoMoves`]
    pub(crate) fn new(schema: &Schema) -> Result<Layout, Error> {
        let fields = schema.fields().iter().enumerate();
        let mut columns: Vec<(usize, What)> = fields
            .filter_map(|(place, field)| Some((place, meaning(field.name(), field.data_type())?)))
            .collect();
        let moves = |what: &What| match what {
            What::Moves(moves) => Some(*moves),
            _ => None,
        };
        let Some(best) = columns.iter().filter_map(|(_, what)| moves(what)).min() else {
            let names: Vec<&str> =
                schema.fields().iter().map(|field| field.name().as_str()).collect();
            let kind = ErrorKind::NoMoves(names.join(", ").into());
            return Err(Error::new(kind, location()));
        };
        columns.retain(|(_, what)| moves(what).is_none_or(|moves| moves == best));
        let has = |name: &str| columns.iter().any(|(_, what)| *what == What::Tag(name.into()));
        let date_from_utc = has("UTCDate") && !has("Date");
        Ok(Layout { columns, date_from_utc })
    }

    /// The columns that are read.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().map(|(place, _)| *place)
    }

    /// The same of a table that has only [those](Layout::columns), in their order.
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
    /// [`ErrorKind::Row`] for moves that cannot be read as moves; the tags stand then.
    pub(crate) fn write(
        &self,
        batch: &RecordBatch,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.write_tags(batch, row, out);
        let written = self.write_moves(batch, row, out);
        out.extend_from_slice(b"\n\n");
        written
    }

    /// As [`write`](Layout::write), without the moves.
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
        let tags = self.columns.iter().find(|(_, what)| *what == What::Tags);
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
                What::Tag(name) if !spelt(name) => {
                    write_value(array, row, &mut text);
                    write_tag(name, text.as_bytes(), out);
                    if self.date_from_utc && name == "UTCDate" {
                        write_tag("Date", text.as_bytes(), out);
                    }
                }
                What::Signed(name) if !spelt(name) => {
                    let number = whole(array, row).and_then(|number| i16::try_from(number).ok());
                    match number {
                        Some(number) => write_signed(number, &mut text),
                        None => write_value(array, row, &mut text),
                    }
                    write_tag(name, text.as_bytes(), out);
                }
                What::Tags => each_tag(array, row, |name, value| {
                    write_tag(name, value.as_bytes(), out);
                }),
                What::Fen => fen = string(array, row),
                _ => {}
            }
        }
        // What follows it only repeats it, so that nothing may.
        if let Some(fen) = fen {
            write_tag("FEN", fen.as_bytes(), out);
        }
        out.push(b'\n');
    }

    fn write_moves(&self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let result = self.tag(batch, row, "Result").unwrap_or("*");
        for (place, what) in &self.columns {
            let What::Moves(moves) = what else { continue };
            let Some(array) = batch.columns().get(*place).filter(|array| array.is_valid(row))
            else {
                continue;
            };
            match moves {
                Moves::Movetext => {
                    out.extend_from_slice(string(array, row).unwrap_or_default().as_bytes());
                    return Ok(());
                }
                Moves::Codes => {
                    let fen = self.columns.iter().find(|(_, what)| *what == What::Fen);
                    let fen = fen.and_then(|(place, _)| batch.columns().get(*place));
                    let fen = fen.filter(|array| array.is_valid(row));
                    write_codes(array, row, fen.and_then(|array| string(array, row)), out)?;
                }
                Moves::Uci => write_uci_moves(array, row, out),
            }
        }
        out.extend_from_slice(result.as_bytes());
        Ok(())
    }

    fn tag<'a>(&self, batch: &'a RecordBatch, row: usize, name: &str) -> Option<&'a str> {
        let is_it = |what: &What| matches!(what, What::Tag(tag) if tag == name);
        let (place, _) = self.columns.iter().find(|(_, what)| is_it(what))?;
        let array = batch.columns().get(*place).filter(|array| array.is_valid(row))?;
        string(array, row)
    }
}

/// What a column of this name and type says of a game, if anything.
fn meaning(name: &str, kind: &DataType) -> Option<What> {
    let is_list = matches!(kind, DataType::List(_) | DataType::LargeList(_));
    match (name, is_text(kind)) {
        ("movetext", true) => return Some(What::Moves(Moves::Movetext)),
        ("moves", text) if text || is_list => return Some(What::Moves(Moves::Uci)),
        ("move_codes", _) if is_list => return Some(What::Moves(Moves::Codes)),
        ("tags", _) if matches!(kind, DataType::Map(..)) => return Some(What::Tags),
        ("FEN", true) => return Some(What::Fen),
        ("source" | "damage", _) => return None,
        _ => {}
    }
    match Rows::Games.field(name).map(|field| field.of) {
        Some(Of::SignedTag) => Some(What::Signed(name.into())),
        // They repeat others.
        Some(Of::Year | Of::Month | Of::Day | Of::Plies | Of::FinalHash | Of::Game) => None,
        Some(_) => Some(What::Tag(name.into())),
        None => is_text(kind).then(|| What::Tag(name.into())),
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// A text of a column of texts.
fn string(array: &dyn Array, row: usize) -> Option<&str> {
    fn keyed<K: ArrowDictionaryKeyType>(array: &dyn Array, row: usize) -> Option<Option<&str>> {
        let array = array.as_dictionary_opt::<K>()?;
        Some(array.key(row).and_then(|key| string(array.values(), key)))
    }
    if row >= array.len() {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string_opt::<i32>().map(|array| array.value(row)),
        DataType::LargeUtf8 => array.as_string_opt::<i64>().map(|array| array.value(row)),
        DataType::Utf8View => array.as_string_view_opt().map(|array| array.value(row)),
        DataType::Dictionary(..) => keyed::<Int32Type>(array, row)
            .or_else(|| keyed::<UInt32Type>(array, row))
            .or_else(|| keyed::<Int16Type>(array, row))
            .or_else(|| keyed::<UInt16Type>(array, row))
            .or_else(|| keyed::<Int8Type>(array, row))
            .or_else(|| keyed::<UInt8Type>(array, row))
            .or_else(|| keyed::<Int64Type>(array, row))
            .or_else(|| keyed::<UInt64Type>(array, row))
            .flatten(),
        _ => None,
    }
}

fn number<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Option<T::Native> {
    let array = array.as_primitive_opt::<T>()?;
    (row < array.len()).then(|| array.value(row))
}

/// A whole number, of any size.
fn whole(array: &dyn Array, row: usize) -> Option<i64> {
    fn of<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Option<i64>
    where
        T::Native: TryInto<i64>,
    {
        number::<T>(array, row).and_then(|value| value.try_into().ok())
    }
    match array.data_type() {
        DataType::Int8 => of::<Int8Type>(array, row),
        DataType::Int16 => of::<Int16Type>(array, row),
        DataType::Int32 => of::<Int32Type>(array, row),
        DataType::Int64 => of::<Int64Type>(array, row),
        DataType::UInt8 => of::<UInt8Type>(array, row),
        DataType::UInt16 => of::<UInt16Type>(array, row),
        DataType::UInt32 => of::<UInt32Type>(array, row),
        DataType::UInt64 => of::<UInt64Type>(array, row),
        DataType::Float64 => {
            // Programs without empty whole numbers make ratings such.
            let value = number::<Float64Type>(array, row)?;
            let text = format!("{value:.0}");
            (value.fract() == 0.0).then(|| text.parse().ok()).flatten()
        }
        _ => None,
    }
}

/// A value as a tag would spell it.
fn write_value(array: &dyn Array, row: usize, out: &mut String) {
    if let Some(text) = string(array, row) {
        out.push_str(text);
    } else if let Some(number) = whole(array, row) {
        let _ = write!(out, "{number}");
    } else if let Some(days) = number::<Date32Type>(array, row) {
        write_days(days, out);
    } else if let Some(time) = milliseconds(array, row) {
        write_time(time, out);
    }
}

fn milliseconds(array: &dyn Array, row: usize) -> Option<i32> {
    let small = |number: i64| i32::try_from(number).ok();
    number::<Time32MillisecondType>(array, row)
        .or_else(|| number::<Time32SecondType>(array, row)?.checked_mul(1000))
        .or_else(|| small(number::<Time64MicrosecondType>(array, row)? / 1000))
        .or_else(|| small(number::<Time64NanosecondType>(array, row)? / 1_000_000))
}

/// The tags of a map.
fn each_tag(array: &dyn Array, row: usize, mut each: impl FnMut(&str, &str)) {
    let Some(map) = array.as_map_opt().filter(|map| row < map.len()) else { return };
    let entries = map.value(row);
    let [names, values] = entries.columns() else { return };
    for entry in 0..entries.len() {
        if let (Some(name), Some(value)) = (string(names, entry), string(values, entry)) {
            each(name, if values.is_null(entry) { "" } else { value });
        }
    }
}

fn has_tag(array: &dyn Array, row: usize, wanted: &str) -> bool {
    let mut found = false;
    if array.is_valid(row) {
        each_tag(array, row, |name, _| found |= name == wanted);
    }
    found
}

/// The items of a list.
fn items(array: &dyn Array, row: usize) -> Option<arrow_array::ArrayRef> {
    if let Some(list) = array.as_list_opt::<i32>().filter(|list| row < list.len()) {
        return Some(list.value(row));
    }
    let list = array.as_list_opt::<i64>().filter(|list| row < list.len())?;
    Some(list.value(row))
}

/// UCI notation is read as PGN, as a list or one text with spaces.
fn write_uci_moves(array: &dyn Array, row: usize, out: &mut Vec<u8>) {
    if let Some(text) = string(array, row) {
        out.extend_from_slice(text.as_bytes());
        out.push(b' ');
        return;
    }
    let Some(items) = items(array, row) else { return };
    for item in 0..items.len() {
        let m = string(&items, item).unwrap_or_default();
        out.extend_from_slice(if m == "0000" { b"--" } else { m.as_bytes() });
        out.push(b' ');
    }
}

/// Codes are written as SAN.
fn write_codes(
    array: &dyn Array,
    row: usize,
    fen: Option<&str>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let Some(items) = items(array, row) else { return Ok(()) };
    let mut position = match fen.map(Position::from_fen) {
        // The reader of the text will say what is wrong.
        Some(Err(_)) => return Ok(()),
        Some(Ok(position)) => position,
        None => Position::start(),
    };
    for item in 0..items.len() {
        let code = whole(&items, item).filter(|_| items.is_valid(item));
        let m = code.and_then(|code| u16::try_from(code).ok()).and_then(Move::from_bits);
        let Some(m) = m else {
            let text = format!("{code:?} is no code of a move; the rest of the game is left out");
            return Err(Error::new(ErrorKind::Row(text.into()), location()));
        };
        out.extend_from_slice(pgn::San::new(&position, m).as_bytes());
        out.push(b' ');
        position.apply(m);
    }
    Ok(())
}
