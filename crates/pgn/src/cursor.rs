//! A cursor over a text whose end may not have been read yet.

use std::ops::Range;

use crate::tags::tag_after_empty_line;

/// Walks a text. A method that looks beyond the end sets [`hit_end`](Cursor::hit_end): its result
/// may change when more text follows.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a [u8],
    pub(crate) at: usize,
    pub(crate) hit_end: bool,
    /// A text in which no comment is closed, so that its end is searched once. A comment that begins in
    /// it ends where it ends.
    pub(crate) unclosed: Range<usize>,
}

/// How a comment in braces ends. pgn §3.4 "Comments"
#[derive(Clone, Copy, Debug)]
pub(crate) enum CommentEnd {
    /// A brace closes the comment after `length` bytes; `opened` braces were opened inside it.
    Closed { length: usize, opened: usize },
    /// No brace closes the comment. After `length` bytes comes a tag after an empty line, or the
    /// end of the text.
    Unclosed { length: usize },
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Cursor<'a> {
        Cursor { text, at: 0, hit_end: false, unclosed: 0..0 }
    }

    /// Returns the next byte.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied();
        self.hit_end |= byte.is_none();
        byte
    }

    /// Returns the previous byte.
    #[inline]
    pub(crate) fn previous(&self) -> Option<u8> {
        self.text.get(self.at.checked_sub(1)?).copied()
    }

    /// Returns the rest of the text.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns the text from `bytes` bytes before the cursor, if there are that many.
    pub(crate) fn rest_after_going_back(&self, bytes: usize) -> Option<&'a [u8]> {
        self.text.get(self.at.checked_sub(bytes)?..)
    }

    /// Returns the text between two offsets.
    pub(crate) fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Moves the cursor to the start of `rest`, the end of the text.
    #[inline]
    pub(crate) fn move_to(&mut self, rest: &[u8]) {
        self.at = self.text.len().saturating_sub(rest.len());
    }

    #[inline]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Skips white space. Returns the number of line feeds in it.
    #[inline]
    pub(crate) fn skip_white(&mut self) -> usize {
        if let [b'\n', b'!'..=b'~', ..] = self.rest() {
            self.at = self.at.wrapping_add(1);
            return 1;
        }
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

    /// Takes the rest of the line. The cursor stops at the line end.
    pub(crate) fn take_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = memchr::memchr2(b'\n', b'\r', rest);
        self.hit_end |= end.is_none();
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.advance(line.len());
        line
    }

    /// Returns whether an empty line precedes the cursor, apart from other white space.
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

    /// Returns whether a digit or a full stop precedes the cursor, ignoring blanks.
    pub(crate) fn after_number(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default().trim_ascii_end();
        before.last().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.')
    }

    /// Returns whether the cursor is at the start of a line.
    pub(crate) fn at_line_start(&self) -> bool {
        self.previous().is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Skips the line if `%` hides it. Returns whether it did.
    pub(crate) fn skip_hidden_line(&mut self) -> bool {
        let hidden = self.at_line_start() && self.peek() == Some(b'%');
        if hidden {
            self.take_line();
        }
        hidden
    }

    /// Finds the end of the comment whose opening brace is right before the cursor.
    pub(crate) fn comment_end(&mut self) -> CommentEnd {
        if self.unclosed.contains(&self.at) {
            self.hit_end |= self.unclosed.end == self.text.len();
            return CommentEnd::Unclosed { length: self.unclosed.end.saturating_sub(self.at) };
        }
        let rest = self.rest();
        let mut opened = 0usize;
        for length in memchr::memchr3_iter(b'}', b'{', b'[', rest) {
            match rest.get(length) {
                Some(b'}') => return CommentEnd::Closed { length, opened },
                Some(b'{') => opened = opened.saturating_add(1),
                _ if tag_after_empty_line(rest, length) => {
                    self.unclosed = self.at..self.at.saturating_add(length);
                    return CommentEnd::Unclosed { length };
                }
                _ => {}
            }
        }
        self.hit_end = true;
        self.unclosed = self.at..self.text.len();
        CommentEnd::Unclosed { length: rest.len() }
    }
}

/// Returns the length of a character that shows nothing, other than white space and the byte order
/// mark: a control character that ends a file, a space or a joiner of web pages.
pub(crate) fn invisible(text: &[u8]) -> Option<usize> {
    Some(match text {
        // NUL, and the end of a file in CP/M and DOS.
        [0 | 0x1a, ..] => 1,
        // No-break space U+00A0, soft hyphen U+00AD.
        [0xc2, 0xa0 | 0xad, ..] => 2,
        // Spaces, zero-width characters and marks of direction: U+2000 to U+200F, U+2028 to U+202F.
        [0xe2, 0x80, 0x80..=0x8f | 0xa8..=0xaf, ..] => 3,
        // U+205F to U+2064, U+2066 to U+2069; ideographic space U+3000.
        [0xe2, 0x81, 0x9f..=0xa4 | 0xa6..=0xa9, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        _ => return None,
    })
}
