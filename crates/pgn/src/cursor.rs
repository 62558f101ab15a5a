//! A place in a text of which the end may not have been read yet.

use crate::tags::tag_after_empty_line;

/// Walks a text. Whoever looks beyond its end sets [`hit_end`](Cursor::hit_end): what was
/// concluded then may be wrong when more text follows.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a [u8],
    pub(crate) at: usize,
    pub(crate) hit_end: bool,
}

/// How a comment in braces ends. pgn §3.4 "Comments"
#[derive(Clone, Copy, Debug)]
pub(crate) enum CommentEnd {
    /// A brace closes it, so far ahead; so many were opened in it.
    Closed { length: usize, opened: usize },
    /// No brace does before a tag after an empty line, or the end of the text, so far ahead.
    Unclosed { length: usize },
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Cursor<'a> {
        Cursor { text, at: 0, hit_end: false }
    }

    /// The next byte.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied();
        self.hit_end |= byte.is_none();
        byte
    }

    /// The byte before.
    #[inline]
    pub(crate) fn previous(&self) -> Option<u8> {
        self.text.get(self.at.checked_sub(1)?).copied()
    }

    /// All that follows.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// All of the text.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The text that begins so many bytes earlier, if there are as many.
    pub(crate) fn rest_after_going_back(&self, bytes: usize) -> Option<&'a [u8]> {
        self.text.get(self.at.checked_sub(bytes)?..)
    }

    /// The text between two places.
    pub(crate) fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.text.get(from..to).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Goes past white space; says how many line feeds it held.
    #[inline]
    pub(crate) fn skip_white(&mut self) -> usize {
        let mut lines = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => lines = lines.saturating_add(1),
                b' ' | b'\r' | b'\t' | 0x0b | 0x0c => {}
                _ => break,
            }
            self.advance(1);
        }
        lines
    }

    /// What remains of the line; its end is next.
    pub(crate) fn take_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = memchr::memchr2(b'\n', b'\r', rest);
        self.hit_end |= end.is_none();
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.advance(line.len());
        line
    }

    /// Whether an empty line, and nothing else but white space, stands before this place.
    pub(crate) fn after_empty_line(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let (mut feeds, mut returns) = (0u32, 0u32);
        for byte in before.iter().rev() {
            match byte {
                b'\n' => feeds = feeds.saturating_add(1),
                b'\r' => returns = returns.saturating_add(1),
                b' ' | b'\t' | 0x0b | 0x0c => {}
                _ => break,
            }
            if feeds > 1 {
                return true;
            }
        }
        feeds == 0 && returns > 1
    }

    /// Whether a digit or a point stands before this place, blanks aside.
    pub(crate) fn after_number(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default().trim_ascii_end();
        before.last().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.')
    }

    /// Whether a line begins here.
    pub(crate) fn at_line_start(&self) -> bool {
        self.previous().is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Goes past a line that `%` hides, if one begins here.
    pub(crate) fn skip_hidden_line(&mut self) -> bool {
        let hidden = self.at_line_start() && self.peek() == Some(b'%');
        if hidden {
            self.take_line();
        }
        hidden
    }

    /// How the comment ends that has been opened right before this place.
    pub(crate) fn comment_end(&mut self) -> CommentEnd {
        let rest = self.rest();
        let mut opened = 0usize;
        for length in memchr::memchr3_iter(b'}', b'{', b'[', rest) {
            match rest.get(length) {
                Some(b'}') => return CommentEnd::Closed { length, opened },
                Some(b'{') => opened = opened.saturating_add(1),
                _ if tag_after_empty_line(rest, length) => return CommentEnd::Unclosed { length },
                _ => {}
            }
        }
        self.hit_end = true;
        CommentEnd::Unclosed { length: rest.len() }
    }
}
