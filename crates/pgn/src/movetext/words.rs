//! Reads tokens among the moves that are not moves: words, remarks in parentheses, lookalikes of
//! ASCII characters. pgn §3.3 "Moves"

use super::Movetext;
use crate::glyph::parse_glyph;
use crate::quirk::Quirk;
use crate::san_parse::{Read, read_illegal, read_move};
use crate::tags::{broken_tag, decode, tag_begins};

/// The longest parenthesised remark that is read as a comment.
const MAX_REMARK: usize = 80;

/// The longest word that is skipped.
const MAX_WORD: usize = 48;

/// The longest move, in bytes, in which lookalikes are replaced.
const MAX_MOVE: usize = 16;

impl Movetext<'_, '_> {
    /// Skips lines of text between the tags and the moves: `Game 5`, or a broken tag. A line is
    /// text if it begins with a word. The text ends at a move number followed by a move.
    pub(super) fn lines_before_moves(&mut self) {
        loop {
            self.cursor.skip_white();
            let at = self.cursor.at;
            if self.cursor.at_line_start()
                && !matches!(self.cursor.peek(), Some(b'a'..=b'z' | b'0'..=b'9' | b'{' | b';' | b'(') | None)
                && !tag_begins(self.cursor)
                && broken_tag(self.cursor)
            {
                self.notes.quirk(Quirk::UnclosedTag, at);
                continue;
            }
            let rest = self.cursor.rest();
            let Some(length) = unknown_word(rest) else { return };
            let view = rest.get(..MAX_WORD).unwrap_or(rest);
            // A possible result in words is taken as one.
            if view.len() < MAX_WORD {
                self.cursor.hit_end = true;
            }
            if self.result_in_words().is_some() {
                return;
            }
            // The text is outside the movetext, so it is reported even if only the header is read.
            self.notes.quirk(Quirk::TextBeforeMoves, self.cursor.at);
            self.cursor.advance(length);
            while let Some(byte) = self.cursor.peek() {
                let number = byte.is_ascii_digit()
                    && self.cursor.previous().is_some_and(|byte| byte.is_ascii_whitespace());
                let ends = matches!(byte, b'\n' | b'\r' | b'{' | b';' | b'(' | b'$' | b'*')
                    || byte == b'[' && tag_begins(self.cursor);
                if ends || number && crate::parse::movetext_begins(self.cursor.rest()) {
                    break;
                }
                if number && super::result_here(self.cursor.rest()).is_some() {
                    break;
                }
                self.cursor.advance(1);
            }
        }
    }

    /// Skips a word that is not a move: `resigns`, `mate`, `ch`.
    pub(super) fn pass_word(&mut self) -> bool {
        let Some(length) = unknown_word(self.cursor.rest()) else { return false };
        self.quirk(Quirk::UnknownWord, self.cursor.at);
        self.cursor.advance(length);
        true
    }

    /// Takes a bracketed remark without moves as a comment: `(0:03)`, `(White)`, `[0:05]`. Square
    /// brackets are kept, because programs write `[%clk 0:05]`.
    pub(super) fn remark_in_brackets(&mut self) -> bool {
        let rest = self.cursor.rest();
        let square = rest.first() == Some(&b'[');
        let close = if square { b']' } else { b')' };
        let inside = rest.get(1..).unwrap_or_default();
        let view = inside.get(..MAX_REMARK).unwrap_or(inside);
        let ends = |byte: &u8| {
            matches!(byte, b')' | b'(' | b'{' | b'}' | b'[' | b']' | b';' | b'$')
                || square && matches!(byte, b'\n' | b'\r')
        };
        let Some(length) = view.iter().position(ends) else {
            self.cursor.hit_end |= view.len() < MAX_REMARK;
            return false;
        };
        let text = view.get(..length).unwrap_or_default();
        let closed = view.get(length) == Some(&close);
        if !closed || text.trim_ascii().is_empty() || may_hold_moves(text) {
            return false;
        }
        let at = self.cursor.at;
        self.cursor.advance(length.saturating_add(2));
        if matches!(text.trim_ascii(), b"e.p." | b"ep" | b"e.p" | b"e. p.") {
            self.quirk(Quirk::EnPassantMark, at);
            return true;
        }
        // `(?)` is a NAG in parentheses.
        if let Some((nag, size, _)) = parse_glyph(text.trim_ascii())
            && size == text.trim_ascii().len()
            && !square
        {
            self.quirk(Quirk::Glyph, at);
            self.game.push_nag(nag);
            return true;
        }
        self.quirk(Quirk::TextInParentheses, at);
        let whole = rest.get(..length.saturating_add(2)).unwrap_or_default();
        self.text_comment(if square { whole } else { text }, at);
        true
    }

    /// Adds `text` as a comment, with each run of white space replaced by one space.
    pub(super) fn text_comment(&mut self, text: &[u8], at: usize) {
        self.scratch.clear();
        for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if !self.scratch.is_empty() {
                self.scratch.push(b' ');
            }
            self.scratch.extend_from_slice(word);
        }
        let text = decode(self.scratch, self.decoder, at, self.notes);
        // Only more than 4 GiB of comments fail here, and the text of a game is much shorter.
        let _ = self.game.push_comment(&text);
    }

    /// Reads a move spelt with lookalikes of ASCII characters: `O–O`, `e2–e4`.
    #[cold]
    pub(super) fn lookalike_move(&self) -> Option<Read> {
        let rest = self.cursor.rest();
        let mut ascii = [0u8; MAX_MOVE];
        // The number of bytes each character had in the text.
        let mut sizes = [0u8; MAX_MOVE];
        let (mut from, mut length, mut replaced) = (0usize, 0usize, false);
        for (place, size) in ascii.iter_mut().zip(&mut sizes) {
            let text = rest.get(from..).unwrap_or_default();
            let (byte, taken) = match text.first() {
                Some(byte) if byte.is_ascii_graphic() => (*byte, 1),
                Some(_) => match lookalike(text) {
                    Some(found) => {
                        replaced = true;
                        found
                    }
                    None => break,
                },
                None => break,
            };
            (*place, *size) = (byte, taken);
            from = from.saturating_add(usize::from(taken));
            length = length.saturating_add(1);
        }
        if !replaced {
            return None;
        }
        let ascii = ascii.get(..length)?;
        let read = read_move(ascii, self.replay.position()).ok().filter(|read| {
            // The remaining text must not continue the move.
            !ascii.get(read.len).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        });
        let illegal = || read_illegal(ascii, self.replay.position()).filter(|read| read.len > 3);
        let mut read = read.or_else(illegal)?;
        read.len = sizes.iter().take(read.len).map(|size| usize::from(*size)).sum();
        read.marks.add(Quirk::Lookalike, true);
        Some(read)
    }
}

/// Returns the ASCII character that resembles the first character of `text`, and that character's
/// length. Capital letters that name pieces in other languages are not replaced.
fn lookalike(text: &[u8]) -> Option<(u8, u8)> {
    Some(match text {
        // Dashes: U+2010 to U+2015, U+2212, U+FE63, U+FF0D.
        [0xe2, 0x80, 0x90..=0x95, ..]
        | [0xe2, 0x88, 0x92, ..]
        | [0xef, 0xb9, 0x98 | 0xa3, ..]
        | [0xef, 0xbc, 0x8d, ..] => (b'-', 3),
        // Cyrillic and Greek O, small o.
        [0xd0, 0x9e, ..] | [0xce, 0x9f, ..] => (b'O', 2),
        [0xd0, 0xbe, ..] | [0xce, 0xbf, ..] => (b'o', 2),
        // Cyrillic a, c, e, x; the multiplication sign.
        [0xd0, 0xb0, ..] => (b'a', 2),
        [0xd1, 0x81, ..] => (b'c', 2),
        [0xd0, 0xb5, ..] => (b'e', 2),
        [0xd1, 0x85, ..] | [0xc3, 0x97, ..] => (b'x', 2),
        _ => return None,
    })
}

/// Returns whether `text` contains a square, castling or a result, and so may be movetext.
fn may_hold_moves(text: &[u8]) -> bool {
    let square = |part: &[u8]| match part {
        [b'a'..=b'h', b'1'..=b'8', rest @ ..] => !rest.first().is_some_and(u8::is_ascii_digit),
        [b'O' | b'o', b'-', b'O' | b'o', ..] | [b'-', b'-', ..] => true,
        [b'0', b'-', b'0', ..] => true,
        // A line hidden by `%`.
        [b'\n' | b'\r', b'%', ..] => true,
        part => super::result_here(part).is_some(),
    };
    (0..text.len()).any(|at| text.get(at..).is_some_and(square))
}

/// Returns the length of a word that cannot be a move: only letters, and not a short move, a piece
/// name or a castling name.
fn unknown_word(text: &[u8]) -> Option<usize> {
    let view = text.get(..MAX_WORD).unwrap_or(text);
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
    let length = view.iter().position(|byte| !letter(byte)).unwrap_or(view.len());
    let word = view.get(..length)?;
    let ends = match text.get(length) {
        None => length < MAX_WORD,
        Some(byte) => {
            byte.is_ascii_whitespace()
                || matches!(
                    byte,
                    b'.' | b',' | b'!' | b'?' | b':' | b')' | b'(' | b'{' | b';' | b'*'
                )
        }
    };
    if !ends || !word.first()?.is_ascii_alphabetic() {
        return None;
    }
    let mut lower = [0u8; MAX_WORD];
    let lower = lower.get_mut(..length)?;
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    const NAMES: [&[u8]; 15] = [
        b"castl", b"roch", b"roqu", b"enroq", b"rokad", b"arroc", b"king", b"queen", b"rook",
        b"bishop", b"knight", b"pawn", b"pass", b"null", b"oo",
    ];
    let name = NAMES.iter().any(|name| lower.starts_with(name));
    let short = lower.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'x'));
    let known = match &*lower {
        b"ch" | b"ff" | b"wo" | b"vs" | b"no" | b"of" | b"to" | b"is" | b"in" | b"by" | b"on"
        | b"or" | b"at" | b"it" | b"dis" | b"dbl" | b"and" | b"the" | b"time" | b"mate" => true,
        _ => length > 2 && !name && !short,
    };
    known.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_word_short_moves_and_names_are_rejected() {
        for word in ["resigns", "mate", "ch", "Draw!", "White ", "forfeit)", "résigne"] {
            let length = word.trim_end_matches([' ', '!', ')']).len();
            assert_eq!(unknown_word(word.as_bytes()), Some(length), "{word}");
        }
        for word in
            ["ed", "exd", "Nf", "Nf3", "P-K4", "O", "knight", "Rochade", "e", "Sf3", "", "a1", "x"]
        {
            assert_eq!(unknown_word(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn may_hold_moves_squares_and_castling_are_found() {
        for text in ["2. d4", "Nf3", "O-O", "0-0-0", "see e4", "1-0"] {
            assert!(may_hold_moves(text.as_bytes()), "{text}");
        }
        for text in ["0:03", "White", "+0.35/12", "depth d12", "!", "e.p."] {
            assert!(!may_hold_moves(text.as_bytes()), "{text}");
        }
    }
}
