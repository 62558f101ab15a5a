//! A single game: for the board, as text, as bytes.

use scoresheet::chess_core::{self, Color, Game, Move, Position, Replay, Role, Square, Token};
use scoresheet::chess_store::Diagnostics;
use scoresheet::openings::Opening;
use scoresheet::pgn::San;
use scoresheet::{describe, describe_warning};
use serde::Serialize;
use serve::{OpeningName, PlayedMove, landing};
use wasm_bindgen::prelude::*;

use crate::open::Games;
use crate::{Answer, failed};

/// The number of positions that are shown at once. A longer game is shown in parts.
const SHOWN_AT_ONCE: u32 = 4000;

/// A game for the board.
#[derive(Serialize)]
pub(crate) struct Shown {
    number: u32,
    tags: Vec<(String, String)>,
    /// The name that the moves have.
    opening: Option<OpeningName>,
    #[serde(flatten)]
    part: Part,
    damage: Option<String>,
    warnings: Vec<String>,
}

/// Some positions of a game.
#[derive(Serialize)]
pub(crate) struct Part {
    /// The index of the first of `nodes` in the tree of moves.
    first: u32,
    /// The number of positions of the game.
    total: u32,
    /// The index of the last position of the main line.
    last: u32,
    /// The tree of moves. The first node of all is the start position.
    nodes: Vec<Node>,
}

/// A position of the game, with the move that led to it.
#[derive(Serialize)]
struct Node {
    /// The index of the node before it. `None` for the start position.
    parent: Option<u32>,
    /// The position as a FEN.
    fen: String,
    /// The move. `None` for the start position.
    #[serde(flatten)]
    played: Option<PlayedMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningName>,
    nags: Vec<u16>,
    /// The comments before the move.
    before: Vec<String>,
    comments: Vec<String>,
}

/// Reads a game, which may be damaged.
fn load(
    games: &Games,
    number: u32,
    into: &mut Game,
    notes: &mut Diagnostics,
) -> Result<Option<String>, JsError> {
    let none = || JsError::new("there is no such game");
    let database = games.database().ok_or_else(none)?;
    let number = u64::from(number).checked_sub(1).filter(|number| *number < database.len());
    let number = number.ok_or_else(none)?;
    let read = database.reader().game(number, into, notes);
    let damage = read.err().map(|error| describe(games.path(), &error).to_string());
    let is_last = number.saturating_add(1) == database.len();
    // The last game before the break may be incomplete.
    let cut = games.broken().filter(|_| is_last);
    Ok(damage
        .or_else(|| cut.map(|why| format!("the file breaks off in this game or after it: {why}"))))
}

pub(crate) fn read(games: &Games, number: u32) -> Result<Shown, JsError> {
    let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
    let damage = load(games, number, &mut game, &mut notes)?;
    let mut tags = Vec::new();
    game.header.for_each_tag(|name, value| tags.push((name.to_owned(), value.to_string())));
    let warnings = notes.warnings().iter();
    Ok(Shown {
        number,
        tags,
        opening: Opening::of(&game).map(OpeningName::from),
        part: part(&game, 0),
        damage,
        warnings: warnings
            .map(|warning| describe_warning(games.path(), warning).to_string())
            .collect(),
    })
}

/// Returns the part of a game around the position `at`.
pub(crate) fn moves(games: &Games, number: u32, at: u32) -> Result<Part, JsError> {
    let mut game = Game::new();
    load(games, number, &mut game, &mut Diagnostics::lenient())?;
    Ok(part(&game, at.saturating_sub(SHOWN_AT_ONCE / 2)))
}

fn part(game: &Game, first: u32) -> Part {
    let tree = game.tree();
    let moves = game.tokens().filter(|token| matches!(token, Token::Move(_))).count();
    let total = u32::try_from(moves).unwrap_or(u32::MAX).saturating_add(1);
    let first = first.min(total.saturating_sub(SHOWN_AT_ONCE));
    let end = first.saturating_add(SHOWN_AT_ONCE);
    let last = tree.main_line().last().map_or(0, |node| node.number());
    let start = game.start_position();
    let mut nodes = Vec::new();
    if first == 0 {
        nodes.extend(tree.node(0).map(|root| node(&root, &start, None)));
    }
    // Nodes are numbered in the order of their tokens.
    let (mut replay, mut number) = (Replay::new(game), 0u32);
    for token in game.tokens() {
        let Token::Move(m) = token else {
            replay.step(token);
            continue;
        };
        number = number.saturating_add(1);
        if number >= end {
            break;
        }
        let before = (number >= first).then(|| *replay.position());
        replay.step(token);
        if let Some((before, own)) = before.zip(tree.node(number)) {
            let after = replay.position();
            let turn = u32::from(start.turn() == Color::Black);
            let half = own.ply().saturating_sub(1).saturating_add(turn);
            let fullmove = u32::from(start.fullmove_number()).saturating_add(half / 2);
            nodes.push(node(&own, after, Some(PlayedMove::new(&before, m, after, fullmove))));
        }
    }
    Part { first, total, last, nodes }
}

fn node(of: &chess_core::Node<'_, '_>, position: &Position, played: Option<PlayedMove>) -> Node {
    Node {
        parent: of.parent().map(|parent| parent.number()),
        fen: position.to_fen(),
        played,
        opening: Opening::at(position).map(OpeningName::from),
        nags: of.nags().map(|nag| nag.0).collect(),
        before: of.comments_before().map(str::to_owned).collect(),
        comments: of.comments().map(str::to_owned).collect(),
    }
}

#[derive(Serialize)]
pub(crate) struct Played {
    fen: String,
    san: String,
}

pub(crate) fn play(position: &Position, from_to: &str) -> Option<Played> {
    let asked = |m: &Move| {
        let promotes = m.promotion().map_or("", |role| match role {
            Role::Knight => "n",
            Role::Bishop => "b",
            Role::Rook => "r",
            _ => "q",
        });
        let written = |to: Square| format!("{}{to}{promotes}", m.from()) == from_to;
        written(m.to()) || written(landing(position, *m))
    };
    let m = position.legal_moves().iter().copied().find(asked)?;
    let mut after = *position;
    after.apply(m);
    let san = San::between(position, m, &after).as_str().to_owned();
    Some(Played { fen: after.to_fen(), san })
}

pub(crate) fn pgn(games: &Games, number: u32) -> Answer {
    let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
    load(games, number, &mut game, &mut notes)?;
    Ok(scoresheet::pgn::to_string(&game))
}

/// The bytes of a game.
#[derive(Serialize)]
pub(crate) struct Bytes {
    fields: Vec<NamedField>,
    /// The error at which the bytes can no longer be decoded.
    damage: Option<String>,
}

#[derive(Serialize)]
struct NamedField {
    file: &'static str,
    offset: u64,
    bytes: Vec<u8>,
    name: &'static str,
    value: String,
}

pub(crate) fn dump(games: &Games, number: u32) -> Result<Bytes, JsError> {
    let none = || JsError::new("there is no such game");
    let database = games.database().ok_or_else(none)?;
    let number = u64::from(number).checked_sub(1).filter(|number| *number < database.len());
    let mut fields = Vec::new();
    let dumped = database.reader().dump(number.ok_or_else(none)?, &mut |field| {
        let scoresheet::Field { file, offset, bytes, name, value, .. } = field;
        fields.push(NamedField {
            file,
            offset,
            bytes: bytes.to_vec(),
            name,
            value: value.to_string(),
        });
    });
    let damage = dumped.err().map(|error| describe(games.path(), &error).to_string());
    if fields.is_empty()
        && let Some(damage) = &damage
    {
        return Err(failed(damage));
    }
    Ok(Bytes { fields, damage })
}
