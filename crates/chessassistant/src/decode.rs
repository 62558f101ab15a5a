//! Decodes a record of the D02 to a game. The inverse is `encode`.
//!
//! In a record a branch precedes the move that it replaces; in a [`Game`] it follows that move. The
//! decoder therefore skips a branch when it meets it. It reads the branch after playing the
//! replaced move, from the position before that move. The extents of all branches are found once,
//! when the first is met. Nothing recurses.

mod branches;
mod comments;
mod line;
mod moves;
mod scratch;

use chess_core::{Game, LineError};
use chess_store::{Diagnostics, Encoding, Location};

use self::scratch::{Level, Waiting};
use crate::board::Board;
use crate::charset::Charset;
use crate::comment::put_raw;
use crate::error::{Error, ErrorKind};
use crate::layout::{
    BRANCH_BEGIN, BRANCH_END, COMMENT, EN_PASSANT, EXTENDED, EXTENDED_LAST, LONG_COMMENT,
    NULL_MOVE, Plain, SETUP, SETUP_SIZE, SYMBOL, UNKNOWN_233,
};
use crate::quirk::Quirk;
use crate::reading::Reading;
use crate::setup::decode_setup;

pub(crate) use self::line::MainLine;
pub(crate) use self::scratch::Scratch;

/// Decodes records to games, with reusable buffers.
///
/// ```
/// use chessassistant::{Decoder, Diagnostics, Encoding, Game, Reading};
///
/// // 1.e4 e5, without the length that stands before it in the file.
/// let mut game = Game::new();
/// let mut decoder = Decoder::new(Encoding::WINDOWS_1252, Reading::Right);
/// decoder.decode(&[0x13, 0x13], &mut game, &mut Diagnostics::strict()).unwrap();
/// assert_eq!(game.main_line().map(|m| m.to_string()).collect::<Vec<_>>(), ["e2e4", "e7e5"]);
/// ```
#[derive(Debug)]
pub struct Decoder {
    dialect: Dialect,
    scratch: Scratch,
}

impl Decoder {
    /// Creates a decoder for texts in `encoding`.
    #[must_use]
    pub fn new(encoding: Encoding, reading: Reading) -> Decoder {
        Decoder { dialect: Dialect::new(encoding, reading), scratch: Scratch::default() }
    }

    /// Decodes the codes of a record, without the length before them. Replaces the start position
    /// and tokens of `game` and keeps its header.
    ///
    /// # Errors
    /// [`ErrorKind`] of scope game at the first damage. The game then has all moves before the
    /// damage, and the readable parts of the lines beside and around it. In strict mode, also
    /// quirks.
    pub fn decode(
        &mut self,
        codes: &[u8],
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let at = Location::file("d02").at(0);
        self.dialect.decode(&mut self.scratch, codes, at, game, diagnostics)
    }

    /// Plays the move of a code with these bytes and describes it. Returns `None` if it cannot be
    /// played.
    pub(crate) fn describe_move(&mut self, bytes: &[u8], board: &mut Board) -> Option<String> {
        let mut game = Game::new();
        let mut discarded = Diagnostics::lenient();
        let at = Location::default();
        let mut run =
            Run::new(&self.dialect, &mut self.scratch, bytes, at, &mut game, &mut discarded);
        run.board = *board;
        let (m, _) = run.play(*bytes.first()?).ok()?;
        *board = run.board;
        Some(m.to_string())
    }
}

/// The decoding options, which differ from base to base.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    pub(crate) charset: Charset,
    reading: Reading,
}

impl Dialect {
    pub(crate) fn new(encoding: Encoding, reading: Reading) -> Dialect {
        Dialect { charset: Charset::new(encoding), reading }
    }

    /// As [`Decoder::decode`], for codes that begin at this location.
    pub(crate) fn decode(
        &self,
        scratch: &mut Scratch,
        codes: &[u8],
        at: Location,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        game.clear_line();
        let mut run = Run::new(self, scratch, codes, at, game, diagnostics);
        run.decode();
        let damage = run.damage.take();
        game.close_variations();
        damage.map_or(Ok(()), Err)
    }
}

struct Run<'a> {
    dialect: &'a Dialect,
    scratch: &'a mut Scratch,
    codes: &'a [u8],
    /// The location of the first code.
    at: Location,
    game: &'a mut Game,
    diagnostics: &'a mut Diagnostics,
    plain: &'static [Plain; 256],
    board: Board,
    /// The board before the last move with waiting branches.
    before: Board,
    level: Level,
    /// Whether anything beyond plain moves is pending: branches, an open comment, deferred symbols.
    busy: bool,
    /// Whether the marker of an en passant capture has been read.
    en_passant: bool,
    /// The first damage.
    damage: Option<Error>,
}

impl<'a> Run<'a> {
    fn new(
        dialect: &'a Dialect,
        scratch: &'a mut Scratch,
        codes: &'a [u8],
        at: Location,
        game: &'a mut Game,
        diagnostics: &'a mut Diagnostics,
    ) -> Run<'a> {
        scratch.clear();
        Run {
            dialect,
            scratch,
            codes,
            at,
            game,
            diagnostics,
            plain: dialect.reading.plain(),
            board: Board::start(),
            before: Board::start(),
            level: Level::new(0, codes.len()),
            busy: false,
            en_passant: false,
            damage: None,
        }
    }

    fn decode(&mut self) {
        loop {
            if !self.busy
                && let Err(error) = self.plain_moves()
            {
                self.cut(error);
            }
            let step = match self.codes.get(self.level.cursor) {
                Some(code) if self.level.cursor < self.level.end => self.code(*code),
                _ => match self.end_of_line() {
                    Ok(true) => Ok(()),
                    Ok(false) => return,
                    Err(error) => Err(error),
                },
            };
            if let Err(error) = step {
                self.cut(error);
            }
        }
    }

    /// Processes one code that is not a plain move, or any code while something is pending. May
    /// process the pending work only and leave the code for the next call.
    fn code(&mut self, code: u8) -> Result<(), Error> {
        match code {
            0..=NULL_MOVE | EXTENDED..=EXTENDED_LAST if code != EN_PASSANT => self.move_code(code),
            EN_PASSANT => {
                // The code belongs to a move, before which waiting branches are read.
                if self.read_waiting()? {
                    return Ok(());
                }
                self.en_passant = true;
                self.busy = true;
                self.advance(1);
                Ok(())
            }
            SETUP => self.setup(),
            BRANCH_BEGIN => self.branch(),
            BRANCH_END => {
                self.note(Quirk::StrayBranchEnd)?;
                self.advance(1);
                Ok(())
            }
            UNKNOWN_233 => {
                let byte = self.payload::<1>("an unknown code")?;
                self.open_comment(|_, text| put_raw(UNKNOWN_233, byte, text));
                self.advance(2);
                Ok(())
            }
            SYMBOL | COMMENT | LONG_COMMENT => self.comment(code),
            _ => Err(self.error(ErrorKind::UnknownCode(code))),
        }
    }

    fn setup(&mut self) -> Result<(), Error> {
        let late = self.level.last.is_some() || self.level.state != Waiting::None;
        if !self.is_root() || late || self.game.setup().is_some() {
            return Err(self.error(ErrorKind::LateSetup));
        }
        let block = self.payload::<SETUP_SIZE>("a start position")?;
        let (board, position) = decode_setup(block, self.here(), self.diagnostics)?;
        self.board = board;
        self.game.set_start(position);
        self.advance(SETUP_SIZE.saturating_add(1));
        Ok(())
    }

    /// Whether this is the main line.
    fn is_root(&self) -> bool {
        self.scratch.frames.is_empty()
    }

    /// The bytes after the current code.
    fn payload<const N: usize>(&self, what: &'static str) -> Result<&'a [u8; N], Error> {
        let start = self.level.cursor.saturating_add(1);
        let payload = self.codes.get(start..self.level.end).and_then(|codes| codes.first_chunk());
        payload.ok_or_else(|| self.error(ErrorKind::Truncated(what)))
    }

    fn advance(&mut self, size: usize) {
        self.level.cursor = self.level.cursor.saturating_add(size);
    }

    /// Records the first damage and ends its line.
    fn cut(&mut self, error: Error) {
        self.damage.get_or_insert(error);
        self.level.end = self.level.cursor;
        self.en_passant = false;
    }

    fn place(&self, cursor: usize) -> Location {
        let start = self.at.offset.unwrap_or(0);
        self.at.at(start.saturating_add(cursor as u64))
    }

    fn here(&self) -> Location {
        self.place(self.level.cursor).after_ply(self.level.ply)
    }

    #[cold]
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.here())
    }

    fn line_error(&self, error: LineError) -> Error {
        self.error(ErrorKind::Line(error))
    }

    #[cold]
    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        let here = self.here();
        Ok(self.diagnostics.note(quirk, here)?)
    }
}
