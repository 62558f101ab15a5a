//! Streams of games, such as PGN text.

use std::borrow::BorrowMut;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use chess_core::Game;

use crate::about::About;
use crate::diagnostics::{Diagnostics, Warning};
use crate::error::AnyError;
use crate::inputs::Input;
use crate::io::ReadAt;
use crate::location::{BlockStart, InBlock, Locate, Place};

/// A stream of games. It is cut into blocks of whole games, in order. Any thread can parse the
/// games of a block.
///
/// Cutting is cheap: it searches for a boundary between two games and does not parse the games. For
/// a file it need not even read all bytes, because a block can be [loaded later](Block::later).
pub trait StreamGames: Send {
    /// The format's error.
    type Error: Into<AnyError> + Locate + Send;
    /// The parser for the games of a block.
    type Parser: ParseGames<Error = Self::Error> + Send + 'static;

    /// Reads the next block into `block`, replacing its contents. Returns `false` at the end of the
    /// stream.
    ///
    /// # Errors
    /// I/O errors. After an error the stream is exhausted. The blocks before the error are valid.
    fn block(&mut self, block: &mut Block) -> Result<bool, Self::Error>;

    /// Returns the stream as a text that can be read from any place. `None` by default: it is read
    /// from its start to its end.
    fn as_split_text(&mut self) -> Option<&mut dyn SplitText> {
        None
    }

    /// Returns whether a block has the bytes of the stream at its place, so that they can be
    /// read again there. This is the default. Blocks of a table hold its rows as text.
    fn is_text(&self) -> bool {
        true
    }

    /// Creates a parser for one thread.
    fn parser(&self) -> Self::Parser;

    /// Returns the facts that the stream states. They are complete after the last block.
    fn about(&self) -> About {
        About::default()
    }
}

/// A text in a file, which several threads search section by section.
pub trait SplitText {
    /// Continues at `place`, where a block begins. Returns `false` and changes nothing if the stream
    /// cannot continue elsewhere.
    fn seek(&mut self, place: InBlock<Place>) -> bool;

    /// Returns the end of a game that begins after `offset`, which may be anywhere in the stream.
    /// Reads little of the stream and leaves its place as it is. Each call with this offset
    /// returns this end. `None` if no game shows where it ends.
    fn game_end_after(&mut self, offset: u64) -> Option<u64>;
}

/// Parses the games of [blocks](Block).
pub trait ParseGames {
    /// The format's error.
    type Error;

    /// Parses the next game of `block` into `into`, replacing its contents. Returns `false` after
    /// the last game.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged. `into` then holds the part
    /// before the damage, and the next call reads the next game. I/O errors of a [block loaded
    /// later](Block::later) are returned after the games before the error.
    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<Self::Error>>;

    /// Returns the parser as one whose games can be copied as text. `None` by default.
    fn as_text(&mut self) -> Option<&mut dyn ParseText> {
        None
    }
}

/// A parser of games as text, which need not be parsed to be copied.
pub trait ParseText {
    /// Loads the bytes of a block that is to be [loaded later](Block::later).
    /// [`parse_game`](ParseGames::parse_game) also does so.
    fn load(&mut self, block: &mut Block);

    /// Returns the byte range of the last game's text in `block`, if it can be copied.
    /// This is the case if the game was parsed without warnings and its text does not depend on its
    /// context.
    fn text(&self, block: &Block) -> Option<Range<usize>>;

    /// Skips the next game of `block` without parsing it. The game must end `bytes` bytes after the
    /// used part.
    fn pass_game(&mut self, block: &mut Block, bytes: usize);

    /// Leaves the moves out of the games from now on, where that is faster. Headers and places of
    /// games stay the same. Damage and deviations in the moves are not reported.
    fn skip_moves(&mut self);
}

/// A part of a stream that holds whole games.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Block {
    /// The bytes. Those from [`end`](Block::end) on are a lookahead for the parser, and are part of
    /// the next block too.
    pub bytes: Vec<u8>,
    /// Unread file range, for blocks that are loaded later. Until it is read,
    /// [`bytes`](Block::bytes) belong to another block.
    pub later: Option<Later>,
    /// Number of bytes that belong to this block.
    pub end: usize,
    /// The place of the first byte.
    pub place: InBlock<Place>,
    /// Whether the block was cut inside a game that is too long to hold.
    pub cut: bool,
    /// Whether the stream failed after these bytes. The last game may then be incomplete.
    pub broken: bool,
    /// Number of bytes that the parser has used.
    pub used: usize,
    /// The place of the first unused byte.
    pub used_place: InBlock<Place>,
    /// Number of games that the parser has found.
    pub games: u64,
    /// A range of the bytes in which the parser searched for the end of a comment in vain, so that it
    /// does not search again for each game.
    pub unclosed: Range<usize>,
}

impl Block {
    /// Creates a block whose first byte is at `place` of the stream. The first `end` of the `bytes`
    /// belong to it.
    #[must_use]
    pub fn new(bytes: Vec<u8>, end: usize, place: InBlock<Place>) -> Block {
        Block { bytes, end, place, used_place: place, ..Block::default() }
    }

    /// Clears the block and keeps its buffer.
    pub fn clear(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = Block { bytes, ..Block::default() };
    }
}

/// A range of a file that has not been read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Later {
    /// The file.
    pub file: Input,
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes.
    pub length: usize,
}

impl Later {
    /// Describes the `length` bytes of `file` at `offset`.
    #[must_use]
    pub fn new(file: Input, offset: u64, length: usize) -> Later {
        Later { file, offset, length }
    }

    /// Reads the range into `bytes`, replacing its contents.
    ///
    /// # Errors
    /// I/O errors; [`io::ErrorKind::UnexpectedEof`] if the file has been truncated. `bytes` then
    /// holds the bytes before the error.
    pub fn read(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        // The old contents are overwritten, so they need not be zeroed.
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

/// Reads the games of a stream in order, on one thread.
pub struct StreamReader<S: StreamGames> {
    source: S,
    parser: S::Parser,
    block: Block,
    start: BlockStart,
}

impl<S: StreamGames> StreamReader<S> {
    /// Creates a reader that starts at the current position of `source`.
    pub fn new(source: S) -> StreamReader<S> {
        let parser = source.parser();
        StreamReader { source, parser, block: Block::default(), start: BlockStart::default() }
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
        loop {
            let mut found = InBlock::taking(diagnostics);
            let read = self.parser.parse_game(&mut self.block, into, &mut found);
            *diagnostics = found.in_stream(self.start);
            match read {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => return Err(error.in_stream(self.start)),
            }
            let start = BlockStart { games: self.games(), after: self.place() };
            let read = self.source.block(&mut self.block);
            if !matches!(read, Ok(true)) {
                self.passed(start.games, start.after);
                return read;
            }
            self.start = start;
        }
    }

    /// Takes the next unparsed block, for parsing on another thread. This is the rest of the
    /// current block, or a new one. Its games and lines are not counted. Returns `false` at the end
    /// of the stream.
    ///
    /// # Errors
    /// I/O errors.
    pub fn take_block(&mut self, block: &mut Block) -> Result<bool, S::Error> {
        if self.block.used < self.block.end {
            *block = std::mem::take(&mut self.block);
            block.games = 0;
            block.used_place = InBlock::at(block.used_place.offset());
            return Ok(true);
        }
        self.source.block(block)
    }

    /// Returns whether blocks have the bytes of the stream; see [`StreamGames::is_text`].
    pub fn is_text(&self) -> bool {
        self.source.is_text()
    }

    /// Creates a parser for one thread.
    pub fn parser(&self) -> S::Parser {
        self.source.parser()
    }

    /// Returns the facts that the stream states. They are complete after the last game.
    pub fn about(&self) -> About {
        self.source.about()
    }

    /// Returns the parser of this reader.
    pub fn parser_mut(&mut self) -> &mut S::Parser {
        &mut self.parser
    }

    /// Records that all taken blocks have been parsed. They hold `games` games and end at `place`.
    pub fn passed(&mut self, games: u64, place: Place) {
        self.block.clear();
        self.block.used_place = InBlock::at(place.offset);
        self.start = BlockStart { games, after: place };
    }

    /// Returns the number of games found so far, readable or not.
    pub fn games(&self) -> u64 {
        self.start.games.saturating_add(self.block.games)
    }

    /// Returns the number of bytes that belong to the games found so far.
    pub fn position(&self) -> u64 {
        self.place().offset
    }

    /// Returns the place where the stream continues after the games found so far.
    pub fn place(&self) -> Place {
        self.block.used_place.place_in_stream(self.start)
    }
}

impl<S: StreamGames> IntoIterator for StreamReader<S> {
    type Item = Result<Game, S::Error>;
    type IntoIter = StreamedGames<S>;

    fn into_iter(self) -> StreamedGames<S> {
        StreamedGames::new(self)
    }
}

/// An iterator over the games of a stream. Each item is a new [`Game`]. A damaged game is an `Err`,
/// and the next game follows. After an I/O error the iterator ends.
///
/// It owns or borrows its reader.
pub struct StreamedGames<S: StreamGames, B: BorrowMut<StreamReader<S>> = StreamReader<S>> {
    reader: B,
    diagnostics: Diagnostics,
    ended: bool,
    of: PhantomData<fn() -> S>,
}

impl<S: StreamGames, B: BorrowMut<StreamReader<S>>> StreamedGames<S, B> {
    /// Iterates over the remaining games of `reader`.
    pub fn new(reader: B) -> StreamedGames<S, B> {
        StreamedGames { reader, diagnostics: Diagnostics::lenient(), ended: false, of: PhantomData }
    }

    /// Returns the warnings of the last game.
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
                // An error without a game is an error of the stream.
                self.ended = reader.games() == found;
                Some(Err(error))
            }
        }
    }
}
