//! A base: its files together.

use chess_core::{Game, Header};
use chess_store::io::{PageCache, ReadAhead, ReadAt};
use chess_store::{
    About, Describe, Diagnostics, Encoding, Fact, Field, Input, Location, ReadGames, RecordBounds,
    Warning,
};

use crate::decode::{Dialect, Scratch};
use crate::description::{Description, unpadded};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderReader;
use crate::layout::ROW_SIZE;
use crate::names::{NameKind, NameTable, Names};
use crate::quirk::Quirk;
use crate::record::{Record, find_record, read_record};
use crate::row::{Row, row_offset, row_place};
use crate::selfcheck::SelfCheck;

/// The files of a base, from any source. On reading, all files except the headers may be missing,
/// so they are `Option`s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts<T, O = T> {
    /// The description.
    pub cdp: O,
    /// The volume of names.
    pub emb: O,
    /// Headers of the games.
    pub d00: T,
    /// Addresses of the records.
    pub a02: O,
    /// Records of the games.
    pub d02: O,
}

/// An open base. Only the names are in memory.
///
/// ```
/// use chessassistant::{Database, Game, Losses, OpenOptions, Writer};
///
/// let mut writer = Writer::in_memory();
/// writer.write(&Game::new(), &mut Losses::new())?;
/// let base = Database::from_parts(writer.into_bytes()?, &OpenOptions::default())?;
/// assert_eq!(base.games().count(), 1);
/// # Ok::<(), chessassistant::Error>(())
/// ```
pub struct Database<R = Input> {
    pub(crate) description: Option<Description>,
    pub(crate) volume_version: Option<String>,
    pub(crate) names: Names,
    pub(crate) d00: R,
    pub(crate) a02: Option<R>,
    pub(crate) d02: Option<R>,
    pub(crate) games: u64,
    pub(crate) dialect: Dialect,
    pub(crate) check: SelfCheck,
    pub(crate) bounds: RecordBounds,
    pub(crate) warnings: Vec<Warning>,
}

/// The state of one reading thread: page caches, the bytes of a record, the decoder's buffers.
#[derive(Debug, Default)]
pub struct State {
    d00: PageCache,
    pub(crate) a02: PageCache,
    d02: PageCache,
    /// The record read last.
    pub(crate) record: Vec<u8>,
    pub(crate) scratch: Scratch,
    /// The read-ahead buffer of headers, for searches.
    pub(crate) read_ahead: ReadAhead,
    /// Buffers for walking a main line.
    pub(crate) walk_game: Game,
    pub(crate) discarded: Diagnostics,
}

impl<R> std::fmt::Debug for Database<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("games", &self.games).finish_non_exhaustive()
    }
}

impl<R> Database<R> {
    /// Returns the result of the self-check that opening made.
    pub(crate) fn self_check(&self) -> &SelfCheck {
        &self.check
    }

    /// The encoding of the texts: the one requested, or the one detected.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.dialect.charset.encoding()
    }

    /// A table of names, if the base has it.
    #[must_use]
    pub fn table(&self, kind: NameKind) -> Option<&NameTable> {
        self.names.table(kind)
    }

    /// The comment on the base.
    #[must_use]
    pub fn comment(&self) -> String {
        let comment = self.description.as_ref().map(|description| description.comment.as_slice());
        self.text(comment.unwrap_or_default())
    }

    /// Decodes a text of the base, such as one from [`NameTable::get`].
    #[must_use]
    pub fn text(&self, bytes: &[u8]) -> String {
        let mut text = String::new();
        self.dialect.charset.decode_into(unpadded(bytes), &mut text);
        text
    }
}

chess_store::inherent!(ReadGames<Error> for [R: ReadAt + Send + Sync] Database<R>);

impl<R: ReadAt + Send + Sync> ReadGames for Database<R> {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        self.games
    }

    /// An ECO field of zero reads as A00. A whole game with its own start position drops it.
    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let row = self.row(state, game)?;
        self.read_header(game, &row, header, diagnostics)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let row = self.row(state, game)?;
        self.read_header(game, &row, &mut into.header, diagnostics)?;
        let result = self.read_moves(state, game, &row, into, diagnostics);
        if row.eco == 0 && into.setup().is_some() {
            into.header.eco = None;
        }
        result
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
        about.set(Fact::Description, self.comment());
        about
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(Database::encoding(self))
    }

    /// Includes the result of the self-check and a survey of the first 10,000 games.
    fn details(&self) -> Vec<(&'static str, String)> {
        self.facts()
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl<R: ReadAt> Database<R> {
    /// Returns the stored header fields of a game.
    pub(crate) fn row(&self, state: &State, game: u64) -> Result<Row, Error> {
        let at = row_place(game);
        if game >= self.games {
            return Err(Error::new(ErrorKind::NoSuchGame(self.games), at));
        }
        let mut bytes = [0; ROW_SIZE];
        let d00 = state.read_ahead.cached(state.d00.cached(&self.d00));
        d00.read_full(row_offset(game), &mut bytes).map_err(Error::io(at))?;
        Row::parse(&bytes).ok_or_else(|| Error::new(ErrorKind::Truncated("a header"), at))
    }

    /// Reads the record that a row refers to into `state`.
    pub(crate) fn record(&self, state: &mut State, game: u64, row: &Row) -> Result<Record, Error> {
        for (file, missing) in [("a02", self.a02.is_none()), ("d02", self.d02.is_none())] {
            if missing {
                return Err(Error::new(ErrorKind::NoRecords, Location::file(file).in_game(game)));
            }
        }
        let address = find_record(&state.a02.cached(&self.a02), row.game_id, game)?;
        let allowed = |length| self.bounds.max_extent(address, length, || self.addresses());
        read_record(&state.d02.cached(&self.d02), address, game, allowed, &mut state.record)
    }

    /// The offsets of all records. (chessassistant §7.1.5)
    fn addresses(&self) -> impl Iterator<Item = u64> {
        let state = State::default();
        (0..self.games).filter_map(move |game| {
            let row = self.row(&state, game).ok()?;
            find_record(&state.a02.cached(&self.a02), row.game_id, game).ok()
        })
    }

    fn read_header(
        &self,
        game: u64,
        row: &Row,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let reader = HeaderReader { names: &self.names, charset: &self.dialect.charset, game };
        reader.read(row, header, diagnostics)
    }

    fn read_moves(
        &self,
        state: &mut State,
        game: u64,
        row: &Row,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let record = self.record(state, game, row)?;
        let result = self.decode(state, game, &record, into, diagnostics);
        let (Err(_), Some(length)) = (&result, record.long) else { return result };
        // chessassistant §7.1 "Length": does it make sense as three bytes?
        let long = Record { prefix: 3, length, long: None, ..record };
        let mut discarded = Diagnostics::lenient();
        if self.decode(state, game, &long, into, &mut discarded).is_err() {
            let _ = self.decode(state, game, &record, into, &mut discarded);
            return result;
        }
        diagnostics.clear();
        let at = Location::file("d02").at(record.offset).in_game(game);
        diagnostics.note(Quirk::LongLength, at)?;
        self.decode(state, game, &long, into, diagnostics)
    }

    fn decode(
        &self,
        state: &mut State,
        game: u64,
        record: &Record,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let codes = record.codes(&state.record);
        let at = Location::file("d02").at(record.codes_at()).in_game(game);
        let decoded = self.dialect.decode(&mut state.scratch, codes, at, into, diagnostics);
        let whole = record.check_whole(codes, game);
        // The truncated record explains why the moves end.
        if record.shared.is_some() { whole } else { decoded.and(whole) }
    }
}
