//! Choosing games, the same everywhere games are chosen.

mod error;
mod given;
mod line;
mod named;
mod pattern;
pub(crate) mod person;
mod prefilter;
pub mod ranges;

mod tag;
mod text;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_core::{Date, Eco, EcoSub, Elo, Game, GameResult, Header, Position, Replay, Token};
use chess_store::{IndexSummary, Query};

pub use error::QueryError;
pub use line::Line;
pub use named::NamedError;
pub use pattern::PositionPattern;
pub use prefilter::Prefilter;
pub(crate) use prefilter::SUMMARY_CHUNK;
pub use tag::TagTest;
pub use text::Text;
pub(crate) use text::sort_key;

/// What a game must be to be chosen. The default chooses all.
///
/// Of a list that is not empty one entry must hold; all that is set must hold.
///
/// ```
/// use scoresheet::filter::{Filter, Text, ranges};
///
/// let mut filter = Filter::default();
/// filter.player = vec![Text::name("carlsen m")?, Text::name("Caruana")?];
/// filter.date = ranges::dates("2019-05..2021")?;
/// # Ok::<(), scoresheet::filter::QueryError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Numbers from zero.
    pub games: Vec<RangeInclusive<u64>>,
    /// Numbers from zero that are left out, rising.
    pub without: Arc<[u64]>,
    /// The name of either player.
    pub player: Vec<Text>,
    /// The name of White.
    pub white: Vec<Text>,
    /// The name of Black.
    pub black: Vec<Text>,
    /// The event.
    pub event: Vec<Text>,
    /// The site.
    pub site: Vec<Text>,
    /// When it was played. A date of which a part is unknown is in a range that contains all days
    /// it can be: `1995.??.??` is in 1990 to 1999, but not in 1995-06 to 1999. One that can be
    /// inside or outside is [undecided](Filter::undecided). In the end of a range, unknown parts
    /// include all.
    pub date: Vec<RangeInclusive<Date>>,
    /// Opening codes. What refines a code counts only where a single refined code is asked for.
    pub eco: Vec<RangeInclusive<Eco>>,
    /// The rating of both players.
    pub elo: Vec<RangeInclusive<u16>>,
    /// How it ended.
    pub results: Vec<GameResult>,
    /// Moves of the main line, counted as players do: a move of White and one of Black are one.
    pub length: Vec<RangeInclusive<u32>>,
    /// How its main line begins.
    pub lines: Vec<Line>,
    /// Tags and what their values must be like. All of these must hold.
    pub tags: Vec<TagTest>,
    /// Whether the base marks it as deleted.
    pub deleted: Option<bool>,
    /// Whether it has a comment, a glyph or a variation.
    pub annotated: Option<bool>,
    /// A position that it reaches.
    pub positions: Vec<PositionPattern>,
    /// Look for the position in variations too.
    pub in_variations: bool,
    pub(crate) undecided: Count,
}

/// A counter that the clones of a filter share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count(Arc<AtomicU64>);

/// How a header compares with a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeaderMatch {
    Selected,
    /// The date can be inside or outside the ranges. All other tests match.
    Undecided,
    Rejected,
}

impl Filter {
    /// How many games were left out only because their date is partly known and can be inside or
    /// outside the ranges. Clones of a filter count together.
    #[must_use]
    pub fn undecided(&self) -> u64 {
        self.undecided.0.load(Ordering::Relaxed)
    }

    /// The same filter with a count of [undecided](Filter::undecided) games of its own, for a second
    /// reading of the same games.
    #[must_use]
    pub fn recounted(&self) -> Filter {
        Filter { undecided: Count::default(), ..self.clone() }
    }

    /// The numbers asked for that a base of so many games does not have, as first and last from zero.
    #[must_use]
    pub fn missing_numbers(&self, games: u64) -> Vec<RangeInclusive<u64>> {
        let missing = |range: &RangeInclusive<u64>| {
            let (first, last) = (*range.start(), *range.end());
            // A range without an end asks for what there is.
            (first >= games || last >= games && last != u64::MAX).then(|| first.max(games)..=last)
        };
        self.games.iter().filter_map(missing).collect()
    }

    fn count_undecided(&self, games: u64) {
        self.undecided.0.fetch_add(games, Ordering::Relaxed);
    }

    /// Whether it chooses every game.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.games.is_empty()
            && self.without.is_empty()
            && !self.asks_header()
            && !self.asks_moves()
    }

    /// Whether some games are chosen by what only reading them tells.
    #[must_use]
    pub fn asks_moves(&self) -> bool {
        self.asks_more_than_positions() || !self.positions.is_empty()
    }

    /// Whether some games are chosen by more of their contents than the positions of the main line.
    #[must_use]
    pub fn asks_more_than_positions(&self) -> bool {
        self.annotated.is_some()
            || !(self.length.is_empty() && self.lines.is_empty())
            || (self.in_variations && !self.positions.is_empty())
            || self.tags.iter().any(|test| !test.is_of_header())
    }

    /// Whether numbers decide.
    pub(crate) fn asks_number(&self) -> bool {
        !self.games.is_empty() || !self.without.is_empty()
    }

    /// Whether a game of this number may be chosen.
    #[must_use]
    pub fn has_number(&self, number: u64) -> bool {
        any(&self.games, |range| range.contains(&number))
            && (self.without.is_empty() || self.without.binary_search(&number).is_err())
    }

    /// Whether a game of this header may be chosen, whatever its number. The header need not have
    /// more tags than those of its fields.
    #[must_use]
    pub fn allows(&self, header: &Header) -> bool {
        self.judge(header) == HeaderMatch::Selected
    }

    fn judge(&self, header: &Header) -> HeaderMatch {
        let values = self.judge_values(&Values::from(header));
        let mut tags = self.tags.iter().filter(|test| test.is_of_header());
        let fits = values != HeaderMatch::Rejected
            && self.has_names(header)
            && tags.all(|test| test.holds_in(header));
        if fits { values } else { HeaderMatch::Rejected }
    }

    /// Whether a game is chosen, whatever its number.
    #[must_use]
    pub fn selects(&self, game: &Game) -> bool {
        let outcome = self.judge(&game.header);
        let chosen = outcome != HeaderMatch::Rejected && self.has_contents(game);
        // Of a stream, the number is not known yet.
        if chosen && outcome == HeaderMatch::Undecided && !self.asks_number() {
            self.count_undecided(1);
        }
        chosen && outcome == HeaderMatch::Selected
    }

    fn has_contents(&self, game: &Game) -> bool {
        self.tags.iter().all(|test| test.holds(game))
            && self.annotated.is_none_or(|annotated| is_annotated(game) == annotated)
            && (self.length.is_empty() || has_length(&self.length, game))
            && any(&self.lines, |line| line.begins(game))
            && (self.positions.is_empty() || reaches(game, &self.positions, self.in_variations))
    }

    fn asks_header(&self) -> bool {
        let texts = [&self.player, &self.white, &self.black, &self.event, &self.site];
        texts.into_iter().any(|texts| !texts.is_empty())
            || !(self.date.is_empty() && self.eco.is_empty() && self.elo.is_empty())
            || !self.results.is_empty()
            || self.deleted.is_some()
            || self.asks_header_tags()
    }

    /// Whether tests of tags ask the header.
    fn asks_header_tags(&self) -> bool {
        self.tags.iter().any(TagTest::is_of_header)
    }

    fn has_names(&self, header: &Header) -> bool {
        let has = |texts: &[Text], value: &str| any(texts, |text| text.is_in(value));
        has(&self.white, &header.white)
            && has(&self.black, &header.black)
            && has(&self.event, &header.event)
            && has(&self.site, &header.site)
            && (has(&self.player, &header.white) || has(&self.player, &header.black))
    }

    fn judge_values(&self, values: &Values) -> HeaderMatch {
        let in_elo = |range: &RangeInclusive<u16>, elo: Option<Elo>| {
            elo.is_some_and(|elo| range.contains(&elo.get()))
        };
        let date = in_any(&self.date, values.date);
        let fits = date != HeaderMatch::Rejected
            && any(&self.eco, |range| values.eco.is_some_and(|eco| in_codes(range, eco)))
            && any(&self.elo, |range| {
                in_elo(range, values.white_elo) && in_elo(range, values.black_elo)
            })
            && (self.results.is_empty() || self.results.contains(&values.result))
            && self.deleted.is_none_or(|deleted| values.deleted == deleted);
        if fits { date } else { HeaderMatch::Rejected }
    }
}

/// The fields of a header that are no texts.
struct Values {
    date: Date,
    eco: Option<Eco>,
    white_elo: Option<Elo>,
    black_elo: Option<Elo>,
    result: GameResult,
    deleted: bool,
}

impl From<&Header> for Values {
    fn from(header: &Header) -> Values {
        let Header { date, eco, white_elo, black_elo, result, deleted, .. } = *header;
        Values { date, eco, white_elo, black_elo, result, deleted }
    }
}

impl From<&IndexSummary> for Values {
    fn from(summary: &IndexSummary) -> Values {
        let IndexSummary { date, eco, white_elo, black_elo, result, deleted, .. } = *summary;
        Values { date, eco, white_elo, black_elo, result, deleted }
    }
}

/// Whether one of a list holds, or there is none.
fn any<T>(list: &[T], holds: impl FnMut(&T) -> bool) -> bool {
    list.is_empty() || list.iter().any(holds)
}

fn in_codes(range: &RangeInclusive<Eco>, eco: Eco) -> bool {
    if range.start() == range.end() && range.start().sub() != EcoSub::None {
        return eco == *range.start();
    }
    (range.start().code()..=range.end().code()).contains(&eco.code())
}

/// Whether a date is in one of several ranges. No range is every range.
fn in_any(ranges: &[RangeInclusive<Date>], date: Date) -> HeaderMatch {
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

fn in_dates(range: &RangeInclusive<Date>, date: Date) -> HeaderMatch {
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
    ranges.iter().any(|range| range.contains(&moves))
}

fn is_annotated(game: &Game) -> bool {
    game.tokens().any(|token| !matches!(token, Token::Move(_)))
}

/// Whether a game comes to one of some positions: on the main line, or on any.
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

/// Looks for positions on a line.
pub(crate) struct Search<'a> {
    positions: &'a [PositionPattern],
    /// The fewest pieces that one of them has: nothing brings back what was taken.
    fewest: u32,
    pub(crate) found: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(positions: &'a [PositionPattern]) -> Search<'a> {
        let count = |pattern: &PositionPattern| pattern.board().occupied().count();
        let fewest = positions.iter().map(count).min().unwrap_or(0);
        Search { positions, fewest, found: false }
    }

    /// Looks at a position; whether it makes sense to look at those after it.
    #[inline]
    pub(crate) fn goes_on(&mut self, position: &Position) -> bool {
        self.found = self.found || self.positions.iter().any(|pattern| pattern.fits(position));
        !self.found && position.occupied().count() >= self.fewest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_partly_known_is_in_range_of_all_its_days() {
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
    fn undecided_date_counts_only_if_all_else_fits() {
        let mut filter = Filter::default();
        filter.date = ranges::dates("1995-06..").unwrap();
        filter.white = vec![Text::name("karpov").unwrap()];
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
    fn eco_refined_is_found_by_its_code_and_alone() {
        let eco = |text: &str| text.parse::<Eco>().unwrap();
        let fits = |query, code| in_codes(&ranges::ecos(query).unwrap()[0], eco(code));
        assert!(fits("b20", "B20/03") && fits("B20/03", "B20/03") && fits("b20..b21", "B21a"));
        assert!(!fits("B20/03", "B20") && !fits("B20/03", "B20/04"));
    }
}
