//! Random access to the games of any base.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess_core::Game;
use chess_store::erased::{Database, GameReader};
use chess_store::{AnyError, Diagnostics, Input, OpenOptions, ReadGames as _};

use crate::base::{Base, Progress, Unit};
use crate::error::Error;
use crate::indexed::{Indexed, State};
use crate::unpack::unpack_input;

/// Reads any game of a base by its number.
///
/// A base with random access is read as it is. Of a text, the positions of the games are kept in memory
/// (about 2 % of the size of the text), up to the highest number that was asked for. A compressed text
/// is also copied into a temporary file as far as it is read.
///
/// ```no_run
/// use scoresheet::chess_core::Game;
/// use scoresheet::chess_store::Diagnostics;
/// use scoresheet::{OpenOptions, RandomGames};
///
/// let base = scoresheet::open("twic.pgn.zst")?;
/// let mut games = RandomGames::new(base, &OpenOptions::default())?;
/// let mut game = Game::new();
/// if games.read_game(1234, &mut game, &mut Diagnostics::lenient())? {
///     println!("{} - {}", game.header.white, game.header.black);
/// }
/// # Ok::<(), scoresheet::Error>(())
/// ```
pub struct RandomGames {
    path: PathBuf,
    games: Kind,
    /// The error after the last known game of a stream. It repeats.
    broken: Option<String>,
}

#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Kind {
    Database { reader: Box<dyn GameReader + Send>, len: u64 },
    Stream { games: Indexed, state: State, ended: bool },
}

/// Returns the index of a stream whose bytes are in `file`, before the first game is found.
fn indexed(base: &Base, file: Input, options: &OpenOptions) -> Result<Indexed, Error> {
    let path = base.path();
    let unpacked = unpack_input(file.clone(), options.max_unpacked);
    let text = match unpacked.map_err(|error| Error::io(path, error))? {
        Some(stream) => Input::from(Arc::new(chess_store::io::SpooledStream::new(stream))),
        None => file,
    };
    Indexed::new(text, base.format(), options).map_err(|error| Error::base(path, error))
}

/// Returns the games of a base, to be read by their numbers from any thread. A text is read once: its headers and main lines
/// are kept in memory, in `limit` bytes or less ([`Indexed::keep`]). A base with random access stays as it is.
///
/// `base` was opened with `options`. A text is opened again at its path.
///
/// # Errors
/// [`Error`], for instance if the base was read from a pipe.
pub fn kept_in_memory(
    base: &Base,
    options: &OpenOptions,
    limit: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<Arc<dyn Database>, Error> {
    if let Some(database) = base.shared() {
        return Ok(database);
    }
    let path = base.path().to_path_buf();
    if crate::is_pipe(&path) {
        return Err(Error::io(&path, io::ErrorKind::NotSeekable.into()));
    }
    let file = File::open(&path).map_err(|error| Error::io(&path, error))?;
    let total = file.metadata().ok().map(|metadata| metadata.len());
    let mut games = indexed(base, file.into(), options)?.keep(limit);
    while games.grow().map_err(|error| Error::base(&path, error))? {
        progress(Progress { done: games.position(), total, unit: Unit::Bytes });
    }
    Ok(Arc::new(games))
}

impl RandomGames {
    /// Takes a base that was opened with `options`. A stream is opened again at its path.
    ///
    /// # Errors
    /// [`Error`], for instance if the base was read from a pipe.
    pub fn new(base: Base, options: &OpenOptions) -> Result<RandomGames, Error> {
        let path = base.path().to_path_buf();
        if base.database().is_none() {
            let file = File::open(&path).map_err(|error| Error::io(&path, error))?;
            return RandomGames::of_stream(&base, file, options);
        }
        match base.into_database() {
            Some(database) => {
                let len = database.len();
                Ok(RandomGames {
                    path,
                    games: Kind::Database { reader: database.into_reader(), len },
                    broken: None,
                })
            }
            None => Err(Error::io(&path, io::ErrorKind::Unsupported.into())),
        }
    }

    /// Like [`new`](RandomGames::new), for a stream whose bytes are in `file`.
    ///
    /// # Errors
    /// [`Error`]
    pub fn of_stream(
        base: &Base,
        file: impl Into<Input>,
        options: &OpenOptions,
    ) -> Result<RandomGames, Error> {
        let (path, file) = (base.path().to_path_buf(), file.into());
        let games = indexed(base, file, options)?;
        Ok(RandomGames {
            path,
            games: Kind::Stream { games, state: State::default(), ended: false },
            broken: None,
        })
    }

    /// The file that was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of games, if it is known without reading more of the base.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a stream may not know whether it is empty")]
    pub fn len(&self) -> Option<u64> {
        match &self.games {
            Kind::Database { len, .. } => Some(*len),
            Kind::Stream { games, ended, .. } => ended.then(|| games.len()),
        }
    }

    /// Finds more games of a stream, about 128 KiB of text. Returns `false` if the game `number` is
    /// known, and if there are no more games.
    ///
    /// # Errors
    /// Errors that concern the base as a whole.
    pub fn seek_step(&mut self, number: u64) -> Result<bool, Error> {
        let Kind::Stream { games, ended, .. } = &mut self.games else { return Ok(false) };
        if *ended || number < games.len() {
            return Ok(false);
        }
        if let Some(message) = &self.broken {
            return Err(Error::io(&self.path, io::Error::other(message.clone())));
        }
        match games.grow() {
            Ok(more) => *ended = !more,
            Err(error) => {
                self.broken = Some(error.message().to_string());
                return Err(Error::base(&self.path, error));
            }
        }
        Ok(!*ended && number >= games.len())
    }

    /// Reads a game into `into`, replacing its content. Returns `false` if there are fewer games.
    ///
    /// # Errors
    /// An error with [`Scope::Game`](chess_store::Scope::Game) means that only this game is damaged.
    /// `into` then holds the part that could be read.
    pub fn read_game(
        &mut self,
        number: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        while self.seek_step(number)? {}
        let read: Result<(), AnyError> = match &mut self.games {
            Kind::Database { len, .. } if number >= *len => return Ok(false),
            Kind::Stream { games, .. } if number >= games.len() => return Ok(false),
            Kind::Database { reader, .. } => reader.game(number, into, diagnostics),
            Kind::Stream { games, state, .. } => games.game_with(state, number, into, diagnostics),
        };
        read.map(|()| true).map_err(|error| Error::base(&self.path, error))
    }
}

impl fmt::Debug for RandomGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomGames").field("path", &self.path).finish_non_exhaustive()
    }
}
