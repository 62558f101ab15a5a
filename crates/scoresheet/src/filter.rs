//! Choosing games, the same everywhere games are chosen.

use std::ops::RangeInclusive;

use chess_core::{Date, Eco, Elo, Game, GameResult, Header, Position, Replay, Token};
use chess_store::Diagnostics;
use chess_store::seam::GameReader;

/// What a game must be to be chosen. The default chooses all; everything set must hold.
///
/// Texts match any part of the field, in either case.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Numbers from zero, in any order.
    pub games: Option<Vec<RangeInclusive<u64>>>,
    /// In the name of either player.
    pub player: Option<String>,
    /// In the name of White.
    pub white: Option<String>,
    /// In the name of Black.
    pub black: Option<String>,
    /// In the event.
    pub event: Option<String>,
    /// In the site.
    pub site: Option<String>,
    /// When it was played; an unknown date is in no range, and a date of which only the year is
    /// known only in one that begins with that year or before. In the end of a range, unknown
    /// parts include all.
    pub date: Option<RangeInclusive<Date>>,
    /// Opening codes, without what refines them.
    pub eco: Option<RangeInclusive<Eco>>,
    /// The rating of both players.
    pub elo: Option<RangeInclusive<u16>>,
    /// One of these results.
    pub results: Option<Vec<GameResult>>,
    /// Whether the base marks it as deleted.
    pub deleted: Option<bool>,
    /// Whether it has a comment, a glyph or a variation.
    pub annotated: Option<bool>,
    /// A position that it reaches.
    pub position: Option<Position>,
    /// Look for the position in variations too.
    pub in_variations: bool,
}

impl Filter {
    /// The filter made ready for many games.
    #[must_use]
    pub fn selector(&self) -> Selector {
        let text = |text: &Option<String>| text.as_deref().map(Wanted::new);
        Selector {
            player: text(&self.player),
            white: text(&self.white),
            black: text(&self.black),
            event: text(&self.event),
            site: text(&self.site),
            filter: self.clone(),
        }
    }
}

/// A [`Filter`] made ready for many games.
#[derive(Clone, Debug)]
pub struct Selector {
    filter: Filter,
    player: Option<Wanted>,
    white: Option<Wanted>,
    black: Option<Wanted>,
    event: Option<Wanted>,
    site: Option<Wanted>,
}

impl Selector {
    /// Whether a game of this number may be chosen.
    #[must_use]
    pub fn has_number(&self, number: u64) -> bool {
        let games = self.filter.games.as_ref();
        games.is_none_or(|games| games.iter().any(|range| range.contains(&number)))
    }

    /// Whether a game of this header may be chosen, whatever its number.
    #[must_use]
    pub fn allows(&self, header: &Header) -> bool {
        self.has_names(header) && self.filter.has_values(header)
    }

    /// Whether a game is chosen, whatever its number.
    #[must_use]
    pub fn selects(&self, game: &Game) -> bool {
        let Filter { annotated, position, in_variations, .. } = &self.filter;
        self.allows(&game.header)
            && annotated.is_none_or(|annotated| is_annotated(game) == annotated)
            && position.as_ref().is_none_or(|p| reaches(game, p, *in_variations))
    }

    /// Whether a game need not be read, as its number, its header or the index tells. A header
    /// that does not read is no reason.
    #[must_use]
    pub fn passes_over(
        &self,
        reader: &mut dyn GameReader,
        number: u64,
        header: &mut Header,
    ) -> bool {
        if !self.has_number(number) {
            return true;
        }
        if let Some(position) = &self.filter.position
            && !self.filter.in_variations
            && !reader.may_reach(number, position)
        {
            return true;
        }
        self.filter.asks_header()
            && reader.header(number, header, &mut Diagnostics::lenient()).is_ok()
            && !self.allows(header)
    }

    fn has_names(&self, header: &Header) -> bool {
        let has = |wanted: &Option<Wanted>, text: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted.is_in(text))
        };
        has(&self.white, &header.white)
            && has(&self.black, &header.black)
            && has(&self.event, &header.event)
            && has(&self.site, &header.site)
            && (has(&self.player, &header.white) || has(&self.player, &header.black))
    }
}

/// A text to be found in others, in either case.
#[derive(Clone, Debug)]
struct Wanted {
    lower: String,
}

impl Wanted {
    fn new(text: &str) -> Wanted {
        Wanted { lower: text.to_lowercase() }
    }

    fn is_in(&self, text: &str) -> bool {
        if !text.is_ascii() {
            return text.to_lowercase().contains(&self.lower);
        }
        let (text, lower) = (text.as_bytes(), self.lower.as_bytes());
        lower.is_empty() || text.windows(lower.len()).any(|part| part.eq_ignore_ascii_case(lower))
    }
}

impl Filter {
    fn asks_header(&self) -> bool {
        let texts = [&self.player, &self.white, &self.black, &self.event, &self.site];
        texts.into_iter().any(Option::is_some)
            || self.date.is_some()
            || self.eco.is_some()
            || self.elo.is_some()
            || self.results.is_some()
            || self.deleted.is_some()
    }

    fn has_values(&self, header: &Header) -> bool {
        let in_elo = |range: &RangeInclusive<u16>, elo: Option<Elo>| {
            elo.is_some_and(|elo| range.contains(&elo.get()))
        };
        self.date.as_ref().is_none_or(|range| in_dates(range, header.date))
            && self.eco.as_ref().is_none_or(|range| {
                let codes = range.start().code()..=range.end().code();
                header.eco.is_some_and(|eco| codes.contains(&eco.code()))
            })
            && self.elo.as_ref().is_none_or(|range| {
                in_elo(range, header.white_elo) && in_elo(range, header.black_elo)
            })
            && self.results.as_ref().is_none_or(|results| results.contains(&header.result))
            && self.deleted.is_none_or(|deleted| header.deleted == deleted)
    }
}

fn in_dates(range: &RangeInclusive<Date>, date: Date) -> bool {
    let latest = |part: u8| if part == 0 { u8::MAX } else { part };
    let (year, month, day) = range.end().parts();
    let year = if year == 0 { u16::MAX } else { year };
    date.year().is_some()
        && range.start().parts() <= date.parts()
        && date.parts() <= (year, latest(month), latest(day))
}

fn is_annotated(game: &Game) -> bool {
    game.tokens().any(|token| !matches!(token, Token::Move(_)))
}

/// Whether a game comes to a position, whatever its clocks: on the main line, or on any.
#[must_use]
pub fn reaches(game: &Game, position: &Position, in_variations: bool) -> bool {
    let mut replay = Replay::new(game);
    if replay.position().same_position(position) {
        return true;
    }
    for token in game.tokens() {
        replay.step(token);
        if matches!(token, Token::Move(_))
            && (in_variations || replay.depth() == 0)
            && replay.position().same_position(position)
        {
            return true;
        }
    }
    false
}
