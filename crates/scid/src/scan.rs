//! Searches of the index: entries read as they lie. (scid §2.6 "Searches")

use std::ops::Range;

use chess_core::{Elo, GameResult, Position};
use chess_store::io::{PagedFile, ReadAt, Stretched};
use chess_store::{Diagnostics, Features, NameField, Outcome, Summaries, Summary, Targets};

use crate::database::{Database, State};
use crate::glance::glance;
use crate::index::{IndexEntry, Rating};
use crate::layout::flag;
use crate::names::NameKind;
use crate::roster::{date, decode_eco, year};

impl State {
    /// The index, and before it what a search read of it last.
    pub(crate) fn entries<'a, R: ReadAt>(
        &'a self,
        index: &'a R,
    ) -> Stretched<'a, PagedFile<'a, R>> {
        self.stretch.before(self.index.before(index))
    }
}

impl<R: ReadAt> Database<R> {
    /// Appends the games that may reach one of some positions; one without an entry may.
    pub(crate) fn scan(
        &self,
        state: &mut State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Vec<u64>,
    ) {
        self.each_candidate(state, games, positions, |game, _| found.push(game));
    }

    /// As [`scan`](Database::scan), each with what its entry says; without positions, all games.
    pub(crate) fn scan_summaries(
        &self,
        state: &mut State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Summaries,
    ) {
        self.each_candidate(state, games, positions, |game, bytes| {
            found.push((game, self.version.parse_entry(bytes).as_ref().map(summary_of)));
        });
    }

    /// The same, only what statistics count.
    pub(crate) fn scan_outcomes(
        &self,
        state: &mut State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Vec<Outcome>,
    ) {
        self.each_candidate(state, games, positions, |game, bytes| {
            let entry = self.version.parse_entry(bytes);
            found.push(entry.map_or(Outcome::new(game), |entry| outcome_of(game, &entry)));
        });
    }

    /// Hands over the bytes of entries that may reach one of some positions, or of all if there are
    /// none; no bytes for a game without an entry.
    #[inline]
    fn each_candidate(
        &self,
        state: &mut State,
        games: Range<u64>,
        positions: &[Position],
        mut each: impl FnMut(u64, &[u8]),
    ) {
        let State { stretch, sought, .. } = state;
        sought.set(positions);
        let place = (self.version.entry_offset(games.start), self.version.entry_size());
        stretch.each_entry(&self.files.index, place, games, |game, bytes| {
            // Of most entries no more than this is looked at.
            let derived = self.version.parse_derived(bytes);
            let is_possible = |(flags, derived)| sought.is_possible(flags, &derived);
            if positions.is_empty() || derived.is_none_or(is_possible) {
                each(game, bytes);
            }
        });
    }

    /// Whether a game's record may come to one of some positions.
    pub(crate) fn glance_at(&self, state: &mut State, game: u64, targets: &Targets) -> bool {
        let Ok(entry) = self.read_entry(&state.entries(&self.files.index), game) else {
            return true;
        };
        if entry.flags & flag::OWN_START != 0 {
            return true;
        }
        let games = state.games.before(&self.files.games);
        let mut diagnostics = Diagnostics::lenient();
        let read = self.read_record(&games, &entry, game, &mut state.record, &mut diagnostics);
        state.sought.set(targets.positions());
        read.is_err() || glance(&state.record, &state.sought)
    }

    /// What the entry says of a game.
    pub(crate) fn summarize(&self, state: &mut State, game: u64, summary: &mut Summary) -> bool {
        let Ok(entry) = self.read_entry(&state.entries(&self.files.index), game) else {
            return false;
        };
        *summary = summary_of(&entry);
        true
    }

    /// A name as the header has it.
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

// Always inlined, as the making of the entry: what is not asked for is then not made.
#[inline(always)]
fn outcome_of(game: u64, entry: &IndexEntry) -> Outcome {
    let mut outcome = Outcome::new(game);
    outcome.opening = opening_of(entry);
    outcome.result = result_of(entry);
    outcome.year = year(entry.date);
    outcome.elo = [elo(entry.white_rating), elo(entry.black_rating)];
    outcome
}

/// The opening line, of a game from the usual start position.
#[inline(always)]
fn opening_of(entry: &IndexEntry) -> u8 {
    if entry.flags & flag::OWN_START == 0 { entry.derived.opening_line } else { 0 }
}

#[inline(always)]
fn result_of(entry: &IndexEntry) -> GameResult {
    match entry.result {
        1 => GameResult::White,
        2 => GameResult::Black,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}

#[inline(always)]
fn elo(rating: Rating) -> Option<Elo> {
    if rating.kind == 0 { Elo::new(rating.value) } else { None }
}

fn summary_of(entry: &IndexEntry) -> Summary {
    let mut summary = Summary::default();
    let ids = entry.names;
    summary.names = [ids.white, ids.black, ids.event, ids.site, ids.round];
    summary.result = result_of(entry);
    // An impossible month is left out, as in the header.
    let known = date(entry.date).or_else(|| date(entry.date & !(15 << 5)));
    summary.date = known.unwrap_or_default();
    summary.white_elo = elo(entry.white_rating);
    summary.black_elo = elo(entry.black_rating);
    summary.opening = opening_of(entry);
    summary.eco = decode_eco(entry.eco);
    summary.deleted = entry.flags & flag::DELETED != 0;
    summary.features = Some(Features {
        set_up: entry.flags & flag::OWN_START != 0,
        variations: entry.counts.variations > 0,
        comments: entry.counts.comments > 0,
        nags: entry.counts.nags > 0,
    });
    summary
}
