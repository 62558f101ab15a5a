//! Search: queries, and the answers of a format's index before a game is decoded.
//!
//! A search selects games in three steps, each more expensive than the one before:
//!
//! 1. [`SearchIndex::prefilter`] uses the index alone and drops the games that cannot reach any
//!    position of the [`Query`]. It also returns the index data of the remaining games, so that names,
//!    dates and ratings can be compared without decoding a header.
//! 2. [`SearchIndex::may_match`] tests the stored bytes of a game, and
//!    [`SearchIndex::visit_main_line`] visits the positions of its main line.
//! 3. A game is decoded completely only if it is still a candidate and the search needs more of it.
//!
//! Steps 1 and 2 may return games that do not match (false positives). They never drop a game that
//! matches, with one exception: a pawn that an illegal move brings back to its home square.

use std::any::Any;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

use chess_core::{Bitboard, Color, Game, Header, Move, PieceSets, Position, Role};

use crate::diagnostics::Diagnostics;
use crate::read::ReadGames;
use crate::summary::{IndexSummary, NameField, StatRow};
use crate::variant::known_boards;
use crate::word::Word;

/// A callback for the positions of a main line, in order, with the header of the game and the move
/// played in the position. The move is `None` at the end of the line. The callback returns `false`
/// to stop.
pub type Visit<'a> = dyn FnMut(&Header, &Position, Option<Move>) -> bool + 'a;

/// A callback like [`Visit`], without the header.
pub type Walk<'a> = dyn FnMut(&Position, Option<Move>) -> bool + 'a;

/// Queries that the index of a format can answer. Every method has a default for formats without
/// such an index.
pub trait SearchIndex: ReadGames {
    /// Appends to `rows` the games in `range` that could reach a position of `query`, judged by the
    /// index alone. An empty query selects all games. May return false positives, never false
    /// negatives. Games with an unreadable entry are included. Meant for ranges of hundreds of
    /// games and more.
    fn prefilter(
        &self,
        state: &mut Self::State,
        range: Range<u64>,
        query: &Query,
        rows: &mut IndexRows,
    ) {
        let _ = query;
        for game in range {
            rows.push_with(game, || self.summarize(state, game));
        }
    }

    /// Returns the index data of a game. Returns `None` if the index does not hold the header; call
    /// [`header_with`](ReadGames::header_with) instead.
    fn summarize(&self, state: &mut Self::State, game: u64) -> Option<IndexSummary> {
        let _ = (state, game);
        None
    }

    /// Walks the main line from the standard start position without decoding the game, until `each`
    /// returns `false`. Returns `false` if the walk is inconclusive: the game has another start
    /// position, needs a full decode, or may be damaged.
    fn walk_main_line(&self, state: &mut Self::State, game: u64, each: &mut Walk<'_>) -> bool {
        let _ = (state, game, each);
        false
    }

    /// Returns whether a game could have the material and a word of `query`, judged by its entry in the index
    /// and its stored bytes. May return false positives, never false negatives.
    fn may_match(&self, state: &mut Self::State, game: u64, query: &Query) -> bool {
        let _ = (state, game, query);
        true
    }

    /// Passes the positions of the main line to `visit` until it returns `false`.
    ///
    /// If `query` has no positions, all positions are visited. Otherwise the positions before the first
    /// one with the pieces of a position of `query` may be left out, unless the query
    /// [shows them](Query::with_whole_lines). If no position of the game has them, all may be left out.
    /// The header passed to `visit` holds result, date and ratings. `scratch` is
    /// overwritten.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged. The positions before the
    /// damage are visited first.
    fn visit_main_line(
        &self,
        state: &mut Self::State,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), Self::Error> {
        let mut shown = LineVisit::new(query, visit);
        if let Some(summary) = self.summarize(state, game) {
            scratch.clear();
            summary.fill(&mut scratch.header);
            let header = &scratch.header;
            if self.walk_main_line(state, game, &mut |position, m| shown.show(header, position, m))
            {
                return Ok(());
            }
        }
        let read = self.game_with(state, game, scratch, &mut Diagnostics::lenient());
        shown.show_rest(scratch);
        read
    }

    /// Replaces `name` with the name that an id of an [`IndexSummary`] refers to, spelt as in the
    /// header.
    fn name(&self, state: &mut Self::State, field: NameField, id: u32, name: &mut String) {
        let _ = (state, field, id);
        name.clear();
    }

    /// Returns the first moves, from the standard start position, of every game whose
    /// [`IndexSummary::opening`] is `code`.
    fn opening_moves(code: u8) -> &'static [Move] {
        let _ = code;
        &[]
    }
}

/// The fewest and the most pieces of each kind that a position may have, for a search for material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MaterialLimit {
    /// By colour, then by role as in [`ROLES`](MaterialLimit::ROLES).
    pub most: [[u32; 5]; 2],
    /// As [`most`](MaterialLimit::most). Zeros are no limit.
    pub least: [[u32; 5]; 2],
}

impl MaterialLimit {
    /// The roles that are limited, the pawn last.
    pub const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

    /// Creates an upper limit for White and Black.
    #[must_use]
    pub const fn new(most: [[u32; 5]; 2]) -> MaterialLimit {
        MaterialLimit { most, least: [[0; 5]; 2] }
    }

    /// Adds a lower limit.
    #[must_use]
    pub const fn at_least(self, least: [[u32; 5]; 2]) -> MaterialLimit {
        MaterialLimit { least, ..self }
    }

    /// Returns the fewest and the most pieces of White and of Black, without kings.
    #[must_use]
    pub fn totals(&self) -> [RangeInclusive<u32>; 2] {
        let sum = |counts: &[u32; 5]| counts.iter().fold(0u32, |sum, n| sum.saturating_add(*n));
        let ([w1, b1], [w2, b2]) = (&self.least, &self.most);
        [sum(w1)..=sum(w2), sum(b1)..=sum(b2)]
    }

    /// Returns whether a game that ends with the pieces `at_end` could have had a position within
    /// the limit. Each number of `at_end` may be too small.
    ///
    /// No side ever gets more pawns, or more pieces and pawns together. It gets more queens, rooks,
    /// bishops or knights only by promotion.
    #[must_use]
    pub fn is_possible(&self, at_end: &[[u32; 5]; 2], has_promotion: bool) -> bool {
        self.most.iter().zip(at_end).all(|(most, at_end)| {
            let sum = |counts: &[u32; 5]| {
                counts.iter().fold(0u32, |sum, count| sum.saturating_add(*count))
            };
            let mut pairs = most.iter().zip(at_end).zip(MaterialLimit::ROLES);
            sum(at_end) <= sum(most)
                && pairs.all(|((most, at_end), role)| {
                    at_end <= most || has_promotion && role != Role::Pawn
                })
        })
    }
}

/// A search in the moves of games, prepared once for many games: for positions, for material, and for words
/// in comments. One of each kind must be there. Positions are compared by their pieces, whichever side is to
/// move.
///
/// A format may store its own form of the positions in the query; see
/// [`prepared`](Query::prepared).
#[derive(Debug, Default)]
pub struct Query {
    positions: Vec<Position>,
    limits: Vec<MaterialLimit>,
    words: Vec<Word>,
    shows_whole_lines: bool,
    targets: Vec<Target>,
    prepared: Prepared,
}

/// The result of testing a game against a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game has reached the pieces of a position of the query.
    Yes,
    /// The game may still reach one.
    Maybe,
    /// The game can no longer reach one: it lacks pieces, or pawns on their home squares, that
    /// every position of the query needs.
    No,
}

#[derive(Debug)]
struct Target {
    sets: PieceSets,
    counts: [u32; 2],
    home_pawns: Bitboard,
}

impl Query {
    /// Prepares a query for games that reach any of `positions`.
    #[must_use]
    pub fn new(positions: &[Position]) -> Query {
        Query {
            positions: positions.to_vec(),
            targets: positions.iter().map(Target::new).collect(),
            ..Query::default()
        }
    }

    /// Drops games, too, whose main line cannot have a position within one of `limits`, in
    /// [`SearchIndex::prefilter`] and [`SearchIndex::may_match`].
    #[must_use]
    pub fn with_material(self, limits: Vec<MaterialLimit>) -> Query {
        Query { limits, ..self }
    }

    /// Returns the limits of [`with_material`](Query::with_material). Empty if any material will do.
    #[must_use]
    pub fn material(&self) -> &[MaterialLimit] {
        &self.limits
    }

    /// Drops games, too, whose comments cannot have one of `words`, in [`SearchIndex::may_match`].
    #[must_use]
    pub fn with_words(self, words: Vec<Word>) -> Query {
        Query { words, ..self }
    }

    /// Returns the words of [`with_words`](Query::with_words). Empty if comments do not matter.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Shows the positions before the first one that has the pieces of the query, too, so that one walk
    /// serves several searches. A game that cannot reach a position of the query may still be left out.
    #[must_use]
    pub fn with_whole_lines(self, shows_whole_lines: bool) -> Query {
        Query { shows_whole_lines, ..self }
    }

    /// Returns the positions.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns whether the query has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Tests a game by its current position. An empty query returns [`Verdict::No`].
    #[must_use]
    #[inline]
    pub fn verdict(&self, position: &Position) -> Verdict {
        let mut best = Verdict::No;
        for target in &self.targets {
            match target.verdict(position) {
                Verdict::Yes => return Verdict::Yes,
                Verdict::Maybe => best = Verdict::Maybe,
                Verdict::No => {}
            }
        }
        best
    }

    /// Returns the form of the query that a format compares its records with. `make` is called on
    /// the first request for a `T`. Each format uses a type of its own.
    ///
    /// ```
    /// use chess_core::Position;
    /// use chess_store::Query;
    ///
    /// struct PieceCounts(Vec<u32>);
    ///
    /// let query = Query::new(&[Position::start()]);
    /// let count = |position: &Position| position.occupied().count();
    /// let make = |query: &Query| PieceCounts(query.positions().iter().map(count).collect());
    /// assert_eq!(query.prepared(make).0, [32]);
    /// ```
    pub fn prepared<T: Any + Send + Sync>(&self, make: impl FnOnce(&Query) -> T) -> &T {
        self.prepared.get(|| make(self))
    }
}

impl Target {
    fn new(position: &Position) -> Target {
        Target {
            sets: *position.piece_sets(),
            counts: Color::ALL.map(|color| position.color(color).count()),
            home_pawns: position.home_pawns(),
        }
    }

    #[inline]
    fn verdict(&self, position: &Position) -> Verdict {
        let [whites, blacks] = self.counts;
        if (self.home_pawns & !position.home_pawns()).has_any()
            || position.color(Color::White).count() < whites
            || position.color(Color::Black).count() < blacks
        {
            return Verdict::No;
        }
        if *position.piece_sets() == self.sets { Verdict::Yes } else { Verdict::Maybe }
    }
}

/// The prepared forms of one query: a list with one value for each type. It only grows, so reading
/// it needs no lock.
#[derive(Default)]
struct Prepared(OnceLock<Box<Entry>>);

struct Entry {
    value: Box<dyn Any + Send + Sync>,
    rest: Prepared,
}

impl Prepared {
    fn get<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let (mut list, mut make) = (self, Some(make));
        loop {
            let entry = list.0.get_or_init(|| {
                let value: Box<dyn Any + Send + Sync> = match make.take() {
                    Some(make) => Box::new(make()),
                    None => Box::new(()),
                };
                Box::new(Entry { value, rest: Prepared::default() })
            });
            if let Some(value) = entry.value.downcast_ref::<T>() {
                return value;
            }
            list = &entry.rest;
        }
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Prepared").field(&self.0.get().is_some()).finish()
    }
}

/// The games that passed a [prefilter](SearchIndex::prefilter), with the requested part of the
/// index data.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum IndexRows {
    /// Game numbers only.
    Numbers(Vec<u64>),
    /// The index data of each game. `None` if only the header has it.
    Summaries(Vec<(u64, Option<IndexSummary>)>),
    /// The data for statistics of each game.
    Stats(Vec<StatRow>),
    /// The ids of the names of each game, as in [`IndexSummary::names`]. `None` if only the header has
    /// them.
    Names(Vec<(u64, Option<[u32; 5]>)>),
}

impl IndexRows {
    /// Removes all rows.
    pub fn clear(&mut self) {
        match self {
            IndexRows::Numbers(numbers) => numbers.clear(),
            IndexRows::Summaries(summaries) => summaries.clear(),
            IndexRows::Stats(rows) => rows.clear(),
            IndexRows::Names(names) => names.clear(),
        }
    }

    /// Appends a game. `summarize` is called only if more than the number is requested.
    #[inline]
    pub fn push_with(&mut self, game: u64, summarize: impl FnOnce() -> Option<IndexSummary>) {
        match self {
            IndexRows::Numbers(numbers) => numbers.push(game),
            IndexRows::Summaries(summaries) => summaries.push((game, summarize())),
            IndexRows::Stats(rows) => {
                let row = summarize().map(|summary| StatRow::of(game, &summary));
                rows.push(row.unwrap_or(StatRow::new(game)));
            }
            IndexRows::Names(names) => names.push((game, summarize().map(|summary| summary.names))),
        }
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            IndexRows::Numbers(numbers) => numbers.is_empty(),
            IndexRows::Summaries(summaries) => summaries.is_empty(),
            IndexRows::Stats(rows) => rows.is_empty(),
            IndexRows::Names(names) => names.is_empty(),
        }
    }

    /// Returns the numbers of all rows, in order.
    #[must_use]
    pub fn numbers(&self) -> Vec<u64> {
        match self {
            IndexRows::Numbers(numbers) => numbers.clone(),
            IndexRows::Summaries(summaries) => summaries.iter().map(|(game, _)| *game).collect(),
            IndexRows::Stats(rows) => rows.iter().map(|row| row.game).collect(),
            IndexRows::Names(names) => names.iter().map(|(game, _)| *game).collect(),
        }
    }

    /// Returns the rows of [`IndexRows::Summaries`]. Empty for the other kinds.
    #[must_use]
    pub fn summaries(&self) -> &[(u64, Option<IndexSummary>)] {
        match self {
            IndexRows::Summaries(summaries) => summaries,
            _ => &[],
        }
    }

    /// Returns the rows of [`IndexRows::Names`]. Empty for the other kinds.
    #[must_use]
    pub fn names(&self) -> &[(u64, Option<[u32; 5]>)] {
        match self {
            IndexRows::Names(names) => names,
            _ => &[],
        }
    }

    /// Returns the rows of [`IndexRows::Stats`]. Empty for the other kinds.
    #[must_use]
    pub fn stats(&self) -> &[StatRow] {
        match self {
            IndexRows::Stats(rows) => rows,
            _ => &[],
        }
    }
}

/// Passes the positions of the main line of a game to `visit`, like
/// [`SearchIndex::visit_main_line`].
///
/// In a variant such as Atomic, moves change the board in other ways than in chess. Then the
/// positions up to the first capture are visited; see
/// [`Variant::keeps_boards`](chess_core::Variant::keeps_boards).
pub fn visit_game(game: &Game, query: &Query, visit: &mut Visit<'_>) {
    let (mut gate, mut position) = (Gate::new(query), game.start_position());
    let is_known = known_boards(game);
    for m in game.main_line() {
        let wants_more =
            is_known(&position) && gate.pass(&position, || visit(&game.header, &position, Some(m)));
        if !wants_more {
            return;
        }
        position.apply(m);
    }
    if is_known(&position) {
        gate.pass(&position, || visit(&game.header, &position, None));
    }
}

/// Skips the positions of a main line before the first one that has the pieces of a position of the
/// query, unless the query shows them, and ends a line that can have none.
#[derive(Debug)]
struct Gate<'q> {
    query: &'q Query,
    is_open: bool,
}

impl<'q> Gate<'q> {
    fn new(query: &'q Query) -> Gate<'q> {
        Gate { query, is_open: query.is_empty() }
    }

    /// Calls `show` if `position` is to be visited. Returns `false` if no later position can be.
    #[inline]
    fn pass(&mut self, position: &Position, show: impl FnOnce() -> bool) -> bool {
        if !self.is_open {
            match self.query.verdict(position) {
                Verdict::No => return false,
                Verdict::Maybe if self.query.shows_whole_lines => {}
                Verdict::Maybe => return true,
                Verdict::Yes => self.is_open = true,
            }
        }
        show()
    }
}

/// Shows the positions of one main line to a [`Visit`], first from a walk and then, if the walk is not
/// conclusive, from the decoded game. No position is shown twice.
///
/// A format that implements [`SearchIndex::visit_main_line`] itself shows positions through it.
pub struct LineVisit<'q, 'v> {
    query: &'q Query,
    gate: Gate<'q>,
    visit: &'v mut Visit<'v>,
    /// The number of positions shown.
    shown: usize,
}

impl<'q, 'v> LineVisit<'q, 'v> {
    /// Creates a visit that leaves out positions as
    /// [`visit_main_line`](SearchIndex::visit_main_line) may do.
    pub fn new(query: &'q Query, visit: &'v mut Visit<'v>) -> LineVisit<'q, 'v> {
        LineVisit { query, gate: Gate::new(query), visit, shown: 0 }
    }

    /// Shows the next position of a walk. Returns `false` to end the walk.
    #[inline]
    pub fn show(&mut self, header: &Header, position: &Position, m: Option<Move>) -> bool {
        let LineVisit { gate, visit, shown, .. } = self;
        gate.pass(position, || {
            *shown = shown.saturating_add(1);
            visit(header, position, m)
        })
    }

    /// Shows the positions of `game` that the walk has not shown.
    pub fn show_rest(self, game: &Game) {
        let LineVisit { query, visit, mut shown, .. } = self;
        visit_game(game, query, &mut |header, position, m| {
            let is_new = shown == 0;
            shown = shown.saturating_sub(1);
            !is_new || visit(header, position, m)
        });
    }
}

impl fmt::Debug for LineVisit<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineVisit").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// Walks from the standard start position until `each` returns `false`. `next` returns the move
/// played in a position, or `None` at the end of the line. Returns `false` if `next` fails.
pub fn walk_along<E>(
    mut next: impl FnMut(&Position) -> Result<Option<Move>, E>,
    each: &mut Walk<'_>,
) -> bool {
    let mut position = Position::start();
    loop {
        match next(&position) {
            Ok(Some(m)) if each(&position, Some(m)) => position.apply(m),
            Ok(Some(_)) => return true,
            Ok(None) => {
                each(&position, None);
                return true;
            }
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        moves.split_terminator(' ').for_each(|m| position.apply(m.parse().unwrap()));
        position
    }

    #[test]
    fn verdict_missing_pieces_or_home_pawns_is_no() {
        for (target, line, expected) in [
            ("e2e4 e7e5", "", Verdict::Maybe),
            ("e2e4 e7e5", "e2e4", Verdict::Maybe),
            ("e2e4 e7e5", "e2e4 e7e5", Verdict::Yes),
            ("e2e4 e7e5", "e2e4 e7e5 0000", Verdict::Yes),
            ("e2e4 e7e5", "d2d4", Verdict::No),
            ("e2e4 e7e5", "e2e4 c7c5", Verdict::No),
            ("g1f3", "b1c3 g8f6 c3d5 f6d5", Verdict::No),
            ("g1f3", "b1c3 g8f6 c3d5 f6g8", Verdict::Maybe),
            ("e2e4 d7d5 e4d5", "e2e4 d7d5", Verdict::Maybe),
            ("e2e4 d7d5 e4d5", "e2e4 d7d5 e4d5 d8d5", Verdict::No),
        ] {
            let query = Query::new(&[after(target)]);
            assert_eq!(query.verdict(&after(line)), expected, "{target}: {line}");
        }
    }

    #[test]
    fn verdict_of_several_positions_is_the_best() {
        assert_eq!(Query::default().verdict(&after("")), Verdict::No);
        let query = Query::new(&[after("d2d4"), after("e2e4 e7e5")]);
        for (line, expected) in [
            ("e2e4", Verdict::Maybe),
            ("d2d4", Verdict::Yes),
            ("c2c4", Verdict::No),
            ("d2d4 d7d5", Verdict::No),
        ] {
            assert_eq!(query.verdict(&after(line)), expected, "{line}");
        }
    }

    #[test]
    fn prepared_is_made_once_for_each_type() {
        let query = Query::new(&[after("")]);
        assert_eq!(*query.prepared(|query| query.positions().len()), 1);
        assert_eq!(*query.prepared(|_| String::from("other")), "other");
        assert_eq!(*query.prepared(|_| 7usize), 1);
        assert_eq!(*query.prepared(|_| String::new()), "other");
    }

    #[test]
    fn visit_game_with_a_query_begins_at_its_position() {
        let mut game = Game::new();
        for m in ["e2e4", "e7e5", "g1f3"] {
            game.push_move(m.parse().unwrap());
        }
        let shown = |positions: &[Position]| {
            let mut moves = Vec::new();
            visit_game(&game, &Query::new(positions), &mut |_, _, m| {
                moves.push(m.map_or("end".to_owned(), |m| m.to_string()));
                true
            });
            moves.join(" ")
        };
        assert_eq!(shown(&[]), "e2e4 e7e5 g1f3 end");
        assert_eq!(shown(&[after("e2e4 e7e5")]), "g1f3 end");
        assert_eq!(shown(&[after("d2d4")]), "");
    }
}
