//! A filter at work on one base: what the index answers comes first.

use std::ops::Range;

use chess_core::{Game, Position};
use chess_store::erased::GameReader;
use chess_store::{Diagnostics, IndexRows, IndexSummary, NameField, Query, Scope, StatRow};

use super::{Filter, PositionPattern, Search, Text, Values, Verdict, any};

/// Finds the games of one base that a filter may choose, for one thread. It judges by number, index,
/// header and the positions of the main line, and decodes no game.
///
/// Each name of the base is compared once: the result is kept by the name's id.
#[derive(Debug)]
pub struct Sieve<'f> {
    filter: &'f Filter,
    /// The positions that the main line must reach.
    query: Query,
    asks_header: bool,
    /// What each name was found to be: White's, Black's, event, site; either player, as White and
    /// as Black.
    known: [Vec<Known>; 6],
    name: String,
    scratch: Game,
    found: Vec<u64>,
    numbers: IndexRows,
    summaries: IndexRows,
    stats: IndexRows,
    damaged: Vec<u64>,
    /// Games whose date is [undecided](Filter::undecided), as far as the index and header tell.
    undecided: Vec<u64>,
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
            query: Query::new(&boards),
            asks_header: filter.asks_header(),
            known: Default::default(),
            name: String::new(),
            scratch: Game::new(),
            found: Vec::new(),
            numbers: IndexRows::Numbers(Vec::new()),
            summaries: IndexRows::Summaries(Vec::new()),
            stats: IndexRows::Stats(Vec::new()),
            damaged: Vec::new(),
            undecided: Vec::new(),
        }
    }

    /// Returns the numbers of the games in `games` that `select` cannot rule out without reading them,
    /// in rising order. May return false positives, never false negatives. What could be read of a
    /// damaged header decides. Call it with ranges of thousands of games, always of the same base.
    pub fn sift(&mut self, reader: &mut dyn GameReader, games: Range<u64>) -> &[u64] {
        self.damaged.clear();
        self.sift_by_index(reader, games);
        if !self.query.is_empty() {
            let mut found = std::mem::take(&mut self.found);
            found.retain(|game| self.may_come(reader, *game));
            self.found = found;
        }
        self.count_undecided(reader);
        &self.found
    }

    /// Returns the numbers of the games in `games` that the filter selects, in rising order.
    ///
    /// Unlike [`sift`](Sieve::sift), the answer is exact: where index and header do not decide, the game
    /// is read. What could be read of a damaged game decides.
    pub fn select(&mut self, reader: &mut dyn GameReader, games: Range<u64>) -> &[u64] {
        self.sift(reader, games);
        let reads_all = self.filter.asks_more_than_positions();
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

    /// As [`sift`](Sieve::sift), judged without the moves, each game with what statistics count.
    /// Meant for ranges of hundreds of games.
    pub(crate) fn sift_stats(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> &[StatRow] {
        let mut rows = std::mem::replace(&mut self.stats, IndexRows::Stats(Vec::new()));
        rows.clear();
        if let (true, IndexRows::Stats(stats)) = (self.asks_header, &mut rows) {
            stats.extend(self.sift_summaries(reader, games).iter().map(|(game, summary)| {
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

    /// As [`sift`](Sieve::sift), judged without the moves, each game with what the index says.
    fn sift_summaries(
        &mut self,
        reader: &mut dyn GameReader,
        games: Range<u64>,
    ) -> &[(u64, Option<IndexSummary>)] {
        let mut rows = std::mem::replace(&mut self.summaries, IndexRows::Summaries(Vec::new()));
        rows.clear();
        reader.prefilter(games, &self.query, &mut rows);
        if let IndexRows::Summaries(summaries) = &mut rows {
            summaries.retain(|(game, summary)| {
                self.filter.has_number(*game) && self.may_be(reader, *game, summary.as_ref())
            });
        }
        self.summaries = rows;
        self.summaries.summaries()
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
        if self.query.is_empty() {
            found.extend(games.filter(|game| self.filter.has_number(*game)));
        } else {
            self.numbers.clear();
            reader.prefilter(games, &self.query, &mut self.numbers);
            if let IndexRows::Numbers(numbers) = &mut self.numbers {
                found.extend(numbers.iter().filter(|game| self.filter.has_number(**game)));
            }
        }
        if self.asks_header {
            found.retain(|game| {
                let summary = reader.summarize(*game);
                self.may_be(reader, *game, summary.as_ref())
            });
        }
    }

    /// Whether the header may be as wanted, given what the index tells of it.
    fn may_be(
        &mut self,
        reader: &mut dyn GameReader,
        game: u64,
        summary: Option<&IndexSummary>,
    ) -> bool {
        let mut verdict = Verdict::Chosen;
        if let Some(summary) = summary {
            verdict = self.filter.judge_values(&Values::from(summary));
            if verdict == Verdict::Rejected || !self.has_names(reader, summary) {
                return false;
            }
        }
        if summary.is_none() || self.filter.asks_header_tags() {
            let header = &mut self.scratch.header;
            match reader.header(game, header, &mut Diagnostics::lenient()) {
                Ok(()) => {}
                // The caller meets the error when it reads the game.
                Err(error) if error.scope() == Scope::Base => return true,
                // What can be read of a damaged game decides.
                Err(_) => {
                    self.scratch.clear();
                    let _ = reader.game(game, &mut self.scratch, &mut Diagnostics::lenient());
                }
            }
            verdict = self.filter.judge(&self.scratch.header);
        }
        if verdict == Verdict::Undecided {
            self.undecided.push(game);
        }
        verdict == Verdict::Chosen
    }

    /// Counts the games whose date is undecided and that are as wanted in all else. Such games are
    /// few: each is read if the filter asks for its moves.
    fn count_undecided(&mut self, reader: &mut dyn GameReader) {
        let games = std::mem::take(&mut self.undecided);
        let filter = self.filter;
        let fits = |game: &&u64| {
            let _ = filter.asks_moves()
                && reader.game(**game, &mut self.scratch, &mut Diagnostics::lenient()).is_err();
            !filter.asks_moves() || filter.has_contents(&self.scratch)
        };
        let count = games.iter().filter(fits).count() as u64;
        if count > 0 {
            filter.count_undecided(count);
        }
        self.undecided = games;
        self.undecided.clear();
    }

    fn has_names(&mut self, reader: &mut dyn GameReader, summary: &IndexSummary) -> bool {
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

    /// Whether the main line reaches one of the positions, or is damaged.
    fn may_come(&mut self, reader: &mut dyn GameReader, game: u64) -> bool {
        let mut search = Search::new(&self.filter.positions);
        let visit = &mut |_: &_, position: &Position, _| search.goes_on(position);
        let read = reader.visit_main_line(game, &self.query, &mut self.scratch, visit);
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
