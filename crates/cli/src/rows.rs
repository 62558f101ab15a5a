//! Games as rows: a table for people, comma-separated values, JSON lines.

use std::fmt::Write as _;
use std::io::{self, Write};

use commands::List;
use pages::clean::clean;
use pages::style::{Bold, column};
use scoresheet::columns::{Column, Row, csv_cell};
use scoresheet::filter::SortValue;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use crate::json;
use crate::style::{colours, terminal_width};

/// A way to write games, one for each row.
pub(crate) trait Rows {
    /// The data of each game that it shows.
    fn columns(&self) -> &[Column];
    fn head(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }
    /// Returns whether the header is written even if no row follows.
    fn is_for_programs(&self) -> bool {
        true
    }
    /// Formats a row, for [`put`](Rows::put).
    fn row(&mut self, record: &mut Vec<u8>, row: &Row<'_>) -> io::Result<()>;
    /// Writes a row that was formatted.
    fn put(&mut self, out: &mut dyn Write, record: &[u8]) -> io::Result<()> {
        out.write_all(record)
    }
    /// Writes the rows that wait for others.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }
}

/// Returns the row format that the options select. With several bases, each row names its base.
pub(crate) fn of(arguments: &List, several: bool, of_queries: Vec<Column>) -> Box<dyn Rows> {
    let chosen = !arguments.columns.is_empty();
    let columns = |usual: &[&str]| -> Vec<Column> {
        if chosen {
            return arguments.columns.iter().cloned().chain(of_queries.clone()).collect();
        }
        let file = several.then_some(Column::File).into_iter();
        let tags = usual.iter().map(|name| Column::tag(name));
        [Column::Number].into_iter().chain(file).chain(tags).chain(of_queries.clone()).collect()
    };
    match (arguments.json, arguments.csv) {
        (true, _) if chosen => Box::new(Objects { columns: columns(&[]) }),
        (true, _) => Box::new(Lines { several, values: of_queries }),
        (_, true) => Box::new(Csv { columns: columns(&CSV_TAGS) }),
        _ => {
            let columns = columns(&TABLE_TAGS);
            let table = Table::new(columns, terminal_width(), !chosen);
            Box::new(Table { bold: colours(), ..table })
        }
    }
}

const TABLE_TAGS: [&str; 8] =
    ["White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "ECO", "Event"];

/// Columns of the table for people. The first rows wait until the widths of the columns can be
/// chosen.
pub(crate) struct Table {
    bold: bool,
    columns: Vec<Column>,
    /// The width of the terminal. `None` if the output is no terminal: then nothing is cut.
    width: Option<usize>,
    /// Whether columns may be omitted, because nobody asked for them.
    usual: bool,
    waiting: Vec<Vec<u8>>,
    /// The columns that are shown: index and width. Empty until they are chosen.
    shown: Vec<(usize, usize)>,
}

/// Columns that a narrow terminal can omit, in the order in which they go.
const DISPENSABLE: [&str; 7] = ["Event", "BlackElo", "WhiteElo", "File", "ECO", "Date", "Result"];
/// The minimum useful width of a text column.
const LEAST: usize = 8;
/// The width of most names. Narrower names are worth more than an event.
const NAME: usize = 20;
/// The maximum width of a text column: names are no longer.
const MOST: usize = 40;
/// Number of rows from which the widths are chosen.
const SAMPLE: usize = 100;
/// Separates the cells of a record. Cells have no control characters.
const SEPARATOR: char = '\u{1f}';

impl Table {
    pub(crate) fn new(columns: Vec<Column>, width: Option<usize>, usual: bool) -> Table {
        let (waiting, shown) = (Vec::new(), Vec::new());
        Table { bold: false, columns, width, usual, waiting, shown }
    }

    /// Chooses the columns and their widths by the rows that wait. Omits columns of a default table for
    /// which there is no room, the empty ones first, so that no line is too long.
    fn choose(&mut self) {
        let mut widths: Vec<usize> =
            self.columns.iter().map(|column| title(column).width()).collect();
        let mut is_empty = vec![true; self.columns.len()];
        for record in &self.waiting {
            let record = String::from_utf8_lossy(record);
            let cells = record.split(SEPARATOR).skip(1).zip(widths.iter_mut().zip(&mut is_empty));
            for (cell, (width, is_empty)) in cells {
                *width = cell.width().max(*width);
                *is_empty &= matches!(cell, "" | "?" | "????.??.??");
            }
        }
        let natural = |place: usize| {
            let width = widths.get(place).copied().unwrap_or(0);
            match self.columns.get(place).and_then(fixed) {
                Some(fixed) => fixed.max(width),
                None => width.min(MOST),
            }
        };
        let mut shown: Vec<(usize, usize)> =
            (0..self.columns.len()).map(|place| (place, natural(place))).collect();
        if let Some(width) = self.width {
            if self.usual {
                self.omit(&mut shown, width, &is_empty);
            }
            self.narrow(&mut shown, width);
        }
        self.shown = shown;
    }

    /// Omits columns until the rest fits in `width`: the empty ones, and the dispensable ones.
    fn omit(&self, shown: &mut Vec<(usize, usize)>, width: usize, is_empty: &[bool]) {
        let name = |place: usize| self.columns.get(place).map_or("", Column::name);
        // The least width of a column.
        let least = |place: usize, natural: usize, least_name: usize| {
            let is_fixed = self.columns.get(place).is_some_and(|column| fixed(column).is_some());
            match name(place) {
                _ if is_fixed => natural,
                "White" | "Black" => natural.min(least_name),
                _ => natural.min(LEAST),
            }
        };
        let fits = |shown: &[(usize, usize)], least_name: usize| {
            let cells = shown.iter().map(|(place, natural)| least(*place, *natural, least_name));
            cells.sum::<usize>().saturating_add(self.gaps(shown)) <= width
        };
        let all: usize = shown.iter().map(|(_, natural)| natural).sum();
        if all.saturating_add(self.gaps(shown)) > width {
            shown.retain(|(place, _)| *place == 0 || is_empty.get(*place) != Some(&true));
        }
        for (rank, dispensable) in DISPENSABLE.iter().enumerate() {
            if fits(shown, if rank == 0 { NAME } else { LEAST }) {
                return;
            }
            shown.retain(|(place, _)| name(*place) != *dispensable);
        }
    }

    /// Makes columns of text narrower until all fit in `width`: the names at last.
    fn narrow(&self, shown: &mut [(usize, usize)], width: usize) {
        for (names, least) in [(false, LEAST), (true, LEAST), (true, 1)] {
            loop {
                let used: usize = shown.iter().map(|(_, width)| width).sum();
                let excess = used.saturating_add(self.gaps(shown)).saturating_sub(width);
                let may_give = |column: &Column| {
                    fixed(column).is_none()
                        && (names || !matches!(column.name(), "White" | "Black"))
                };
                let texts = shown.iter_mut().filter(|(place, width)| {
                    *width > least && self.columns.get(*place).is_some_and(may_give)
                });
                let Some((_, widest)) = texts.max_by_key(|(_, width)| *width) else { break };
                if excess == 0 {
                    return;
                }
                *widest = widest.saturating_sub(excess.min(4)).max(least);
            }
        }
    }

    fn gaps(&self, shown: &[(usize, usize)]) -> usize {
        let columns = shown.iter().skip(1).filter_map(|(place, _)| self.columns.get(*place));
        columns.map(|column| gap(column).len()).sum()
    }

    fn line(&self, cells: &[&str], mark: &str) -> String {
        let mut line = String::new();
        for (number, (place, width)) in self.shown.iter().enumerate() {
            let Some(name) = self.columns.get(*place) else { continue };
            let text = cells.get(*place).copied().unwrap_or_default();
            match number {
                0 => {}
                // The mark stands in the gap after the first column.
                1 if !mark.is_empty() => line.push_str(gap(name).get(1..).unwrap_or_default()),
                _ => line.push_str(gap(name)),
            }
            if name.is_number() {
                // A string takes any text.
                let _ = write!(line, "{text:>width$}");
            } else {
                // A file or pipe gets whole texts.
                let width = if self.width.is_some() { *width } else { text.width().max(*width) };
                line.push_str(&column(text, width));
            }
            if number == 0 {
                line.push_str(mark);
            }
        }
        line.truncate(line.trim_end().len());
        line
    }

    fn write_record(&self, out: &mut dyn Write, record: &[u8]) -> io::Result<()> {
        let record = String::from_utf8_lossy(record);
        let mut cells = record.split(SEPARATOR);
        let mark = cells.next().unwrap_or_default();
        writeln!(out, "{}", self.line(&cells.collect::<Vec<_>>(), mark))
    }
}

/// Returns the gap before a column. It is narrow before a rating, which belongs to the player
/// beside it.
fn gap(column: &Column) -> &'static str {
    if matches!(column.name(), "WhiteElo" | "BlackElo") { " " } else { "  " }
}

/// Returns the width of a column whose values all have about the same length.
fn fixed(column: &Column) -> Option<usize> {
    Some(match column.name() {
        "Number" => 7,
        "WhiteElo" | "BlackElo" | "Elo" => 4,
        "Moves" | "Plies" | "Year" => 5,
        "Month" => 7,
        "Result" | "Deleted" => 7,
        "Round" => 6,
        "ECO" => 5,
        "Date" | "EventDate" | "UTCDate" => 10,
        _ => return None,
    })
}

/// Returns the heading of a column in a table.
fn title(column: &Column) -> String {
    match column.name() {
        "Number" => "no.".to_owned(),
        "WhiteElo" | "BlackElo" => "Elo".to_owned(),
        "Result" | "Date" | "Event" | "Site" | "Round" | "File" | "Moves" | "Plies" | "Deleted"
        | "Year" | "Month" | "Match" | "Message" => column.name().to_lowercase(),
        other => other.to_owned(),
    }
}

impl Rows for Table {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_for_programs(&self) -> bool {
        false
    }

    fn row(&mut self, record: &mut Vec<u8>, row: &Row<'_>) -> io::Result<()> {
        let mark = if row.header.deleted { "×" } else { "" };
        record.extend_from_slice(mark.as_bytes());
        for column in &self.columns {
            write!(record, "{SEPARATOR}{}", clean(&column.text(row)))?;
        }
        Ok(())
    }

    fn put(&mut self, out: &mut dyn Write, record: &[u8]) -> io::Result<()> {
        if !self.shown.is_empty() {
            return self.write_record(out, record);
        }
        self.waiting.push(record.to_vec());
        if self.waiting.len() < SAMPLE { Ok(()) } else { self.finish(out) }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.choose();
        let titles: Vec<String> = self.columns.iter().map(title).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        writeln!(out, "{}", Bold(self.line(&titles, ""), self.bold))?;
        for record in std::mem::take(&mut self.waiting) {
            self.write_record(out, &record)?;
        }
        Ok(())
    }
}

/// Comma-separated values by RFC 4180, with line feeds.
struct Csv {
    columns: Vec<Column>,
}

const CSV_TAGS: [&str; 11] = [
    "White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "ECO", "Event", "Site", "Round",
    "Deleted",
];

impl Rows for Csv {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn head(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<&str> = self.columns.iter().map(Column::name).collect();
        writeln!(out, "{}", names.join(","))
    }

    fn row(&mut self, out: &mut Vec<u8>, row: &Row<'_>) -> io::Result<()> {
        let mut comma = "";
        for column in &self.columns {
            write!(out, "{comma}{}", csv_cell(&column.text(row)))?;
            comma = ",";
        }
        writeln!(out)
    }
}

/// One JSON object for each game: its place and all its tags. If a tag occurs twice, the first
/// value is used.
struct Lines {
    several: bool,
    /// The columns of the queries.
    values: Vec<Column>,
}

impl Rows for Lines {
    fn columns(&self) -> &[Column] {
        &[]
    }

    fn row(&mut self, out: &mut Vec<u8>, row: &Row<'_>) -> io::Result<()> {
        let mut tags = Map::new();
        row.header.for_each_tag(|name, value| {
            tags.entry(name).or_insert_with(|| value.to_string().into());
        });
        let mut object = Map::new();
        if self.several {
            object.insert("file".into(), row.file.display().to_string().into());
        }
        object.insert("game".into(), row.number.into());
        object.insert("tags".into(), tags.into());
        if let Some(matches) = row.matches {
            object.insert("match".into(), matches.plies().collect());
            let is_value = |column: &&Column| matches!(column, Column::Value { .. });
            let values = self.values.iter().filter(is_value);
            let values: Map<_, _> =
                values.map(|column| (column.name().to_owned(), query_value(column, row))).collect();
            if !values.is_empty() {
                object.insert("values".into(), values.into());
            }
            if self.values.contains(&Column::Message) {
                object.insert("messages".into(), matches.messages.clone().into());
            }
        }
        json::line(out, &object)
    }
}

/// Returns the value of a sort key of a query.
fn query_value(column: &Column, row: &Row<'_>) -> Value {
    match column.value(row) {
        Some(SortValue::Number(number)) => (*number).into(),
        Some(value) => value.to_string().into(),
        None => Value::Null,
    }
}

/// One JSON object for each game, with only the requested columns.
struct Objects {
    columns: Vec<Column>,
}

impl Rows for Objects {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn row(&mut self, out: &mut Vec<u8>, row: &Row<'_>) -> io::Result<()> {
        let value = |column: &Column| match (column.is_number(), column.text(row)) {
            _ if matches!(column, Column::Value { .. }) => query_value(column, row),
            (true, _) => json!(column.number(row)),
            (_, text) if text.is_empty() => Value::Null,
            (_, text) => text.into(),
        };
        let members = self.columns.iter().map(|column| (column.name().to_owned(), value(column)));
        json::line(out, &members.collect::<Map<_, _>>())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use scoresheet::chess_core::Header;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    fn header(tags: &[(&str, &str)]) -> Header {
        let mut header = Header::default();
        tags.iter().for_each(|(tag, value)| header.set(tag, value));
        header
    }

    fn usual(width: Option<usize>) -> Table {
        let columns = std::iter::once(Column::Number);
        let columns = columns.chain(TABLE_TAGS.iter().map(|name| Column::tag(name))).collect();
        Table::new(columns, width, true)
    }

    /// Returns the lines of a table of games.
    fn lines(mut table: Table, headers: &[Header]) -> Vec<String> {
        let mut out = Vec::new();
        for header in headers {
            let mut record = Vec::new();
            table.row(&mut record, &Row::new(1, Path::new("x"), header)).unwrap();
            table.put(&mut out, &record).unwrap();
        }
        table.finish(&mut out).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    const LONG: &str = "a name longer than any column there is, 日本の将棋 and more";

    #[test]
    fn lines_fill_the_terminal_and_no_more() {
        let mut header = header(&[
            ("White", LONG),
            ("Black", LONG),
            ("Event", LONG),
            ("WhiteElo", "2500"),
            ("BlackElo", "2400"),
            ("Result", "1/2-1/2"),
            ("Date", "2019.03.14"),
            ("ECO", "C92"),
        ]);
        header.deleted = true;
        for width in [25, 32, 40, 55, 60, 71, 72, 80, 91, 92, 100, 120] {
            let lines = lines(usual(Some(width)), std::slice::from_ref(&header));
            let line = lines.last().unwrap();
            let used = line.width();
            assert!(used <= width && used + 4 >= width.min(40), "{used} of {width}: {line}");
            assert!(line.contains("1×"), "{line}");
        }
        let whole = lines(usual(None), &[header]).remove(1);
        assert_eq!(whole.matches(LONG).count(), 3, "{whole}");
    }

    #[test]
    fn names_take_the_room_of_empty_columns() {
        let named = |white: &str, black: &str| {
            header(&[("White", white), ("Black", black), ("Result", "1-0"), ("Date", "1851.06.21")])
        };
        let games = [named("Anderssen, Adolf", "Kieseritzky, Lionel"), named("A", "B")];
        for width in [72, 80, 100, 200] {
            let lines = lines(usual(Some(width)), &games);
            let row = &lines[1];
            assert!(row.contains("Anderssen, Adolf  ") && row.contains("Kieseritzky, L"), "{row}");
            assert!(lines.iter().all(|line| line.width() <= width), "{lines:?}");
        }
    }
}
