//! The games of a block, one after the other.

use std::ops::Range;

use chess_core::Game;
use chess_store::{Block, Diagnostics, Location, ParseGames, Place, check_variant};

use crate::error::{Error, ErrorKind};
use crate::parse::Parser;
use crate::place::after;

impl ParseGames for Parser {
    type Error = Error;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        self.sound = None;
        self.load(block);
        if block.used >= block.end {
            into.clear();
            return self.failure.take().map_or(Ok(false), Err);
        }
        let (start, game) = (block.used_place, block.first_game.saturating_add(block.games));
        let text = block.bytes.get(block.used..).unwrap_or_default();
        let outcome = self.parse(text, start.offset == 0, into);
        let found = outcome.found || block.cut;
        if block.broken && block.used.saturating_add(outcome.end) >= block.end {
            self.notes.break_off(outcome.end);
        }
        let result = self.report(text, start, found.then_some(game), diagnostics);
        let first = block.used.saturating_add(outcome.start);
        let begins = || {
            let before = text.get(..outcome.start).unwrap_or_default();
            location(after(start, before)).in_game(game)
        };
        let result = if found { check_variant(into, result, begins) } else { result };
        let sound = found
            && self.notes.is_empty()
            && result.is_ok()
            && !block.cut
            && !self.tag_lacks_result;
        let end = block.used.saturating_add(outcome.end).min(block.end);
        let end = if block.cut { block.end } else { end };
        self.sound = sound.then_some(first..end);
        pass(block, end);
        block.games = block.games.saturating_add(u64::from(found));
        result?;
        if block.cut {
            let at = location(start).in_game(game);
            return Err(Error::new(ErrorKind::TooLong(self.max_game), at));
        }
        Ok(found)
    }

    fn load(&mut self, block: &mut Block) {
        let Some(later) = block.later.take() else { return };
        if let Err(error) = later.read(&mut block.bytes) {
            // The games before the error are read first.
            let at =
                Location::file("pgn").at(later.offset.saturating_add(block.bytes.len() as u64));
            self.failure = Some(Error::new(ErrorKind::Io(error), at));
            block.end = block.end.min(block.bytes.len());
            block.broken = true;
        }
    }

    /// A text in UTF-8 that ends with its result, with line ends LF or CR LF, and without lines that
    /// `%` hides: what comes before and after it does not change how it is read.
    fn text(&self, block: &Block) -> Option<Range<usize>> {
        let place = self.sound.clone()?;
        let text = block.bytes.get(place.clone())?.trim_ascii_end();
        let is_known = self.decoder.utf8_prefix(text).len() == text.len();
        let end = place.start.checked_add(text.len())?;
        (is_known && !has_odd_line(text)).then_some(place.start..end)
    }

    fn pass_game(&mut self, block: &mut Block, bytes: usize) -> bool {
        self.sound = None;
        pass(block, block.used.saturating_add(bytes).min(block.end));
        block.games = block.games.saturating_add(1);
        true
    }
}

/// Goes on to a place in the bytes of a block.
fn pass(block: &mut Block, to: usize) {
    let passed = block.bytes.get(block.used..to).unwrap_or_default();
    block.used_place = after(block.used_place, passed);
    block.used = to;
}

/// Whether a line ends with a carriage return alone, or is hidden.
fn has_odd_line(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'\r', b'%', text).any(|at| match text.get(at) {
        Some(b'%') => at.checked_sub(1).is_none_or(|before| text.get(before) == Some(&b'\n')),
        _ => at.checked_add(1).is_none_or(|next| text.get(next) != Some(&b'\n')),
    })
}

impl Parser {
    /// Quirks to the diagnostics, the error to the caller.
    fn report(
        &mut self,
        text: &[u8],
        start: Place,
        game: Option<u64>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let notes = &mut self.notes;
        if notes.is_empty() {
            return Ok(());
        }
        let mut last = (0, start);
        let mut locate = |at: usize, ply: Option<u32>| {
            // Notes come in the order of the text, nearly all.
            if at < last.0 {
                last = (0, start);
            }
            last = (at, after(last.1, text.get(last.0..at).unwrap_or_default()));
            let at = location(last.1);
            let at = game.map_or(at, |game| at.in_game(game));
            ply.map_or(at, |ply| at.after_ply(ply))
        };
        for note in &notes.list {
            diagnostics.note(note.quirk, locate(note.at, note.ply))?;
        }
        if let Some(note) = notes.list.last() {
            for _ in 0..notes.more {
                diagnostics.note(note.quirk, locate(note.at, note.ply))?;
            }
        }
        match notes.fault.take() {
            Some(fault) => Err(Error::new(fault.kind, locate(fault.at, fault.ply))),
            None => Ok(()),
        }
    }
}

fn location(place: Place) -> Location {
    Location::file("pgn").at(place.offset).on_line(place.line, place.column)
}
