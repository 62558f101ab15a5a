//! A record of the D02 to a game; the mirror image is `encode`.
//!
//! In a record a branch stands before the move it replaces, in a [`Game`] after it. So a branch is
//! skipped when it is met and read when its move has been played, from the position before that
//! move. Where branches begin and end is looked up once, when the first is met. Nothing recurses.

mod branches;
mod comments;

use std::sync::Mutex;

use chess_core::{Diagnostics, Encoding, Game, LineError, Location, Move, Nag, Role};

use crate::board::{Board, PieceId, Remark, role_of};
use crate::charset::Charset;
use crate::comment::put_raw;
use crate::error::{Error, ErrorKind};
use crate::layout::{
    BRANCH_BEGIN, BRANCH_END, CASTLE_LONG, CASTLE_SHORT, COMMENT, DIAGRAM_AFTER, DIAGRAM_NAG,
    EN_PASSANT, EXTENDED, EXTENDED_LAST, LONG_COMMENT, NULL_MOVE, PROMOTION, Plain, SETUP,
    SETUP_SIZE, SYMBOL, UNKNOWN_233,
};
use crate::quirk::Quirk;
use crate::reading::Reading;
use crate::setup::decode_setup;

/// Makes games of records. Can be shared by threads; its working memory is kept from game to game.
///
/// ```
/// use chess_core::{Diagnostics, Encoding, Game};
/// use chessassistant::{Decoder, Reading};
///
/// // 1.e4 e5, without the length that stands before it in the file.
/// let mut game = Game::new();
/// let decoder = Decoder::new(Encoding::WINDOWS_1252, Reading::Right);
/// decoder.decode(&[0x13, 0x13], &mut game, &mut Diagnostics::strict()).unwrap();
/// assert_eq!(game.main_line().map(|m| m.to_string()).collect::<Vec<_>>(), ["e2e4", "e7e5"]);
/// ```
#[derive(Debug)]
pub struct Decoder {
    charset: Charset,
    reading: Reading,
    idle: Mutex<Vec<Scratch>>,
}

impl Decoder {
    /// A decoder for texts in this encoding.
    #[must_use]
    pub fn new(encoding: Encoding, reading: Reading) -> Decoder {
        Decoder { charset: Charset::new(encoding), reading, idle: Mutex::default() }
    }

    pub(crate) fn charset(&self) -> &Charset {
        &self.charset
    }

    /// The reading it was made for.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Decodes the codes of a record, without the length before them, replacing the start
    /// position and tokens of `game` but not its header.
    ///
    /// # Errors
    /// [`ErrorKind`] of scope game at the first damage. The game then has all moves before it, and
    /// what could be read of the lines beside and around it.
    pub fn decode(
        &self,
        codes: &[u8],
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        self.decode_at(codes, Location::file("d02").at(0), game, diagnostics)
    }

    /// As [`decode`](Decoder::decode), for codes that begin at this place.
    pub(crate) fn decode_at(
        &self,
        codes: &[u8],
        at: Location,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        game.clear_line();
        let mut run = Run::new(self, codes, at, game, diagnostics);
        run.decode();
        let (scratch, damage) = (run.scratch.take(), run.damage.take());
        if let Some(scratch) = scratch
            && let Ok(mut idle) = self.idle.lock()
        {
            idle.push(scratch);
        }
        game.close_variations();
        damage.map_or(Ok(()), Err)
    }

    fn scratch(&self) -> Scratch {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut scratch = idle.unwrap_or_default();
        scratch.clear();
        scratch
    }
}

/// Working memory; only games with branches or comments need it.
#[derive(Debug, Default)]
struct Scratch {
    /// All branches in the order they begin.
    branches: Vec<Branch>,
    scanned: bool,
    /// The levels around the current one.
    frames: Vec<Frame>,
    /// Branches met but not yet read, by their number: those of outer levels first.
    waiting: Vec<usize>,
    /// Symbols for the move to come: type and byte.
    held: Vec<(u8, u8)>,
    /// A comment to which more may be joined.
    comment: String,
    comment_open: bool,
}

impl Scratch {
    fn clear(&mut self) {
        self.branches.clear();
        self.scanned = false;
        self.frames.clear();
        self.waiting.clear();
        self.held.clear();
        self.comment.clear();
        self.comment_open = false;
    }
}

/// Where a branch's codes stand.
#[derive(Clone, Copy, Debug)]
struct Branch {
    begin: usize,
    end: usize,
    /// After its end code.
    resume: usize,
    /// The first branch that begins after it ends.
    next: usize,
}

/// A level of play: the main line or a branch.
#[derive(Clone, Copy, Debug)]
struct Level {
    cursor: usize,
    end: usize,
    ply: u32,
    /// The number of the next branch to begin.
    next_branch: usize,
    /// Where in `Scratch::waiting` this level's branches stand, and the next to be read.
    first_waiting: usize,
    next_waiting: usize,
    /// How many branches of outer levels wait below.
    outer_waiting: usize,
    state: Waiting,
    last: Option<Move>,
    /// Whether a variation stands after the last move.
    varied: bool,
}

/// What the waiting branches of a level wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    /// There are none.
    None,
    /// The move they replace.
    ForMove,
    /// The comments on that move to end; then they are read.
    ForComments,
    /// As before, but the move they replace never came: each begins by repeating the last.
    Repeating,
}

impl Level {
    fn new(cursor: usize, end: usize) -> Level {
        Level {
            cursor,
            end,
            ply: 0,
            next_branch: 0,
            first_waiting: 0,
            next_waiting: 0,
            outer_waiting: 0,
            state: Waiting::None,
            last: None,
            varied: false,
        }
    }
}

/// A level put aside while one of its branches is read.
#[derive(Debug)]
struct Frame {
    level: Level,
    board: Board,
    before: Board,
}

struct Run<'a> {
    decoder: &'a Decoder,
    codes: &'a [u8],
    /// Place of the first code.
    at: Location,
    game: &'a mut Game,
    diagnostics: &'a mut Diagnostics,
    plain: &'static [Plain; 256],
    board: Board,
    /// The board before the last move, if branches wait for it.
    before: Option<Board>,
    level: Level,
    /// Whether anything but moves needs a look: branches, an open comment, symbols held back.
    busy: bool,
    /// Whether the marker of a capture en passant has been read.
    en_passant: bool,
    scratch: Option<Scratch>,
    /// The first damage met.
    damage: Option<Error>,
}

impl<'a> Run<'a> {
    fn new(
        decoder: &'a Decoder,
        codes: &'a [u8],
        at: Location,
        game: &'a mut Game,
        diagnostics: &'a mut Diagnostics,
    ) -> Run<'a> {
        Run {
            decoder,
            codes,
            at,
            game,
            diagnostics,
            plain: decoder.reading.plain(),
            board: Board::start(),
            before: None,
            level: Level::new(0, codes.len()),
            busy: false,
            en_passant: false,
            scratch: None,
            damage: None,
        }
    }

    fn decode(&mut self) {
        loop {
            if !self.busy
                && let Err(kind) = self.plain_moves()
            {
                let error = self.error(kind);
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

    /// Plays plain moves for as long as there is nothing else: nearly all of every game.
    fn plain_moves(&mut self) -> Result<(), ErrorKind> {
        let codes = self.codes.get(self.level.cursor..self.level.end).unwrap_or_default();
        for code in codes.iter().take_while(|code| **code < CASTLE_LONG) {
            let (m, remark) = self.step(*code)?;
            if remark != Remark::Plain {
                self.remark(remark)?;
            }
            self.push(m, 1);
        }
        Ok(())
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a byte is below 256, a colour 0 or 1")]
    fn step(&mut self, code: u8) -> Result<(Move, Remark), ErrorKind> {
        let plain = self.plain[usize::from(code)];
        let side = self.board.turn();
        let id = PieceId::new(side, plain.number);
        if plain.number < 8 && !self.board.is_pawn(id) {
            self.note(Quirk::PieceKind)?;
        }
        Ok(self.board.play(id, plain.steps[usize::from(side.is_black())])?)
    }

    #[inline]
    fn push(&mut self, m: Move, size: usize) {
        self.game.push_move(m);
        self.level.last = Some(m);
        self.level.varied = false;
        self.level.ply = self.level.ply.saturating_add(1);
        self.level.cursor = self.level.cursor.saturating_add(size);
    }

    fn remark(&mut self, remark: Remark) -> Result<(), ErrorKind> {
        let marked = std::mem::take(&mut self.en_passant);
        if remark == Remark::OwnPieceTaken {
            self.note(Quirk::OwnPieceTaken)?;
        }
        if marked != (remark == Remark::EnPassant) {
            self.note(Quirk::EnPassantMarker)?;
        }
        Ok(())
    }

    /// Takes one code that is not a plain move, or any while something is waiting. May leave it
    /// where it is after having done what must come first.
    fn code(&mut self, code: u8) -> Result<(), Error> {
        match code {
            0..=NULL_MOVE | EXTENDED..=EXTENDED_LAST if code != EN_PASSANT => self.move_code(code),
            EN_PASSANT => {
                // It belongs to a move, before which waiting branches are read.
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
                self.note(Quirk::StrayBranchEnd).map_err(|kind| self.error(kind))?;
                self.advance(1);
                Ok(())
            }
            UNKNOWN_233 => {
                let [byte] = *self.payload(1, "an unknown code")? else { return Ok(()) };
                self.open_comment(|_, text| put_raw(UNKNOWN_233, &[byte], text));
                self.advance(2);
                Ok(())
            }
            SYMBOL | COMMENT | LONG_COMMENT => self.comment(code),
            _ => Err(self.error(ErrorKind::UnknownCode(code))),
        }
    }

    fn move_code(&mut self, code: u8) -> Result<(), Error> {
        if self.read_waiting()? {
            return Ok(());
        }
        self.close_comment()?;
        let before = match self.level.state {
            Waiting::ForMove => Some(self.board),
            _ => None,
        };
        let (m, size) = self.play(code)?;
        self.push(m, size);
        if before.is_some() {
            self.before = before;
            self.level.state = Waiting::ForComments;
            self.level.next_waiting = self.level.first_waiting;
        }
        if let Some(scratch) = &mut self.scratch {
            for (kind, symbol) in scratch.held.drain(..) {
                let nag = match kind {
                    DIAGRAM_AFTER => Some(DIAGRAM_NAG),
                    _ => crate::symbols::nag_of(symbol),
                };
                if let Some(nag) = nag {
                    self.game.push_nag(Nag(nag));
                }
            }
        }
        self.busy = self.level.state != Waiting::None;
        Ok(())
    }

    /// Plays the move of a code; returns it and the size of the code.
    fn play(&mut self, code: u8) -> Result<(Move, usize), Error> {
        let played = match code {
            0..CASTLE_LONG => self.step(code).map(|(m, remark)| (m, remark, 1)),
            CASTLE_LONG | CASTLE_SHORT => {
                let castled = self.board.castle(code == CASTLE_LONG);
                let (m, usual) = castled.map_err(|fault| self.error(fault.into()))?;
                if !usual {
                    self.note(Quirk::CastlingSquare).map_err(|kind| self.error(kind))?;
                }
                Ok((m, Remark::Plain, 1))
            }
            NULL_MOVE => {
                self.board.pass();
                Ok((Move::NULL, Remark::Plain, 1))
            }
            PROMOTION => {
                let [kind, becomes] = *self.payload(2, "a promotion")? else {
                    return Err(self.error(ErrorKind::Truncated("a promotion")));
                };
                self.promote(kind, becomes).map(|(m, remark)| (m, remark, 3))
            }
            _ => {
                let [step] = *self.payload(1, "an extended move")? else {
                    return Err(self.error(ErrorKind::Truncated("an extended move")));
                };
                let number = code.wrapping_sub(EXTENDED);
                let id = PieceId::new(self.board.turn(), number);
                if self.board.is_pawn(id) {
                    self.note(Quirk::PieceKind).map_err(|kind| self.error(kind))?;
                }
                let step = self.decoder.reading.extended(step);
                self.board.play(id, step).map(|(m, remark)| (m, remark, 2)).map_err(ErrorKind::from)
            }
        };
        let (m, remark, size) = played.map_err(|kind| self.error(kind))?;
        self.remark(remark).map_err(|kind| self.error(kind))?;
        Ok((m, size))
    }

    // chessassistant §8.3 "Promotion"
    #[allow(clippy::indexing_slicing, reason = "two bits are below 256, a colour is 0 or 1")]
    fn promote(&mut self, kind: u8, becomes: u8) -> Result<(Move, Remark), ErrorKind> {
        let side = self.board.turn();
        let pawn = PieceId::new(side, kind >> 2);
        let role = role_of(becomes >> 5).filter(|role| *role != Role::Pawn);
        let role = role.ok_or(ErrorKind::PromotionType(becomes >> 5))?;
        if !self.board.is_pawn(pawn) {
            self.note(Quirk::PieceKind)?;
        }
        // The four steps of pawn 0 are those of every pawn.
        let step = self.plain[usize::from(kind & 3)].steps[usize::from(side.is_black())];
        let (m, remark) = self.board.play(pawn, step)?;
        let number = match becomes & 31 {
            number @ 8..18 => number,
            _ => pawn.number(),
        };
        self.board.transform(pawn, number, role);
        Ok((Move::promoting(m.from(), m.to(), role), remark))
    }

    fn setup(&mut self) -> Result<(), Error> {
        let root = self.scratch.as_ref().is_none_or(|scratch| scratch.frames.is_empty());
        let late = self.level.last.is_some() || self.level.state != Waiting::None;
        if !root || late || self.game.setup().is_some() {
            return Err(self.error(ErrorKind::LateSetup));
        }
        let block = self.payload(SETUP_SIZE, "a start position")?;
        let (board, position) = decode_setup(block, self.here(), self.diagnostics)?;
        self.board = board;
        self.game.set_start(position);
        self.advance(SETUP_SIZE.saturating_add(1));
        Ok(())
    }

    /// The bytes after the current code.
    fn payload(&self, size: usize, what: &'static str) -> Result<&'a [u8], Error> {
        let start = self.level.cursor.saturating_add(1);
        let end = start.saturating_add(size).min(self.level.end);
        match self.codes.get(start..end) {
            Some(payload) if payload.len() == size => Ok(payload),
            _ => Err(self.error(ErrorKind::Truncated(what))),
        }
    }

    fn advance(&mut self, size: usize) {
        self.level.cursor = self.level.cursor.saturating_add(size);
    }

    /// Notes the first damage and ends the line it was met on.
    fn cut(&mut self, error: Error) {
        self.damage.get_or_insert(error);
        self.level.end = self.level.cursor;
        self.en_passant = false;
        self.busy = true;
    }

    fn place(&self, cursor: usize) -> Location {
        let offset = self.at.offset.unwrap_or(0).saturating_add(cursor as u64);
        self.at.at(offset)
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
    fn note(&mut self, quirk: Quirk) -> Result<(), ErrorKind> {
        let here = self.here();
        self.diagnostics.note(quirk, here).map_err(ErrorKind::Strict)
    }
}

/// Plays the move of a code, whose bytes these are, and describes it.
pub(crate) fn play_dumped(
    reading: Reading,
    bytes: &[u8],
    board: &mut Board,
) -> Result<String, ErrorKind> {
    let mut game = Game::new();
    let decoder = Decoder::new(Encoding::WINDOWS_1252, reading);
    let mut unheard = Diagnostics::lenient();
    let mut run = Run::new(&decoder, bytes, Location::default(), &mut game, &mut unheard);
    run.board = *board;
    let (m, _) =
        run.play(bytes.first().copied().unwrap_or_default()).map_err(|_| ErrorKind::Castling)?;
    *board = run.board;
    Ok(m.to_string())
}
