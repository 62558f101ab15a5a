//! Builds games from tags and tokens.

use std::collections::HashSet;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use scoresheet::chess_core::{Game as Inner, Move, Nag, Position, Replay, Token};
use scoresheet::pgn;

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
        (built.number, built.source, built.damage) = (None, None, None);
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
        let known =
            game.into_iter().flat_map(|game| game.inner.tokens()).filter_map(|token| match token {
                Token::Move(m) => Some(m.bits()),
                _ => None,
            });
        let known: HashSet<u16> = known.collect();
        push(&mut built.inner, Replay::on(start, true), &tokens, &known)?;
    }
    Ok(built)
}

fn is_tag_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.len() <= 255 && name.bytes().all(is_part)
}

fn push(
    game: &mut Inner,
    mut replay: Replay,
    tokens: &[Bound<'_, PyTuple>],
    known: &HashSet<u16>,
) -> PyResult<()> {
    for token in tokens {
        let kind: String = token.get_item(0)?.extract()?;
        match kind.as_str() {
            "move" => {
                let name: String = token.get_item(1)?.extract()?;
                let m = parse(replay.position(), &name).or_else(|error| {
                    let illegal = name.parse::<Move>().ok();
                    illegal.filter(|m| known.contains(&m.bits())).ok_or(error)
                })?;
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
