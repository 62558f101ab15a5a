//! Decodes the moves of a record to a tree. The inverse is in `encode`.

use chess_core::{CastlingSide, Color, Move, Piece, Position, Role};
use chess_store::{Diagnostics, Location, Walk};

use crate::board::{Board, StopReason};
use crate::error::{Error, ErrorKind};
use crate::fingerprint::{Line, Sought};
use crate::moves::mode::{Mode, ModeSteps};
use crate::moves::{codes, word};
use crate::quirk::Quirk;
use crate::tree::{ROOT, Tree};

/// The maximum number of open variations. Real games have a few dozen.
pub(crate) const MAX_BRANCHES: usize = 4096;

/// The maximum number of bytes decoded as plain steps in one batch. Room for their moves is
/// reserved up front, so large batches waste work in short lines.
const BATCH: usize = 160;

/// The size of the first batch when only the main line is visited. A few moves often suffice.
const FIRST_BATCH: usize = 4;

/// The meaning of a code.
enum Code {
    Played,
    End,
    /// There are no more bytes.
    Missing,
}

/// A position in a line.
#[derive(Clone, Copy, Debug)]
struct LinePosition {
    board: Board,
    node: u32,
    ply: u32,
}

/// Reusable buffers of the decoder.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    here: Option<LinePosition>,
    branches: Vec<LinePosition>,
}

/// Why decoding stops.
enum Stop {
    Error(Error),
    /// Castling needs a right that the start position lacks but could have had.
    Right(Color, CastlingSide),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// Decodes the moves of a record into a tree, up to the first damage.
///
/// If a game castles without the right, the right is added to the start position.
pub(crate) fn decode_moves(
    moves: &[u8],
    mode: Mode,
    start: &mut Position,
    tree: &mut Tree,
    memory: &mut Buffers,
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<(), Error> {
    loop {
        tree.clear();
        memory.branches.clear();
        let Buffers { here, branches } = memory;
        let here = here.insert(LinePosition { board: Board::new(start), node: ROOT, ply: 0 });
        let mut decoding = Decoding {
            moves,
            mode,
            start,
            here,
            branches,
            tree,
            diagnostics,
            at,
            offset: 0,
            count: 0,
        };
        let result = if mode.simple { decoding.words() } else { decoding.codes() };
        match result {
            Ok(()) => return Ok(()),
            Err(Stop::Error(error)) => return Err(error),
            // cbh §4.2 "Start position"
            Err(Stop::Right(color, side)) => {
                start.allow_castling_from_home(color, side);
                diagnostics.note(Quirk::CastlingRight, at)?;
            }
        }
    }
}

/// Visits the main line of a record without a start position of its own, until `each` returns
/// `false`.
///
/// Returns `false` if the record needs a full decode to find its main line. The other parameters
/// are buffers.
pub(crate) fn walk_moves(
    moves: &[u8],
    mode: Mode,
    tree: &mut Tree,
    memory: &mut Buffers,
    each: &mut Walk<'_>,
) -> bool {
    let mut position = Position::start();
    follow_moves(moves, mode, tree, memory, &mut |m| {
        let goes_on = each(&position, m);
        if let (true, Some(m)) = (goes_on, m) {
            position.apply(m);
        }
        goes_on
    })
}

/// Returns whether the main line of a record could reach a position that is sought. May return false
/// positives, never false negatives. The other parameters are buffers.
pub(crate) fn may_be_reached(
    sought: &Sought,
    moves: &[u8],
    mode: Mode,
    tree: &mut Tree,
    memory: &mut Buffers,
) -> bool {
    let is_sought = |line: &Line| sought.fingerprints().contains(&line.fingerprint());
    if is_sought(Line::start()) {
        return true;
    }
    let (mut line, mut found) = (*Line::start(), false);
    let conclusive = follow_moves(moves, mode, tree, memory, &mut |m| {
        let Some(m) = m else { return false };
        let before = line.fingerprint();
        line.play(m);
        found = is_sought(&line);
        !found && sought.is_possible_from(before, line.fingerprint())
    });
    found || !conclusive
}

/// Passes the moves of the main line to `each`, then `None`, until `each` returns `false`. Returns
/// `false` if the record needs a full decode to find its main line.
fn follow_moves(
    moves: &[u8],
    mode: Mode,
    tree: &mut Tree,
    memory: &mut Buffers,
    each: &mut impl FnMut(Option<Move>) -> bool,
) -> bool {
    if mode.simple {
        return false;
    }
    tree.clear();
    memory.branches.clear();
    let (start, at) = (Position::start(), Location::default());
    let (Buffers { here, branches }, diagnostics) = (memory, &mut Diagnostics::lenient());
    let here = here.insert(LinePosition { board: Board::new(&start), node: ROOT, ply: 0 });
    let start = &start;
    let (offset, count) = (0, 0);
    Decoding { moves, mode, start, here, branches, tree, diagnostics, at, offset, count }
        .follow(each)
}

struct Decoding<'a> {
    moves: &'a [u8],
    mode: Mode,
    start: &'a Position,
    here: &'a mut LinePosition,
    branches: &'a mut Vec<LinePosition>,
    tree: &'a mut Tree,
    diagnostics: &'a mut Diagnostics,
    at: Location,
    /// The offset of the current byte within the moves.
    offset: usize,
    /// The number of moves so far, modulo 256.
    count: u8,
}

impl Decoding<'_> {
    // cbh §4.4 "Codes of one byte"
    fn codes(&mut self) -> Result<(), Stop> {
        loop {
            while self.plain_moves(BATCH)? {}
            match self.code()? {
                Code::Played => {}
                Code::Missing => return Ok(self.note(Quirk::MissingEnd)?),
                Code::End => {
                    let Some(place) = self.branches.pop() else { break };
                    *self.here = place;
                    self.offset = self.offset.wrapping_add(1);
                }
            }
        }
        self.finish()
    }

    /// Decodes a code that is not a plain step.
    fn code(&mut self) -> Result<Code, Stop> {
        let Some(byte) = self.moves.get(self.offset).copied() else { return Ok(Code::Missing) };
        let code = self.translate(byte)?;
        match code {
            codes::NULL => self.push(Move::NULL),
            codes::CASTLE_SHORT => self.castle(CastlingSide::King)?,
            codes::CASTLE_LONG => self.castle(CastlingSide::Queen)?,
            codes::WORD => self.word()?,
            codes::BRANCH => self.branch()?,
            codes::END => return Ok(Code::End),
            _ if codes::step_of(code, self.here.board.turn()).is_some() => self.step(code)?,
            _ => self.note(Quirk::IgnoredCode)?,
        }
        self.offset = self.offset.wrapping_add(1);
        Ok(Code::Played)
    }

    /// Passes the moves of the main line, which ends with the first line, to `each` until it returns
    /// `false`.
    fn follow(&mut self, each: &mut impl FnMut(Option<Move>) -> bool) -> bool {
        let (mut shown, mut at_once) = (0, FIRST_BATCH);
        loop {
            let taken = self.plain_moves(at_once);
            at_once = BATCH.min(at_once.saturating_mul(2));
            let taken = match taken {
                Ok(true) => Ok(Code::Played),
                Ok(false) => self.code(),
                Err(stop) => Err(stop),
            };
            for m in self.tree.stored().get(shown..).unwrap_or_default() {
                if !each(Some(*m)) {
                    return true;
                }
                shown = shown.saturating_add(1);
            }
            match taken {
                Ok(Code::Played) => {}
                // If a variation starts at the end of this line, the main line continues there.
                Ok(Code::End) if self.branches.iter().any(|place| place.node == self.here.node) => {
                    return false;
                }
                Ok(Code::End | Code::Missing) => {
                    each(None);
                    return true;
                }
                Err(_) => return false,
            }
        }
    }

    // cbh §4.8 "Modes of words"
    fn words(&mut self) -> Result<(), Stop> {
        loop {
            let Some([high, low]) = self.moves.get(self.offset..).and_then(<[u8]>::first_chunk)
            else {
                let left = self.moves.len().saturating_sub(self.offset);
                return if left == 0 { Ok(()) } else { self.stop(ErrorKind::WordCut) };
            };
            let word = u16::from_be_bytes([self.translate(*high)?, self.translate(*low)?]);
            if word & word::BRANCH != 0 {
                self.branch()?;
            }
            match word & 0x0fff {
                0 => self.push(Move::NULL),
                _ => self.move_of(word)?,
            }
            self.offset = self.offset.wrapping_add(2);
            if word & word::LINE_END != 0 {
                let Some(place) = self.branches.pop() else { break };
                *self.here = place;
            }
        }
        self.offset = self.offset.wrapping_sub(1);
        self.finish()
    }

    /// Checks the bytes after the end of the game.
    // cbh §4.10 "Damage"
    fn finish(&mut self) -> Result<(), Stop> {
        self.offset = self.offset.wrapping_add(1);
        if self.offset < self.moves.len() {
            self.note(Quirk::EndRubbish)?;
        }
        Ok(())
    }

    #[inline]
    fn translate(&self, byte: u8) -> Result<u8, Stop> {
        match self.mode.decode(byte, self.count) {
            Some(code) => Ok(code),
            None => self.stop(ErrorKind::UnknownByte(byte, self.mode.number)),
        }
    }

    /// Plays the following plain steps, at most `most`. Returns whether there may be more.
    fn plain_moves(&mut self, most: usize) -> Result<bool, Stop> {
        let Some(steps) = self.mode.steps() else { return Ok(false) };
        let (rest, count) = (self.moves.get(self.offset..).unwrap_or_default(), self.count);
        let bytes = rest.get(..most).unwrap_or(rest);
        let LinePosition { board, node, ply } = &mut *self.here;
        let before = self.tree.moves();
        let (last, end) = self.tree.push_line(*node, bytes.len(), |moves| match steps {
            ModeSteps::Mode0Steps(steps) => board.play_steps(steps, bytes, count, moves),
            ModeSteps::TableSteps(steps) => board.play_steps(steps, bytes, count, moves),
        });
        let done = self.tree.moves().saturating_sub(before);
        *node = last;
        *ply = ply.wrapping_add(done);
        self.offset = self.offset.wrapping_add(done as usize);
        self.count = count.wrapping_add(u8::try_from(done & 0xff).unwrap_or(0));
        match end {
            None => Ok(bytes.len() < rest.len()),
            Some(StopReason::Unusual) => Ok(false),
            Some(StopReason::IntoCheck(m)) => self.stop(ErrorKind::IllegalMove(m)),
        }
    }

    /// Plays the step of a numbered piece, if it is legal.
    #[cold]
    fn step(&mut self, code: u8) -> Result<(), Stop> {
        let board = &self.here.board;
        let Some(step) = codes::step_of(code, board.turn()) else { return Ok(()) };
        let Some(from) = board.square(step.slot) else {
            return self.stop(ErrorKind::NoPiece(code));
        };
        let m = Move::new(from, step.target(from));
        let position = board.position();
        // A king step onto its own rook is not castling, which has separate codes.
        if position.color(position.turn()).contains(m.to()) || !position.is_legal(m) {
            return self.stop(ErrorKind::IllegalMove(m));
        }
        self.push(m);
        Ok(())
    }

    /// Plays a move if it is legal in `position`.
    fn play(&mut self, m: Move, position: &Position) -> Result<(), Stop> {
        if !position.is_legal(m) {
            return self.stop(ErrorKind::IllegalMove(m));
        }
        self.push(m);
        Ok(())
    }

    fn push(&mut self, m: Move) {
        let here = &mut *self.here;
        here.board.apply(m);
        here.node = self.tree.push(here.node, m);
        here.ply = here.ply.wrapping_add(1);
        self.count = self.count.wrapping_add(1);
    }

    fn castle(&mut self, side: CastlingSide) -> Result<(), Stop> {
        match self.here.board.castling(side) {
            Some((m, true)) => {
                self.push(m);
                Ok(())
            }
            Some((m, false)) => self.stop(ErrorKind::IllegalMove(m)),
            None => self.castle_without_right(side),
        }
    }

    #[cold]
    fn castle_without_right(&self, side: CastlingSide) -> Result<(), Stop> {
        let position = self.here.board.position();
        let color = position.turn();
        let Some(king) = position.king(color) else {
            return self.stop(ErrorKind::NoPiece(codes::CASTLE_SHORT));
        };
        let corner = side.corner(color);
        let stands = |position: &Position| {
            position.king(color) == Some(color.king_home())
                && position.piece_at(corner) == Some(Piece::new(Role::Rook, color))
        };
        if !self.mode.is_chess960()
            && stands(self.start)
            && stands(&position)
            && self.start.castling_rook(color, side).is_none()
        {
            return Err(Stop::Right(color, side));
        }
        self.stop(ErrorKind::IllegalMove(Move::new(king, corner)))
    }

    /// Decodes the two-byte word after its code.
    // cbh §4.6 "Words of two bytes"
    fn word(&mut self) -> Result<(), Stop> {
        let start = self.offset.wrapping_add(1);
        let Some([high, low]) = self.moves.get(start..).and_then(<[u8]>::first_chunk) else {
            return self.stop(ErrorKind::WordCut);
        };
        let word = u16::from_be_bytes([self.translate(*high)?, self.translate(*low)?]);
        self.move_of(word)?;
        self.offset = self.offset.wrapping_add(2);
        Ok(())
    }

    fn move_of(&mut self, word: u16) -> Result<(), Stop> {
        let position = self.here.board.position();
        let chess960 = self.mode.is_chess960();
        let Some(m) = word::decode(word, &position, chess960) else {
            let (from, to, _) = word::parse(word);
            return self.stop(ErrorKind::IllegalMove(Move::new(from, to)));
        };
        if let Some(side) = position.castling_side(m)
            && !position.is_legal(m)
            && !chess960
        {
            return self.castle(side);
        }
        if m.promotion().is_none() && word & 0x3000 != 0 {
            self.note(Quirk::ExtraBits)?;
        }
        self.play(m, &position)
    }

    // cbh §4.7 "Order of moves"
    fn branch(&mut self) -> Result<(), Stop> {
        if self.branches.len() >= MAX_BRANCHES {
            return self.stop(ErrorKind::TooDeep(MAX_BRANCHES));
        }
        self.branches.push(*self.here);
        Ok(())
    }

    #[cold]
    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        let at = self.place();
        Ok(self.diagnostics.note(quirk, at)?)
    }

    #[cold]
    fn stop<T>(&self, kind: ErrorKind) -> Result<T, Stop> {
        Err(Stop::Error(kind.at(self.place())))
    }

    #[cold]
    fn place(&self) -> Location {
        let start = self.at.offset.unwrap_or(0);
        self.at.at(start.saturating_add(self.offset as u64)).after_ply(self.here.ply)
    }
}
