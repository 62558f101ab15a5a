//! Reading games.

use std::fmt;
use std::fs::File;
use std::ops::Range;

use chess_core::{Game, Header};
use chess_store::io::{PageCache, ReadAhead, ReadAt};
use chess_store::{
    About, Describe, Diagnostics, Encoding, Fact, Field, IndexRows, IndexSummary, Location,
    NameField, Query, ReadGames, RecordBounds, SearchIndex, TextDecoder, Walk, Warning,
};

use crate::decode::{RecordDecoder, RecordOptions};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderDecoder;
use crate::index::{Entries, IndexEntry, IndexHeader};
use crate::layout::{Layout, MAGIC_SIZE};
use crate::length::{Length, LengthError, parse_length, parse_old_record_length};
use crate::names::NameFiles;
use crate::promotion::PromotionNumbering;

/// A base, open for reading. It never changes, so threads may share it; its games are read by a
/// [`reader`](ReadGames::reader), one for each thread, or come one after the other from
/// [`games`](ReadGames::games).
pub struct Database<R = File> {
    pub(crate) index: R,
    /// `None` if the file is missing.
    pub(crate) games: Option<R>,
    pub(crate) games_size: u64,
    pub(crate) names: NameFiles<R>,
    pub(crate) index_header: IndexHeader,
    pub(crate) entries: Entries,
    pub(crate) text: TextDecoder,
    /// The encoding, if the names told it.
    pub(crate) told: Option<Encoding>,
    pub(crate) numbering: PromotionNumbering,
    pub(crate) bounds: RecordBounds,
    pub(crate) warnings: Vec<Warning>,
}

/// What a thread that reads a [`Database`] owns.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) index: PageCache,
    games: PageCache,
    record: Vec<u8>,
    decoder: RecordDecoder,
    /// Entries that are searched.
    pub(crate) stretch: ReadAhead,
}

impl<R: ReadAt> Database<R> {
    /// The shape of its index.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.entries.layout
    }

    /// What its index says before the first entry.
    #[must_use]
    pub fn index_header(&self) -> IndexHeader {
        self.index_header
    }

    /// The game to show first, from zero; 0 where the index names a game there is not, as the
    /// author's reader has it.
    // dcg §3 "Index header"
    #[must_use]
    pub fn default_game(&self) -> u64 {
        let stated = self.index_header.open_default;
        let numbered = (stated < self.entries.count).then_some(stated);
        numbered.or_else(|| self.entries.game_at(stated)).unwrap_or_default()
    }

    /// What promotion codes were taken to mean, and why.
    #[must_use]
    pub fn promotion_numbering(&self) -> PromotionNumbering {
        self.numbering
    }

    /// The bytes of a game in the index, from zero, as fields.
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        self.entries.read(&self.index, game)
    }

    fn read_header(
        &self,
        entry: &IndexEntry,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let at = self.entries.location(game);
        let decoder = HeaderDecoder { names: &self.names, text: self.text, diagnostics, game, at };
        decoder.decode(entry, header)
    }

    /// Reads the length and the record of a game into `buffer`, as much as there is of it.
    // dcg §6 "Game record"
    fn read_record<'a>(
        &self,
        games: &impl ReadAt,
        entry: &IndexEntry,
        game: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<RawRecord<'a>, Error> {
        let start = entry.offset;
        if self.games.is_none() {
            return Err(ErrorKind::NoGames.at(self.entries.location(game)));
        }
        if !(MAGIC_SIZE..self.games_size).contains(&start) {
            let outside = ErrorKind::GameOffset(start, self.games_size);
            return Err(outside.at(self.entries.location(game)));
        }
        let at = Location::file("dcg").at(start).in_game(game);
        games.read_into(start, USUAL_RECORD, buffer).map_err(Error::io(at))?;
        let parsed = match self.entries.layout {
            Layout::Current => parse_length(buffer),
            Layout::Old => parse_old_record_length(buffer),
        };
        let length = parsed.map_err(|error| match error {
            LengthError::Cut => ErrorKind::Cut("the length of the record").at(at),
            LengthError::Form(byte) => ErrorKind::Length(byte).at(at),
        })?;
        let value = usize::try_from(length.value).unwrap_or(usize::MAX);
        let whole = value.saturating_add(length.size);
        let allowed = self.allowed(start, whole);
        let (shared, whole) = (allowed < whole, allowed);
        if whole > buffer.len() {
            games.read_into(start, whole, buffer).map_err(Error::io(at))?;
        }
        let record = buffer.get(..whole).unwrap_or(buffer);
        let (length_bytes, body) = record.split_at_checked(length.size).unwrap_or_default();
        Ok(RawRecord {
            length,
            length_bytes,
            body,
            shared,
            at,
            body_at: at.at(start.saturating_add(length.size as u64)),
        })
    }

    /// How many bytes of a record are read: all, unless it takes in those of many others.
    // dcg §6.5.6
    fn allowed(&self, start: u64, length: usize) -> usize {
        self.bounds.max_extent(start, length, || {
            let pages = PageCache::default();
            (0..self.entries.count).filter_map(move |game| {
                let entry = self.entries.read(&pages.cached(&self.index), game);
                entry.ok().map(|entry| entry.offset)
            })
        })
    }

    /// How its records are read.
    pub(crate) fn record_options(&self) -> RecordOptions {
        RecordOptions { promotions: self.numbering.promotions, text: self.text }
    }

    /// The entry of a game and its record, as much as there is of it.
    pub(crate) fn entry_and_record<'a>(
        &self,
        state: &'a mut State,
        game: u64,
    ) -> Result<(IndexEntry, RawRecord<'a>), Error> {
        let entry = self.entries.read(&state.index.cached(&self.index), game)?;
        let games = state.games.cached(&self.games);
        let record = self.read_record(&games, &entry, game, &mut state.record)?;
        Ok((entry, record))
    }
}

/// Bytes that hold the length and the record of most games.
const USUAL_RECORD: usize = 512;

/// A record as it stands in the file, as much as there is of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawRecord<'a> {
    pub(crate) length: Length,
    pub(crate) length_bytes: &'a [u8],
    pub(crate) body: &'a [u8],
    /// Whether it ends here because those of many other games begin in it.
    pub(crate) shared: bool,
    /// The place of the length.
    pub(crate) at: Location,
    /// The place of the body.
    pub(crate) body_at: Location,
}

impl RawRecord<'_> {
    /// An error if this is not the whole record.
    pub(crate) fn complete(&self) -> Result<(), Error> {
        let (wanted, there) = (u64::from(self.length.value), self.body.len() as u64);
        if there < wanted {
            let kind = if self.shared { ErrorKind::SharedRecord } else { ErrorKind::RecordCut };
            return Err(kind(wanted, there).at(self.at));
        }
        Ok(())
    }
}

impl<R: ReadAt + Send + Sync> ReadGames for Database<R> {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        self.entries.count
    }

    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let entry = self.entries.read(&state.index.cached(&self.index), game)?;
        self.read_header(&entry, game, header, diagnostics)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let State { index, games, record, decoder, .. } = state;
        let entry = self.entries.read(&index.cached(&self.index), game)?;
        self.read_header(&entry, game, &mut into.header, diagnostics)?;
        let record = self.read_record(&games.cached(&self.games), &entry, game, record)?;
        if let Some(quirk) = record.length.quirk {
            diagnostics.note(quirk, record.at)?;
        }
        let decoded =
            decoder.decode(record.body, self.record_options(), into, diagnostics, record.body_at);
        // That the record is cut explains why its last step is.
        record.complete()?;
        decoded
    }

    fn dump_with(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        self.dump(state, game, each)
    }
}

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, _: &Query, rows: &mut IndexRows) {
        // No entry rules a position out.
        self.scan(state, range, rows);
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        self.summary(state, game)
    }

    fn walk_main_line(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        self.walk(state, game, each)
    }

    fn name(&self, _: &mut State, field: NameField, id: u32, name: &mut String) {
        self.name_of(field, id, name);
    }
}

impl<R: ReadAt + Send + Sync> Describe for Database<R> {
    fn about(&self) -> About {
        let mut about = About::default();
        if self.default_game() > 0 {
            let number = self.default_game().saturating_add(1);
            about.set(Fact::DefaultGame, number.to_string());
        }
        about
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        let layout = match self.entries.layout {
            Layout::Current => "39-byte index entries",
            Layout::Old => "35-byte index entries, before 17 January 2017",
        };
        let mut rows = vec![
            ("version", self.index_header.version.to_string()),
            ("layout", layout.to_string()),
            ("promotion codes", self.numbering.to_string()),
        ];
        if let Some(encoding) = self.told {
            rows.push(("encoding", format!("{}, as the names look", encoding.name())));
        }
        rows
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl<R> fmt::Debug for Database<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("entries", &self.entries)
            .field("numbering", &self.numbering)
            .finish_non_exhaustive()
    }
}
