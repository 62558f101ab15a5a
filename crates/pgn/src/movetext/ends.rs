//! Finds the end of a game: its result in any spelling, or the start of the next game. pgn §3.7
//! "Results"

use chess_core::{GameResult, ResultText};

use super::{Movetext, result_here};
use crate::quirk::Quirk;
use crate::san_parse::{looks_like_move, read_move};
use crate::san_special::looks_like_castling_or_null;
use crate::tags::tag_begins;

/// The longest line that is read as a result in words.
const MAX_WORDS: usize = 40;

/// The longest parenthesised remark after a result in signs.
const MAX_REMARK: usize = 40;

/// The number of zeros allowed before the number 1: `001.`
const MAX_ZEROS: usize = 6;

/// The number of blanks allowed between the number 1 and the move.
const MAX_BLANKS: usize = 8;

impl Movetext<'_, '_> {
    /// Returns whether another game without tags begins here: `1.` and a move after an empty line,
    /// although this game already has moves. Call it on the main line, at a digit.
    #[cold]
    pub(super) fn numbering_restarts(&self) -> bool {
        self.started() && self.first_number_here()
    }

    /// Like [`numbering_restarts`](Self::numbering_restarts), with the cursor moved to `rest`.
    #[cold]
    pub(super) fn numbering_restarts_at(&mut self, rest: &[u8]) -> bool {
        self.cursor.move_to(rest);
        self.numbering_restarts()
    }

    /// Returns whether the first move of this game stands here, after an empty line and text that
    /// was not a move.
    #[cold]
    pub(super) fn numbering_begins(&self) -> bool {
        !self.started() && self.first_number_here()
    }

    /// Records whether the comment that begins here follows an empty line, and returns it.
    #[inline]
    pub(super) fn note_empty_line(&mut self) -> bool {
        let is_apart = self.cursor.at_line_start() && self.cursor.after_empty_line();
        if is_apart {
            self.apart_at = Some(self.replay.ply());
        }
        is_apart
    }

    /// Returns whether `1.` and a move stand here on the main line, after an empty line, or at the
    /// start of a line after a whole move. Comments may stand between the empty line and the number.
    fn first_number_here(&self) -> bool {
        let apart = self.apart_at == Some(self.replay.ply()) || self.cursor.after_empty_line();
        let lines = (self.cautious || self.replay.ply() > 1) && self.cursor.at_line_start();
        if self.game.open_variations() > 0 || !apart && !lines {
            return false;
        }
        let rest = self.cursor.rest();
        let zeros = rest.iter().take(MAX_ZEROS).take_while(|byte| **byte == b'0').count();
        let number = rest.get(zeros..).unwrap_or_default();
        let Some(rest) = number.strip_prefix(b"1") else { return false };
        let (point, after) = match rest {
            [b'.', after @ ..] => (true, after),
            _ => (false, rest),
        };
        let blank = |byte: &&u8| byte.is_ascii_whitespace();
        let blanks = after.iter().take(MAX_BLANKS).take_while(blank).count();
        let after = after.get(blanks..).unwrap_or_default();
        (point || apart && blanks > 0)
            && (looks_like_move(after) || looks_like_castling_or_null(after))
    }

    /// Returns whether the game has a move or a move number.
    pub(super) fn started(&self) -> bool {
        self.replay.ply() > 0 || self.numbered
    }

    /// Takes `result` as the end of the game, unless it stands in a variation that continues.
    pub(super) fn result(&mut self, result: ResultText) -> Option<ResultText> {
        let at = self.cursor.at;
        self.result_at = at;
        self.cursor.advance(result.len);
        if self.game.open_variations() > 0 && !self.ends_here() {
            self.quirk(Quirk::ResultInVariation, at);
            return None;
        }
        if self.cursor.slice(at, self.cursor.at) != result.result.as_str().as_bytes() {
            self.quirk(Quirk::ResultSpelling, at);
        }
        Some(result)
    }

    /// Takes `0-0` as the end of the game: both players lost. Elsewhere `0-0` is castling, if it is
    /// legal and no tag contradicts.
    #[cold]
    pub(super) fn both_lost(&mut self) -> Option<ResultText> {
        let result = ResultText::both_lost_at_start(self.cursor.rest())?;
        if !self.ends_after(result.len) {
            return None;
        }
        let castles = read_move(self.cursor.rest(), self.replay.position()).is_ok();
        (!castles || self.tag_result.is_both_lost).then_some(result)
    }

    /// Takes a result in signs that ends the game: `+/-`, `-+`, `=`. It must stand alone, be
    /// followed at most by a parenthesised remark, and agree with the result tag. Elsewhere the
    /// signs are an evaluation.
    #[cold]
    pub(super) fn result_in_signs(&mut self) -> Option<ResultText> {
        let apart = self.cursor.previous().is_none_or(|byte| byte.is_ascii_whitespace());
        if !apart || self.game.open_variations() > 0 {
            return None;
        }
        let result = ResultText::signs_at_start(self.cursor.rest())?;
        let remark = self.remark(result.len);
        let len = result.len.saturating_add(remark);
        if !self.ends_after(len) || !self.tag_result.allows(result.result) {
            return None;
        }
        let mut whole = result;
        whole.len = len;
        Some(whole)
    }

    /// Returns the length of a parenthesised remark `ahead` bytes after the cursor, including the
    /// blanks before it.
    fn remark(&self, ahead: usize) -> usize {
        let rest = self.cursor.rest().get(ahead..).unwrap_or_default();
        let blanks = rest.iter().take(2).take_while(|byte| **byte == b' ').count();
        let text = rest.get(blanks..).unwrap_or_default();
        let text = text.get(..MAX_REMARK).unwrap_or(text);
        let word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'.' | b'/');
        match text {
            [b'(', inside @ ..] => {
                let length = inside.iter().position(|byte| !word(byte)).unwrap_or(0);
                let closed = inside.get(length) == Some(&b')');
                let all = blanks.saturating_add(length).saturating_add(2);
                if closed { all } else { 0 }
            }
            _ => 0,
        }
    }

    /// Takes the rest of the line as a result in words or in an unusual spelling, if it ends the
    /// game: `White wins`.
    #[cold]
    pub(super) fn result_in_words(&mut self) -> Option<ResultText> {
        if self.game.open_variations() > 0 {
            return None;
        }
        let rest = self.cursor.rest();
        let view = rest.get(..MAX_WORDS).unwrap_or(rest);
        let length = view.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        if length.is_none() && view.len() == MAX_WORDS {
            return None;
        }
        let line = view.get(..length.unwrap_or(view.len())).unwrap_or_default().trim_ascii_end();
        self.cursor.hit_end |= length.is_none();
        // A line with comments or with a standard result is movetext.
        let token = |at: usize| match line.get(at..) {
            Some([b'{' | b'}' | b';' | b'[' | b'%', ..]) => true,
            rest => rest.and_then(result_here).is_some(),
        };
        if (0..line.len()).any(token) {
            return None;
        }
        let result = ResultText::parse(std::str::from_utf8(line).ok()?)?;
        let known = result.result != GameResult::Unknown || result.says_more;
        (known && self.ends_after(line.len()) && self.tag_result.allows(result.result))
            .then_some(result)
    }

    /// Returns whether the next `bytes` bytes are followed only by white space and then by the end
    /// of the text or another game.
    fn ends_after(&mut self, bytes: usize) -> bool {
        let at = self.cursor.at;
        self.cursor.advance(bytes);
        let apart = self.cursor.peek().is_none_or(|byte| byte.is_ascii_whitespace());
        let mut ends = apart && self.ends_here();
        if apart && !ends {
            self.cursor.skip_white();
            ends = matches!(self.cursor.peek(), Some(b'0' | b'1')) && self.numbering_restarts();
        }
        self.cursor.at = at;
        ends
    }

    /// Returns whether only the end of the text or the tags of the next game follow.
    pub(super) fn ends_here(&mut self) -> bool {
        let at = self.cursor.at;
        self.cursor.skip_white();
        let ends = self.cursor.peek().is_none() || tag_begins(self.cursor);
        self.cursor.at = at;
        ends
    }

    /// Reads the comments after the result. They belong to the game unless an empty line separates
    /// them.
    pub(super) fn comments_after_result(&mut self) {
        while self.cursor.skip_white() < 2 && matches!(self.cursor.peek(), Some(b'{' | b';')) {
            self.quirk(Quirk::CommentAfterResult, self.cursor.at);
            if self.cursor.peek() == Some(b'{') { self.comment() } else { self.line_comment() }
        }
    }
}

/// The result according to the tags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TagResult {
    /// The result, if it is known.
    pub(crate) known: Option<GameResult>,
    /// Whether both players lost.
    pub(crate) is_both_lost: bool,
}

impl TagResult {
    /// Returns whether the tags allow `result`. Signs and words that contradict the tags are not a
    /// result.
    fn allows(self, result: GameResult) -> bool {
        self.known.is_none_or(|known| known == result)
    }
}
