//! Reads the movetext of a game. pgn §3.3 "Moves" to §3.7 "Results"

mod comments;
mod ends;
mod skip;
mod words;

pub(crate) use self::ends::TagResult;

use chess_core::{Game, Move, Nag, Replay, ResultText};
use chess_store::TextDecoder;

use crate::cursor::{Cursor, invisible};
use crate::error::ErrorKind;
use crate::glyph::parse_glyph;
use crate::known_text::KnownText;
use crate::letters::Alphabet;
use crate::notes::Notes;
use crate::quirk::Quirk;
use crate::san_parse::{Read, SanError, read_illegal, read_move, read_spelt_out};
use crate::san_plain::{PlainMove, read_plain_officer_move, read_plain_pawn_move};
use crate::tags::tag_begins;

/// The maximum nesting of variations; each level of `replay` keeps two positions.
pub(crate) const MAX_DEPTH: usize = 16_384;

/// The number of characters of an unreadable token that an error quotes.
const MAX_QUOTED: usize = 24;

/// The longest word after `$` that is passed over with it.
const MAX_BAD_NAG: usize = 8;

/// An open variation.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The place of its opening parenthesis.
    at: usize,
    /// Whether the variation was cut at an unreadable move.
    cut: bool,
}

/// Reads movetext into a game.
pub(crate) struct Movetext<'a, 't> {
    pub(crate) cursor: &'a mut Cursor<'t>,
    pub(crate) game: &'a mut Game,
    pub(crate) notes: &'a mut Notes,
    pub(crate) stack: &'a mut Vec<Level>,
    pub(crate) scratch: &'a mut Vec<u8>,
    /// Scratch space for a comment of several lines, joined into one.
    pub(crate) joined: &'a mut String,
    pub(crate) texts: KnownText<'t>,
    pub(crate) decoder: TextDecoder,
    /// Keeps the position before each move from the first variation on.
    pub(crate) replay: &'a mut Replay,
    /// The place of the last result.
    pub(crate) result_at: usize,
    /// The result according to the tags.
    pub(crate) tag_result: TagResult,
    /// The last result in words.
    pub(crate) words: Option<ResultText>,
    /// Whether a move number was skipped because no readable move follows it.
    pub(crate) numbered: bool,
    /// The ply of a comment after an empty line. The next move may belong to another game.
    pub(crate) apart_at: Option<u32>,
    /// Whether to skip everything but the result.
    pub(crate) unwanted: bool,
    /// Whether to stop where parsing the moves could find a different end of the game.
    pub(crate) cautious: bool,
    /// Whether reading stopped for that reason.
    pub(crate) doubtful: bool,
    /// The letters of the pieces, if they are not English.
    pub(crate) alphabet: Option<&'static Alphabet>,
    /// Whether a letter was found that names no piece in English.
    pub(crate) is_foreign: bool,
}

impl Movetext<'_, '_> {
    /// Reads up to the result, the next game or the end of the text. Returns the result, and the
    /// place where it stands or is missing.
    pub(crate) fn read(&mut self) -> (Option<ResultText>, usize) {
        self.lines_before_moves();
        if self.unwanted {
            self.skip(0);
        }
        let result = if self.doubtful { None } else { self.read_tokens() };
        let at = if result.is_some() { self.result_at } else { self.cursor.at };
        if self.game.open_variations() > 0 {
            self.quirk(Quirk::UnclosedVariation, self.cursor.at);
            while self.game.open_variations() > 0 {
                self.end_variation();
            }
        }
        if result.is_some() {
            self.comments_after_result();
        }
        // Notes about the result refer to this ply.
        self.notes.ply = Some(self.replay.ply());
        (result, at)
    }

    fn read_tokens(&mut self) -> Option<ResultText> {
        loop {
            self.plain_moves();
            let byte = self.cursor.peek()?;
            if byte == b' ' || byte == b'\n' {
                self.cursor.advance(1);
            } else if byte.is_ascii_alphabetic() {
                self.move_token();
                if self.words.is_some() {
                    return self.words.take().and_then(|result| self.result(result));
                }
            } else if byte.is_ascii_digit() || byte == b'*' || byte == 0xc2 {
                if matches!(byte, b'0' | b'1') && self.numbering_restarts() {
                    return None;
                }
                if let Some(result) = self.number_or_result() {
                    return Some(result);
                }
                if let Some(result) = self.words.take() {
                    return self.result(result);
                }
            } else if let Some(result) = self.result_in_other_signs(byte) {
                // A result inside a variation does not end the game.
                if let Some(result) = self.result(result) {
                    return Some(result);
                }
            } else if !self.read_other(byte) {
                return None;
            } else if let Some(result) = self.words.take() {
                return self.result(result);
            }
        }
    }

    /// Reads common movetext (moves, move numbers and plain comments) until any other token.
    fn plain_moves(&mut self) {
        let inside_word = self.cursor.previous().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if inside_word || self.alphabet.is_some() {
            return;
        }
        // The cursor is in memory, so it is moved only where it is needed.
        let mut rest = self.cursor.rest();
        // Eight bytes hold any plain move and the character that ends it.
        while let Some(text) = rest.first_chunk::<8>() {
            let length = match text {
                [b'a'..=b'h', ..] => {
                    self.plain_move(read_plain_pawn_move(*text, self.replay.position()))
                }
                [b'A'..=b'Z', ..] => {
                    self.plain_move(read_plain_officer_move(*text, self.replay.position()))
                }
                [b' ' | b'\n', ..] => Some(1),
                [b'{', ..] => {
                    self.cursor.move_to(rest);
                    self.plain_comment(rest)
                }
                [b'1', b'.', ..] if self.started() && self.numbering_restarts_at(rest) => break,
                [b'1'..=b'9', b'.', b' ', ..] => Some(3),
                [b'1'..=b'9', b'.', b'.', b'.', b' ', ..] => Some(5),
                [b'1'..=b'9', b'.', ..] => Some(2),
                [b'1'..=b'9', b'0'..=b'9', b'.', b' ', ..] => Some(4),
                [b'1'..=b'9', b'0'..=b'9', b'.', b'.', b'.', b' ', ..] => Some(6),
                [b'1'..=b'9', b'0'..=b'9', b'.', ..] => Some(3),
                _ => None,
            };
            let Some(after) = length.and_then(|length| rest.get(length..)) else { break };
            rest = after;
        }
        self.cursor.move_to(rest);
    }

    /// Plays a plain move. Returns its length, including the white space after it.
    #[inline(always)] // once a ply
    fn plain_move(&mut self, read: Option<PlainMove>) -> Option<usize> {
        let PlainMove { piece, from, to, length } = read?;
        self.replay.play_with(|position| position.apply_plain(piece, from, to));
        self.game.push_move(Move::new(from, to));
        length.checked_add(1)
    }

    /// Reads a result that begins with neither a digit nor a letter: `.5-.5`, `+/-`, `=`.
    #[inline]
    fn result_in_other_signs(&mut self, byte: u8) -> Option<ResultText> {
        match byte {
            b'+' | b'-' | b'=' | 0xe2 => self.result_in_signs(),
            b'.' | b',' => result_here(self.cursor.rest()),
            _ => None,
        }
    }

    /// Reads any token except white space, words and numbers. Returns `false` where the next game
    /// begins.
    fn read_other(&mut self, byte: u8) -> bool {
        match byte {
            b'.' | b'\r' | b'\t' | 0x0b | 0x0c => self.cursor.advance(1),
            b'{' => self.comment(),
            b'(' => self.open(),
            b')' => self.close(),
            b'$' => self.nag(),
            b'@' => self.move_token(),
            b'[' => {
                if tag_begins(self.cursor) {
                    return false;
                }
                if !self.remark_in_brackets() {
                    self.sign(byte);
                }
            }
            _ => self.sign(byte),
        }
        true
    }

    fn quirk(&mut self, quirk: Quirk, at: usize) {
        self.notes.ply = Some(self.replay.ply());
        self.notes.quirk(quirk, at);
    }

    fn move_token(&mut self) {
        let rest = self.cursor.rest();
        let english = match self.alphabet {
            None => read_move(rest, self.replay.position()),
            Some(_) => Err(SanError::Unreadable),
        };
        let read = match english {
            Ok(read) if rest.get(read.len).is_some_and(|byte| *byte >= 0x80) => {
                // `Ng1–f3` is longer than `Ng1`.
                self.lookalike_move().filter(|whole| whole.len > read.len).unwrap_or(read)
            }
            Ok(read) if rest.get(read.len) != Some(&b'=') => read,
            Ok(read) => match read_spelt_out(rest, self.replay.position()) {
                Some(odd) if odd.len > read.len => self.odd_move(odd),
                _ => read,
            },
            Err(error) => match self.lookalike_move() {
                Some(read) => read,
                None if error == SanError::Illegal => {
                    match read_illegal(rest, self.replay.position()) {
                        Some(odd) => self.odd_move(odd),
                        None => return self.no_move(error),
                    }
                }
                None => return self.no_move(error),
            },
        };
        if self.cursor.previous().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.quirk(Quirk::MissingSpace, self.cursor.at);
        }
        if !read.marks.is_empty() {
            read.marks.iter().for_each(|quirk| self.quirk(quirk, self.cursor.at));
        }
        self.cursor.advance(read.len);
        self.play(read.m);
    }

    /// Reports a quirk for an illegal move that is kept.
    #[cold]
    fn odd_move(&mut self, read: Read) -> Read {
        self.quirk(Quirk::IllegalMove, self.cursor.at);
        read
    }

    fn play(&mut self, m: Move) {
        self.replay.play(m);
        self.game.push_move(m);
    }

    /// Handles a word in place of a move.
    #[cold]
    fn no_move(&mut self, error: SanError) {
        let rest = self.cursor.rest();
        for mark in [b"e.p.".as_slice(), b"ep", b"e.p"] {
            let after = rest.strip_prefix(mark);
            if after.is_some_and(|after| !after.first().is_some_and(u8::is_ascii_alphanumeric)) {
                self.quirk(Quirk::EnPassantMark, self.cursor.at);
                return self.cursor.advance(mark.len());
            }
        }
        if self.glyph() {
            return;
        }
        if let [b'@', after @ ..] = rest
            && !after.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'@')
        {
            self.quirk(Quirk::StraySign, self.cursor.at);
            return self.cursor.advance(1);
        }
        if error == SanError::Unreadable {
            self.words = self.result_in_words();
            if self.words.is_some() || self.pass_word() {
                return;
            }
        }
        self.cut_line(error);
    }

    /// Ends the current line at an unreadable or illegal move.
    fn cut_line(&mut self, error: SanError) {
        let rest = self.cursor.rest();
        let ends = |byte: &u8| {
            byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'{' | b'}' | b';' | b'$')
        };
        let shown = rest.get(..MAX_QUOTED).unwrap_or(rest);
        let length = shown.iter().position(ends).unwrap_or(shown.len()).max(1);
        let token = shown.get(..length).unwrap_or(shown);
        let text = self.decoder.decode(token).into();
        let kind = match error {
            SanError::Unreadable => ErrorKind::Unreadable(text),
            SanError::Illegal => ErrorKind::Illegal(text),
            SanError::Ambiguous => ErrorKind::Ambiguous(text),
        };
        self.numbered |= self.cursor.after_number();
        let at = self.cursor.at;
        self.cursor.advance(1);
        self.skip(0);
        if self.numbering_begins() {
            // No move is left out.
            return self.quirk(Quirk::TextBeforeMoves, at);
        }
        self.notes.ply = Some(self.replay.ply());
        self.notes.fault(kind, at);
        if let Some(level) = self.stack.last_mut() {
            level.cut = true;
        }
    }

    fn fault(&mut self, kind: ErrorKind) {
        self.notes.ply = Some(self.replay.ply());
        self.notes.fault(kind, self.cursor.at);
    }

    /// Reads a move number, a result, or castling with zeros.
    fn number_or_result(&mut self) -> Option<ResultText> {
        let rest = self.cursor.rest();
        // Counts at most eight digits, so that a long line of zeros is not counted again at each
        // null move.
        let digits = rest.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        // `-0.5` is no draw.
        if rest.starts_with(b"0.5") && matches!(self.cursor.previous(), Some(b'-' | b'+')) {
            self.quirk(Quirk::StraySign, self.cursor.at);
            self.cursor.advance(self.decimal().unwrap_or(1));
            return None;
        }
        if let Some(result) = result_here(rest) {
            return self.result(result);
        }
        if let [b'1', b'-' | b'x' | b'X', ..] | [b'0', b'-' | b'x' | b'X', b'1', ..] = rest
            && let Some(result) = self.result_in_words()
        {
            // `1-O`, `1x0`.
            return self.result(result);
        }
        if rest.starts_with(b"0") {
            if let Some(result) = self.both_lost() {
                return self.result(result);
            }
            if let Some(length) = self.decimal() {
                self.quirk(Quirk::StraySign, self.cursor.at);
                self.cursor.advance(length);
                return None;
            }
            let castles = rest.starts_with(b"0-0") || rest.starts_with(b"00");
            if castles && !self.padded_number(digits) {
                self.move_token();
                return None;
            }
            if let Some(read) = self.lookalike_move() {
                self.read_lookalike(read);
                return None;
            }
        }
        if digits > 0 {
            self.cursor.advance(digits);
        } else {
            self.sign(0xc2);
        }
        None
    }

    /// Returns whether a move number with leading zeros stands here: `003.`. Zeros alone are
    /// castling or a null move where those are legal: `00.`
    #[cold]
    fn padded_number(&self, digits: usize) -> bool {
        let rest = self.cursor.rest();
        let number = rest.get(..digits).unwrap_or_default();
        let zeros = number.iter().all(|byte| *byte == b'0');
        let plays = || zeros && read_move(rest, self.replay.position()).is_ok();
        rest.get(digits) == Some(&b'.') && !plays()
    }

    /// Plays a move that is spelt with lookalikes.
    #[cold]
    fn read_lookalike(&mut self, read: Read) {
        read.marks.iter().for_each(|quirk| self.quirk(quirk, self.cursor.at));
        self.cursor.advance(read.len);
        self.play(read.m);
    }

    fn nag(&mut self) {
        let at = self.cursor.at;
        self.cursor.advance(1);
        let rest = self.cursor.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = rest.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok());
        match text.and_then(|text| text.parse().ok()) {
            Some(number) => self.game.push_nag(Nag(number)),
            None => {
                self.quirk(Quirk::BadNag, at);
                // `$a` is not the start of a move.
                if digits == 0 {
                    let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric());
                    self.cursor.advance(word.count().min(MAX_BAD_NAG));
                }
            }
        }
        self.cursor.advance(digits);
    }

    /// Reads an evaluation in signs. Returns whether there was one.
    fn glyph(&mut self) -> bool {
        let Some((nag, length, standard)) = parse_glyph(self.cursor.rest()) else { return false };
        if !standard {
            self.quirk(Quirk::Glyph, self.cursor.at);
        }
        self.game.push_nag(nag);
        self.cursor.advance(length);
        true
    }

    /// Reads any character that is not a letter, digit, bracket or space.
    fn sign(&mut self, byte: u8) {
        let rest = self.cursor.rest();
        match byte {
            b';' => return self.line_comment(),
            b'%' if self.cursor.skip_hidden_line() => return,
            b'-' if matches!(rest, [_, b'-', after @ ..] if !after.starts_with(b"+") && !after.starts_with(b"-")) =>
            {
                return self.move_token();
            }
            _ if self.glyph() || self.comment_of_code() => return,
            b'+' | b'-' | 0x80.. => {
                if let Some((nag, length)) = self.lookalike_glyph() {
                    self.quirk(Quirk::Glyph, self.cursor.at);
                    self.game.push_nag(nag);
                    return self.cursor.advance(length);
                }
            }
            _ => {}
        }
        let (quirk, length) = match rest {
            [0xef, 0xbb, 0xbf, ..] => (Quirk::ByteOrderMark, 3),
            [0xe2, 0x99, 0x94..=0x9f, ..] => return self.move_token(),
            [b'}', ..] => (Quirk::StrayBrace, 1),
            // A ruled line.
            [b'-', b'-', b'-', ..] => {
                (Quirk::StraySign, rest.iter().take_while(|byte| **byte == b'-').count())
            }
            _ => {
                let is_letter = matches!(rest, [0x80..=0xff, ..]) && invisible(rest).is_none();
                if is_letter && let Some(read) = self.lookalike_move() {
                    return self.read_lookalike(read);
                }
                match invisible(rest).or_else(|| self.stray_sign()) {
                    Some(length) => (Quirk::StraySign, length),
                    None => return self.cut_line(SanError::Unreadable),
                }
            }
        };
        self.quirk(quirk, self.cursor.at);
        self.cursor.advance(length);
    }

    fn open(&mut self) {
        if self.remark_in_brackets() {
            return;
        }
        if self.stack.len() >= MAX_DEPTH {
            self.fault(ErrorKind::TooDeep(MAX_DEPTH));
        } else if self.game.start_variation().is_err() {
            self.quirk(Quirk::MisplacedVariation, self.cursor.at);
        } else {
            return self.enter_variation();
        }
        self.cursor.advance(1);
        self.skip(1);
    }

    fn enter_variation(&mut self) {
        let at = self.cursor.at;
        self.cursor.advance(1);
        if !self.replay.keeps_before() {
            // This is the first variation, so all moves so far are on the main line.
            let mut before = self.game.start_position();
            let moves = self.replay.ply().saturating_sub(1) as usize;
            self.game.main_line().take(moves).for_each(|m| before.apply(m));
            self.replay.keep_before(before);
        }
        self.stack.push(Level { at, cut: false });
        self.replay.start_variation();
    }

    fn close(&mut self) {
        if self.game.open_variations() > 0 {
            self.end_variation();
        } else {
            self.quirk(Quirk::StrayVariationEnd, self.cursor.at);
        }
        self.cursor.advance(1);
    }

    /// Ends the innermost variation. A variation without a move is removed, but its comments stay.
    /// If it was cut at its first move, all of its text stays.
    fn end_variation(&mut self) {
        let Some(level) = self.stack.pop() else {
            self.game.close_variations();
            return;
        };
        if self.game.drop_empty_variation(!level.cut) {
            self.quirk(Quirk::EmptyVariation, level.at);
            if level.cut {
                let text = self.cursor.slice(level.at.saturating_add(1), self.cursor.at);
                self.text_comment(text, level.at);
            }
        } else {
            // Cannot fail: the stack has a level for each open variation.
            let _ = self.game.end_variation();
        }
        self.replay.end_variation();
    }
}

/// Returns the result at the start of `text`.
#[inline]
pub(crate) fn result_here(text: &[u8]) -> Option<ResultText> {
    ResultText::at_start(text)
}
