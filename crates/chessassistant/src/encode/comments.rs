//! Writes symbols and comments, as far as there is room.

use chess_core::{Token, Tokens};
use chess_store::{LossKind, field_size, has_cr_lf};

use super::{Run, shortened};
use crate::comment::{Meaning, Part, meaning, split_part};
use crate::layout::{
    COMMENT, DIAGRAM_AFTER, DIAGRAM_NAG, LONG_COMMENT, SYMBOL, SYMBOL_AFTER, SYMBOL_BEFORE,
    TEXT_AFTER, TEXT_BEFORE, UNKNOWN_233,
};
use crate::options::Symbols;
use crate::symbols::{symbol_of, text_of};

/// With less room than this, a text is dropped rather than truncated.
const LEAST_TEXT: usize = 64;
/// Bytes of a long comment before its content: code, length, type.
const LONG_CONTAINER: usize = 6;

impl Run<'_> {
    pub(super) fn nag(&mut self, nag: u16) {
        if !self.line.has_move {
            return self.loss(LossKind::Nag, format!("${nag} before the first move"));
        }
        if self.line.varied && !self.line.commented {
            self.loss(LossKind::Nag, format!("${nag} moved before the variations"));
        }
        if nag == DIAGRAM_NAG {
            self.out.extend_from_slice(&[COMMENT, 1, DIAGRAM_AFTER]);
            return;
        }
        match (self.style.symbols, symbol_of(nag)) {
            (Symbols::Codes, Some(symbol)) => {
                self.out.extend_from_slice(&[SYMBOL, SYMBOL_AFTER, symbol]);
            }
            (Symbols::Codes, None) => self.loss(LossKind::Nag, format!("${nag}")),
            (Symbols::Text, _) => {
                let text = text_of(nag).map_or_else(|| format!("${nag}"), String::from);
                self.loss(LossKind::Nag, format!("${nag} written as text"));
                self.put_text(TEXT_AFTER, &text);
            }
        }
    }

    // chessassistant §9.5 "Before and after"
    pub(super) fn comment(&mut self, text: &str, rest: &Tokens<'_>) {
        if self.line.varied {
            // After variations only a comment on the next move is possible.
            self.line.commented = true;
            return self.put_text(TEXT_BEFORE, text);
        }
        let before = !self.line.has_move
            && *self.line.starts_with_move.get_or_insert_with(|| move_follows(rest));
        let kind = if before { TEXT_BEFORE } else { TEXT_AFTER };
        match self.parts(text, rest) {
            Some(parts) => parts.into_iter().for_each(|part| self.part(kind, part)),
            None => self.put_text(kind, text),
        }
    }

    /// Splits a comment into tags and text, if it has tags and would read back equal.
    fn parts<'t>(&self, text: &'t str, rest: &Tokens<'_>) -> Option<Vec<Part<'t>>> {
        if !text.starts_with("[%") {
            return None;
        }
        let mut parts = Vec::new();
        let mut left = Some(text);
        while let Some(text) = left {
            let (part, more) = split_part(text);
            if !self.reads_as_tag(&part) {
                return None;
            }
            parts.push(part);
            left = more;
        }
        let joins = !matches!(parts.last(), Some(Part::Text(_)))
            && matches!(rest.clone().next(), Some(Token::Comment(_)));
        (!joins).then_some(parts)
    }

    /// Whether the reader would turn this part, in this place, into the same tag.
    fn reads_as_tag(&self, part: &Part<'_>) -> bool {
        let Part::Typed(kind, content) = part else { return true };
        match meaning(*kind, content) {
            Meaning::Raw(..) | Meaning::Eval { .. } => true,
            Meaning::Diagram { before: true } => !self.line.has_move,
            Meaning::Symbol { before: false, .. } | Meaning::Diagram { .. } => {
                !self.line.has_move && self.outer.is_empty()
            }
            Meaning::Text { .. } | Meaning::Symbol { .. } => false,
        }
    }

    fn part(&mut self, kind: u8, part: Part<'_>) {
        match part {
            Part::Text(text) => self.put_text(kind, text),
            Part::Unknown233(byte) => {
                if self.reserve_room("[%caraw 233]", 2) {
                    self.out.extend_from_slice(&[UNKNOWN_233, byte]);
                }
            }
            Part::Typed(kind, content) => self.put_comment("a tag", kind, &content),
        }
    }

    /// Writes a text, truncated to the available room.
    fn put_text(&mut self, kind: u8, text: &str) {
        let (bytes, complete) = self.style.encoding.encode(text);
        if !complete || has_cr_lf(text) {
            self.loss(LossKind::Characters, shortened(text));
        }
        let room = self.room;
        if Container::of(kind, &bytes).size_with(&bytes) <= room || room < LEAST_TEXT {
            return self.put_comment(text, kind, &bytes);
        }
        self.loss(LossKind::TextCut, shortened(text));
        let kept = bytes.get(..room.saturating_sub(LONG_CONTAINER)).unwrap_or_default();
        self.put_comment(text, kind, kept);
    }

    fn put_comment(&mut self, text: &str, kind: u8, content: &[u8]) {
        let container = Container::of(kind, content);
        if !self.reserve_room(text, container.size_with(content)) {
            return;
        }
        match container {
            Container::Symbol => self.out.push(SYMBOL),
            Container::Short(length) => self.out.extend_from_slice(&[COMMENT, length]),
            Container::Long(length) => {
                self.out.push(LONG_COMMENT);
                self.out.extend_from_slice(&length.to_le_bytes());
            }
        }
        self.out.push(kind);
        self.out.extend_from_slice(content);
    }

    /// Reserves `size` bytes for a comment. Returns `false` if there is no room, and the comment is
    /// lost.
    fn reserve_room(&mut self, text: &str, size: usize) -> bool {
        let left = self.room.checked_sub(size);
        match left {
            Some(left) => self.room = left,
            None => self.loss(LossKind::Comment, shortened(text)),
        }
        left.is_some()
    }
}

/// The container of a comment. Its length counts type and content.
enum Container {
    Symbol,
    Short(u8),
    Long(u32),
}

impl Container {
    fn of(kind: u8, content: &[u8]) -> Container {
        let length = content.len().saturating_add(1);
        match (kind, u8::try_from(length)) {
            (SYMBOL_AFTER | SYMBOL_BEFORE, Ok(2)) => Container::Symbol,
            (_, Ok(length)) => Container::Short(length),
            _ => Container::Long(field_size(length, "records with longer comments are refused")),
        }
    }

    /// The size of the whole comment.
    fn size_with(&self, content: &[u8]) -> usize {
        let before = match self {
            Container::Symbol => 2,
            Container::Short(_) => 3,
            Container::Long(_) => LONG_CONTAINER,
        };
        content.len().saturating_add(before)
    }
}

/// Whether the line has another move.
fn move_follows(rest: &Tokens<'_>) -> bool {
    let mut rest = rest.clone();
    matches!(
        rest.find(|token| !matches!(token, Token::Comment(_) | Token::Nag(_))),
        Some(Token::Move(_))
    )
}
