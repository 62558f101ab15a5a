//! Movetext in lines of limited length.

/// The longest line, without its line feed: pgn §2.1 "Lines".
pub(crate) const WIDTH: usize = 79;

/// Appends tokens to a buffer, a space or a line feed between two.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) out: &'a mut Vec<u8>,
    /// Characters on the current line.
    pub(crate) column: usize,
    /// The next token follows without a space, if the line has room: after `(`.
    joined: bool,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Lines<'a> {
        Lines { out, column: 0, joined: false }
    }

    /// Makes room for a token of so many characters: writes what goes before it.
    #[inline]
    pub(crate) fn separate(&mut self, width: usize) {
        let within = self.column > 0;
        let space = within && !self.joined;
        self.joined = false;
        let end = self.column.saturating_add(usize::from(space)).saturating_add(width);
        if end > WIDTH && within {
            self.out.push(b'\n');
            self.column = 0;
        } else if space {
            self.out.push(b' ');
            self.column = self.column.saturating_add(1);
        }
    }

    /// Appends a token of ASCII characters.
    #[inline]
    pub(crate) fn token(&mut self, text: &[u8]) {
        self.separate(text.len());
        self.out.extend_from_slice(text);
        self.column = self.column.saturating_add(text.len());
    }

    /// Appends the first `len` bytes of a token that stands in an array: an array's size is known
    /// to the compiler, so that copying all of it takes a single instruction.
    #[inline]
    pub(crate) fn padded_token<const N: usize>(&mut self, text: &[u8; N], len: usize) {
        self.separate(len);
        let end = self.out.len().saturating_add(len);
        self.out.extend_from_slice(text);
        self.out.truncate(end);
        self.column = self.column.saturating_add(len);
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
