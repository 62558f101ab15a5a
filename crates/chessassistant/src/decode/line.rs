//! Walks the main line alone while nothing about it is unusual.

use chess_core::{Game, Move};
use chess_store::{Diagnostics, Location, Walk, walk_along};

use super::{Dialect, Run, Scratch};
use crate::codes::code_size;
use crate::layout::{
    BRANCH_BEGIN, BRANCH_END, COMMENT, EN_PASSANT, EXTENDED, EXTENDED_LAST, LONG_COMMENT,
    MAX_DEPTH, NULL_MOVE, SYMBOL, UNKNOWN_233,
};

/// Iterator over the moves of a record's main line.
pub(crate) struct MainLine<'a> {
    run: Run<'a>,
    moved: bool,
    branched: bool,
}

/// Only decoding the record can show the rest: damage, a custom start position, or a branch that
/// continues the line.
struct Doubt;

impl<'a> MainLine<'a> {
    /// The codes of a record. The other fields are buffers.
    pub(crate) fn new(
        dialect: &'a Dialect,
        scratch: &'a mut Scratch,
        codes: &'a [u8],
        game: &'a mut Game,
        diagnostics: &'a mut Diagnostics,
    ) -> MainLine<'a> {
        let run = Run::new(dialect, scratch, codes, Location::default(), game, diagnostics);
        MainLine { run, moved: false, branched: false }
    }

    /// Walks from the usual start position while `each` returns `true`. Returns `false` if in
    /// doubt.
    pub(crate) fn walk(mut self, each: &mut Walk<'_>) -> bool {
        walk_along(|_| self.next(), each)
    }

    /// The next move; `None` at the end.
    #[inline]
    fn next(&mut self) -> Result<Option<Move>, Doubt> {
        let run = &mut self.run;
        while let Some(code) = run.codes.get(run.level.cursor).copied() {
            match code {
                EN_PASSANT => {
                    run.en_passant = true;
                    run.advance(1);
                }
                0..=NULL_MOVE | EXTENDED..=EXTENDED_LAST => {
                    let (m, size) = run.play(code).map_err(|_| Doubt)?;
                    run.advance(size);
                    self.moved = true;
                    return Ok(Some(m));
                }
                BRANCH_BEGIN => {
                    self.branched = true;
                    run.skip_branch()?;
                }
                BRANCH_END | SYMBOL | COMMENT | LONG_COMMENT | UNKNOWN_233 => run.skip_code()?,
                _ => return Err(Doubt),
            }
        }
        if self.branched && !self.moved { Err(Doubt) } else { Ok(None) }
    }
}

impl Run<'_> {
    fn skip_code(&mut self) -> Result<(), Doubt> {
        let rest = self.codes.get(self.level.cursor..).unwrap_or_default();
        let size = code_size(rest).ok().filter(|size| *size > 0).ok_or(Doubt)?;
        self.advance(size);
        Ok(())
    }

    fn skip_branch(&mut self) -> Result<(), Doubt> {
        let mut depth = 0usize;
        loop {
            match self.codes.get(self.level.cursor) {
                Some(&BRANCH_BEGIN) => depth = depth.saturating_add(1),
                Some(&BRANCH_END) => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.skip_code()?;
            if depth == 0 {
                return Ok(());
            }
            if depth > MAX_DEPTH {
                return Err(Doubt);
            }
        }
    }
}
