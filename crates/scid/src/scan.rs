//! Searches the index. Entries are compared in place. (scid §2.6 "Searches")

use std::ops::Range;

use chess_core::{Elo, Game, Move};
use chess_store::io::{CachedFile, ReadAheadFile, ReadAt};
use chess_store::{
    Diagnostics, Features, IndexRows, IndexSummary, Location, NameField, Query, SearchIndex,
    StatRow, Visit,
};

use crate::database::{Database, State};
use crate::decode::follow_record;
use crate::error::Error;
use crate::index::{Derived, IndexEntry, NameIds, Rating};
use crate::layout::flag;
use crate::names::NameKind;
use crate::opening_lines;
use crate::record_scan::{self, Wanted, may_reach};
use crate::roster::{date, decode_eco, decode_values, result_of, year};
use crate::search::{Sought, may_have};

impl State {
    /// The index behind the read-ahead buffer of a search.
    pub(crate) fn entries<'a, R: ReadAt>(
        &'a self,
        index: &'a R,
    ) -> ReadAheadFile<'a, CachedFile<'a, R>> {
        self.read_ahead.cached(self.index.cached(index))
    }
}

impl<R: ReadAt> Database<R> {
    /// Calls `each` with the bytes of each entry that `prefilter` returns, or with no
    /// bytes for a game without an entry.
    #[inline]
    fn each_candidate(
        &self,
        state: &mut State,
        range: Range<u64>,
        query: &Query,
        mut each: impl FnMut(u64, &[u8]),
    ) {
        let (sought, limits) = (query.prepared(Sought::new), query.material());
        let place = (self.version.entry_offset(range.start), self.version.entry_size());
        state.read_ahead.each_entry(&self.files.index, place, range, |game, bytes| {
            // Of most entries no more than this is parsed.
            let derived = self.version.parse_derived(bytes);
            let is_possible = |(flags, derived): (u32, Derived)| {
                (query.is_empty() || sought.is_possible(flags, &derived))
                    && (limits.is_empty() || may_have(flags, &derived, limits))
            };
            if query.is_empty() && limits.is_empty() || derived.is_none_or(is_possible) {
                each(game, bytes);
            }
        });
    }

    /// Reads the record of a game, and its result, date and ratings from the index. Returns where the
    /// record begins and whether the index calls the game Chess960; `None` if the record rules the
    /// query out.
    fn find_record(
        &self,
        state: &mut State,
        game: u64,
        query: &Query,
        scratch: &mut Game,
    ) -> Result<Option<(Location, bool)>, Error> {
        let mut diagnostics = Diagnostics::lenient();
        let entry = self.held_entry(state, game)?;
        let read = self.held_record(state, &entry, game, &mut diagnostics);
        let is_tested = !query.is_empty() && entry.flags & flag::OWN_START == 0 && read.is_ok();
        if is_tested && !may_reach(state.record.bytes(), query.prepared(Sought::new)) {
            return Ok(None);
        }
        let location = self.entry_location(game);
        decode_values(&entry, &mut scratch.header, location, &mut diagnostics)?;
        read.map(|at| Some((at, entry.chess960)))
    }

    /// The name as it appears in the header.
    pub(crate) fn name_of(&self, field: NameField, id: u32) -> &str {
        let kind = match field {
            NameField::White | NameField::Black => NameKind::Player,
            NameField::Event => NameKind::Event,
            NameField::Site => NameKind::Site,
            NameField::Round => NameKind::Round,
        };
        self.names.get(kind as usize).and_then(|names| names.get(id)).unwrap_or("?")
    }
}

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        // One loop for each kind of row, so that the compiler leaves out the fields of the entry
        // that this kind does not have.
        match rows {
            IndexRows::Numbers(numbers) => {
                self.each_candidate(state, range, query, |game, _| numbers.push(game));
            }
            IndexRows::Summaries(summaries) => {
                self.each_candidate(state, range, query, |game, bytes| {
                    let entry = self.version.parse_entry(bytes);
                    summaries.push((game, entry.map(|entry| summary_of(&entry, self.games_size))));
                });
            }
            // Of an entry that no query tests, nothing but the ids is parsed.
            IndexRows::Names(names) if query.is_empty() && query.material().is_empty() => {
                let place = (self.version.entry_offset(range.start), self.version.entry_size());
                state.read_ahead.each_entry(&self.files.index, place, range, |game, bytes| {
                    names.push((game, self.version.parse_ids(bytes).map(|ids| listed(&ids))));
                });
            }
            IndexRows::Names(names) => {
                self.each_candidate(state, range, query, |game, bytes| {
                    names.push((game, self.version.parse_ids(bytes).map(|ids| listed(&ids))));
                });
            }
            IndexRows::Stats(stats) => {
                self.each_candidate(state, range, query, |game, bytes| {
                    let entry = self.version.parse_entry(bytes);
                    let row = entry.map(|entry| stat_row(game, &entry, self.games_size));
                    stats.push(row.unwrap_or(StatRow::new(game)));
                });
            }
            rows => self.each_candidate(state, range, query, |game, bytes| {
                rows.push_with(game, || {
                    let entry = self.version.parse_entry(bytes)?;
                    Some(summary_of(&entry, self.games_size))
                });
            }),
        }
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        let entry = self.held_entry(state, game).ok()?;
        Some(summary_of(&entry, self.games_size))
    }

    fn may_match(&self, state: &mut State, game: u64, query: &Query) -> bool {
        let (limits, words) = (query.material(), query.words());
        // An entry or a record that cannot be read says nothing.
        let Ok(entry) = self.held_entry(state, game) else { return true };
        if !limits.is_empty() && !may_have(entry.flags, &entry.derived, limits) {
            return false;
        }
        let follows = !limits.is_empty() && entry.flags & flag::OWN_START == 0;
        if !follows && words.is_empty()
            || self.held_record(state, &entry, game, &mut Diagnostics::lenient()).is_err()
        {
            return true;
        }
        let record = state.record.bytes();
        // The bytes of comments are stored as they are.
        (words.is_empty() || words.iter().any(|word| self.text.may_contain(record, word)))
            && (!follows || record_scan::may_have(record, query.prepared(Wanted::all)))
    }

    fn visit_main_line(
        &self,
        state: &mut State,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        scratch.clear();
        match self.find_record(state, game, query, scratch) {
            Ok(None) => Ok(()),
            Ok(Some((at, chess960))) => {
                follow_record(state.record.bytes(), at, &self.text, chess960, scratch, visit)
            }
            Err(error) => {
                visit(&scratch.header, &scratch.start_position(), None);
                Err(error)
            }
        }
    }

    fn name(&self, _: &mut State, field: NameField, id: u32, name: &mut String) {
        self.name_of(field, id).clone_into(name);
    }

    fn opening_moves(code: u8) -> &'static [Move] {
        opening_lines::moves(code)
    }
}

// Inlined so that unused fields of the entry are optimised away.
#[inline(always)]
fn stat_row(game: u64, entry: &IndexEntry, games_size: u64) -> StatRow {
    let mut row = StatRow::new(game);
    row.opening = opening_of(entry, games_size);
    row.result = result_of(entry.result).unwrap_or_default();
    row.year = year(entry.date);
    row.elo = [elo(entry.white_rating), elo(entry.black_rating)];
    row
}

/// The opening line, if the game starts from the usual position and its record is in the games file.
/// The line then stands for the first moves of the record, which need not be read.
#[inline(always)]
fn opening_of(entry: &IndexEntry, games_size: u64) -> u8 {
    let end = entry.offset.saturating_add(u64::from(entry.length));
    let is_stored = entry.length > 0 && end <= games_size;
    if is_stored && entry.flags & flag::OWN_START == 0 { entry.derived.opening_line } else { 0 }
}

/// The length of the main line in full moves. `None` if a field of the entry contradicts it.
// scid §2.6.10
#[inline(always)]
fn moves_of(entry: &IndexEntry, games_size: u64) -> Option<u32> {
    let Derived { plies, material, home_pawn_count, .. } = entry.derived;
    let (plies, length) = (u32::from(plies), entry.length);
    let end = entry.offset.saturating_add(u64::from(length));
    // Each half-move has a byte or more, and the entry has the number modulo 1024.
    let is_possible = plies > 0 && (plies..plies.saturating_add(1024)).contains(&length);
    // A half-move makes two home pawns leave at most.
    let pawns = u32::from(home_pawn_count);
    let is_filled = pawns > 0 && pawns <= plies.saturating_mul(2) && material != 0;
    let is_known = end <= games_size && entry.flags & flag::OWN_START == 0;
    (is_possible && is_filled && is_known).then(|| plies.div_ceil(2))
}

#[inline(always)]
fn elo(rating: Rating) -> Option<Elo> {
    if rating.kind == 0 { Elo::new(rating.value) } else { None }
}

/// Returns the ids of the names in the order of [`NameField`].
#[inline(always)]
fn listed(ids: &NameIds) -> [u32; 5] {
    [ids.white, ids.black, ids.event, ids.site, ids.round]
}

fn summary_of(entry: &IndexEntry, games_size: u64) -> IndexSummary {
    let mut summary = IndexSummary::default();
    summary.names = listed(&entry.names);
    summary.result = result_of(entry.result).unwrap_or_default();
    // An impossible month is left out, as in the header.
    let known = date(entry.date).or_else(|| date(entry.date & !(15 << 5)));
    summary.date = known.unwrap_or_default();
    summary.white_elo = elo(entry.white_rating);
    summary.black_elo = elo(entry.black_rating);
    summary.has_every_elo = true;
    summary.opening = opening_of(entry, games_size);
    summary.moves = moves_of(entry, games_size);
    summary.eco = decode_eco(entry.eco);
    summary.deleted = entry.flags & flag::DELETED != 0;
    let mut features = Features::default();
    features.set_up = entry.flags & flag::OWN_START != 0;
    features.variations = entry.counts.variations > 0;
    features.comments = entry.counts.comments > 0;
    features.nags = entry.counts.nags > 0;
    summary.features = Some(features);
    summary
}
