//! Searches of the index: entries read as they lie. (scid §2.6 "Searches")

use std::io;
use std::ops::Range;

use chess_core::{Elo, GameResult, Position};
use chess_store::io::{PagedFile, ReadAt};
use chess_store::{Diagnostics, NameField, Opening, Summaries, Summary};

use crate::database::{Database, State};
use crate::glance::glance;
use crate::index::{IndexEntry, Rating};
use crate::layout::flag;
use crate::names::NameKind;
use crate::opening_lines;
use crate::roster::{date, decode_eco};

/// Bytes of the index that are read at a time.
const STRETCH: u64 = 1 << 16;

/// The part of the index that a search read last: what it leaves is looked at next.
#[derive(Debug, Default)]
pub(crate) struct Stretch {
    start: u64,
    bytes: Vec<u8>,
}

impl Stretch {
    fn read(&mut self, index: &impl ReadAt, start: u64, length: usize) -> &[u8] {
        self.start = start;
        self.bytes.resize(length, 0);
        let read = index.read_full(start, &mut self.bytes).unwrap_or(0);
        self.bytes.truncate(read);
        &self.bytes
    }
}

/// An index, and before it what was read of it last.
pub(crate) struct Entries<'a, R> {
    stretch: &'a Stretch,
    index: PagedFile<'a, R>,
}

impl State {
    pub(crate) fn entries<'a, R: ReadAt>(&'a self, index: &'a R) -> Entries<'a, R> {
        Entries { stretch: &self.stretch, index: self.index.before(index) }
    }
}

impl<R: ReadAt> ReadAt for Entries<'_, R> {
    fn size(&self) -> io::Result<u64> {
        self.index.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match offset.checked_sub(self.stretch.start) {
            Some(place) if place < self.stretch.bytes.len() as u64 => {
                self.stretch.bytes.read_at(place, buffer)
            }
            _ => self.index.read_at(offset, buffer),
        }
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
        let State { stretch, sought, .. } = state;
        sought.set(positions);
        self.each_entry(stretch, games, |game, bytes| {
            let derived = self.version.parse_derived(bytes);
            if derived.is_none_or(|(flags, derived)| sought.is_possible(flags, &derived)) {
                found.push(game);
            }
        });
    }

    /// As [`scan`](Database::scan), each with what its entry says; without positions, all games.
    pub(crate) fn scan_summaries(
        &self,
        state: &mut State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Summaries,
    ) {
        let State { stretch, sought, .. } = state;
        sought.set(positions);
        self.each_entry(stretch, games, |game, bytes| {
            // Of most entries no more than this is looked at.
            let derived = self.version.parse_derived(bytes);
            let is_possible = |(flags, derived)| sought.is_possible(flags, &derived);
            if positions.is_empty() || derived.is_none_or(is_possible) {
                let summary = match found.briefly {
                    true => self.version.parse_entry(bytes).as_ref().map(brief_summary_of),
                    false => self.version.parse_entry(bytes).as_ref().map(summary_of),
                };
                found.games.push((game, summary));
            }
        });
    }

    /// Hands over the bytes of entries; none for a game without an entry.
    fn each_entry(
        &self,
        stretch: &mut Stretch,
        games: Range<u64>,
        mut each: impl FnMut(u64, &[u8]),
    ) {
        let size = self.version.entry_size();
        let mut first = games.start;
        while first < games.end {
            let count =
                games.end.saturating_sub(first).min(STRETCH.checked_div(size as u64).unwrap_or(1));
            let length = usize::try_from(count).unwrap_or(0).saturating_mul(size);
            let whole = stretch.read(&self.files.index, self.version.entry_offset(first), length);
            let mut next = first;
            for entry in whole.chunks_exact(size) {
                each(next, entry);
                next = next.saturating_add(1);
            }
            first = first.saturating_add(count);
            (next..first).for_each(|game| each(game, &[]));
        }
    }

    /// Whether a game's record may come to one of some positions.
    pub(crate) fn glance_at(&self, state: &mut State, game: u64, positions: &[Position]) -> bool {
        let Ok(entry) = self.read_entry(&state.entries(&self.files.index), game) else {
            return true;
        };
        if entry.flags & flag::OWN_START != 0 {
            return true;
        }
        let games = state.games.before(&self.files.games);
        let mut diagnostics = Diagnostics::lenient();
        let read = self.read_record(&games, &entry, game, &mut state.record, &mut diagnostics);
        state.sought.set(positions);
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

/// See [`Summaries::briefly`].
#[inline(always)]
fn brief_summary_of(entry: &IndexEntry) -> Summary {
    let elo = |rating: Rating| if rating.kind == 0 { Elo::new(rating.value) } else { None };
    let set_up = entry.flags & flag::OWN_START != 0;
    let mut summary = Summary::default();
    summary.result = match entry.result {
        1 => GameResult::White,
        2 => GameResult::Black,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    };
    // An impossible month is left out, as in the header.
    let known = date(entry.date).or_else(|| date(entry.date & !(15 << 5)));
    summary.date = known.unwrap_or_default();
    summary.white_elo = elo(entry.white_rating);
    summary.black_elo = elo(entry.black_rating);
    if !set_up {
        let code = entry.derived.opening_line;
        summary.opening = Opening::new(code, opening_lines::moves(code));
    }
    summary
}

#[inline(always)]
fn summary_of(entry: &IndexEntry) -> Summary {
    let mut summary = brief_summary_of(entry);
    let ids = entry.names;
    summary.names = [ids.white, ids.black, ids.event, ids.site, ids.round];
    summary.eco = decode_eco(entry.eco);
    summary.deleted = entry.flags & flag::DELETED != 0;
    summary.set_up = entry.flags & flag::OWN_START != 0;
    summary.variations = entry.counts.variations > 0;
    summary.comments = entry.counts.comments > 0;
    summary.nags = entry.counts.nags > 0;
    summary
}
