//! Converts errors to exceptions with their locations.

use std::path::Path;

use pyo3::exceptions::{PyFileExistsError, PyOSError, PyValueError};
use pyo3::prelude::*;
use scoresheet::chess_store::{AnyError, Location, system_message};
use scoresheet::{ConvertError, TableFailure, describe};

pyo3::create_exception!(
    _scoresheet,
    Error,
    PyOSError,
    "A base cannot be read or written. Attributes: file, offset, game, ply (None if unknown); \
     games and half-moves count from 0."
);
pyo3::create_exception!(
    _scoresheet,
    GameError,
    PyValueError,
    "A game is damaged or cannot be stored. Attributes: file, offset, game, ply (None if unknown); \
     games and half-moves count from 0."
);

/// Sets the location attributes of an exception.
fn placed(error: PyErr, path: &Path, at: Option<Location>) -> PyErr {
    Python::attach(|py| {
        let value = error.value(py);
        let set = || -> PyResult<()> {
            value.setattr("file", path)?;
            value.setattr("offset", at.and_then(|at| at.offset))?;
            value.setattr("game", at.and_then(|at| at.game))?;
            value.setattr("ply", at.and_then(|at| at.ply))
        };
        match set() {
            Ok(()) => error,
            Err(other) => other,
        }
    })
}

pub(crate) fn base(error: &scoresheet::Error) -> PyErr {
    let at = error.error().map(AnyError::location);
    placed(Error::new_err(error.to_string()), error.path(), at)
}

pub(crate) fn game(path: &Path, error: &AnyError) -> PyErr {
    let text = describe(path, error).to_string();
    placed(GameError::new_err(text), path, Some(error.location()))
}

pub(crate) fn io(path: &Path, error: &std::io::Error) -> PyErr {
    let text = format!("{}: {}", path.display(), system_message(error));
    placed(Error::new_err(text), path, None)
}

pub(crate) fn written(path: &Path, error: &AnyError) -> PyErr {
    let text = describe(path, error).to_string();
    placed(Error::new_err(text), path, Some(error.location()))
}

pub(crate) fn conversion(error: &ConvertError, input: &Path, output: &Path) -> PyErr {
    match error {
        ConvertError::Read(error) => written(input, error),
        ConvertError::Write(error) => written(output, error),
        other => {
            let text = format!("{}: {other}", input.display());
            placed(GameError::new_err(text), input, None)
        }
    }
}

pub(crate) fn table(error: &TableFailure) -> PyErr {
    let path = error.path().unwrap_or(Path::new(""));
    placed(Error::new_err(error.to_string()), path, error.location())
}

/// Returns the exception for a file that would be replaced.
pub(crate) fn exists(path: &Path) -> PyErr {
    let error = Python::attach(|py| -> PyResult<PyErr> {
        let number: i32 = py.import("errno")?.getattr("EEXIST")?.extract()?;
        Ok(PyFileExistsError::new_err((
            number,
            "exists; overwrite=True replaces it",
            path.as_os_str().to_owned(),
        )))
    });
    error.unwrap_or_else(|other| other)
}

/// Returns the exception for an invalid argument.
pub(crate) fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
