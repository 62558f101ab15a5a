//! Where a game ends: at its result, however it is spelt, or where the next game begins. pgn §3.7
//! "Results"

use chess_core::{GameResult, ResultText};

use super::{Movetext, result_here};
use crate::quirk::Quirk;
use crate::san_parse::{looks_like_move, read_move};
use crate::san_special::looks_like_castling_or_null;
use crate::tags::tag_begins;

/// The longest line that is read as a result in words.
const WORDS: usize = 40;

/// The longest remark in parentheses behind a result in signs.
const REMARK: usize = 40;

/// How many blanks may stand between the number 1 and the move.
const BLANKS: usize = 8;

impl Movetext<'_, '_> {
    /// Whether another game without tags begins here: `1.` and a move after an empty line, though
    /// this game has moves already. Call it on the main line, at `1` and a point or blank.
    #[cold]
    pub(super) fn numbering_restarts(&self) -> bool {
        self.started() && self.first_number_here()
    }

    /// Whether the first move of this game stands here after an empty line, behind text that was
    /// no move.
    #[cold]
    pub(super) fn numbering_begins(&self) -> bool {
        !self.started() && self.first_number_here()
    }

    /// Notes whether the comment that begins here stands after an empty line.
    #[inline]
    pub(super) fn note_empty_line(&mut self) {
        if self.cursor.at_line_start() && self.cursor.after_empty_line() {
            self.apart_at = Some(self.ply);
        }
    }

    /// Whether `1.` and a move stand here on the main line, after an empty line; comments may stand
    /// between.
    fn first_number_here(&self) -> bool {
        let apart = self.apart_at == Some(self.ply) || self.cursor.after_empty_line();
        if self.game.open_variations() > 0 || !apart {
            return false;
        }
        let Some(rest) = self.cursor.rest().strip_prefix(b"1") else { return false };
        let (point, after) = match rest {
            [b'.', after @ ..] => (true, after),
            _ => (false, rest),
        };
        let blank = |byte: &&u8| byte.is_ascii_whitespace();
        let blanks = after.iter().take(BLANKS).take_while(blank).count();
        let after = after.get(blanks..).unwrap_or_default();
        (point || blanks > 0) && (looks_like_move(after) || looks_like_castling_or_null(after))
    }

    /// Whether the game has a move or a move number.
    pub(super) fn started(&self) -> bool {
        self.ply > 0 || self.numbered
    }

    /// A result ends the game, unless it stands in a variation that goes on.
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

    /// `0-0` that ends the game: both players lost. Elsewhere, and where the rules allow it and no
    /// tag says otherwise, it is castling.
    #[cold]
    pub(super) fn both_lost(&mut self) -> Option<ResultText> {
        let result = ResultText::both_lost_at_start(self.cursor.rest())?;
        if !self.ends_after(result.len) {
            return None;
        }
        let castles = read_move(self.cursor.rest(), &self.position).is_ok();
        (!castles || self.tag_result.is_both_lost).then_some(result)
    }

    /// A result in signs that ends the game: `+/-`, `-+`, `=`. It stands apart, nothing follows but
    /// a remark in parentheses, and the tag does not say otherwise. Elsewhere it is an evaluation.
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

    /// The length of a remark in parentheses so far ahead, with the blanks before it.
    fn remark(&self, ahead: usize) -> usize {
        let rest = self.cursor.rest().get(ahead..).unwrap_or_default();
        let blanks = rest.iter().take(2).take_while(|byte| **byte == b' ').count();
        let text = rest.get(blanks..).unwrap_or_default();
        let text = text.get(..REMARK).unwrap_or(text);
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

    /// The rest of the line as a result in words or odd spelling, if it ends the game: `White wins`.
    #[cold]
    pub(super) fn result_in_words(&mut self) -> Option<ResultText> {
        if self.game.open_variations() > 0 {
            return None;
        }
        let rest = self.cursor.rest();
        let view = rest.get(..WORDS).unwrap_or(rest);
        let length = view.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        if length.is_none() && view.len() == WORDS {
            return None;
        }
        let line = view.get(..length.unwrap_or(view.len())).unwrap_or_default().trim_ascii_end();
        self.cursor.hit_end |= length.is_none();
        // A line with comments or with a result of its own is movetext.
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

    /// Whether nothing follows so many bytes but white space and the end of the text or another
    /// game, with tags or without.
    fn ends_after(&mut self, bytes: usize) -> bool {
        let at = self.cursor.at;
        self.cursor.advance(bytes);
        let apart = self.cursor.peek().is_none_or(|byte| byte.is_ascii_whitespace());
        let mut ends = apart && self.ends_here();
        if apart && !ends {
            self.cursor.skip_white();
            ends = self.cursor.peek() == Some(b'1') && self.numbering_restarts();
        }
        self.cursor.at = at;
        ends
    }

    /// Whether nothing follows but the end of the text or the tags of the next game.
    pub(super) fn ends_here(&mut self) -> bool {
        let at = self.cursor.at;
        self.cursor.skip_white();
        let ends = self.cursor.peek().is_none() || tag_begins(self.cursor);
        self.cursor.at = at;
        ends
    }

    /// Comments behind the result, not set off by an empty line, are the game's.
    pub(super) fn comments_after_result(&mut self) {
        while self.cursor.skip_white() < 2 && matches!(self.cursor.peek(), Some(b'{' | b';')) {
            self.quirk(Quirk::CommentAfterResult, self.cursor.at);
            if self.cursor.peek() == Some(b'{') { self.comment() } else { self.line_comment() }
        }
    }
}

/// What the tags say of the result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TagResult {
    /// The result, if it is known.
    pub(crate) known: Option<GameResult>,
    /// Whether it is that both players lost.
    pub(crate) is_both_lost: bool,
}

impl TagResult {
    /// Whether the game may have ended so. Signs and words that say otherwise are no result.
    fn allows(self, result: GameResult) -> bool {
        self.known.is_none_or(|known| known == result)
    }
}
