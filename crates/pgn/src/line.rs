//! Wraps movetext at a limited line length.

use crate::word::Word;

/// The longest line, without its line feed: pgn §2.1 "Lines".
pub(crate) const WIDTH: usize = 79;

/// Appends tokens to a buffer, with a space or a line feed between two tokens.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) out: &'a mut Vec<u8>,
    /// The maximum line length.
    width: usize,
    /// The number of characters on the current line.
    pub(crate) column: usize,
    /// Whether the next token follows without a space if the line has room, as after `(`.
    joined: bool,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Lines<'a> {
        Lines { out, width: WIDTH, column: 0, joined: false }
    }

    /// Writes everything on one line, except for line feeds inside a token.
    pub(crate) fn endless(out: &'a mut Vec<u8>) -> Lines<'a> {
        Lines { out, width: usize::MAX, column: 0, joined: false }
    }

    /// Writes the separator before a token of `width` characters.
    #[inline]
    pub(crate) fn separate(&mut self, width: usize) {
        if let Some(separator) = self.separator(width) {
            self.out.push(separator);
        }
    }

    /// Returns the separator before a token of `width` characters. This counts the separator; the
    /// caller writes it.
    // The lengths are of data in memory, so a sum of a few cannot wrap.
    #[inline]
    fn separator(&mut self, width: usize) -> Option<u8> {
        let within = self.column > 0;
        let space = within && !self.joined;
        self.joined = false;
        let start = self.column.wrapping_add(usize::from(space));
        if within && start.wrapping_add(width) > self.width {
            self.column = 0;
            return Some(b'\n');
        }
        self.column = start;
        space.then_some(b' ')
    }

    /// Appends a token of ASCII characters.
    #[inline]
    pub(crate) fn token(&mut self, text: &[u8]) {
        self.separate(text.len());
        self.out.extend_from_slice(text);
        self.column = self.column.saturating_add(text.len());
    }

    /// Appends a token of at most seven characters. The compiler knows the size of a word, so a
    /// single instruction copies the separator and the token.
    #[inline]
    pub(crate) fn word(&mut self, word: Word) {
        let separator = self.separator(word.len());
        self.column = self.column.wrapping_add(word.len());
        let word = separator.map_or(word, |separator| word.after(separator));
        let end = self.out.len().wrapping_add(word.len());
        self.out.extend_from_slice(&word.padded());
        self.out.truncate(end);
    }

    /// Opens a variation.
    pub(crate) fn open(&mut self) {
        self.token(b"(");
        self.joined = true;
    }

    /// Closes a variation, with no space before the parenthesis.
    pub(crate) fn close(&mut self) {
        self.joined = true;
        self.token(b")");
    }

    /// Ends the last line.
    pub(crate) fn end(&mut self) {
        if self.column > 0 {
            self.out.push(b'\n');
            self.column = 0;
        }
    }
}
