//! A single game: for the board, as text, as bytes.

use scoresheet::chess_core::{CastlingSide, Color, Game, Move, Position, Role, Square};
use scoresheet::chess_store::Diagnostics;
use scoresheet::pgn::San;
use scoresheet::{describe, describe_warning};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::open::Games;
use crate::{Answer, failed};

/// A game for the board.
#[derive(Serialize)]
pub(crate) struct Shown {
    number: u32,
    tags: Vec<(String, String)>,
    /// The tree of moves. The first node is the start position.
    nodes: Vec<Node>,
    damage: Option<String>,
    warnings: Vec<String>,
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
    nags: Vec<u16>,
    /// The comments before the move.
    before: Vec<String>,
    comments: Vec<String>,
}

#[derive(Serialize)]
struct PlayedMove {
    san: String,
    /// The move number: `12.` or `12...`
    number: String,
    /// The squares from which and to which the piece moves.
    marks: [String; 2],
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
        nodes: nodes(&game),
        damage,
        warnings: warnings
            .map(|warning| describe_warning(games.path(), warning).to_string())
            .collect(),
    })
}

fn nodes(game: &Game) -> Vec<Node> {
    let tree = game.tree();
    // A node comes after its parent.
    let mut positions: Vec<Position> = Vec::new();
    let mut nodes = Vec::new();
    for node in tree.nodes() {
        let parent = node.parent().map(|parent| parent.number());
        let before = parent.and_then(|parent| positions.get(parent as usize));
        let before = before.copied().unwrap_or_else(|| game.start_position());
        let mut after = before;
        let played = node.played().map(|m| {
            after.apply(m);
            played_move(&before, m, &after)
        });
        positions.push(after);
        nodes.push(Node {
            parent,
            fen: after.to_fen(),
            played,
            nags: node.nags().map(|nag| nag.0).collect(),
            before: node.comments_before().map(str::to_owned).collect(),
            comments: node.comments().map(str::to_owned).collect(),
        });
    }
    nodes
}

fn played_move(before: &Position, m: Move, after: &Position) -> PlayedMove {
    let dots = if before.turn() == Color::White { "." } else { "..." };
    PlayedMove {
        san: San::between(before, m, after).as_str().to_owned(),
        number: format!("{}{dots}", before.fullmove_number()),
        marks: [m.from().to_string(), landing(before, m).to_string()],
    }
}

/// Returns the square where the moving piece ends. In a castling move the target is the rook's
/// square.
fn landing(before: &Position, m: Move) -> Square {
    let file = match before.castling_side(m) {
        Some(CastlingSide::King) => 6,
        Some(CastlingSide::Queen) => 2,
        None => return m.to(),
    };
    Square::at(file, m.from().rank()).unwrap_or(m.to())
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
    fields: Vec<Named>,
    /// The error at which the bytes can no longer be decoded.
    damage: Option<String>,
}

#[derive(Serialize)]
struct Named {
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
        fields.push(Named { file, offset, bytes: bytes.to_vec(), name, value: value.to_string() });
    });
    let damage = dumped.err().map(|error| describe(games.path(), &error).to_string());
    if fields.is_empty()
        && let Some(damage) = &damage
    {
        return Err(failed(damage));
    }
    Ok(Bytes { fields, damage })
}
