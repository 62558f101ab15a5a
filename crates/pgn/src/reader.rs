//! Games from any stream of bytes, for one thread.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use chess_core::{Game, Header};
use chess_store::{Diagnostics, Location, StreamReader, StreamedGames};

use crate::cutter::Cutter;
use crate::error::Error;
use crate::options::OpenOptions;
use crate::parse::Wanted;

/// Reads games one after the other.
///
/// Its memory is a buffer of some 128 KiB, more only for a game longer than that.
///
/// ```
/// use pgn::{Diagnostics, Game, Reader};
///
/// let text = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n1. d4 *";
/// let mut reader = Reader::new(text.as_bytes());
/// let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
/// let mut plies = Vec::new();
/// while reader.read_game(&mut game, &mut diagnostics)? {
///     plies.push(game.ply_count());
/// }
/// assert_eq!(plies, [4, 1]);
/// # Ok::<(), pgn::Error>(())
/// ```
///
/// For several threads see [`Cutter`].
pub struct Reader<R: Read + Send> {
    stream: StreamReader<Cutter<R>>,
    /// For headers alone.
    spare: Game,
}

/// The games of a [`Reader`] in order; see [`Reader::games`].
pub type Games<'a, R> = StreamedGames<Cutter<R>, &'a mut StreamReader<Cutter<R>>>;

/// The games of a [`Reader`] in order, owning it; see [`Reader::into_games`].
pub type IntoGames<R> = StreamedGames<Cutter<R>>;

impl Reader<File> {
    /// Reads a file; see [`new`](Reader::new).
    ///
    /// # Errors
    /// Those of opening it.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader<File>, Error> {
        Reader::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Reader::open), with options.
    ///
    /// # Errors
    /// Those of opening it.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Reader<File>, Error> {
        let file = File::open(path).map_err(Error::io(Location::file("pgn")))?;
        Ok(Reader::with_options(file, options))
    }
}

impl<R: Read + Send> Reader<R> {
    /// Reads text that is UTF-8, or Windows-1252 where it is not.
    pub fn new(inner: R) -> Reader<R> {
        Reader::with_options(inner, &OpenOptions::default())
    }

    /// As [`new`](Reader::new), with options.
    pub fn with_options(inner: R, options: &OpenOptions) -> Reader<R> {
        Reader::from(Cutter::with_options(inner, options))
    }

    /// Reads the next game into `game`, replacing its contents. Clears `diagnostics` first, so
    /// that it lists the warnings of this game only. Returns `false` at the end of the stream.
    ///
    /// # Errors
    /// An unreadable or illegal move, a bad FEN, a game longer than [`MAX_GAME`](crate::MAX_GAME):
    /// `game` holds what could be read, and the next call reads the next game. An error of the
    /// stream ends it.
    pub fn read_game(
        &mut self,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        self.stream.read_game(game, diagnostics)
    }

    /// Reads the tags of the next game, passing over its moves without understanding them;
    /// `false` when there is none. Deviations in the moves are not noted.
    ///
    /// # Errors
    /// As [`read_game`](Reader::read_game), but for the moves.
    pub fn read_header(
        &mut self,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        self.stream.parser_mut().wanted = Wanted::Header;
        let result = self.stream.read_game(&mut self.spare, diagnostics);
        self.stream.parser_mut().wanted = Wanted::All;
        std::mem::swap(header, &mut self.spare.header);
        result
    }

    /// The games that are left, each a [`Game`] of its own. A damaged game is an `Err`, and the
    /// next one follows.
    ///
    /// ```
    /// let mut reader = pgn::Reader::new("1. e4 e5 * 1. e5 *".as_bytes());
    /// let sound = reader.games().filter(|game| game.is_ok()).count();
    /// assert_eq!((sound, reader.found()), (1, 2));
    /// ```
    pub fn games(&mut self) -> Games<'_, R> {
        StreamedGames::new(&mut self.stream)
    }

    /// As [`games`](Reader::games), owning the reader.
    pub fn into_games(self) -> IntoGames<R> {
        StreamedGames::new(self.stream)
    }

    /// How many games have been found, readable or not.
    pub fn found(&self) -> u64 {
        self.stream.games()
    }

    /// How many bytes of the stream belong to the games found so far.
    pub fn position(&self) -> u64 {
        self.stream.position()
    }
}

/// Reads the games of the blocks that it cuts.
impl<R: Read + Send> From<Cutter<R>> for Reader<R> {
    fn from(cutter: Cutter<R>) -> Reader<R> {
        Reader { stream: StreamReader::new(cutter), spare: Game::new() }
    }
}

impl<R: Read + Send> IntoIterator for Reader<R> {
    type Item = Result<Game, Error>;
    type IntoIter = IntoGames<R>;

    fn into_iter(self) -> IntoGames<R> {
        self.into_games()
    }
}

impl<R: Read + Send> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("found", &self.found()).finish_non_exhaustive()
    }
}

/// All games of a text, for small ones.
///
/// # Errors
/// The first error, whatever it costs. A [`Reader`] goes on after most.
///
/// ```
/// let games = pgn::read_all("1. e4 e5 1/2-1/2").unwrap();
/// assert_eq!(games[0].ply_count(), 2);
/// ```
pub fn read_all(text: impl AsRef<[u8]>) -> Result<Vec<Game>, Error> {
    Reader::new(text.as_ref()).into_games().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_game_after_game_with_warning_clears_diagnostics() {
        let text = "[White \"A\"]\n\n1. e4 e5\n\n[White \"B\"]\n\n1. d4 d5 *\n\n1. c4 *\n";
        let mut reader = Reader::new(text.as_bytes());
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        let mut counts = Vec::new();
        while reader.read_game(&mut game, &mut diagnostics).unwrap() {
            counts.push(diagnostics.warnings().len());
        }
        assert_eq!(counts, [1, 0, 0]);
    }
}
