//! Choosing games, the same everywhere games are chosen.

mod error;
mod line;
mod named;
mod pattern;
pub mod ranges;
mod sieve;
mod tag;
mod text;

use std::ops::RangeInclusive;
use std::sync::Arc;

use chess_core::{Date, Eco, Elo, Game, GameResult, Header, Position, Replay, Token};
use chess_store::Summary;

pub use error::QueryError;
pub use line::Line;
pub use named::NamedError;
pub use pattern::PositionPattern;
pub(crate) use sieve::AT_ONCE;
pub use sieve::Sieve;
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
    /// When it was played; an unknown date is in no range, and a date of which only the year is
    /// known only in one that begins with that year or before. In the end of a range, unknown
    /// parts include all.
    pub date: Vec<RangeInclusive<Date>>,
    /// Opening codes, without what refines them.
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
}

impl Filter {
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
        self.has_names(header)
            && self.has_values(&Values::from(header))
            && self.tags.iter().filter(|test| test.is_of_header()).all(|test| test.holds_in(header))
    }

    /// Whether a game is chosen, whatever its number.
    #[must_use]
    pub fn selects(&self, game: &Game) -> bool {
        self.allows(&game.header)
            && self.tags.iter().all(|test| test.holds(game))
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

    fn has_values(&self, values: &Values) -> bool {
        let in_elo = |range: &RangeInclusive<u16>, elo: Option<Elo>| {
            elo.is_some_and(|elo| range.contains(&elo.get()))
        };
        any(&self.date, |range| in_dates(range, values.date))
            && any(&self.eco, |range| {
                let codes = range.start().code()..=range.end().code();
                values.eco.is_some_and(|eco| codes.contains(&eco.code()))
            })
            && any(&self.elo, |range| {
                in_elo(range, values.white_elo) && in_elo(range, values.black_elo)
            })
            && (self.results.is_empty() || self.results.contains(&values.result))
            && self.deleted.is_none_or(|deleted| values.deleted == deleted)
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

impl From<&Summary> for Values {
    fn from(summary: &Summary) -> Values {
        let Summary { date, eco, white_elo, black_elo, result, deleted, .. } = *summary;
        Values { date, eco, white_elo, black_elo, result, deleted }
    }
}

/// Whether one of a list holds, or there is none.
fn any<T>(list: &[T], holds: impl FnMut(&T) -> bool) -> bool {
    list.is_empty() || list.iter().any(holds)
}

fn in_dates(range: &RangeInclusive<Date>, date: Date) -> bool {
    let latest = |part: u8| if part == 0 { u8::MAX } else { part };
    let (year, month, day) = range.end().parts();
    let year = if year == 0 { u16::MAX } else { year };
    date.year().is_some()
        && range.start().parts() <= date.parts()
        && date.parts() <= (year, latest(month), latest(day))
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
        chess_store::follow(game, &mut |_, position, _| search.goes_on(position));
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
