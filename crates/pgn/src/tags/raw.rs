//! Finds tags and splits them into name and value. pgn §3.2 "Tags"

use super::typed::Typed;
use crate::cursor::Cursor;
use crate::known_text::KnownText;
use crate::quirk::Quirk;
use crate::scan::{find_value_end, find_word_end};

/// The longest line that is searched for a tag without quotes. Such a tag is recognised by the end
/// of its line.
const UNQUOTED: usize = 4096;

/// The longest value in odd quotes. Such a tag is recognised by the bracket on its line.
const ODDLY_QUOTED: usize = 512;

/// The longest value of several lines.
const WRAPPED: usize = 1024;

/// The longest text from the bracket of a typed tag to its quote, with some blanks.
const LONGEST_START: usize = 24;

/// The name and value of a tag as they stand in the text, and the end of the tag.
#[derive(Clone, Copy, Default)]
pub(super) struct RawTag<'a> {
    pub(super) name: &'a [u8],
    /// The name, if it is valid text without decoding.
    pub(super) name_text: Option<&'a str>,
    pub(super) typed: Option<Typed>,
    pub(super) value: &'a [u8],
    /// The value, if it is valid text without decoding.
    pub(super) text: Option<&'a str>,
    pub(super) end: usize,
    /// Whether the value may contain a backslash.
    pub(super) escaped: bool,
    pub(super) quirk: Option<Quirk>,
    /// Whether more text could change the tag.
    pub(super) unsure: bool,
}

impl RawTag<'_> {
    /// Returns whether the tag names a player, or an event and so another game.
    pub(super) fn is_player(&self) -> bool {
        matches!(self.typed, Some(Typed::White | Typed::Black | Typed::Event))
    }

    /// Returns whether the tag tells a detail of a game and never which game it is.
    pub(super) fn is_detail(&self) -> bool {
        use Typed::{BlackElo, Eco, EventDate, WhiteElo};
        matches!(self.typed, Some(WhiteElo | BlackElo | Eco | EventDate))
    }
}

/// Returns whether a tag begins here: `[`, a name, a quote. On a line of its own the quote is
/// optional.
pub(crate) fn tag_begins(cursor: &mut Cursor<'_>) -> bool {
    let (tag, sure) = looks_like_tag(cursor.rest(), cursor.at_line_start());
    cursor.hit_end |= !sure;
    tag
}

/// Returns whether a tag begins at `at` after an empty line. Such a tag ends even a comment.
pub(crate) fn tag_after_empty_line(text: &[u8], at: usize) -> bool {
    let Some((before, tag)) = text.split_at_checked(at) else { return false };
    let empty_line =
        before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n") || before.ends_with(b"\r\r");
    empty_line && tag.get(1).is_some_and(u8::is_ascii_alphabetic) && looks_like_tag(tag, false).0
}

/// Returns whether a tag begins here, and whether that is certain, whatever text follows.
pub(crate) fn looks_like_tag(text: &[u8], line_start: bool) -> (bool, bool) {
    let Some(inside) = text.strip_prefix(b"[") else { return (false, !text.is_empty()) };
    let (rest, wrapped) = skip_gap(inside);
    let name = name_length(rest);
    let (after, wrapped_again) = skip_gap(rest.get(name..).unwrap_or_default());
    let capital = rest.first().is_some_and(u8::is_ascii_uppercase);
    match after.first() {
        None => (false, false),
        Some(_) if name == 0 => (false, true),
        Some(b'"') => (true, true),
        Some(_) if wrapped || wrapped_again || !capital => (false, true),
        Some(_) if odd_quote(after).is_some() => {
            let view = after.get(..ODDLY_QUOTED).unwrap_or(after);
            match memchr::memchr3(b']', b'\n', b'\r', view) {
                Some(end) => (view.get(end) == Some(&b']'), true),
                None => (false, view.len() == ODDLY_QUOTED),
            }
        }
        Some(_) if !line_start => (false, true),
        Some(b']') => (true, true),
        Some(_) => {
            let view = after.get(..UNQUOTED).unwrap_or(after);
            let end = memchr::memchr2(b'\n', b'\r', view);
            let line = view.get(..end.unwrap_or(view.len())).unwrap_or_default();
            let too_long = end.is_none() && view.len() == UNQUOTED;
            let closed = line.trim_ascii_end().ends_with(b"]");
            (closed && !too_long, end.is_some() || too_long)
        }
    }
}

/// Skips the line if it is a part of a tag: `[PlyCou`, `Site "x"]`. Returns whether it did.
#[cold]
pub(crate) fn broken_tag(cursor: &mut Cursor<'_>) -> bool {
    let rest = cursor.rest();
    let view = rest.get(..WRAPPED).unwrap_or(rest);
    let Some(length) = memchr::memchr2(b'\n', b'\r', view) else {
        cursor.hit_end |= rest.len() < WRAPPED;
        return false;
    };
    let line = view.get(..length).unwrap_or_default().trim_ascii_end();
    let is_name =
        |text: &[u8]| text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let quote = memchr::memchr(b'"', line).unwrap_or(line.len());
    let before_quote = line.get(..quote).unwrap_or_default().trim_ascii_end();
    let is_part = match line.strip_prefix(b"[") {
        Some(name) => is_name(name),
        None => line.ends_with(b"\"]") && is_name(before_quote),
    };
    if is_part {
        cursor.advance(length);
    }
    is_part
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(blanks..).unwrap_or_default()
}

/// Skips blanks and at most one line end. Returns the rest, and whether there was a line end.
fn skip_gap(text: &[u8]) -> (&[u8], bool) {
    let rest = skip_blanks(text);
    match rest {
        [b'\r', b'\n', next @ ..] | [b'\n' | b'\r', next @ ..] => (skip_blanks(next), true),
        _ => (rest, false),
    }
}

fn gap_at(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.len().saturating_sub(skip_gap(rest).0.len())
}

/// Quotes that stand for `"`: curly, of a code page, of other languages.
const ODD_QUOTES: [&[u8]; 18] = [
    "“".as_bytes(),
    "”".as_bytes(),
    "„".as_bytes(),
    "‟".as_bytes(),
    "‘".as_bytes(),
    "’".as_bytes(),
    "″".as_bytes(),
    "＂".as_bytes(),
    "«".as_bytes(),
    "»".as_bytes(),
    b"'",
    b"`",
    b"\x84",
    b"\x93",
    b"\x94",
    b"\xab",
    b"\xbb",
    b"\"",
];

/// Returns the text after the odd quote at its start.
fn odd_quote(text: &[u8]) -> Option<&[u8]> {
    ODD_QUOTES.iter().find_map(|quote| text.strip_prefix(*quote))
}

/// Returns the text before the odd quote at its end.
fn before_odd_quote(text: &[u8]) -> Option<&[u8]> {
    ODD_QUOTES.iter().find_map(|quote| text.strip_suffix(*quote))
}

/// Returns the length of the name at the start of `text`.
fn name_length(text: &[u8]) -> usize {
    let name =
        |byte: &&u8| !matches!(byte, 0..=b' ' | b'"' | b'[' | b']' | b'{' | b'}' | b'%' | 0x7f);
    text.iter().take_while(name).count()
}

/// Parses a common tag: `[Name "value"]` without escapes. Tags usually come in the same order, so
/// the `expected` name is tried first.
#[inline]
pub(super) fn plain_tag<'a>(
    cursor: &Cursor<'a>,
    texts: &mut KnownText<'a>,
    expected: Option<Typed>,
) -> Option<RawTag<'a>> {
    let inside = cursor.rest().strip_prefix(b"[")?;
    let likely = expected.map_or("", Typed::name).as_bytes();
    let (name, typed) = match inside.split_at_checked(likely.len()) {
        Some((name, [b' ', ..])) if name == likely && expected.is_some() => (name, expected),
        _ => {
            let length = find_word_end(inside)?;
            let name = inside.get(..length).filter(|name| !name.is_empty())?;
            (name, Typed::named(name))
        }
    };
    let rest = inside.get(name.len()..)?.strip_prefix(b" \"")?;
    let (value, rest) = rest.split_at_checked(find_value_end(rest)?)?;
    if !rest.starts_with(b"\"]") {
        return None;
    }
    let name_start = cursor.at.saturating_add(1);
    let name_end = name_start.saturating_add(name.len());
    let name_text = if typed.is_none() { texts.get(name_start, name_end) } else { None };
    let start = name_end.saturating_add(2);
    let text = texts.get(start, start.saturating_add(value.len()));
    let end = name.len().saturating_add(value.len()).saturating_add(5);
    let plain = RawTag { name, name_text, typed, value, text, end, ..RawTag::default() };
    Some(plain)
}

/// Parses the tag that begins `text`. The text must [look like a tag](looks_like_tag).
pub(super) fn raw_tag(text: &[u8]) -> RawTag<'_> {
    let start = 1usize.saturating_add(gap_at(text, 1));
    let name_end = start.saturating_add(name_length(text.get(start..).unwrap_or_default()));
    let name = text.get(start..name_end).unwrap_or_default();
    let open = name_end.saturating_add(gap_at(text, name_end));
    let wrapped =
        text.get(1..open).is_some_and(|start| memchr::memchr2(b'\n', b'\r', start).is_some());
    let rest = text.get(open..).unwrap_or_default();
    let Some(value) = rest.strip_prefix(b"\"") else {
        return unquoted_tag(name, rest, open);
    };
    let value_start = open.saturating_add(1);
    let (mut read, mut unsure) = (quoted_value(value), false);
    if read.2 == Some(Quirk::UnclosedTag) && ends_line(value, read.1) {
        let line_end = read.1;
        let line = value.get(..line_end).unwrap_or_default();
        if !matches!(line.trim_ascii_end().last(), Some(b']' | b'"')) {
            match lines_of_value(value, line_end) {
                Some((lines, length)) => read = (lines, length, Some(Quirk::WrappedTag)),
                None => unsure = value.len() < WRAPPED,
            }
        } else {
            // The bracket may stand on the next line.
            let bracket = line_end.saturating_add(gap_at(value, line_end));
            if value.get(bracket) == Some(&b']') {
                read = (read.0, bracket.saturating_add(1), Some(Quirk::WrappedTag));
            }
        }
    }
    let (value, length, quirk) = read;
    let quirk = if wrapped { Some(Quirk::WrappedTag) } else { quirk };
    let end = value_start.saturating_add(length);
    RawTag { name, value, end, escaped: true, quirk, unsure, ..RawTag::default() }
}

/// Returns a value that continues on the next lines, and its length with quote and bracket.
/// `line_end` is the end of its first line. A line that begins like a tag, a comment or movetext
/// continues nothing.
#[cold]
fn lines_of_value(value: &[u8], line_end: usize) -> Option<(&[u8], usize)> {
    let view = value.get(..WRAPPED).unwrap_or(value);
    let mut start = line_end;
    loop {
        start = match view.get(start..)? {
            [b'\r', b'\n', ..] => start.saturating_add(2),
            [b'\r' | b'\n', ..] => start.saturating_add(1),
            _ => return None,
        };
        let rest = view.get(start..)?;
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line = rest.get(..length)?;
        let begins = line.trim_ascii_start();
        let number = begins.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let other = matches!(begins.first(), None | Some(b'[' | b'{' | b';' | b'%' | b'(' | b'*'));
        if other || number > 0 && begins.get(number) == Some(&b'.') {
            return None;
        }
        match memchr::memchr(b'"', line) {
            None => start = start.saturating_add(length),
            Some(quote) => {
                let after = line.get(quote.saturating_add(1)..)?;
                let bracket = memchr::memchr(b']', after)?;
                let end = start.saturating_add(quote);
                let closed = end.saturating_add(bracket).saturating_add(2);
                return ends_value(after).then_some((value.get(..end)?, closed));
            }
        }
    }
}

/// Returns whether the text after a quote is the closing bracket of its tag, before another tag,
/// movetext or the end of the line.
fn ends_value(text: &[u8]) -> bool {
    let after = text.trim_ascii_start().strip_prefix(b"]").map(<[u8]>::trim_ascii_start);
    after.is_some_and(|after| matches!(after, [] | [b'[' | b'{' | b'0'..=b'9', ..]))
}

fn unquoted_tag<'a>(name: &'a [u8], rest: &'a [u8], at: usize) -> RawTag<'a> {
    // A tag without a quote has a bracket on its line.
    let bracket = memchr::memchr(b']', rest).unwrap_or(rest.len());
    let value = rest.get(..bracket).unwrap_or_default();
    let quote = memchr::memchr(b'"', value).unwrap_or(0);
    if let Some(cut) = tag_before_quote(value.get(..quote).unwrap_or_default()) {
        let value = value.get(..cut).unwrap_or_default();
        let quirk = Some(Quirk::UnclosedTag);
        let end = at.saturating_add(cut);
        return RawTag { name, value, end, quirk, ..RawTag::default() };
    }
    let mut value = value.trim_ascii_end();
    while let Some(inner) = odd_quote(value).and_then(before_odd_quote) {
        value = inner.trim_ascii();
    }
    let end = at.saturating_add(bracket).saturating_add(1);
    let quirk = Some(Quirk::UnquotedTag);
    RawTag { name, value, end, quirk, ..RawTag::default() }
}

/// Returns the value that ends on the first line of `text`, its length with quote and bracket, and
/// its quirk. Never searches for the end of the line beyond the tag: a line can have many tags.
fn quoted_value(text: &[u8]) -> (&[u8], usize, Option<Quirk>) {
    let mut quirk = None;
    let mut at = next_special(text, 0);
    while !ends_line(text, at) {
        let rest = text.get(at..).unwrap_or_default();
        let passed = match rest {
            // A backslash before the last quote of the line belongs to the value, and the quote
            // ends it.
            [b'\\', b'"', after @ ..] if !closes_line(after) => 2,
            [b'\\', b'\\', ..] => 2,
            [b'\\', ..] => {
                quirk = quirk.or_else(|| (!escapes(rest)).then_some(Quirk::TagQuoting));
                1
            }
            _ => {
                let value = text.get(..at).unwrap_or_default();
                let start = at.saturating_add(1);
                let after = text.get(start..).unwrap_or_default();
                let next = skip_blanks(after);
                let end = start.saturating_add(after.len().saturating_sub(next.len()));
                if next.first() == Some(&b']') {
                    return (value, end.saturating_add(1), quirk);
                }
                let line_end = start.saturating_add(white_on_line(after));
                if ends_line(text, line_end) {
                    return (value, line_end, Some(Quirk::UnclosedTag));
                }
                // The bracket is missing: `[Black ""[Result "1-0"]`.
                if next.get(1).is_some_and(u8::is_ascii_uppercase) && is_tag_on_line(next) {
                    return (value, end, Some(Quirk::UnclosedTag));
                }
                // A truncated file may continue with the next game: `[Site "x[Event "y"]`.
                if let Some(cut) = tag_before_quote(value) {
                    let value = value.get(..cut).unwrap_or_default();
                    return (value, cut, Some(Quirk::UnclosedTag));
                }
                quirk = Some(Quirk::TagQuoting);
                1
            }
        };
        at = next_special(text, at.saturating_add(passed));
    }
    let value = text.get(..at).unwrap_or_default().trim_ascii_end();
    let value = value.strip_suffix(b"]").unwrap_or(value);
    (before_odd_quote(value).unwrap_or(value), at, Some(Quirk::UnclosedTag))
}

/// Returns the place of the next quote, backslash or line end, or the end of the text.
fn next_special(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let found = memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
    let before = rest.get(..found).unwrap_or_default();
    from.saturating_add(memchr::memchr(b'\r', before).unwrap_or(found)).min(text.len())
}

fn ends_line(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), None | Some(b'\n' | b'\r'))
}

fn white_on_line(text: &[u8]) -> usize {
    let white = |byte: &&u8| matches!(byte, b' ' | b'\t' | 0x0c);
    text.iter().take_while(white).count()
}

/// Returns whether a tag begins here, with its quote on the same line. `text` has a bracket and a
/// capital letter.
fn is_tag_on_line(text: &[u8]) -> bool {
    let name = text.get(1..).unwrap_or_default();
    let after = skip_blanks(name.get(name_length(name)..).unwrap_or_default());
    !ends_line(after, 0) && looks_like_tag(text, false).0
}

/// Returns the start of a tag if `text` ends with its bracket, its name (a typed tag or `FEN`) and
/// the blank before its quote.
fn tag_before_quote(text: &[u8]) -> Option<usize> {
    let start = text.len().saturating_sub(LONGEST_START);
    let bracket = start.saturating_add(memchr::memrchr(b'[', text.get(start..)?)?);
    let name = text.get(bracket.saturating_add(1)..)?;
    let blank = name.last().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    let name = name.trim_ascii();
    (blank && (name == b"FEN" || Typed::named(name).is_some())).then_some(bracket)
}

/// Returns whether the first line of `text` is only the closing bracket of a tag.
fn closes_line(text: &[u8]) -> bool {
    let after = text.get(white_on_line(text)..).and_then(|text| text.strip_prefix(b"]"));
    after.is_some_and(|after| ends_line(after, white_on_line(after)))
}

/// Returns whether a backslash here begins an escape that our writer emits.
fn escapes(text: &[u8]) -> bool {
    text.starts_with(b"\\x0a") || text.starts_with(b"\\x0d")
}
