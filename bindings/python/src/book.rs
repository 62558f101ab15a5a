//! Opening books.

use std::ops::ControlFlow;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use scoresheet::books::{AnyBook, BookMove, WalkOptions};
use scoresheet::chess_core::Position;
use scoresheet::chess_store::Diagnostics;
use scoresheet::{BookValue, book_row, open_book};

use crate::errors;

/// An opening book, which `book` opens.
///
/// >>> from pathlib import Path
/// >>> _ = Path("one.bin").write_bytes(bytes.fromhex("463b96181691fc9c031c000100000000"))
/// >>> book = scoresheet.book("one.bin")
/// >>> [(row["san"], row["weight"]) for row in book.rows()]
/// [('e4', 1)]
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Book {
    path: PathBuf,
    book: AnyBook,
}

/// Opens an opening book.
#[pyfunction]
pub(crate) fn book(py: Python<'_>, path: PathBuf) -> PyResult<Book> {
    let opened = py.detach(|| open_book(&path)).map_err(|error| errors::base(&error))?;
    let unknown = || {
        let name = path.display();
        errors::value(format!("{name}: no opening book; the name of a Polyglot book ends in .bin"))
    };
    Ok(Book { book: opened.ok_or_else(unknown)?, path: path.clone() })
}

#[pymethods]
impl Book {
    /// The format: bin, ctg, abk, obk or fbk.
    #[getter]
    fn format(&self) -> &'static str {
        self.book.kind().extension()
    }

    /// The path.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Returns the moves of a position, each as a dict. A value that the book does not have is None.
    #[pyo3(signature = (fen=None))]
    fn moves<'py>(&self, py: Python<'py>, fen: Option<&str>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let position = fen.map_or(Ok(Position::start()), Position::from_fen);
        let position = position.map_err(errors::value)?;
        let mut moves = Vec::new();
        let read = self.book.moves(&position, &mut moves, &mut Diagnostics::lenient());
        read.map_err(|error| self.failed(error))?;
        moves.iter().map(|found| row(py, &position, found)).collect()
    }

    /// Returns the moves of all positions that can be reached from the start position, each as a
    /// dict with `fen` and `ply`.
    #[pyo3(signature = (max_ply=None))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        max_ply: Option<u32>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut options = WalkOptions::default();
        options.max_ply = max_ply.unwrap_or(u32::MAX);
        let (mut rows, mut failure) = (Vec::new(), None);
        let mut visit = |visited: scoresheet::books::Visited<'_>| {
            let mut add = || -> PyResult<()> {
                py.check_signals()?;
                for found in visited.moves {
                    let row = row(py, visited.position, found)?;
                    row.set_item("fen", visited.position.without_clocks().to_fen())?;
                    row.set_item("ply", visited.ply)?;
                    rows.push(row);
                }
                Ok(())
            };
            match add() {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let walked = self.book.walk(options, &mut visit, &mut Diagnostics::lenient());
        walked.map_err(|error| self.failed(error))?;
        failure.map_or(Ok(rows), Err)
    }

    fn __repr__(&self) -> String {
        format!("<Book {:?}, {}>", self.path.display().to_string(), self.book.kind().title())
    }
}

impl Book {
    fn failed(&self, error: scoresheet::books::Error) -> PyErr {
        errors::written(&self.path, &error.into())
    }
}

fn row<'py>(
    py: Python<'py>,
    position: &Position,
    found: &BookMove,
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    for (name, value) in book_row(position, found) {
        match value {
            BookValue::Number(number) => row.set_item(name, number)?,
            BookValue::Text(text) => row.set_item(name, text)?,
            _ => row.set_item(name, py.None())?,
        }
    }
    Ok(row)
}
