//! Databases as Arrow tables.

use std::path::PathBuf;

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use scoresheet::tables::{Rows, Selection};

use crate::convert::paths;
use crate::errors;
use crate::filters;

/// The games of databases as a table. DuckDB, Polars, pyarrow and other libraries with Arrow's
/// PyCapsule interface accept it directly. Each use reads the databases again.
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Table {
    inner: scoresheet::Table,
    paths: Vec<PathBuf>,
    rows: Rows,
}

pub(crate) fn rows(name: &str) -> PyResult<Rows> {
    match name {
        "games" => Ok(Rows::Games),
        "plies" => Ok(Rows::Plies),
        _ => Err(errors::value(format!("rows are \"games\" or \"plies\", not {name:?}"))),
    }
}

/// Returns the games of databases as a table.
#[pyfunction]
#[pyo3(signature = (paths, rows="games", columns=None, *, encoding=None, options=None, strict=false,
    threads=None, batch_rows=None, bytes=None, **filters))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn scan(
    paths: &Bound<'_, PyAny>,
    rows: &str,
    columns: Option<Vec<String>>,
    encoding: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
    strict: bool,
    threads: Option<usize>,
    batch_rows: Option<usize>,
    bytes: Option<(u64, u64)>,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let rows = self::rows(rows)?;
    let selection = match &columns {
        None => Selection::usual(rows),
        Some(names) => Selection::named(rows, names.iter().map(String::as_str))
            .map_err(|error| errors::value(error.kind()))?,
    };
    let paths = self::paths(paths)?;
    for path in &paths {
        std::fs::metadata(path).map_err(|error| errors::io(path, &error))?;
    }
    let mut inner = scoresheet::Table::new(&paths, selection)
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
    Ok(Table { inner, paths, rows })
}

#[pymethods]
impl Table {
    /// The paths of the databases.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.paths.clone()
    }

    /// "games" or "plies".
    #[getter]
    fn rows(&self) -> &'static str {
        self.rows.name()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.inner.schema().fields().iter().map(|field| field.name().clone()).collect()
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
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(self.inner.batches());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }

    /// Implements Arrow's PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema =
            FFI_ArrowSchema::try_from(self.inner.schema().as_ref()).map_err(errors::value)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Counts the rows by reading all of them.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        py.detach(|| {
            let mut rows = 0;
            let mut batches = self.inner.batches();
            while let Some(batch) = batches.next_batch() {
                Python::attach(|py| py.check_signals())?;
                rows += batch.map_err(|error| errors::table(&error))?.num_rows();
            }
            Ok(rows)
        })
    }

    fn __repr__(&self) -> String {
        let (rows, count) = (self.rows.name(), self.paths.len());
        format!("<Table of {rows}, {count} bases, {} columns>", self.inner.schema().fields().len())
    }
}
