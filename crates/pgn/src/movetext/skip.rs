//! Passing over what cannot be used.

use super::{Movetext, result_here};
use crate::tags::looks_like_tag;

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
