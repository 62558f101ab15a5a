//! Opening trees: the moves played from a position, with statistics.

mod stats;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use chess_core::{Color, Game, Header, Move, Piece, Position, Role, Square};
use chess_store::erased::{Database, GameReader};
use chess_store::{Query, StatRow};
use position_index::PositionIndex;
use query::{Filter, Matcher, PositionPattern, Prefilter, SUMMARY_CHUNK, Search, Unanswered};

use crate::base::{Base, Kind, Progress, narrow};
use crate::error::Error;
use crate::par_chunks::par_chunks;
use crate::pipeline::available_threads;
use crate::scan::Scanner;

pub use stats::Stats;
use stats::{Played, Tally};

/// Counts the moves played from a position, or from the positions that a filter finds, in one or more
/// bases. Each call of [`run`](Explorer::run) adds a base.
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
    /// `None` for the positions that match the filter.
    position: Option<PositionPattern>,
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
    /// else from the first game that reached the position. After [`Explorer::of_matches`], the
    /// position of the first game.
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
    /// The position before the move in the first game with it, after [`Explorer::of_matches`].
    pub before: Option<Box<Position>>,
}

impl Explorer {
    /// Creates an explorer of a position. If the pattern leaves the side to move open, moves of
    /// both sides count.
    #[must_use]
    pub fn new(position: PositionPattern) -> Explorer {
        Explorer::of(Some(position))
    }

    /// Creates an explorer of the positions that match the criteria of its [`filter`](Explorer::filter)
    /// on positions. Each game counts from its first match in the main line.
    ///
    /// The boards differ, so a move is known by the piece, the square that it goes to, and the capture:
    /// `Nf3` is one move, from g1 or from d2.
    #[must_use]
    pub fn of_matches() -> Explorer {
        Explorer::of(None)
    }

    fn of(position: Option<PositionPattern>) -> Explorer {
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
            self.count_all(database, &of_index, &|| true);
            let answer = self.filter.answer();
            return answer.map_err(|error| Error::unanswered(base.path(), error));
        }
        let filter = self.filter.clone();
        let scanner = Scanner::new().filter(filter).threads(self.threads);
        let (query, mut matcher) = (self.query(), self.matcher());
        let (position, depth) = (self.position.as_ref(), self.depth);
        let accumulator = &mut self.accumulator;
        accumulator.seen = accumulator.seen.saturating_add(scanner.run(base, |scanned| {
            progress(scanned.progress);
            if let Some(start) = Start::in_game(position, matcher.as_mut(), scanned.game) {
                accumulator.follow(scanned.game, &query, start, depth);
            }
            accumulator.damaged += u64::from(scanned.damage.is_some());
            Ok::<_, Error>(ControlFlow::Continue(()))
        })?);
        Ok(())
    }

    /// Adds the games of a database on all threads, by its position index if there is one. `goes_on` is
    /// asked before each chunk of games. Once it returns `false`, the games that are left do not count.
    ///
    /// # Errors
    /// A game could not be tested.
    pub fn add_database(
        &mut self,
        database: &dyn Database,
        index: Option<&PositionIndex>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Unanswered> {
        let of_index = self.index_filter();
        let narrowed = index.and_then(|index| narrow(&of_index, database, index));
        self.count_all(database, &narrowed.unwrap_or(of_index), goes_on);
        self.filter.answer()
    }

    fn count_all(
        &mut self,
        database: &dyn Database,
        of_index: &Filter,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) {
        let (this, depth) = (&*self, self.depth);
        let known = Arc::default();
        let new = || {
            let openings = Openings::new(this.position.as_ref(), depth);
            let prefilter = Prefilter::sharing(of_index, Arc::clone(&known));
            (Accumulator::default(), prefilter, openings, this.matcher())
        };
        let counted = par_chunks(database, self.threads, new, |counts, reader, games| {
            if goes_on() {
                this.count(counts, of_index, reader, games);
            }
        });
        let mut all = Accumulator::default();
        for (mut accumulator, _, openings, _) in counted {
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
        let openings = Openings::new(self.position.as_ref(), self.depth);
        let prefilter = Prefilter::new(&of_index);
        let mut counts = (Accumulator::default(), prefilter, openings, self.matcher());
        self.count(&mut counts, &of_index, reader, games);
        let (mut accumulator, _, openings, _) = counts;
        accumulator.take(openings);
        self.accumulator.merge(accumulator);
        self.filter.answer()
    }

    /// The filter for the index: it asks for the position too.
    fn index_filter(&self) -> Filter {
        let mut filter = self.filter.clone();
        if let Some(position) = &self.position {
            filter.positions = vec![position.clone()];
        }
        filter
    }

    /// The query for a format, about the main line.
    fn query(&self) -> Query {
        let board = self.position.as_ref().map(PositionPattern::board);
        Query::new(board.map(std::slice::from_ref).unwrap_or_default())
    }

    /// Returns what finds the positions, if they are those that match the filter.
    fn matcher(&self) -> Option<Matcher> {
        self.position.is_none().then(|| Matcher::new(&self.filter))
    }

    /// Counts the games of a range.
    fn count(
        &self,
        (accumulator, prefilter, openings, matcher): &mut Counts<'_>,
        of_index: &Filter,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) {
        let query = self.query();
        let asks_moves = self.filter.asks_moves() || matcher.is_some();
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
                let asked = (filter, self.position.as_ref(), &query, self.depth);
                let damaged = accumulator.add(reader, &mut scratch, matcher.as_mut(), asked);
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
        let board = self.position.as_ref().map_or(Position::start(), |pattern| *pattern.board());
        let mut position = first.map_or(board, |(_, position)| position);
        if let Some(number) = self.position.as_ref().and_then(PositionPattern::move_number) {
            position.set_clocks(0, number);
        }
        Tree { position, seen, damaged, stats, branches: grow(&nodes) }
    }
}

/// Buffer size of a game that is kept for reuse.
const USUAL: usize = 8 << 10;

/// The counts of one thread, and its tools.
type Counts<'a> = (Accumulator, Prefilter<'a>, Openings<'a>, Option<Matcher>);

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
    /// Where the boards of the games differ: the board of the first game.
    kind: Option<Box<Seen>>,
    stats: Stats,
    /// Indices of the children.
    children: Vec<usize>,
}

/// A move, the number of the first game with it, and the board there.
type Seen = (MoveKind, u64, Position);

/// A move regardless of the rest of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct MoveKind {
    piece: Option<Piece>,
    to: Square,
    /// The man there: a rook of the same side for castling.
    target: Option<Color>,
    promotion: Option<Role>,
    /// The file that a pawn comes from.
    file: Option<u8>,
}

impl MoveKind {
    fn of(m: Move, before: &Position) -> MoveKind {
        let piece = before.piece_at(m.from());
        let is_pawn = piece.is_some_and(|piece| piece.role() == Role::Pawn);
        MoveKind {
            piece,
            to: m.to(),
            target: before.piece_at(m.to()).map(|piece| piece.color()),
            promotion: m.promotion(),
            file: is_pawn.then(|| m.from().file()),
        }
    }
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
                let place = self.child(node, *m, None);
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
        matcher: Option<&mut Matcher>,
        (filter, position, query, depth): Asked<'_>,
    ) -> bool {
        let number = self.number;
        let Some(filter) = filter else {
            let Some(start) = Start::at(position) else { return false };
            let mut counter = LineCounter::new(self, start, depth);
            let visit = &mut |header: &Header, at: &Position, m| counter.goes_on(header, at, m);
            return reader.visit_main_line(number, query, scratch, visit).is_err();
        };
        let read = reader.game(number, scratch, &mut chess_store::Diagnostics::lenient());
        let is_chosen = filter.selects(scratch);
        if is_chosen && let Some(start) = Start::in_game(position, matcher, scratch) {
            self.follow(scratch, query, start, depth);
        }
        is_chosen && read.is_err()
    }

    /// Counts the moves of `game` from `start` on.
    fn follow(&mut self, game: &Game, query: &Query, start: Start<'_>, depth: usize) {
        let mut counter = LineCounter::new(self, start, depth);
        let visit = &mut |header: &Header, at: &Position, m| counter.goes_on(header, at, m);
        chess_store::visit_game(game, query, visit);
    }

    /// Returns the node of a move. The boards differ if `kind` is given: it has the number of the game and
    /// its board.
    fn child(&mut self, after: Option<usize>, m: Move, kind: Option<Box<Seen>>) -> usize {
        let children = match after {
            Some(after) => self.nodes.get(after).map_or(&self.roots, |node| &node.children),
            None => &self.roots,
        };
        let is_it = |child: &usize| {
            self.nodes.get(*child).is_some_and(|node| match (&node.kind, &kind) {
                (Some(own), Some(other)) => own.0 == other.0,
                _ => node.m == m,
            })
        };
        if let Some(known) = children.iter().copied().find(is_it) {
            if let (Some(node), Some(seen)) = (self.nodes.get_mut(known), &kind)
                && node.kind.as_ref().is_some_and(|own| seen.1 < own.1)
            {
                (node.m, node.kind) = (m, kind);
            }
            return known;
        }
        let number = self.nodes.len();
        self.nodes.push(Node { after, m, kind, stats: Stats::default(), children: Vec::new() });
        match after.and_then(|after| self.nodes.get_mut(after)) {
            Some(parent) => parent.children.push(number),
            None => self.roots.push(number),
        }
        number
    }

    /// Adds the counts of another thread.
    fn merge(&mut self, other: Accumulator) {
        self.seen += other.seen;
        self.damaged += other.damaged;
        self.stats.merge(&other.stats);
        self.first = [self.first, other.first].into_iter().flatten().min_by_key(|first| first.0);
        let mut places: Vec<usize> = Vec::with_capacity(other.nodes.len());
        for node in &other.nodes {
            let after = node.after.and_then(|after| places.get(after).copied());
            let place = self.child(after, node.m, node.kind.clone());
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
    position: Option<&'a PositionPattern>,
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
    fn new(position: Option<&'a PositionPattern>, depth: usize) -> Openings<'a> {
        let mut known = Vec::new();
        known.resize_with(256, || None);
        Openings { position, depth, known }
    }

    /// Counts a game by its opening code. Returns `false` if the game must be read.
    #[inline]
    fn add(&mut self, row: &StatRow, reader: &dyn GameReader) -> bool {
        let (Some(target), depth) = (self.position, self.depth) else { return false };
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

/// The filter, if it needs the moves, the position, the query for the format, and the depth.
type Asked<'a> = (Option<&'a Filter>, Option<&'a PositionPattern>, &'a Query, usize);

/// Where the moves of a game begin to count.
enum Start<'a> {
    /// At the first position that the search finds.
    Search(Search<'a>),
    /// After this number of further half-moves.
    Plies(u32),
}

impl<'a> Start<'a> {
    fn at(position: Option<&'a PositionPattern>) -> Option<Start<'a>> {
        position.map(|position| Start::Search(Search::new(std::slice::from_ref(position))))
    }

    /// Returns where the moves of `game` begin to count: at the first match if there is no position. A
    /// game that exceeds the limits of a query has none; [`Filter::answer`] then fails.
    fn in_game(
        position: Option<&'a PositionPattern>,
        matcher: Option<&mut Matcher>,
        game: &Game,
    ) -> Option<Start<'a>> {
        let Some(matcher) = matcher else { return Start::at(position) };
        matcher.find(game).ok()?.plies().next().map(Start::Plies)
    }
}

/// The state of following one game.
struct LineCounter<'a> {
    accumulator: &'a mut Accumulator,
    start: Start<'a>,
    /// Plies left to follow.
    left: usize,
    node: Option<usize>,
    /// Whether the game counts already.
    is_counted: bool,
}

impl<'a> LineCounter<'a> {
    fn new(accumulator: &'a mut Accumulator, start: Start<'a>, left: usize) -> LineCounter<'a> {
        LineCounter { accumulator, start, left, node: None, is_counted: false }
    }

    fn goes_on(&mut self, header: &Header, position: &Position, m: Option<Move>) -> bool {
        if !self.is_counted {
            match &mut self.start {
                Start::Search(search) => {
                    let more = search.goes_on(position);
                    if !search.found {
                        return more;
                    }
                }
                Start::Plies(0) => {}
                Start::Plies(plies) => {
                    *plies = plies.saturating_sub(1);
                    return true;
                }
            }
            self.is_counted = true;
            let Accumulator { stats, first, number, .. } = &mut *self.accumulator;
            stats.add(header.into(), position.turn());
            first.get_or_insert_with(|| (*number, numbered(position)));
        }
        let Some(m) = m.filter(|_| self.left > 0) else { return false };
        self.left = self.left.saturating_sub(1);
        let number = self.accumulator.number;
        let of_match = || Box::new((MoveKind::of(m, position), number, position.without_clocks()));
        let kind = matches!(self.start, Start::Plies(_)).then(of_match);
        let node = self.accumulator.child(self.node, m, kind);
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
        let before = node.kind.as_ref().map(|seen| Box::new(seen.2));
        let branch = Branch { m: node.m, stats: node.stats, branches: own, before };
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
