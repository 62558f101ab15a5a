//! How a game is tested by the criteria of a filter.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_core::{
    Color, Date, Eco, EcoSub, Elo, Game, GameResult, Header, Position, Replay, Token,
};
use chess_store::{IndexSummary, Query};

use crate::cql::{CqlTest, judge_header};
use crate::criteria::{Filter, Given, Test};
use crate::main_line::MainLine;
use crate::spelling::{NameKind, Spelling};
use crate::{MissingTag, PositionPattern, TagTest, Text, Unanswered};

/// A counter shared by the clones of a filter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count(Arc<AtomicU64>);

/// How a header compares with a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderMatch {
    Selected,
    /// The date can be inside or outside the ranges. All other tests match.
    Undecided,
    Rejected,
}

impl HeaderMatch {
    pub(crate) fn of(is_selected: bool) -> HeaderMatch {
        if is_selected { HeaderMatch::Selected } else { HeaderMatch::Rejected }
    }

    /// Combines the outcomes of two tests, which must both hold.
    pub(crate) fn and(self, other: HeaderMatch) -> HeaderMatch {
        use HeaderMatch::{Rejected, Selected, Undecided};
        match (self, other) {
            (Rejected, _) | (_, Rejected) => Rejected,
            (Undecided, _) | (_, Undecided) => Undecided,
            (Selected, Selected) => Selected,
        }
    }
}

impl Filter {
    /// Creates a filter that selects all games.
    #[must_use]
    pub fn new() -> Filter {
        Filter::default()
    }

    /// Selects only games of these zero-based numbers, in any order. A second call leaves the
    /// numbers of both lists.
    #[must_use]
    pub fn only_games(mut self, mut numbers: Vec<u64>) -> Filter {
        numbers.sort_unstable();
        numbers.dedup();
        if let Some(only) = &self.only {
            numbers.retain(|number| only.binary_search(number).is_ok());
        }
        self.only = Some(numbers.into());
        self
    }

    /// Treats the spellings of one person, event or site in `spelling` as one name. Call this after all
    /// names are set.
    #[must_use]
    pub fn spelt(self, spelling: &Arc<Spelling>) -> Filter {
        let mut filter = self.with_spellings(spelling);
        filter.spelling = Some(Arc::clone(spelling));
        filter
    }

    fn players(&self) -> [&Vec<Text>; 4] {
        [&self.player, &self.against, &self.white, &self.black]
    }

    /// Returns whether a player is asked for by the FIDE id, which is a tag of the game.
    pub(crate) fn asks_ids(&self) -> bool {
        self.players().into_iter().flatten().any(Text::asks_id)
    }

    fn with_spellings(mut self, spelling: &Arc<Spelling>) -> Filter {
        for (texts, kind) in [
            (&mut self.player, NameKind::Player),
            (&mut self.against, NameKind::Player),
            (&mut self.white, NameKind::Player),
            (&mut self.black, NameKind::Player),
            (&mut self.event, NameKind::Event),
            (&mut self.site, NameKind::Site),
        ] {
            for text in std::mem::take(texts) {
                texts.push(text.spelt(kind, spelling));
            }
        }
        self
    }

    /// Returns the number of games rejected only because their partly known date can be inside or
    /// outside the ranges. Clones of a filter share the count.
    #[must_use]
    pub fn undecided(&self) -> u64 {
        self.undecided.0.load(Ordering::Relaxed)
    }

    /// Returns a copy with its own count of [undecided](Filter::undecided) games, for reading the
    /// same games again.
    #[must_use]
    pub fn recounted(&self) -> Filter {
        Filter { undecided: Count::default(), ..self.clone() }
    }

    /// Returns the requested game numbers that a base of `games` games does not have, as zero-based
    /// ranges.
    #[must_use]
    pub fn missing_numbers(&self, games: u64) -> Vec<RangeInclusive<u64>> {
        let missing = |range: &RangeInclusive<u64>| {
            let (first, last) = (*range.start(), *range.end());
            // A range without an end never exceeds the base.
            (first >= games || last >= games && last != u64::MAX).then(|| first.max(games)..=last)
        };
        self.games.iter().filter_map(missing).collect()
    }

    /// Returns the likely mistakes in queries and tests of tags, each with the name of its criterion.
    pub fn warnings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let of_query = self.cql_tests().flat_map(|test| test.query().warnings()).map(|warning| {
            let (place, message) = (warning.place, &warning.message);
            ("cql", format!("line {}, column {}: {message}", place.line, place.column))
        });
        of_query.chain(self.tags.iter().filter_map(TagTest::warning).map(|text| ("where", text)))
    }

    pub(crate) fn count_undecided(&self, games: u64) {
        self.undecided.0.fetch_add(games, Ordering::Relaxed);
    }

    /// Returns whether the filter selects every game.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.without.is_empty()
            && self.only.is_none()
            && !self.asks(|test| !matches!(test, Test::Modifier))
    }

    /// Returns whether some criteria need the moves of a game.
    #[must_use]
    pub fn asks_moves(&self) -> bool {
        self.asks(|test| matches!(test, Test::Length | Test::Position | Test::Line))
            || self.asks_whole_game()
    }

    /// Returns whether some criteria concern positions of the main line, apart from the list of
    /// [`positions`](Filter::positions).
    #[must_use]
    pub fn asks_main_line(&self) -> bool {
        self.asks(|test| matches!(test, Test::Line))
    }

    /// Returns whether some criteria need more of a game than its header and the positions of the
    /// main line.
    #[must_use]
    pub fn asks_more_than_positions(&self) -> bool {
        !self.length.is_empty() || self.asks_whole_game()
    }

    /// Like [`asks_more_than_positions`](Filter::asks_more_than_positions), apart from the
    /// [`length`](Filter::length), which some indexes have.
    #[must_use]
    pub fn asks_whole_game(&self) -> bool {
        self.asks(|test| matches!(test, Test::Game(_)))
            || self.asks_ids()
            || (self.in_variations && !self.positions.is_empty())
            || self.tags.iter().any(|test| !test.is_of_header)
            || self.missing_tags.iter().any(|tag| !tag.is_of_header())
    }

    /// Returns whether game numbers are a criterion.
    #[must_use]
    pub fn asks_number(&self) -> bool {
        self.asks(|test| matches!(test, Test::Number))
            || !self.without.is_empty()
            || self.only.is_some()
    }

    /// Returns whether the filter can select a game of this number.
    #[must_use]
    pub fn has_number(&self, number: u64) -> bool {
        any(&self.games, |range| range.contains(&number))
            && (self.without.is_empty() || self.without.binary_search(&number).is_err())
            && self.only.as_ref().is_none_or(|only| only.binary_search(&number).is_ok())
    }

    /// Returns the number after the last of the [`games`](Filter::games); `u64::MAX` if there is none. A list of
    /// [single games](Filter::only) does not count: reports tell of how many games a sample is.
    #[must_use]
    pub fn end_number(&self) -> u64 {
        let ends = self.games.iter().map(|range| range.end().saturating_add(1));
        ends.max().unwrap_or(u64::MAX)
    }

    /// Returns the first number from `start` on that the list of [single games](Filter::only) has.
    pub fn first_number(&self, start: u64) -> Option<u64> {
        let Some(only) = &self.only else { return Some(start) };
        only.get(only.partition_point(|number| *number < start)).copied()
    }

    /// Returns whether the filter can select a game with this header, regardless of its number. The
    /// header needs no tags beyond its typed fields.
    #[must_use]
    pub fn allows(&self, header: &Header) -> bool {
        self.judge(header) == HeaderMatch::Selected
    }

    pub(crate) fn judge(&self, header: &Header) -> HeaderMatch {
        self.judge_by(self.given(), header)
    }

    fn judge_by(&self, given: Given, header: &Header) -> HeaderMatch {
        let values = self.judge_values(self.header_tests(given), &Values::from(header));
        if values == HeaderMatch::Rejected || !self.has_names(header) {
            return HeaderMatch::Rejected;
        }
        let of_header = self.missing_tags.iter().all(MissingTag::is_of_header);
        if of_header && !any(&self.missing_tags, |tag| tag.holds_in(header)) {
            return HeaderMatch::Rejected;
        }
        let tags = self.tags.iter().filter(|test| test.is_of_header);
        tags.fold(values, |outcome, test| outcome.and(test.judge_header(header)))
    }

    /// Judges the tests of tags by the values of an index. `None` if these do not decide: a test concerns
    /// more than ratings, or compares a rating that is not known, whose tag may have another text.
    pub(crate) fn judge_ratings(&self, values: &Values) -> Option<HeaderMatch> {
        let rating =
            |color| if color == Color::White { values.white_elo } else { values.black_elo };
        let mut lacks_one = self.missing_tags.is_empty();
        // As in `judge`: other missing tags are judged with the game.
        if self.missing_tags.iter().all(MissingTag::is_of_header) {
            for tag in &self.missing_tags {
                lacks_one |= rating(tag.rated()?).is_none();
            }
            if !lacks_one {
                return Some(HeaderMatch::Rejected);
            }
        }
        let tests = self.tags.iter().filter(|test| test.is_of_header);
        tests
            .map(|test| match rating(test.rated()?) {
                None if !values.has_every_elo => None,
                rating => test.judge_rating(rating),
            })
            .try_fold(HeaderMatch::Selected, |outcome, judged| Some(outcome.and(judged?)))
    }

    /// Returns whether the filter selects `game`, regardless of its number. After the last game,
    /// [`answer`](Filter::answer) says whether all could be tested.
    #[must_use]
    pub fn selects(&self, game: &Game) -> bool {
        self.selects_by(self.given(), game)
    }

    pub(crate) fn selects_by(&self, given: Given, game: &Game) -> bool {
        let mut outcome = self.judge_by(given, &game.header);
        if outcome != HeaderMatch::Rejected {
            outcome = outcome.and(self.judge_contents(given, game));
        }
        // The number of a game of a stream is not known yet.
        if outcome == HeaderMatch::Undecided && !self.asks_number() {
            self.count_undecided(1);
        }
        outcome == HeaderMatch::Selected
    }

    /// Judges everything but the header.
    pub(crate) fn judge_contents(&self, given: Given, game: &Game) -> HeaderMatch {
        let tags = self.tags.iter();
        let tags = tags.fold(HeaderMatch::Selected, |outcome, test| outcome.and(test.judge(game)));
        let fits = tags != HeaderMatch::Rejected && self.has_contents(given, game);
        if fits { tags } else { HeaderMatch::Rejected }
    }

    fn has_contents(&self, given: Given, game: &Game) -> bool {
        any(&self.missing_tags, |tag| tag.holds(game))
            && (!self.asks_ids() || self.has_players(&game.header))
            && (self.length.is_empty() || has_length(&self.length, game))
            && given.iter().all(|criterion| match criterion.test {
                Test::Game(holds) => holds(self, game),
                _ => true,
            })
            && (self.positions.is_empty() || reaches(game, &self.positions, self.in_variations))
            && (!given.any(|test| matches!(test, Test::Line)) || MainLine::of(self, game))
    }

    pub(crate) fn asks_header(&self) -> bool {
        self.asks(|test| matches!(test, Test::Name | Test::Header(_)))
            || self.asks_header_tags()
            || self.has_bounds()
    }

    /// Returns whether the filter asks for nothing in the header except names.
    pub(crate) fn asks_names_only(&self) -> bool {
        !self.asks(|test| matches!(test, Test::Header(_) | Test::Tags)) && !self.has_bounds()
    }

    /// Returns whether a tag test concerns a typed header field.
    pub(crate) fn asks_header_tags(&self) -> bool {
        self.tags.iter().any(|test| test.is_of_header)
            || self.missing_tags.iter().any(MissingTag::is_of_header)
    }

    pub(crate) fn has_names(&self, header: &Header) -> bool {
        let has = |texts: &[Text], value: &str| any(texts, |text| text.is_in(value));
        has(&self.event, &header.event)
            && has(&self.site, &header.site)
            && (self.asks_ids() || self.has_players(header))
    }

    fn has_players(&self, header: &Header) -> bool {
        let has = |texts: &[Text], color| any(texts, |text| text.is_player(header, color));
        let meets = |color| {
            self.ended_for(color, header.result)
                && has(&self.player, color)
                && has(&self.against, !color)
        };
        has(&self.white, Color::White)
            && has(&self.black, Color::Black)
            && (meets(Color::White) || meets(Color::Black))
    }

    /// Returns whether a game with this result ended as asked for the player of `color`.
    #[inline]
    pub(crate) fn ended_for(&self, color: Color, result: GameResult) -> bool {
        any(&self.outcomes, |outcome| outcome.result(color) == result)
    }

    /// Returns the tests of [`Values`] among those that are `given`, and the one that follows from queries.
    pub(crate) fn header_tests(&self, given: Given) -> impl Iterator<Item = HeaderTest> {
        let bounds: HeaderTest = |filter, values| judge_header(&filter.queries, values);
        let bounds = self.has_bounds().then_some(bounds);
        let given = given.iter().filter_map(|criterion| match criterion.test {
            Test::Header(judge) => Some(judge),
            _ => None,
        });
        given.chain(bounds)
    }

    /// Returns whether the header can decide that no query in CQL matches.
    fn has_bounds(&self) -> bool {
        !self.queries.is_empty() && self.queries.iter().all(CqlTest::has_header_bounds)
    }

    /// Returns whether every game so far could be tested. Clones of a filter share the outcome.
    ///
    /// # Errors
    /// A game exceeded the limits of a query: the games selected are no answer.
    pub fn answer(&self) -> Result<(), Unanswered> {
        match self.cql_tests().find_map(CqlTest::failure) {
            Some(why) => Err(Unanswered(why.to_owned())),
            None => Ok(()),
        }
    }

    /// Judges typed fields by `tests`, the [`header_tests`](Filter::header_tests) of the filter.
    pub(crate) fn judge_values(
        &self,
        tests: impl IntoIterator<Item = HeaderTest>,
        values: &Values,
    ) -> HeaderMatch {
        let mut outcome = HeaderMatch::Selected;
        for judge in tests {
            outcome = outcome.and(judge(self, values));
            if outcome == HeaderMatch::Rejected {
                break;
            }
        }
        outcome
    }
}

/// The test of a criterion that needs typed fields of the header.
pub(crate) type HeaderTest = fn(&Filter, &Values) -> HeaderMatch;

/// Returns whether both ratings are known and in `range`.
pub(crate) fn both_in(range: &RangeInclusive<u16>, white: Option<Elo>, black: Option<Elo>) -> bool {
    [white, black].iter().all(|elo| elo.is_some_and(|elo| range.contains(&elo.get())))
}

/// The typed, non-text fields of a header.
pub(crate) struct Values {
    pub(crate) date: Date,
    pub(crate) eco: Option<Eco>,
    pub(crate) white_elo: Option<Elo>,
    pub(crate) black_elo: Option<Elo>,
    /// Whether a rating that is not here is in no tag.
    pub(crate) has_every_elo: bool,
    pub(crate) result: GameResult,
    pub(crate) deleted: bool,
}

impl From<&Header> for Values {
    fn from(header: &Header) -> Values {
        let Header { date, eco, white_elo, black_elo, result, deleted, .. } = *header;
        Values { date, eco, white_elo, black_elo, has_every_elo: false, result, deleted }
    }
}

impl From<&IndexSummary> for Values {
    fn from(summary: &IndexSummary) -> Values {
        let IndexSummary { date, eco, white_elo, black_elo, result, deleted, .. } = *summary;
        let has_every_elo = summary.has_every_elo;
        Values { date, eco, white_elo, black_elo, has_every_elo, result, deleted }
    }
}

/// Returns whether the list is empty or `holds` is true for one entry.
pub(crate) fn any<T>(list: &[T], holds: impl FnMut(&T) -> bool) -> bool {
    list.is_empty() || list.iter().any(holds)
}

pub(crate) fn in_codes(range: &RangeInclusive<Eco>, eco: Eco) -> bool {
    if range.start() == range.end() && range.start().sub() != EcoSub::None {
        return eco == *range.start();
    }
    (range.start().code()..=range.end().code()).contains(&eco.code())
}

/// Compares a date with several ranges. An empty list contains every date.
pub(crate) fn in_any(ranges: &[RangeInclusive<Date>], date: Date) -> HeaderMatch {
    if ranges.is_empty() {
        return HeaderMatch::Selected;
    }
    let mut outcome = HeaderMatch::Rejected;
    for range in ranges {
        match in_dates(range, date) {
            HeaderMatch::Selected => return HeaderMatch::Selected,
            HeaderMatch::Undecided => outcome = HeaderMatch::Undecided,
            HeaderMatch::Rejected => {}
        }
    }
    outcome
}

pub(crate) fn in_dates(range: &RangeInclusive<Date>, date: Date) -> HeaderMatch {
    let latest = |part: u8| if part == 0 { u8::MAX } else { part };
    let (year, month, day) = range.end().parts();
    let begin = range.start().parts();
    let end = (if year == 0 { u16::MAX } else { year }, latest(month), latest(day));
    let Some((first, last)) = date.days() else {
        return if date.is_unknown() { HeaderMatch::Rejected } else { HeaderMatch::Undecided };
    };
    let (first, last) = (first.parts(), last.parts());
    if begin <= first && last <= end {
        HeaderMatch::Selected
    } else if begin <= last && first <= end {
        HeaderMatch::Undecided
    } else {
        HeaderMatch::Rejected
    }
}

fn has_length(ranges: &[RangeInclusive<u32>], game: &Game) -> bool {
    let moves = u32::try_from(game.ply_count().div_ceil(2)).unwrap_or(u32::MAX);
    in_lengths(ranges, moves)
}

pub(crate) fn in_lengths(ranges: &[RangeInclusive<u32>], moves: u32) -> bool {
    ranges.iter().any(|range| range.contains(&moves))
}

pub(crate) fn is_annotated(game: &Game) -> bool {
    game.tokens().any(|token| !matches!(token, Token::Move(_)))
}

/// Returns whether `game` reaches any of `positions`, on the main line or, with `in_variations`,
/// anywhere.
#[must_use]
pub fn reaches(game: &Game, positions: &[PositionPattern], in_variations: bool) -> bool {
    let mut search = Search::new(positions);
    if !in_variations {
        chess_store::visit_game(game, &Query::default(), &mut |_, position, _| {
            search.goes_on(position)
        });
        return search.found;
    }
    let mut replay = Replay::new(game);
    let is_known = chess_store::known_boards(game);
    search.goes_on(replay.position());
    for token in game.tokens() {
        if search.found {
            break;
        }
        replay.step(token);
        if matches!(token, Token::Move(_)) && is_known(replay.position()) {
            search.goes_on(replay.position());
        }
    }
    search.found
}

/// Searches a line for positions.
pub struct Search<'a> {
    positions: &'a [PositionPattern],
    /// The smallest piece count of the positions. The search stops below it, because captures are
    /// irreversible.
    fewest: u32,
    /// Whether one of the positions was reached.
    pub found: bool,
}

impl<'a> Search<'a> {
    /// Creates a search for any of `positions`.
    #[must_use]
    pub fn new(positions: &'a [PositionPattern]) -> Search<'a> {
        let count = |pattern: &PositionPattern| pattern.board().occupied().count();
        let fewest = positions.iter().map(count).min().unwrap_or(0);
        Search { positions, fewest, found: false }
    }

    /// Tests `position`. Returns `false` once the search is over: a match was found, or no later
    /// position can match.
    #[inline]
    pub fn goes_on(&mut self, position: &Position) -> bool {
        self.found = self.found || self.positions.iter().any(|pattern| pattern.fits(position));
        !self.found && position.occupied().count() >= self.fewest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges;

    #[test]
    fn in_any_partly_known_date_needs_all_days_in_range() {
        use HeaderMatch::{Rejected, Selected, Undecided};
        for (range, date, expected) in [
            ("1990-01-01..1999-12-31", "1995.??.??", Selected),
            ("1995", "1995.??.??", Selected),
            ("1995", "1995.02.??", Selected),
            ("1995-02", "1995.02.??", Selected),
            ("1995-02-01..1995-02-28", "1995.02.??", Selected),
            ("1995-02-01..1995-02-27", "1995.02.??", Undecided),
            ("1995-06..1999", "1995.??.??", Undecided),
            ("1990..1995-06", "1995.??.??", Undecided),
            ("1995-02-03", "1995.02.??", Undecided),
            ("1990..1994", "1995.??.??", Rejected),
            ("1995-03..", "1995.02.??", Rejected),
            ("1995..", "1995.??.??", Selected),
            ("..1995", "1995.12.??", Selected),
            ("1995", "????.05.01", Undecided),
            ("..", "????.??.??", Rejected),
            ("1995-02", "1995.02.31", Selected),
            ("1990..1992,1995", "1995.??.??", Selected),
        ] {
            let ranges = ranges::dates(range).unwrap();
            assert_eq!(in_any(&ranges, Date::parse_lenient(date)), expected, "{date} in {range}");
        }
    }

    #[test]
    fn undecided_counts_only_if_all_other_criteria_match() {
        let filter = Filter {
            date: ranges::dates("1995-06..").unwrap(),
            white: vec![Text::name("karpov").unwrap()],
            ..Filter::default()
        };
        let mut game = Game::new();
        game.header.set("Date", "1995.??.??");
        game.header.set("White", "Tal, Mikhail");
        assert!(!filter.selects(&game));
        assert_eq!(filter.undecided(), 0);
        game.header.put("White", "Karpov, Anatoly");
        assert!(!filter.clone().selects(&game));
        assert_eq!((filter.undecided(), filter.recounted().undecided()), (1, 0));
    }

    #[test]
    fn eco_extended_code_matches_base_code_and_itself() {
        let eco = |text: &str| text.parse::<Eco>().unwrap();
        let fits = |query, code| in_codes(&ranges::ecos(query).unwrap()[0], eco(code));
        assert!(fits("b20", "B20/03") && fits("B20/03", "B20/03") && fits("b20..b21", "B21a"));
        assert!(!fits("B20/03", "B20") && !fits("B20/03", "B20/04"));
    }

    #[test]
    fn filter_only_games_twice_selects_common_numbers() {
        let filter = Filter::new().only_games(vec![7, 3, 7, 5]).only_games(vec![5, 9, 3]);
        let selected: Vec<u64> = (0..12).filter(|number| filter.has_number(*number)).collect();
        assert_eq!(selected, [3, 5]);
        assert!((0..12).all(|number| !Filter::new().only_games(Vec::new()).has_number(number)));
    }

    #[test]
    fn end_number_is_after_the_last_of_the_games() {
        let filter = |games: &str| Filter::new().with("games", games).unwrap();
        assert_eq!(Filter::new().end_number(), u64::MAX);
        assert_eq!(filter("7-9,3").end_number(), 9);
        assert_eq!(filter("3..").end_number(), u64::MAX);
        assert_eq!(filter("2").only_games(vec![5]).end_number(), 2);
        assert_eq!(Filter::new().only_games(vec![5]).end_number(), u64::MAX);
    }
}
