//! The games of a block, one after the other.

use chess_core::Game;
use chess_store::{Block, Diagnostics, Location, ParseGames, Place};

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
        if block.used >= block.end {
            into.clear();
            return Ok(false);
        }
        let (start, game) = (block.used_place, block.first_game.saturating_add(block.games));
        let text = block.bytes.get(block.used..).unwrap_or_default();
        let outcome = self.parse(text, start.offset == 0, into);
        let found = outcome.found || block.cut;
        let result = self.report(text, start, found.then_some(game), diagnostics);
        let end = block.used.saturating_add(outcome.end).min(block.end);
        let end = if block.cut { block.end } else { end };
        block.used_place = after(start, block.bytes.get(block.used..end).unwrap_or_default());
        block.used = end;
        block.games = block.games.saturating_add(u64::from(found));
        result?;
        if block.cut {
            let at = location(start).in_game(game);
            return Err(Error::new(ErrorKind::TooLong(self.max_game), at));
        }
        Ok(found)
    }
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
        if notes.list.is_empty() && notes.fault.is_none() {
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
