//! Passing over what cannot be used.

use super::{Movetext, result_here};
use crate::tags::tag_begins;

/// How many bytes of a result may stand before its sign: `0,5 `.
const HANGING: usize = 6;

impl Movetext<'_, '_> {
    /// Passes over what cannot be used. From the inside of `depth` variations that are not the
    /// game's, to behind the last of them; at depth 0, to the end of the line that the game is on:
    /// before its closing bracket, its result or the next game.
    pub(crate) fn skip(&mut self, depth: usize) {
        let to_outside = depth > 0;
        let mut depth = depth;
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'{' => {
                    self.note_empty_line();
                    self.pass_comment();
                    continue;
                }
                b';' => {
                    self.note_empty_line();
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
                b'[' if tag_begins(self.cursor) => {
                    // Signs or words may be the result.
                    self.doubtful |= self.cautious;
                    return;
                }
                b'1' if depth == 0 && self.numbering_restarts() => {
                    self.doubtful |= self.cautious;
                    return;
                }
                // What stood before the first move was no move: reading goes on.
                b'1' if depth == 0 && !self.unwanted && self.numbering_begins() => return,
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
                    self.skip_word();
                    continue;
                }
                b'-' | b'/' | b':' | 0xe2 | 0xef if self.cautious && self.inside_result() => {
                    self.doubtful = true;
                    return;
                }
                _ => {}
            }
            // Reading may find a number where this passes over anything.
            self.numbered |= self.cautious && !byte.is_ascii_whitespace();
            self.cursor.advance(1);
        }
        // Signs or words may be the result.
        self.doubtful |= self.cautious;
    }

    /// Passes over a number; not over a result that ends the game, or may, which it says.
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

    /// Whether a token has surely ended before this place, so that reading comes by here too.
    fn after_token(&self) -> bool {
        let previous = self.cursor.previous();
        previous.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'.' | b')' | b'}'))
    }

    /// Whether this sign belongs to a result that hangs on to a word, as in `Nf31-0`. The word was
    /// passed over as a whole; reading finds the result if `Nf3` is a move.
    fn inside_result(&self) -> bool {
        (1..=HANGING)
            .any(|before| self.cursor.rest_after_going_back(before).and_then(result_here).is_some())
    }

    fn skip_word(&mut self) {
        let word = self.cursor.rest().iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let length = word.count();
        self.cursor.advance(length);
        self.numbered |= self.cautious;
    }
}
