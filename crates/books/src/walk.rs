//! The walk through a book that is looked up by position.

use std::collections::HashSet;
use std::ops::ControlFlow;

use chess_core::{Position, zobrist};
use chess_store::{Diagnostics, Location};

use crate::book::{BookMove, Summary, Visited, WalkOptions};
use crate::error::Error;
use crate::quirk::Quirk;

/// The result of a look-up.
#[derive(Clone, Copy, Default)]
pub(crate) struct Found {
    /// Whether the book has the position.
    pub(crate) is_known: bool,
    /// The number of its moves that are not legal.
    pub(crate) illegal: u64,
}

/// A book that is looked up by position.
pub(crate) trait LookUp {
    /// Whether a position of a one-sided book is followed by positions of the book, although it has
    /// no moves itself.
    const HAS_GAPS: bool;

    /// Returns whether the book has a position.
    fn has(&self, position: &Position) -> Result<bool, Error>;

    /// Appends the legal moves of a position to `out`.
    fn look_up(
        &self,
        position: &Position,
        out: &mut Vec<BookMove>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Found, Error>;
}

/// Walks breadth first, so that a limit of plies holds for the shortest way to a position. Counts
/// the positions and the illegal moves in `summary`.
// books §1.2 "Walks"
pub(crate) fn walk<B: LookUp>(
    book: &B,
    options: WalkOptions,
    visit: &mut dyn FnMut(Visited<'_>) -> ControlFlow<()>,
    diagnostics: &mut Diagnostics,
    summary: &mut Summary,
) -> Result<(), Error> {
    let start = Position::start();
    let mut known = HashSet::from([zobrist(&start)]);
    let (mut layer, mut next) = (vec![start], Vec::new());
    let mut moves = Vec::new();
    let mut ply = 0u32;
    while !layer.is_empty() {
        for position in &layer {
            moves.clear();
            let found = book.look_up(position, &mut moves, diagnostics)?;
            summary.illegal = summary.illegal.saturating_add(found.illegal);
            if found.is_known {
                summary.reached = summary.reached.saturating_add(1);
                if visit(Visited { position, ply, moves: &moves }).is_break() {
                    return Ok(());
                }
            }
            if ply >= options.max_ply {
                continue;
            }
            let is_gap = B::HAS_GAPS && !found.is_known;
            let replies = if is_gap { position.legal_moves() } else { Default::default() };
            for m in moves.iter().map(|entry| entry.m).chain(replies) {
                let mut after = *position;
                after.apply(m);
                let key = zobrist(&after);
                if known.contains(&key) {
                    continue;
                }
                if is_gap && !book.has(&after)? {
                    continue;
                }
                if known.len() as u64 >= options.max_positions {
                    diagnostics.note(Quirk::WalkLimit, Location::default())?;
                    return Ok(());
                }
                known.insert(key);
                next.push(after);
            }
        }
        layer.clear();
        std::mem::swap(&mut layer, &mut next);
        ply = ply.saturating_add(1);
    }
    Ok(())
}
