//! Databases as Arrow tables.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use scoresheet::Batches;
use scoresheet::tables::{Rows, Selection, TimeUnit};

use crate::callback;
use crate::errors;
use crate::filters;
use crate::positions::{PositionBatches, PositionTable};
use crate::signed;
use crate::source;

/// The games of databases as a table. DuckDB, Polars, pyarrow and other libraries with Arrow's
/// PyCapsule interface accept it directly. Each use reads the databases again.
///
/// >>> table = scoresheet.scan("games.pgn", columns=["White", "plies"])
/// >>> table
/// <Table of games, 1 bases, 2 columns>
/// >>> len(table), table.columns
/// (2, ['White', 'plies'])
/// >>> table.to_polars()["plies"].to_list()
/// [4, 2]
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Table {
    inner: Inner,
    /// Whether numbers without a sign get one.
    signed: bool,
    paths: Vec<PathBuf>,
    rows: &'static str,
    /// The arguments of `scan`, kept for pickling.
    original: Py<PyAny>,
    arguments: Py<PyDict>,
    /// The number of rows, once counted.
    counted: Mutex<Option<usize>>,
    /// How the last use of the table ended.
    use_: Arc<Use>,
}

/// The rows of the table.
enum Inner {
    Rows(scoresheet::Table),
    Positions(PositionTable),
}

impl Table {
    fn schema(&self) -> SchemaRef {
        let schema = match &self.inner {
            Inner::Rows(table) => table.schema(),
            Inner::Positions(table) => table.schema(),
        };
        if self.signed { signed::schema(&schema) } else { schema }
    }

    fn batches(&self) -> Reading {
        let source = match &self.inner {
            Inner::Rows(table) => Batched::Rows(table.batches()),
            Inner::Positions(table) => Batched::Positions(table.batches()),
        };
        Reading { source, signed: self.signed.then(|| self.schema()) }
    }
}

/// The time between two checks for Ctrl-C.
const SOON: Duration = Duration::from_millis(100);

/// The batches of a table.
struct Reading {
    source: Batched,
    /// The schema, if numbers without a sign get one.
    signed: Option<SchemaRef>,
}

enum Batched {
    Rows(Batches),
    Positions(PositionBatches),
}

impl Reading {
    /// Returns the next batch. The interpreter is released while the batch is read. Checks for Ctrl-C.
    fn next_checked(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            py.check_signals()?;
            let next = py.detach(|| match &mut self.source {
                Batched::Positions(batches) => batches.next_soon(),
                Batched::Rows(batches) => {
                    let next = batches.next_within(SOON)?;
                    Some(next.map(|next| next.map_err(|error| errors::table(&error))))
                }
            });
            if let Some(next) = next {
                let next = next.map(|batch| self.typed(batch?).map_err(errors::value));
                return next.transpose();
            }
        }
    }

    fn typed(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        match &self.signed {
            Some(schema) => signed::batch(&batch, schema),
            None => Ok(batch),
        }
    }
}

pub(crate) fn rows(name: &str) -> PyResult<Rows> {
    let known = [Rows::Games, Rows::Plies].into_iter().find(|rows| rows.name() == name);
    let names = "\"games\", \"plies\" or \"positions\"";
    known.ok_or_else(|| errors::value(format!("rows are {names}, not {name:?}")))
}

/// Returns a table; scoresheet.scan documents it.
#[pyfunction]
#[pyo3(signature = (paths, rows="games", columns=None, *, encoding=None, options=None, strict=false,
    threads=None, batch_rows=None, bytes=None, sample=None, seed=0, min_ply=None, max_ply=None, time_unit="ms",
    signed=None, **filters))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn scan(
    py: Python<'_>,
    paths: Bound<'_, PyAny>,
    rows: &str,
    columns: Option<Vec<String>>,
    encoding: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
    strict: bool,
    threads: Option<usize>,
    batch_rows: Option<usize>,
    bytes: Option<(u64, u64)>,
    sample: Option<usize>,
    seed: u64,
    min_ply: Option<u32>,
    max_ply: Option<u32>,
    time_unit: &str,
    signed: Option<bool>,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let arguments = match filters {
        Some(filters) => filters.copy()?,
        None => PyDict::new(py),
    };
    arguments.set_item("rows", rows)?;
    arguments.set_item("columns", &columns)?;
    arguments.set_item("encoding", encoding)?;
    arguments.set_item("options", options)?;
    arguments.set_item("strict", strict)?;
    arguments.set_item("threads", threads)?;
    arguments.set_item("batch_rows", batch_rows)?;
    arguments.set_item("bytes", bytes)?;
    arguments.set_item("sample", sample)?;
    arguments.set_item("seed", seed)?;
    arguments.set_item("min_ply", min_ply)?;
    arguments.set_item("max_ply", max_ply)?;
    arguments.set_item("time_unit", time_unit)?;
    arguments.set_item("signed", signed)?;
    // Spark, which knows microseconds only, has no numbers without a sign either.
    let signed = signed.unwrap_or(time_unit == "us");
    if columns.as_ref().is_some_and(Vec::is_empty) {
        return Err(errors::value("columns is empty; None selects the usual columns"));
    }
    let time_unit = match time_unit {
        "ms" => TimeUnit::Milliseconds,
        "us" => TimeUnit::Microseconds,
        other => {
            return Err(errors::value(format!("time_unit is \"ms\" or \"us\", not {other:?}")));
        }
    };
    let sources = source::sources(&paths, true)?;
    let mut table = Table {
        inner: Inner::Positions(PositionTable {
            sources: sources.clone(),
            filter: filters::filter(filters)?,
            options: filters::open_options(encoding, options)?,
            max_ply: max_ply.and_then(|ply| ply.try_into().ok()),
            batch_rows: batch_rows.unwrap_or(8192).max(1),
            selected: Vec::new(),
        }),
        signed,
        paths: sources.iter().map(|source| source.path().to_path_buf()).collect(),
        rows: "positions",
        original: paths.unbind(),
        arguments: arguments.unbind(),
        counted: Mutex::new(None),
        use_: Arc::default(),
    };
    if rows == "positions" {
        if sample.is_some() || bytes.is_some() || strict || min_ply.is_some() {
            return Err(errors::value("positions have no sample, bytes, strict and min_ply"));
        }
        if let Inner::Positions(positions) = &mut table.inner {
            positions.selected = PositionTable::select(columns.as_deref())?;
        }
        return Ok(table);
    }
    let rows = self::rows(rows)?;
    if rows == Rows::Games && (min_ply.is_some() || max_ply.is_some()) {
        return Err(errors::value("min_ply and max_ply are for rows of plies and positions"));
    }
    let selection = match &columns {
        None => Selection::usual(rows),
        Some(names) => Selection::named(rows, names.iter().map(String::as_str))
            .map_err(|error| errors::value(error.kind()))?,
    };
    let (first, last) = (min_ply.unwrap_or(0), max_ply.unwrap_or(u32::MAX));
    let selection = selection.time_unit(time_unit).plies(first, last);
    let mut inner = scoresheet::Table::new(sources.iter().map(|s| s.for_table()), selection)
        .filter(filters::filter(filters)?)
        .options(filters::open_options(encoding, options)?)
        .strict(strict);
    if let Some(threads) = threads {
        inner = inner.threads(threads);
    }
    if let Some(rows) = batch_rows {
        inner = inner.batch_rows(rows);
    }
    if let Some((start, end)) = bytes {
        inner = inner.bytes(start..end);
    }
    if let Some(size) = sample {
        inner = inner.sample(size, seed);
    }
    (table.inner, table.rows) = (Inner::Rows(inner), rows.name());
    Ok(table)
}

/// Returns offsets at which frames of a Zstandard file begin, at least `step` bytes apart. The list is empty for
/// any other file.
#[pyfunction]
pub(crate) fn zstd_frames(py: Python<'_>, path: PathBuf, step: u64) -> PyResult<Vec<u64>> {
    let found = py.detach(|| scoresheet::zstd_frames(std::fs::File::open(&path)?, step));
    found.map_err(|error| errors::io(&path, &error))
}

/// Returns the names of the columns of an Arrow stream that are no part of a game.
#[pyfunction]
pub(crate) fn unread_columns(path: PathBuf) -> PyResult<Vec<String>> {
    let file = std::fs::File::open(&path).map_err(|error| errors::io(&path, &error))?;
    let rows = scoresheet::tables::RowSource::new(file).map_err(errors::value)?;
    Ok(rows.unread().to_vec())
}

/// Batches for another library. Ctrl-C ends them.
struct Pulled {
    schema: SchemaRef,
    batches: Reading,
    use_: Arc<Use>,
}

/// How the last use of a table ended.
#[derive(Default)]
struct Use {
    /// The exception, if the library that used the table may replace it.
    ended: Mutex<Option<PyErr>>,
    /// Whether a method of the table runs the library and then raises `ended`.
    is_ours: AtomicBool,
}

impl Use {
    fn end(&self, error: PyErr) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

impl Pulled {
    /// Neither makes nor drops an object of Python.
    fn next_without_python(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let batch = match &mut self.batches.source {
            Batched::Rows(batches) => batches.next()?,
            Batched::Positions(batches) => batches.next_batch()?.map_err(|error| {
                self.use_.end(error);
                ArrowError::ExternalError("the positions cannot be counted".into())
            }),
        };
        Some(batch.and_then(|batch| self.batches.typed(batch)))
    }
}

impl Iterator for Pulled {
    type Item = Result<RecordBatch, ArrowError>;

    /// The other library may hold the interpreter, and a file object needs it: it is released while
    /// a batch is read.
    fn next(&mut self) -> Option<Self::Item> {
        if callback::is_running() {
            return self.next_without_python();
        }
        let next = Python::attach(|py| {
            self.batches.next_checked(py).map_err(|error| {
                let is_interrupt = error.is_instance_of::<PyKeyboardInterrupt>(py);
                if is_interrupt && !self.use_.is_ours.load(Ordering::Relaxed) {
                    // The other library raises its own exception. Python raises this one after it.
                    let raised =
                        py.import("_thread").and_then(|m| m.call_method0("interrupt_main"));
                    drop(raised);
                }
                let text = if is_interrupt { "interrupted".into() } else { error.to_string() };
                self.use_.end(error);
                ArrowError::ExternalError(text.into())
            })
        });
        next.transpose()
    }
}

impl RecordBatchReader for Pulled {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

#[pymethods]
impl Table {
    /// The paths of the databases.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.paths.clone()
    }

    /// "games", "plies" or "positions".
    #[getter]
    fn rows(&self) -> &'static str {
        self.rows
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Implements Arrow's PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The schema follows from scan(); the interface allows an exporter to ignore the request.
        drop(requested_schema);
        let (schema, batches) = (self.schema(), self.batches());
        let pulled = Pulled { schema, batches, use_: Arc::clone(&self.use_) };
        let stream = FFI_ArrowArrayStream::new(Box::new(pulled));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Implements Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema().as_ref()).map_err(errors::value)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Returns the number of rows. Reads all of them, each time.
    ///
    /// >>> scoresheet.scan("games.pgn", "plies").count()
    /// 9
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        let (mut rows, mut batches) = (0, self.batches());
        while let Some(batch) = batches.next_checked(py)? {
            rows += batch.num_rows();
        }
        Ok(rows)
    }

    /// Counts the rows once. The databases should not change meanwhile.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let known = *self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = known {
            return Ok(rows);
        }
        let rows = self.count(py)?;
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
        Ok(rows)
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Says whether the package itself runs a library that reads the table.
    fn _set_ours(&self, is_ours: bool) {
        self.use_.is_ours.store(is_ours, Ordering::Relaxed);
        if is_ours {
            *self.use_.ended.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// Raises the exception that another library replaced by its own, if any.
    fn _raise_ended(&self) -> PyResult<()> {
        self.use_.ended.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Supports `pickle`: another process scans the databases again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let scan = py.import("scoresheet._scoresheet")?.getattr("scan")?;
        let partial = py.import("functools")?.getattr("partial")?;
        let again = partial.call((scan, &self.original), Some(self.arguments.bind(py)))?;
        Ok((again, ()))
    }

    fn __repr__(&self) -> String {
        let (rows, count) = (self.rows, self.paths.len());
        format!("<Table of {rows}, {count} bases, {} columns>", self.schema().fields().len())
    }
}
