//! A game as one line of JSON: the language-neutral form of the test vectors (docs/model.md).

use alloc::string::{String, ToString};
use core::fmt::Write as _;

use crate::game::{Game, Token};

/// Appends the canonical JSON of a game to `out`, without a line break.
///
/// `{"tags":[["Event","..."],...],"fen":"..."|null,"line":["e2e4","$1",{"comment":"..."},"(",...,")"]}`:
/// tags as [`Header::for_each_tag`](crate::Header::for_each_tag) gives them, moves as
/// [`Move`](crate::Move) displays.
pub fn write_json(game: &Game, out: &mut String) {
    out.push_str("{\"tags\":[");
    let mut comma = "";
    game.header.for_each_tag(|name, value| {
        let _ = write!(out, "{comma}[{},{}]", quote(name), quote(&value.to_string()));
        comma = ",";
    });
    out.push_str("],\"fen\":");
    match game.setup() {
        Some(setup) => out.push_str(&quote(setup.fen())),
        None => out.push_str("null"),
    }
    out.push_str(",\"line\":[");
    comma = "";
    for token in game.tokens() {
        out.push_str(comma);
        comma = ",";
        let _ = match token {
            Token::Move(m) => write!(out, "\"{m}\""),
            Token::Nag(nag) => write!(out, "\"{nag}\""),
            Token::Comment(text) => write!(out, "{{\"comment\":{}}}", quote(text)),
            Token::VariationStart => write!(out, "\"(\""),
            Token::VariationEnd => write!(out, "\")\""),
        };
    }
    out.push_str("]}");
}

/// Appends the canonical JSON of a game that did not read to its end: what is wrong, and what could
/// be read before it.
///
/// `{"error":"...","game":{...}}`
pub fn write_damaged_json(game: &Game, error: &dyn core::fmt::Display, out: &mut String) {
    out.push_str("{\"error\":");
    out.push_str(&quote(&error.to_string()));
    out.push_str(",\"game\":");
    write_json(game, out);
    out.push('}');
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
