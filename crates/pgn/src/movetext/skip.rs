//! Skips unusable movetext.

use super::{Movetext, result_here};
use crate::scan::{find_not_plain, skip_commented};
use crate::tags::tag_begins;

/// The longest part of a result before its sign: `0,5 `.
const MAX_BEFORE_SIGN: usize = 6;

impl Movetext<'_, '_> {
    /// Skips unusable movetext. At `depth` > 0, skips from inside `depth` unwanted variations to
    /// the end of the outermost one. At depth 0, skips to the end of the current line: before its
    /// closing bracket, its result or the next game.
    pub(crate) fn skip(&mut self, depth: usize) {
        let to_outside = depth > 0;
        let mut depth = depth;
        // Whether a full parse has found a move before, or else skips, too.
        let mut has_word = false;
        loop {
            if self.cautious && depth == 0 && (has_word || self.apart_at.is_none()) {
                self.skip_plain();
            }
            let Some(byte) = self.cursor.peek() else { break };
            if matches!(byte, b'/' | b'<')
                && let Some((length, ..)) = self.code_length()
            {
                // A full parse may find a move or a result before it.
                self.doubtful |= self.cautious;
                if self.doubtful {
                    return;
                }
                self.cursor.advance(length);
                continue;
            }
            match byte {
                b'{' | b';' => {
                    if self.note_empty_line() && self.cautious && self.started() {
                        self.doubtful = true;
                        return;
                    }
                    match byte {
                        b'{' => _ = self.pass_comment(),
                        _ => _ = self.cursor.take_line(),
                    }
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
                b'[' if tag_begins(self.cursor) => {
                    // Signs or words may be the result.
                    self.doubtful |= self.cautious;
                    return;
                }
                b'0' | b'1' if depth == 0 && self.numbering_restarts() => {
                    self.doubtful |= self.cautious;
                    return;
                }
                // The text before the first move was not a move: reading resumes.
                b'0' | b'1' if depth == 0 && !self.unwanted && self.numbering_begins() => return,
                b'.' | b',' if result_here(self.cursor.rest()).is_some() => {
                    if self.skip_number(depth) {
                        return;
                    }
                    continue;
                }
                b'0'..=b'9' | b'*' | 0xc2 => {
                    if self.skip_number(depth) {
                        return;
                    }
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' => {
                    if !has_word && self.cautious && self.hides_number() {
                        self.doubtful = true;
                        return;
                    }
                    has_word |= self.skip_word().iter().any(u8::is_ascii_digit);
                    continue;
                }
                b'-' | b'/' | b':' | 0xe2 | 0xef if self.cautious && self.inside_result() => {
                    self.doubtful = true;
                    return;
                }
                b'+' | b'#' | b'=' | b'!' | b'?' | b'$' | b'.' | b'-' | b'/' | b':' => {}
                _ if self.cautious && !byte.is_ascii_whitespace() && byte != 0x0b => {
                    // A full parse may read any other sign in its own way, and the text after it.
                    self.doubtful = true;
                    return;
                }
                _ => {}
            }
            // A full parse may find a number here, while this function skips anything.
            self.numbered |= self.cautious && !byte.is_ascii_whitespace();
            self.cursor.advance(1);
        }
        // Signs or words may be the result.
        self.doubtful |= self.cautious;
    }

    /// Skips moves, numbers and signs that end nothing, and comments between them, while there is text
    /// ahead.
    fn skip_plain(&mut self) {
        let text = self.cursor.text();
        let end = find_not_plain(text, self.cursor.at);
        if !self.numbered {
            let skipped = self.cursor.slice(self.cursor.at, end);
            self.numbered = !skipped.trim_ascii_start().is_empty();
        }
        let begins = text.get(end.wrapping_sub(1)..).and_then(<[u8]>::first_chunk);
        let is_comment = matches!(begins, Some([before, b'{']) if !matches!(before, b'\n' | b'\r'));
        self.cursor.at = if is_comment && self.numbered { skip_commented(text, end) } else { end };
    }

    /// Skips a number. Returns whether the number is, or may be, a result that ends the game; such
    /// a result is not skipped.
    fn skip_number(&mut self, depth: usize) -> bool {
        let rest = self.cursor.rest();
        if let Some(result) = result_here(rest) {
            if self.cautious && !self.after_token() {
                self.doubtful = true;
                return true;
            }
            let at = self.cursor.at;
            self.cursor.advance(result.len);
            if depth == 0 && self.game.open_variations() == 0 || self.ends_here() {
                self.cursor.at = at;
                return true;
            }
            return false;
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.cursor.advance(digits.max(1));
        self.numbered = true;
        false
    }

    /// Returns whether a token certainly ended before the cursor, so that a full parse also stops
    /// here.
    fn after_token(&self) -> bool {
        let previous = self.cursor.previous();
        previous.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b')' | b'}'))
    }

    /// Returns whether this sign belongs to a result without a space before it, as in `Nf31-0`. The
    /// word was skipped as a whole; a full parse finds the result if `Nf3` is a move.
    fn inside_result(&self) -> bool {
        (1..=MAX_BEFORE_SIGN)
            .any(|before| self.cursor.rest_after_going_back(before).and_then(result_here).is_some())
    }

    /// Returns whether a full parse may find the number of another game after the first letter of
    /// this word, because a comment follows an empty line: `c1. e4`.
    fn hides_number(&self) -> bool {
        self.apart_at.is_some() && matches!(self.cursor.rest(), [_, b'0' | b'1', ..])
    }

    fn skip_word(&mut self) -> &[u8] {
        let rest = self.cursor.rest();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        self.cursor.advance(length);
        self.numbered |= self.cautious;
        rest.get(..length).unwrap_or_default()
    }
}
