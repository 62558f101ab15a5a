//! The moves of a record to a tree; the mirror image is `encode`.

use chess_core::{CastlingSide, Color, Move, Piece, Position, Role, Square};
use chess_store::{Diagnostics, Location};

use crate::error::{Error, ErrorKind};
use crate::moves::mode::Mode;
use crate::moves::numbers::{Numbers, Slot};
use crate::moves::{codes, word};
use crate::quirk::Quirk;
use crate::tree::{ROOT, Tree};

/// Positions to come back to at once; games have a few dozen.
pub(crate) const MOST_BRANCHES: usize = 4096;

/// Where a line has come to.
#[derive(Clone, Debug)]
struct Board {
    position: Position,
    numbers: Numbers,
    node: u32,
    ply: u32,
}

/// What reading moves reuses.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    branches: Vec<Board>,
}

/// Why decoding stops.
enum Stop {
    Error(Error),
    /// A side castles without a right that the start position could have given it.
    Right(Color, CastlingSide),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// Reads the moves of a record into a tree, as far as they make sense. Gives the start position a
/// castling right it lacks and the moves need.
pub(crate) fn decode_moves(
    moves: &[u8],
    mode: Mode,
    start: &mut Position,
    tree: &mut Tree,
    memory: &mut Memory,
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<(), Error> {
    loop {
        tree.clear();
        memory.branches.clear();
        let board = Board { position: *start, numbers: Numbers::new(start), node: ROOT, ply: 0 };
        let branches = &mut memory.branches;
        let mut decoding = Decoding {
            moves,
            mode,
            start,
            board,
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

struct Decoding<'a> {
    moves: &'a [u8],
    mode: Mode,
    start: &'a Position,
    board: Board,
    branches: &'a mut Vec<Board>,
    tree: &'a mut Tree,
    diagnostics: &'a mut Diagnostics,
    at: Location,
    /// The byte that is read, from the start of the moves.
    offset: usize,
    /// Moves so far, as the modes count them.
    count: u8,
}

impl Decoding<'_> {
    // cbh §4.4 "Codes of one byte"
    fn codes(&mut self) -> Result<(), Stop> {
        loop {
            let Some(byte) = self.moves.get(self.offset).copied() else {
                return Ok(self.note(Quirk::MissingEnd)?);
            };
            let code = self.translate(byte)?;
            if let Some(step) = codes::step_of(code, self.board.position.turn()) {
                let from = self.board.numbers.square(self.board.position.turn(), step.slot);
                let Some(from) = from else { return self.stop(ErrorKind::NoPiece(code)) };
                self.step(step.slot, from, step.target(from))?;
                self.offset = self.offset.wrapping_add(1);
                continue;
            }
            match code {
                codes::NULL => self.push(Move::NULL),
                codes::CASTLE_SHORT => self.castle(CastlingSide::King)?,
                codes::CASTLE_LONG => self.castle(CastlingSide::Queen)?,
                codes::WORD => self.word()?,
                codes::BRANCH => self.branch()?,
                codes::END => {
                    let Some(board) = self.branches.pop() else { break };
                    self.board = board;
                }
                _ => self.note(Quirk::IgnoredCode)?,
            }
            self.offset = self.offset.wrapping_add(1);
        }
        self.finish()
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
                let Some(board) = self.branches.pop() else { break };
                self.board = board;
            }
        }
        self.offset = self.offset.wrapping_sub(1);
        self.finish()
    }

    /// After the end of the game.
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

    /// Plays the step of a numbered piece, if the rules allow it.
    #[inline]
    fn step(&mut self, slot: Slot, from: Square, to: Square) -> Result<(), Stop> {
        let m = Move::new(from, to);
        let position = &self.board.position;
        let role = slot.role();
        // Which kind of piece it is, nobody can foresee: one question for all of them. A king that
        // steps onto its own rook does not castle, which has codes of its own.
        let fits = position.movers(role, to).contains(from)
            & !((role == Role::Pawn) & matches!(to.rank(), 0 | 7));
        if !fits || !position.leaves_king_safe(m) {
            return self.stop(ErrorKind::IllegalMove(m));
        }
        self.board.numbers.step(slot, from, to, position);
        self.record(m);
        Ok(())
    }

    /// Plays a move that the rules allow.
    #[inline]
    fn play(&mut self, m: Move) -> Result<(), Stop> {
        if !self.board.position.is_legal(m) {
            return self.stop(ErrorKind::IllegalMove(m));
        }
        self.push(m);
        Ok(())
    }

    #[inline]
    fn push(&mut self, m: Move) {
        self.board.numbers.apply(m, &self.board.position);
        self.record(m);
    }

    /// Appends a move whose numbers are followed already.
    #[inline]
    fn record(&mut self, m: Move) {
        self.board.position.apply_unforeseen(m);
        self.board.node = self.tree.push(self.board.node, m);
        self.board.ply = self.board.ply.wrapping_add(1);
        self.count = self.count.wrapping_add(1);
    }

    fn castle(&mut self, side: CastlingSide) -> Result<(), Stop> {
        let color = self.board.position.turn();
        let rook = self.board.position.castling_rook(color, side);
        let Some(king) = self.board.position.king(color) else {
            return self.stop(ErrorKind::NoPiece(codes::CASTLE_SHORT));
        };
        if let Some(rook) = rook {
            return self.play(Move::new(king, rook));
        }
        let corner = side.corner(color);
        let stands = |position: &Position| {
            position.king(color) == Some(color.king_home())
                && position.piece_at(corner) == Some(Piece::new(Role::Rook, color))
        };
        if !self.mode.is_chess960()
            && stands(self.start)
            && stands(&self.board.position)
            && self.start.castling_rook(color, side).is_none()
        {
            return Err(Stop::Right(color, side));
        }
        self.stop(ErrorKind::IllegalMove(Move::new(king, corner)))
    }

    /// A move of two bytes after its code.
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
        let position = &self.board.position;
        let chess960 = self.mode.is_chess960();
        let Some(m) = word::decode(word, position, chess960) else {
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
        self.play(m)
    }

    // cbh §4.7 "Order of moves"
    fn branch(&mut self) -> Result<(), Stop> {
        if self.branches.len() >= MOST_BRANCHES {
            return self.stop(ErrorKind::TooDeep(MOST_BRANCHES));
        }
        self.branches.push(self.board.clone());
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
        self.at.at(start.saturating_add(self.offset as u64)).after_ply(self.board.ply)
    }
}
