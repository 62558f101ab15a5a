//! Games as rows: a table for people, comma-separated values, JSON lines.

use std::io::{self, Write};

use scoresheet::columns::{Column, Row, csv_cell};
use serde_json::{Map, Value, json};

use crate::args::List;
use crate::json;
use crate::style::{Bold, colours, column, terminal_width};

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
    fn row(&mut self, out: &mut dyn Write, row: &Row<'_>) -> io::Result<()>;
}

/// Returns the row format that the options select. With several bases, each row names its base.
pub(crate) fn of(arguments: &List, several: bool) -> Box<dyn Rows> {
    let chosen = !arguments.columns.is_empty();
    let columns = |usual: &[&str]| -> Vec<Column> {
        if chosen {
            return arguments.columns.clone();
        }
        let file = several.then_some(Column::File).into_iter();
        let tags = usual.iter().map(|name| Column::tag(name));
        [Column::Number].into_iter().chain(file).chain(tags).collect()
    };
    match (arguments.json, arguments.csv) {
        (true, _) if chosen => Box::new(Objects { columns: columns(&[]) }),
        (true, _) => Box::new(Lines { several }),
        (_, true) => Box::new(Csv { columns: columns(&CSV_TAGS) }),
        _ => {
            let columns = columns(&TABLE_TAGS);
            let mut table = Table::of_width(columns, terminal_width(), !chosen);
            table.bold = colours();
            Box::new(table)
        }
    }
}

const TABLE_TAGS: [&str; 8] =
    ["White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "ECO", "Event"];

/// Columns of the table for people.
pub(crate) struct Table {
    bold: bool,
    columns: Vec<Column>,
    widths: Vec<usize>,
}

/// Columns that a narrow terminal can omit, in the order in which they go.
const DISPENSABLE: [&str; 7] = ["Event", "BlackElo", "WhiteElo", "File", "ECO", "Date", "Result"];
/// The minimum useful width of a text column.
const LEAST: usize = 8;

impl Table {
    /// Chooses the columns. Omits columns of a default table for which there is no room, so that no
    /// line is too long.
    pub(crate) fn of_width(mut columns: Vec<Column>, width: usize, usual: bool) -> Table {
        let needed = |columns: &[Column]| -> usize {
            let cells = columns.iter().map(|column| fixed(column).unwrap_or(LEAST));
            cells.sum::<usize>().saturating_add(gaps(columns))
        };
        let mut dispensable = DISPENSABLE.iter();
        while usual && needed(&columns) > width {
            let Some(name) = dispensable.next() else { break };
            columns.retain(|column| column.name() != *name);
        }
        let shares: usize = columns.iter().map(share).sum();
        let taken: usize = columns.iter().filter_map(fixed).sum();
        let rest = width.saturating_sub(taken.saturating_add(gaps(&columns)));
        let widths = columns.iter().map(|column| {
            let part = rest.saturating_mul(share(column)).checked_div(shares).unwrap_or(0);
            fixed(column).unwrap_or(part.clamp(1, MOST))
        });
        Table { bold: false, widths: widths.collect(), columns }
    }

    fn line(&self, cell: impl Fn(&Column) -> String, mark: &str) -> String {
        let mut line = String::new();
        for (number, (name, width)) in self.columns.iter().zip(&self.widths).enumerate() {
            let text = cell(name);
            match number {
                0 => {}
                // The mark stands in the gap after the first column.
                1 if !mark.is_empty() => line.push_str(gap(name).get(1..).unwrap_or_default()),
                _ => line.push_str(gap(name)),
            }
            if name.is_number() {
                line.push_str(&format!("{text:>width$}"));
            } else {
                line.push_str(&column(&text, *width));
            }
            if number == 0 {
                line.push_str(mark);
            }
        }
        line.trim_end().to_owned()
    }
}

/// The maximum width of a text column: names are no longer.
const MOST: usize = 40;

/// Returns the gap before a column. It is narrow before a rating, which belongs to the player
/// beside it.
fn gap(column: &Column) -> &'static str {
    if matches!(column.name(), "WhiteElo" | "BlackElo") { " " } else { "  " }
}

fn gaps(columns: &[Column]) -> usize {
    columns.iter().skip(1).map(|column| gap(column).len()).sum()
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

/// Returns the share of the remaining width that a column gets.
fn share(column: &Column) -> usize {
    match column.name() {
        _ if fixed(column).is_some() => 0,
        "White" | "Black" => 3,
        _ => 4,
    }
}

/// Returns the heading of a column in a table.
fn title(column: &Column) -> String {
    match column.name() {
        "Number" => "no.".to_owned(),
        "WhiteElo" | "BlackElo" => "Elo".to_owned(),
        "Result" | "Date" | "Event" | "Site" | "Round" | "File" | "Moves" | "Plies" | "Deleted"
        | "Year" | "Month" => column.name().to_lowercase(),
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

    fn head(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", Bold(self.line(title, ""), self.bold))
    }

    fn row(&mut self, out: &mut dyn Write, row: &Row<'_>) -> io::Result<()> {
        let mark = if row.header.deleted { "×" } else { "" };
        writeln!(out, "{}", self.line(|column| column.text(row), mark))
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

    fn row(&mut self, out: &mut dyn Write, row: &Row<'_>) -> io::Result<()> {
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
}

impl Rows for Lines {
    fn columns(&self) -> &[Column] {
        &[]
    }

    fn row(&mut self, out: &mut dyn Write, row: &Row<'_>) -> io::Result<()> {
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
        json::line(out, &object)
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

    fn row(&mut self, out: &mut dyn Write, row: &Row<'_>) -> io::Result<()> {
        let value = |column: &Column| match (column.is_number(), column.text(row)) {
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

    #[test]
    fn lines_fill_the_terminal_and_no_more() {
        let mut header = Header::default();
        for tag in ["White", "Black", "Event"] {
            header.set(tag, "a name longer than any column there is, 日本の将棋 and more");
        }
        for (tag, value) in [("WhiteElo", "2500"), ("BlackElo", "2400"), ("Result", "1/2-1/2")] {
            header.set(tag, value);
        }
        header.set("Date", "2019.03.14");
        header.set("ECO", "C92");
        header.deleted = true;
        let row = Row::new(1, Path::new("x"), &header);
        for width in [25, 32, 40, 55, 60, 71, 72, 80, 91, 92, 100, 120] {
            let columns = std::iter::once(Column::Number);
            let columns = columns.chain(TABLE_TAGS.iter().map(|name| Column::tag(name))).collect();
            let mut table = Table::of_width(columns, width, true);
            let mut out = Vec::new();
            table.row(&mut out, &row).unwrap();
            let line = String::from_utf8(out).unwrap();
            let used = line.trim_end().width();
            assert!(used <= width && used + 4 >= width.min(40), "{used} of {width}: {line}");
            assert!(line.contains("1×"), "{line}");
        }
    }
}
