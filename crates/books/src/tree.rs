//! Books that are a tree of moves from the start position, with a link from each move to the next
//! alternative and to the first move after it.

use std::ops::ControlFlow;

use chess_core::{Move, Position};
use chess_store::{Diagnostics, Location};

use crate::book::{BookMove, Summary, Visited, WalkOptions};
use crate::error::Error;
use crate::quirk::Quirk;

/// The maximum number of plies of a line.
pub(crate) const MAX_PLIES: usize = 1024;
/// The maximum number of alternatives.
pub(crate) const MAX_MOVES: usize = 1024;

/// A move at the end of a line of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Node<E> {
    /// The number of the entry.
    pub number: u32,
    /// The entry.
    pub entry: E,
    /// The move, if it is legal.
    pub m: Option<Move>,
}

/// A line of a book and the moves after it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Line<'a, E> {
    /// The moves of the line, from the start position.
    pub moves: &'a [Move],
    /// The position after the line.
    pub position: &'a Position,
    /// The moves after the line, in the order of the book.
    pub nodes: &'a [Node<E>],
}

/// A link to an entry.
#[derive(Clone, Copy)]
pub(crate) enum Link {
    None,
    To(u32),
    Outside,
}

/// A book as a tree.
pub(crate) trait Tree {
    type Entry: Copy;

    /// The numbers of entries are below this one.
    fn end(&self) -> u32;
    /// Returns the link to the first move of all.
    fn root(&self) -> Link;
    fn entry(&self, number: u32) -> Result<Self::Entry, Error>;
    /// Returns the links to the first move after this one and to the next alternative.
    fn links(&self, number: u32, entry: &Self::Entry) -> (Link, Link);
    /// Returns the move, legal or not. An entry that stands for no move has none.
    fn decode(&self, entry: &Self::Entry, position: &Position) -> Result<Option<Move>, Quirk>;
    fn book_move(&self, number: u32, entry: &Self::Entry, m: Move) -> BookMove;
    fn at(&self, number: u32) -> Location;
}

/// The moves after one line, while their continuations are visited.
struct Level<E> {
    position: Position,
    nodes: Vec<Node<E>>,
    /// The next of `nodes` to continue.
    next: usize,
}

/// The entries that were reached: a bit for each.
struct Reached(Vec<u64>);

impl Reached {
    fn new(end: u32) -> Reached {
        Reached(vec![0; (end as usize).div_ceil(64)])
    }

    /// Adds an entry. Returns false if it was there already.
    fn add(&mut self, number: u32) -> bool {
        let Some(word) = self.0.get_mut(number as usize / 64) else { return false };
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Calls `visit` with each line and the moves after it, until it breaks. Returns the number of
/// entries that were reached.
///
/// No entry is reached twice, so that hostile links cost no more time than the entries.
pub(crate) fn visit<T: Tree>(
    tree: &T,
    visit: &mut dyn FnMut(Line<'_, T::Entry>) -> ControlFlow<()>,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Error> {
    let mut reached = Reached::new(tree.end());
    let mut line = Vec::new();
    let start = Position::start();
    let nodes = read_level(tree, tree.root(), tree.at(0), &start, &mut reached, diagnostics)?;
    let mut levels = vec![Level { position: start, nodes, next: 0 }];
    while let Some(level) = levels.last_mut() {
        if level.next == 0 && !level.nodes.is_empty() {
            let (position, nodes) = (&level.position, level.nodes.as_slice());
            if visit(Line { moves: &line, position, nodes }).is_break() {
                break;
            }
        }
        let Some(node) = level.nodes.get(level.next) else {
            levels.pop();
            line.pop();
            continue;
        };
        level.next = level.next.saturating_add(1);
        let Some(m) = node.m else { continue };
        let number = node.number;
        let (link, _) = tree.links(number, &node.entry);
        if matches!(link, Link::None) {
            continue;
        }
        let mut position = level.position;
        position.apply(m);
        if levels.len() >= MAX_PLIES {
            diagnostics.note(Quirk::LineDepth, tree.at(number))?;
            continue;
        }
        let at = tree.at(number);
        let nodes = read_level(tree, link, at, &position, &mut reached, diagnostics)?;
        line.push(m);
        levels.push(Level { position, nodes, next: 0 });
    }
    Ok(reached.count())
}

/// Reads a move and its alternatives. `at` is the place of the link.
fn read_level<T: Tree>(
    tree: &T,
    first: Link,
    at: Location,
    position: &Position,
    reached: &mut Reached,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Node<T::Entry>>, Error> {
    let mut nodes = Vec::new();
    let (mut link, mut at) = (first, at);
    loop {
        let number = match link {
            Link::None => break,
            Link::To(number) if number < tree.end() => number,
            Link::To(_) | Link::Outside => {
                diagnostics.note(Quirk::TreeLink, at)?;
                break;
            }
        };
        if !reached.add(number) {
            diagnostics.note(Quirk::TreeCycle, at)?;
            break;
        }
        at = tree.at(number);
        if nodes.len() >= MAX_MOVES {
            diagnostics.note(Quirk::CrowdedPosition, at)?;
            break;
        }
        let entry = tree.entry(number)?;
        match tree.decode(&entry, position) {
            Ok(Some(m)) => {
                let m = Some(m).filter(|m| position.is_legal(*m));
                if m.is_none() {
                    diagnostics.note(Quirk::IllegalMove, at)?;
                }
                nodes.push(Node { number, entry, m });
            }
            Ok(None) => {}
            Err(quirk) => diagnostics.note(quirk, at)?,
        }
        (_, link) = tree.links(number, &entry);
    }
    Ok(nodes)
}

/// The methods of [`ReadBook`](crate::ReadBook) by which a [`Tree`] is looked up and walked.
macro_rules! look_up_in_tree {
    () => {
        fn moves(
            &self,
            position: &chess_core::Position,
            out: &mut Vec<$crate::BookMove>,
            diagnostics: &mut chess_store::Diagnostics,
        ) -> Result<(), Error> {
            $crate::tree::moves(self, position, out, diagnostics)
        }

        fn walk(
            &self,
            options: $crate::WalkOptions,
            visit: &mut dyn FnMut($crate::Visited<'_>) -> std::ops::ControlFlow<()>,
            diagnostics: &mut chess_store::Diagnostics,
        ) -> Result<(), Error> {
            $crate::tree::walk(self, options, visit, diagnostics)
        }
    };
}

pub(crate) use look_up_in_tree;

/// Appends the legal moves after all lines that lead to a position. The games of a move are the
/// sum over the lines, its priority or class is the greatest.
// books §1.3 "Look-up in lines"
pub(crate) fn moves<T: Tree>(
    tree: &T,
    wanted: &Position,
    out: &mut Vec<BookMove>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    let first = out.len();
    let mut illegal = Vec::new();
    let mut collect = |line: Line<'_, T::Entry>| {
        if !line.position.same_position(wanted) {
            return ControlFlow::Continue(());
        }
        for node in line.nodes {
            let Some(m) = node.m else {
                if illegal.len() < Diagnostics::KEPT {
                    illegal.push(node.number);
                }
                continue;
            };
            let found = tree.book_move(node.number, &node.entry, m);
            let known = out.get_mut(first..).unwrap_or_default().iter_mut();
            match known.into_iter().find(|known| known.m == m) {
                Some(known) => join(known, &found),
                None => out.push(found),
            }
        }
        ControlFlow::Continue(())
    };
    // Damage elsewhere in the tree is no matter of this position.
    visit(tree, &mut collect, &mut Diagnostics::lenient())?;
    for number in illegal {
        diagnostics.note(Quirk::IllegalMove, tree.at(number))?;
    }
    Ok(())
}

fn join(known: &mut BookMove, other: &BookMove) {
    known.deleted &= other.deleted;
    known.priority = known.priority.max(other.priority);
    known.class = known.class.max(other.class);
    known.results = match (known.results, other.results) {
        (Some(one), Some(other)) => Some(one.and(other)),
        (one, other) => one.or(other),
    };
}

pub(crate) fn walk<T: Tree>(
    tree: &T,
    options: WalkOptions,
    each: &mut dyn FnMut(Visited<'_>) -> ControlFlow<()>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    let mut moves = Vec::new();
    let (mut count, mut limited) = (0u64, false);
    let mut pass_on = |line: Line<'_, T::Entry>| {
        let ply = u32::try_from(line.moves.len()).unwrap_or(u32::MAX);
        if ply > options.max_ply {
            return ControlFlow::Continue(());
        }
        limited = count >= options.max_positions;
        if limited {
            return ControlFlow::Break(());
        }
        count = count.saturating_add(1);
        moves.clear();
        let legal = line.nodes.iter().filter_map(|node| Some((node, node.m?)));
        moves.extend(legal.map(|(node, m)| tree.book_move(node.number, &node.entry, m)));
        each(Visited { position: line.position, ply, moves: &moves })
    };
    visit(tree, &mut pass_on, diagnostics)?;
    if limited {
        diagnostics.note(Quirk::WalkLimit, Location::default())?;
    }
    Ok(())
}

/// Counts what is in the tree. Returns the number of entries that no line reaches, too.
pub(crate) fn check<T: Tree>(
    tree: &T,
    entries: u64,
    diagnostics: &mut Diagnostics,
) -> Result<(Summary, u64), Error> {
    let mut summary = Summary { entries, ..Summary::default() };
    let mut excess = Vec::new();
    let mut count = |line: Line<'_, T::Entry>| {
        summary.positions = summary.positions.saturating_add(1);
        let mut known: Vec<Move> = Vec::with_capacity(line.nodes.len());
        for node in line.nodes {
            let Some(m) = node.m else {
                summary.illegal = summary.illegal.saturating_add(1);
                continue;
            };
            let found = tree.book_move(node.number, &node.entry, m);
            let is_unplayed = found.deleted || found.class == Some(0);
            summary.unplayed = summary.unplayed.saturating_add(u64::from(is_unplayed));
            let is_known = known.contains(&m);
            summary.duplicates = summary.duplicates.saturating_add(u64::from(is_known));
            known.push(m);
            let exceeds = found.results.is_some_and(|results| results.exceed_games());
            if exceeds && excess.len() < Diagnostics::KEPT {
                excess.push(node.number);
            }
        }
        ControlFlow::Continue(())
    };
    let reached = visit(tree, &mut count, diagnostics)?;
    summary.reached = summary.positions;
    for number in excess {
        diagnostics.note(Quirk::BookResults, tree.at(number))?;
    }
    Ok((summary, entries.saturating_sub(reached)))
}
