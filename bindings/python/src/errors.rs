//! Converts errors to exceptions with their locations.

use std::io;
use std::path::Path;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use scoresheet::chess_store::{AnyError, Location, system_message};
use scoresheet::{ConvertError, TableFailure, describe, describe_warning};

/// Creates an exception of `scoresheet._errors`. `kind` is the function that makes it.
fn made(kind: &str, text: &str, path: &Path, at: Option<Location>, number: Option<i32>) -> PyErr {
    let make = |py: Python<'_>| -> PyResult<PyErr> {
        let at = at.unwrap_or_default();
        let arguments = (text, path, at.offset, at.game, at.ply, number);
        let error = py.import("scoresheet._errors")?.getattr(kind)?.call1(arguments)?;
        Ok(PyErr::from_value(error))
    };
    Python::attach(|py| make(py).unwrap_or_else(|other| other))
}

/// Returns the exception for a database.
fn failed(text: &str, path: &Path, at: Option<Location>, error: Option<&io::Error>) -> PyErr {
    let number = error.and_then(|error| {
        error.raw_os_error().or_else(|| Python::attach(|py| number_of(py, error.kind()).ok()))
    });
    made("base_error", text, path, at, number)
}

/// Returns the number of an error that did not come from the system itself.
fn number_of(py: Python<'_>, kind: io::ErrorKind) -> PyResult<i32> {
    let name = match kind {
        io::ErrorKind::NotFound => "ENOENT",
        io::ErrorKind::PermissionDenied => "EACCES",
        io::ErrorKind::AlreadyExists => "EEXIST",
        io::ErrorKind::IsADirectory => "EISDIR",
        io::ErrorKind::NotADirectory => "ENOTDIR",
        io::ErrorKind::StorageFull => "ENOSPC",
        io::ErrorKind::FileTooLarge => "EFBIG",
        io::ErrorKind::ReadOnlyFilesystem => "EROFS",
        io::ErrorKind::ResourceBusy => "EBUSY",
        _ => "",
    };
    py.import("errno")?.getattr(name)?.extract()
}

pub(crate) fn base(error: &scoresheet::Error) -> PyErr {
    let at = error.error().map(AnyError::location);
    let cause = match error {
        scoresheet::Error::Io { error, .. } => Some(error),
        other => other.error().and_then(AnyError::io),
    };
    failed(&error.to_string(), error.path(), at, cause)
}

pub(crate) fn game(path: &Path, error: &AnyError) -> PyErr {
    let text = describe(path, error).to_string();
    made("game_error", &text, path, Some(error.location()), None)
}

/// Returns the exception for a game in a text that is not a file.
pub(crate) fn text(error: &AnyError) -> PyErr {
    let text = describe(Path::new("the text"), error).to_string();
    made("game_error", &text, Path::new(""), Some(error.location()), None)
}

pub(crate) fn io(path: &Path, error: &io::Error) -> PyErr {
    let text = format!("{}: {}", path.display(), system_message(error));
    failed(&text, path, None, Some(error))
}

pub(crate) fn written(path: &Path, error: &AnyError) -> PyErr {
    let text = describe(path, error).to_string();
    failed(&text, path, Some(error.location()), error.io())
}

pub(crate) fn conversion(error: &ConvertError, input: &Path, output: &Path) -> PyErr {
    match error {
        ConvertError::Read(error) => written(input, error),
        ConvertError::Write(error) => written(output, error),
        ConvertError::Output(warning) => {
            let text = describe_warning(output, warning).to_string();
            made("game_error", &text, output, Some(warning.at), None)
        }
        other => {
            let text = format!("{}: {other}", input.display());
            made("game_error", &text, input, None, None)
        }
    }
}

pub(crate) fn table(error: &TableFailure) -> PyErr {
    if let TableFailure::Base(error) = error {
        return base(error);
    }
    let path = error.path().unwrap_or(Path::new(""));
    failed(&error.to_string(), path, error.location(), None)
}

/// Returns the exception for a file that would be replaced.
pub(crate) fn exists(path: &Path) -> PyErr {
    let text = format!("{}: exists; overwrite=True replaces it", path.display());
    failed(&text, path, None, Some(&io::ErrorKind::AlreadyExists.into()))
}

/// Returns the exception for an invalid argument.
pub(crate) fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
