//! Reads rows in PGN text as games.

use chess_core::Game;
use chess_store::{Block, Diagnostics, InBlock, Location, ParseGames};

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
    /// of a table, so errors and warnings keep only the ply. Otherwise they are at `at`.
    pub(crate) fn parse_row(
        &mut self,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
        at: Location,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let row = &mut self.row;
        row.clear();
        let written = write(&mut row.bytes);
        row.end = row.bytes.len();
        let mut found = InBlock::taking(diagnostics);
        let read = self.parser.parse_game(row, into, &mut found);
        let place = |inside: Location| inside.ply.map_or(at, |ply| at.after_ply(ply));
        *diagnostics = found.outside(place);
        let plies = into.main_line().count();
        let here = || at.after_ply(plies.try_into().unwrap_or(u32::MAX));
        written.map_err(|error| error.moved_to(here()))?;
        read.map_err(|error| {
            let error = error.outside(place);
            wrong(&error.kind().to_string(), error.location())
        })?;
        let rest = row.bytes.get(row.used..).unwrap_or_default();
        if !rest.trim_ascii().is_empty() {
            let text = "there is more text after the game's end; it is left out";
            return Err(wrong(text, here()));
        }
        Ok(())
    }
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

chess_store::inherent!(ParseGames<Error> for [] RowParser);

impl ParseGames for RowParser {
    type Error = Error;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<Error>> {
        let rows = block.bytes.get(block.used..).unwrap_or_default();
        let parts = split_part(rows).and_then(|(text, rest)| Some((text, split_part(rest)?)));
        let Some((text, (error, rest))) = parts else {
            into.clear();
            return Ok(false);
        };
        let at = location().in_game(block.games);
        let read = self.parse_row(into, diagnostics.relative_mut(), at, |out| {
            out.extend_from_slice(text);
            match str::from_utf8(error) {
                Ok("") | Err(_) => Ok(()),
                Ok(error) => Err(wrong(error, at)),
            }
        });
        let used = block.bytes.len().saturating_sub(rest.len());
        let length = used.saturating_sub(block.used) as u64;
        block.used_place = InBlock::at(block.used_place.offset().saturating_add(length));
        block.used = used;
        block.games += 1;
        read.map(|()| true).map_err(InBlock::new)
    }
}
