//! A filter at work on one base: what the index answers comes first.

use std::ops::Range;

use chess_core::{Game, Position};
use chess_store::seam::GameReader;
use chess_store::{Diagnostics, NameField, Outcome, Scope, Summaries, Summary, Targets};

use super::{Filter, PositionPattern, Search, Text, Values, any};

/// Takes out of the games of a base, for one thread, those that a filter cannot choose, as far as
/// number, index, header and a glance at the moves tell.
///
/// Made for one base: names are looked at once, by their numbers there.
#[derive(Debug)]
pub struct Sieve<'f> {
    filter: &'f Filter,
    /// The positions that the main line must come to.
    targets: Targets,
    asks_header: bool,
    /// What each name was found to be: White's, Black's, event, site; either player, as White and
    /// as Black.
    known: [Vec<Known>; 6],
    name: String,
    scratch: Game,
    found: Vec<u64>,
    summaries: Summaries,
    outcomes: Vec<Outcome>,
    damaged: Vec<u64>,
}

/// Whether a name is one of those that are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Known {
    #[default]
    Not,
    Is(bool),
}

/// Games whose summaries are looked at together, so that they stay in the processor's cache.
pub(crate) const AT_ONCE: u64 = 1024;
/// Names of higher numbers are looked at each time: a damaged number must not size memory.
const MOST_KNOWN: u32 = 1 << 22;

impl<'f> Sieve<'f> {
    /// Of a filter.
    #[must_use]
    pub fn new(filter: &'f Filter) -> Sieve<'f> {
        let positions = if filter.in_variations { &[] } else { filter.positions.as_slice() };
        let boards: Vec<Position> = positions.iter().map(PositionPattern::board).copied().collect();
        Sieve {
            filter,
            targets: Targets::new(&boards),
            asks_header: filter.asks_header(),
            known: Default::default(),
            name: String::new(),
            scratch: Game::new(),
            found: Vec::new(),
            summaries: Summaries::new(),
            outcomes: Vec::new(),
            damaged: Vec::new(),
        }
    }

    /// Returns the numbers of the games in `games` that `select` cannot rule out without reading them,
    /// in rising order. May return false positives, never false negatives. What could be read of a
    /// damaged header decides. Call it with ranges of thousands of games, always of the same base.
    pub fn sift(&mut self, reader: &mut dyn GameReader, games: Range<u64>) -> &[u64] {
        self.damaged.clear();
        self.sift_by_index(reader, games);
        if !self.targets.positions().is_empty() && reader.follows() {
            let mut found = std::mem::take(&mut self.found);
            found.retain(|game| self.may_come(reader, *game));
            self.found = found;
        }
        &self.found
    }

    /// Returns the numbers of the games in `games` that the filter selects, in rising order.
    ///
    /// Unlike [`sift`](Sieve::sift), the answer is exact: where index and header do not decide, the game
    /// is read. What could be read of a damaged game decides.
    pub fn select(&mut self, reader: &mut dyn GameReader, games: Range<u64>) -> &[u64] {
        self.sift(reader, games);
        let reads_all = self.filter.asks_more_than_positions()
            || (self.filter.asks_moves() && !reader.follows());
        let mut found = std::mem::take(&mut self.found);
        found.retain(|number| {
            let is_sure = !reads_all && self.damaged.binary_search(number).is_err();
            is_sure || {
                // An error leaves in the game what could be read.
                let _ = reader.game(*number, &mut self.scratch, &mut Diagnostics::lenient());
                self.filter.selects(&self.scratch)
            }
        });
        self.found = found;
        &self.found
    }

    /// As [`sift`](Sieve::sift), without a glance at the moves; each with what the index tells
    /// statistics. Meant for stretches of hundreds of games.
    pub(crate) fn sift_outcomes(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> &[Outcome] {
        let mut found = std::mem::take(&mut self.outcomes);
        found.clear();
        if self.asks_header {
            found.extend(self.sift_summaries(reader, games).iter().map(Outcome::from));
        } else {
            reader.outcomes(games, self.targets.positions(), &mut found);
            if self.filter.asks_number() {
                found.retain(|outcome| self.filter.has_number(outcome.game));
            }
        }
        self.outcomes = found;
        &self.outcomes
    }

    /// As [`sift`](Sieve::sift), without a glance at the moves, each with what the index tells.
    fn sift_summaries(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> &[(u64, Option<Summary>)] {
        let mut found = std::mem::take(&mut self.summaries);
        found.clear();
        reader.summaries(games, self.targets.positions(), &mut found);
        found.retain(|(game, summary)| {
            self.filter.has_number(*game) && self.may_be(reader, *game, summary.as_ref())
        });
        self.summaries = found;
        &self.summaries
    }

    fn sift_by_index(&mut self, reader: &mut dyn GameReader, games: Range<u64>) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if self.asks_header && self.filter.games.is_empty() {
            let mut start = games.start;
            while start < games.end {
                let end = games.end.min(start.saturating_add(AT_ONCE));
                let summaries = self.sift_summaries(reader, start..end);
                found.extend(summaries.iter().map(|(game, _)| *game));
                start = end;
            }
        } else {
            self.sift_by_number(reader, games, &mut found);
        }
        self.found = found;
    }

    /// Looks at few headers where few games are asked for.
    fn sift_by_number(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
        found: &mut Vec<u64>,
    ) {
        if self.targets.positions().is_empty() {
            found.extend(games.filter(|game| self.filter.has_number(*game)));
        } else {
            reader.candidates(games, self.targets.positions(), found);
            found.retain(|game| self.filter.has_number(*game));
        }
        if self.asks_header {
            found.retain(|game| {
                let mut summary = Summary::default();
                let known = reader.summary(*game, &mut summary);
                self.may_be(reader, *game, known.then_some(&summary))
            });
        }
    }

    /// Whether the header may be as wanted, given what the index tells of it.
    fn may_be(
        &mut self,
        reader: &mut dyn GameReader,
        game: u64,
        summary: Option<&Summary>,
    ) -> bool {
        if let Some(summary) = summary {
            let may_be =
                self.filter.has_values(&Values::from(summary)) && self.has_names(reader, summary);
            if !may_be || !self.filter.asks_header_tags() {
                return may_be;
            }
        }
        let header = &mut self.scratch.header;
        match reader.header(game, header, &mut Diagnostics::lenient()) {
            // The caller meets the error when it reads the game.
            Err(error) if error.scope() == Scope::Base => true,
            // What could be read of a damaged header decides, as it does when the game is read.
            _ => self.filter.allows(header),
        }
    }

    fn has_names(&mut self, reader: &mut dyn GameReader, summary: &Summary) -> bool {
        let filter = self.filter;
        let mut has = |place: usize, texts: &[Text], field: NameField| {
            texts.is_empty() || self.is_wanted(reader, place, texts, field, summary.name(field))
        };
        has(0, &filter.white, NameField::White)
            && has(1, &filter.black, NameField::Black)
            && has(2, &filter.event, NameField::Event)
            && has(3, &filter.site, NameField::Site)
            && (has(4, &filter.player, NameField::White)
                || has(5, &filter.player, NameField::Black))
    }

    fn is_wanted(
        &mut self,
        reader: &mut dyn GameReader,
        place: usize,
        texts: &[Text],
        field: NameField,
        id: u32,
    ) -> bool {
        let slot = id as usize;
        let known = self.known.get(place).and_then(|known| known.get(slot));
        if let Some(Known::Is(wanted)) = known {
            return *wanted;
        }
        reader.name(field, id, &mut self.name);
        let wanted = any(texts, |text| text.is_in(&self.name));
        if let Some(known) = self.known.get_mut(place).filter(|_| id < MOST_KNOWN) {
            if known.len() <= slot {
                known.resize(slot.saturating_add(1), Known::Not);
            }
            if let Some(known) = known.get_mut(slot) {
                *known = Known::Is(wanted);
            }
        }
        wanted
    }

    /// Whether the main line comes to one of the positions, or is damaged.
    fn may_come(&mut self, reader: &mut dyn GameReader, game: u64) -> bool {
        if !reader.glance(game, &self.targets) {
            return false;
        }
        let mut search = Search::new(&self.filter.positions);
        let visit = &mut |_: &_, position: &Position, _| search.goes_on(position);
        let read = reader.follow(game, &mut self.scratch, visit);
        if read.is_err() {
            self.damaged.push(game);
        }
        read.is_err() || search.found
    }

    /// Returns the games of the last call that a position search could not follow to their end, in
    /// rising order. After [`sift`](Sieve::sift) only reading such a game tells whether it is selected.
    #[must_use]
    pub fn damaged(&self) -> &[u64] {
        &self.damaged
    }
}
