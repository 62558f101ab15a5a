//! Writes an SQLite database with one table: `games` or `plies`.
//!
//! SQLite needs a file in which it can seek, and an output may be a pipe. So the database is made in
//! a temporary file and copied to the output at the end.

use std::fs::File;
use std::io::{self, Seek as _, Write};

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, Statement};
use tempfile::TempPath;

use crate::column::{Column, Kind, Texts, Values};
use crate::columns::{Columns, Selection};
use crate::error::{Error, ErrorKind, location};
use crate::schema::{Field, Of, Rows};
use crate::tags::{write_days, write_time};
use crate::uci::write_code;
use crate::writer::Target;

/// Tells a database of this crate from others: the field "application ID" at byte 68.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Scsh");

/// The database is new, so a failure leaves nothing to roll back.
const SETTINGS: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; BEGIN;";

pub(crate) struct SqliteTarget<W: Write + Send> {
    out: W,
    database: Connection,
    selection: Selection,
    insert: String,
    /// The contents of `database`.
    file: File,
    /// The name, where a file that is open cannot lose it. Dropped after `database`.
    path: Option<TempPath>,
}

impl<W: Write + Send> SqliteTarget<W> {
    pub(crate) fn new(out: W, selection: &Selection) -> Result<SqliteTarget<W>, Error> {
        let file = tempfile::Builder::new().suffix(".db").tempfile().map_err(io_error)?;
        let (file, path) = file.into_parts();
        let database = Connection::open(&path).map_err(failed)?;
        database.execute_batch(SETTINGS).map_err(failed)?;
        database.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
        let table = selection.rows().name();
        let column = |field: &Field| format!("{} {}", quoted(field.name), affinity(field.kind));
        let columns: Vec<String> = selection.fields().iter().map(|field| column(field)).collect();
        let create = format!("CREATE TABLE {table} ({})", columns.join(", "));
        database.execute_batch(&create).map_err(failed)?;
        let places = vec!["?"; columns.len()].join(", ");
        let insert = format!("INSERT INTO {table} VALUES ({places})");
        // Without a name the file goes with the process, also if that is killed.
        let path = (!cfg!(unix)).then_some(path);
        Ok(SqliteTarget { out, database, selection: selection.clone(), insert, file, path })
    }
}

impl<W: Write + Send> Target for SqliteTarget<W> {
    fn write(&mut self, rows: Columns) -> Result<(), Error> {
        let count = rows.rows();
        let mut columns = rows.into_columns();
        columns.iter_mut().for_each(Column::materialize_nulls);
        let mut statement = self.database.prepare(&self.insert).map_err(failed)?;
        for row in 0..count {
            let fields = self.selection.fields().iter();
            for (place, (field, column)) in (1..).zip(fields.zip(&columns)) {
                bind(&mut statement, place, column, field.kind, row).map_err(failed)?;
            }
            statement.raw_execute().map_err(failed)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let SqliteTarget { mut out, database, selection, mut file, path: _path, .. } = *self;
        let table = selection.rows().name();
        for field in selection.fields().iter().filter(|field| is_indexed(selection.rows(), field)) {
            let index = quoted(&format!("{table}_{}", field.name));
            let index = format!("CREATE INDEX {index} ON {table} ({})", quoted(field.name));
            database.execute_batch(&index).map_err(failed)?;
        }
        database.execute_batch("COMMIT").map_err(failed)?;
        database.close().map_err(|(_, error)| failed(error))?;
        let copied = file.rewind().and_then(|()| io::copy(&mut file, &mut out));
        copied.and_then(|_| out.flush()).map_err(io_error)
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns whether people search by this column.
fn is_indexed(rows: Rows, field: &Field) -> bool {
    match rows {
        Rows::Games => {
            matches!(field.of, Of::White | Of::Black | Of::Date | Of::Eco | Of::FinalHash)
        }
        Rows::Plies => matches!(field.of, Of::Game | Of::Hash),
    }
}

const fn affinity(kind: Kind) -> &'static str {
    match kind {
        Kind::Int16 | Kind::Int32 | Kind::Int64 | Kind::UInt64 => "INTEGER",
        Kind::Float64 => "REAL",
        Kind::Bytes32 => "BLOB",
        // Lists and maps are JSON, and dates are what the functions of SQLite read.
        Kind::Text | Kind::Date | Kind::Time => "TEXT",
        Kind::UciList | Kind::UInt16List | Kind::TextMap => "TEXT",
    }
}

fn bind(
    statement: &mut Statement<'_>,
    place: usize,
    column: &Column,
    kind: Kind,
    row: usize,
) -> rusqlite::Result<()> {
    let integer = |number: i64| ToSqlOutput::Owned(Value::Integer(number));
    let text = |text: String| ToSqlOutput::Owned(Value::Text(text));
    let rows = row..row.saturating_add(1);
    let is_valid = column.valid.get(row).copied().unwrap_or(false);
    let value = is_valid.then_some(&column.values).and_then(|values| match values {
        Values::Text(texts) => {
            Some(ToSqlOutput::Borrowed(ValueRef::Text(texts.range(rows).next()?)))
        }
        Values::Int16(numbers) => Some(integer((*numbers.get(row)?).into())),
        Values::Int32(numbers) => Some(match (kind, *numbers.get(row)?) {
            (Kind::Date, days) => text(date(days)),
            (Kind::Time, time) => text(written(|out| write_time(time, out))),
            (_, number) => integer(number.into()),
        }),
        Values::Int64(numbers) => Some(integer(*numbers.get(row)?)),
        // SQLite has no unsigned numbers; the bits are the same.
        Values::UInt64(numbers) => Some(integer(numbers.get(row)?.cast_signed())),
        Values::Float64(numbers) => Some(ToSqlOutput::Owned(Value::Real(*numbers.get(row)?))),
        Values::Codes(lists) => {
            Some(text(written(|out| write_list(kind, lists.range(rows).next(), out))))
        }
        Values::TextMap(ends, names, values) => {
            let end = |row: usize| ends.get(row).and_then(|end| usize::try_from(*end).ok());
            let items = end(rows.start)?..end(rows.end)?;
            Some(text(object(names, values, items)))
        }
        Values::Bytes32(bytes) => {
            let bytes = bytes.chunks_exact(32).nth(row)?;
            Some(ToSqlOutput::Borrowed(ValueRef::Blob(bytes)))
        }
    });
    statement.raw_bind_parameter(place, value)
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}

fn date(days: i32) -> String {
    written(|out| write_days(days, out)).replace('.', "-")
}

/// Writes a JSON array of moves or of numbers.
fn write_list(kind: Kind, codes: Option<&[u16]>, out: &mut String) {
    out.push('[');
    for (place, code) in codes.unwrap_or_default().iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        match kind {
            Kind::UciList => {
                out.push('"');
                write_code(*code, out);
                out.push('"');
            }
            _ => out.push_str(&code.to_string()),
        }
    }
    out.push(']');
}

/// Returns a JSON object of the items of a map.
fn object(names: &Texts, values: &Texts, items: std::ops::Range<usize>) -> String {
    let text = |text| serde_json::Value::from(String::from_utf8_lossy(text));
    let names = names.range(items.clone()).map(|name| String::from_utf8_lossy(name).into_owned());
    let map: serde_json::Map<_, _> = names.zip(values.range(items).map(text)).collect();
    serde_json::Value::Object(map).to_string()
}

fn failed(error: rusqlite::Error) -> Error {
    let folder = std::env::temp_dir();
    // Else a user would look at the disk of the output.
    let place = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
            format!("temporary file in {}: ", folder.display())
        }
        _ => String::new(),
    };
    io_error(io::Error::other(format!("{place}SQLite: {error}")))
}

fn io_error(error: io::Error) -> Error {
    Error::new(ErrorKind::Io(error), location())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use chess_store::Losses;

    use super::*;
    use crate::{BATCH_ROWS, Writer, zobrist};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Writes the games of a PGN text, and opens the database.
    fn database(pgn: &str, rows: Rows, columns: &[&str], path: &std::path::Path) -> Connection {
        let selection = match columns {
            [] => Selection::usual(rows),
            columns => Selection::named(rows, columns.iter().copied()).unwrap(),
        };
        let out = Shared::default();
        let target = SqliteTarget::new(out.clone(), &selection).unwrap();
        let mut writer = Writer::with_batches(selection, BATCH_ROWS, Box::new(target));
        for game in pgn::read_all(pgn).unwrap() {
            writer.write(&game, &mut Losses::new()).unwrap();
        }
        writer.finish().unwrap();
        std::fs::write(path, &*out.0.lock().unwrap()).unwrap();
        Connection::open(path).unwrap()
    }

    fn text(database: &Connection, query: &str) -> Option<String> {
        database
            .query_row(&format!("SELECT CAST(({query}) AS TEXT)"), [], |row| row.get(0))
            .unwrap()
    }

    const GAMES: &str = "[White \"A\"]\n[Black \"?\"]\n[WhiteElo \"2500\"]\n[ECO \"B90\"]\n\
        [UTCDate \"2013.05.31\"]\n[UTCTime \"22:00:22\"]\n[Annotator \"x \\\"y\\\"\"]\n\n\
        1. e4 {[%clk 0:01:30]} c5 $1 $14 2. Nf3 *\n\n[White \"B\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+ 1-0\n";

    #[test]
    fn sqlite_games_have_values_of_the_columns() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(GAMES, Rows::Games, &[], &folder.path().join("g.db"));
        let of = |column: &str, row: u8| {
            text(&database, &format!("SELECT {column} FROM games WHERE rowid = {row}"))
        };
        for (column, value) in [
            ("White", Some("A")),
            ("Black", None),
            ("WhiteElo + 1", Some("2501")),
            ("BlackElo", None),
            ("UTCDate", Some("2013-05-31")),
            ("strftime('%H', UTCTime)", Some("22")),
            ("moves", Some("[\"e2e4\",\"c7c5\",\"g1f3\"]")),
            ("json_array_length(move_codes)", Some("3")),
            ("tags ->> 'Annotator'", Some("x \"y\"")),
            ("plies", Some("3")),
        ] {
            assert_eq!(of(column, 1).as_deref(), value, "{column}");
        }
        assert_eq!(of("moves", 2).as_deref(), Some("[\"a7a8q\"]"));
        let game = pgn::read_all(GAMES).unwrap().remove(0);
        let mut last = game.start_position();
        game.main_line().for_each(|m| last.apply(m));
        assert_eq!(of("final_hash", 1), Some(zobrist(&last).cast_signed().to_string()));
        let plan = |query: &str| {
            let query = format!("EXPLAIN QUERY PLAN SELECT 1 FROM games WHERE {query}");
            database.query_row(&query, [], |row| row.get::<_, String>(3)).unwrap()
        };
        for column in ["White", "Black", "Date", "ECO", "final_hash"] {
            let plan = plan(&format!("{column} = '1'"));
            assert!(plan.contains(&format!("games_{column}")), "{plan}");
        }
    }

    #[test]
    fn sqlite_plies_have_values_of_the_columns() {
        let folder = tempfile::tempdir().unwrap();
        let columns = ["ply", "move", "hash", "clock", "nags", "board"];
        let database = database(GAMES, Rows::Plies, &columns, &folder.path().join("p.db"));
        let rows = "SELECT group_concat(ply || move || ifnull(clock, '') || nags, ' ') FROM plies";
        let expected = "1e2e490.0[] 2c7c5[1,14] 3g1f3[] 1a7a8q[]";
        assert_eq!(text(&database, rows).as_deref(), Some(expected));
        let board = "SELECT length(board) || typeof(hash) FROM plies LIMIT 1";
        assert_eq!(text(&database, board).as_deref(), Some("32integer"));
    }

    #[test]
    fn sqlite_without_games_has_table_and_indices() {
        let folder = tempfile::tempdir().unwrap();
        let database = database("", Rows::Games, &["White"], &folder.path().join("g.db"));
        let count = "SELECT (SELECT count(*) FROM games) || group_concat(name) FROM sqlite_master";
        assert_eq!(text(&database, count).as_deref(), Some("0games,games_White"));
    }

    #[test]
    fn sqlite_columns_that_differ_in_case_alone_are_error() {
        let selection = Selection::named(Rows::Games, ["source", "Source"]).unwrap();
        let error = SqliteTarget::new(Vec::new(), &selection).err().unwrap();
        assert!(error.to_string().contains("duplicate column name: Source"), "{error}");
    }
}
