//! The movetext of a game, read. pgn §3.3 "Moves" to §3.7 "Results"

use chess_core::{Game, GameResult, Move, Nag, Position, TextDecoder};

use crate::cursor::Cursor;
use crate::error::ErrorKind;
use crate::glyph::parse_glyph;
use crate::notes::Notes;
use crate::quirk::Quirk;
use crate::san_parse::{SanError, read_move, read_plain_move};
use crate::tags::{decode, game_start_in, looks_like_tag};
use crate::text::decode_comment;

/// How deep variations may be nested; a position is kept for each level.
pub(crate) const MAX_DEPTH: usize = 16_384;

/// How far after a comment with an opening brace in it another closing one is sought.
const NESTED_WITHIN: usize = 1 << 16;

/// How much of an unreadable token an error shows.
const SHOWN: usize = 24;

/// What to come back to when a variation ends.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    position: Position,
    before: Position,
    ply: u32,
}

/// Reads movetext into a game.
pub(crate) struct Movetext<'a, 't> {
    pub(crate) cursor: &'a mut Cursor<'t>,
    pub(crate) game: &'a mut Game,
    pub(crate) notes: &'a mut Notes,
    pub(crate) stack: &'a mut Vec<Level>,
    pub(crate) scratch: &'a mut Vec<u8>,
    pub(crate) decoder: TextDecoder,
    pub(crate) position: Position,
    /// The position before the last move, once `tracking`.
    pub(crate) before: Position,
    /// Whether there has been a variation, and so positions must be kept.
    pub(crate) tracking: bool,
    pub(crate) ply: u32,
    /// Where the last result stands.
    pub(crate) result_at: usize,
    /// Whether to pass over all but the result.
    pub(crate) unwanted: bool,
}

impl Movetext<'_, '_> {
    /// Reads up to the result, the next game or the end; returns the result, and the place where
    /// it stands or is missing.
    pub(crate) fn read(&mut self) -> (Option<GameResult>, usize) {
        if self.unwanted {
            self.skip(0);
        }
        let result = self.read_tokens();
        let at = if result.is_some() { self.result_at } else { self.cursor.at };
        if self.game.open_variations() > 0 {
            self.quirk(Quirk::UnclosedVariation, self.cursor.at);
            self.game.close_variations();
        }
        if result.is_some() {
            self.comments_after_result();
        }
        (result, at)
    }

    fn read_tokens(&mut self) -> Option<GameResult> {
        loop {
            self.plain_moves();
            let byte = self.cursor.peek()?;
            if byte == b' ' || byte == b'\n' {
                self.cursor.advance(1);
            } else if byte.is_ascii_alphabetic() {
                self.move_token();
            } else if byte.is_ascii_digit() || byte == b'*' || byte == 0xc2 {
                if let Some(result) = self.number_or_result() {
                    return Some(result);
                }
            } else if !self.read_other(byte) {
                return None;
            }
        }
    }

    /// Reads what nearly all movetext is, moves and their numbers, up to anything else.
    fn plain_moves(&mut self) {
        if self.cursor.previous().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            return;
        }
        // Eight bytes hold any such move, and tell that nothing hangs on to it.
        while let Some(text) = self.cursor.rest().first_chunk::<8>() {
            let length = match text {
                [b' ' | b'\n', ..] => 1,
                [b'1'..=b'9', b'.', ..] => 2,
                [b'1'..=b'9', b'0'..=b'9', b'.', ..] => 3,
                _ => match read_plain_move(*text, &self.position) {
                    Some((m, length)) => {
                        self.play(m);
                        // And the white space after it.
                        length.saturating_add(1)
                    }
                    None => return,
                },
            };
            self.cursor.advance(length);
        }
    }

    /// Anything but white space, words and numbers; `false` where the next game begins.
    fn read_other(&mut self, byte: u8) -> bool {
        match byte {
            b'.' | b'\r' | b'\t' | 0x0b | 0x0c => self.cursor.advance(1),
            b'{' => self.comment(),
            b'(' => self.open(),
            b')' => self.close(),
            b'$' => self.nag(),
            b'@' => self.move_token(),
            b'[' => {
                if looks_like_tag(self.cursor.rest(), self.cursor.at_line_start()) {
                    return false;
                }
                self.sign(byte);
            }
            _ => self.sign(byte),
        }
        true
    }

    fn quirk(&mut self, quirk: Quirk, at: usize) {
        self.notes.ply = Some(self.ply);
        self.notes.quirk(quirk, at);
    }

    fn move_token(&mut self) {
        let read = match read_move(self.cursor.rest(), &self.position) {
            Ok(read) => read,
            Err(error) => return self.no_move(error),
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

    #[inline]
    fn play(&mut self, m: Move) {
        if self.tracking {
            self.before = self.position;
        }
        self.position.apply(m);
        self.ply = self.ply.saturating_add(1);
        self.game.push_move(m);
    }

    /// A word where a move could stand, and is none.
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
        if !self.glyph() {
            self.cut_line(error);
        }
    }

    /// An unreadable or illegal move ends its line.
    fn cut_line(&mut self, error: SanError) {
        let rest = self.cursor.rest();
        let ends = |byte: &u8| {
            byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'{' | b'}' | b';' | b'$')
        };
        let length = rest.iter().position(ends).unwrap_or(rest.len()).clamp(1, SHOWN);
        let token = rest.get(..length).unwrap_or(rest);
        let text = self.decoder.decode(token).into();
        let kind = match error {
            SanError::Unreadable => ErrorKind::Unreadable(text),
            SanError::Illegal => ErrorKind::Illegal(text),
            SanError::Ambiguous => ErrorKind::Ambiguous(text),
        };
        self.fault(kind);
        self.cursor.advance(1);
        self.skip(0);
    }

    fn fault(&mut self, kind: ErrorKind) {
        self.notes.ply = Some(self.ply);
        self.notes.fault(kind, self.cursor.at);
    }

    /// A move's number, a result, or castling with zeros.
    fn number_or_result(&mut self) -> Option<GameResult> {
        let rest = self.cursor.rest();
        // Not all of them at once, lest a line of zeros be counted again at each null move.
        let digits = rest.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        if let Some((result, length)) = result_here(rest) {
            return self.result(result, length);
        }
        if rest.starts_with(b"0-0") || rest.starts_with(b"00") {
            self.move_token();
        } else if digits > 0 {
            self.cursor.advance(digits);
        } else {
            self.sign(0xc2);
        }
        None
    }

    /// A result ends the game, unless it stands in a variation that goes on.
    fn result(&mut self, result: GameResult, length: usize) -> Option<GameResult> {
        let at = self.cursor.at;
        self.result_at = at;
        self.cursor.advance(length);
        if self.game.open_variations() > 0 && !self.ends_here() {
            self.quirk(Quirk::ResultInVariation, at);
            return None;
        }
        if self.cursor.slice(at, self.cursor.at) != result.as_str().as_bytes() {
            self.quirk(Quirk::ResultSpelling, at);
        }
        Some(result)
    }

    /// Whether nothing follows but the end of the text or the next game.
    fn ends_here(&mut self) -> bool {
        let at = self.cursor.at;
        self.cursor.skip_white();
        let ends = self.cursor.peek().is_none()
            || looks_like_tag(self.cursor.rest(), self.cursor.at_line_start());
        self.cursor.at = at;
        ends
    }

    /// Comments behind the result, not set off by an empty line, are the game's.
    fn comments_after_result(&mut self) {
        while self.cursor.skip_white() < 2 && matches!(self.cursor.peek(), Some(b'{' | b';')) {
            self.quirk(Quirk::CommentAfterResult, self.cursor.at);
            if self.cursor.peek() == Some(b'{') { self.comment() } else { self.line_comment() }
        }
    }

    fn nag(&mut self) {
        let at = self.cursor.at;
        self.cursor.advance(1);
        let rest = self.cursor.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = rest.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok());
        match text.and_then(|text| text.parse().ok()) {
            Some(number) => self.game.push_nag(Nag(number)),
            None => self.quirk(Quirk::BadNag, at),
        }
        self.cursor.advance(digits);
    }

    /// An evaluation in signs, if one stands here.
    fn glyph(&mut self) -> bool {
        let Some((nag, length, standard)) = parse_glyph(self.cursor.rest()) else { return false };
        if !standard {
            self.quirk(Quirk::Glyph, self.cursor.at);
        }
        self.game.push_nag(nag);
        self.cursor.advance(length);
        true
    }

    /// Anything that is neither letter, digit, bracket nor space.
    fn sign(&mut self, byte: u8) {
        let rest = self.cursor.rest();
        match byte {
            b';' => return self.line_comment(),
            b'%' if self.cursor.skip_hidden_line() => return,
            b'-' if rest.starts_with(b"--") && !rest.starts_with(b"--+") => {
                return self.move_token();
            }
            _ if self.glyph() => return,
            _ => {}
        }
        let (quirk, length) = match rest {
            [0xef, 0xbb, 0xbf, ..] => (Quirk::ByteOrderMark, 3),
            // No-break space; ellipsis.
            [0xc2, 0xa0, ..] => (Quirk::StraySign, 2),
            [0xe2, 0x80, 0xa6, ..] => (Quirk::StraySign, 3),
            [0xe2, 0x99, 0x94..=0x9f, ..] => return self.move_token(),
            [b'}', ..] => (Quirk::StrayBrace, 1),
            [b'+' | b'#' | b'-' | b'<' | b'>' | b',' | b'%' | b'/' | 0, ..] => {
                (Quirk::StraySign, 1)
            }
            _ => return self.cut_line(SanError::Unreadable),
        };
        self.quirk(quirk, self.cursor.at);
        self.cursor.advance(length);
    }

    fn open(&mut self) {
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
        self.cursor.advance(1);
        if !self.tracking {
            // The first variation: all moves so far are the main line's.
            self.tracking = true;
            self.before = self.game.start_position();
            let moves = self.ply.saturating_sub(1) as usize;
            self.game.main_line().take(moves).for_each(|m| self.before.apply(m));
        }
        let (position, before, ply) = (self.position, self.before, self.ply);
        self.stack.push(Level { position, before, ply });
        self.position = before;
        self.ply = ply.saturating_sub(1);
    }

    fn close(&mut self) {
        if self.game.end_variation().is_ok() {
            if let Some(level) = self.stack.pop() {
                self.position = level.position;
                self.before = level.before;
                self.ply = level.ply;
            }
        } else {
            self.quirk(Quirk::StrayVariationEnd, self.cursor.at);
        }
        self.cursor.advance(1);
    }

    fn comment(&mut self) {
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

    fn line_comment(&mut self) {
        let at = self.cursor.at;
        self.cursor.advance(1);
        let line = self.cursor.take_line();
        if self.unwanted {
            return;
        }
        let text = decode(line.trim_ascii(), self.decoder, at, self.notes);
        // Only more than 4 GiB of comments cannot be kept; a game's text is far shorter.
        let _ = self.game.push_comment(&text);
    }

    fn push_comment(&mut self, raw: &[u8], at: usize) {
        self.notes.ply = Some(self.ply);
        let text = if memchr::memchr3(b'\n', b'\r', b'\\', raw).is_none() {
            decode(raw, self.decoder, at, self.notes)
        } else {
            self.scratch.clear();
            decode_comment(raw, self.scratch);
            decode(self.scratch, self.decoder, at, self.notes)
        };
        // As above.
        let _ = self.game.push_comment(&text);
    }

    /// Goes past a comment in braces; returns the end of its text, and what is odd about it.
    fn pass_comment(&mut self) -> (usize, Option<Quirk>) {
        self.cursor.advance(1);
        let (start, rest) = (self.cursor.at, self.cursor.rest());
        let close = self.cursor.find(b'}');
        let inside = rest.get(..close.unwrap_or(rest.len())).unwrap_or(rest);
        if let Some(end) = game_start_in(inside, rest) {
            self.cursor.advance(end);
            return (self.cursor.at, Some(Quirk::UnclosedComment));
        }
        let Some(mut close) = close else {
            self.cursor.advance(rest.len());
            return (self.cursor.at, Some(Quirk::UnclosedComment));
        };
        let mut quirk = None;
        let mut opened = memchr::memchr_iter(b'{', inside).count();
        while opened > 0
            && let Some(next) = self.closing_again(rest.get(close.saturating_add(1)..))
        {
            close = close.saturating_add(1).saturating_add(next);
            opened = opened.saturating_sub(1);
            quirk = Some(Quirk::NestedComment);
        }
        self.cursor.advance(close.saturating_add(1));
        (start.saturating_add(close), quirk)
    }

    /// After a comment with another one begun in it: how far ahead a brace closes again, before
    /// any opens.
    fn closing_again(&mut self, rest: Option<&[u8]>) -> Option<usize> {
        let rest = rest.unwrap_or_default();
        let window = rest.get(..NESTED_WITHIN).unwrap_or(rest);
        self.cursor.hit_end |= window.len() < NESTED_WITHIN;
        let next = memchr::memchr2(b'{', b'}', window)?;
        let between = window.get(..next).unwrap_or_default();
        let closes = window.get(next) == Some(&b'}') && game_start_in(between, rest).is_none();
        closes.then_some(next)
    }

    /// Passes over what cannot be used. From the inside of `depth` variations that are not the
    /// game's, to behind the last of them; at depth 0, to the end of the line that the game is on:
    /// before its closing bracket, its result or the next game.
    pub(crate) fn skip(&mut self, depth: usize) {
        let to_outside = depth > 0;
        let mut depth = depth;
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'{' => {
                    self.pass_comment();
                    continue;
                }
                b';' => {
                    self.cursor.take_line();
                    continue;
                }
                b'%' if self.cursor.skip_hidden_line() => continue,
                b'(' => depth = depth.saturating_add(1),
                b')' if depth > 0 => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && to_outside {
                        return self.cursor.advance(1);
                    }
                }
                b')' if self.game.open_variations() > 0 => return,
                b'[' if looks_like_tag(self.cursor.rest(), self.cursor.at_line_start()) => return,
                b'0'..=b'9' | b'*' | 0xc2 => {
                    if self.skip_number(depth) {
                        return;
                    }
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' => {
                    self.skip_word();
                    continue;
                }
                _ => {}
            }
            self.cursor.advance(1);
        }
    }

    /// Passes over a number; not over a result that ends the game, which it says.
    fn skip_number(&mut self, depth: usize) -> bool {
        let rest = self.cursor.rest();
        if let Some((_, length)) = result_here(rest) {
            let at = self.cursor.at;
            self.cursor.advance(length);
            if depth == 0 && self.game.open_variations() == 0 || self.ends_here() {
                self.cursor.at = at;
                return true;
            }
            return false;
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.cursor.advance(digits.max(1));
        false
    }

    fn skip_word(&mut self) {
        let word = self.cursor.rest().iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let length = word.count();
        self.cursor.advance(length);
    }
}

/// The result that the text begins with, and its length.
pub(crate) fn result_here(text: &[u8]) -> Option<(GameResult, usize)> {
    const RESULTS: [(&[u8], GameResult); 14] = [
        (b"1-0", GameResult::White),
        (b"0-1", GameResult::Black),
        (b"1/2-1/2", GameResult::Draw),
        (b"1/2:1/2", GameResult::Draw),
        (b"1/2 - 1/2", GameResult::Draw),
        (b"1 - 0", GameResult::White),
        (b"0 - 1", GameResult::Black),
        (b"1/2", GameResult::Draw),
        (b"1:0", GameResult::White),
        (b"0:1", GameResult::Black),
        (b"0.5-0.5", GameResult::Draw),
        ("½-½".as_bytes(), GameResult::Draw),
        ("½".as_bytes(), GameResult::Draw),
        (b"*", GameResult::Unknown),
    ];
    let (spelling, result) = RESULTS.iter().find(|(spelling, _)| text.starts_with(spelling))?;
    Some((*result, spelling.len()))
}
