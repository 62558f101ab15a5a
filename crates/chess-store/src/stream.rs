//! Texts and other streams, whose games come one after the other.

use std::borrow::BorrowMut;
use std::marker::PhantomData;
use std::ops::Range;
use std::{fmt, io};

use chess_core::Game;

use crate::about::About;
use crate::diagnostics::{Diagnostics, Warning};
use crate::error::AnyError;
use crate::inputs::Input;
use crate::io::ReadAt;
use crate::location::Place;

/// A stream of games: it is cut into blocks of whole games, in order, and any thread can read the
/// games of a block.
///
/// Cutting is cheap: it looks for a place between two games and does not read the games. Of a file
/// it need not even read all bytes: those of a block may be [for later](Block::later).
pub trait StreamGames: Send {
    /// The format's error.
    type Error: Into<AnyError> + Send;
    /// What reads the games of a block.
    type Parser: ParseGames<Error = Self::Error> + Send + 'static;

    /// Cuts the next block off, replacing what `block` held; `false` when there is nothing left.
    ///
    /// # Errors
    /// Those of the stream; there is nothing more then. The blocks before it stand.
    fn block(&mut self, block: &mut Block) -> Result<bool, Self::Error>;

    /// A parser for one thread.
    fn parser(&self) -> Self::Parser;

    /// The facts that the stream states, once there is no further block.
    fn about(&self) -> About {
        About::default()
    }
}

/// Reads the games of [blocks](Block).
pub trait ParseGames {
    /// The format's error.
    type Error;

    /// Reads the next game of a block, replacing what `into` held; `false` when there is none.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged: `into` holds what
    /// could be read, and the next call reads the next game. Those of reading bytes that are [for
    /// later](Block::later), once the games before the error are read.
    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Self::Error>;

    /// Reads the bytes of a block that are [for later](Block::later), before anyone else looks at
    /// them; [`parse_game`](Self::parse_game) does it too. Nothing for a format whose blocks hold
    /// their bytes.
    fn load(&mut self, block: &mut Block) {
        let _ = block;
    }

    /// Where among the bytes of a block the text of the game stands that was read last, if it may
    /// be copied: if a base of this format that holds the text in place of the game would say the
    /// same of it, and nothing about it was odd. `None` where a format knows no such texts.
    fn text(&self, block: &Block) -> Option<Range<usize>> {
        let _ = block;
        None
    }

    /// Goes past the next game of a block without reading it: it is known to end so many bytes
    /// after those used. `false`, and nothing is done, where a format has no [text](Self::text).
    fn pass_game(&mut self, block: &mut Block, bytes: usize) -> bool {
        let _ = (block, bytes);
        false
    }
}

/// A stretch of a stream that holds whole games.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Its bytes. What stands in them behind its [`end`](Block::end) comes in the next block too;
    /// the parser may look at it.
    pub bytes: Vec<u8>,
    /// Where its bytes are, as long as nobody has read them.
    pub later: Option<Later>,
    /// How many of the bytes are its own.
    pub end: usize,
    /// Where its first byte is in the stream; line and column are zero before they are
    /// [counted](Block::count_from).
    pub place: Place,
    /// Number of its first game in the stream, or zero before that is counted. Until then games,
    /// lines and columns of errors and warnings count from the beginning of the block.
    pub first_game: u64,
    /// The stream went on inside a game too long to hold; its bytes end here.
    pub cut: bool,
    /// The stream failed behind these bytes, so that the last game may not be whole.
    pub broken: bool,
    /// How many of the bytes the parser has used.
    pub used: usize,
    /// Where the first byte that is not yet used is in the stream.
    pub used_place: Place,
    /// How many games the parser has found.
    pub games: u64,
}

impl Block {
    /// Makes it empty, keeping the memory.
    pub fn clear(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = Block { bytes, ..Block::default() };
    }

    /// Counts games and lines from what stands before the block; nothing of it is used yet.
    pub fn count_from(&mut self, games: u64, end: Place) {
        self.first_game = games;
        self.place = self.place.counted_from(end);
        self.used_place = self.place;
    }
}

/// A stretch of a file that is still to be read.
#[derive(Clone)]
pub struct Later {
    /// The file.
    pub file: Input,
    /// Where the stretch begins.
    pub offset: u64,
    /// Bytes of it.
    pub length: usize,
}

impl Later {
    /// Reads it into `bytes`, replacing what they held.
    ///
    /// # Errors
    /// Those of the file; [`io::ErrorKind::UnexpectedEof`] if it has become shorter. `bytes` then
    /// hold what comes before.
    pub fn read(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        // What stands there is written over, and need not become zeros first.
        bytes.resize(self.length, 0);
        let (mut done, mut result) = (0usize, Ok(()));
        while let Some(room) = bytes.get_mut(done..).filter(|room| !room.is_empty()) {
            let at = self.offset.saturating_add(done as u64);
            match self.file.read_at(at, room) {
                Ok(0) => {
                    result = Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "the file has become shorter while it was read",
                    ));
                    break;
                }
                Ok(count) => done = done.saturating_add(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        bytes.truncate(done);
        result
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Later { offset, length, .. } = self;
        f.debug_struct("Later").field("offset", offset).field("length", length).finish()
    }
}

/// Reads the games of a stream one after the other, on one thread.
pub struct StreamReader<S: StreamGames> {
    source: S,
    parser: S::Parser,
    block: Block,
}

impl<S: StreamGames> StreamReader<S> {
    /// From where the stream is.
    pub fn new(source: S) -> StreamReader<S> {
        let parser = source.parser();
        StreamReader { source, parser, block: Block::default() }
    }

    /// Reads the next game into `into`, replacing its contents. Clears `diagnostics` first, so
    /// that it lists the warnings of this game only. Returns `false` at the end of the stream.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged. `into` then holds the
    /// moves before the damage, and the next call reads the next game. After any other error, the
    /// stream is exhausted.
    pub fn read_game(
        &mut self,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, S::Error> {
        diagnostics.clear();
        while !self.parser.parse_game(&mut self.block, into, diagnostics)? {
            let (games, end) = (self.games(), self.place());
            match self.source.block(&mut self.block) {
                Ok(true) => self.block.count_from(games, end),
                none => {
                    self.passed(games, end);
                    return none;
                }
            }
        }
        Ok(true)
    }

    /// Hands the next block over unread, for who reads it on another thread: the rest of the one
    /// at hand, or a new one, whose games and lines are not counted; `false` when there is nothing
    /// left.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn take_block(&mut self, block: &mut Block) -> Result<bool, S::Error> {
        if self.block.used < self.block.end {
            *block = std::mem::take(&mut self.block);
            (block.first_game, block.games) = (0, 0);
            block.used_place = Place { line: 0, column: 0, ..block.used_place };
            return Ok(true);
        }
        self.source.block(block)
    }

    /// A parser for one thread.
    pub fn parser(&self) -> S::Parser {
        self.source.parser()
    }

    /// The facts that the stream states, once its last game is read.
    pub fn about(&self) -> About {
        self.source.about()
    }

    /// Its own parser.
    pub fn parser_mut(&mut self) -> &mut S::Parser {
        &mut self.parser
    }

    /// Notes that all blocks handed over have been read: so many games in all, up to this place.
    pub fn passed(&mut self, games: u64, place: Place) {
        self.block.clear();
        self.block.first_game = games;
        self.block.used_place = place;
    }

    /// How many games were found so far, readable or not.
    pub fn games(&self) -> u64 {
        self.block.first_game.saturating_add(self.block.games)
    }

    /// How many bytes of the stream belong to the games found so far.
    pub fn position(&self) -> u64 {
        self.place().offset
    }

    /// Where the stream goes on after the games found so far.
    #[allow(clippy::misnamed_getters, reason = "the place of its block is where that begins")]
    pub fn place(&self) -> Place {
        self.block.used_place
    }
}

impl<S: StreamGames> IntoIterator for StreamReader<S> {
    type Item = Result<Game, S::Error>;
    type IntoIter = StreamedGames<S>;

    fn into_iter(self) -> StreamedGames<S> {
        StreamedGames::new(self)
    }
}

/// The games of a stream in order, each a [`Game`] of its own. A damaged game is an `Err`, and the
/// next one follows; after an error of the stream there is nothing more.
///
/// It owns its reader or borrows it.
pub struct StreamedGames<S: StreamGames, B: BorrowMut<StreamReader<S>> = StreamReader<S>> {
    reader: B,
    diagnostics: Diagnostics,
    ended: bool,
    of: PhantomData<fn() -> S>,
}

impl<S: StreamGames, B: BorrowMut<StreamReader<S>>> StreamedGames<S, B> {
    /// The games that the reader has left.
    pub fn new(reader: B) -> StreamedGames<S, B> {
        StreamedGames { reader, diagnostics: Diagnostics::lenient(), ended: false, of: PhantomData }
    }

    /// What was tolerated in the game that came last.
    pub fn warnings(&self) -> &[Warning] {
        self.diagnostics.warnings()
    }
}

impl<S: StreamGames, B: BorrowMut<StreamReader<S>>> Iterator for StreamedGames<S, B> {
    type Item = Result<Game, S::Error>;

    fn next(&mut self) -> Option<Result<Game, S::Error>> {
        if self.ended {
            return None;
        }
        let mut game = Game::new();
        self.diagnostics.clear();
        let reader = self.reader.borrow_mut();
        let found = reader.games();
        match reader.read_game(&mut game, &mut self.diagnostics) {
            Ok(true) => Some(Ok(game)),
            Ok(false) => {
                self.ended = true;
                None
            }
            Err(error) => {
                // An error without a game is the stream's.
                self.ended = reader.games() == found;
                Some(Err(error))
            }
        }
    }
}
