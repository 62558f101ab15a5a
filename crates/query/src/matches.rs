//! Where a game matches the criteria on positions.

use std::ops::RangeInclusive;

use chess_core::{Game, Position, Replay, Token};
use cql::{Searcher, SortKey as CqlSortKey, SortValue};

use crate::cql::CqlTest;
use crate::material::MaterialSearch;
use crate::{Filter, Unanswered};

/// A position of a game that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct MatchedPosition {
    /// Half-moves since the start of the game.
    pub ply: u32,
    /// In how many variations the position lies: 0 in the main line.
    pub depth: u32,
    /// The index of the move that leads to the position among the tokens of the game. The start position
    /// has none.
    pub token: Option<usize>,
}

/// The places that a filter finds in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matches {
    /// The positions that match, in the order of the file.
    pub positions: Vec<MatchedPosition>,
    /// The values of the [sort keys](Filter::sort_keys) of the queries in CQL.
    pub values: Vec<Option<SortValue>>,
    /// The messages of the queries in CQL.
    pub messages: Vec<String>,
    /// The comments that the queries in CQL make, each with the index of its position in `positions`.
    pub comments: Vec<(usize, String)>,
}

impl Matches {
    /// Iterates over the plies of the positions of the main line, in rising order. The start position has
    /// ply 0.
    pub fn plies(&self) -> impl Iterator<Item = u32> {
        let of_main_line = self.positions.iter().filter(|position| position.depth == 0);
        of_main_line.map(|position| position.ply)
    }
}

/// Finds the positions of games that match a filter. Its buffers are reused from game to game.
///
/// The criteria on positions are `position`, `pattern`, `material`, `cql`, `ends` and `has`. A position matches if one
/// of them holds there. Material that must stand for several half-moves matches from the position on
/// that completes them.
///
/// ```
/// use chess_core::Game;
/// use query::{Filter, Matcher};
///
/// let mut game = Game::new();
/// for m in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     game.push_move(m.parse()?);
/// }
/// let filter = Filter::new().with("cql", "mate")?;
/// assert!(filter.selects(&game));
/// let mut matcher = Matcher::new(&filter);
/// assert_eq!(matcher.find(&game)?.plies().collect::<Vec<_>>(), [4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Matcher {
    filter: Filter,
    searchers: Vec<Searcher>,
    matches: Matches,
    /// Plies of the main line, and numbers of moves in the order of the file, where a query matches.
    plies: Vec<u32>,
    moves: Vec<u32>,
    /// Comments of queries that search variations, or not, each with the number of its position.
    comments: Vec<(bool, u32, String)>,
}

impl Matcher {
    /// Creates a matcher for the criteria of `filter` on positions. Each thread needs one of its own.
    #[must_use]
    pub fn new(filter: &Filter) -> Matcher {
        let searchers = filter.cql_tests().map(|test| test.query().searcher()).collect();
        Matcher {
            filter: filter.clone(),
            searchers,
            matches: Matches::default(),
            plies: Vec::new(),
            moves: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Finds the positions that match in `game`, a game that the filter selects. Without criteria on positions
    /// there are none.
    ///
    /// # Errors
    /// The game exceeds the limits of a query.
    pub fn find(&mut self, game: &Game) -> Result<&Matches, Unanswered> {
        self.matches.positions.clear();
        self.matches.values.clear();
        self.matches.messages.clear();
        self.matches.comments.clear();
        self.comments.clear();
        self.plies.clear();
        self.moves.clear();
        for (test, searcher) in self.filter.cql_tests().zip(&mut self.searchers) {
            let found = if CqlTest::understands(game) {
                searcher.find(game).map_err(|error| Unanswered(error.to_string()))?
            } else {
                None
            };
            let Some(found) = found else {
                let missing = test.query().sort_keys().iter().map(|_| None);
                self.matches.values.extend(missing);
                continue;
            };
            let in_variations = test.query().has_variations();
            let comments = found.comments();
            self.comments.extend(comments.map(|(at, text)| (in_variations, at, text.to_owned())));
            for hit in found.hits() {
                if in_variations {
                    self.moves.push(hit.position);
                } else {
                    self.plies.push(hit.ply);
                }
            }
            self.matches.values.extend_from_slice(found.sort_values());
            self.matches.messages.extend(searcher.messages().map(str::to_owned));
        }
        self.plies.sort_unstable();
        self.moves.sort_unstable();
        self.comments.sort_by_key(|(in_variations, position, _)| (*in_variations, *position));
        self.walk(game);
        Ok(&self.matches)
    }

    /// Iterates over the names of the persistent variables and their values, over the games so far.
    pub fn counters(&self) -> impl Iterator<Item = (&str, SortValue)> {
        self.searchers.iter().flat_map(Searcher::persistent)
    }

    /// Visits all positions in the order of the file.
    fn walk(&mut self, game: &Game) {
        let Matcher { filter, matches, plies, moves, comments, .. } = self;
        let mut materials: Vec<MaterialSearch<'_>> =
            filter.materials.iter().map(MaterialSearch::new).collect();
        let is_known = chess_store::known_boards(game);
        let mut replay = Replay::new(game);
        let (mut number, mut ply, mut depth) = (0_u32, 0_u32, 0_u32);
        // The plies before the variations around this one.
        let mut outer: Vec<u32> = Vec::new();
        let mut visit = |position: &Position, number, at: MatchedPosition| {
            let is_main = at.depth == 0;
            let is_found = moves.binary_search(&number).is_ok()
                || is_main && plies.binary_search(&at.ply).is_ok()
                || is_known(position)
                    && ((is_main || filter.in_variations)
                        && filter.positions.iter().any(|pattern| pattern.fits(position))
                        || is_main && filter.patterns.iter().any(|pattern| pattern.fits(position)));
            let mut stands = false;
            if is_main && is_known(position) {
                for material in &mut materials {
                    stands |= material.visit(position) == Some(true);
                }
            }
            if is_found || stands {
                let place = matches.positions.len();
                matches.positions.push(at);
                let of = |in_variations: bool, position: u32| {
                    let key = (in_variations, position);
                    let before = |note: &(bool, u32, String)| (note.0, note.1) < key;
                    let rest = comments.iter().skip(comments.partition_point(before));
                    rest.take_while(move |note| (note.0, note.1) == key)
                };
                let of_main_line = is_main.then(|| of(false, at.ply)).into_iter().flatten();
                let here = of_main_line.chain(of(true, number));
                matches.comments.extend(here.map(|(.., text)| (place, text.clone())));
            }
        };
        visit(replay.position(), 0, MatchedPosition { ply, depth, token: None });
        for (token, step) in game.tokens().enumerate() {
            replay.step(step);
            match step {
                Token::Move(_) => {
                    (number, ply) = (number.saturating_add(1), ply.saturating_add(1));
                    let at = MatchedPosition { ply, depth, token: Some(token) };
                    visit(replay.position(), number, at);
                }
                Token::VariationStart => {
                    outer.push(ply);
                    (ply, depth) = (ply.saturating_sub(1), depth.saturating_add(1));
                }
                Token::VariationEnd => {
                    ply = outer.pop().unwrap_or(ply);
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }
}

impl Filter {
    /// Iterates over the sort keys of the queries in CQL, in the order of [`Matches::values`].
    pub fn sort_keys(&self) -> impl Iterator<Item = &CqlSortKey> {
        self.cql_tests().flat_map(|test| test.query().sort_keys())
    }

    /// Iterates over the queries in CQL, and those that words stand for.
    pub fn cql_tests(&self) -> impl Iterator<Item = &CqlTest> {
        self.cql_lists().into_iter().flatten()
    }

    /// Returns the lists of queries. One of each must match.
    pub(crate) fn cql_lists(&self) -> [&Vec<CqlTest>; 6] {
        let [positions, patterns, materials] = self.mirrored.lists();
        [&self.queries, &self.ends, &self.motifs, positions, patterns, materials]
    }

    /// Returns whether the filter has criteria on positions: `position`, `pattern`, `material`, `cql`,
    /// `ends` or `has`.
    #[must_use]
    pub fn asks_positions(&self) -> bool {
        !(self.positions.is_empty()
            && self.patterns.is_empty()
            && self.materials.is_empty()
            && self.cql_tests().next().is_none())
    }
}

/// Formats plies as ranges: `12,30-34`.
#[must_use]
pub fn ply_ranges(plies: impl IntoIterator<Item = u32>) -> String {
    let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
    for ply in plies {
        match ranges.last_mut() {
            Some(last) if last.end().checked_add(1) == Some(ply) => *last = *last.start()..=ply,
            _ => ranges.push(ply..=ply),
        }
    }
    let write = |range: &RangeInclusive<u32>| match (range.start(), range.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    ranges.iter().map(write).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1. e4 (1. d4 d5 2. c4) e5 2. Nf3 (2. f4 exf4) Nc6
    fn game() -> Game {
        let mut game = Game::new();
        let mut push = |words: &str| {
            for word in words.split(' ') {
                match word {
                    "(" => game.start_variation().unwrap(),
                    ")" => game.end_variation().unwrap(),
                    m => game.push_move(m.parse().unwrap()),
                }
            }
        };
        push("e2e4 ( d2d4 d7d5 c2c4 ) e7e5 g1f3 ( f2f4 e5f4 ) b8c6");
        game
    }

    fn find(criteria: &[(&str, &str)]) -> Vec<(u32, u32)> {
        let filter = criteria
            .iter()
            .fold(Filter::new(), |filter, (name, value)| filter.with(name, value).unwrap());
        assert!(filter.selects(&game()) && filter.asks_positions());
        let mut matcher = Matcher::new(&filter);
        let _ = matcher.find(&Game::new());
        let found = matcher.find(&game()).unwrap();
        for position in &found.positions {
            let token = position
                .token
                .and_then(|token| game().token(token).map(|token| matches!(token, Token::Move(_))));
            assert_ne!(token, Some(false));
        }
        found.positions.iter().map(|position| (position.ply, position.depth)).collect()
    }

    #[test]
    fn find_each_criterion_gives_its_positions() {
        for (name, value, expected) in [
            ("cql", "Nf3", &[(3, 0), (4, 0)][..]),
            ("cql", "Pe4 wtm", &[(2, 0), (4, 0)]),
            ("cql", "cql(variations) Pc4", &[(3, 1)]),
            ("cql", "cql(variations) not Pe4", &[(0, 0), (1, 1), (2, 1), (3, 1)]),
            ("pattern", "pe5 .g1", &[(3, 0), (4, 0)]),
            ("position", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", &[(1, 0)]),
            ("material", "QRRBBNNP8-QRRBBNNP8:4", &[(3, 0), (4, 0)]),
        ] {
            assert_eq!(find(&[(name, value)]), expected, "{name} {value}");
        }
    }

    #[test]
    fn find_several_criteria_gives_positions_of_each() {
        let both = [("cql", "Nf3"), ("pattern", "pe5 @..2")];
        assert_eq!(find(&both), [(2, 0), (3, 0), (4, 0)]);
        let variation = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w";
        assert_eq!(find(&[("position", variation), ("variations", "yes")]), [(2, 1)]);
    }

    #[test]
    fn find_values_messages_and_counters_are_kept() {
        let text = "check sort \"move\" movenumber message(\"check \" ply) persistent Checks+=1";
        let filter = Filter::new().with("cql", text).unwrap();
        let mut matcher = Matcher::new(&filter);
        let mut mated = Game::new();
        for m in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            mated.push_move(m.parse().unwrap());
        }
        for _ in 0..2 {
            let found = matcher.find(&mated).unwrap();
            assert_eq!(found.values, [Some(SortValue::Number(3))]);
            assert_eq!(found.messages, ["check 4"]);
            assert_eq!(matcher.find(&game()).unwrap().values, [None]);
        }
        assert_eq!(matcher.counters().collect::<Vec<_>>(), [("Checks", SortValue::Number(2))]);
        assert_eq!(filter.sort_keys().map(|key| key.title.as_str()).collect::<Vec<_>>(), ["move"]);
    }

    #[test]
    fn ply_ranges_joins_neighbours() {
        assert_eq!(ply_ranges([0, 1, 2, 7, 9, 10]), "0-2,7,9-10");
        assert_eq!(ply_ranges([]), "");
    }
}
