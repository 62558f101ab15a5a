//! Reading games.

use std::fmt;

use chess_core::{Game, Header};
use chess_store::io::{CachedFile, PageCache, ReadAhead, ReadAheadFile, ReadAt};
use chess_store::{
    About, Describe, Diagnostics, Encoding, Fact, Field, Input, Location, ReadGames, RecordBounds,
    TextDecoder, Warning,
};

use crate::decode::{RecordDecoder, RecordOptions};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderDecoder;
use crate::index::{Entries, IndexEntry, IndexHeader};
use crate::layout::{Layout, MAGIC_SIZE};
use crate::length::{Length, LengthError, parse_length, parse_old_record_length};
use crate::names::NameFiles;
use crate::promotion::PromotionNumbering;

/// A base, open for reading. It never changes, so threads may share it. Each thread reads games
/// through its own [`reader`](Database::reader). [`games`](Database::games) iterates over all
/// games.
pub struct Database<R = Input> {
    pub(crate) index: R,
    /// `None` if the file is missing.
    pub(crate) games: Option<R>,
    pub(crate) games_size: u64,
    pub(crate) names: NameFiles<R>,
    pub(crate) index_header: IndexHeader,
    pub(crate) entries: Entries,
    pub(crate) text: TextDecoder,
    /// The encoding, if the names determine it.
    pub(crate) detected: Option<Encoding>,
    pub(crate) numbering: PromotionNumbering,
    pub(crate) bounds: RecordBounds,
    pub(crate) warnings: Vec<Warning>,
}

/// The state of one thread that reads a [`Database`].
#[derive(Debug, Default)]
pub struct State {
    pub(crate) index: PageCache,
    games: PageCache,
    record: Vec<u8>,
    decoder: RecordDecoder,
    /// The read-ahead buffer of entries, for searches.
    pub(crate) read_ahead: ReadAhead,
}

impl State {
    /// The index behind the read-ahead buffer of a search.
    pub(crate) fn index_file<'a, R: ReadAt>(
        &'a self,
        index: &'a R,
    ) -> ReadAheadFile<'a, CachedFile<'a, R>> {
        self.read_ahead.cached(self.index.cached(index))
    }
}

impl<R: ReadAt> Database<R> {
    /// The layout of its index.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.entries.layout
    }

    /// The header of its index.
    #[must_use]
    pub fn index_header(&self) -> IndexHeader {
        self.index_header
    }

    /// The number, from zero, of the game to show first. Returns 0 if the index names a missing
    /// game, as in the author's reader.
    // dcg §3 "Index header"
    #[must_use]
    pub fn default_game(&self) -> u64 {
        let (stated, _) = self.index_header.default_game();
        let numbered = (stated < self.entries.count).then_some(stated);
        numbered.or_else(|| self.entries.game_at(stated)).unwrap_or_default()
    }

    /// The meaning of the promotion codes, and the evidence for it.
    #[must_use]
    pub fn promotion_numbering(&self) -> PromotionNumbering {
        self.numbering
    }

    /// The index entry of a game, numbered from zero, as fields.
    ///
    /// # Errors
    /// I/O errors; no such game.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        self.entries.read(&self.index, game)
    }

    pub(crate) fn read_header(
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

    /// Reads the length and the record of a game into `buffer`, as far as the file has them.
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

    /// Returns how many bytes of a record are read. This is the whole record, unless it overlaps
    /// the records of many other games.
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

    /// The decoding options of its records.
    pub(crate) fn record_options(&self) -> RecordOptions {
        RecordOptions { promotions: self.numbering.promotions, text: self.text }
    }

    /// The entry of a game and its record, as far as the file has it.
    pub(crate) fn entry_and_record<'a>(
        &self,
        state: &'a mut State,
        game: u64,
    ) -> Result<(IndexEntry, RawRecord<'a>), Error> {
        let entry = self.entries.read(&state.index_file(&self.index), game)?;
        let games = state.games.cached(&self.games);
        let record = self.read_record(&games, &entry, game, &mut state.record)?;
        Ok((entry, record))
    }
}

/// A size that holds the length and the record of most games.
const USUAL_RECORD: usize = 512;

/// A record as stored in the file, possibly truncated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawRecord<'a> {
    pub(crate) length: Length,
    pub(crate) length_bytes: &'a [u8],
    pub(crate) body: &'a [u8],
    /// Whether the record was truncated because it overlaps many other games.
    pub(crate) shared: bool,
    /// The location of the length.
    pub(crate) at: Location,
    /// The location of the body.
    pub(crate) body_at: Location,
}

impl RawRecord<'_> {
    /// Returns an error if the record is truncated.
    pub(crate) fn complete(&self) -> Result<(), Error> {
        let (wanted, there) = (u64::from(self.length.value), self.body.len() as u64);
        if there < wanted {
            let kind = if self.shared { ErrorKind::SharedRecord } else { ErrorKind::RecordCut };
            return Err(kind(wanted, there).at(self.at));
        }
        Ok(())
    }
}

chess_store::inherent!(ReadGames<Error> for [R: ReadAt + Send + Sync] Database<R>);

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
        let entry = self.entries.read(&state.index_file(&self.index), game)?;
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
        let entry = self.entries.read(&state.index_file(&self.index), game)?;
        let State { games, record, decoder, .. } = state;
        self.read_header(&entry, game, &mut into.header, diagnostics)?;
        let record = self.read_record(&games.cached(&self.games), &entry, game, record)?;
        if let Some(quirk) = record.length.quirk {
            diagnostics.note(quirk, record.at)?;
        }
        let decoded =
            decoder.decode(record.body, self.record_options(), into, diagnostics, record.body_at);
        // The truncated record explains the truncated last step.
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
        if let Some(encoding) = self.detected {
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
