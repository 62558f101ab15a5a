//! Database metadata as `%` lines at the end of a text. (pgn §2.4 "Facts of a base")
//!
//! PGN has no field for such metadata. A line that begins with `%` is private to the programs that
//! know it; other programs skip it.

use chess_store::{About, TextDecoder};

/// The prefix of a metadata line.
const LINE_START: &str = "%about ";

/// The number of bytes at the end of a text that are searched for metadata.
const MAX_SIZE: usize = 1 << 16;

/// Appends one line for each fact: `%about description=My games`.
pub(crate) fn push_facts(about: &About, text: &mut String) {
    for (fact, value) in about.iter() {
        text.push_str(LINE_START);
        text.push_str(fact.name());
        text.push('=');
        for letter in value.chars() {
            match letter {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                letter => text.push(letter),
            }
        }
        text.push('\n');
    }
}

/// Parses the facts in the last lines of `text`. Unknown facts are skipped.
pub(crate) fn parse_facts(text: &[u8], decoder: &TextDecoder) -> About {
    let start = text.len().saturating_sub(MAX_SIZE);
    let end = text.get(start..).unwrap_or_default().trim_ascii_end();
    let lines = end.rsplit(|byte| *byte == b'\n');
    let facts: Vec<&[u8]> =
        lines.map_while(|line| line.strip_prefix(LINE_START.as_bytes())).collect();
    let mut about = About::default();
    for line in facts.into_iter().rev() {
        let line = decoder.decode(line.strip_suffix(b"\r").unwrap_or(line));
        if let Some((name, value)) = line.split_once('=')
            && let Ok(fact) = name.parse()
        {
            about.set(fact, unescape(value));
        }
    }
    about
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match (letter, letters.clone().next()) {
            ('\\', Some('n')) => text.push('\n'),
            ('\\', Some('r')) => text.push('\r'),
            ('\\', Some('\\')) => text.push('\\'),
            (letter, _) => {
                text.push(letter);
                continue;
            }
        }
        letters.next();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_store::{Encoding, Fact};

    #[test]
    fn facts_written_and_parsed_are_equal() {
        let mut about = About::default();
        about.set(Fact::Description, "two\nlines, a \\n and \\\\ \r= 1");
        about.set(Fact::FlagLabel(3), "Grünfeld");
        let mut text = String::from("1. e4 *\n\n");
        push_facts(&about, &mut text);
        assert!(text.ends_with("%about flag-3=Grünfeld\n"), "{text}");
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        assert_eq!(parse_facts(text.as_bytes(), &decoder), about);
        let dos = text.replace('\n', "\r\n");
        assert_eq!(parse_facts(dos.as_bytes(), &decoder), about);
        assert!(parse_facts(b"%about type=x\n1. e4 *", &decoder).is_empty(), "not at the end");
        assert!(parse_facts(b"%about\n%about pear=1\n%about type", &decoder).is_empty());
    }
}
