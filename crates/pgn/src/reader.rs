//! Games from any stream of bytes.

use std::io::Read;

use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Encoding, Game, Header, Location, TextDecoder};

use crate::error::{Error, ErrorKind};
use crate::parse::{Outcome, Parser, Wanted};
use crate::place::Place;
use crate::tags::looks_like_tag;

/// How much is read at a time.
const CHUNK: usize = 1 << 17;

/// The longest game text that is read as one game: 64 MiB.
pub const MAX_GAME: usize = 1 << 26;

/// Reads games one after the other.
///
/// Its memory is a buffer of 128 KiB, more only for a game longer than that.
///
/// ```
/// use chess_core::{Diagnostics, Game};
/// use pgn::Reader;
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
#[derive(Debug)]
pub struct Reader<R> {
    inner: R,
    /// What has been read and not yet used begins at `start`.
    buffer: Vec<u8>,
    start: usize,
    ended: bool,
    /// Where in the file `start` is.
    place: Place,
    games: u64,
    /// Less than [`CHUNK`] and [`MAX_GAME`] in tests.
    chunk: usize,
    max_game: usize,
    parser: Parser,
    /// For headers alone.
    spare: Game,
}

impl<R: Read> Reader<R> {
    /// Reads text that is UTF-8, or Windows-1252 where it is not.
    pub fn new(inner: R) -> Reader<R> {
        Reader::with_options(inner, &OpenOptions::default())
    }

    /// As [`Reader::new`]; text is read in the encoding that the options name, if they do. There
    /// are no extra options.
    pub fn with_options(inner: R, options: &OpenOptions) -> Reader<R> {
        Reader {
            inner,
            buffer: Vec::new(),
            start: 0,
            ended: false,
            place: Place::default(),
            games: 0,
            chunk: CHUNK,
            max_game: MAX_GAME,
            parser: Parser::new(TextDecoder::new(options.encoding, Encoding::WINDOWS_1252)),
            spare: Game::new(),
        }
    }

    /// Reads the next game, replacing what `game` held; `false` when there is none.
    ///
    /// # Errors
    /// An unreadable or illegal move, a bad FEN, a game longer than [`MAX_GAME`]: `game` holds
    /// what could be read, and the next call reads the next game. An error of the stream ends it.
    pub fn read_game(
        &mut self,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        self.read(Wanted::All, game, diagnostics)
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
        let mut game = std::mem::take(&mut self.spare);
        let result = self.read(Wanted::Header, &mut game, diagnostics);
        std::mem::swap(header, &mut game.header);
        self.spare = game;
        result
    }

    /// How many games have been found, readable or not.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many bytes of the stream belong to the games found so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.place.offset
    }

    /// Reads the beginning, to refuse what is no such text before any game is asked for.
    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        self.fill()
    }

    fn read(
        &mut self,
        wanted: Wanted,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        loop {
            let text = self.buffer.get(self.start..).unwrap_or_default();
            let outcome = self.parser.parse(text, self.place.offset == 0, wanted, game);
            if !outcome.hit_end || self.ended {
                return self.conclude(outcome, diagnostics);
            }
            if text.len() >= self.max_game {
                return self.give_up(diagnostics);
            }
            self.fill()?;
        }
    }

    /// Hands on what was noted of a game, and goes past it.
    fn conclude(&mut self, outcome: Outcome, diagnostics: &mut Diagnostics) -> Result<bool, Error> {
        let result = self.report(outcome.found, diagnostics);
        self.games = self.games.saturating_add(u64::from(outcome.found));
        self.consume(outcome.end);
        match result {
            Ok(()) => Ok(outcome.found),
            Err(error) => Err(error),
        }
    }

    /// Quirks to the diagnostics, the error to the caller.
    fn report(&mut self, found: bool, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        let notes = &mut self.parser.notes;
        if notes.list.is_empty() && notes.fault.is_none() {
            return Ok(());
        }
        let text = self.buffer.get(self.start..).unwrap_or_default();
        let mut last = (0, self.place);
        let mut location = |at: usize, ply: Option<u32>| {
            // Notes come in the order of the text, nearly all.
            if at < last.0 {
                last = (0, self.place);
            }
            last = (at, last.1.after(text.get(last.0..at).unwrap_or_default()));
            let place = last.1;
            let at = Location::file("pgn").at(place.offset).on_line(place.line, place.column);
            Location { ply, game: found.then_some(self.games), ..at }
        };
        let strict =
            |warning: chess_core::Warning| Error::new(ErrorKind::Strict(warning), warning.at);
        for note in &notes.list {
            diagnostics.note(note.quirk, location(note.at, note.ply)).map_err(strict)?;
        }
        if let Some(note) = notes.list.last() {
            for _ in 0..notes.more {
                diagnostics.note(note.quirk, location(note.at, note.ply)).map_err(strict)?;
            }
        }
        match notes.fault.take() {
            Some(fault) => Err(Error::new(fault.kind, location(fault.at, fault.ply))),
            None => Ok(()),
        }
    }

    fn consume(&mut self, bytes: usize) {
        let end = self.start.saturating_add(bytes).min(self.buffer.len());
        let text = self.buffer.get(self.start..end).unwrap_or_default();
        self.place = self.place.after(text);
        self.start = end;
    }

    /// Reads on: a chunk, or as much again as there is of an unfinished game.
    fn fill(&mut self) -> Result<(), Error> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let unused = self.buffer.len();
        let wanted = unused.max(self.chunk).min(self.max_game.saturating_sub(unused).max(1));
        if self.buffer.capacity() > CHUNK.saturating_mul(8) && unused < CHUNK {
            self.buffer.shrink_to(CHUNK.saturating_mul(2));
        }
        self.buffer.reserve(wanted);
        match self.inner.by_ref().take(wanted as u64).read_to_end(&mut self.buffer) {
            Ok(read) => self.ended = read < wanted,
            Err(error) => {
                self.ended = true;
                let end = self.place.after(&self.buffer);
                let at = Location::file("pgn").at(end.offset).on_line(end.line, end.column);
                return Err(Error::new(ErrorKind::Io(error), at.in_game(self.games)));
            }
        }
        self.refuse_utf16()
    }

    fn refuse_utf16(&mut self) -> Result<(), Error> {
        let first = self.place.offset == 0 && self.start == 0;
        if first && (self.buffer.starts_with(b"\xff\xfe") || self.buffer.starts_with(b"\xfe\xff")) {
            self.buffer.clear();
            self.ended = true;
            return Err(Error::new(ErrorKind::Utf16, Location::file("pgn").at(0)));
        }
        Ok(())
    }

    /// A game too long to keep: what has been read of it stands, the rest is passed over up to
    /// the next tag section.
    fn give_up(&mut self, diagnostics: &mut Diagnostics) -> Result<bool, Error> {
        let place = self.place;
        let game = self.games;
        let reported = self.report(true, diagnostics);
        self.games = self.games.saturating_add(1);
        self.pass_game()?;
        reported?;
        let at = Location::file("pgn").at(place.offset).on_line(place.line, place.column);
        Err(Error::new(ErrorKind::TooLong(self.max_game), at.in_game(game)))
    }

    fn pass_game(&mut self) -> Result<(), Error> {
        // The beginning is the game's own tag section.
        let mut from = self.max_game / 2;
        loop {
            let text = self.buffer.get(self.start..).unwrap_or_default();
            if let Some(next) = next_section(text, from) {
                self.consume(next);
                return Ok(());
            }
            let kept = if self.ended { 0 } else { self.chunk.min(text.len() / 2) };
            self.consume(text.len().saturating_sub(kept));
            if self.ended {
                return Ok(());
            }
            self.fill()?;
            from = 0;
        }
    }
}

/// Where a tag stands after an empty line, not before `from`.
fn next_section(text: &[u8], from: usize) -> Option<usize> {
    let tail = text.get(from..)?;
    let found = memchr::memchr_iter(b'[', tail).find(|&at| {
        let before = tail.get(..at).unwrap_or_default();
        (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
            && looks_like_tag(tail.get(at..).unwrap_or_default(), true)
    })?;
    from.checked_add(found)
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
    let mut reader = Reader::new(text.as_ref());
    let mut diagnostics = Diagnostics::lenient();
    let mut games = Vec::new();
    let mut game = Game::new();
    while reader.read_game(&mut game, &mut diagnostics)? {
        games.push(std::mem::take(&mut game));
        diagnostics.clear();
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_core::Warning;

    /// What reading gives: a line a game with its error, and all warnings.
    fn read(mut reader: Reader<&[u8]>) -> (Vec<String>, Vec<Warning>) {
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        let (mut games, mut warnings) = (Vec::new(), Vec::new());
        loop {
            let result = reader.read_game(&mut game, &mut diagnostics);
            warnings.extend_from_slice(diagnostics.warnings());
            diagnostics.clear();
            if matches!(result, Ok(false)) {
                return (games, warnings);
            }
            let error = result.err();
            games.push(format!("{error:?} {}", crate::to_string(&game)));
        }
    }

    #[test]
    fn where_the_chunks_end_makes_no_difference() {
        for case in testkit::cases("pgn") {
            if case.name == "bad_utf16" {
                continue;
            }
            let bytes = case.bytes("base.pgn");
            let whole = read(Reader::new(&bytes));
            for chunk in [1, 2, 3, 5, 7, 11, 64, 100, 333] {
                let reader = Reader { chunk, ..Reader::new(bytes.as_slice()) };
                assert_eq!(read(reader), whole, "{} in chunks of {chunk}", case.name);
            }
        }
    }

    #[test]
    fn a_game_too_long_costs_only_itself() {
        let long = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "long ".repeat(1000));
        let text = format!("[White \"0\"]\n\n*\n\n{long}[White \"Z\"]\n\n1. d4 *\n");
        let mut reader = Reader { chunk: 100, max_game: 1000, ..Reader::new(text.as_bytes()) };
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        assert!(reader.read_game(&mut game, &mut diagnostics).unwrap());
        let error = reader.read_game(&mut game, &mut diagnostics).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TooLong(1000)));
        assert_eq!(error.location().game, Some(1));
        assert_eq!((game.header.white.as_str(), game.ply_count()), ("A", 1));
        assert!(reader.read_game(&mut game, &mut diagnostics).unwrap());
        assert_eq!((game.header.white.as_str(), game.ply_count()), ("Z", 1));
        assert!(!reader.read_game(&mut game, &mut diagnostics).unwrap());
        assert_eq!((reader.games(), reader.position()), (3, text.len() as u64));
    }

    #[test]
    fn headers_alone_are_the_same_headers() {
        for case in testkit::cases("pgn") {
            let bytes = case.bytes("base.pgn");
            let (mut all, mut heads) = (Reader::new(&bytes[..]), Reader::new(&bytes[..]));
            let (mut game, mut header) = (Game::new(), Header::default());
            let mut diagnostics = Diagnostics::lenient();
            while let Ok(true) = heads.read_header(&mut header, &mut diagnostics) {
                let _ = all.read_game(&mut game, &mut diagnostics);
                assert_eq!(game.header, header, "{} game {}", case.name, heads.games());
                assert_eq!(all.place, heads.place, "{} game {}", case.name, heads.games());
            }
        }
    }
}
