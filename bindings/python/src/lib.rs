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
    fn formats(py: Python<'_>) -> PyResult<Vec<Bound<'_, pyo3::types::PyDict>>> {
        let describe = |format: &'static scoresheet::Format| {
            let about = pyo3::types::PyDict::new(py);
            about.set_item("name", format.name)?;
            about.set_item("title", format.title)?;
            about.set_item("extensions", format.extensions)?;
            about.set_item("read", format.open.is_some())?;
            about.set_item("write", format.create.is_some())?;
            about.set_item("edit", format.edit.is_some())?;
            Ok(about)
        };
        scoresheet::formats().map(describe).collect()
    }

    /// Returns the columns of a table: name, type, nullable, usual, help.
    #[pyfunction]
    fn columns<'py>(py: Python<'py>, rows: &str) -> PyResult<Vec<Bound<'py, pyo3::types::PyDict>>> {
        let describe = |field: &scoresheet::tables::Field| {
            let about = pyo3::types::PyDict::new(py);
            about.set_item("name", field.name)?;
            about.set_item("type", field.kind.data_type().to_string())?;
            about.set_item("nullable", field.nullable)?;
            about.set_item("usual", field.usual)?;
            about.set_item("help", field.help)?;
            Ok(about)
        };
        if rows == "positions" {
            let describe = |(name, kind, nullable, help): super::positions::About| {
                let about = pyo3::types::PyDict::new(py);
                about.set_item("name", name)?;
                about.set_item("type", kind.to_string())?;
                about.set_item("nullable", nullable)?;
                about.set_item("usual", true)?;
                about.set_item("help", help)?;
                Ok(about)
            };
            return super::positions::columns().into_iter().map(describe).collect();
        }
        super::table::rows(rows)?.fields().iter().map(describe).collect()
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
