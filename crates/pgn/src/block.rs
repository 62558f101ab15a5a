//! Reads the games of a block in order.

use std::ops::Range;

use chess_core::Game;
use chess_store::{
    Block, Diagnostics, InBlock, Location, ParseGames, ParseText, Place, check_variant,
};

use crate::error::{Error, ErrorKind};
use crate::parse::{Parser, Wanted};
use crate::place::after;
use crate::quirk::Quirk;

chess_store::inherent!(ParseGames<Error> for [] Parser);

impl ParseGames for Parser {
    type Error = Error;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<Error>> {
        self.parse_in_block(block, into, diagnostics.relative_mut()).map_err(InBlock::new)
    }

    fn as_text(&mut self) -> Option<&mut dyn ParseText> {
        Some(self)
    }
}

impl ParseText for Parser {
    fn load(&mut self, block: &mut Block) {
        let Some(later) = block.later.take() else { return };
        if let Err(error) = later.read(&mut block.bytes) {
            // The games before the I/O error are read first.
            let at =
                Location::file("pgn").at(later.offset.saturating_add(block.bytes.len() as u64));
            self.failure = Some(Error::new(ErrorKind::Io(error), at));
            block.end = block.end.min(block.bytes.len());
            block.broken = true;
        }
    }

    /// Returns the text of the last game if it can be copied verbatim.
    ///
    /// The text must be UTF-8, end with its result, use LF or CR LF line ends, and have no `%`
    /// lines. Such a text reads the same, whatever stands before and after it.
    fn text(&self, block: &Block) -> Option<Range<usize>> {
        let place = self.copyable.clone()?;
        let text = block.bytes.get(place.clone())?.trim_ascii_end();
        let is_known = self.decoder.utf8_prefix(text).len() == text.len();
        let end = place.start.checked_add(text.len())?;
        (is_known && !has_odd_line(text)).then_some(place.start..end)
    }

    fn pass_game(&mut self, block: &mut Block, bytes: usize) {
        self.copyable = None;
        pass(block, block.used.saturating_add(bytes).min(block.end));
        block.games = block.games.saturating_add(1);
    }

    fn skip_moves(&mut self) {
        self.wanted = Wanted::Header;
    }
}

/// Advances `block` to byte `to`.
fn pass(block: &mut Block, to: usize) {
    let passed = block.bytes.get(block.used..to).unwrap_or_default();
    block.used_place = block.used_place.map(|place| after(place, passed));
    block.used = to;
}

/// Returns whether a line ends with a lone carriage return, or is hidden by `%`.
fn has_odd_line(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'\r', b'%', text).any(|at| match text.get(at) {
        Some(b'%') => at.checked_sub(1).is_none_or(|before| text.get(before) == Some(&b'\n')),
        _ => at.checked_add(1).is_none_or(|next| text.get(next) != Some(&b'\n')),
    })
}

impl Parser {
    /// Like [`parse_game`](ParseGames::parse_game), with locations in the block.
    fn parse_in_block(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        self.copyable = None;
        self.load(block);
        if block.used >= block.end {
            into.clear();
            return self.failure.take().map_or(Ok(false), Err);
        }
        let (start, game) = (*block.used_place.relative(), block.games);
        let text = block.bytes.get(block.used..).unwrap_or_default();
        let known = block.unclosed.start.saturating_sub(block.used)
            ..block.unclosed.end.saturating_sub(block.used);
        let outcome = self.parse(text, start.offset == 0, known, into);
        block.unclosed = block.used.saturating_add(outcome.unclosed.start)
            ..block.used.saturating_add(outcome.unclosed.end);
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
        let is_copyable = found
            && self.notes.is_empty()
            && result.is_ok()
            && !block.cut
            && !self.tag_lacks_result;
        let end = block.used.saturating_add(outcome.end).min(block.end);
        let end = if block.cut { block.end } else { end };
        self.copyable = is_copyable.then_some(first..end);
        pass(block, end);
        block.games = block.games.saturating_add(u64::from(found));
        result?;
        if block.cut {
            let at = location(start).in_game(game);
            return Err(Error::new(ErrorKind::TooLong(self.max_game), at));
        }
        Ok(found)
    }

    /// Reports the quirks to `diagnostics` and returns the error.
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
            // Nearly all notes are in text order.
            if at < last.0 {
                last = (0, start);
            }
            last = (at, after(last.1, text.get(last.0..at).unwrap_or_default()));
            let at = location(last.1);
            let at = game.map_or(at, |game| at.in_game(game));
            ply.map_or(at, |ply| at.after_ply(ply))
        };
        for note in &notes.list {
            let at = locate(note.at, note.ply);
            match notes.letters.filter(|_| note.quirk == Quirk::ForeignLetters) {
                Some(message) => diagnostics.note_as(note.quirk, message, at)?,
                None => diagnostics.note(note.quirk, at)?,
            }
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
