//! Encodes and decodes comments and tag values.
//!
//! PGN cannot represent every text. A few escapes, `\x` and two hexadecimal digits, represent the
//! rest. Only the escapes listed here are special; any other backslash in a comment is literal.

use crate::line::{Lines, WIDTH};

/// The bytes that can be escaped in a comment: a carriage return, `%`, `[`, `\` and `}`. pgn §3.4
/// "Comments"
const COMMENT_ESCAPES: [u8; 5] = [b'\r', b'%', b'[', b'\\', b'}'];

/// Appends a byte as an escape.
#[cold]
fn push_escape(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |value: u8| DIGITS.get(usize::from(value & 15)).copied().unwrap_or(b'0');
    out.extend_from_slice(&[b'\\', b'x', digit(byte >> 4), digit(byte)]);
}

/// Returns the byte represented by the escape at the start of `text`.
fn escape_value(text: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = text else { return None };
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte & 15),
        b'a'..=b'f' => Some(byte.wrapping_sub(b'a').wrapping_add(10)),
        _ => None,
    };
    Some(digit(*high)? << 4 | digit(*low)?)
}

fn comment_escape(text: &[u8]) -> Option<u8> {
    escape_value(text).filter(|byte| COMMENT_ESCAPES.contains(byte))
}

/// Appends a comment in braces, wrapped. pgn §3.4 "Comments"
///
/// A line break replaces only a single space between two words. A line feed in the text is written
/// as an empty line, so that [`decode_comment`] can distinguish the two.
pub(crate) fn encode_comment(text: &str, lines: &mut Lines<'_>) {
    let bytes = text.as_bytes();
    let plain = memchr::memchr3(b'}', b'\\', b'\n', bytes).is_none()
        && memchr::memchr(b'\r', bytes).is_none();
    if plain && bytes.len() < WIDTH.saturating_sub(1) && text.is_ascii() {
        let width = bytes.len().saturating_add(2);
        let fits = lines.column.saturating_add(width) < WIDTH;
        if fits || memchr::memchr(b' ', bytes).is_none() {
            lines.separate(width);
            lines.out.push(b'{');
            lines.out.extend_from_slice(bytes);
            lines.out.push(b'}');
            lines.column = lines.column.saturating_add(width);
            return;
        }
    }
    let mut rest = bytes;
    let mut first = true;
    loop {
        let (chunk, after) = split_at_break(rest);
        let braces = usize::from(first).saturating_add(usize::from(after.is_none()));
        let width = head_width(chunk).saturating_add(braces);
        lines.separate(width);
        if first {
            push_char(b'{', lines);
            first = false;
        }
        encode_chunk(chunk, lines);
        match after {
            Some(after) => rest = after,
            None => break,
        }
    }
    push_char(b'}', lines);
}

/// Splits a text at the first space that a line break may replace. The characters on both sides are
/// not white space, and the second is not `%`, which would hide the line.
fn split_at_break(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    for at in memchr::memchr_iter(b' ', text) {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at..));
        let after = after.and_then(|after| after.get(1..)).unwrap_or_default();
        let outside = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\n'));
        if !outside(before.last()) && !outside(after.first()) && after.first() != Some(&b'%') {
            return (before, Some(after));
        }
    }
    (text, None)
}

/// Returns the number of characters of a chunk that fit on its first line.
fn head_width(chunk: &[u8]) -> usize {
    let head = match memchr::memchr(b'\n', chunk) {
        Some(end) => chunk.get(..end).unwrap_or_default(),
        None => chunk,
    };
    head.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

fn push_char(byte: u8, lines: &mut Lines<'_>) {
    lines.out.push(byte);
    lines.column = lines.column.saturating_add(1);
}

fn encode_chunk(chunk: &[u8], lines: &mut Lines<'_>) {
    let mut rest = chunk;
    let mut line_start = false;
    while let [byte, after @ ..] = rest {
        let escaped = match byte {
            b'\n' => {
                // A run of n line feeds is written as n + 1.
                lines.out.extend_from_slice(if line_start { b"\n" } else { b"\n\n" });
                lines.column = 0;
                line_start = true;
                rest = after;
                continue;
            }
            b'}' | b'\r' => true,
            b'\\' => comment_escape(rest).is_some(),
            b'%' => line_start,
            b'[' => line_start && after.first().is_some_and(u8::is_ascii_alphabetic),
            _ => false,
        };
        if escaped {
            push_escape(*byte, lines.out);
            lines.column = lines.column.saturating_add(4);
        } else {
            lines.out.push(*byte);
            if *byte & 0xc0 != 0x80 {
                lines.column = lines.column.saturating_add(1);
            }
        }
        line_start = false;
        rest = after;
    }
}

/// Reverses [`encode_comment`]: appends the text between two braces to `out`.
///
/// A line break becomes a space, or nothing beside a brace. A run of n line breaks becomes n - 1
/// line feeds. A line break is LF, CR or CR LF.
pub(crate) fn decode_comment(mut text: &[u8], out: &mut Vec<u8>) {
    let whole = text.len();
    while let Some(at) = memchr::memchr3(b'\n', b'\r', b'\\', text) {
        let (plain, special) = text.split_at_checked(at).unwrap_or((text, &[]));
        out.extend_from_slice(plain);
        if special.first() == Some(&b'\\') {
            let escape = comment_escape(special);
            out.push(escape.unwrap_or(b'\\'));
            text = special.get(if escape.is_some() { 4 } else { 1 }..).unwrap_or_default();
            continue;
        }
        let (breaks, rest) = count_breaks(special);
        match breaks {
            0 | 1 if rest.is_empty() || special.len() == whole => {}
            0 | 1 => out.push(b' '),
            more => out.resize(out.len().saturating_add(more).saturating_sub(1), b'\n'),
        }
        text = rest;
    }
    out.extend_from_slice(text);
}

/// Returns the number of line breaks at the start of the text, and the text after them.
fn count_breaks(mut text: &[u8]) -> (usize, &[u8]) {
    let mut count = 0usize;
    loop {
        text = match text {
            [b'\r', b'\n', rest @ ..] | [b'\r' | b'\n', rest @ ..] => rest,
            _ => return (count, text),
        };
        count = count.saturating_add(1);
    }
}

/// Appends a tag's value in quotes. pgn §3.2 "Tags"
#[inline]
pub(crate) fn encode_value(value: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    // Scans the whole value, several bytes at a time.
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    if value.iter().fold(false, |any, byte| any | is_special(byte)) {
        for byte in value {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
                b'\n' | b'\r' => push_escape(*byte, out),
                _ => out.push(*byte),
            }
        }
    } else {
        out.extend_from_slice(value);
    }
    out.push(b'"');
}

/// Reverses [`encode_value`]: appends the text between the quotes to `out`. A backslash that starts
/// no escape is literal.
pub(crate) fn decode_value(mut text: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = memchr::memchr(b'\\', text) {
        let (plain, special) = text.split_at_checked(at).unwrap_or((text, &[]));
        out.extend_from_slice(plain);
        let (byte, length) = match special {
            [_, byte @ (b'"' | b'\\'), ..] => (*byte, 2),
            _ => match escape_value(special) {
                Some(byte @ (b'\n' | b'\r')) => (byte, 4),
                _ => (b'\\', 1),
            },
        };
        out.push(byte);
        text = special.get(length..).unwrap_or_default();
    }
    out.extend_from_slice(text);
}

/// Returns whether a byte can stand in a tag name unescaped. The standard allows letters, digits
/// and `_`. The reader accepts every byte that does not end the name, and the writer writes the
/// same bytes.
const fn is_name_byte(byte: u8) -> bool {
    !matches!(byte, 0..=b' ' | b'"' | b'[' | b']' | b'\\' | b'{' | b'}' | b'%' | 0x7f)
}

/// Appends a tag's name. pgn §3.2 "Tags": bytes that a name cannot contain are escaped, and the
/// empty name is written `\x`.
#[inline]
pub(crate) fn encode_name(name: &[u8], out: &mut Vec<u8>) {
    if name.is_empty() {
        out.extend_from_slice(b"\\x");
    } else if name.iter().copied().all(is_name_byte) {
        out.extend_from_slice(name);
    } else {
        for byte in name {
            if is_name_byte(*byte) {
                out.push(*byte);
            } else {
                push_escape(*byte, out);
            }
        }
    }
}

/// Reverses [`encode_name`].
pub(crate) fn decode_name(mut text: &[u8], out: &mut Vec<u8>) {
    if text == b"\\x" {
        return;
    }
    while let Some(at) = memchr::memchr(b'\\', text) {
        let (plain, special) = text.split_at_checked(at).unwrap_or((text, &[]));
        out.extend_from_slice(plain);
        let escape = escape_value(special);
        out.push(escape.unwrap_or(b'\\'));
        text = special.get(if escape.is_some() { 4 } else { 1 }..).unwrap_or_default();
    }
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> String {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        lines.token(b"12.");
        encode_comment(text, &mut lines);
        String::from_utf8(out).unwrap()
    }

    fn comment_on_one_line(text: &str) -> String {
        let mut out = Vec::new();
        let mut lines = Lines::endless(&mut out);
        lines.token(b"12.");
        encode_comment(text, &mut lines);
        String::from_utf8(out).unwrap()
    }

    fn read_back(encoded: &str) -> String {
        let inner = encoded.strip_prefix("12.").unwrap();
        let inner = inner.trim_start_matches([' ', '\n']).strip_prefix('{').unwrap();
        let inner = inner.strip_suffix('}').unwrap();
        assert!(!inner.contains('}'), "{encoded:?}");
        let mut out = Vec::new();
        decode_comment(inner.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn encode_comment_round_trip_is_equal() {
        let long = "word ".repeat(60);
        let wide = "Ä  ö   ".repeat(30);
        let unbroken = "x".repeat(300);
        for text in [
            "",
            " ",
            "  ",
            "good",
            " padded ",
            "a } b",
            "}",
            "}}",
            "\\",
            "\\x7d",
            "\\x5cx7d",
            "\\x41",
            "two\nlines",
            "\n",
            "\n\n",
            "a\n\n\nb",
            "a\r\nb",
            "\r",
            "a \n b",
            "a\n%b",
            "a\n[Event \"x\"]",
            "% at the start",
            "{ {",
            "tab\there",
            "日本の将棋",
            "\u{feff}",
            "\0",
            &long,
            &wide,
            &unbroken,
            &format!("{unbroken} {unbroken}"),
            &"a %b ".repeat(40),
            &"a\n b ".repeat(40),
            &"} ".repeat(90),
        ] {
            let encoded = comment(text);
            assert_eq!(read_back(&encoded), text, "{encoded:?}");
            assert!(!encoded.contains("\n%"), "{encoded:?}");
            let line = comment_on_one_line(text);
            assert_eq!(read_back(&line), text, "{line:?}");
            assert_eq!(line.contains('\n'), text.contains('\n'), "{line:?}");
        }
    }

    #[test]
    fn encode_comment_wraps_at_single_spaces() {
        let encoded = comment(&"four ".repeat(40));
        assert!(encoded.lines().all(|line| line.chars().count() <= WIDTH), "{encoded}");
        assert_eq!(encoded.lines().count(), 3);
        assert_eq!(comment("a  b"), "12. {a  b}");
        assert_eq!(comment("a } b"), "12. {a \\x7d b}");
        assert_eq!(comment("two\nlines"), "12. {two\n\nlines}");
    }

    #[test]
    fn decode_comment_all_line_breaks_are_read() {
        let mut out = Vec::new();
        decode_comment(b"\r\na\r\nb\rc\nd\r\n\r\ne\r\rf\n", &mut out);
        assert_eq!(out, b"a b c d\ne\nf");
    }

    #[test]
    fn encode_value_and_name_round_trip_is_equal() {
        for text in ["", "plain", "a \"b\" \\ c", "\\", "\"", "a\r\nb", "\\x0a", "Ö ]", "\t\0"] {
            let (mut out, mut back) = (Vec::new(), Vec::new());
            encode_value(text.as_bytes(), &mut out);
            assert!(!out.contains(&b'\n'));
            decode_value(&out[1..out.len() - 1], &mut back);
            assert_eq!(back, text.as_bytes());
            out.clear();
            back.clear();
            encode_name(text.as_bytes(), &mut out);
            assert!(out.iter().copied().all(|byte| is_name_byte(byte) || byte == b'\\'));
            decode_name(&out, &mut back);
            assert_eq!(back, text.as_bytes());
        }
    }
}
