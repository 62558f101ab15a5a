//! Reads tokens among the moves that are not moves: words, remarks in parentheses, lookalikes of
//! ASCII characters. pgn §3.3 "Moves"

use chess_core::Nag;

use super::Movetext;
use crate::glyph::parse_glyph;
use crate::letters::{is_english, promotes};
use crate::quirk::Quirk;
use crate::san_parse::{Read, read_illegal, read_move};
use crate::tags::{broken_tag, decode, tag_begins};

/// The longest parenthesised remark that is read as a comment.
const MAX_REMARK: usize = 80;

/// The longest word that is skipped.
const MAX_WORD: usize = 48;

/// The most bytes of a comment of code.
const MAX_CODE: usize = 256;

/// The longest element or entity of HTML that is skipped.
const MAX_MARKUP: usize = 48;

/// The number of characters of the longest evaluation.
const MAX_GLYPH: usize = 3;

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
        let rest = self.cursor.rest();
        let after_digit = self.cursor.previous().is_some_and(|byte| byte.is_ascii_digit());
        let Some(length) = unknown_word(rest).or_else(|| short_word(rest, after_digit)) else {
            return false;
        };
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

    /// Takes a comment of C or HTML as one: `/* good */`, `<!-- good -->`.
    #[cold]
    pub(super) fn comment_of_code(&mut self) -> bool {
        let Some((length, open, close)) = self.code_length() else { return false };
        let (at, rest) = (self.cursor.at, self.cursor.rest());
        self.cursor.advance(length);
        self.quirk(Quirk::TextInParentheses, at);
        let text = rest.get(open..length.saturating_sub(close)).unwrap_or_default();
        self.text_comment(text, at);
        true
    }

    /// Returns the length of the comment of code at the cursor, and of the signs around its text.
    pub(super) fn code_length(&mut self) -> Option<(usize, usize, usize)> {
        let rest = self.cursor.rest();
        let (open, close) = match rest {
            [b'/', b'*', ..] => ("/*", "*/"),
            [b'<', b'!', b'-', b'-', ..] => ("<!--", "-->"),
            _ => return None,
        };
        let view = rest.get(..MAX_CODE).unwrap_or(rest);
        let line = memchr::memchr2(b'\n', b'\r', view);
        self.cursor.hit_end |= line.is_none() && view.len() < MAX_CODE;
        let text = view.get(open.len()..line.unwrap_or(view.len()))?;
        let end = memchr::memmem::find(text, close.as_bytes())?;
        let length = open.len().checked_add(end)?.checked_add(close.len())?;
        Some((length, open.len(), close.len()))
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

    /// Returns the character `ahead` bytes after the cursor, and its length. A byte that is not UTF-8
    /// is a character of the code page.
    pub(super) fn character(&self, ahead: usize) -> Option<(char, usize)> {
        let text = self.cursor.rest().get(ahead..)?;
        let text = text.get(..4).unwrap_or(text);
        let known = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        let page = || self.decoder.decode(text.get(..1)?).chars().next();
        known.map(|letter| (letter, letter.len_utf8())).or_else(|| Some((page()?, 1)))
    }

    /// Reads an evaluation with a typographic dash, or in a code page: `+−`, `±`.
    #[cold]
    pub(super) fn lookalike_glyph(&mut self) -> Option<(Nag, usize)> {
        self.joined.clear();
        let (mut ends, mut ahead) = ([0usize; MAX_GLYPH], 0usize);
        for end in &mut ends {
            let Some((letter, length)) = self.character(ahead) else { break };
            self.joined.push(if lookalike(letter) == Some(b'-') { '-' } else { letter });
            ahead = ahead.saturating_add(length);
            *end = ahead;
        }
        let (nag, length, _) = parse_glyph(self.joined.as_bytes())?;
        let characters = self.joined.get(..length)?.chars().count();
        ends.get(characters.checked_sub(1)?).map(|end| (nag, *end))
    }

    /// Returns the length of a decimal number, which is no castling: `0.00`, or `1.00` where
    /// castling is illegal. Call it at a zero.
    #[cold]
    pub(super) fn decimal(&self) -> Option<usize> {
        let rest = self.cursor.rest();
        let digits =
            |text: &[u8]| text.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        let length = match rest {
            [b'0', b'.', fraction @ ..] if digits(fraction) > 0 => {
                digits(fraction).saturating_add(2)
            }
            [b'0', b'0', ..]
                if self.cursor.previous() == Some(b'.')
                    && read_move(rest, self.replay.position()).is_err() =>
            {
                digits(rest)
            }
            _ => return None,
        };
        let next = rest.get(length);
        (!next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')).then_some(length)
    }

    /// Returns the length of the stray sign at the cursor.
    #[cold]
    pub(super) fn stray_sign(&self) -> Option<usize> {
        stray_sign(self.cursor.rest(), self.character(0)?)
    }

    /// Reads a move spelt with lookalikes of ASCII characters (`O–O`, `e2–e4`), or with the letters
    /// of another language.
    #[cold]
    pub(super) fn lookalike_move(&mut self) -> Option<Read> {
        let mut ascii = [0u8; MAX_MOVE];
        // The number of bytes each character had in the text.
        let mut sizes = [0usize; MAX_MOVE];
        let (mut from, mut length, mut replaced) = (0usize, 0usize, false);
        let (mut before, mut is_foreign) = (None, false);
        for (place, size) in ascii.iter_mut().zip(&mut sizes) {
            let Some((letter, taken)) = self.character(from) else { break };
            let piece = self.alphabet.filter(|_| before.is_none_or(promotes)).map(|alphabet| {
                let next = self.character(from.saturating_add(taken));
                // `O-O` is castling, though Estonian has a bishop O.
                if next.is_some_and(|(next, _)| next == '-') {
                    return None;
                }
                let (piece, letters) = alphabet.piece(letter, next.map(|(next, _)| next))?;
                let second = next.filter(|_| letters > 1).map_or(0, |(_, taken)| taken);
                Some((piece, taken.saturating_add(second)))
            });
            let byte = match piece {
                Some(Some((byte, taken))) => {
                    is_foreign |= !is_english(letter);
                    (byte, taken)
                }
                // No piece has this letter in the other language.
                Some(None) if is_english(letter) => return None,
                _ => {
                    let ascii = u8::try_from(letter).ok().filter(u8::is_ascii_graphic);
                    let Some(byte) = ascii.or_else(|| lookalike(letter)) else { break };
                    replaced |= !letter.is_ascii();
                    (byte, taken)
                }
            };
            (*place, *size) = byte;
            before = Some(letter);
            from = from.saturating_add(*size);
            length = length.saturating_add(1);
        }
        if !replaced && self.alphabet.is_none() {
            return None;
        }
        let ascii = ascii.get(..length)?;
        let read = read_move(ascii, self.replay.position()).ok().filter(|read| {
            // The remaining text must not continue the move.
            !ascii.get(read.len).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        });
        let illegal = || read_illegal(ascii, self.replay.position()).filter(|read| read.len > 3);
        let mut read = match self.alphabet {
            None => read.or_else(illegal),
            Some(_) => read,
        }?;
        read.len = sizes.iter().take(read.len).sum();
        read.marks.add(Quirk::Lookalike, replaced);
        if is_foreign && !self.is_foreign {
            self.is_foreign = true;
            self.notes.letters = self.alphabet.map(|alphabet| alphabet.message);
            self.quirk(Quirk::ForeignLetters, self.cursor.at);
        }
        Some(read)
    }
}

/// Returns the ASCII character that resembles `letter`. Capital letters that name pieces in other
/// languages are not replaced.
fn lookalike(letter: char) -> Option<u8> {
    Some(match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => b'-',
        // Cyrillic and Greek O, small o.
        'О' | 'Ο' => b'O',
        'о' | 'ο' => b'o',
        // Cyrillic a, c, e, x; the multiplication sign.
        'а' => b'a',
        'с' => b'c',
        'е' => b'e',
        'х' | '×' => b'x',
        _ => return None,
    })
}

/// Returns the length of the stray sign at the start of `text`: a character that is neither a letter
/// nor a digit, `<=`, a tag or an entity of HTML. A bracket before a letter or digit is none: its
/// text may hold moves.
fn stray_sign(text: &[u8], (letter, length): (char, usize)) -> Option<usize> {
    let view = text.get(..MAX_MARKUP).unwrap_or(text);
    let markup = |end: u8, fits: fn(&[u8]) -> bool| {
        let length = memchr::memchr(end, view)?;
        view.get(1..length).filter(|name| fits(name)).map(|_| length.saturating_add(1))
    };
    let element = |name: &[u8]| {
        let letters = name.strip_prefix(b"/").unwrap_or(name);
        letters.first().is_some_and(u8::is_ascii_alphabetic)
            && !name.iter().any(|byte| matches!(byte, b'<' | b'{' | b'\n' | b'\r'))
            && !may_hold_moves(name)
    };
    let entity = |name: &[u8]| {
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
    };
    match text {
        [b'<', b'=', b'>', ..] => Some(3),
        [b'<' | b'>', b'=', ..] => Some(2),
        [b'<', ..] => markup(b'>', element).or(Some(1)),
        [b'&', ..] => markup(b';', entity).or(Some(1)),
        [b'[', after @ ..] => {
            let after = after.trim_ascii_start().first();
            (!after.is_some_and(u8::is_ascii_alphanumeric)).then_some(1)
        }
        _ => (!letter.is_alphanumeric()).then_some(length),
    }
}

/// Returns the length of a short word that cannot be a move: `e.g.`, the article before a word, the
/// unit of a number (`after_digit`) as in `5s`, `M5`, a lone letter of neither a file nor a piece. A
/// lone `x` may belong to the square behind it.
fn short_word(text: &[u8], after_digit: bool) -> Option<usize> {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, after) = text.split_at_checked(length)?;
    let apart = !after.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-');
    let next = after.trim_ascii_start();
    let square = matches!(next, [b'a'..=b'h', b'1'..=b'8', ..]);
    match word {
        [_] if matches!(after, [b'.', b'A'..=b'Z' | b'a'..=b'z', b'.', ..]) => Some(4),
        b"M" if !apart => {
            let digits = after.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
            digits.checked_add(1)
        }
        [b'a'..=b'h' | b'k' | b'n'..=b'r' | b'B' | b'K' | b'N'..=b'R'] => {
            (word == b"a" && next.len() < after.len() && unknown_word(next).is_some()).then_some(1)
        }
        [_] if apart && !square => Some(1),
        b"st" | b"nd" | b"rd" | b"th" if after_digit && apart => Some(length),
        _ => None,
    }
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
                    b'.' | b','
                        | b'!'
                        | b'?'
                        | b':'
                        | b')'
                        | b'('
                        | b'{'
                        | b';'
                        | b'*'
                        | b'<'
                        | b'"'
                        | b'\''
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
        | b"or" | b"at" | b"it" | b"rr" | b"dis" | b"dbl" | b"and" | b"the" | b"ok" | b"time"
        | b"mate" => true,
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
    fn short_word_moves_are_rejected() {
        for (word, length) in [
            ("x Nf3", 1),
            ("x<b>", 1),
            ("e.g. f4", 4),
            ("z.B. f4", 4),
            ("a test", 1),
            ("s Nf3", 1),
            ("M12 Nf3", 3),
        ] {
            assert_eq!(short_word(word.as_bytes(), false), Some(length), "{word}");
        }
        assert_eq!((short_word(b"st ", true), short_word(b"st ", false)), (Some(2), None));
        for word in ["x d5", "xd5", "a4", "a Nf3", "e5", "ed", "Nf", "N", "O", "b", "n", "S-f3"] {
            assert_eq!(short_word(word.as_bytes(), true), None, "{word}");
        }
    }

    #[test]
    fn stray_sign_letters_and_digits_are_rejected() {
        let length = |text: &str| {
            let first = text.chars().next().unwrap();
            stray_sign(text.as_bytes(), (first, first.len_utf8())).unwrap_or(0)
        };
        for (text, expected) in [
            ("⇄ Nf3", "⇄".len()),
            ("\"", 1),
            ("<=>", 3),
            (">= ", 2),
            ("<b>x", 3),
            ("</span> e4", 7),
            ("<br", 1),
            ("&nbsp; e4", 6),
            ("& e4", 1),
            ("[ ]", 1),
            ("[Nf3]", 0),
            ("<Nf3>", 1),
            ("Кf3", 0),
            ("²", 0),
        ] {
            assert_eq!(length(text), expected, "{text}");
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
