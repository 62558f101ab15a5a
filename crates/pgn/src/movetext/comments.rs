//! Reads comments. pgn §3.4 "Comments"

use std::ops::Range;

use super::Movetext;
use crate::cursor::CommentEnd;
use crate::quirk::Quirk;
use crate::scan::find_special;
use crate::tags::{decode, tag_after_empty_line};
use crate::text::decode_comment;

/// The distance after a comment with a nested opening brace within which another closing brace is
/// searched.
const NESTED_WITHIN: usize = 1 << 16;

impl<'t> Movetext<'_, 't> {
    pub(super) fn comment(&mut self) {
        self.note_empty_line();
        let start = self.cursor.at.saturating_add(1);
        let (end, quirk) = self.pass_comment();
        if let Some(quirk) = quirk {
            self.quirk(quirk, start.saturating_sub(1));
        }
        let mut raw = self.cursor.slice(start, end);
        if quirk == Some(Quirk::UnclosedComment) {
            raw = raw.trim_ascii_end();
        }
        if !self.unwanted {
            self.push_comment(raw, start);
        }
    }

    /// Takes the comments that stand between the tags. They come before the first move.
    pub(crate) fn comments_in_tags(&mut self, comments: &[Range<usize>]) {
        let at = self.cursor.at;
        for comment in comments {
            self.cursor.at = comment.start;
            match self.cursor.slice(comment.start, comment.end) {
                [b'{', ..] => self.comment(),
                [_, text @ ..] if !text.trim_ascii().is_empty() => self.line_comment(),
                _ => {}
            }
        }
        if !comments.is_empty() {
            self.cursor.at = at;
            self.apart_at = None;
            self.notes.ply = None;
            self.notes.list.sort_by_key(|note| note.at);
        }
    }

    /// Takes a common comment: words on one line or several lines. Takes nothing if the comment is
    /// of any other kind. Returns its length, with its braces and a space after them. `rest` is the
    /// text after the cursor.
    #[inline]
    pub(super) fn plain_comment(&mut self, rest: &'t [u8]) -> Option<usize> {
        let end = find_special(rest, 1)?;
        let [b'}', after @ ..] = rest.get(end..)? else {
            return self.plain_comment_in_lines(end);
        };
        let text = self.known(1, end)?;
        self.note_empty_line();
        // Cannot fail, as explained below.
        let _ = self.game.push_comment(text);
        let space = after.first() == Some(&b' ');
        Some(end.wrapping_add(1).wrapping_add(usize::from(space)))
    }

    /// Like [`plain_comment`](Self::plain_comment), but reads line breaks between words as spaces.
    /// `special` is the first byte to examine.
    fn plain_comment_in_lines(&mut self, special: usize) -> Option<usize> {
        let rest = self.cursor.rest();
        self.joined.clear();
        let (mut line, mut end) = (1usize, special);
        while rest.get(end) != Some(&b'}') {
            if let Some(length) = break_between_words(rest, end) {
                let text = self.known(line, end)?;
                self.joined.push_str(text);
                self.joined.push(' ');
                line = end.checked_add(length)?;
                end = find_special(rest, line)?;
            } else if matches!(rest.get(end), Some(b'{' | b'\\' | b'\n' | b'\r')) {
                return None;
            } else {
                end = find_special(rest, end.checked_add(1)?)?;
            }
        }
        let text = self.known(line, end)?;
        self.note_empty_line();
        self.joined.push_str(text);
        // Cannot fail, as explained below.
        let _ = self.game.push_comment(self.joined);
        end.checked_add(1)
    }

    /// Returns the text between two offsets after the cursor, if it is UTF-8.
    #[inline]
    fn known(&mut self, from: usize, to: usize) -> Option<&'t str> {
        let at = self.cursor.at;
        // An offset that wrapped around would be outside the text.
        self.texts.get(at.wrapping_add(from), at.wrapping_add(to))
    }

    pub(super) fn line_comment(&mut self) {
        self.note_empty_line();
        let at = self.cursor.at;
        self.cursor.advance(1);
        let line = self.cursor.take_line();
        // A lone `;` after a result is an empty comment.
        if self.unwanted || line.trim_ascii().is_empty() && self.result_at > 0 {
            return;
        }
        self.notes.ply = Some(self.replay.ply());
        let text = decode(line.trim_ascii(), self.decoder, at, self.notes);
        // Only more than 4 GiB of comments fail here, and the text of a game is much shorter.
        let _ = self.game.push_comment(&text);
    }

    fn push_comment(&mut self, raw: &[u8], at: usize) {
        self.notes.ply = Some(self.replay.ply());
        let text = if memchr::memchr3(b'\n', b'\r', b'\\', raw).is_none() {
            decode(raw, self.decoder, at, self.notes)
        } else {
            self.scratch.clear();
            decode_comment(raw, self.scratch);
            decode(self.scratch, self.decoder, at, self.notes)
        };
        // Cannot fail, as above.
        let _ = self.game.push_comment(&text);
    }

    /// Skips a brace comment. Returns the end of its text and its quirk.
    pub(super) fn pass_comment(&mut self) -> (usize, Option<Quirk>) {
        self.cursor.advance(1);
        let mut opened = match self.cursor.comment_end() {
            CommentEnd::Closed { length, opened } => {
                self.cursor.advance(length.saturating_add(1));
                opened
            }
            CommentEnd::Unclosed { length } => {
                self.cursor.advance(length);
                return (self.cursor.at, Some(Quirk::UnclosedComment));
            }
        };
        let mut quirk = None;
        while opened > 0
            && let Some(next) = self.closing_again()
        {
            self.cursor.advance(next.saturating_add(1));
            opened = opened.saturating_sub(1);
            quirk = Some(Quirk::NestedComment);
        }
        (self.cursor.at.saturating_sub(1), quirk)
    }

    /// After a comment with a nested opening brace, returns the distance to another closing brace
    /// before any opening brace.
    fn closing_again(&mut self) -> Option<usize> {
        let rest = self.cursor.rest();
        let window = rest.get(..NESTED_WITHIN).unwrap_or(rest);
        for at in memchr::memchr3_iter(b'{', b'}', b'[', window) {
            match window.get(at) {
                Some(b'}') => return Some(at),
                Some(b'[') if !tag_after_empty_line(rest, at) => {}
                _ => return None,
            }
        }
        self.cursor.hit_end |= window.len() < NESTED_WITHIN;
        None
    }
}

/// Returns the length of a line break that stands for a space in a comment. It is not beside a
/// brace and not one of several line breaks.
fn break_between_words(comment: &[u8], at: usize) -> Option<usize> {
    let length = match comment.get(at..)? {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    let next = comment.get(at.checked_add(length)?)?;
    (at > 1 && !matches!(next, b'\n' | b'\r' | b'}')).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::{Game, Token};
    use chess_store::Diagnostics;

    /// Returns the comments after the first move, and the number of warnings.
    fn comments(movetext: &[u8]) -> (Vec<String>, usize) {
        let mut reader = crate::Reader::new(movetext);
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        reader.read_game(&mut game, &mut diagnostics).unwrap();
        let comments = game.tokens().filter_map(|token| match token {
            Token::Comment(text) => Some(text.to_owned()),
            _ => None,
        });
        (comments.collect(), diagnostics.warnings().len())
    }

    #[test]
    fn plain_comment_agrees_with_general_reader() {
        let long = "word | ~ \u{7f} \t".repeat(200);
        let in_lines = "four words in a\nline, or\r\nin ".repeat(100);
        for text in [
            "",
            " ",
            "a",
            " [%eval 0.17] [%clk 0:03:00] ",
            "a | b ~ c",
            "a\tb",
            "ä",
            "日本の\n将棋",
            "a\nb",
            "a\r\nb",
            "a\rb",
            "a \n b",
            "a\n\nb",
            "a\r\n\r\nb",
            "a\n\r\nb",
            "a\n\rb",
            "\na",
            "\r\na",
            "~\na",
            "a\n",
            "a\r\n",
            "a\nb\n",
            "a\nb\\x7dc\nd",
            "\\x5c",
            "\\",
            "a\n[b",
            "a\n%b",
            "\0",
            &long,
            &in_lines,
        ] {
            let mut expected = Vec::new();
            decode_comment(text.as_bytes(), &mut expected);
            let expected = String::from_utf8(expected).unwrap();
            let movetext = format!("1. e4 {{{text}}} e5 {{{text}}}{{{text}}} 2. Nf3 Nc6 *");
            assert_eq!(comments(movetext.as_bytes()), (vec![expected; 3], 0), "{text:?}");
        }
    }

    #[test]
    fn comments_not_plain_are_reported() {
        let padding = "2. Nf3 Nc6 3. Bb5 a6 *";
        for (text, expected, odd) in [
            (&b"1. e4 {a {b} c} e5 "[..], "a {b} c", 1),
            (b"1. e4 {a\nb {c} d} e5 ", "a b {c} d", 1),
            (b"1. e4 {\xe4} e5 ", "ä", 1),
            (b"1. e4 {a\n\xe4} e5 ", "a ä", 1),
        ] {
            let text = [text, padding.as_bytes()].concat();
            assert_eq!(comments(&text), (vec![expected.to_owned()], odd));
        }
        assert_eq!(comments(b"1. e4 {never closed"), (vec!["never closed".to_owned()], 2));
    }
}
