//! Recognises PGN by its first bytes.

use chess_core::TYPED_TAGS;
use chess_store::erased::Confidence;

use crate::cutter::is_utf16;

/// Tags, beside [`TYPED_TAGS`], that a PGN text may begin with even where the value is not quoted.
const OTHER_TAGS: [&str; 6] = ["Opening", "Variant", "FEN", "SetUp", "Annotator", "PlyCount"];

/// Recognises a tag section, or movetext that starts with move 1.
///
/// Settings files (`.ini`, TOML), Markdown and other texts also begin with brackets or with a
/// numbered list; none of them is PGN.
pub(crate) fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let utf16: Vec<u8>;
    let start = if is_utf16(start) {
        // UTF-16 is recognised so that the error can name it.
        utf16 = start.iter().copied().filter(|byte| !matches!(byte, 0 | 0xfe | 0xff)).collect();
        &utf16
    } else {
        start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
    };
    let mut lines = start.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let is_remark =
        |line: &[u8]| line.is_empty() || line.starts_with(b";") || line.starts_with(b"%");
    let first = lines.by_ref().find(|line| !is_remark(line)).unwrap_or_default();
    let begins = match first.strip_prefix(b"[") {
        Some(tag) => {
            let next = lines.find(|line| !is_remark(line)).unwrap_or_default();
            is_tag(tag) && !is_setting(next)
        }
        None => is_first_move(first),
    };
    match (begins, extension == "pgn") {
        (true, true) => Some(Confidence::Certain),
        (true, false) if first.starts_with(b"[Event \"") => Some(Confidence::Certain),
        (true, false) => Some(Confidence::Likely),
        (false, true) => Some(Confidence::Name),
        (false, false) => None,
    }
}

/// Returns whether a line is a tag pair; `tag` is the line after its bracket.
fn is_tag(tag: &[u8]) -> bool {
    let tag = tag.trim_ascii_start();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = tag.iter().take_while(|byte| is_name(byte)).count();
    let (name, value) = tag.split_at_checked(length).unwrap_or_default();
    let mut known_tags = TYPED_TAGS.iter().chain(&OTHER_TAGS);
    let is_known = known_tags.any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    let spaced = value.first().is_some_and(u8::is_ascii_whitespace);
    let value = value.trim_ascii_start();
    let quoted = value.starts_with(b"\"");
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && (quoted || is_known && spaced && !value.starts_with(b"]"))
}

/// Returns whether a line is `key = value`, as in a settings file. A promotion such as `exd8=Q` is
/// not.
fn is_setting(line: &[u8]) -> bool {
    let mut parts = line.splitn(2, |byte| *byte == b'=');
    let key = parts.next().unwrap_or_default().trim_ascii_end();
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(byte);
    let is_move = matches!(key, [.., b'a'..=b'h', b'1' | b'8']);
    parts.next().is_some() && !key.is_empty() && key.iter().all(is_key) && !is_move
}

/// Returns whether a line begins with move 1, rather than with the first item of a list.
fn is_first_move(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"1.") else { return false };
    let word = |text: &[u8]| {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"{(;$!?".contains(byte);
        text.split(is_end).next().unwrap_or_default().to_vec()
    };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"...").or(rest.strip_prefix(b"..")).unwrap_or(rest);
    let rest = rest.trim_ascii_start();
    match rest.first() {
        // The line ends here, or an annotation, a null move or a figurine follows.
        None | Some(b'{' | b'(' | b'$' | b'-') => true,
        Some(byte) if !byte.is_ascii() => true,
        Some(_) => is_move_word(&word(rest)),
    }
}

/// Returns whether a word looks like a move in any notation: `e4`, `Nf3`, `Sf3`, `e2-e4`, `O-O`.
fn is_move_word(word: &[u8]) -> bool {
    const CASTLING: [&[u8]; 3] = [b"O-O", b"0-0", b"o-o"];
    let is_square = |pair: &[u8]| matches!(pair, [file, rank] if (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank));
    let has_square = word.windows(2).any(is_square);
    let is_null = matches!(word, b"Z0" | b"null");
    word.len() <= 10 && (has_square || is_null || CASTLING.iter().any(|c| word.starts_with(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_pgn(text: &str) -> bool {
        probe(text.as_bytes(), "txt").is_some()
    }

    #[test]
    fn probe_tags_and_movetext_are_pgn() {
        for text in [
            "[Event \"A\"]\n[White \"B\"]\n",
            "\u{feff}\r\n[White \"B\"]\r\n",
            "[ Event \"A\" ]",
            "[Event\"A\"]",
            "[white \"B\"]",
            "[White Alder]\n[Black Birch]\n",
            "[MyOwnTag \"x\"]\n\n1. e4",
            "% made by a program\n; a remark\n\n[Event \"A\"]",
            "[Event \"A\"]\n\ne8=Q+ Kd7",
            "[FEN \"x\"]\n\n12. exd8=Q+ Kxd8",
            "1. e4 e5",
            "1.e4",
            "1... e5",
            "1. ... e5",
            "1. Sf3",
            "1. e2-e4",
            "1. {a comment} e4",
            "1.\ne4",
            "1. ♘f3",
            "1. -- e5",
            "1. O-O",
        ] {
            assert!(is_pgn(text), "{text:?}");
        }
    }

    #[test]
    fn probe_settings_and_other_texts_are_not_pgn() {
        for text in [
            "[DescrPGN]\r\nUsage=2\r\n[Environ]\r\nLastUser=\r\n",
            "; settings\n[Window]\nwidth = 3\n",
            "[.ShellClassInfo]\nIconResource=x\n",
            "[remote \"origin\"]\n\turl = https://example.org\n",
            "[package]\nname = \"x\"\n",
            "[[case]]\nname = \"x\"\n",
            "[White]\nElo=2700\n",
            "[link](https://example.org) and text\n",
            "[ref]: https://example.org \"title\"\n",
            "[1] A. Author, \"A book\"\n",
            "[INFO] 12:00 \"started\"\n",
            "[{\"a\": 1}]",
            "1. Install the program\n2. Run it\n",
            "1. Be careful\n",
            "1.5 litres",
            "1.",
            "",
        ] {
            let expected = text == "1.";
            assert_eq!(is_pgn(text), expected, "{text:?}");
        }
    }

    #[test]
    fn probe_own_extension_is_enough() {
        assert_eq!(probe(b"[DescrPGN]\nUsage=2\n", "pgn"), Some(Confidence::Name));
        assert_eq!(probe(b"[Event \"A\"]", "pgn"), Some(Confidence::Certain));
    }
}
