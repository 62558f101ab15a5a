//! Builds games from tags and tokens.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use scoresheet::chess_core::{Game as Inner, Move, Nag, Position, Replay, Token};
use scoresheet::pgn;
use scoresheet::tables::{write_uci, zobrist};

use crate::errors::value;
use crate::game::Game;

/// Returns a game: a copy of `game`, or a new one, with these tags set. An empty tag is removed. If
/// `tokens` is given, it replaces the moves, from the start position `fen`. A move must be legal, unless
/// `game` has the same move: other programs store moves that are not.
#[pyfunction]
#[pyo3(signature = (game, headers, fen=None, tokens=None))]
pub(crate) fn _build_game(
    game: Option<&Game>,
    headers: Vec<(String, String)>,
    fen: Option<&str>,
    tokens: Option<Vec<Bound<'_, PyTuple>>>,
) -> PyResult<Game> {
    let mut built = game.map_or_else(|| Game::new(Inner::new()), Game::clone);
    if tokens.is_some() {
        built.inner.clear_line();
        (built.index, built.source, built.damage) = (None, None, None);
        if let Some(game) = game.filter(|game| game.inner.setup().is_some()) {
            keep_start(&game.inner, &mut built.inner);
        }
    }
    for (name, text) in &headers {
        if !is_tag_name(name) {
            let text = "a tag name has letters, digits, _ and -";
            return Err(value(format!("{name:?} is not the name of a tag; {text}")));
        }
        match name.as_str() {
            "FEN" => return Err(value("the tag FEN follows from the argument fen")),
            // It follows from the start position.
            "SetUp" => {}
            name => built.inner.header.put(name, text),
        }
    }
    if let Some(fen) = fen {
        let set = built.inner.set_start_fen(fen);
        set.map_err(|error| value(format!("{fen:?} is not a FEN: {error}")))?;
    }
    if let Some(tokens) = tokens {
        let start = built.inner.start_position();
        let known = game.map(|game| moves_of(&game.inner)).unwrap_or_default();
        push(&mut built.inner, Replay::on(start, true), &tokens, &known)?;
    }
    Ok(built)
}

/// Sets the start position of another game, and its text if that gives the same position.
fn keep_start(from: &Inner, to: &mut Inner) {
    let position = from.start_position();
    if let Some(setup) = from.setup() {
        // Other formats may hold a text that is no FEN.
        let _ = to.set_start_fen(setup.fen());
    }
    if to.start_position() != position {
        to.drop_stray_castling();
    }
    if to.start_position() != position {
        to.set_start(position);
    }
}

/// The moves of a game by position and UCI notation. Other programs store illegal moves, and promotions
/// without a piece: a copy of the game has the same moves.
type Known = HashMap<(u64, String), Move>;

fn moves_of(game: &Inner) -> Known {
    let (mut replay, mut known) = (Replay::new(game), Known::new());
    for token in game.tokens() {
        if let Token::Move(m) = token {
            let mut name = String::new();
            write_uci(replay.position(), m, &mut name);
            known.insert((zobrist(replay.position()), name), m);
        }
        replay.step(token);
    }
    known
}

fn is_tag_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.len() <= 255 && name.bytes().all(is_part)
}

fn push(
    game: &mut Inner,
    mut replay: Replay,
    tokens: &[Bound<'_, PyTuple>],
    known: &Known,
) -> PyResult<()> {
    for token in tokens {
        let kind: String = token.get_item(0)?.extract()?;
        match kind.as_str() {
            "move" => {
                let name: String = token.get_item(1)?.extract()?;
                let key = (zobrist(replay.position()), name);
                let m = match known.get(&key) {
                    Some(m) => *m,
                    None => parse(replay.position(), &key.1)?,
                };
                game.push_move(m);
                replay.play(m);
            }
            "nag" => game.push_nag(Nag(token.get_item(1)?.extract()?)),
            "comment" => {
                let text: String = token.get_item(1)?.extract()?;
                game.push_comment(&text).map_err(value)?;
            }
            "(" => {
                game.start_variation().map_err(value)?;
                replay.start_variation();
            }
            ")" => {
                game.end_variation().map_err(value)?;
                replay.end_variation();
            }
            other => return Err(value(format!("{other:?} is not a kind of token"))),
        }
    }
    match game.open_variations() {
        0 => Ok(()),
        open => Err(value(format!("{open} variations are not closed"))),
    }
}

/// Parses a move in UCI notation or SAN.
pub(crate) fn parse(position: &Position, name: &str) -> PyResult<Move> {
    if matches!(name, "0000" | "--") {
        return Ok(Move::NULL);
    }
    pgn::parse_san(position, name)
        .map_err(|_| value(format!("{name:?} is not a legal move in {}", position.to_fen())))
}
