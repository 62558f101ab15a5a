//! What was played from a position, and how it went.

mod stats;

use std::ops::ControlFlow;

use chess_core::{Color, Game, Header, Move, Position};
use chess_store::erased::{Database, GameReader};
use chess_store::{Query, StatRow};

use crate::base::{Base, Kind, Progress};
use crate::error::Error;
use crate::filter::{Filter, PositionPattern, Prefilter, SUMMARY_CHUNK, Search};
use crate::par_chunks::par_chunks;
use crate::pipeline::available_threads;
use crate::scan::Scanner;

pub use stats::Stats;
use stats::{Played, Tally};

/// Gathers the moves that were played from a position, over as many bases as it is
/// [run](Explorer::run) on.
///
/// Every game counts once, at the first time its main line comes to the position, in whatever
/// order its moves led there.
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

/// What was played from a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tree {
    /// The position, with the number of the move to come: that of the line or FEN asked for, or else of
    /// the first game that came to it.
    pub position: Position,
    /// Games looked at, chosen or not.
    pub seen: u64,
    /// Games that did not read to their end; they count as far as they go.
    pub damaged: u64,
    /// The games that came to it.
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
    /// The games in which it was played.
    pub stats: Stats,
    /// The moves after it, the most frequent first, down to the depth asked for.
    pub branches: Vec<Branch>,
}

impl Explorer {
    /// From a position. Where the pattern leaves the side to move open, both sides' moves count.
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

    /// From the end of a line, by whatever moves a game came there.
    #[must_use]
    pub fn of_line(line: &crate::filter::Line) -> Explorer {
        Explorer::new(PositionPattern::exact(line.end()))
    }

    /// Takes only games the filter chooses.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Explorer {
        Explorer { filter, ..self }
    }

    /// Follows the games so many half-moves from the position; 1 unless told.
    #[must_use]
    pub fn depth(self, depth: usize) -> Explorer {
        Explorer { depth, ..self }
    }

    /// Uses so many threads; what is found is the same.
    #[must_use]
    pub fn threads(self, threads: usize) -> Explorer {
        Explorer { threads: threads.max(1), ..self }
    }

    /// Adds the games of a base, or of what a stream still has.
    ///
    /// # Errors
    /// What makes the base of no more use. The games before it count.
    pub fn run(
        &mut self,
        base: &mut Base,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Error> {
        if let Kind::Database(database) = base.kind() {
            self.add_database(database);
            return Ok(());
        }
        let filter = self.filter.clone();
        let scanner = Scanner::new().filter(filter).threads(self.threads);
        let (position, depth) = (&self.position, self.depth);
        let query = Query::new(std::slice::from_ref(position.board()));
        let accumulator = &mut self.accumulator;
        accumulator.seen = accumulator.seen.saturating_add(scanner.run(base, |scanned| {
            progress(scanned.progress);
            let mut walk = accumulator.walk(position, depth);
            let visit = &mut |header: &Header, at: &Position, m| walk.goes_on(header, at, m);
            chess_store::visit_game(scanned.game, &query, visit);
            accumulator.damaged =
                accumulator.damaged.saturating_add(u64::from(scanned.damage.is_some()));
            Ok::<_, Error>(ControlFlow::Continue(()))
        })?);
        Ok(())
    }

    fn add_database(&mut self, database: &dyn Database) {
        let (filter, position, depth) = (&self.filter, &self.position, self.depth);
        let of_index = Filter { positions: vec![position.clone()], ..self.filter.clone() };
        let new =
            || (Accumulator::default(), Prefilter::new(&of_index), Openings::new(position, depth));
        let query = Query::new(std::slice::from_ref(position.board()));
        let asks_moves = filter.asks_moves();
        let accumulators = par_chunks(
            database,
            self.threads,
            new,
            |(accumulator, prefilter, openings), reader, games| {
                accumulator.seen =
                    accumulator.seen.saturating_add(games.end.saturating_sub(games.start));
                let mut scratch = std::mem::take(&mut accumulator.scratch);
                let mut start = games.start;
                while start < games.end {
                    let end = games.end.min(start.saturating_add(SUMMARY_CHUNK));
                    for row in prefilter.candidate_stats(reader, start..end) {
                        if !asks_moves && openings.add(row, reader) {
                            continue;
                        }
                        accumulator.number = row.game;
                        let damaged = accumulator.add(
                            reader,
                            &mut scratch,
                            (filter, position, &query, depth),
                        );
                        accumulator.damaged =
                            accumulator.damaged.saturating_add(u64::from(damaged));
                        scratch.trim(USUAL);
                    }
                    start = end;
                }
                accumulator.scratch = scratch;
            },
        );
        for (mut accumulator, _, openings) in accumulators {
            accumulator.take(openings);
            self.accumulator.merge(accumulator);
        }
    }

    /// What was found.
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

/// Memory of a game that is kept for the next.
const USUAL: usize = 8 << 10;

/// What one thread found.
#[derive(Debug, Default)]
struct Accumulator {
    seen: u64,
    damaged: u64,
    stats: Stats,
    /// Moves with the node they follow on, which is before them.
    nodes: Vec<Node>,
    /// The position as a game had it, with what the pattern left open.
    first: Option<(u64, Position)>,
    /// Which game is looked at.
    number: u64,
    /// The nodes that follow on the position itself.
    roots: Vec<usize>,
    scratch: Game,
}

#[derive(Debug)]
struct Node {
    after: Option<usize>,
    m: Move,
    stats: Stats,
    /// The moves after it by their nodes.
    children: Vec<usize>,
}

impl Accumulator {
    /// Takes over the games whose openings told enough.
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

    /// Adds a game of a database, if the filter chooses it; whether it is damaged.
    fn add(
        &mut self,
        reader: &mut dyn GameReader,
        scratch: &mut Game,
        (filter, position, query, depth): (&Filter, &PositionPattern, &Query, usize),
    ) -> bool {
        let number = self.number;
        let mut walk = self.walk(position, depth);
        let visit = &mut |header: &Header, at: &Position, m| walk.goes_on(header, at, m);
        if !filter.asks_moves() {
            return reader.visit_main_line(number, query, scratch, visit).is_err();
        }
        let read = reader.game(number, scratch, &mut chess_store::Diagnostics::lenient());
        if filter.selects(scratch) {
            chess_store::visit_game(scratch, query, visit);
        }
        read.is_err()
    }

    fn walk<'a>(&'a mut self, position: &'a PositionPattern, depth: usize) -> Walk<'a> {
        let search = Search::new(std::slice::from_ref(position));
        Walk { accumulator: self, search, left: depth, node: None }
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

    /// Takes over what another thread found.
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

/// What the openings that an index tells of come to, and the games that played them.
struct Openings<'a> {
    position: &'a PositionPattern,
    depth: usize,
    /// By the codes of the openings, once they were met; `None` inside where the games must be
    /// looked at.
    known: Vec<Option<Option<Known>>>,
}

/// The games of one opening.
struct Known {
    /// The position that is looked for and those after it, as deep as is asked, each with the move
    /// played there.
    steps: Vec<(Position, Move)>,
    tally: Tally,
    /// The number of the first.
    first: u64,
}

impl<'a> Openings<'a> {
    fn new(position: &'a PositionPattern, depth: usize) -> Openings<'a> {
        let mut known = Vec::new();
        known.resize_with(256, || None);
        Openings { position, depth, known }
    }

    /// Counts a game, if its opening tells enough; whether it does.
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

/// See [`Known::steps`]; `None` if the games of the opening must be looked at.
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

/// A game on its way.
struct Walk<'a> {
    accumulator: &'a mut Accumulator,
    search: Search<'a>,
    /// Half-moves that are still of interest.
    left: usize,
    node: Option<usize>,
}

impl Walk<'_> {
    fn goes_on(&mut self, header: &Header, position: &Position, m: Option<Move>) -> bool {
        if !self.search.found {
            let more = self.search.goes_on(position);
            if !self.search.found {
                return more;
            }
            self.accumulator.stats.add(header.into(), position.turn());
            self.accumulator.first.get_or_insert((self.accumulator.number, numbered(position)));
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

/// A position without all that does not tell it from others but the number of the move.
fn numbered(position: &Position) -> Position {
    let mut plain = position.without_clocks();
    plain.set_clocks(0, position.fullmove_number().max(1));
    plain
}

/// The moves after the position, with all that follows them.
fn grow(nodes: &[Node]) -> Vec<Branch> {
    // Not by recursion: the depth is the user's.
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
    /// Who made the move, on the board before it.
    #[must_use]
    pub fn mover(&self, before: &Position) -> Color {
        before.piece_at(self.m.from()).map_or(before.turn(), |piece| piece.color())
    }
}
