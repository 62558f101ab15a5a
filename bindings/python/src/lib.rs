//! The Python package `scoresheet`: a thin layer over the Rust crates.

mod base;
mod book;
mod build;
mod callback;
mod collection;
mod convert;
mod errors;
mod filters;
mod game;
mod interrupt;
mod pickle;
mod positions;
mod signed;
mod source;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _scoresheet {
    use super::*;

    #[pymodule_export]
    use super::base::{Base, Games, Reversed, open};
    #[pymodule_export]
    use super::book::{Book, book};
    #[pymodule_export]
    use super::build::_build_game;
    #[pymodule_export]
    use super::collection::{append, compare, dedupe, fill, rename, undo, update};
    #[pymodule_export]
    use super::convert::{_restore_summary, Summary, Writer, convert};
    #[pymodule_export]
    use super::game::{_restore_game, Game};
    #[pymodule_export]
    use super::table::{Table, scan, unread_columns, zstd_frames};

    #[derive(IntoPyObject)]
    struct FormatInfo {
        name: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        read: bool,
        write: bool,
        edit: bool,
    }

    #[derive(IntoPyObject)]
    struct Column {
        name: &'static str,
        #[pyo3(item("type"))]
        kind: String,
        nullable: bool,
        usual: bool,
        help: &'static str,
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // Keyword arguments cannot have hyphens.
        let names = scoresheet::Filter::names().map(|name| name.replace('-', "_"));
        module.add("FILTERS", names.collect::<Vec<_>>())
    }

    /// Returns the formats: name, title, extensions, and whether they can be read, written and
    /// edited.
    #[pyfunction]
    fn formats() -> Vec<FormatInfo> {
        let describe = |format: &'static scoresheet::Format| FormatInfo {
            name: format.name,
            title: format.title,
            extensions: format.extensions,
            read: format.open.is_some(),
            write: format.create.is_some(),
            edit: format.edit.is_some(),
        };
        scoresheet::formats().map(describe).collect()
    }

    /// Returns the columns of a table: name, type, nullable, usual, help.
    #[pyfunction]
    fn columns(rows: &str) -> PyResult<Vec<Column>> {
        if rows == "positions" {
            let describe = |(name, kind, nullable, help): super::positions::About| Column {
                name,
                kind: kind.to_string(),
                nullable,
                usual: true,
                help,
            };
            return Ok(super::positions::columns().map(describe).into());
        }
        let describe = |field: &scoresheet::tables::Field| {
            let kind = field.kind.data_type().to_string();
            let scoresheet::tables::Field { name, nullable, usual, help, .. } = *field;
            Column { name, kind, nullable, usual, help }
        };
        Ok(super::table::rows(rows)?.fields().iter().map(describe).collect())
    }

    /// Parses game numbers as in the filter `games`. Returns the first and last number of each
    /// range, from 1.
    #[pyfunction]
    fn game_ranges(text: &str) -> PyResult<Vec<(u64, u64)>> {
        let ranges = scoresheet::filter::ranges::games(text).map_err(errors::value)?;
        let from_one = |number: &u64| number.saturating_add(1);
        Ok(ranges.iter().map(|range| (from_one(range.start()), from_one(range.end()))).collect())
    }

    /// Runs the program `scoresheet` with these arguments. The first is its name. Returns the
    /// exit code. It handles the signals of the process, so it is called once.
    #[pyfunction]
    fn run_program(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| scoresheet_cli::run(arguments))
    }

    /// Returns whether a file is the main file of a database, judged by its extension.
    #[pyfunction]
    fn is_base(path: std::path::PathBuf) -> bool {
        scoresheet::is_base(path)
    }

    /// Returns all databases below a folder.
    #[pyfunction]
    fn bases_below(folder: std::path::PathBuf) -> PyResult<Vec<std::path::PathBuf>> {
        scoresheet::bases_below(folder).map_err(|(path, error)| errors::io(&path, &error))
    }
}
