//! The source of a database: a path, or file objects of Python.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use scoresheet::chess_store::io::{ReadAt, SpooledStream};
use scoresheet::chess_store::{Input, Inputs};
use scoresheet::{Base, Error, Format, OpenOptions, TableBase};

use crate::callback;
use crate::errors;

/// A database that can be opened any number of times.
#[derive(Clone)]
pub(crate) enum Source {
    Path(PathBuf),
    /// Open files: the one that was named, and those beside it.
    Files(Inputs),
}

impl Source {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Source::Path(path) => path,
            Source::Files(inputs) => inputs.named(),
        }
    }

    pub(crate) fn open(
        &self,
        format: Option<&'static Format>,
        options: &OpenOptions,
    ) -> Result<Base, Error> {
        match (self, format) {
            (Source::Path(path), Some(format)) => scoresheet::open_as(path, format, options),
            (Source::Path(path), None) => scoresheet::open_with(path, options),
            (Source::Files(inputs), _) => scoresheet::open_inputs(inputs, options),
        }
    }

    pub(crate) fn for_table(&self) -> TableBase {
        match self {
            Source::Path(path) => TableBase::Path(path.clone()),
            Source::Files(inputs) => TableBase::Inputs(inputs.clone()),
        }
    }
}

/// Returns the databases that an argument names: a path, an address, a file object, or several of
/// them. `many` allows several, and folders and patterns that match any number of files.
pub(crate) fn sources(argument: &Bound<'_, PyAny>, many: bool) -> PyResult<Vec<Source>> {
    let py = argument.py();
    let resolve = py.import("scoresheet._paths")?.getattr("resolve")?;
    let found: Vec<(PathBuf, Vec<(PathBuf, Bound<'_, PyAny>)>)> =
        resolve.call1((argument, many))?.extract()?;
    let mut all = Vec::new();
    for (path, objects) in found {
        if !objects.is_empty() {
            let mut inputs = Inputs::new(path);
            for (name, object) in objects {
                inputs.add(name, input(&object)?);
            }
            all.push(Source::Files(inputs));
        } else if many && path.is_dir() {
            let below = scoresheet::bases_below(&path);
            let below = below.map_err(|(path, error)| errors::io(&path, &error))?;
            if below.is_empty() {
                let text = format!("{}: no base of any format in it", path.display());
                return Err(errors::value(text));
            }
            all.extend(below.into_iter().map(Source::Path));
        } else {
            all.push(from_path(path)?);
        }
    }
    Ok(all)
}

/// Keeps what was read from a pipe, so that the database can be read again.
fn from_path(path: PathBuf) -> PyResult<Source> {
    let found = std::fs::metadata(&path).map_err(|error| errors::io(&path, &error))?;
    if found.is_dir() {
        return Err(errors::io(&path, &io::ErrorKind::IsADirectory.into()));
    }
    if !found.is_file() {
        let pipe = std::fs::File::open(&path).map_err(|error| errors::io(&path, &error))?;
        let mut inputs = Inputs::new(path.clone());
        inputs.add(path, Arc::new(SpooledStream::new(Box::new(pipe))));
        return Ok(Source::Files(inputs));
    }
    Ok(Source::Path(path))
}

fn input(object: &Bound<'_, PyAny>) -> PyResult<Input> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Input::from(bytes.as_bytes().to_vec()));
    }
    let seekable = object.call_method0("seekable").and_then(|answer| answer.is_truthy());
    let file = PyFile { object: object.clone().unbind(), turn: Mutex::new(()) };
    Ok(match seekable {
        Ok(true) => Input::from(Arc::new(file)),
        _ => Input::from(Arc::new(SpooledStream::new(Box::new(file)))),
    })
}

/// A binary file object.
struct PyFile {
    object: Py<PyAny>,
    /// Held between a seek and its read. Python may switch threads there.
    turn: Mutex<()>,
}

impl PyFile {
    fn fill(&self, py: Python<'_>, buffer: &mut [u8]) -> PyResult<usize> {
        let read = callback::run(|| self.object.call_method1(py, "read", (buffer.len(),)))?;
        let read = read.bind(py);
        // A file without blocking returns None if no bytes are available.
        let bytes = read.cast::<PyBytes>().map_err(|_| {
            let text = "read() of the file object returned no bytes; open the file in binary mode";
            pyo3::exceptions::PyTypeError::new_err(text)
        })?;
        let bytes = bytes.as_bytes();
        let to = buffer.get_mut(..bytes.len());
        let to = to.ok_or_else(|| errors::value("read() returned too many bytes"))?;
        to.copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

impl ReadAt for PyFile {
    fn size(&self) -> io::Result<u64> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Python::attach(|py| self.object.call_method1(py, "seek", (0, 2))?.extract(py))?)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Python::attach(|py| {
            callback::run(|| self.object.call_method1(py, "seek", (offset,)))?;
            self.fill(py, buffer)
        })?)
    }
}

impl Read for PyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(Python::attach(|py| self.fill(py, buffer))?)
    }
}
