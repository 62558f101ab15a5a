//! Books of any format become books of Polyglot or Arena, or lines.

use std::collections::HashMap;
use std::ops::ControlFlow;

use chess_core::{Position, zobrist};
use chess_store::Diagnostics;
use chess_store::io::WriteAt;

use crate::book::{BookMove, Kind, ReadBook, Recommendation, Visited, WalkOptions};
use crate::error::Error;
use crate::polyglot::Weights;
use crate::{abk, polyglot};

/// A move of a book on the way through its lines.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LineMove<'a> {
    /// The number of plies before the move.
    pub ply: usize,
    /// The position before the move.
    pub position: &'a Position,
    /// The move.
    pub book_move: &'a BookMove,
    /// Whether the move leads through a position that the book does not have. Books for one side
    /// lack the moves of the other.
    pub is_bridge: bool,
}

/// Calls `visit` with the moves of a book depth first: a move, its continuations, its alternative.
///
/// Books of lines keep their lines. In a book of positions, a position is continued once, after one
/// of the shortest ways to it.
///
/// # Errors
/// I/O errors, quirks in strict mode, and errors of `visit`.
// books §1.4 "Conversion"
pub fn lines(
    book: &dyn ReadBook,
    options: WalkOptions,
    visit: &mut dyn FnMut(LineMove<'_>) -> Result<(), Error>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    if book.kind().has_lines() {
        return lines_of_tree(book, options, visit, diagnostics);
    }
    let mut plies: HashMap<u64, u32> = HashMap::new();
    let mut note = |visited: Visited<'_>| {
        plies.insert(zobrist(visited.position), visited.ply);
        ControlFlow::Continue(())
    };
    book.walk(options, &mut note, diagnostics)?;
    // A deviation that a walk noted is not noted again.
    let mut silent = Diagnostics::lenient();
    let start = Position::start();
    let mut levels = vec![Level::of(book, &start, false, &mut silent)?];
    plies.remove(&zobrist(&start));
    while let Some(level) = levels.last_mut() {
        let Some(book_move) = level.moves.get(level.next) else {
            levels.pop();
            continue;
        };
        level.next = level.next.saturating_add(1);
        let mut after = level.position;
        after.apply(book_move.m);
        let (is_bridge, position, book_move) = (level.is_bridge, level.position, *book_move);
        let ply = levels.len().saturating_sub(1);
        let key = zobrist(&after);
        let is_next = |plies: &HashMap<u64, u32>, key: u64, ply: usize| {
            plies.get(&key).is_some_and(|found| *found as usize == ply)
        };
        let is_known = plies.contains_key(&key);
        let next_ply = ply.saturating_add(1);
        let next = if is_next(&plies, key, next_ply) {
            plies.remove(&key);
            Some(Level::of(book, &after, false, &mut silent)?)
        } else if is_bridge {
            // Only a reply that leads back into the book is a line.
            continue;
        } else if !is_known && book.kind() == Kind::Polyglot {
            let replies = after.legal_moves().into_iter().filter(|m| {
                let mut reply = after;
                reply.apply(*m);
                is_next(&plies, zobrist(&reply), next_ply.saturating_add(1))
            });
            let moves: Vec<_> = replies.map(|m| BookMove::new(m, book_move.at)).collect();
            let bridge = Level { position: after, moves, next: 0, is_bridge: true };
            (!bridge.moves.is_empty()).then_some(bridge)
        } else {
            None
        };
        visit(LineMove { ply, position: &position, book_move: &book_move, is_bridge })?;
        levels.extend(next);
    }
    Ok(())
}

/// The moves after a line, while they are visited.
struct Level {
    position: Position,
    moves: Vec<BookMove>,
    next: usize,
    is_bridge: bool,
}

impl Level {
    fn of(
        book: &dyn ReadBook,
        position: &Position,
        is_bridge: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<Level, Error> {
        let mut moves = Vec::new();
        book.moves(position, &mut moves, diagnostics)?;
        Ok(Level { position: *position, moves, next: 0, is_bridge })
    }

    /// Visits the moves up to the one that leads to `until`.
    fn visit_until(
        &mut self,
        ply: usize,
        until: Option<&Position>,
        visit: &mut dyn FnMut(LineMove<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while let Some(book_move) = self.moves.get(self.next) {
            self.next = self.next.saturating_add(1);
            visit(LineMove { ply, position: &self.position, book_move, is_bridge: false })?;
            let mut after = self.position;
            after.apply(book_move.m);
            if until.is_some_and(|until| after.same_position(until)) {
                break;
            }
        }
        Ok(())
    }
}

/// A walk through a book of lines comes to the positions depth first already.
fn lines_of_tree(
    book: &dyn ReadBook,
    options: WalkOptions,
    visit: &mut dyn FnMut(LineMove<'_>) -> Result<(), Error>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    let mut levels: Vec<Level> = Vec::new();
    let mut done = Ok(());
    let mut step = |visited: Visited<'_>| -> Result<(), Error> {
        let depth = visited.ply as usize;
        while levels.len() > depth {
            let ply = levels.len().saturating_sub(1);
            if let Some(mut level) = levels.pop() {
                level.visit_until(ply, None, visit)?;
            }
        }
        let ply = levels.len().saturating_sub(1);
        if let Some(parent) = levels.last_mut() {
            parent.visit_until(ply, Some(visited.position), visit)?;
        }
        let (position, moves) = (*visited.position, visited.moves.to_vec());
        levels.push(Level { position, moves, next: 0, is_bridge: false });
        Ok(())
    };
    let mut each = |visited: Visited<'_>| {
        done = step(visited);
        if done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    book.walk(options, &mut each, diagnostics)?;
    done?;
    while let Some(mut level) = levels.pop() {
        level.visit_until(levels.len(), None, visit)?;
    }
    Ok(())
}

/// Returns the weight of a move for Polyglot. Without results, [`BookMove::relative_weight`] stands
/// for the number of games. A move that is not to be played has 0.
// books §1.4.2
fn weight(position: &Position, found: &BookMove, weights: Weights) -> u64 {
    if found.deleted || found.recommendation == Some(Recommendation::Avoid) {
        return 0;
    }
    let results = found.results.filter(|results| results.games > 0);
    match (weights, results) {
        (Weights::Uniform, _) => 1,
        (Weights::Games, Some(results)) => results.games,
        (Weights::Score, Some(results)) if results.has_results() => {
            results.half_points(position.turn())
        }
        (_, Some(results)) => results.games,
        (_, None) if found.results.is_some() => 1,
        (_, None) => found.relative_weight(),
    }
}

/// Writes the positions of a book that can be reached from the start position as a book of Polyglot,
/// into an empty file. Returns the file and the number of moves. Moves that are marked as deleted
/// are left out.
///
/// # Errors
/// I/O errors, and quirks in strict mode.
pub fn to_polyglot<W: WriteAt>(
    book: &dyn ReadBook,
    options: WalkOptions,
    weights: Weights,
    file: W,
    diagnostics: &mut Diagnostics,
) -> Result<(W, u64), Error> {
    let mut writer = polyglot::Writer::of_counts();
    let (mut done, mut count) = (Ok(()), 0u64);
    let mut each = |visited: Visited<'_>| {
        let key = zobrist(visited.position);
        for found in visited.moves.iter().filter(|found| !found.deleted) {
            done = writer.count(key, found.m, weight(visited.position, found, weights));
            count = count.saturating_add(1);
            if done.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    book.walk(options, &mut each, diagnostics)?;
    done?;
    Ok((writer.finish(file)?, count))
}

/// Writes the [`lines`] of a book as a book of Arena, into an empty file. Returns the file and the
/// number of moves. A book without results gives its weights as numbers of games.
///
/// # Errors
/// I/O errors, and quirks in strict mode; a book that has more moves than links can address.
pub fn to_arena<W: WriteAt>(
    book: &dyn ReadBook,
    options: WalkOptions,
    header: abk::Header,
    file: W,
    diagnostics: &mut Diagnostics,
) -> Result<(W, u64), Error> {
    let mut writer = abk::Writer::new(file, header)?;
    let mut count = 0u64;
    let mut each = |line: LineMove<'_>| {
        let mut found = *line.book_move;
        if found.results.is_none() && !line.is_bridge {
            let games = weight(line.position, &found, Weights::Games);
            found.results = Some(crate::Results { games, ..crate::Results::default() });
            // A weight of 0 is never played.
            found.priority = found.priority.or((games == 0).then_some(0));
        }
        count = count.saturating_add(1);
        writer.push(line.ply, &found)
    };
    lines(book, options, &mut each, diagnostics)?;
    Ok((writer.finish()?, count))
}
