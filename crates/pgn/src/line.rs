//! Movetext in lines of limited length.

use crate::word::Word;

/// The longest line, without its line feed: pgn §2.1 "Lines".
pub(crate) const WIDTH: usize = 79;

/// Appends tokens to a buffer, a space or a line feed between two.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) out: &'a mut Vec<u8>,
    /// The longest line.
    width: usize,
    /// Characters on the current line.
    pub(crate) column: usize,
    /// The next token follows without a space, if the line has room: after `(`.
    joined: bool,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Lines<'a> {
        Lines { out, width: WIDTH, column: 0, joined: false }
    }

    /// All on one line, but for the line feeds of a token.
    pub(crate) fn endless(out: &'a mut Vec<u8>) -> Lines<'a> {
        Lines { out, width: usize::MAX, column: 0, joined: false }
    }

    /// Makes room for a token of so many characters: writes what goes before it.
    #[inline]
    pub(crate) fn separate(&mut self, width: usize) {
        if let Some(separator) = self.separator(width) {
            self.out.push(separator);
        }
    }

    /// What goes before a token of so many characters: it is counted here, and written by the
    /// caller.
    // Lengths of what is in memory: no sum of a few wraps.
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

    /// Appends a token of at most seven characters. The size of a word is known to the compiler, so
    /// that what goes before the token and all of it are copied by a single instruction.
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

    /// Closes a variation, right after what stands before it.
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
