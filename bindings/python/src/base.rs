//! An open database.

use std::iter::StepBy;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};
use scoresheet::chess_core::Game as Inner;
use scoresheet::chess_store::{Diagnostics, OpenOptions, Scope};
use scoresheet::{Filter, Format, RandomGames, Scanner};

use crate::errors;
use crate::filters;
use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::source::{self, Source};

/// A database of any format: a sequence of games.
///
/// `len(base)`, `base[0]`, `base[-1]`, slices, `in`, `reversed`, `index` and `count` work as for a list,
/// and each iteration reads the database again. Of a text such as PGN, the first access by number
/// notes where the games are; a compressed text is then also kept unpacked in a temporary file.
///
/// >>> base = scoresheet.open("games.pgn")
/// >>> len(base), base[0].white, base[-1].san
/// (2, 'Karpov, Anatoly', ['O-O', 'O-O-O'])
/// >>> with scoresheet.open("games.pgn") as base:
/// ...     print([game.result for game in base])
/// ['1-0', '1/2-1/2']
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Base {
    source: Source,
    format: Option<&'static Format>,
    options: OpenOptions,
    strict: bool,
    /// The arguments of `open`, kept for pickling: another process opens the database with them.
    original: Py<PyAny>,
    arguments: Py<PyDict>,
    /// The name of the format.
    name: &'static str,
    /// `None` once closed.
    inner: Mutex<Option<scoresheet::Base>>,
    /// Access by number, once needed.
    random: Mutex<Option<RandomGames>>,
    /// The number of games of a stream, once counted.
    counted: Mutex<Option<u64>>,
}

/// Opens a database; scoresheet.open documents it.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, encoding=None, strict=false, **options))]
pub(crate) fn open(
    py: Python<'_>,
    path: Bound<'_, PyAny>,
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
    let mut sources = source::sources(&path, false)?;
    let source = sources.pop().filter(|_| sources.is_empty());
    let source = source.ok_or_else(|| errors::value("one base is opened at a time"))?;
    let inner = py.detach(|| source.open(format, &options));
    let inner = inner.map_err(|error| errors::base(&error))?;
    let name = inner.format().name;
    let (inner, counted, random) = (Mutex::new(Some(inner)), Mutex::new(None), Mutex::new(None));
    let original = path.unbind();
    Ok(Base { source, format, options, strict, original, arguments, name, inner, random, counted })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Base {
    fn again(&self) -> PyResult<scoresheet::Base> {
        self.with(|_| ())?;
        self.source.open(self.format, &self.options).map_err(|error| errors::base(&error))
    }

    /// Runs a function unless the database is closed.
    fn with<T>(&self, run: impl FnOnce(&mut scoresheet::Base) -> T) -> PyResult<T> {
        match &mut *locked(&self.inner) {
            Some(base) => Ok(run(base)),
            None => {
                let path = self.source.path().display();
                Err(errors::value(format!("{path}: the base is closed; open it again")))
            }
        }
    }

    fn length(&self) -> PyResult<u64> {
        let known = self.with(|base| base.len())?;
        let known = known.or_else(|| locked(&self.random).as_ref().and_then(RandomGames::len));
        if let Some(length) = known {
            return Ok(length);
        }
        let mut counted = locked(&self.counted);
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

    /// Opens the database for access by number.
    fn open_random(&self) -> PyResult<RandomGames> {
        let base = self.again()?;
        let opened = match &self.source {
            Source::Files(inputs) if base.database().is_none() => {
                let file = inputs.main().map_err(|error| errors::io(self.source.path(), &error))?;
                RandomGames::of_stream(&base, file, &self.options)
            }
            _ => RandomGames::new(base, &self.options),
        };
        opened.map_err(|error| errors::base(&error))
    }

    fn get(&self, number: u64) -> PyResult<Game> {
        self.with(|_| ())?;
        let mut random = locked(&self.random);
        let games = match &mut *random {
            Some(games) => games,
            none => none.insert(self.open_random()?),
        };
        while games.seek_step(number).map_err(|error| errors::base(&error))? {
            Python::attach(|py| py.check_signals())?;
        }
        let mut inner = Inner::new();
        let mut diagnostics =
            if self.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let damage = match games.read_game(number, &mut inner, &mut diagnostics) {
            Ok(true) => None,
            Ok(false) => return Err(out_of_range()),
            Err(error) if error.scope() == Scope::Base => return Err(errors::base(&error)),
            Err(error) => Some(match error.error() {
                Some(error) => errors::game(self.source.path(), error),
                None => errors::base(&error),
            }),
        };
        self.finish(inner, number, damage)
    }

    fn finish(&self, inner: Inner, number: u64, damage: Option<PyErr>) -> PyResult<Game> {
        match damage {
            Some(damage) if self.strict => Err(damage),
            damage => {
                let (index, source) = (Some(number), Some(self.source.path().to_path_buf()));
                Ok(Game { inner, index, source, damage: damage.map(Arc::new) })
            }
        }
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
        self.source.path().to_path_buf()
    }

    /// The name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.name
    }

    /// The warnings from opening the database, as texts.
    #[getter]
    fn warnings(&self) -> PyResult<Vec<String>> {
        self.with(|base| base.warnings().iter().map(ToString::to_string).collect())
    }

    /// Whether close() was called.
    #[getter]
    fn closed(&self) -> bool {
        locked(&self.inner).is_none()
    }

    /// Closes the files of the database and removes the temporary file. Iterators go on.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            *locked(&self.inner) = None;
            *locked(&self.random) = None;
        });
    }

    fn __enter__(slf: Bound<'_, Base>) -> PyResult<Bound<'_, Base>> {
        slf.get().with(|_| ())?;
        Ok(slf)
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }

    /// Supports `pickle`: another process opens the database again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let open = py.import("scoresheet._scoresheet")?.getattr("open")?;
        let partial = py.import("functools")?.getattr("partial")?;
        let again = partial.call((open, &self.original), Some(self.arguments.bind(py)))?;
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
            if let Some(numbers) = first_games(slice) {
                return self.games_until_end(py, numbers)?.into_pyobject(py);
            }
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
        let game = py.detach(|| self.get(number))?;
        Ok(Bound::new(py, game)?.into_any())
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Games> {
        self.games(py, None)
    }

    fn __reversed__(slf: Bound<'_, Base>) -> PyResult<Reversed> {
        let next = slf.get().__len__(slf.py())?;
        Ok(Reversed { base: slf.unbind(), next: Mutex::new(next as u64) })
    }

    fn __contains__(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(game) = game.cast::<Game>() else { return Ok(false) };
        let mut games = self.all(py)?;
        Ok(games.find(py, &game.get().inner)?.is_some())
    }

    /// Returns the index of the first game that equals `game`, from 0.
    ///
    /// `start` and `stop` restrict the search as in list.index. Raises ValueError if there is none.
    ///
    /// >>> base = scoresheet.open("games.pgn")
    /// >>> base.index(base[1])
    /// 1
    #[pyo3(signature = (game, start=0, stop=None))]
    fn index(&self, py: Python<'_>, game: &Game, start: i64, stop: Option<i64>) -> PyResult<u64> {
        let length = if start < 0 || stop.is_some_and(|stop| stop < 0) {
            i64::try_from(self.__len__(py)?).map_err(errors::value)?
        } else {
            0
        };
        let from_start = |at: i64| if at < 0 { at.saturating_add(length).max(0) } else { at };
        let (start, stop) = (from_start(start), stop.map_or(i64::MAX, from_start));
        let mut games = self.all(py)?;
        while let Some(number) = games.find(py, &game.inner)? {
            if (start..stop).contains(&i64::try_from(number).unwrap_or(i64::MAX)) {
                return Ok(number);
            }
        }
        Err(errors::value("the game is not in the base"))
    }

    /// Returns the number of games that equal `game`.
    ///
    /// >>> base = scoresheet.open("games.pgn")
    /// >>> base.count(base[0])
    /// 1
    fn count(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<u64> {
        let Ok(game) = game.cast::<Game>() else { return Ok(0) };
        let (mut games, mut count) = (self.all(py)?, 0);
        while games.find(py, &game.get().inner)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    /// Returns an iterator over the games that match the filters.
    ///
    /// The filters are the same as for scoresheet.scan.
    ///
    /// >>> [game.black for game in scoresheet.open("games.pgn").games(white="polgar")]
    /// ['Karpov, Anatoly']
    #[pyo3(signature = (**filters))]
    fn games(&self, py: Python<'_>, filters: Option<&Bound<'_, PyDict>>) -> PyResult<Games> {
        let filter = filters::filter(filters)?;
        let base = py.detach(|| self.again())?;
        let games = Mutex::new((base.into_games(), 0));
        let path = self.source.path().to_path_buf();
        Ok(Games { path, strict: self.strict, filter, games })
    }

    fn __repr__(&self) -> String {
        format!("<Base {} ({})>", self.source.path().display(), self.name)
    }

    fn _repr_html_<'py>(slf: Bound<'py, Base>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._display")?.getattr("base_html")?.call1((slf,))
    }
}

/// Returns the numbers that a slice selects, if they do not depend on the number of games.
fn first_games(slice: &Bound<'_, PySlice>) -> Option<StepBy<Range<u64>>> {
    let number = |name| slice.getattr(name).ok()?.extract::<Option<u64>>().ok();
    let (start, stop, step) = (number("start")?, number("stop")??, number("step")?);
    let step = usize::try_from(step.unwrap_or(1)).ok().filter(|step| *step > 0)?;
    Some((start.unwrap_or(0)..stop).step_by(step))
}

impl Base {
    /// Returns the games of these numbers, as far as there are such.
    fn games_until_end(
        &self,
        py: Python<'_>,
        numbers: impl Iterator<Item = u64>,
    ) -> PyResult<Vec<Game>> {
        let mut games = Vec::new();
        for number in numbers {
            match py.detach(|| self.get(number)) {
                Ok(game) => games.push(game),
                Err(error) if error.is_instance_of::<PyIndexError>(py) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(games)
    }

    fn all(&self, py: Python<'_>) -> PyResult<Search> {
        let base = py.detach(|| self.again())?;
        Ok(Search { games: base.into_games(), number: 0 })
    }
}

/// Looks for a game.
struct Search {
    games: scoresheet::IntoGames,
    number: u64,
}

impl Search {
    /// Returns the number of the next game that equals `game`.
    fn find(&mut self, py: Python<'_>, game: &Inner) -> PyResult<Option<u64>> {
        py.detach(|| {
            let (mut interrupt, mut inner) = (Interrupt::default(), Inner::new());
            loop {
                match self.games.read_game(&mut inner) {
                    Ok(false) => return Ok(None),
                    Err(error) if error.scope() == Scope::Base => return Err(errors::base(&error)),
                    _ => {}
                }
                let number = self.number;
                self.number += 1;
                if inner == *game {
                    return Ok(Some(number));
                }
                interrupt.look()?;
            }
        })
    }
}

/// An iterator over the games of a database from the last to the first.
#[pyclass(module = "scoresheet", frozen)]
pub(crate) struct Reversed {
    base: Py<Base>,
    next: Mutex<u64>,
}

#[pymethods]
impl Reversed {
    fn __iter__(slf: Bound<'_, Reversed>) -> Bound<'_, Reversed> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        py.check_signals()?;
        // The lock is not held while the interpreter is released.
        let number = {
            let mut next = locked(&self.next);
            let Some(number) = next.checked_sub(1) else { return Ok(None) };
            *next = number;
            number
        };
        let base = self.base.get();
        py.detach(|| base.get(number)).map(Some)
    }

    fn __length_hint__(&self) -> u64 {
        *locked(&self.next)
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
            let mut games = locked(&self.games);
            let (games, number) = &mut *games;
            let mut inner = Inner::new();
            let (this, damage) = loop {
                if *number >= self.filter.end_number() {
                    return Ok(None);
                }
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
            let (index, source) = (Some(this), Some(self.path.clone()));
            Ok(Some(Game { inner, index, source, damage }))
        })
    }
}
