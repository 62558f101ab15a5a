//! Comments: joined if they belong to one place, deferred if they belong to a later move.

use chess_core::Nag;

use super::{Run, Waiting};
use chess_store::set_unix_line_ends;

use crate::charset::Charset;
use crate::codes::{code_size, container_size};
use crate::comment::{Meaning, meaning, put_eval, put_raw};
use crate::description::unpadded;
use crate::error::Error;
use crate::layout::{DIAGRAM_NAG, SYMBOL_AFTER, SYMBOL_BEFORE};
use crate::quirk::Quirk;
use crate::symbols::is_character;

// chessassistant §9.5 "Before and after"
impl Run<'_> {
    pub(super) fn comment(&mut self, code: u8) -> Result<(), Error> {
        let rest = self.codes.get(self.level.cursor..self.level.end).unwrap_or_default();
        let size = code_size(rest).map_err(|kind| self.error(kind))?;
        let content = rest.get(container_size(code)..size).unwrap_or_default();
        let Some((kind, content)) = content.split_first() else {
            self.note(Quirk::EmptyComment)?;
            self.advance(size);
            return Ok(());
        };
        let meaning = meaning(*kind, content);
        let waits = matches!(
            meaning,
            Meaning::Text { before: true, .. } | Meaning::Symbol { before: true, .. }
        );
        if waits && self.read_waiting()? {
            return Ok(());
        }
        if matches!(meaning, Meaning::Symbol { .. })
            && content.first().is_some_and(|symbol| is_character(*symbol))
        {
            self.note(Quirk::SymbolCharacter)?;
        }
        match meaning {
            Meaning::Text { text, .. } => {
                self.open_comment(|charset, out| charset.decode_into(unpadded(text), out));
                self.close_comment()?;
            }
            Meaning::Eval { centipawns, cap } => {
                self.open_comment(|_, out| put_eval(centipawns, cap, out));
            }
            Meaning::Symbol { nag, before: false } if self.level.last.is_some() => self.nag(nag)?,
            Meaning::Diagram { before: false } if self.level.last.is_some() => {
                self.nag(DIAGRAM_NAG)?;
            }
            Meaning::Diagram { before: true }
                if self.level.last.is_some() && !self.level.varied =>
            {
                self.nag(DIAGRAM_NAG)?;
            }
            Meaning::Symbol { before: true, .. } => self.hold(*kind, content)?,
            // At the start of a branch a symbol belongs to its first move.
            Meaning::Symbol { .. } | Meaning::Diagram { before: false } if !self.is_root() => {
                self.hold(*kind, content)?;
            }
            _ => self.open_comment(|_, out| put_raw(*kind, content, out)),
        }
        self.advance(size);
        Ok(())
    }

    pub(super) fn nag(&mut self, nag: u16) -> Result<(), Error> {
        self.close_comment()?;
        self.game.push_nag(Nag(nag));
        Ok(())
    }

    /// Keeps a symbol for the next move. It ends a comment of tags, as any glyph does.
    // chessassistant §9.4.2
    pub(super) fn hold(&mut self, kind: u8, content: &[u8]) -> Result<(), Error> {
        self.close_comment()?;
        self.scratch.held.push((kind, content.first().copied().unwrap_or(0)));
        self.busy = true;
        Ok(())
    }

    /// Symbols for a missing move become raw tags.
    pub(super) fn spell_out_held(&mut self) -> Result<(), Error> {
        if self.scratch.held.is_empty() {
            return Ok(());
        }
        let mut held = std::mem::take(&mut self.scratch.held);
        for (kind, symbol) in held.drain(..) {
            let content: &[u8] = match kind {
                SYMBOL_AFTER | SYMBOL_BEFORE => &[symbol],
                _ => &[],
            };
            self.open_comment(|_, out| put_raw(kind, content, out));
        }
        self.scratch.held = held;
        self.close_comment()
    }

    /// Appends to the open comment, or opens one.
    pub(super) fn open_comment(&mut self, add: impl FnOnce(&Charset, &mut String)) {
        let scratch = &mut *self.scratch;
        if scratch.comment_open {
            scratch.comment.push(' ');
        }
        scratch.comment_open = true;
        add(&self.dialect.charset, &mut scratch.comment);
        self.busy = true;
    }

    pub(super) fn close_comment(&mut self) -> Result<(), Error> {
        let scratch = &mut *self.scratch;
        if !scratch.comment_open {
            return Ok(());
        }
        scratch.comment_open = false;
        set_unix_line_ends(&mut scratch.comment);
        let pushed = self.game.push_comment(&scratch.comment);
        scratch.comment.clear();
        self.busy =
            self.level.state != Waiting::None || !scratch.held.is_empty() || self.en_passant;
        pushed.map_err(|error| self.line_error(error))
    }
}
