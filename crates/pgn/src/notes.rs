//! Collects the quirks and errors of a game until its end is known.

use chess_store::Diagnostics;

use crate::error::ErrorKind;
use crate::quirk::Quirk;

/// A quirk, its byte offset in the text, and the number of plies before it.
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

/// The quirks of a game in text order, and its first error.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) list: Vec<Note>,
    /// The number of quirks beyond the list's capacity.
    pub(crate) more: u64,
    pub(crate) fault: Option<Fault>,
    /// The number of plies on the line so far; `None` outside the movetext.
    pub(crate) ply: Option<u32>,
    /// The message of [`Quirk::ForeignLetters`] with the language.
    pub(crate) letters: Option<&'static str>,
}

impl Notes {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.more = 0;
        self.fault = None;
        self.ply = None;
        self.letters = None;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.fault.is_none()
    }

    /// Returns the token of the error, if it is a move that cannot be read.
    pub(crate) fn unread_move(&self) -> Option<&str> {
        match &self.fault.as_ref()?.kind {
            ErrorKind::Unreadable(token)
            | ErrorKind::Illegal(token)
            | ErrorKind::Ambiguous(token) => Some(token),
            _ => None,
        }
    }

    /// Adds an error to a game at the end of a truncated text, unless the game ended before.
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

    /// Discards the notes about the movetext.
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

    /// Keeps the first error; a later error becomes a quirk.
    #[cold]
    pub(crate) fn fault(&mut self, kind: ErrorKind, at: usize) {
        if self.fault.is_none() {
            self.fault = Some(Fault { kind, at, ply: self.ply });
        } else {
            self.quirk(Quirk::FurtherError, at);
        }
    }
}
