//! Choosing games, the same everywhere games are chosen.

use std::ops::RangeInclusive;

use chess_core::seam::Database;
use chess_core::{Date, Diagnostics, Eco, Elo, Game, GameResult, Header, Position, Replay, Token};

/// What a game must be to be chosen. The default chooses all; everything set must hold.
///
/// Texts match any part of the field, in either case.
#[derive(Clone, Debug, Default)]
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
    /// Whether a game of this number and header may be chosen.
    #[must_use]
    pub fn allows(&self, number: u64, header: &Header) -> bool {
        self.has_number(number) && self.has_names(header) && self.has_values(header)
    }

    /// Whether this game is chosen.
    #[must_use]
    pub fn selects(&self, number: u64, game: &Game) -> bool {
        self.allows(number, &game.header)
            && self.annotated.is_none_or(|annotated| is_annotated(game) == annotated)
            && self.position.as_ref().is_none_or(|p| reaches(game, p, self.in_variations))
    }

    /// Whether a game need not be read, as its number, its header or the index tells. A header
    /// that does not read is no reason.
    #[must_use]
    pub fn passes_over(&self, database: &dyn Database, number: u64, header: &mut Header) -> bool {
        if !self.has_number(number) {
            return true;
        }
        if let Some(position) = &self.position
            && !self.in_variations
            && !database.may_reach(number, position)
        {
            return true;
        }
        self.asks_header()
            && database.header(number, header, &mut Diagnostics::lenient()).is_ok()
            && !self.allows(number, header)
    }

    fn asks_header(&self) -> bool {
        let texts = [&self.player, &self.white, &self.black, &self.event, &self.site];
        texts.into_iter().any(Option::is_some)
            || self.date.is_some()
            || self.eco.is_some()
            || self.elo.is_some()
            || self.results.is_some()
            || self.deleted.is_some()
    }

    fn has_number(&self, number: u64) -> bool {
        self.games.as_ref().is_none_or(|games| games.iter().any(|range| range.contains(&number)))
    }

    fn has_names(&self, header: &Header) -> bool {
        contains(&self.white, &header.white)
            && contains(&self.black, &header.black)
            && contains(&self.event, &header.event)
            && contains(&self.site, &header.site)
            && (contains(&self.player, &header.white) || contains(&self.player, &header.black))
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

fn contains(wanted: &Option<String>, text: &str) -> bool {
    wanted.as_ref().is_none_or(|wanted| text.to_lowercase().contains(&wanted.to_lowercase()))
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
