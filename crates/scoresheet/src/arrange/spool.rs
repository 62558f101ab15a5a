//! A temporary file that gives random access to the games of a stream.

use std::collections::BTreeMap;
use std::io;

use chess_core::{Game, Header};
use chess_store::io::{ReadAt as _, Spool, Spooled};
use chess_store::{AnyError, Describe, Diagnostics, Field, Location, ReadGames, SearchIndex};

use crate::lines::{Error, ErrorKind};

/// Writes games to the file as canonical JSON lines, which are lossless. (docs/model.md)
#[derive(Default)]
pub(super) struct GameSpool {
    lines: Spool,
    line: Vec<u8>,
    /// End offset of each line.
    ends: Vec<u64>,
    /// The damage of games, by number.
    damaged: BTreeMap<u64, (String, Location)>,
}

impl GameSpool {
    /// Adds a game and returns its number.
    pub(super) fn push(&mut self, game: &Game, damage: Option<&AnyError>) -> io::Result<u64> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, game)?;
        self.lines.push(&self.line)?;
        let number = self.ends.len() as u64;
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(start.saturating_add(self.line.len() as u64));
        if let Some(error) = damage {
            self.damaged.insert(number, (error.message().to_string(), error.location()));
        }
        Ok(number)
    }

    pub(super) fn finish(self) -> io::Result<SpooledGames> {
        let GameSpool { lines, ends, damaged, .. } = self;
        Ok(SpooledGames { lines: lines.finish()?, ends, damaged })
    }
}

/// The finished file of games.
pub(super) struct SpooledGames {
    lines: Spooled,
    ends: Vec<u64>,
    damaged: BTreeMap<u64, (String, Location)>,
}

impl SpooledGames {
    fn line(&self, game: u64, line: &mut Vec<u8>) -> io::Result<()> {
        let at = |index: usize| self.ends.get(index).copied();
        let index = usize::try_from(game).unwrap_or(usize::MAX);
        let start = index.checked_sub(1).map_or(Some(0), at);
        let Some((start, end)) = start.zip(at(index)) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        line.resize(usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX), 0);
        match self.lines.read_full(start, line)? {
            length if length == line.len() => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl ReadGames for SpooledGames {
    type Error = Error;
    type State = (Vec<u8>, Game);

    fn len(&self) -> u64 {
        self.ends.len() as u64
    }

    fn header_with(
        &self,
        state: &mut (Vec<u8>, Game),
        game: u64,
        header: &mut Header,
        _: &mut Diagnostics,
    ) -> Result<(), Error> {
        let (line, whole) = state;
        self.read(line, game, whole)?;
        std::mem::swap(header, &mut whole.header);
        Ok(())
    }

    fn game_with(
        &self,
        state: &mut (Vec<u8>, Game),
        game: u64,
        into: &mut Game,
        _: &mut Diagnostics,
    ) -> Result<(), Error> {
        self.read(&mut state.0, game, into)?;
        match self.damaged.get(&game) {
            Some((what, at)) => Err(Error::new(ErrorKind::Damage(what.clone()), *at)),
            None => Ok(()),
        }
    }

    fn dump_with(
        &self,
        _: &mut (Vec<u8>, Game),
        _: u64,
        _: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        Ok(())
    }
}

impl SearchIndex for SpooledGames {}

impl Describe for SpooledGames {}

impl SpooledGames {
    fn read(&self, line: &mut Vec<u8>, game: u64, into: &mut Game) -> Result<(), Error> {
        let at = Location::default().in_game(game);
        self.line(game, line).map_err(Error::io(at))?;
        *into = serde_json::from_slice(line)
            .map_err(|error| Error::new(ErrorKind::Json(error.to_string()), at))?;
        Ok(())
    }
}
