//! Filters: the criteria by which games are selected, for every command and binding.
//!
//! A [`Filter`] is a set of criteria; a game must meet all of them. There are two ways to apply one:
//!
//! - [`Filter::selects`] tests a game that is already decoded.
//! - [`Prefilter`] tests the games of a database by index, number, header and main line, and decodes
//!   only the games that are left. [`Scanner`](crate::Scanner), [`Converter`](crate::Converter) and
//!   [`tree::Explorer`](crate::tree::Explorer) use it internally.
//!
//! Example: White is `karpov`, the date is `1975..`, and the position is P. The index drops the games
//! that cannot contain P, as far as the format's index tells. Then it drops the games before 1975. The
//! White names of the games that are left are compared, each name once. Finally the main line of each
//! game is followed until it reaches P or can no longer reach it.

mod board;
mod builder;
mod comment;
mod compare;
mod error;
mod given;
mod known_names;
mod line;
mod main_line;
mod material;
mod missing;
mod named;
mod opening;
mod pattern;
pub(crate) mod person;
mod prefilter;
pub mod ranges;
mod selector;
mod tag;
mod text;
mod time_class;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_core::{
    Color, Date, Eco, EcoSub, Elo, Game, GameResult, Header, Position, Replay, Token,
};
use chess_store::{IndexSummary, Query};

pub use board::BoardPattern;
pub use comment::CommentTest;
pub use error::QueryError;
pub(crate) use known_names::KnownNames;
pub use line::Line;
pub use material::Material;
pub use missing::MissingTag;
pub use named::NamedError;
pub use opening::OpeningTest;
pub use pattern::PositionPattern;
pub use prefilter::Prefilter;
pub(crate) use prefilter::SUMMARY_CHUNK;
pub use selector::{Selected, Selector};
pub use tag::TagTest;
pub use text::Text;
pub(crate) use text::sort_key;
pub use time_class::{TimeClass, time_classes};

use main_line::MainLine;

use crate::spelling::{NameKind, Spelling};

/// Criteria by which games are selected. The default selects all games.
///
/// Every criterion that is set must hold. A list holds if it is empty or if one of its entries
/// holds.
///
/// ```
/// use scoresheet::Filter;
///
/// let filter = Filter::new().player("carlsen m")?.player("Caruana")?.date("2019-05..2021")?;
/// assert_eq!(filter.player.len(), 2);
/// # Ok::<(), scoresheet::filter::QueryError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Zero-based game numbers.
    pub games: Vec<RangeInclusive<u64>>,
    /// Zero-based game numbers to exclude, in rising order.
    pub without: Arc<[u64]>,
    /// The only zero-based game numbers to select, in rising order.
    pub(crate) only: Option<Arc<[u64]>>,
    /// Name of either player.
    pub player: Vec<Text>,
    /// The opponent of [`player`](Filter::player), who can have either colour.
    pub against: Vec<Text>,
    /// The name of White.
    pub white: Vec<Text>,
    /// The name of Black.
    pub black: Vec<Text>,
    /// The event.
    pub event: Vec<Text>,
    /// The site.
    pub site: Vec<Text>,
    /// Date of the game. A partly known date is in a range that contains every day it can be:
    /// `1995.??.??` is in 1990 to 1999, but not in 1995-06 to 1999. A date that can be inside or
    /// outside is [undecided](Filter::undecided). Unknown parts in the end of a range include
    /// everything.
    pub date: Vec<RangeInclusive<Date>>,
    /// ECO codes. The extension of a code (`B90a`) is compared only if the range is a single
    /// extended code.
    pub eco: Vec<RangeInclusive<Eco>>,
    /// Rating range that both players must be in.
    pub elo: Vec<RangeInclusive<u16>>,
    /// Absolute difference between the ratings of both players.
    pub elo_difference: Vec<RangeInclusive<u16>>,
    /// Openings, by the moves of the game.
    pub openings: Vec<OpeningTest>,
    /// How fast the game was played.
    pub time_classes: Vec<TimeClass>,
    /// Game results.
    pub results: Vec<GameResult>,
    /// Length of the main line in full moves: a move of White and a move of Black count as one.
    pub length: Vec<RangeInclusive<u32>>,
    /// First moves of the main line.
    pub lines: Vec<Line>,
    /// Tests of tag values. Unlike other lists, all tests must hold.
    pub tags: Vec<TagTest>,
    /// Tags. At least one of them is unknown in the game.
    pub missing_tags: Vec<MissingTag>,
    /// Whether the game is marked as deleted.
    pub deleted: Option<bool>,
    /// Whether the game has a comment, a NAG or a variation.
    pub annotated: Option<bool>,
    /// Positions that the game reaches.
    pub positions: Vec<PositionPattern>,
    /// Material that is on the board in the main line.
    pub materials: Vec<Material>,
    /// Boards with wildcards, which the main line reaches.
    pub patterns: Vec<BoardPattern>,
    /// Regular expressions that a comment matches.
    pub comments: Vec<CommentTest>,
    /// Searches variations for the positions too.
    pub in_variations: bool,
    /// The spelling file of [`spelt`](Filter::spelt). A [`Deduper`](crate::dedupe::Deduper) uses it, too.
    pub(crate) spelling: Option<Arc<Spelling>>,
    pub(crate) undecided: Count,
}

/// A counter shared by the clones of a filter.
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

impl HeaderMatch {
    fn of(is_selected: bool) -> HeaderMatch {
        if is_selected { HeaderMatch::Selected } else { HeaderMatch::Rejected }
    }

    /// Combines the outcomes of two tests, which must both hold.
    fn and(self, other: HeaderMatch) -> HeaderMatch {
        use HeaderMatch::{Rejected, Selected, Undecided};
        match (self, other) {
            (Rejected, _) | (_, Rejected) => Rejected,
            (Undecided, _) | (_, Undecided) => Undecided,
            (Selected, Selected) => Selected,
        }
    }
}

impl Filter {
    /// Treats the spellings of one person, event or site in `spelling` as one name. Call this after all
    /// names are set.
    #[must_use]
    pub fn spelt(mut self, spelling: &Arc<Spelling>) -> Filter {
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
        self.spelling = Some(Arc::clone(spelling));
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

    fn count_undecided(&self, games: u64) {
        self.undecided.0.fetch_add(games, Ordering::Relaxed);
    }

    /// Returns whether the filter selects every game.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.games.is_empty()
            && self.without.is_empty()
            && self.only.is_none()
            && !self.asks_header()
            && !self.asks_moves()
    }

    /// Returns whether some criteria need the moves of a game.
    #[must_use]
    pub fn asks_moves(&self) -> bool {
        self.asks_more_than_positions() || !self.positions.is_empty() || self.asks_main_line()
    }

    /// Returns whether some criteria concern positions of the main line, apart from the list of
    /// [`positions`](Filter::positions).
    pub(crate) fn asks_main_line(&self) -> bool {
        !(self.openings.is_empty() && self.materials.is_empty() && self.patterns.is_empty())
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
        self.annotated.is_some()
            || !self.lines.is_empty()
            || (self.in_variations && !self.positions.is_empty())
            || !(self.time_classes.is_empty() && self.comments.is_empty())
            || self.tags.iter().any(|test| !test.is_of_header())
            || self.missing_tags.iter().any(|tag| !tag.is_of_header())
    }

    /// Returns whether game numbers are a criterion.
    pub(crate) fn asks_number(&self) -> bool {
        !self.games.is_empty() || !self.without.is_empty() || self.only.is_some()
    }

    /// Returns whether the filter can select a game of this number.
    #[must_use]
    pub fn has_number(&self, number: u64) -> bool {
        any(&self.games, |range| range.contains(&number))
            && (self.without.is_empty() || self.without.binary_search(&number).is_err())
            && self.only.as_ref().is_none_or(|only| only.binary_search(&number).is_ok())
    }

    /// Returns the first number from `start` on that the list of [single games](Filter::only) has.
    pub(crate) fn first_number(&self, start: u64) -> Option<u64> {
        let Some(only) = &self.only else { return Some(start) };
        only.get(only.partition_point(|number| *number < start)).copied()
    }

    /// Returns whether the filter can select a game with this header, regardless of its number. The
    /// header needs no tags beyond its typed fields.
    #[must_use]
    pub fn allows(&self, header: &Header) -> bool {
        self.judge(header) == HeaderMatch::Selected
    }

    fn judge(&self, header: &Header) -> HeaderMatch {
        let values = self.judge_values(&Values::from(header));
        if values == HeaderMatch::Rejected || !self.has_names(header) {
            return HeaderMatch::Rejected;
        }
        let of_header = self.missing_tags.iter().all(MissingTag::is_of_header);
        if of_header && !any(&self.missing_tags, |tag| tag.holds_in(header)) {
            return HeaderMatch::Rejected;
        }
        let tags = self.tags.iter().filter(|test| test.is_of_header());
        tags.fold(values, |outcome, test| outcome.and(test.judge_header(header)))
    }

    /// Judges the tests of tags by the values of an index. `None` if these do not decide: a test concerns
    /// more than ratings, or compares a rating that is not known, whose tag may have another text.
    fn judge_ratings(&self, values: &Values) -> Option<HeaderMatch> {
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
        let tests = self.tags.iter().filter(|test| test.is_of_header());
        tests
            .map(|test| match rating(test.rated()?) {
                None if !values.has_every_elo => None,
                rating => test.judge_rating(rating),
            })
            .try_fold(HeaderMatch::Selected, |outcome, judged| Some(outcome.and(judged?)))
    }

    /// Returns whether the filter selects `game`, regardless of its number.
    #[must_use]
    pub fn selects(&self, game: &Game) -> bool {
        let mut outcome = self.judge(&game.header);
        if outcome != HeaderMatch::Rejected {
            outcome = outcome.and(self.judge_contents(game));
        }
        // The number of a game of a stream is not known yet.
        if outcome == HeaderMatch::Undecided && !self.asks_number() {
            self.count_undecided(1);
        }
        outcome == HeaderMatch::Selected
    }

    /// Judges everything but the header.
    fn judge_contents(&self, game: &Game) -> HeaderMatch {
        let tags = self.tags.iter();
        let tags = tags.fold(HeaderMatch::Selected, |outcome, test| outcome.and(test.judge(game)));
        let fits = tags != HeaderMatch::Rejected && self.has_contents(game);
        if fits { tags } else { HeaderMatch::Rejected }
    }

    fn has_contents(&self, game: &Game) -> bool {
        any(&self.missing_tags, |tag| tag.holds(game))
            && any(&self.time_classes, |class| *class == TimeClass::of(game))
            && self.annotated.is_none_or(|annotated| is_annotated(game) == annotated)
            && (self.length.is_empty() || has_length(&self.length, game))
            && any(&self.lines, |line| line.begins(game))
            && any(&self.comments, |test| test.holds(game))
            && (self.positions.is_empty() || reaches(game, &self.positions, self.in_variations))
            && (!self.asks_main_line() || MainLine::of(self, game))
    }

    fn asks_header(&self) -> bool {
        let texts =
            [&self.player, &self.against, &self.white, &self.black, &self.event, &self.site];
        let empty = [
            self.date.is_empty(),
            self.eco.is_empty(),
            self.elo.is_empty(),
            self.elo_difference.is_empty(),
            self.results.is_empty(),
        ];
        texts.into_iter().any(|texts| !texts.is_empty())
            || empty.contains(&false)
            || self.deleted.is_some()
            || self.asks_header_tags()
    }

    /// Returns whether the filter asks for nothing in the header except names.
    fn asks_names_only(&self) -> bool {
        let empty = [
            self.date.is_empty(),
            self.eco.is_empty(),
            self.elo.is_empty(),
            self.elo_difference.is_empty(),
            self.results.is_empty(),
            self.tags.is_empty(),
            self.missing_tags.is_empty(),
        ];
        !empty.contains(&false) && self.deleted.is_none()
    }

    /// Returns whether a tag test concerns a typed header field.
    fn asks_header_tags(&self) -> bool {
        self.tags.iter().any(TagTest::is_of_header)
            || self.missing_tags.iter().any(MissingTag::is_of_header)
    }

    fn has_names(&self, header: &Header) -> bool {
        let has = |texts: &[Text], value: &str| any(texts, |text| text.is_in(value));
        has(&self.white, &header.white)
            && has(&self.black, &header.black)
            && has(&self.event, &header.event)
            && has(&self.site, &header.site)
            && (has(&self.player, &header.white) && has(&self.against, &header.black)
                || has(&self.player, &header.black) && has(&self.against, &header.white))
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
            && any(&self.elo_difference, |range| {
                let elos = values.white_elo.zip(values.black_elo);
                elos.is_some_and(|(white, black)| {
                    range.contains(&white.get().abs_diff(black.get()))
                })
            })
            && (self.results.is_empty() || self.results.contains(&values.result))
            && self.deleted.is_none_or(|deleted| values.deleted == deleted);
        if fits { date } else { HeaderMatch::Rejected }
    }
}

/// The typed, non-text fields of a header.
struct Values {
    date: Date,
    eco: Option<Eco>,
    white_elo: Option<Elo>,
    black_elo: Option<Elo>,
    /// Whether a rating that is not here is in no tag.
    has_every_elo: bool,
    result: GameResult,
    deleted: bool,
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
fn any<T>(list: &[T], holds: impl FnMut(&T) -> bool) -> bool {
    list.is_empty() || list.iter().any(holds)
}

fn in_codes(range: &RangeInclusive<Eco>, eco: Eco) -> bool {
    if range.start() == range.end() && range.start().sub() != EcoSub::None {
        return eco == *range.start();
    }
    (range.start().code()..=range.end().code()).contains(&eco.code())
}

/// Compares a date with several ranges. An empty list contains every date.
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
    in_lengths(ranges, moves)
}

fn in_lengths(ranges: &[RangeInclusive<u32>], moves: u32) -> bool {
    ranges.iter().any(|range| range.contains(&moves))
}

fn is_annotated(game: &Game) -> bool {
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
pub(crate) struct Search<'a> {
    positions: &'a [PositionPattern],
    /// The smallest piece count of the positions. The search stops below it, because captures are
    /// irreversible.
    fewest: u32,
    pub(crate) found: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(positions: &'a [PositionPattern]) -> Search<'a> {
        let count = |pattern: &PositionPattern| pattern.board().occupied().count();
        let fewest = positions.iter().map(count).min().unwrap_or(0);
        Search { positions, fewest, found: false }
    }

    /// Tests `position`. Returns `false` once the search is over: a match was found, or no later
    /// position can match.
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
}
