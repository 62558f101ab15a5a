//! A record of the D02 to a game; the mirror image is `encode`.
//!
//! In a record a branch stands before the move it replaces, in a [`Game`] after it. So a branch is
//! skipped when it is met and read when its move has been played, from the position before that
//! move. Where branches begin and end is looked up once, when the first is met. Nothing recurses.

use std::sync::Mutex;

use chess_core::{Diagnostics, Encoding, Game, LineError, Location, Move, Nag, Role};

use crate::board::{Board, PieceId, Remark, role_of};
use crate::charset::Charset;
use crate::comment::{Meaning, meaning, put_eval, put_raw};
use crate::description::unpadded;
use crate::error::{Error, ErrorKind, strict};
use crate::layout::{
    BRANCH_BEGIN, BRANCH_END, CASTLE_LONG, CASTLE_SHORT, COMMENT, DIAGRAM_AFTER, DIAGRAM_NAG,
    EN_PASSANT, EXTENDED, EXTENDED_LAST, LONG_COMMENT, NULL_MOVE, PLAIN, PLAIN_MIRRORED, PROMOTION,
    Plain, SETUP, SETUP_SIZE, SYMBOL, SYMBOL_AFTER, SYMBOL_BEFORE, UNKNOWN_233, mirrored,
};
use crate::quirk::Quirk;
use crate::setup::decode_setup;

/// How the one contradiction of the description is read: do the files of a step count towards h,
/// as its squares and its extended moves do, or towards a, as its move notation says?
// chessassistant §11 "Self-check"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reading {
    /// All steps count towards h.
    #[default]
    Right,
    /// Plain moves count towards a, extended moves towards h: the description to the letter.
    Literal,
    /// All steps count towards a.
    Left,
}

impl Reading {
    /// All readings, the likeliest first.
    pub const ALL: [Reading; 3] = [Reading::Right, Reading::Literal, Reading::Left];

    /// Name of the reading, as the option `reading` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reading::Right => "right",
            Reading::Literal => "literal",
            Reading::Left => "left",
        }
    }

    /// Plays the move of a code, whose bytes these are, and describes it.
    pub(crate) fn play_dumped(self, bytes: &[u8], board: &mut Board) -> Result<String, ErrorKind> {
        let mut game = Game::new();
        let decoder = Decoder::new(Encoding::WINDOWS_1252, self);
        let mut unheard = Diagnostics::lenient();
        let mut run = Run::new(&decoder, bytes, Location::default(), &mut game, &mut unheard);
        run.board = *board;
        let (m, _) = run
            .play(bytes.first().copied().unwrap_or_default())
            .map_err(|_| ErrorKind::Castling)?;
        *board = run.board;
        Ok(m.to_string())
    }

    fn plain(self) -> &'static [Plain; 256] {
        match self {
            Reading::Right => &PLAIN,
            Reading::Literal | Reading::Left => &PLAIN_MIRRORED,
        }
    }

    fn extended(self, step: u8) -> u8 {
        match self {
            Reading::Right | Reading::Literal => step & 0x77,
            Reading::Left => mirrored(step & 0x77),
        }
    }
}

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

    /// A branch begins: put it aside until the move it replaces has been played.
    fn branch(&mut self) -> Result<(), Error> {
        if self.read_waiting()? {
            return Ok(());
        }
        self.close_comment()?;
        self.scan()?;
        let number = self.level.next_branch;
        let scratch = self.scratch.get_or_insert_with(|| self.decoder.scratch());
        let Some(branch) = scratch.branches.get(number).copied() else {
            // The scan ended before: nothing more can be read.
            self.level.end = self.level.cursor;
            return Ok(());
        };
        if self.level.state == Waiting::None {
            self.level.first_waiting = scratch.waiting.len();
            self.level.state = Waiting::ForMove;
        }
        scratch.waiting.push(number);
        self.level.next_branch = branch.next;
        self.level.cursor = branch.resume;
        self.busy = true;
        Ok(())
    }

    /// Notes where all branches begin and end. Where the codes stop making sense, or a branch has
    /// no end, the record is over.
    fn scan(&mut self) -> Result<(), Error> {
        let scratch = self.scratch.get_or_insert_with(|| self.decoder.scratch());
        if std::mem::replace(&mut scratch.scanned, true) {
            return Ok(());
        }
        // Nothing waits yet: its memory serves as the stack of open branches.
        let mut open = std::mem::take(&mut scratch.waiting);
        let mut at = self.level.cursor;
        let mut damage = None;
        while let Some(code) = self.codes.get(at).copied() {
            let size = match code_size(self.codes.get(at..).unwrap_or_default()) {
                Ok(size) => size,
                Err(kind) => {
                    damage = Some(kind);
                    break;
                }
            };
            let next = at.saturating_add(size);
            match code {
                BRANCH_BEGIN => {
                    open.push(scratch.branches.len());
                    let end = usize::MAX;
                    scratch.branches.push(Branch { begin: next, end, resume: end, next: 0 });
                }
                BRANCH_END => {
                    let count = scratch.branches.len();
                    if let Some(branch) =
                        open.pop().and_then(|number| scratch.branches.get_mut(number))
                    {
                        *branch = Branch { end: at, resume: next, next: count, ..*branch };
                    }
                }
                _ => {}
            }
            at = next;
        }
        let count = scratch.branches.len();
        let unclosed = !open.is_empty();
        for number in open.drain(..) {
            if let Some(branch) = scratch.branches.get_mut(number) {
                *branch = Branch { end: at, resume: at, next: count, ..*branch };
            }
        }
        scratch.waiting = open;
        self.level.end = at;
        let place = self.place(at);
        if let Some(kind) = damage {
            self.damage.get_or_insert(Error::new(kind, place));
        } else if unclosed {
            self.diagnostics.note(Quirk::OpenBranch, place).map_err(strict)?;
        }
        Ok(())
    }

    /// Reads the next branch that waits for the end of the comments on its move, if there is one:
    /// enters it and says so. What waits is then taken up again where it was left.
    fn read_waiting(&mut self) -> Result<bool, Error> {
        let repeating = self.level.state == Waiting::Repeating;
        if self.level.state != Waiting::ForComments && !repeating {
            return Ok(false);
        }
        self.close_comment()?;
        let scratch = self.scratch.get_or_insert_with(|| self.decoder.scratch());
        let next = scratch.waiting.get(self.level.next_waiting).copied();
        let Some((number, branch)) =
            next.and_then(|number| Some((number, scratch.branches.get(number).copied()?)))
        else {
            scratch.waiting.truncate(self.level.first_waiting);
            self.level.state = Waiting::None;
            self.level.varied = true;
            self.before = None;
            self.busy = scratch.comment_open || !scratch.held.is_empty() || self.en_passant;
            return Ok(false);
        };
        let before = if repeating { self.board } else { self.before.unwrap_or(self.board) };
        self.level.next_waiting = self.level.next_waiting.saturating_add(1);
        scratch.frames.push(Frame { level: self.level, board: self.board, before });
        let outer = self.level;
        self.board = before;
        self.before = None;
        self.level = Level {
            ply: outer.ply.saturating_sub(1),
            next_branch: number.saturating_add(1),
            first_waiting: scratch.waiting.len(),
            next_waiting: scratch.waiting.len(),
            outer_waiting: scratch.waiting.len(),
            ..Level::new(branch.begin, branch.end)
        };
        // The level has a move, so this cannot fail.
        self.game.start_variation().map_err(|error| self.line_error(error))?;
        if repeating && let Some(last) = outer.last {
            self.game.push_move(last);
            self.level.last = Some(last);
            self.level.ply = outer.ply;
        }
        Ok(true)
    }

    /// The codes of the level are used up. `false` when that was the main line.
    fn end_of_line(&mut self) -> Result<bool, Error> {
        self.close_comment()?;
        if self.read_waiting()? {
            return Ok(true);
        }
        self.spell_out_held()?;
        if self.level.state == Waiting::ForMove {
            self.adopt_waiting();
            self.note(Quirk::BranchWithoutMove).map_err(|kind| self.error(kind))?;
            return Ok(true);
        }
        if std::mem::take(&mut self.en_passant) {
            self.note(Quirk::EnPassantMarker).map_err(|kind| self.error(kind))?;
        }
        let Some(scratch) = &mut self.scratch else { return Ok(false) };
        let Some(frame) = scratch.frames.pop() else { return Ok(false) };
        scratch.waiting.truncate(self.level.outer_waiting);
        self.game.end_variation().map_err(|error| self.line_error(error))?;
        self.level = frame.level;
        self.board = frame.board;
        self.before = Some(frame.before);
        self.busy = true;
        Ok(true)
    }

    /// Branches without a move to replace: after a move they repeat it; on an empty line the first
    /// becomes the line, and the others replace its first move.
    // chessassistant §7.3 "Branches"
    fn adopt_waiting(&mut self) {
        if self.level.last.is_some() {
            self.level.state = Waiting::Repeating;
            self.level.next_waiting = self.level.first_waiting;
            return;
        }
        let scratch = self.scratch.get_or_insert_with(|| self.decoder.scratch());
        let first = scratch.waiting.get(self.level.first_waiting).copied();
        self.level.first_waiting = self.level.first_waiting.saturating_add(1);
        if scratch.waiting.len() <= self.level.first_waiting {
            self.level.state = Waiting::None;
        }
        if let Some(number) = first
            && let Some(branch) = scratch.branches.get(number)
        {
            self.level.cursor = branch.begin;
            self.level.end = branch.end;
            self.level.next_branch = number.saturating_add(1);
        }
    }

    fn comment(&mut self, code: u8) -> Result<(), Error> {
        let rest = self.codes.get(self.level.cursor..self.level.end).unwrap_or_default();
        let size = code_size(rest).map_err(|kind| self.error(kind))?;
        let content = rest.get(container_size(code)..size).unwrap_or_default();
        let Some((kind, content)) = content.split_first() else {
            self.note(Quirk::EmptyComment).map_err(|kind| self.error(kind))?;
            self.advance(size);
            return Ok(());
        };
        let meaning = meaning(*kind, content);
        let waits = matches!(
            meaning,
            Meaning::Text { before: true, .. } | Meaning::Symbol { before: true, .. }
        );
        if waits && self.read_waiting()? {
            return Ok(());
        }
        match meaning {
            Meaning::Text { text, .. } => {
                self.open_comment(|charset, out| charset.decode_into(unpadded(text), out));
                self.close_comment()?;
            }
            Meaning::Eval { centipawns, cap } => {
                self.open_comment(|_, out| put_eval(centipawns, cap, out));
            }
            Meaning::Symbol { nag, before: false } if self.level.last.is_some() => self.nag(nag)?,
            Meaning::Diagram { before: false } if self.level.last.is_some() => {
                self.nag(DIAGRAM_NAG)?;
            }
            Meaning::Diagram { before: true }
                if self.level.last.is_some() && !self.level.varied =>
            {
                self.nag(DIAGRAM_NAG)?;
            }
            Meaning::Symbol { before: true, .. } => self.hold(*kind, content),
            // At the start of a branch a symbol is for its first move.
            Meaning::Symbol { .. } | Meaning::Diagram { before: false } if !self.is_root() => {
                self.hold(*kind, content);
            }
            _ => self.open_comment(|_, out| put_raw(*kind, content, out)),
        }
        self.advance(size);
        Ok(())
    }

    fn is_root(&self) -> bool {
        self.scratch.as_ref().is_none_or(|scratch| scratch.frames.is_empty())
    }

    fn nag(&mut self, nag: u16) -> Result<(), Error> {
        self.close_comment()?;
        self.game.push_nag(Nag(nag));
        Ok(())
    }

    fn hold(&mut self, kind: u8, content: &[u8]) {
        let scratch = self.scratch.get_or_insert_with(|| self.decoder.scratch());
        scratch.held.push((kind, content.first().copied().unwrap_or(0)));
        self.busy = true;
    }

    /// Symbols for a move that never came become raw tags.
    fn spell_out_held(&mut self) -> Result<(), Error> {
        let Some(scratch) = &mut self.scratch else { return Ok(()) };
        if scratch.held.is_empty() {
            return Ok(());
        }
        let mut held = std::mem::take(&mut scratch.held);
        for (kind, symbol) in held.drain(..) {
            let content: &[u8] = match kind {
                SYMBOL_AFTER | SYMBOL_BEFORE => &[symbol],
                _ => &[],
            };
            self.open_comment(|_, out| put_raw(kind, content, out));
        }
        if let Some(scratch) = &mut self.scratch {
            scratch.held = held;
        }
        self.close_comment()
    }

    /// Adds to the open comment, or opens one.
    fn open_comment(&mut self, add: impl FnOnce(&Charset, &mut String)) {
        let scratch = self.scratch.get_or_insert_with(|| self.decoder.scratch());
        if scratch.comment_open {
            scratch.comment.push(' ');
        }
        scratch.comment_open = true;
        add(&self.decoder.charset, &mut scratch.comment);
        self.busy = true;
    }

    fn close_comment(&mut self) -> Result<(), Error> {
        let Some(scratch) = self.scratch.as_mut().filter(|scratch| scratch.comment_open) else {
            return Ok(());
        };
        scratch.comment_open = false;
        let pushed = self.game.push_comment(&scratch.comment);
        scratch.comment.clear();
        self.busy =
            self.level.state != Waiting::None || !scratch.held.is_empty() || self.en_passant;
        pushed.map_err(|error| self.line_error(error))
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

/// How many bytes stand before the content of a comment: its code and its length.
pub(crate) fn container_size(code: u8) -> usize {
    match code {
        SYMBOL => 1,
        COMMENT => 2,
        _ => 5,
    }
}

/// The size of the first code of these, its payload included.
// chessassistant §7.2 "Codes"
pub(crate) fn code_size(codes: &[u8]) -> Result<usize, ErrorKind> {
    let Some(code) = codes.first().copied() else { return Ok(0) };
    let (size, what) = match code {
        0..PROMOTION | EN_PASSANT | NULL_MOVE | BRANCH_BEGIN | BRANCH_END => return Ok(1),
        PROMOTION => (3, "a promotion"),
        EXTENDED..=EXTENDED_LAST => (2, "an extended move"),
        SETUP => (SETUP_SIZE.saturating_add(1), "a start position"),
        UNKNOWN_233 => (2, "an unknown code"),
        SYMBOL => (3, "a symbol"),
        COMMENT => {
            let length = codes.get(1).copied().ok_or(ErrorKind::Truncated("a comment"))?;
            (usize::from(length).saturating_add(2), "a comment")
        }
        LONG_COMMENT => {
            let length = codes.get(1..).and_then(|rest| rest.first_chunk());
            let length = length.copied().ok_or(ErrorKind::Truncated("a comment"))?;
            let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
            (length.saturating_add(5), "a comment")
        }
        _ => return Err(ErrorKind::UnknownCode(code)),
    };
    if size <= codes.len() { Ok(size) } else { Err(ErrorKind::Truncated(what)) }
}
