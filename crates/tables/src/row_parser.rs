//! Reads rows in PGN text as games.

use chess_core::Game;
use chess_store::{Block, Diagnostics, Location, ParseGames};

use crate::error::{Error, ErrorKind, location};

/// Reads rows one after the other.
#[derive(Debug)]
pub struct RowParser {
    parser: pgn::Parser,
    /// The current row.
    row: Block,
}

impl Default for RowParser {
    fn default() -> RowParser {
        RowParser { parser: pgn::Cutter::new(&[][..]).parser(), row: Block::default() }
    }
}

impl RowParser {
    /// Reads the single game that `write` writes. Offsets in this text are meaningless to the user
    /// of a table, so errors keep only the ply.
    pub(crate) fn parse_row(
        &mut self,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let row = &mut self.row;
        row.clear();
        let written = write(&mut row.bytes);
        row.end = row.bytes.len();
        let read = self.parser.parse_game(row, into, diagnostics);
        diagnostics.relocate(place);
        let here = || location().after_ply(into.main_line().count().try_into().unwrap_or(u32::MAX));
        written.map_err(|error| error.map_location(|_| here()))?;
        read.map_err(|error| wrong(&error.kind().to_string(), place(error.location())))?;
        let rest = row.bytes.get(row.used..).unwrap_or_default();
        if !rest.trim_ascii().is_empty() {
            let text = "there is more text after the game's end; it is left out";
            return Err(wrong(text, here()));
        }
        Ok(())
    }
}

fn place(at: Location) -> Location {
    at.ply.map_or(location(), |ply| location().after_ply(ply))
}

fn wrong(text: &str, at: Location) -> Error {
    Error::new(ErrorKind::Row(text.into()), at)
}

/// Appends a row for [`RowParser`] to a block: its text and its error, each with a length prefix.
pub(crate) fn push_row(block: &mut Block, write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>) {
    let length_at = block.bytes.len();
    let write_length = |bytes: &mut Vec<u8>, at: usize| {
        let from = at.saturating_add(LENGTH);
        let length = (bytes.len().saturating_sub(from) as u64).to_le_bytes();
        if let Some(place) = bytes.get_mut(at..from) {
            place.copy_from_slice(&length);
        }
    };
    block.bytes.extend_from_slice(&[0; LENGTH]);
    let written = write(&mut block.bytes);
    write_length(&mut block.bytes, length_at);
    let length_at = block.bytes.len();
    block.bytes.extend_from_slice(&[0; LENGTH]);
    if let Err(error) = written {
        block.bytes.extend_from_slice(error.kind().to_string().as_bytes());
    }
    write_length(&mut block.bytes, length_at);
    block.end = block.bytes.len();
}

const LENGTH: usize = size_of::<u64>();

/// Splits off a length-prefixed part. Returns it, and the remaining bytes.
fn split_part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    rest.split_at_checked(u64::from_le_bytes(*length).try_into().ok()?)
}

impl ParseGames for RowParser {
    type Error = Error;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        let rows = block.bytes.get(block.used..).unwrap_or_default();
        let parts = split_part(rows).and_then(|(text, rest)| Some((text, split_part(rest)?)));
        let Some((text, (error, rest))) = parts else {
            into.clear();
            return Ok(false);
        };
        let read = self.parse_row(into, diagnostics, |out| {
            out.extend_from_slice(text);
            match str::from_utf8(error) {
                Ok("") | Err(_) => Ok(()),
                Ok(error) => Err(wrong(error, location())),
            }
        });
        block.used = block.bytes.len().saturating_sub(rest.len());
        let game = block.first_game.saturating_add(block.games);
        block.games = block.games.saturating_add(1);
        diagnostics.relocate(|at| at.in_game(game));
        read.map(|()| true).map_err(|error| error.map_location(|at| at.in_game(game)))
    }
}
