//! Comments, read. pgn §3.4 "Comments"

use super::Movetext;
use crate::cursor::CommentEnd;
use crate::quirk::Quirk;
use crate::tags::{decode, tag_after_empty_line};
use crate::text::decode_comment;

/// How far after a comment with an opening brace in it another closing one is sought.
const NESTED_WITHIN: usize = 1 << 16;

impl Movetext<'_, '_> {
    pub(super) fn comment(&mut self) {
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

    pub(super) fn line_comment(&mut self) {
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
    pub(super) fn pass_comment(&mut self) -> (usize, Option<Quirk>) {
        self.cursor.advance(1);
        let mut opened = match self.cursor.comment_end() {
            CommentEnd::Closed { length, opened } => {
                self.cursor.advance(length.saturating_add(1));
                opened
            }
            CommentEnd::Unclosed { length } => {
                self.cursor.advance(length);
                return (self.cursor.at, Some(Quirk::UnclosedComment));
            }
        };
        let mut quirk = None;
        while opened > 0
            && let Some(next) = self.closing_again()
        {
            self.cursor.advance(next.saturating_add(1));
            opened = opened.saturating_sub(1);
            quirk = Some(Quirk::NestedComment);
        }
        (self.cursor.at.saturating_sub(1), quirk)
    }

    /// After a comment with another one begun in it: how far ahead a brace closes again, before
    /// any opens.
    fn closing_again(&mut self) -> Option<usize> {
        let rest = self.cursor.rest();
        let window = rest.get(..NESTED_WITHIN).unwrap_or(rest);
        for at in memchr::memchr3_iter(b'{', b'}', b'[', window) {
            match window.get(at) {
                Some(b'}') => return Some(at),
                Some(b'[') if !tag_after_empty_line(rest, at) => {}
                _ => return None,
            }
        }
        self.cursor.hit_end |= window.len() < NESTED_WITHIN;
        None
    }
}
