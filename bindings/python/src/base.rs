//! An open database.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};
use scoresheet::chess_core::Game as Inner;
use scoresheet::chess_store::{Diagnostics, OpenOptions, Scope};
use scoresheet::{Filter, Format, Scanner, open_as, open_with};

use crate::errors;
use crate::filters;
use crate::game::Game;
use crate::interrupt::Interrupt;

/// A database of any format: a sequence of games.
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Base {
    path: PathBuf,
    format: Option<&'static Format>,
    options: OpenOptions,
    strict: bool,
    /// The arguments of `open`, kept for pickling: another process opens the database with them.
    arguments: Py<PyDict>,
    inner: Mutex<scoresheet::Base>,
    /// The number of games of a stream, once counted.
    counted: Mutex<Option<u64>>,
}

/// Opens a database. The path may name any of its files.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, encoding=None, strict=false, **options))]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    encoding: Option<&str>,
    strict: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Base> {
    let arguments = match options {
        Some(options) => options.copy()?,
        None => PyDict::new(py),
    };
    arguments.set_item("format", format)?;
    arguments.set_item("encoding", encoding)?;
    arguments.set_item("strict", strict)?;
    let arguments = arguments.unbind();
    let format = filters::format(format)?;
    let mut options = filters::open_options(encoding, options)?;
    options.strict = strict;
    let inner = py.detach(|| open_again(&path, format, &options))?;
    let (inner, counted) = (Mutex::new(inner), Mutex::new(None));
    Ok(Base { path, format, options, strict, arguments, inner, counted })
}

fn open_again(
    path: &PathBuf,
    format: Option<&'static Format>,
    options: &OpenOptions,
) -> PyResult<scoresheet::Base> {
    let opened = match format {
        Some(format) => open_as(path, format, options),
        None => open_with(path, options),
    };
    opened.map_err(|error| errors::base(&error))
}

impl Base {
    fn again(&self) -> PyResult<scoresheet::Base> {
        open_again(&self.path, self.format, &self.options)
    }

    fn with<T>(&self, run: impl FnOnce(&mut scoresheet::Base) -> T) -> T {
        run(&mut self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn length(&self) -> PyResult<u64> {
        if let Some(length) = self.with(|base| base.len()) {
            return Ok(length);
        }
        let mut counted = self.counted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(length) = *counted {
            return Ok(length);
        }
        let (mut interrupt, mut looked) = (Interrupt::default(), Ok(()));
        let length = Scanner::new()
            .run(&mut self.again()?, |_| {
                looked = interrupt.look();
                Ok(if looked.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            })
            .map_err(|error: scoresheet::Error| errors::base(&error))?;
        looked?;
        *counted = Some(length);
        Ok(length)
    }

    fn diagnostics(&self) -> Diagnostics {
        if self.strict { Diagnostics::strict() } else { Diagnostics::lenient() }
    }

    /// Returns a game of a database with random access.
    fn numbered(&self, number: u64) -> Option<PyResult<Game>> {
        let mut inner = Inner::new();
        let read = self.with(|base| {
            let mut reader = base.database()?.reader();
            Some(reader.game(number, &mut inner, &mut self.diagnostics()))
        })?;
        let failed = read.err();
        if let Some(error) = failed.as_ref().filter(|error| error.scope() == Scope::Base) {
            return Some(Err(errors::written(&self.path, error)));
        }
        let damage = failed.map(|error| errors::game(&self.path, &error));
        Some(self.finish(inner, number, damage))
    }

    /// Returns a game of a stream, by reading up to it.
    fn streamed(&self, number: u64) -> PyResult<Game> {
        let mut filter = scoresheet::Filter::default();
        filter.games = vec![number..=number];
        let mut found = None;
        Scanner::new()
            .filter(filter)
            .run(&mut self.again()?, |scanned| {
                let damage = scanned.damage.map(|error| errors::game(&self.path, error));
                found = Some((scanned.game.clone(), damage));
                Ok(ControlFlow::Break(()))
            })
            .map_err(|error: scoresheet::Error| errors::base(&error))?;
        let (inner, damage) = found.ok_or_else(out_of_range)?;
        self.finish(inner, number, damage)
    }

    fn finish(&self, inner: Inner, number: u64, damage: Option<PyErr>) -> PyResult<Game> {
        match damage {
            Some(damage) if self.strict => Err(damage),
            damage => {
                let (number, source) = (Some(number), Some(self.path.clone()));
                Ok(Game { inner, number, source, damage: damage.map(Arc::new) })
            }
        }
    }

    fn get(&self, number: u64) -> PyResult<Game> {
        self.numbered(number).unwrap_or_else(|| self.streamed(number))
    }
}

fn out_of_range() -> PyErr {
    PyIndexError::new_err("the base has no game of this number")
}

#[pymethods]
impl Base {
    /// The file that was named.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.with(|base| base.format().name)
    }

    /// The warnings from opening the database.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.with(|base| base.warnings().iter().map(ToString::to_string).collect())
    }

    /// Supports `pickle`: another process opens the database again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let open = py.import("scoresheet._scoresheet")?.getattr("open")?;
        let partial = py.import("functools")?.getattr("partial")?;
        let again = partial.call((open, &self.path), Some(self.arguments.bind(py)))?;
        Ok((again, ()))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let length = py.detach(|| self.length())?;
        usize::try_from(length).map_err(errors::value)
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let length = isize::try_from(self.__len__(py)?).map_err(errors::value)?;
            let bounds = slice.indices(length)?;
            let games = (0..bounds.slicelength).map(|place| {
                let number = bounds.start + bounds.step * place as isize;
                py.detach(|| self.get(number as u64))
            });
            let games: Vec<Game> = games.collect::<PyResult<_>>()?;
            return games.into_pyobject(py);
        }
        let index: i64 = index.extract().map_err(|error: PyErr| {
            // A number too large for any database is still a number.
            if error.is_instance_of::<PyOverflowError>(py) {
                return out_of_range();
            }
            PyTypeError::new_err("games are had by number or slice")
        })?;
        let number = if index < 0 {
            i64::try_from(self.__len__(py)?).map_err(errors::value)? + index
        } else {
            index
        };
        let number = u64::try_from(number).map_err(|_| out_of_range())?;
        if self.with(|base| base.len()).is_some_and(|length| number >= length) {
            return Err(out_of_range());
        }
        let game = py.detach(|| self.get(number))?;
        Ok(Bound::new(py, game)?.into_any())
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Games> {
        self.games(py, None)
    }

    /// Iterates over the games that match the filters.
    #[pyo3(signature = (**filters))]
    fn games(&self, py: Python<'_>, filters: Option<&Bound<'_, PyDict>>) -> PyResult<Games> {
        let filter = filters::filter(filters)?;
        let base = py.detach(|| self.again())?;
        let games = Mutex::new((base.into_games(), 0));
        Ok(Games { path: self.path.clone(), strict: self.strict, filter, games })
    }

    fn __repr__(&self) -> String {
        format!("<Base {} ({})>", self.path.display(), self.format())
    }
}

/// An iterator over the games of a database.
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Games {
    path: PathBuf,
    strict: bool,
    filter: Filter,
    games: Mutex<(scoresheet::IntoGames, u64)>,
}

#[pymethods]
impl Games {
    fn __iter__(slf: Bound<'_, Games>) -> Bound<'_, Games> {
        slf
    }

    /// Returns the next game. A damaged game is returned as far as it can be read. If the database
    /// is strict, the damage is raised, and the next call continues after it.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        // Inside `list(base)`, Python itself does not check for signals.
        py.check_signals()?;
        py.detach(|| {
            let mut interrupt = Interrupt::default();
            let mut games = self.games.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (games, number) = &mut *games;
            let mut inner = Inner::new();
            let (this, damage) = loop {
                let read = games.read_game(&mut inner);
                let this = *number;
                *number += 1;
                let damage = match read {
                    Ok(false) => return Ok(None),
                    Ok(true) => None,
                    Err(error) if error.scope() == Scope::Base => return Err(errors::base(&error)),
                    Err(error) => Some(match error.error() {
                        Some(error) => errors::game(&self.path, error),
                        None => errors::base(&error),
                    }),
                };
                if self.filter.has_number(this) && self.filter.selects(&inner) {
                    break (this, damage);
                }
                interrupt.look()?;
            };
            if self.strict {
                if let Some(damage) = damage {
                    return Err(damage);
                }
                if let Some(warning) = games.warnings().first() {
                    return Err(errors::value(warning));
                }
            }
            let damage = damage.map(Arc::new);
            Ok(Some(Game { inner, number: Some(this), source: Some(self.path.clone()), damage }))
        })
    }
}
