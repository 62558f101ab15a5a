//! Opening trees: the moves played from a position, with statistics.

mod stats;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use chess_core::{Color, Game, Header, Move, Position};
use chess_store::erased::{Database, GameReader};
use chess_store::{Query, StatRow};
use query::{Filter, PositionPattern, Prefilter, SUMMARY_CHUNK, Search, Unanswered};

use crate::base::{Base, Kind, Progress};
use crate::error::Error;
use crate::par_chunks::par_chunks;
use crate::pipeline::available_threads;
use crate::scan::Scanner;

pub use stats::Stats;
use stats::{Played, Tally};

/// Counts the moves played from a position, in one or more bases. Each call of
/// [`run`](Explorer::run) adds a base.
///
/// Each game counts once, where its main line first reaches the position. Transpositions count too.
///
/// ```no_run
/// use scoresheet::filter::Line;
/// use scoresheet::tree::Explorer;
///
/// let mut explorer = Explorer::of_line(&Line::parse("1. e4 c5")?);
/// explorer.run(&mut scoresheet::open("twic.si4")?, &mut |_| ())?;
/// let tree = explorer.finish();
/// for branch in &tree.branches {
///     println!("{} {}", branch.m, branch.stats.games);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Explorer {
    position: PositionPattern,
    filter: Filter,
    depth: usize,
    threads: usize,
    accumulator: Accumulator,
}

/// The moves played from a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tree {
    /// The position, with its move number. The number comes from the line or FEN if it has one,
    /// else from the first game that reached the position.
    pub position: Position,
    /// Games read, selected or not.
    pub seen: u64,
    /// Damaged games; they count up to the damage.
    pub damaged: u64,
    /// Statistics of the games that reached the position.
    pub stats: Stats,
    /// The moves played, the most frequent first.
    pub branches: Vec<Branch>,
}

/// A move that was played.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Branch {
    /// The move.
    pub m: Move,
    /// Statistics of the games with this move.
    pub stats: Stats,
    /// The moves after it, the most frequent first, down to [`depth`](Explorer::depth).
    pub branches: Vec<Branch>,
}

impl Explorer {
    /// Creates an explorer of a position. If the pattern leaves the side to move open, moves of
    /// both sides count.
    #[must_use]
    pub fn new(position: PositionPattern) -> Explorer {
        Explorer {
            position,
            filter: Filter::default(),
            depth: 1,
            threads: available_threads(),
            accumulator: Accumulator::default(),
        }
    }

    /// Creates an explorer of the position after a line, by any move order.
    #[must_use]
    pub fn of_line(line: &query::Line) -> Explorer {
        Explorer::new(PositionPattern::exact(line.end()))
    }

    /// Counts only the games that `filter` selects.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Explorer {
        Explorer { filter, ..self }
    }

    /// Counts only the games with these numbers, which count from 0 and are in rising order.
    #[must_use]
    pub fn only(mut self, games: impl Into<Arc<[u64]>>) -> Explorer {
        self.filter.only = Some(games.into());
        self
    }

    /// Follows the games for `depth` plies from the position. The default is 1.
    #[must_use]
    pub fn depth(self, depth: usize) -> Explorer {
        Explorer { depth, ..self }
    }

    /// Uses `threads` threads. The result does not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Explorer {
        Explorer { threads: threads.max(1), ..self }
    }

    /// Adds the games of `base`, or the rest of a stream.
    ///
    /// # Errors
    /// Errors that concern the base as a whole. The games before the error count.
    pub fn run(
        &mut self,
        base: &mut Base,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Error> {
        let of_index = self.index_filter();
        let of_index = base.narrowed(&of_index).unwrap_or(of_index);
        if let Kind::Database(database) = base.kind() {
            self.add_database(database, &of_index);
            let answer = self.filter.answer();
            return answer.map_err(|error| Error::unanswered(base.path(), error));
        }
        let filter = self.filter.clone();
        let scanner = Scanner::new().filter(filter).threads(self.threads);
        let (position, depth) = (&self.position, self.depth);
        let query = Query::new(std::slice::from_ref(position.board()));
        let accumulator = &mut self.accumulator;
        accumulator.seen = accumulator.seen.saturating_add(scanner.run(base, |scanned| {
            progress(scanned.progress);
            let mut counter = accumulator.counter(position, depth);
            let visit = &mut |header: &Header, at: &Position, m| counter.goes_on(header, at, m);
            chess_store::visit_game(scanned.game, &query, visit);
            accumulator.damaged += u64::from(scanned.damage.is_some());
            Ok::<_, Error>(ControlFlow::Continue(()))
        })?);
        Ok(())
    }

    fn add_database(&mut self, database: &dyn Database, of_index: &Filter) {
        let (this, depth) = (&*self, self.depth);
        let known = Arc::default();
        let new = || {
            let openings = Openings::new(&this.position, depth);
            let prefilter = Prefilter::sharing(of_index, Arc::clone(&known));
            (Accumulator::default(), prefilter, openings)
        };
        let counted = par_chunks(database, self.threads, new, |counts, reader, games| {
            this.count(counts, of_index, reader, games);
        });
        let mut all = Accumulator::default();
        for (mut accumulator, _, openings) in counted {
            accumulator.take(openings);
            all.merge(accumulator);
        }
        self.accumulator.merge(all);
    }

    /// Adds the games with the numbers `games` of a database, on this thread. Unlike
    /// [`run`](Explorer::run), the caller can stop between two ranges. Pass ranges of thousands of
    /// games.
    ///
    /// # Errors
    /// A game could not be tested.
    pub fn add_range(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> Result<(), Unanswered> {
        let of_index = self.index_filter();
        let openings = Openings::new(&self.position, self.depth);
        let mut counts = (Accumulator::default(), Prefilter::new(&of_index), openings);
        self.count(&mut counts, &of_index, reader, games);
        let (mut accumulator, _, openings) = counts;
        accumulator.take(openings);
        self.accumulator.merge(accumulator);
        self.filter.answer()
    }

    /// The filter for the index: it asks for the position too.
    fn index_filter(&self) -> Filter {
        let mut filter = self.filter.clone();
        filter.positions = vec![self.position.clone()];
        filter
    }

    /// Counts the games of a range.
    fn count(
        &self,
        (accumulator, prefilter, openings): &mut (Accumulator, Prefilter<'_>, Openings<'_>),
        of_index: &Filter,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) {
        let query = Query::new(std::slice::from_ref(self.position.board()));
        let asks_moves = self.filter.asks_moves();
        accumulator.seen = accumulator.seen.saturating_add(games.end.saturating_sub(games.start));
        let mut scratch = std::mem::take(&mut accumulator.scratch);
        let mut start = games.start;
        while let Some(first) = of_index.first_number(start).filter(|first| *first < games.end) {
            let end = games.end.min(first.saturating_add(SUMMARY_CHUNK));
            for row in prefilter.candidate_stats(reader, first..end) {
                if !asks_moves && openings.add(row, reader) {
                    continue;
                }
                accumulator.number = row.game;
                let filter = Some(&self.filter).filter(|_| asks_moves);
                let asked = (filter, &self.position, &query, self.depth);
                let damaged = accumulator.add(reader, &mut scratch, asked);
                accumulator.damaged += u64::from(damaged);
                scratch.trim(USUAL);
            }
            start = end;
        }
        accumulator.scratch = scratch;
    }

    /// Returns the tree of all games added.
    #[must_use]
    pub fn finish(self) -> Tree {
        let Accumulator { seen, damaged, stats, nodes, first, .. } = self.accumulator;
        let mut position = first.map_or(*self.position.board(), |(_, position)| position);
        if let Some(number) = self.position.move_number() {
            position.set_clocks(0, number);
        }
        Tree { position, seen, damaged, stats, branches: grow(&nodes) }
    }
}

/// Buffer size of a game that is kept for reuse.
const USUAL: usize = 8 << 10;

/// The counts of one thread.
#[derive(Debug, Default)]
struct Accumulator {
    seen: u64,
    damaged: u64,
    stats: Stats,
    /// Moves, each with the index of its parent node. Parents come first.
    nodes: Vec<Node>,
    /// The number of the first game that reached the position, and the full position in that game.
    first: Option<(u64, Position)>,
    /// The number of the current game.
    number: u64,
    /// Indices of the root's children.
    roots: Vec<usize>,
    scratch: Game,
}

#[derive(Debug)]
struct Node {
    after: Option<usize>,
    m: Move,
    stats: Stats,
    /// Indices of the children.
    children: Vec<usize>,
}

impl Accumulator {
    /// Adds the games that were counted by their opening code.
    fn take(&mut self, openings: Openings<'_>) {
        let depth = openings.depth;
        for known in openings.known.into_iter().flatten().flatten() {
            let Some((root, _)) = known.steps.first() else { continue };
            self.stats.merge(&known.tally.stats(root.turn()));
            let first = (known.first, numbered(root));
            self.first = [self.first, Some(first)].into_iter().flatten().min_by_key(|f| f.0);
            let mut node = None;
            for (at, m) in known.steps.iter().take(depth) {
                let place = self.child(node, *m);
                if let Some(own) = self.nodes.get_mut(place) {
                    own.stats.merge(&known.tally.stats(at.turn()));
                }
                node = Some(place);
            }
        }
    }

    /// Adds a game of a database if the filter, which needs the moves, selects it. Returns whether the game is damaged
    /// and, if the filter needs the moves, selected.
    fn add(
        &mut self,
        reader: &mut dyn GameReader,
        scratch: &mut Game,
        (filter, position, query, depth): (Option<&Filter>, &PositionPattern, &Query, usize),
    ) -> bool {
        let number = self.number;
        let mut counter = self.counter(position, depth);
        let visit = &mut |header: &Header, at: &Position, m| counter.goes_on(header, at, m);
        let Some(filter) = filter else {
            return reader.visit_main_line(number, query, scratch, visit).is_err();
        };
        let read = reader.game(number, scratch, &mut chess_store::Diagnostics::lenient());
        let is_chosen = filter.selects(scratch);
        if is_chosen {
            chess_store::visit_game(scratch, query, visit);
        }
        is_chosen && read.is_err()
    }

    fn counter<'a>(&'a mut self, position: &'a PositionPattern, depth: usize) -> LineCounter<'a> {
        let search = Search::new(std::slice::from_ref(position));
        LineCounter { accumulator: self, search, left: depth, node: None }
    }

    fn child(&mut self, after: Option<usize>, m: Move) -> usize {
        let children = match after {
            Some(after) => self.nodes.get(after).map_or(&self.roots, |node| &node.children),
            None => &self.roots,
        };
        let is_it = |child: &usize| self.nodes.get(*child).is_some_and(|node| node.m == m);
        if let Some(known) = children.iter().copied().find(is_it) {
            return known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node { after, m, stats: Stats::default(), children: Vec::new() });
        match after.and_then(|after| self.nodes.get_mut(after)) {
            Some(parent) => parent.children.push(number),
            None => self.roots.push(number),
        }
        number
    }

    /// Adds the counts of another thread.
    fn merge(&mut self, other: Accumulator) {
        self.seen = self.seen.saturating_add(other.seen);
        self.damaged = self.damaged.saturating_add(other.damaged);
        self.stats.merge(&other.stats);
        self.first = [self.first, other.first].into_iter().flatten().min_by_key(|first| first.0);
        let mut places: Vec<usize> = Vec::with_capacity(other.nodes.len());
        for node in &other.nodes {
            let after = node.after.and_then(|after| places.get(after).copied());
            let place = self.child(after, node.m);
            places.push(place);
            if let Some(own) = self.nodes.get_mut(place) {
                own.stats.merge(&node.stats);
            }
        }
    }
}

/// Cache by opening code of the index: the moves of the opening from the position on, and the
/// counts of its games.
struct Openings<'a> {
    position: &'a PositionPattern,
    depth: usize,
    /// By opening code, filled on first use. The inner value is `None` if the games must be read.
    known: Vec<Option<Option<Known>>>,
}

/// The games of one opening.
struct Known {
    /// The searched position and the positions after it, up to the depth, each with the move played
    /// there.
    steps: Vec<(Position, Move)>,
    tally: Tally,
    /// The number of the first game.
    first: u64,
}

impl<'a> Openings<'a> {
    fn new(position: &'a PositionPattern, depth: usize) -> Openings<'a> {
        let mut known = Vec::new();
        known.resize_with(256, || None);
        Openings { position, depth, known }
    }

    /// Counts a game by its opening code. Returns `false` if the game must be read.
    #[inline]
    fn add(&mut self, row: &StatRow, reader: &dyn GameReader) -> bool {
        let (target, depth) = (self.position, self.depth);
        let Some(slot) = self.known.get_mut(usize::from(row.opening)) else { return false };
        let known = slot.get_or_insert_with(|| {
            let steps = steps(target, depth, reader.opening_moves(row.opening))?;
            Some(Known { steps, tally: Tally::default(), first: row.game })
        });
        let Some(known) = known else { return false };
        known.tally.add(Played::from(row));
        true
    }
}

/// Computes [`Known::steps`]; `None` if the games of the opening must be read.
fn steps(
    target: &PositionPattern,
    depth: usize,
    opening: &[Move],
) -> Option<Vec<(Position, Move)>> {
    let mut steps = Vec::new();
    let mut position = Position::start();
    for m in opening {
        if !steps.is_empty() || target.fits(&position) {
            steps.push((position, *m));
        }
        if steps.len() >= depth.max(1) {
            return Some(steps);
        }
        position.apply(*m);
    }
    None
}

/// The state of following one game.
struct LineCounter<'a> {
    accumulator: &'a mut Accumulator,
    search: Search<'a>,
    /// Plies left to follow.
    left: usize,
    node: Option<usize>,
}

impl LineCounter<'_> {
    fn goes_on(&mut self, header: &Header, position: &Position, m: Option<Move>) -> bool {
        if !self.search.found {
            let more = self.search.goes_on(position);
            if !self.search.found {
                return more;
            }
            let Accumulator { stats, first, number, .. } = &mut *self.accumulator;
            stats.add(header.into(), position.turn());
            first.get_or_insert_with(|| (*number, numbered(position)));
        }
        let Some(m) = m.filter(|_| self.left > 0) else { return false };
        self.left = self.left.saturating_sub(1);
        let node = self.accumulator.child(self.node, m);
        if let Some(node) = self.accumulator.nodes.get_mut(node) {
            node.stats.add(header.into(), position.turn());
        }
        self.node = Some(node);
        self.left > 0
    }
}

/// Normalises a position: keeps the move number, drops everything else that does not distinguish
/// positions.
fn numbered(position: &Position) -> Position {
    let mut plain = position.without_clocks();
    plain.set_clocks(0, position.fullmove_number().max(1));
    plain
}

/// Builds the branches of the tree.
fn grow(nodes: &[Node]) -> Vec<Branch> {
    // Not recursive, because the user chooses the depth.
    let mut branches: Vec<Vec<Branch>> = vec![Vec::new(); nodes.len().saturating_add(1)];
    let slot = |after: Option<usize>| after.map_or(nodes.len(), |after| after);
    for (number, node) in nodes.iter().enumerate().rev() {
        let mut own = branches.get_mut(number).map(std::mem::take).unwrap_or_default();
        sort(&mut own);
        let branch = Branch { m: node.m, stats: node.stats, branches: own };
        if let Some(siblings) = branches.get_mut(slot(node.after)) {
            siblings.push(branch);
        }
    }
    let mut roots = branches.get_mut(slot(None)).map(std::mem::take).unwrap_or_default();
    sort(&mut roots);
    roots
}

fn sort(branches: &mut [Branch]) {
    branches.sort_by_key(|branch| (std::cmp::Reverse(branch.stats.games), branch.m.bits()));
}

impl Branch {
    /// Returns the side that made the move, on the board before the move.
    #[must_use]
    pub fn mover(&self, before: &Position) -> Color {
        before.piece_at(self.m.from()).map_or(before.turn(), |piece| piece.color())
    }
}
