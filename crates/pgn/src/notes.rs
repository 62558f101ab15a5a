//! What was met in a game, until it is known where the game ends.

use chess_store::Diagnostics;

use crate::error::ErrorKind;
use crate::quirk::Quirk;

/// A quirk and its place: byte from the start of the text, half-moves before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    pub(crate) quirk: Quirk,
    pub(crate) at: usize,
    pub(crate) ply: Option<u32>,
}

/// The first error of a game.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    pub(crate) at: usize,
    pub(crate) ply: Option<u32>,
}

/// The quirks of a game in the order of their places, and its first error.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) list: Vec<Note>,
    /// How many quirks more there were.
    pub(crate) more: u64,
    pub(crate) fault: Option<Fault>,
    /// Half-moves on the line so far; `None` outside the movetext.
    pub(crate) ply: Option<u32>,
}

impl Notes {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.more = 0;
        self.fault = None;
        self.ply = None;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.fault.is_none()
    }

    /// Makes an error of a game at the end of a text that breaks off, unless the game had ended
    /// before.
    #[cold]
    pub(crate) fn break_off(&mut self, at: usize) {
        let is_open = |note: &Note| {
            use Quirk::{MissingResult, UnclosedComment, UnclosedTag, UnclosedVariation};
            matches!(note.quirk, MissingResult | UnclosedComment | UnclosedTag | UnclosedVariation)
        };
        if self.fault.is_none() && (self.more > 0 || self.list.iter().any(is_open)) {
            self.fault = Some(Fault { kind: ErrorKind::BrokenOff, at, ply: self.ply });
        }
    }

    /// Leaves what was met outside the movetext.
    pub(crate) fn forget_moves(&mut self) {
        self.list.retain(|note| note.ply.is_none());
        self.fault.take_if(|fault| fault.ply.is_some());
    }

    #[cold]
    pub(crate) fn quirk(&mut self, quirk: Quirk, at: usize) {
        if self.list.len() < Diagnostics::KEPT {
            self.list.push(Note { quirk, at, ply: self.ply });
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// Keeps the first error; a later one is a quirk.
    #[cold]
    pub(crate) fn fault(&mut self, kind: ErrorKind, at: usize) {
        if self.fault.is_none() {
            self.fault = Some(Fault { kind, at, ply: self.ply });
        } else {
            self.quirk(Quirk::FurtherError, at);
        }
    }
}
