//! Any game of a stream by its number, once it is known where the games are.

use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

use chess_core::{Game, Header};
use chess_store::erased::{Format, Opener, Parser, Source};
use chess_store::io::ReadAt as _;
use chess_store::{
    About, AnyError, Block, Describe, Diagnostics, Error, Field, Input, Location, OpenOptions,
    Place, ReadGames, SearchIndex, StreamInput, Warning,
};

/// A text of games of which any can be read by its number, as of a base.
///
/// It is read once from its start to its end, block by block, by [`grow`](Indexed::grow); only
/// where the blocks are is kept. A game is then found by reading its block, some 128 KiB, again up
/// to it; games in order cost no more than those of a stream.
///
/// ```no_run
/// use std::fs::File;
/// use scoresheet::{Database, Indexed, OpenOptions, format_named};
///
/// let file = File::open("twic.pgn")?;
/// let format = format_named("pgn").ok_or("built without pgn")?;
/// let mut games = Indexed::new(file, format, &OpenOptions::default())?;
/// while games.grow()? {}
/// println!("{} games", Database::len(&games));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Indexed {
    file: Input,
    /// What blocks are cut from and their games are found with. Readers ask it for a parser of
    /// their own, once each.
    source: Mutex<(Box<dyn Source>, Box<dyn Parser + Send>)>,
    spare: (Block, Game, Diagnostics),
    stretches: Vec<ReadAhead>,
    games: u64,
    end: Place,
}

/// Where a block is.
#[derive(Clone, Copy)]
struct ReadAhead {
    place: Place,
    /// Its bytes, with those that its parser may look at.
    length: usize,
    end: usize,
    first_game: u64,
    cut: bool,
}

/// What a thread that reads an [`Indexed`] owns: the block at hand, read up to some game.
#[derive(Default)]
pub struct State {
    parser: Option<Box<dyn Parser + Send>>,
    block: Block,
    last: Last,
}

/// The game that was read last.
#[derive(Default)]
struct Last {
    number: Option<u64>,
    game: Game,
    notes: Diagnostics,
}

/// Why a game cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexedErrorKind {
    /// There is no such game.
    #[error("has {0} games")]
    NoSuchGame(u64),
    /// The file is not any more what it was.
    #[error("the file changed since it was opened")]
    Changed,
    /// The format is not one of streams.
    #[error("{0} bases are no streams of games")]
    NoStream(&'static str),
    /// Text has no bytes to name.
    #[error("it is text; see it in an editor")]
    IsText,
    /// A deviation, when strict.
    #[error("{}", .0.message)]
    Strict(Warning),
    /// The file cannot be read.
    #[error("{0}")]
    Io(io::Error),
}

chess_store::error_kind! {
    IndexedErrorKind:
    IndexedErrorKind::Changed,
    IndexedErrorKind::NoStream(_),
}

fn error(kind: IndexedErrorKind) -> AnyError {
    Error::new(kind, Location::default()).into()
}

impl Indexed {
    /// Of a file that is not compressed, whose [format](Format::open) is a stream. It has no game
    /// before it is [grown](Indexed::grow).
    ///
    /// # Errors
    /// Those of the format; [`IndexedErrorKind::NoStream`].
    pub fn new(
        file: impl Into<Input>,
        format: &Format,
        options: &OpenOptions,
    ) -> Result<Indexed, AnyError> {
        let file = file.into();
        let Some(Opener::Source(open)) = format.open else {
            return Err(error(IndexedErrorKind::NoStream(format.title)));
        };
        let source = open(StreamInput::of_file(file.clone()), options)?;
        let parser = source.parser();
        Ok(Indexed {
            file,
            source: Mutex::new((source, parser)),
            spare: (Block::default(), Game::new(), Diagnostics::lenient()),
            stretches: Vec::new(),
            games: 0,
            end: Place::default(),
        })
    }

    /// Reads one more block and finds its games; `false` when there is none.
    ///
    /// # Errors
    /// Those of the stream, of which there is nothing more then. Damaged games are games.
    pub fn grow(&mut self) -> Result<bool, AnyError> {
        let (block, game, notes) = &mut self.spare;
        let (source, parser) = self.source.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !source.block(block)? {
            return Ok(false);
        }
        block.count_from(self.games, self.end);
        parser.load(block);
        let stretch = ReadAhead {
            place: block.place,
            length: block.bytes.len(),
            end: block.end,
            first_game: self.games,
            cut: block.cut,
        };
        loop {
            notes.clear();
            let before = block.games;
            match parser.game(block, game, notes) {
                Ok(true) => {}
                Ok(false) => break,
                // What cannot be read as a game, and is none.
                Err(failure) if block.games == before => return Err(failure),
                Err(_) => {}
            }
        }
        self.end = block.used_place;
        if block.games > 0 {
            self.games = self.games.saturating_add(block.games);
            self.stretches.push(stretch);
        }
        Ok(true)
    }

    /// How many bytes of the file were looked through.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.end.offset
    }

    /// Reads the block of a game up to the game: what it is, and its error.
    fn read_game<'a>(
        &self,
        state: &'a mut State,
        number: u64,
    ) -> Result<(&'a Last, Option<AnyError>), AnyError> {
        let none = || error(IndexedErrorKind::NoSuchGame(self.games));
        let found = self.stretches.partition_point(|stretch| stretch.first_game <= number);
        let stretch = found.checked_sub(1).and_then(|place| self.stretches.get(place));
        let stretch = stretch.filter(|_| number < self.games).ok_or_else(none)?;
        let State { parser, block, last } = state;
        // Header and game of one number are asked for one after the other.
        if last.number == Some(number) {
            return Ok((last, None));
        }
        let parser = parser.get_or_insert_with(|| {
            self.source.lock().unwrap_or_else(PoisonError::into_inner).0.parser()
        });
        let next = block.first_game.saturating_add(block.games);
        if block.end == 0 || block.first_game != stretch.first_game || next > number {
            self.load(stretch, block)?;
        }
        loop {
            let this = block.first_game.saturating_add(block.games);
            last.number = None;
            last.notes.clear();
            let failure = parser.game(block, &mut last.game, &mut last.notes).err();
            if block.first_game.saturating_add(block.games) == this {
                return Err(failure.unwrap_or_else(|| error(IndexedErrorKind::Changed)));
            }
            if this == number {
                // A damaged one is read again, for its error.
                last.number = failure.is_none().then_some(number);
                return Ok((last, failure));
            }
        }
    }

    fn load(&self, stretch: &ReadAhead, block: &mut Block) -> Result<(), AnyError> {
        block.clear();
        let read = self.file.read_into(stretch.place.offset, stretch.length, &mut block.bytes);
        read.map_err(|failure| error(failure.into()))?;
        if block.bytes.len() != stretch.length {
            return Err(error(IndexedErrorKind::Changed));
        }
        block.end = stretch.end;
        block.place = stretch.place;
        block.used_place = stretch.place;
        block.first_game = stretch.first_game;
        block.cut = stretch.cut;
        Ok(())
    }
}

/// Hands on what was noted and what went wrong.
fn tell(
    last: &Last,
    failure: Option<AnyError>,
    diagnostics: &mut Diagnostics,
) -> Result<(), AnyError> {
    let noted = diagnostics.append(&last.notes);
    noted.map_err(|warning| error(IndexedErrorKind::Strict(warning)))?;
    failure.map_or(Ok(()), Err)
}

impl ReadGames for Indexed {
    type Error = AnyError;

    type State = State;

    fn len(&self) -> u64 {
        self.games
    }

    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        header.clear();
        let (last, failure) = self.read_game(state, game)?;
        header.clone_from(&last.game.header);
        tell(last, failure, diagnostics)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        into.clear();
        let (last, failure) = self.read_game(state, game)?;
        into.clone_from(&last.game);
        tell(last, failure, diagnostics)
    }

    fn dump_with(&self, _: &mut State, _: u64, _: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Err(error(IndexedErrorKind::IsText))
    }
}

impl SearchIndex for Indexed {}

impl Describe for Indexed {
    fn about(&self) -> About {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).0.about()
    }
}

impl fmt::Debug for Indexed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed").field("games", &self.games).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {

    use chess_store::Scope;

    use super::*;
    use crate::format_named;

    fn indexed(text: &str) -> Indexed {
        let format = format_named("pgn").unwrap();
        let file = text.as_bytes().to_vec();
        let mut games = Indexed::new(file, format, &OpenOptions::default()).unwrap();
        while games.grow().unwrap() {}
        games
    }

    #[test]
    fn any_game_in_any_order() {
        let text: String = (0..20_000u64)
            .map(|n| format!("[White \"P{n}\"]\n[Black \"B\"]\n\n1. e4 {{{n}}} e5 *\n\n"))
            .collect();
        let games = indexed(&text);
        assert!(games.stretches.len() > 3, "{}", games.stretches.len());
        assert_eq!((games.len(), games.position()), (20_000, text.len() as u64));
        let mut reader = games.reader();
        let (mut header, mut game, mut notes) =
            (Header::default(), Game::new(), Diagnostics::lenient());
        let mut number = 1u64;
        for _ in 0..300 {
            number = number * 7919 % 20_011 % 20_000;
            reader.header(number, &mut header, &mut notes).unwrap();
            assert_eq!(header.white, format!("P{number}"));
            for asked in [number, number, (number + 1) % 20_000] {
                reader.game(asked, &mut game, &mut notes).unwrap();
                assert_eq!((game.header.white.clone(), game.ply_count()), (format!("P{asked}"), 2));
            }
        }
        let error = reader.game(20_000, &mut game, &mut notes).unwrap_err();
        assert_eq!(error.message().to_string(), "has 20000 games");
    }

    #[test]
    fn a_damaged_game_says_so_each_time_and_the_next_reads() {
        let games = indexed("[White \"A\"]\n\n1. e4 e5 2. Ke4 *\n\n[White \"B\"]\n\n1. d4 *\n");
        assert_eq!(games.len(), 2);
        let mut reader = games.reader();
        let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
        for _ in 0..2 {
            let error = reader.game(0, &mut game, &mut notes).unwrap_err();
            assert_eq!((error.scope(), game.ply_count()), (Scope::Game, 2));
            reader.game(1, &mut game, &mut notes).unwrap();
            assert_eq!(game.header.white, "B");
        }
        assert!(
            Indexed::new(Vec::new(), format_named("si4").unwrap(), &OpenOptions::default())
                .is_err()
        );
    }
}
