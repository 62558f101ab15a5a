//! Converts and writes databases.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use scoresheet::chess_store::{CreateOptions, Losses, Scope};
use scoresheet::tables::Existing;
use scoresheet::{Converter, Outcome, Output, Progress, Unit, Watch, describe_warning};

use crate::callback;
use crate::errors;
use crate::filters;
use crate::game::Game;
use crate::source::{self, Source};

/// The result of a conversion.
#[pyclass(module = "scoresheet", frozen, get_all)]
pub(crate) struct Summary {
    /// The number of games in the sources.
    read: u64,
    /// The number of games written, complete or not.
    written: u64,
    /// The number of games that the filters excluded.
    passed_over: u64,
    /// The number of games that could not be read to the end.
    damaged: u64,
    /// The number of games that the target format refused.
    refused: u64,
    /// The number of games written with losses.
    lossy: u64,
    /// The number of losses of each kind.
    losses: BTreeMap<String, u64>,
    /// The number of tolerated deviations by name.
    warnings: BTreeMap<String, u64>,
    text: String,
}

#[pymethods]
impl Summary {
    fn __str__(&self) -> &str {
        &self.text
    }

    /// Returns the summary of a table, and the columns that were left out.
    fn _without(&self, columns: Vec<String>) -> Summary {
        let mut losses = self.losses.clone();
        losses.insert("column".to_owned(), columns.len() as u64);
        let text = format!("{}, without the columns {}", self.text, columns.join(", "));
        Summary { losses, text, warnings: self.warnings.clone(), ..*self }
    }

    /// Supports `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SummaryParts)> {
        let counts =
            (self.read, self.written, self.passed_over, self.damaged, self.refused, self.lossy);
        let parts = (counts, self.losses.clone(), self.warnings.clone(), self.text.clone());
        Ok((py.import("scoresheet._scoresheet")?.getattr("_restore_summary")?, parts))
    }

    fn __repr__(&self) -> String {
        format!("<Summary: {}>", self.text)
    }
}

type SummaryParts =
    ((u64, u64, u64, u64, u64, u64), BTreeMap<String, u64>, BTreeMap<String, u64>, String);

/// Restores a pickled summary.
#[pyfunction]
pub(crate) fn _restore_summary(
    counts: (u64, u64, u64, u64, u64, u64),
    losses: BTreeMap<String, u64>,
    warnings: BTreeMap<String, u64>,
    text: String,
) -> Summary {
    let (read, written, passed_over, damaged, refused, lossy) = counts;
    Summary { read, written, passed_over, damaged, refused, lossy, losses, warnings, text }
}

impl From<&scoresheet::Summary> for Summary {
    fn from(summary: &scoresheet::Summary) -> Summary {
        let losses = summary.losses.iter().map(|(kind, count)| (kind.name().to_owned(), *count));
        let warnings = summary.warnings.iter().map(|(name, count)| ((*name).to_owned(), *count));
        Summary {
            read: summary.read,
            written: summary.written,
            passed_over: summary.passed_over,
            damaged: summary.damaged,
            refused: summary.refused,
            lossy: summary.lossy,
            losses: losses.collect(),
            warnings: warnings.collect(),
            text: summary.to_string(),
        }
    }
}

/// Creates an output. `partition` is the value by which a table is partitioned, and whether the files are added to a
/// folder that is there.
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn create(
    path: &Path,
    format: Option<&str>,
    encoding: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
    partition: Option<(&str, bool)>,
    threads: Option<usize>,
    overwrite: bool,
    inputs: &[Source],
) -> PyResult<Output> {
    let mut create = CreateOptions::default();
    create.encoding = filters::encoding(encoding)?;
    create.settings = filters::settings(options)?;
    let format = match filters::format(format)? {
        Some(format) => format,
        None => scoresheet::format_for_output(path).map_err(|error| errors::base(&error))?,
    };
    let is_output = |input: &Source| match input {
        Source::Path(input) => scoresheet::is_same_base(format, input, path),
        Source::Files(_) => false,
    };
    if inputs.iter().any(is_output) {
        return Err(errors::value(format!("{}: is an input too", path.display())));
    }
    let adds = partition.is_some_and(|(_, adds)| adds) && path.is_dir();
    if let Some(there) = scoresheet::existing_output(format, path).filter(|_| !overwrite && !adds) {
        return Err(errors::exists(&there));
    }
    let has_threads = format.create_options.iter().any(|option| option.name == "threads");
    let has_own_threads =
        options.map(|options| options.contains("threads")).transpose()?.unwrap_or(false);
    if let Some(threads) = threads.filter(|_| has_threads && !has_own_threads) {
        create.settings.set("threads", threads.to_string());
    }
    let output = match partition {
        Some((by, adds)) => {
            let existing = Existing::new(adds, overwrite);
            scoresheet::create_partitioned(path, format, by, &create, existing)
        }
        None => scoresheet::create_as(path, format, &create),
    };
    output.map_err(|error| errors::base(&error))
}

/// Copies games to a new database; scoresheet.convert documents it.
#[pyfunction]
#[pyo3(signature = (inputs, output, *, format=None, encoding=None, to_encoding=None, options=None,
    to_options=None, partition_by=None, append=false, strict=false, drop_damaged=false, threads=None, progress=None,
    overwrite=false, **filters))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn convert(
    py: Python<'_>,
    inputs: &Bound<'_, PyAny>,
    output: PathBuf,
    format: Option<&str>,
    encoding: Option<&str>,
    to_encoding: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
    to_options: Option<&Bound<'_, PyDict>>,
    partition_by: Option<&str>,
    append: bool,
    strict: bool,
    drop_damaged: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    overwrite: bool,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Summary> {
    if append && partition_by.is_none() {
        return Err(errors::value("append=True is for partition_by".to_owned()));
    }
    let inputs = source::sources(inputs, true)?;
    let open = filters::open_options(encoding, options)?;
    let converter = Converter::new()
        .filter(filters::filter(filters)?)
        .strict(strict)
        .drop_damaged(drop_damaged);
    let mut converter = match threads {
        Some(threads) => converter.threads(threads),
        None => converter,
    };
    let mut writer = create(
        &output,
        format,
        to_encoding,
        to_options,
        partition_by.map(|by| (by, append)),
        threads,
        overwrite,
        &inputs,
    )?;
    py.detach(|| {
        for source in &inputs {
            let path = source.path();
            let mut base = source.open(None, &open).map_err(|error| errors::base(&error))?;
            let mut watch = Watcher { progress: progress.as_ref(), failed: None };
            let done = converter.run(&mut base, &mut writer, &mut watch);
            if let Some(error) = watch.failed {
                return Err(error);
            }
            done.map_err(|error| errors::conversion(&error, path, &output))?;
        }
        writer.finish().map_err(|error| errors::base(&error))?;
        Ok(Summary::from(converter.summary()))
    })
}

/// Reports progress to Python. Stops the conversion if the callback raises, or on Ctrl-C.
struct Watcher<'a> {
    progress: Option<&'a Py<PyAny>>,
    failed: Option<PyErr>,
}

impl Watch for Watcher<'_> {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        if self.failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress(&mut self, progress: Progress) {
        let result = Python::attach(|py| {
            py.check_signals()?;
            let Some(tell) = self.progress else { return Ok(()) };
            let unit = match progress.unit {
                Unit::Games => "games",
                Unit::Bytes => "bytes",
            };
            let call = || tell.call1(py, (progress.done, progress.total, unit));
            callback::run(call).map(|_| ())
        });
        self.failed = result.err();
    }
}

/// Writes a new database, game by game. The database appears, complete, when it is closed.
///
/// `path` decides the format by its extension, unless `format` names it. `encoding` and other keywords
/// are the options of the format. An existing database raises FileExistsError, unless overwrite=True.
///
/// >>> with scoresheet.Writer("white.pgn") as writer:
/// ...     for game in scoresheet.open("games.pgn").games(white="karpov"):
/// ...         losses = writer.write(game)
/// >>> len(scoresheet.open("white.pgn"))
/// 1
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Writer {
    path: PathBuf,
    output: Mutex<Option<Output>>,
}

#[pymethods]
impl Writer {
    #[new]
    #[pyo3(signature = (path, *, format=None, encoding=None, overwrite=false, **options))]
    fn new(
        path: &Bound<'_, PyAny>,
        format: Option<&str>,
        encoding: Option<&str>,
        overwrite: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Writer> {
        let local = path.py().import("scoresheet._paths")?.getattr("local")?;
        let path: PathBuf = local.call1((path,))?.extract()?;
        let output = create(&path, format, encoding, options, None, None, overwrite, &[])?;
        let output = Mutex::new(Some(output));
        Ok(Writer { path, output })
    }

    /// Writes a game. Returns a message for each part that the format cannot hold.
    fn write(&self, py: Python<'_>, game: &Game) -> PyResult<Vec<String>> {
        py.detach(|| {
            let mut output = self.output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let output = output.as_mut().ok_or_else(|| errors::value("the base is closed"))?;
            let mut losses = Losses::new();
            output.write(&game.inner, &mut losses).map_err(|error| match error.scope() {
                Scope::Game => errors::game(&self.path, &error),
                Scope::Base => errors::written(&self.path, &error),
            })?;
            let more =
                losses.unlisted_counts().map(|(kind, count)| format!("{kind}: {count} more"));
            Ok(losses.iter().map(ToString::to_string).chain(more).collect())
        })
    }

    /// Warnings about the new database, such as more games than its own program reads. Complete after
    /// the last game, and empty after `close`.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let output = self.output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let warnings = output.iter().flat_map(Output::warnings);
        warnings.map(|warning| describe_warning(&self.path, warning).to_string()).collect()
    }

    /// Completes the database.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            let mut output = self.output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match output.take() {
                Some(output) => output.finish().map_err(|error| errors::base(&error)),
                None => Ok(()),
            }
        })
    }

    fn __enter__(slf: Bound<'_, Writer>) -> Bound<'_, Writer> {
        slf
    }

    /// After an exception, removes everything that was written.
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if kind.is_none() {
            return self.close(py);
        }
        self.output.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        Ok(())
    }
}
