//! A single game.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use scoresheet::chess_core::{Game as Inner, Nag, Position, Replay, Token};
use scoresheet::pgn::{self, San};
use scoresheet::tables::{write_uci, zobrist};

use crate::errors::value;
use crate::pickle;

/// A game: headers and moves, with variations, comments and NAGs.
#[pyclass(module = "scoresheet", frozen)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) inner: Inner,
    /// The index in the database, from 0.
    #[pyo3(get)]
    pub(crate) number: Option<u64>,
    /// The database the game was read from.
    #[pyo3(get)]
    pub(crate) source: Option<PathBuf>,
    /// The reason why the game could not be read to the end.
    pub(crate) damage: Option<std::sync::Arc<PyErr>>,
}

impl Game {
    pub(crate) fn new(inner: Inner) -> Game {
        Game { inner, number: None, source: None, damage: None }
    }

    /// Iterates over the positions of the main line, from the start position on.
    fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.inner.start_position();
        let rest = self.inner.main_line().map(move |m| {
            position.apply(m);
            position
        });
        std::iter::once(self.inner.start_position()).chain(rest)
    }
}

/// The two texts of a game, its number, its source and its damage.
type Parts = (String, String, Option<u64>, Option<PathBuf>, Option<Py<PyAny>>);

/// Restores a pickled game.
#[pyfunction]
pub(crate) fn _restore_game(
    header: &str,
    rest: &str,
    number: Option<u64>,
    source: Option<PathBuf>,
    damage: Option<Bound<'_, PyAny>>,
) -> PyResult<Game> {
    let inner = pickle::from_texts(header, rest)?;
    let damage = damage.map(|damage| std::sync::Arc::new(PyErr::from_value(damage)));
    Ok(Game { inner, number, source, damage })
}

#[pymethods]
impl Game {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let (header, rest) = pickle::to_texts(&self.inner)?;
        let damage = self.damage.as_ref().map(|damage| damage.value(py).clone().unbind().into());
        let parts = (header, rest, self.number, self.source.clone(), damage);
        Ok((py.import("scoresheet._scoresheet")?.getattr("_restore_game")?, parts))
    }

    /// Parses the first game of a PGN text.
    #[staticmethod]
    fn from_pgn(text: &str) -> PyResult<Game> {
        let mut reader = pgn::Reader::new(text.as_bytes());
        match reader.games().next() {
            Some(Ok(game)) => Ok(Game::new(game)),
            Some(Err(error)) => Err(value(error)),
            None => Err(value("there is no game in the text")),
        }
    }

    /// All tags, in PGN order.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        let mut failed = None;
        self.inner.header.for_each_tag(|name, value| {
            if !headers.contains(name).unwrap_or(false) {
                failed = headers.set_item(name, value.to_string()).err().or(failed.take());
            }
        });
        if let Some(setup) = self.inner.setup() {
            headers.set_item("FEN", setup.fen())?;
        }
        failed.map_or(Ok(headers), Err)
    }

    #[getter]
    fn white(&self) -> &str {
        &self.inner.header.white
    }

    #[getter]
    fn black(&self) -> &str {
        &self.inner.header.black
    }

    #[getter]
    fn event(&self) -> &str {
        &self.inner.header.event
    }

    #[getter]
    fn site(&self) -> &str {
        &self.inner.header.site
    }

    #[getter]
    fn round(&self) -> &str {
        &self.inner.header.round
    }

    /// The date in PGN notation: `1987.04.??`.
    #[getter]
    fn date(&self) -> String {
        self.inner.header.date.to_string()
    }

    #[getter]
    fn result(&self) -> &'static str {
        self.inner.header.result.as_str()
    }

    #[getter]
    fn eco(&self) -> Option<String> {
        self.inner.header.eco.map(|eco| eco.to_string())
    }

    #[getter]
    fn white_elo(&self) -> Option<u16> {
        self.inner.header.white_elo.map(|elo| elo.get())
    }

    #[getter]
    fn black_elo(&self) -> Option<u16> {
        self.inner.header.black_elo.map(|elo| elo.get())
    }

    /// The reason why the game could not be read to the end, as an exception; None for a complete
    /// game.
    #[getter]
    fn damage<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.damage.as_ref().map(|error| error.value(py).clone().into_any())
    }

    /// The number of plies of the main line.
    #[getter]
    fn ply_count(&self) -> usize {
        self.inner.ply_count()
    }

    /// The main line in UCI notation.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let moves = self.positions().zip(self.inner.main_line());
        moves.map(|(position, m)| uci(&position, m)).collect()
    }

    /// The main line in SAN.
    #[getter]
    fn san(&self) -> Vec<String> {
        let moves = self.positions().zip(self.inner.main_line());
        moves.map(|(position, m)| San::new(&position, m).as_str().to_owned()).collect()
    }

    /// The start position as a FEN.
    #[getter]
    fn fen(&self) -> String {
        self.inner.start_position().to_fen()
    }

    /// Whether the game starts with castling rights that exist only in Chess960.
    #[getter]
    fn chess960(&self) -> bool {
        self.inner.start_position().is_chess960()
    }

    /// The last position of the main line as a FEN.
    #[getter]
    fn final_fen(&self) -> String {
        self.positions().last().map(|position| position.to_fen()).unwrap_or_default()
    }

    /// The FENs of the main line, from the start position on.
    fn boards(&self) -> Vec<String> {
        self.positions().map(|position| position.to_fen()).collect()
    }

    /// The Polyglot hashes of the positions of the main line, from the start position on.
    fn hashes(&self) -> Vec<u64> {
        self.positions().map(|position| zobrist(&position)).collect()
    }

    /// The game as PGN.
    fn pgn(&self) -> String {
        pgn::to_string(&self.inner)
    }

    /// The tokens in PGN order: ("move", uci, san), ("nag", number), ("comment", text), ("(",),
    /// (")",).
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let tokens = PyList::empty(py);
        let mut replay = Replay::new(&self.inner);
        for token in self.inner.tokens() {
            match token {
                Token::Move(m) => {
                    let position = replay.position();
                    let san = San::new(position, m);
                    tokens.append(("move", uci(position, m), san.as_str()))?;
                }
                Token::Nag(Nag(number)) => tokens.append(("nag", number))?,
                Token::Comment(text) => tokens.append(("comment", text))?,
                Token::VariationStart => tokens.append(("(",))?,
                Token::VariationEnd => tokens.append((")",))?,
            }
            replay.step(token);
        }
        Ok(tokens)
    }

    fn __str__(&self) -> String {
        self.pgn()
    }

    fn __repr__(&self) -> String {
        let header = &self.inner.header;
        let (result, plies) = (header.result.as_str(), self.inner.ply_count());
        format!("<Game {} - {} {result}, {plies} plies>", header.white, header.black)
    }

    fn __len__(&self) -> usize {
        self.inner.ply_count()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        hasher.finish()
    }

    /// Converts the game to a chess.pgn.Game of the package chess.
    fn to_python_chess<'py>(slf: Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._chess")?.getattr("to_python_chess")?.call1((slf,))
    }

    /// The moves as a tree: a list of scoresheet.Node, each with its variations.
    fn tree<'py>(slf: Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._tree")?.getattr("tree")?.call1((slf,))
    }
}

fn uci(position: &Position, m: scoresheet::chess_core::Move) -> String {
    let mut text = String::new();
    write_uci(position, m, &mut text);
    text
}
