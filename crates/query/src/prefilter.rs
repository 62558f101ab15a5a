//! Finds the games of a base that a filter may select, cheapest test first.
//!
//! [`Prefilter::start`] applies the first four tests to a range of games, and
//! [`Prefilter::next_candidate`] the others to one game after the other. Each test drops games and never
//! drops a game that the filter selects:
//!
//! 1. The index of the format, where the filter asks for positions: could the game contain one?
//! 2. The game number.
//! 3. The values in the index: date, result, ratings, ECO code and length, then the names by their ids.
//! 4. The header, where the index does not hold it or the filter tests other tags.
//! 5. The stored bytes of the game, where the filter asks for material or for a word in comments.
//! 6. One walk of the main line, where the filter asks for positions, openings, material or patterns. A
//!    game whose index names its first moves is not read if they reach the position.
//!
//! The caller then reads the game, if these tests are not conclusive, before it asks for the next
//! candidate. So a format that keeps the record which it read last reads each record once.

use std::ops::Range;
use std::sync::Arc;

use chess_core::{Color, Game, GameResult, Move, Position};
use chess_store::erased::GameReader;
use chess_store::{
    Diagnostics, IndexRows, IndexSummary, MaterialLimit, NameField, Query, Scope, StatRow, Visit,
};

use crate::criteria::Given;
use crate::filter::{HeaderMatch, HeaderTest, Values, any, in_lengths};
use crate::known_names::KnownNames;
use crate::main_line::MainLine;
use crate::{CqlTest, Filter, Material, PositionPattern, Search, Text, Unanswered};

/// Finds the games of one base that a [`Filter`] may select, on one thread.
///
/// Tests number, index, header and the positions of the main line. Each name of the base is compared
/// once; the result is cached by the id of the name.
///
/// ```
/// use chess_store::erased::Database;
/// use query::{Filter, Prefilter, Unanswered};
///
/// fn count(database: &dyn Database, filter: &Filter) -> Result<usize, Unanswered> {
///     let mut prefilter = Prefilter::new(filter);
///     Ok(prefilter.select(&mut *database.reader(), 0..database.len())?.len())
/// }
/// ```
#[derive(Debug)]
pub struct Prefilter<'f> {
    filter: &'f Filter,
    /// The criteria that are set.
    given: Given,
    /// The criteria that a format can test in stored bytes and moves: positions, material, words.
    query: Query,
    asks_header: bool,
    header_tests: Vec<HeaderTest>,
    asks_main_line: bool,
    asks_whole_game: bool,
    /// Whether names decide about the header.
    asks_names_only: bool,
    /// Whether the index is read for names and nothing else.
    selects_by_names: bool,
    /// Whether the index is read for its values.
    asks_summary: bool,
    /// The bits of the names that the filter asks for.
    asks_names: u8,
    /// Results of name comparisons by [`Asked`] and name id.
    known: Arc<KnownNames>,
    name: String,
    scratch: Game,
    /// The games of the range that number, index and header leave.
    found: Vec<u64>,
    /// How many games of `found` the method `next_candidate` has tested.
    tested: usize,
    selected: Vec<u64>,
    numbers: IndexRows,
    summaries: IndexRows,
    names: IndexRows,
    stats: IndexRows,
    damaged: Vec<u64>,
    /// The games whose length the index tells, in rising order.
    measured: Vec<u64>,
    /// Games whose date is [undecided](Filter::undecided), judged by index and header.
    undecided: Vec<u64>,
    openings: Option<Openings>,
    /// The games of the range whose opening line reaches a position.
    reached: Vec<u64>,
    /// How many games of `reached` come before the next candidate.
    passed: usize,
}

/// Whether each [opening line](chess_store::IndexSummary::opening) reaches a position of the filter.
/// `None` if no line does, or if that does not decide about a game.
#[derive(Debug)]
struct Openings(Option<Box<[bool]>>);

impl Openings {
    fn new(filter: &Filter, reader: &dyn GameReader) -> Openings {
        let decides = !filter.in_variations && !filter.asks_main_line();
        if filter.positions.is_empty() || !decides {
            return Openings(None);
        }
        let reaches = |code| reaches(filter, reader.opening_moves(code));
        let lines: Box<[bool]> = (0..=u8::MAX).map(reaches).collect();
        Openings(lines.contains(&true).then_some(lines))
    }

    fn reaches(&self, code: u8) -> bool {
        let line = self.0.as_ref().and_then(|lines| lines.get(usize::from(code)));
        line.copied().unwrap_or(false)
    }
}

/// Returns whether these first moves reach a position of the filter. Only the positions before a
/// capture count: in some variants, captures change the board in other ways than in chess.
fn reaches(filter: &Filter, moves: &[Move]) -> bool {
    let (mut search, mut position) = (Search::new(&filter.positions), Position::start());
    let all = position.occupied().count();
    for m in moves {
        if position.occupied().count() < all || !search.goes_on(&position) {
            return search.found;
        }
        position.apply(*m);
    }
    if !moves.is_empty() && position.occupied().count() == all {
        search.goes_on(&position);
    }
    search.found
}

/// Returns limits of the material that the main line must reach, by the material or else by the queries of
/// the filter. Empty if it asks for none.
fn limits(filter: &Filter) -> Vec<MaterialLimit> {
    if !filter.materials.is_empty() {
        return filter.materials.iter().flat_map(Material::limits).collect();
    }
    let of_queries =
        |list: &Vec<CqlTest>| list.iter().map(CqlTest::limits).collect::<Option<Vec<_>>>();
    let given = filter.cql_lists().into_iter().filter(|list| !list.is_empty());
    given.filter_map(of_queries).next().unwrap_or_default().concat()
}

/// The names that a filter can ask for. Each has a place of its own among the [`KnownNames`].
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Asked {
    White,
    Black,
    Event,
    Site,
    /// Either player, and the opponent.
    Player,
    Against,
}

impl Asked {
    const ALL: [Asked; 6] =
        [Asked::White, Asked::Black, Asked::Event, Asked::Site, Asked::Player, Asked::Against];

    const OF_EVENT: u8 = Asked::Event.bit() | Asked::Site.bit();
    const OF_EITHER_PLAYER: u8 = Asked::Player.bit() | Asked::Against.bit();
    const OF_ONE_FIELD: u8 = Asked::White.bit() | Asked::Black.bit() | Asked::OF_EVENT;

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    fn texts(self, filter: &Filter) -> &[Text] {
        match self {
            Asked::White => &filter.white,
            Asked::Black => &filter.black,
            Asked::Event => &filter.event,
            Asked::Site => &filter.site,
            Asked::Player => &filter.player,
            Asked::Against => &filter.against,
        }
    }

    /// Returns the bits of the names that `filter` asks for.
    fn bits(filter: &Filter) -> u8 {
        let asked = Asked::ALL.iter().filter(|asked| !asked.texts(filter).is_empty());
        let bits = asked.fold(0, |bits, asked| bits | asked.bit());
        // FIDE ids are not in an index.
        if filter.asks_ids() { bits & Asked::OF_EVENT } else { bits }
    }
}

/// Games in a chunk of summaries. Small enough that the summaries stay in the processor's cache.
pub const SUMMARY_CHUNK: u64 = 1024;

impl<'f> Prefilter<'f> {
    /// Creates a prefilter for `filter`.
    #[must_use]
    pub fn new(filter: &'f Filter) -> Prefilter<'f> {
        Prefilter::sharing(filter, Arc::default())
    }

    /// Creates a prefilter for `filter` that shares the results of name comparisons with other threads.
    /// `known` belongs to one filter and one base.
    pub fn sharing(filter: &'f Filter, known: Arc<KnownNames>) -> Prefilter<'f> {
        let positions = if filter.in_variations { &[] } else { filter.positions.as_slice() };
        let boards: Vec<Position> = positions.iter().map(PositionPattern::board).copied().collect();
        // An expression that names no word may match any comment.
        let words = filter.comments.iter().map(|test| test.word().cloned()).collect::<Option<_>>();
        let asks_names_only = filter.asks_names_only();
        let asks_main_line = filter.asks_main_line();
        let given = filter.given();
        Prefilter {
            filter,
            query: Query::new(&boards)
                .with_material(limits(filter))
                .with_words(words.unwrap_or_default())
                .with_whole_lines(asks_main_line),
            given,
            asks_header: filter.asks_header(),
            header_tests: filter.header_tests(given).collect(),
            asks_main_line,
            asks_whole_game: filter.asks_whole_game(),
            asks_names_only,
            selects_by_names: asks_names_only
                && filter.asks_header()
                && filter.length.is_empty()
                && filter.positions.is_empty(),
            asks_summary: filter.asks_header() || !filter.length.is_empty(),
            asks_names: Asked::bits(filter),
            known,
            name: String::new(),
            scratch: Game::new(),
            found: Vec::new(),
            tested: 0,
            selected: Vec::new(),
            numbers: IndexRows::Numbers(Vec::new()),
            summaries: IndexRows::Summaries(Vec::new()),
            names: IndexRows::Names(Vec::new()),
            stats: IndexRows::Stats(Vec::new()),
            damaged: Vec::new(),
            measured: Vec::new(),
            undecided: Vec::new(),
            openings: None,
            reached: Vec::new(),
            passed: 0,
        }
    }

    /// Starts with the games in `games`, and tests their numbers, index data and headers.
    ///
    /// A damaged header is judged by the part that could be read. Pass ranges of thousands of games,
    /// always of the same base.
    pub fn start(&mut self, reader: &mut dyn GameReader, games: Range<u64>) {
        self.damaged.clear();
        self.measured.clear();
        (self.tested, self.passed) = (0, 0);
        self.filter_by_index(reader, games);
        self.count_undecided(reader);
    }

    /// Returns the next game of the range that cannot be ruled out without reading it, in rising order.
    /// May return false positives, never false negatives.
    pub fn next_candidate(&mut self, reader: &mut dyn GameReader) -> Option<u64> {
        loop {
            let game = *self.found.get(self.tested)?;
            self.tested += 1;
            while self.reached.get(self.passed).is_some_and(|reached| *reached < game) {
                self.passed += 1;
            }
            let is_reached = self.reached.get(self.passed) == Some(&game);
            if self.moves_may_match(reader, game, is_reached) {
                return Some(game);
            }
        }
    }

    /// [`Filter::selects`]
    pub fn selects(&self, game: &Game) -> bool {
        self.filter.selects_by(self.given, game)
    }

    /// Returns whether index and header have shown that the filter selects a candidate.
    pub fn is_sure(&self, candidate: u64) -> bool {
        !self.asks_whole_game
            && (self.filter.length.is_empty() || self.measured.binary_search(&candidate).is_ok())
            && self.damaged.binary_search(&candidate).is_err()
    }

    /// Returns the numbers of the games in `games` that the filter selects, in rising order.
    ///
    /// Unlike [`next_candidate`](Prefilter::next_candidate), the answer is exact: where the tests are not
    /// conclusive, the game is read. A damaged game is judged by the part that could be read.
    ///
    /// # Errors
    /// A game could not be tested.
    pub fn select(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> Result<&[u64], Unanswered> {
        self.selected.clear();
        self.start(reader, games);
        while let Some(game) = self.next_candidate(reader) {
            let is_selected = self.is_sure(game) || {
                // On an error, `scratch` holds the part that could be read.
                let read = reader.game(game, &mut self.scratch, &mut Diagnostics::lenient());
                if read.is_err() && self.damaged.last() != Some(&game) {
                    self.damaged.push(game);
                }
                self.selects(&self.scratch)
            };
            if is_selected {
                self.selected.push(game);
            }
        }
        self.filter.answer()?;
        Ok(&self.selected)
    }

    /// Tests the numbers, index data and headers of `games`. Returns the statistics row of each game
    /// that is left. Meant for ranges of hundreds of games.
    pub fn candidate_stats(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> &[StatRow] {
        self.measured.clear();
        let mut rows = std::mem::replace(&mut self.stats, IndexRows::Stats(Vec::new()));
        rows.clear();
        if let (true, IndexRows::Stats(stats)) = (self.asks_summary, &mut rows) {
            stats.extend(self.candidate_summaries(reader, games).iter().map(|(game, summary)| {
                summary.as_ref().map_or(StatRow::new(*game), |summary| StatRow::of(*game, summary))
            }));
        } else {
            reader.prefilter(games, &self.query, &mut rows);
            if let (true, IndexRows::Stats(stats)) = (self.filter.asks_number(), &mut rows) {
                stats.retain(|row| self.filter.has_number(row.game));
            }
        }
        self.stats = rows;
        self.count_undecided(reader);
        self.stats.stats()
    }

    /// Tests the numbers, index data and headers of `games`. Returns the index summary of each game that
    /// is left.
    fn candidate_summaries(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> &[(u64, Option<IndexSummary>)] {
        let mut rows = std::mem::replace(&mut self.summaries, IndexRows::Summaries(Vec::new()));
        rows.clear();
        reader.prefilter(games, &self.query, &mut rows);
        if let IndexRows::Summaries(summaries) = &mut rows {
            summaries.retain(|(game, summary)| {
                self.filter.has_number(*game)
                    && self.header_may_match(reader, *game, summary.as_ref())
            });
        }
        self.summaries = rows;
        self.summaries.summaries()
    }

    /// Appends the games in `games` whose names match, for a filter that asks for nothing else in the
    /// header.
    fn filter_by_names(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
        found: &mut Vec<u64>,
    ) {
        let mut rows = std::mem::replace(&mut self.names, IndexRows::Names(Vec::new()));
        rows.clear();
        reader.prefilter(games, &self.query, &mut rows);
        // Games of one event follow one another, so the last answer often serves the next game.
        let by_event = !self.asks_any_of(!Asked::OF_EVENT);
        let mut last = None;
        let asks_number = self.filter.asks_number();
        for (game, ids) in rows.names() {
            if asks_number && !self.filter.has_number(*game) {
                continue;
            }
            let may_match = match (ids, last) {
                (Some([_, _, event, site, _]), Some((names, answer)))
                    if by_event && names == (*event, *site) =>
                {
                    answer
                }
                (Some(ids), _) => {
                    let [_, _, event, site, _] = *ids;
                    let answer = self.has_names(reader, ids, GameResult::Unknown);
                    last = Some(((event, site), answer));
                    answer
                }
                (None, _) => self.header_may_match(reader, *game, None),
            };
            if may_match {
                found.push(*game);
            }
        }
        self.names = rows;
    }

    fn filter_by_index(&mut self, reader: &mut dyn GameReader, games: Range<u64>) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.reached.clear();
        let filter = self.filter;
        let openings = self.openings.take().unwrap_or_else(|| Openings::new(filter, reader));
        if self.asks_summary && self.filter.games.is_empty() {
            let mut start = games.start;
            while start < games.end {
                let end = games.end.min(start.saturating_add(SUMMARY_CHUNK));
                if self.selects_by_names {
                    self.filter_by_names(reader, start..end, &mut found);
                    start = end;
                    continue;
                }
                self.candidate_summaries(reader, start..end);
                for (game, summary) in self.summaries.summaries() {
                    found.push(*game);
                    if summary.as_ref().is_some_and(|it| openings.reaches(it.opening)) {
                        self.reached.push(*game);
                    }
                }
                start = end;
            }
        } else {
            self.filter_by_number(reader, games, &openings, &mut found);
        }
        (self.found, self.openings) = (found, Some(openings));
    }

    /// Tests the numbers first, so that few headers are read where few games are asked for.
    fn filter_by_number(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
        openings: &Openings,
        found: &mut Vec<u64>,
    ) {
        if self.query.is_empty() && self.query.material().is_empty() {
            found.extend(games.filter(|game| self.filter.has_number(*game)));
        } else if openings.0.is_some() {
            self.stats.clear();
            reader.prefilter(games, &self.query, &mut self.stats);
            let rows = self.stats.stats().iter();
            for row in rows.filter(|row| self.filter.has_number(row.game)) {
                found.push(row.game);
                if openings.reaches(row.opening) {
                    self.reached.push(row.game);
                }
            }
        } else {
            self.numbers.clear();
            reader.prefilter(games, &self.query, &mut self.numbers);
            if let IndexRows::Numbers(numbers) = &mut self.numbers {
                found.extend(numbers.iter().filter(|game| self.filter.has_number(**game)));
            }
        }
        if self.asks_summary {
            found.retain(|game| {
                let summary = reader.summarize(*game);
                self.header_may_match(reader, *game, summary.as_ref())
            });
        }
    }

    /// Returns whether the header may match. Reads it only if `summary` does not decide.
    fn header_may_match(
        &mut self,
        reader: &mut dyn GameReader,
        game: u64,
        summary: Option<&IndexSummary>,
    ) -> bool {
        let mut outcome = HeaderMatch::Selected;
        let mut is_decided = false;
        if let Some(summary) = summary {
            if self.asks_names_only {
                return self.length_matches(game, summary)
                    && self.has_names(reader, &summary.names, summary.result);
            }
            let values = Values::from(summary);
            outcome = self.filter.judge_values(self.header_tests.iter().copied(), &values);
            if outcome == HeaderMatch::Rejected
                || !self.length_matches(game, summary)
                || !self.has_names(reader, &summary.names, summary.result)
            {
                return false;
            }
            if let Some(judged) = self.filter.judge_ratings(&values) {
                outcome = outcome.and(judged);
                is_decided = true;
            }
        }
        if !is_decided && self.asks_header {
            let header = &mut self.scratch.header;
            match reader.header(game, header, &mut Diagnostics::lenient()) {
                Ok(()) => {}
                // The caller meets the error when it reads the game.
                Err(error) if error.scope() == Scope::Base => return true,
                // A damaged game is judged by the part that can be read.
                Err(_) => {
                    self.scratch.clear();
                    let _ = reader.game(game, &mut self.scratch, &mut Diagnostics::lenient());
                }
            }
            outcome = self.filter.judge(&self.scratch.header);
        }
        if outcome == HeaderMatch::Undecided {
            self.undecided.push(game);
        }
        outcome == HeaderMatch::Selected
    }

    /// Returns whether the length of the game may match, and notes whether the index tells it.
    fn length_matches(&mut self, game: u64, summary: &IndexSummary) -> bool {
        let ranges = &self.filter.length;
        let Some(moves) = summary.moves.filter(|_| !ranges.is_empty()) else { return true };
        self.measured.push(game);
        in_lengths(ranges, moves)
    }

    /// Counts the games whose date is undecided and that match in all other respects. Such games are
    /// rare. Each is read if the filter asks for its moves.
    fn count_undecided(&mut self, reader: &mut dyn GameReader) {
        let games = std::mem::take(&mut self.undecided);
        if games.is_empty() {
            return;
        }
        let filter = self.filter;
        let (given, asks_moves) = (self.given, filter.asks_moves());
        let fits = |game: &&u64| {
            let _ = asks_moves
                && reader.game(**game, &mut self.scratch, &mut Diagnostics::lenient()).is_err();
            !asks_moves || filter.judge_contents(given, &self.scratch) != HeaderMatch::Rejected
        };
        let count = games.iter().filter(fits).count() as u64;
        if count > 0 {
            filter.count_undecided(count);
        }
        self.undecided = games;
        self.undecided.clear();
    }

    // Inlined with a test of one bit for each name, because it runs for every game.
    #[inline]
    fn has_names(
        &mut self,
        reader: &mut dyn GameReader,
        ids: &[u32; 5],
        result: GameResult,
    ) -> bool {
        let [white, black, event, site, _] = *ids;
        let (white, black) = ((NameField::White, white), (NameField::Black, black));
        let of_one_field = !self.asks_any_of(Asked::OF_ONE_FIELD)
            || self.name_matches(reader, Asked::Event, (NameField::Event, event))
                && self.name_matches(reader, Asked::Site, (NameField::Site, site))
                && self.name_matches(reader, Asked::White, white)
                && self.name_matches(reader, Asked::Black, black);
        // White and Black have one list of names, so one result serves both fields.
        of_one_field
            && (!self.asks_any_of(Asked::OF_EITHER_PLAYER)
                || self.filter.ended_for(Color::White, result)
                    && self.name_matches(reader, Asked::Player, white)
                    && self.name_matches(reader, Asked::Against, black)
                || self.filter.ended_for(Color::Black, result)
                    && self.name_matches(reader, Asked::Player, black)
                    && self.name_matches(reader, Asked::Against, white))
    }

    #[inline(always)]
    fn asks_any_of(&self, names: u8) -> bool {
        self.asks_names & names != 0
    }

    // Inlined, because most names were compared before.
    #[inline(always)]
    fn name_matches(
        &mut self,
        reader: &mut dyn GameReader,
        asked: Asked,
        name: (NameField, u32),
    ) -> bool {
        if !self.asks_any_of(asked.bit()) {
            return true;
        }
        let known = self.known.get(asked as usize, name.1);
        known.unwrap_or_else(|| self.compare_name(reader, asked, name))
    }

    #[cold]
    #[inline(never)]
    fn compare_name(
        &mut self,
        reader: &mut dyn GameReader,
        asked: Asked,
        (field, id): (NameField, u32),
    ) -> bool {
        reader.name(field, id, &mut self.name);
        let wanted = any(asked.texts(self.filter), |text| text.is_in(&self.name));
        self.known.set(asked as usize, id, wanted);
        wanted
    }

    /// Returns whether stored bytes and main line meet all criteria, or the line is damaged. `is_reached`
    /// says that the index has shown a position of the filter.
    fn moves_may_match(
        &mut self,
        reader: &mut dyn GameReader,
        game: u64,
        is_reached: bool,
    ) -> bool {
        let asks_bytes = !self.query.material().is_empty() || !self.query.words().is_empty();
        if asks_bytes && !reader.may_match(game, &self.query) {
            return false;
        }
        if is_reached || self.query.is_empty() && !self.asks_main_line {
            return true;
        }
        let mut search = Search::new(&self.filter.positions);
        search.found = self.query.is_empty();
        let mut line = MainLine::new(self.filter);
        let (mut searches, mut follows) = (!search.found, self.asks_main_line);
        let mut walk = |visit: &mut Visit<'_>| {
            reader.visit_main_line(game, &self.query, &mut self.scratch, visit)
        };
        let read = match (searches, follows) {
            (true, false) => walk(&mut |_, position, _| search.goes_on(position)),
            (false, _) => walk(&mut |_, position, _| line.goes_on(position)),
            (true, true) => walk(&mut |_, position, _| {
                searches = searches && search.goes_on(position);
                follows = follows && line.goes_on(position);
                // A position that was not found leaves nothing to follow.
                searches || follows && search.found
            }),
        };
        if read.is_err() {
            self.damaged.push(game);
        }
        read.is_err() || search.found && (!self.asks_main_line || line.holds())
    }

    /// Returns the games of the range that a search could not read to their end, in rising order. Such a
    /// [candidate](Prefilter::next_candidate) must be read to decide whether it is selected.
    #[must_use]
    pub fn damaged(&self) -> &[u64] {
        &self.damaged
    }
}
