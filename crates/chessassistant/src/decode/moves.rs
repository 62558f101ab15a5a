//! Moves: from their codes to the board and the game.

use chess_core::{Move, Nag, Role};

use super::{Run, Waiting};
use crate::board::{Fault, PieceId, Remark, role_of};
use crate::error::{Error, ErrorKind};
use crate::layout::{
    CASTLE_LONG, CASTLE_SHORT, DIAGRAM_AFTER, DIAGRAM_NAG, EXTENDED, NULL_MOVE, PROMOTION,
};
use crate::quirk::Quirk;

// chessassistant §8 "Moves"
impl Run<'_> {
    /// Plays plain moves until another code comes. These are nearly all codes of every game.
    pub(super) fn plain_moves(&mut self) -> Result<(), Error> {
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
    fn step(&mut self, code: u8) -> Result<(Move, Remark), Error> {
        let plain = self.plain[usize::from(code)];
        let side = self.board.turn();
        let id = PieceId::new(side, plain.number);
        if plain.number < 8 && !self.board.is_pawn(id) {
            self.note(Quirk::PieceKind)?;
        }
        let played = self.board.play(id, plain.steps[usize::from(side.is_black())]);
        played.map_err(|fault| self.fault(fault))
    }

    #[inline]
    fn push(&mut self, m: Move, size: usize) {
        self.game.push_move(m);
        self.level.last = Some(m);
        self.level.varied = false;
        self.level.ply = self.level.ply.saturating_add(1);
        self.level.cursor = self.level.cursor.saturating_add(size);
    }

    fn remark(&mut self, remark: Remark) -> Result<(), Error> {
        let marked = std::mem::take(&mut self.en_passant);
        if remark == Remark::OwnPieceTaken {
            self.note(Quirk::OwnPieceTaken)?;
        }
        if marked != (remark == Remark::EnPassant) {
            self.note(Quirk::EnPassantMarker)?;
        }
        Ok(())
    }

    pub(super) fn move_code(&mut self, code: u8) -> Result<(), Error> {
        if self.read_waiting()? {
            return Ok(());
        }
        self.close_comment()?;
        let before = self.board;
        let (m, size) = self.play(code)?;
        self.push(m, size);
        if self.level.state == Waiting::ForMove {
            self.before = before;
            self.level.state = Waiting::ForComments;
            self.level.next_waiting = self.level.first_waiting;
        }
        for (kind, symbol) in self.scratch.held.drain(..) {
            let nag = match kind {
                DIAGRAM_AFTER => Some(DIAGRAM_NAG),
                _ => crate::symbols::nag_of(symbol),
            };
            if let Some(nag) = nag {
                self.game.push_nag(Nag(nag));
            }
        }
        self.busy = self.level.state != Waiting::None;
        Ok(())
    }

    /// Plays the move of a code. Returns it and the size of the code.
    pub(super) fn play(&mut self, code: u8) -> Result<(Move, usize), Error> {
        let ((m, remark), size) = match code {
            0..CASTLE_LONG => (self.step(code)?, 1),
            CASTLE_LONG | CASTLE_SHORT => {
                let castled = self.board.castle(code == CASTLE_LONG);
                let (m, usual) = castled.map_err(|fault| self.fault(fault))?;
                if !usual {
                    self.note(Quirk::CastlingSquare)?;
                }
                ((m, Remark::Plain), 1)
            }
            NULL_MOVE => {
                self.board.pass();
                ((Move::NULL, Remark::Plain), 1)
            }
            PROMOTION => (self.promote()?, 3),
            _ => (self.extended_move(code)?, 2),
        };
        self.remark(remark)?;
        Ok((m, size))
    }

    fn extended_move(&mut self, code: u8) -> Result<(Move, Remark), Error> {
        let [step] = *self.payload("an extended move")?;
        let id = PieceId::new(self.board.turn(), code.wrapping_sub(EXTENDED));
        if self.board.is_pawn(id) {
            self.note(Quirk::PieceKind)?;
        }
        let played = self.board.play(id, self.dialect.reading.extended(step));
        played.map_err(|fault| self.fault(fault))
    }

    // chessassistant §8.3 "Promotion"
    #[allow(clippy::indexing_slicing, reason = "two bits are below 256, a colour is 0 or 1")]
    fn promote(&mut self) -> Result<(Move, Remark), Error> {
        let [kind, becomes] = *self.payload("a promotion")?;
        let side = self.board.turn();
        let pawn = PieceId::new(side, kind >> 2);
        let role = role_of(becomes >> 5).filter(|role| *role != Role::Pawn);
        let role = role.ok_or_else(|| self.error(ErrorKind::PromotionType(becomes >> 5)))?;
        if !self.board.is_pawn(pawn) {
            self.note(Quirk::PieceKind)?;
        }
        // Every pawn has the four steps of pawn 0.
        let step = self.plain[usize::from(kind & 3)].steps[usize::from(side.is_black())];
        let (m, remark) = self.board.play(pawn, step).map_err(|fault| self.fault(fault))?;
        let number = match becomes & 31 {
            number @ 8..18 => number,
            _ => pawn.number(),
        };
        self.board.transform(pawn, number, role);
        Ok((Move::promoting(m.from(), m.to(), role), remark))
    }

    #[cold]
    fn fault(&self, fault: Fault) -> Error {
        self.error(fault.into())
    }
}
