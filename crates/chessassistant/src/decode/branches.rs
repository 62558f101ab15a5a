//! Branches: deferred when they are met, read after the move that they replace.

use super::Run;
use super::scratch::{Branch, Frame, Level, Waiting};
use crate::codes::code_size;
use crate::error::{Error, ErrorKind};
use crate::layout::{BRANCH_BEGIN, BRANCH_END, MAX_DEPTH};
use crate::quirk::Quirk;

// chessassistant §7.3 "Branches"
impl Run<'_> {
    /// A branch begins: defers it until the move that it replaces has been played.
    pub(super) fn branch(&mut self) -> Result<(), Error> {
        if self.read_waiting()? {
            return Ok(());
        }
        self.close_comment()?;
        self.scan()?;
        let number = self.level.next_branch;
        let scratch = &mut *self.scratch;
        let Some(branch) = scratch.branches.get(number).copied() else {
            // The scan ended before this branch: nothing more can be read.
            self.level.end = self.level.cursor;
            return Ok(());
        };
        if self.level.state == Waiting::None {
            self.level.state = Waiting::ForMove;
        }
        scratch.waiting.push(number);
        self.level.next_branch = branch.next;
        self.level.cursor = branch.resume;
        self.busy = true;
        Ok(())
    }

    /// Finds the extents of all branches. If the codes become invalid or a branch does not end, the
    /// record is over.
    pub(super) fn scan(&mut self) -> Result<(), Error> {
        let scratch = &mut *self.scratch;
        if std::mem::replace(&mut scratch.scanned, true) {
            return Ok(());
        }
        // No branch is waiting yet, so this buffer serves as the stack of open branches.
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
                BRANCH_BEGIN if open.len() >= MAX_DEPTH => {
                    damage = Some(ErrorKind::TooDeep);
                    break;
                }
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
            self.diagnostics.note(Quirk::OpenBranch, place)?;
        }
        Ok(())
    }

    /// Enters the next branch that waits for the end of the comments on its move. Returns whether
    /// there is one. Deferred items resume where they stopped.
    pub(super) fn read_waiting(&mut self) -> Result<bool, Error> {
        let repeating = self.level.state == Waiting::Repeating;
        if self.level.state != Waiting::ForComments && !repeating {
            return Ok(false);
        }
        self.close_comment()?;
        let scratch = &mut *self.scratch;
        let next = scratch.waiting.get(self.level.next_waiting).copied();
        let Some((number, branch)) =
            next.and_then(|number| Some((number, scratch.branches.get(number).copied()?)))
        else {
            scratch.waiting.truncate(self.level.first_waiting);
            self.level.state = Waiting::None;
            self.level.varied = true;
            // Deferred symbols and the capture marker come only after this.
            self.busy = false;
            return Ok(false);
        };
        let before = if repeating { self.board } else { self.before };
        self.level.next_waiting = self.level.next_waiting.saturating_add(1);
        scratch.frames.push(Frame { level: self.level, board: self.board, before });
        let outer = self.level;
        self.board = before;
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

    /// The codes of the level are exhausted. Returns `false` at the end of the main line.
    pub(super) fn end_of_line(&mut self) -> Result<bool, Error> {
        self.close_comment()?;
        if self.read_waiting()? {
            return Ok(true);
        }
        self.spell_out_held()?;
        if self.level.state == Waiting::ForMove {
            self.adopt_waiting();
            self.note(Quirk::BranchWithoutMove)?;
            return Ok(true);
        }
        if std::mem::take(&mut self.en_passant) {
            self.note(Quirk::EnPassantMarker)?;
        }
        let Some(frame) = self.scratch.frames.pop() else { return Ok(false) };
        self.scratch.waiting.truncate(self.level.outer_waiting);
        self.game.end_variation().map_err(|error| self.line_error(error))?;
        self.level = frame.level;
        self.board = frame.board;
        self.before = frame.before;
        self.busy = true;
        Ok(true)
    }

    /// Branches without a move to replace. After a move they repeat it. On an empty line the first
    /// branch becomes the line, and the others replace its first move.
    // chessassistant §7.3 "Branches"
    pub(super) fn adopt_waiting(&mut self) {
        if self.level.last.is_some() {
            self.level.state = Waiting::Repeating;
            self.level.next_waiting = self.level.first_waiting;
            return;
        }
        let scratch = &mut *self.scratch;
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
}
