//! A single game.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use scoresheet::chess_core::{Game as Inner, Nag, Position, Replay, Token};
use scoresheet::pgn::{self, San};
use scoresheet::tables::{write_uci, zobrist};

use crate::errors::{self, value};
use crate::pickle;

/// A game: headers and moves, with variations, comments and NAGs. It cannot be changed, but with_headers,
/// with_moves and GameBuilder return changed copies.
///
/// >>> game = scoresheet.Game.from_moves("e4 e5 Nf3", White="Ann", Black="Bob", Result="1-0")
/// >>> game
/// <Game Ann - Bob 1-0, 3 plies>
/// >>> game.moves
/// ['e2e4', 'e7e5', 'g1f3']
/// >>> print(game.with_headers(Round="3"))  # doctest: +ELLIPSIS
/// [Event "?"]
/// [Site "?"]
/// [Date "????.??.??"]
/// [Round "3"]
/// [White "Ann"]
/// [Black "Bob"]
/// [Result "1-0"]
/// <BLANKLINE>
/// 1. e4 e5 2. Nf3 1-0
/// ...
#[pyclass(module = "scoresheet", frozen)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) inner: Inner,
    /// The index in the database, from 0: `base[game.index]` is the game.
    #[pyo3(get)]
    pub(crate) index: Option<u64>,
    /// The database the game was read from.
    #[pyo3(get)]
    pub(crate) source: Option<PathBuf>,
    /// The reason why the game could not be read to the end.
    pub(crate) damage: Option<std::sync::Arc<PyErr>>,
}

impl Game {
    pub(crate) fn new(inner: Inner) -> Game {
        Game { inner, index: None, source: None, damage: None }
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

/// The two texts of a game, its index, its source and its damage.
type Parts = (String, String, Option<u64>, Option<PathBuf>, Option<Py<PyAny>>);

/// Restores a pickled game.
#[pyfunction]
pub(crate) fn _restore_game(
    header: &str,
    rest: &str,
    index: Option<u64>,
    source: Option<PathBuf>,
    damage: Option<Bound<'_, PyAny>>,
) -> PyResult<Game> {
    let inner = pickle::from_texts(header, rest)?;
    let damage = damage.map(|damage| std::sync::Arc::new(PyErr::from_value(damage)));
    Ok(Game { inner, index, source, damage })
}

#[pymethods]
impl Game {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let (header, rest) = pickle::to_texts(&self.inner)?;
        let damage = self.damage.as_ref().map(|damage| damage.value(py).clone().unbind().into());
        let parts = (header, rest, self.index, self.source.clone(), damage);
        Ok((py.import("scoresheet._scoresheet")?.getattr("_restore_game")?, parts))
    }

    /// The number in the database, from 1, as in the column `game` and the filter `games`.
    #[getter]
    fn number(&self) -> Option<u64> {
        self.index.map(|index| index.saturating_add(1))
    }

    /// Returns the first game of a PGN text. Raises GameError if it is damaged, and ValueError if the
    /// text has no game.
    ///
    /// >>> scoresheet.Game.from_pgn("1. e4 e5 *").san
    /// ['e4', 'e5']
    #[staticmethod]
    fn from_pgn(text: &str) -> PyResult<Game> {
        let mut reader = pgn::Reader::new(text.as_bytes());
        match reader.games().next() {
            Some(Ok(game)) => Ok(Game::new(game)),
            Some(Err(error)) => Err(errors::text(&error.into())),
            None => Err(value("there is no game in the text")),
        }
    }

    /// Returns a new game with these moves, in UCI notation or SAN: an iterable, or a text with blanks
    /// between them.
    ///
    /// `headers` is a mapping of tags, and other keywords are tags too. `fen` is the start position.
    ///
    /// >>> scoresheet.Game.from_moves(["e2e4", "c5"], headers={"White": "Ann"}).san
    /// ['e4', 'c5']
    /// >>> scoresheet.Game.from_moves(["e2e5"])
    /// Traceback (most recent call last):
    /// ValueError: "e2e5" is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    #[staticmethod]
    #[pyo3(signature = (moves, headers=None, *, fen=None, **tags))]
    fn from_moves<'py>(
        py: Python<'py>,
        moves: Bound<'py, PyAny>,
        headers: Option<Bound<'py, PyAny>>,
        fen: Option<Bound<'py, PyAny>>,
        tags: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let build = py.import("scoresheet._build")?.getattr("from_moves")?;
        build.call1((moves, headers, fen, tags))
    }

    /// Returns a copy with other tags. `headers` is a mapping, and keywords are tags too. None and an
    /// empty text remove a tag.
    ///
    /// >>> game = scoresheet.open("games.pgn")[0].with_headers(White="Ann", ECO=None)
    /// >>> game.white, game.eco
    /// ('Ann', None)
    #[pyo3(signature = (headers=None, **tags))]
    fn with_headers<'py>(
        slf: Bound<'py, Game>,
        headers: Option<Bound<'py, PyAny>>,
        tags: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._build")?.getattr("with_headers")?.call1((slf, headers, tags))
    }

    /// Returns a copy with other moves: a list of scoresheet.Node as from tree(), or moves as in
    /// from_moves. The start position stays.
    ///
    /// >>> game = scoresheet.open("games.pgn")[0]
    /// >>> line = game.tree()
    /// >>> line[-1].comments.append("equal")
    /// >>> line[-1].nags.append(10)
    /// >>> game.with_moves(line).tree()[-1].comments
    /// ['equal']
    fn with_moves<'py>(
        slf: Bound<'py, Game>,
        moves: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._build")?.getattr("with_moves")?.call1((slf, moves))
    }

    /// All tags, in PGN order: a new dict, whose changes do not change the game (see with_headers).
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

    /// The name of White, or "?".
    #[getter]
    fn white(&self) -> &str {
        &self.inner.header.white
    }

    /// The name of Black, or "?".
    #[getter]
    fn black(&self) -> &str {
        &self.inner.header.black
    }

    /// The event, or "?".
    #[getter]
    fn event(&self) -> &str {
        &self.inner.header.event
    }

    /// The site, or "?".
    #[getter]
    fn site(&self) -> &str {
        &self.inner.header.site
    }

    /// The round, or "?".
    #[getter]
    fn round(&self) -> &str {
        &self.inner.header.round
    }

    /// The date in PGN notation: `1987.04.??`.
    #[getter]
    fn date(&self) -> String {
        self.inner.header.date.to_string()
    }

    /// "1-0", "0-1", "1/2-1/2" or "*".
    #[getter]
    fn result(&self) -> &'static str {
        self.inner.header.result.as_str()
    }

    /// The ECO code, such as "B90", or None.
    #[getter]
    fn eco(&self) -> Option<String> {
        self.inner.header.eco.map(|eco| eco.to_string())
    }

    /// The rating of White, or None.
    #[getter]
    fn white_elo(&self) -> Option<u16> {
        self.inner.header.white_elo.map(|elo| elo.get())
    }

    /// The rating of Black, or None.
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

    /// The board after `ply` half-moves as a picture in SVG; by default the last position. `size` is its
    /// width in pixels, and `flipped` shows it from the side of Black.
    ///
    /// >>> scoresheet.open("games.pgn")[0].svg(ply=1).startswith("<svg")
    /// True
    #[pyo3(signature = (ply=None, *, size=320, flipped=false))]
    fn svg<'py>(
        slf: Bound<'py, Game>,
        ply: Option<i64>,
        size: u32,
        flipped: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._display")?.getattr("svg")?.call1((slf, ply, size, flipped))
    }

    fn _repr_html_<'py>(slf: Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        py.import("scoresheet._display")?.getattr("game_html")?.call1((slf,))
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
