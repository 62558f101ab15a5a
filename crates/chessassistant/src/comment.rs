//! Comments: the meanings of their types, and the tags for comments that are not text.
//!
//! In the model a comment is text. An engine evaluation becomes `[%eval 0.34]`. A comment of
//! unknown meaning becomes `[%caraw TYPE HEX]`. Text may follow both.

use std::fmt::Write as _;

use crate::header::canonical;
use crate::layout::{
    DIAGRAM_AFTER, DIAGRAM_BEFORE, ENGINE_EVAL, EVAL_CAP, EVAL_TAIL, SYMBOL_AFTER, SYMBOL_BEFORE,
    TEXT_AFTER, TEXT_BEFORE, UNKNOWN_233,
};
use crate::symbols::nag_of;

/// A comment, decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning<'a> {
    /// Text on the move before it or, if `before`, on the move after it.
    Text { text: &'a [u8], before: bool },
    /// A glyph for a move.
    Symbol { nag: u16, before: bool },
    /// A diagram of the position before or after the move.
    Diagram { before: bool },
    /// Centipawns, positive for White, and whether the comment contains `CAP`.
    Eval { centipawns: i16, cap: bool },
    /// Anything else: type and content.
    Raw(u8, &'a [u8]),
}

// chessassistant §9.1 "Types"
pub(crate) fn meaning(kind: u8, content: &[u8]) -> Meaning<'_> {
    match (kind, content) {
        (TEXT_AFTER | TEXT_BEFORE, text) => Meaning::Text { text, before: kind == TEXT_BEFORE },
        (SYMBOL_AFTER | SYMBOL_BEFORE, [symbol]) if nag_of(*symbol).is_some() => {
            let nag = nag_of(*symbol).unwrap_or_default();
            Meaning::Symbol { nag, before: kind == SYMBOL_BEFORE }
        }
        (DIAGRAM_AFTER | DIAGRAM_BEFORE, []) => Meaning::Diagram { before: kind == DIAGRAM_BEFORE },
        (ENGINE_EVAL, [low, high, tail @ ..]) if tail == EVAL_TAIL || is_cap(tail) => {
            let centipawns = i16::from_le_bytes([*low, *high]);
            Meaning::Eval { centipawns, cap: tail != EVAL_TAIL }
        }
        _ => Meaning::Raw(kind, content),
    }
}

fn is_cap(tail: &[u8]) -> bool {
    tail.strip_prefix(&EVAL_TAIL) == Some(EVAL_CAP)
}

/// Appends `[%eval -0.30]`.
// chessassistant §9.3 "Evaluations"
pub(crate) fn put_eval(centipawns: i16, cap: bool, out: &mut String) {
    let sign = if centipawns < 0 { "-" } else { "" };
    let pawns = centipawns.unsigned_abs();
    // Writing to a String cannot fail.
    let _ = write!(out, "[%eval {sign}{}.{:02}]", pawns / 100, pawns % 100);
    if cap {
        out.push_str(" [%cap]");
    }
}

/// Appends `[%caraw 21 00ff]`.
// chessassistant §9.4 "Raw tags"
pub(crate) fn put_raw(kind: u8, content: &[u8], out: &mut String) {
    let _ = write!(out, "[%caraw {kind}");
    if !content.is_empty() {
        out.push(' ');
    }
    for byte in content {
        let _ = write!(out, "{byte:02x}");
    }
    out.push(']');
}

/// A part of a comment as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part<'a> {
    /// A comment of this type and content.
    Typed(u8, Vec<u8>),
    /// Code 233 and its byte.
    Unknown233(u8),
    /// The text up to the end.
    Text(&'a str),
}

/// Takes the first part of a comment's text. This is a tag in exactly the form that the reader
/// writes, followed by one space or the end of the text. Otherwise it is all remaining text.
pub(crate) fn split_part(text: &str) -> (Part<'_>, Option<&str>) {
    match parse_tag(text) {
        Some((part, "")) => (part, None),
        Some((part, rest)) if rest.starts_with(' ') => (part, rest.get(1..)),
        _ => (Part::Text(text), None),
    }
}

fn parse_tag(text: &str) -> Option<(Part<'_>, &str)> {
    parse_eval(text).or_else(|| parse_raw(text))
}

fn parse_eval(text: &str) -> Option<(Part<'_>, &str)> {
    let body = text.strip_prefix("[%eval ")?;
    let (number, _) = body.split_once(']')?;
    let (pawns, cents) = number.split_once('.')?;
    let digits = |text: &str| text.parse::<u32>().ok();
    let size = digits(pawns.trim_start_matches('-'))?.checked_mul(100)?.checked_add(digits(cents)?);
    let sign = if pawns.starts_with('-') { -1 } else { 1 };
    let centipawns = i64::from(size?).checked_mul(sign)?;
    let centipawns = i16::try_from(centipawns).ok()?;
    // Text that would be printed differently stays text.
    for cap in [true, false] {
        let mut printed = String::new();
        put_eval(centipawns, cap, &mut printed);
        if let Some(rest) = text.strip_prefix(printed.as_str())
            && (rest.is_empty() || rest.starts_with(' '))
        {
            let mut content = centipawns.to_le_bytes().to_vec();
            content.extend_from_slice(&EVAL_TAIL);
            if cap {
                content.extend_from_slice(EVAL_CAP);
            }
            return Some((Part::Typed(ENGINE_EVAL, content), rest));
        }
    }
    None
}

fn parse_raw(text: &str) -> Option<(Part<'_>, &str)> {
    let body = text.strip_prefix("[%caraw ")?;
    let (body, rest) = body.split_once(']')?;
    let (kind, hex) = match body.split_once(' ') {
        Some((kind, hex)) if !hex.is_empty() => (kind, hex),
        Some(_) => return None,
        None => (body, ""),
    };
    let kind: u8 = canonical(kind)?;
    let content = parse_hex(hex)?;
    let part = match (kind, content.as_slice()) {
        (UNKNOWN_233, [byte]) => Part::Unknown233(*byte),
        (UNKNOWN_233, _) => return None,
        _ => Part::Typed(kind, content),
    };
    Some((part, rest))
}

fn parse_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte & 15),
        b'a'..=b'f' => Some((byte & 15).wrapping_add(9)),
        _ => None,
    };
    let (pairs, odd) = hex.as_bytes().as_chunks();
    if !odd.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_types_give_contents() {
        assert_eq!(meaning(4, b"hi"), Meaning::Text { text: b"hi", before: false });
        assert_eq!(meaning(2, &[1]), Meaning::Symbol { nag: 1, before: false });
        assert_eq!(meaning(2, &[220]), Meaning::Raw(2, &[220]));
        assert_eq!(meaning(3, &[1, 2]), Meaning::Raw(3, &[1, 2]));
        assert_eq!(meaning(9, &[]), Meaning::Diagram { before: true });
        let eval = [0xe2, 0xff, 0xff, 0x00]; // -30, then FF 00
        assert_eq!(meaning(29, &eval), Meaning::Eval { centipawns: -30, cap: false });
        let cap = [0x00, 0x80, 0xff, 0x00, b'C', b'A', b'P'];
        assert_eq!(meaning(29, &cap), Meaning::Eval { centipawns: i16::MIN, cap: true });
        assert_eq!(meaning(29, &[0, 0, 12, 0]), Meaning::Raw(29, &[0, 0, 12, 0]));
        assert_eq!(meaning(21, &[]), Meaning::Raw(21, &[]));
    }

    #[test]
    fn tags_are_read_as_they_are_printed_and_no_other_way() {
        let parts = |text| split_part(text);
        let eval = |content: &[u8]| Part::Typed(29, content.to_vec());
        assert_eq!(parts("[%eval -0.30]"), (eval(&[0xe2, 0xff, 0xff, 0]), None));
        assert_eq!(
            parts("[%eval -327.68] [%cap]"),
            (eval(&[0, 0x80, 0xff, 0, b'C', b'A', b'P']), None)
        );
        assert_eq!(parts("[%eval 0.34] fine"), (eval(&[0x22, 0, 0xff, 0]), Some("fine")));
        assert_eq!(parts("[%caraw 21 00ff] x"), (Part::Typed(21, vec![0, 0xff]), Some("x")));
        assert_eq!(parts("[%caraw 7]"), (Part::Typed(7, vec![]), None));
        assert_eq!(parts("[%caraw 233 07]"), (Part::Unknown233(7), None));
        for text in [
            "[%eval #3] mate",
            "[%eval 0.3]",
            "[%eval -0.00]",
            "[%eval +1.00]",
            "[%eval 327.68]",
            "[%eval 0.34]x",
            "[%caraw 7 ]",
            "[%caraw 07 00]",
            "[%caraw 300]",
            "[%caraw 7 0F]",
            "[%caraw 7 0]",
            "[%caraw 233 0707]",
            "x [%eval 0.34]",
            "",
        ] {
            assert_eq!(parts(text), (Part::Text(text), None));
        }
    }
}
