//! JSON lines.

use std::io::{self, Write};
use std::path::Path;

use pages::clean::is_command;
use scoresheet::chess_store::{AnyError, Location, Warning};
use scoresheet::{Loss, LossKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Writes a value and a line feed. Besides what JSON requires, it escapes every character that acts
/// [as a command](is_command) on a terminal.
pub(crate) fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value).map_err(io::Error::other)?;
    let mut line = String::with_capacity(text.len().saturating_add(1));
    for letter in text.chars() {
        if is_command(letter) {
            // The character is inside a string, and fits the 16 bits of one escape.
            line.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            line.push(letter);
        }
    }
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// A finding about a game or about the base as a whole: its place, and one of the kinds below.
pub(crate) fn finding(path: &Path, game: Option<u64>, kind: &str, more: Value) -> Value {
    let mut object = Map::new();
    object.insert("base".into(), path.display().to_string().into());
    if let Some(game) = game {
        object.insert("game".into(), (game + 1).into());
    }
    object.insert("kind".into(), kind.into());
    if let Value::Object(more) = more {
        object.extend(more);
    }
    Value::Object(object)
}

/// The members of an error.
pub(crate) fn error(error: &AnyError) -> Value {
    let mut members = place(error.location());
    members.insert("message".into(), error.message().to_string().into());
    Value::Object(members)
}

/// The members of a warning.
pub(crate) fn warning(warning: &Warning) -> Value {
    let mut members = place(warning.at);
    members.insert("name".into(), warning.name.into());
    members.insert("message".into(), warning.message.into());
    Value::Object(members)
}

/// The members of a loss.
pub(crate) fn loss(loss: &Loss) -> Value {
    json!({
        "loss": loss.kind.name(),
        "detail": loss.detail,
        "ply": loss.ply.map(|ply| ply.saturating_add(1)),
    })
}

/// The members that stand for `count` deviations of one name that have no line of their own.
pub(crate) fn unlisted_warnings(name: &str, message: &str, count: u64) -> Value {
    json!({ "name": name, "message": message, "more": count })
}

/// The members that stand for `count` losses of one kind that have no line of their own.
pub(crate) fn unlisted_losses(kind: LossKind, count: u64) -> Value {
    json!({ "loss": kind.name(), "detail": "", "ply": null, "more": count })
}

fn place(at: Location) -> Map<String, Value> {
    let mut members = Map::new();
    if !at.file.is_empty() {
        members.insert("file".into(), at.file.into());
    }
    let counted = |value: Option<u64>| value.map(|value| value.saturating_add(1));
    let numbers = [
        ("line", counted(at.line)),
        ("column", counted(at.column)),
        ("byte", at.offset),
        ("ply", counted(at.ply.map(u64::from))),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            members.insert(name.into(), value.into());
        }
    }
    members
}
