//! Dumps every code of a game as a named field.

use chess_core::{Game, Token};
use chess_store::{Diagnostics, Field, FieldWriter, Location};

use crate::codes::{Code, UnitMove};
use crate::decode::{DecodeOptions, Decoder, GameCode, Step};
use crate::error::Error;
use crate::text::{Texts, decode_text};

/// Emits every code and text of a game as fields of `file`, starting at `offset`.
///
/// # Errors
/// Damaged codes, after the fields before the damage were emitted.
pub fn dump_game(
    from: &GameCode<'_>,
    options: &DecodeOptions,
    at: Location,
    each: &mut dyn FnMut(Field),
) -> Result<(), Error> {
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    let mut decoder = Decoder::new(from, &mut game, options, &mut diagnostics, at)?;
    let start = at.offset.unwrap_or(0);
    while let Some(Step { offset, length, code }) = decoder.step()? {
        let end = offset.saturating_add(length);
        let tokens = decoder.game.tokens().len();
        let last = tokens.checked_sub(1).and_then(|last| decoder.game.token(last));
        let (name, value) = describe(code, last);
        each(Field::new(
            at.file,
            start.saturating_add(offset as u64),
            from.code.get(offset..end).unwrap_or_default(),
            name,
            value,
        ));
    }
    decoder.finish()
}

/// Emits every text of a comment stream.
pub fn dump_comments(
    comments: &[u8],
    options: &DecodeOptions,
    at: Location,
    each: &mut dyn FnMut(Field),
) {
    let mut texts = Texts::new(comments);
    let mut out = FieldWriter::new(at.file, at.offset.unwrap_or(0), each);
    while let Some(text) = texts.next() {
        let mut bytes = text.bytes.to_vec();
        if text.ended {
            bytes.push(0);
        }
        let value = format!("{:?}", decode_text(text.bytes, options.encoding).0);
        out.field(&bytes, "text", value);
    }
}

fn describe(code: Code, last: Option<Token<'_>>) -> (&'static str, String) {
    let shown = match last {
        Some(Token::Move(m)) => m.to_string(),
        Some(Token::Nag(nag)) => nag.to_string(),
        Some(Token::Comment(text)) => format!("{text:?}"),
        _ => String::new(),
    };
    match code {
        Code::Move(UnitMove { unit, as_pawn, promotion, .. }) => {
            let Some(slot) = unit.pawn_slot() else { return ("move", shown) };
            let name = match (as_pawn, promotion) {
                (true, None) => "pawn move",
                (true, Some(_)) => "promotion",
                (false, _) => "move of promoted piece",
            };
            (name, format!("slot {slot}, {shown}"))
        }
        Code::Castle(_) => ("castling", shown),
        Code::Null => ("null move", shown),
        Code::Nag(_) => ("NAG", shown),
        Code::Result(result) => ("result", result.to_string()),
        Code::Text(0) => ("comment", shown),
        Code::Text(_) => ("import error", shown),
        Code::VariationStart => ("variation start", String::new()),
        Code::VariationEnd => ("variation end", String::new()),
        Code::Nothing => ("reserved", String::new()),
        Code::End => ("end", String::new()),
    }
}
