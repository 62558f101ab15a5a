//! Searches by a query of the Chess Query Language: docs/query.md.

use std::cell::RefCell;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use chess_core::{Color, Game, GameResult};
use chess_store::MaterialLimit;
use cql::{Condition, Limits, Query, Searcher};

use crate::filter::{HeaderMatch, Values, any};
use crate::{QueryError, scoutfish};

/// Searchers that a thread keeps: a filter rarely has more queries.
const MAX_KEPT: usize = 8;

thread_local! {
    /// The searchers of this thread, by the ids of their queries.
    static SEARCHERS: RefCell<Vec<(u64, Searcher)>> = const { RefCell::new(Vec::new()) };
}

/// A query that a position of a game must match.
#[derive(Clone, Debug)]
pub struct CqlTest {
    query: Query,
    id: u64,
    /// Why a game could not be searched. Shared by the clones.
    failure: Arc<OnceLock<String>>,
}

impl CqlTest {
    /// Parses a query in CQL, or one of Scoutfish: a JSON object.
    ///
    /// # Errors
    /// [`QueryError`] if the query is invalid, or if its answer depends on the order of the games: filters
    /// test games on several threads.
    pub fn parse(text: &str) -> Result<CqlTest, QueryError> {
        CqlTest::parse_with(text, &Limits::default())
    }

    /// Like [`parse`](CqlTest::parse), with the limits of the caller.
    ///
    /// # Errors
    /// As [`parse`](CqlTest::parse).
    pub fn parse_with(text: &str, limits: &Limits) -> Result<CqlTest, QueryError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        if text.trim().is_empty() {
            return Err(QueryError::Empty);
        }
        let translated = (text.len() <= limits.text).then(|| scoutfish::translate(text)).flatten();
        let translated = translated.transpose()?;
        let text = translated.as_deref().unwrap_or(text);
        let query =
            Query::parse_with(text, limits).map_err(|error| QueryError::Cql(error.to_string()))?;
        if query.needs_order() {
            let why = "gamenumber, and persistent variables that decide, depend on the order of games, \
                       which a filter does not keep; counters stand last: mate persistent Mates+=1";
            return Err(QueryError::Cql(why.to_owned()));
        }
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(CqlTest { query, id, failure: Arc::default() })
    }

    /// Returns the query.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns whether the captures of a game change the board as in chess.
    pub(crate) fn understands(game: &Game) -> bool {
        game.variant().keeps_boards()
    }

    /// Returns whether a position of `game` matches. Games of variants whose captures change the board in
    /// other ways than in chess do not match.
    ///
    /// Returns `false` for a game that exceeds the limits of a search, and [`failure`](CqlTest::failure)
    /// then says so. No game after it is searched.
    #[must_use]
    pub fn holds(&self, game: &Game) -> bool {
        if !CqlTest::understands(game) || self.failure().is_some() {
            return false;
        }
        let found = SEARCHERS.with_borrow_mut(|kept| {
            let place = kept.iter().position(|(id, _)| *id == self.id).unwrap_or_else(|| {
                if kept.len() >= MAX_KEPT {
                    kept.clear();
                }
                kept.push((self.id, self.query.searcher()));
                kept.len() - 1
            });
            kept.get_mut(place).map(|(_, searcher)| searcher.is_match(game))
        });
        match found {
            Some(Ok(found)) => found,
            Some(Err(error)) => {
                let _ = self.failure.set(error.to_string());
                false
            }
            None => false,
        }
    }

    /// Returns why a game could not be searched.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Returns whether fields of the header can decide that a game does not match.
    pub(crate) fn has_header_bounds(&self) -> bool {
        has_header_bounds(self.query.bounds())
    }

    /// Returns limits of the material of the main line: a game that matches has a position within one of
    /// them. `None` if the query does not tell, or searches variations.
    pub(crate) fn limits(&self) -> Option<Vec<MaterialLimit>> {
        if self.query.has_variations() { None } else { limits(self.query.bounds()) }
    }

    fn may_match(&self, values: &Values) -> bool {
        judge(self.query.bounds(), values) != Some(false)
    }
}

impl FromStr for CqlTest {
    type Err = QueryError;

    /// Calls [`parse`](CqlTest::parse).
    fn from_str(text: &str) -> Result<CqlTest, QueryError> {
        CqlTest::parse(text)
    }
}

/// The test of the header that follows from the queries.
pub(crate) fn judge_header(queries: &[CqlTest], values: &Values) -> HeaderMatch {
    HeaderMatch::of(any(queries, |query| query.may_match(values)))
}

fn has_header_bounds(condition: &Condition) -> bool {
    match condition {
        Condition::Never
        | Condition::Result(_)
        | Condition::Elo { .. }
        | Condition::Year { .. } => true,
        Condition::All(all) => all.iter().any(has_header_bounds),
        Condition::OneOf(list) => list.iter().all(has_header_bounds),
        Condition::Not(condition) => has_header_bounds(condition),
        _ => false,
    }
}

/// Returns whether a condition holds; `None` if these values do not tell.
fn judge(condition: &Condition, values: &Values) -> Option<bool> {
    match condition {
        Condition::Always => Some(true),
        Condition::Never => Some(false),
        Condition::All(all) => judge_until(false, all, values),
        Condition::OneOf(list) => judge_until(true, list, values),
        Condition::Not(condition) => judge(condition, values).map(|holds| !holds),
        // `*` is also the result of a game whose tag has another text.
        Condition::Result(result) if values.result != GameResult::Unknown => {
            Some(*result == values.result)
        }
        // An unknown value is left to the search of the game.
        Condition::Elo { color, min, max } => {
            let elo = match color {
                Some(Color::White) => values.white_elo?,
                Some(Color::Black) => values.black_elo?,
                None => values.white_elo?.max(values.black_elo?),
            };
            Some((*min..=*max).contains(&i64::from(elo.get())))
        }
        Condition::Year { min, max } => {
            let (year, _, _) = values.date.parts();
            (year != 0).then(|| (*min..=*max).contains(&i64::from(year)))
        }
        _ => None,
    }
}

/// The most limits that are worth comparing with each game.
const MAX_LIMITS: usize = 64;

fn limits(condition: &Condition) -> Option<Vec<MaterialLimit>> {
    match condition {
        Condition::Material { least, most } => {
            Some(vec![MaterialLimit::new(*most).at_least(*least)])
        }
        // One of several conditions is enough: the one that allows the fewest men.
        Condition::All(list) => {
            let men = |limit: &MaterialLimit| {
                limit.totals().iter().fold(0_u32, |sum, total| sum.saturating_add(*total.end()))
            };
            let of_each = list.iter().filter_map(limits);
            of_each.min_by_key(|limits| limits.iter().map(men).max())
        }
        Condition::OneOf(list) => {
            let all: Vec<Vec<MaterialLimit>> = list.iter().map(limits).collect::<Option<_>>()?;
            Some(all.concat()).filter(|all| all.len() <= MAX_LIMITS)
        }
        _ => None,
    }
}

/// Returns `decisive` if one condition does, and otherwise the opposite if all are known.
fn judge_until(decisive: bool, list: &[Condition], values: &Values) -> Option<bool> {
    let mut outcome = Some(!decisive);
    for condition in list {
        match judge(condition, values) {
            Some(judged) if judged == decisive => return Some(decisive),
            Some(_) => {}
            None => outcome = None,
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(result: &str, elo: &str, moves: &str) -> Game {
        let mut game = Game::new();
        game.header.set("Result", result);
        game.header.set("WhiteElo", elo);
        game.header.set("BlackElo", elo);
        game.header.set("Date", "1999.01.01");
        moves.split(' ').for_each(|m| game.push_move(m.parse().unwrap()));
        game
    }

    #[test]
    fn holds_several_queries_on_one_thread() {
        let fool = game("0-1", "1500", "f2f3 e7e5 g2g4 d8h4");
        let queries: Vec<CqlTest> = (0..20)
            .map(|number| ["mate", "qh4", "stalemate", "Qh4"][number % 4].parse().unwrap())
            .collect();
        for _ in 0..2 {
            for (number, query) in queries.iter().enumerate() {
                assert_eq!(query.holds(&fool), number % 4 < 2, "{number}");
                assert_eq!(query.failure(), None);
            }
        }
    }

    #[test]
    fn judge_header_agrees_with_search() {
        let games = [
            game("1-0", "2700", "e2e4 e7e5"),
            game("0-1", "1500", "e2e4 c7c5"),
            game("*", "", "d2d4 d7d5"),
        ];
        for text in [
            "result 1-0",
            "not result 1-0",
            "elo>=2600",
            "white elo<2000",
            "year==1999",
            "year>2000",
            "elo>=2600 or year==1999",
            "result 0-1 pc5",
        ] {
            let query = CqlTest::parse(text).unwrap();
            for game in &games {
                let values = Values::from(&game.header);
                let judged = judge_header(std::slice::from_ref(&query), &values);
                let found = query.holds(game);
                assert!(judged == HeaderMatch::Selected || !found, "{text}: {:?}", game.header);
            }
        }
        let won = CqlTest::parse("result 1-0").unwrap();
        assert!(won.has_header_bounds());
        let rejected = judge_header(std::slice::from_ref(&won), &Values::from(&games[1].header));
        assert_eq!(rejected, HeaderMatch::Rejected);
    }

    #[test]
    fn limits_of_material_queries_are_necessary() {
        let limits = |text: &str| CqlTest::parse(text).unwrap().limits();
        let ending = limits("flipcolor {R==1 P==1 A==3 r==1 a==2}").unwrap();
        assert_eq!(ending.len(), 2);
        assert_eq!(ending[0].most, [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]);
        assert_eq!(ending[0].least, [[0, 1, 0, 0, 1], [0, 1, 0, 0, 0]]);
        let ending = limits("Nf3 find {K==1 A==2 P==1 a==1 k==1}").unwrap();
        assert_eq!(ending[0].most, [[0, 0, 0, 0, 1], [0; 5]]);
        for text in ["Q>=1", "Q==0 or mate", "not Q==2", "cql(variations) A==2", "Pd4==0"] {
            assert_eq!(limits(text), None, "{text}");
        }
    }

    #[test]
    fn holds_search_beyond_limits_is_failure() {
        let mut limits = Limits::default();
        limits.work = 10;
        let query = CqlTest::parse_with("line --> .* --> mate", &limits).unwrap();
        // A base of many such games would take days.
        let mated = {
            let mut game = Game::new();
            game.set_start_fen("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1").unwrap();
            game
        };
        assert!(query.holds(&mated));
        assert!(!query.holds(&game("0-1", "1500", "f2f3 e7e5 g2g4 d8h4")));
        assert!(query.failure().is_some() && !query.holds(&mated));
        let mut filter = crate::Filter::default();
        filter.queries.push(query);
        assert!(!filter.clone().selects(&game("0-1", "1500", "f2f3 e7e5 g2g4 d8h4")));
        let error = filter.answer().unwrap_err();
        assert!(error.to_string().starts_with("the search has no answer: "), "{error}");
    }

    #[test]
    fn parse_query_that_needs_an_order_is_error() {
        for text in [
            "gamenumber==5",
            "cql(gamenumber 5) mate",
            "persistent Checks += 1 mate",
            "cql(matchcount 2) check persistent Checks += 1",
            "check persistent Checks += 1 Checks > 3",
            "flipcolor {Qd4 persistent Queens += 1}",
            "",
            " ",
        ] {
            assert!(CqlTest::parse(text).is_err(), "{text}");
        }
        for text in ["mate persistent Mates += 1", "true if check persistent Checks += 1"] {
            assert!(CqlTest::parse(text).is_ok(), "{text}");
        }
        let error = CqlTest::parse("R attaks k").unwrap_err().to_string();
        assert!(error.contains("column 3") && error.contains("attacks"), "{error}");
    }
}
