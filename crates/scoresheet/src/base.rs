//! Opening a base of any format, and reading its games in order.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use chess_core::{Game, Position};
use chess_store::erased::{Database, Format, GameReader, OpenSource, Opener, Source};
use chess_store::io::compressed::SourceState;
use chess_store::io::{DecompressionLimit, ReadAt as _};
use chess_store::{
    About, AnyError, Describe, Diagnostics, Encoding, Input, Inputs, OpenOptions, Scope,
    StreamInput, StreamReader, Warning,
};
use compress::{refuse_misnamed, unpack, unpack_file, warning_of};

use position_index::PositionIndex;
use query::Filter;
use query::PositionPattern;

use crate::detect::{detect, detect_bytes, detect_inputs, extension_of, packed_inputs, read_start};
use crate::error::Error;
use crate::find::within_folder;
use crate::foreign::is_archive;
use crate::formats::formats;
use crate::indexed::index_of_base;

/// An open base. Its format determines whether games are read by number or only in order.
pub struct Base {
    path: PathBuf,
    format: &'static Format,
    games: Opened,
    /// Length of the file in bytes, for a text.
    size: Option<u64>,
    packed: PackedState,
    positions: Positions,
}

/// The position index beside a base. It is opened at the first search for a position.
#[derive(Default)]
struct Positions {
    /// The options that the base was opened with, and a time before that; `None` if it has no files.
    opened: Option<(OpenOptions, SystemTime)>,
    index: OnceLock<Option<Arc<PositionIndex>>>,
}

/// State of a compressed stream, and its cached warnings.
#[derive(Default)]
struct PackedState {
    state: Option<SourceState>,
    warning: OnceLock<[Warning; 1]>,
}

impl PackedState {
    fn new(state: Option<SourceState>) -> PackedState {
        PackedState { state, warning: OnceLock::new() }
    }

    fn warnings(&self) -> &[Warning] {
        if let Some(warning) = self.state.as_ref().and_then(warning_of) {
            self.warning.get_or_init(|| [warning]);
        }
        self.warning.get().map(<[Warning; 1]>::as_slice).unwrap_or_default()
    }
}

/// The most games without a list of their positions that are named one by one.
const MAX_OPEN: u64 = 1 << 16;

/// A stream of any format.
pub(crate) type Stream = StreamReader<Box<dyn Source>>;

/// An open base.
type Opened = Kind<Arc<dyn Database>, Stream>;

/// Random access or sequential access to games.
pub(crate) enum Kind<D, S> {
    Database(D),
    Stream(S),
}

/// Returns a filter that selects the same games of `database` as `filter` and names those that can have its
/// positions, by the index of these games. `None` if the index does not tell them, or if they are most of the games.
#[must_use]
pub fn narrow(filter: &Filter, database: &dyn Database, index: &PositionIndex) -> Option<Filter> {
    let (mut reader, mut games) = (database.reader(), Vec::new());
    for board in boards_of(filter)? {
        let found = index.find(&mut *reader, board).ok()?;
        let numbers = found.moves.iter().flat_map(|(_, numbers)| numbers).copied();
        games.extend(numbers.map(u64::from));
        let open: u64 = found.open.iter().map(|open| open.end.saturating_sub(open.start)).sum();
        if open > MAX_OPEN {
            return None;
        }
        games.extend(found.open.into_iter().flatten());
    }
    // A long list of most games only delays the search.
    if games.len() as u64 > MAX_OPEN.max(database.len() / 2) {
        return None;
    }
    Some(filter.clone().only_games(games))
}

/// Returns the positions of a filter, if an index can find them all.
fn boards_of(filter: &Filter) -> Option<Vec<&Position>> {
    let boards = filter.positions.iter().map(PositionPattern::only_position);
    let boards = boards.collect::<Option<Vec<_>>>()?;
    (!boards.is_empty() && !filter.in_variations).then_some(boards)
}

/// Opens a base of any format. `path` may be any of its files. A [pipe](is_pipe) is read as a
/// [stream](open_stream).
///
/// # Errors
/// [`Error`]
pub fn open(path: impl AsRef<Path>) -> Result<Base, Error> {
    open_with(path, &OpenOptions::default())
}

/// Opens a base with options.
///
/// # Errors
/// [`Error`]
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Base, Error> {
    let path = path.as_ref();
    if is_pipe(path) {
        return open_pipe(path, None, options);
    }
    let path = &*within_folder(path);
    open_as(path, detect(path)?, options)
}

/// Returns whether `path` is a pipe, which can be read only once and in order. A shell creates one
/// for `<(zstdcat games.pgn.zst)`.
#[must_use]
pub fn is_pipe(path: impl AsRef<Path>) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn open_pipe(
    path: &Path,
    format: Option<&'static Format>,
    options: &OpenOptions,
) -> Result<Base, Error> {
    let pipe = File::open(path).map_err(|error| Error::io(path, error))?;
    open_stream(Box::new(pipe), path, format, options)
}

/// Opens a base of a known format.
///
/// # Errors
/// [`Error`]
pub fn open_as(
    path: impl AsRef<Path>,
    format: &'static Format,
    options: &OpenOptions,
) -> Result<Base, Error> {
    let path = path.as_ref();
    let failed = |error| Error::base(path, error);
    if is_pipe(path) {
        return open_pipe(path, Some(format), options);
    }
    let path = &*within_folder(path);
    let opened = Some((options.clone(), SystemTime::now()));
    let positions = Positions { opened, ..Positions::default() };
    let (games, size, packed) = match format.open {
        Some(Opener::Database(open)) => {
            let file = File::open(path).ok().filter(|_| format.open_inputs.is_some());
            let packed = file.map(|file| open_packed(path, &file.into(), options));
            if let Some(base) = packed.transpose()?.flatten() {
                return Ok(Base { positions, ..base });
            }
            (Kind::Database(open(path, options).map_err(failed)?.into()), None, None)
        }
        Some(Opener::Source(open)) => {
            let file = File::open(path).map_err(|error| Error::io(path, error))?;
            open_file(file.into(), path, open, options)?
        }
        _ => return Err(unreadable(path, format, "read")),
    };
    let packed = PackedState::new(packed);
    Ok(Base { path: path.into(), format, games, size, packed, positions })
}

/// Opens the base of several files in a zip archive. Returns `None` if the file is no such archive.
fn open_packed(path: &Path, file: &Input, options: &OpenOptions) -> Result<Option<Base>, Error> {
    let inputs = packed_inputs(path, file, options.max_unpacked);
    let Some(inputs) = inputs.map_err(|error| Error::io(path, error))? else { return Ok(None) };
    let base = open_inputs(&inputs, options)?;
    Ok(Some(Base { path: path.into(), ..base }))
}

/// Opens a base from files that are already open; see [`Inputs`].
///
/// # Errors
/// [`Error`]
pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Base, Error> {
    let path = inputs.named();
    let format = detect_inputs(inputs)?;
    if format.open_inputs.is_some() {
        let file = inputs.main().map_err(|error| Error::io(path, error))?;
        if file.size().is_err_and(|error| error.kind() == io::ErrorKind::Unsupported) {
            let text = format!(
                "{} is read by seeking, and this stream cannot seek; save it as a file",
                format.title
            );
            return Err(Error::io(path, io::Error::new(io::ErrorKind::NotSeekable, text)));
        }
        if let Some(base) = open_packed(path, &file, options)? {
            return Ok(base);
        }
    }
    let (games, size, packed) = match (format.open_inputs, format.open) {
        (Some(open), _) => {
            let base = open(inputs, options).map_err(|error| Error::base(path, error))?;
            (Kind::Database(base.into()), None, None)
        }
        (None, Some(Opener::Source(open))) => {
            let file = inputs.main().map_err(|error| Error::io(path, error))?;
            open_file(file, path, open, options)?
        }
        _ => return Err(unreadable(path, format, "read")),
    };
    let (packed, positions) = (PackedState::new(packed), Positions::default());
    Ok(Base { path: path.into(), format, games, size, packed, positions })
}

/// Opens the games of a file. Returns the size of an uncompressed file, and the state of a
/// compressed one.
fn open_file(
    file: Input,
    path: &Path,
    open: OpenSource,
    options: &OpenOptions,
) -> Result<(Opened, Option<u64>, Option<SourceState>), Error> {
    let io = |error| Error::io(path, error);
    let mut start = [0; 512];
    let count = file.read_full(0, &mut start).map_err(io)?;
    let start = start.get(..count).unwrap_or_default();
    refuse_misnamed(path, start).map_err(io)?;
    // Of archives only the texts of a zip are read.
    if is_archive(start) && !start.starts_with(b"PK") {
        return Err(Error::unknown(path, start));
    }
    let size = file.size().ok();
    let limit = DecompressionLimit::new(options.max_unpacked);
    let unpacked = unpack_file(file.clone(), &limit, formats()).map_err(io)?;
    let size = size.filter(|_| !unpacked.compressed);
    let state = unpacked.state.clone();
    let input = match unpacked.compressed {
        true => StreamInput::new(unpacked.into_input()).with_limit(Some(limit)),
        false => StreamInput::of_file(file),
    };
    let source = open(input, options).map_err(|error| Error::base(path, error))?;
    // Blocks of a table are not bytes of the file, so their offsets say nothing about its size.
    let size = size.filter(|_| source.is_text());
    Ok((Kind::Stream(StreamReader::new(source)), size, state))
}

/// Opens a stream of games, such as standard input. Messages show `name` as its path. The extension
/// of `name` helps to detect the format if none is given.
///
/// # Errors
/// [`Error`]; [`Error::Unsupported`] for a format that needs files.
pub fn open_stream(
    input: Box<dyn Read + Send>,
    name: impl AsRef<Path>,
    format: Option<&'static Format>,
    options: &OpenOptions,
) -> Result<Base, Error> {
    let path = name.as_ref();
    let failed = |error| Error::io(path, error);
    let limit = DecompressionLimit::new(options.max_unpacked);
    let unpacked = unpack(input, &limit).map_err(failed)?;
    let packed = PackedState::new(unpacked.state.clone());
    let limit = unpacked.compressed.then_some(limit);
    let mut input = unpacked.into_input();
    let start = read_start(&mut input).map_err(failed)?;
    // Also if the format is given: no format of streams is an archive.
    if is_archive(&start) {
        return Err(Error::unknown(path, &start));
    }
    let format = format
        .or_else(|| detect_bytes(&start, &extension_of(path)))
        .ok_or_else(|| Error::unknown(path, &start))?;
    let Some(Opener::Source(open)) = format.open else {
        return Err(unreadable(path, format, "read from a stream"));
    };
    let stream = Box::new(Cursor::new(start).chain(input));
    let input = StreamInput::new(stream).with_limit(limit);
    let source = open(input, options).map_err(|error| Error::base(path, error))?;
    let games = Kind::Stream(StreamReader::new(source));
    let positions = Positions::default();
    Ok(Base { path: path.into(), format, games, size: None, packed, positions })
}

fn unreadable(path: &Path, format: &Format, what: &'static str) -> Error {
    Error::Unsupported { path: path.into(), format: format.title, what }
}

impl Base {
    /// Wraps a base that the caller opened, of one of the [`formats`](crate::formats). Messages
    /// show `name` as its path. The database may be [shared](Base::shared).
    pub fn from_database(
        database: impl Into<Arc<dyn Database>>,
        name: impl Into<PathBuf>,
        format: &'static Format,
    ) -> Base {
        let games = Kind::Database(database.into());
        let (packed, positions) = (PackedState::default(), Positions::default());
        Base { path: name.into(), format, games, size: None, packed, positions }
    }

    /// The file that was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The number of games, if it is known without reading them.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a stream may not know whether it is empty")]
    pub fn len(&self) -> Option<u64> {
        self.database().map(Database::len)
    }

    /// Random access from any thread; `None` for a stream.
    #[must_use]
    pub fn database(&self) -> Option<&dyn Database> {
        match &self.games {
            Kind::Database(database) => Some(&**database),
            Kind::Stream(_) => None,
        }
    }

    /// Shares the ownership of the database; `None` for a stream. Its readers need not borrow the
    /// base, and [`from_database`](Base::from_database) makes further bases of it.
    #[must_use]
    pub fn shared(&self) -> Option<Arc<dyn Database>> {
        match &self.games {
            Kind::Database(database) => Some(Arc::clone(database)),
            Kind::Stream(_) => None,
        }
    }

    /// The deviations found on opening. For a compressed stream, the deviations found so far.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.database().map_or_else(|| self.packed.warnings(), Describe::warnings)
    }

    /// Returns whether opening showed that data is lost, such as a missing file or a truncated
    /// names file.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.warnings().iter().any(Warning::is_damage)
    }

    /// The facts about the base as a whole. A stream has them once it is read to its end.
    #[must_use]
    pub fn about(&self) -> About {
        match &self.games {
            Kind::Database(database) => database.about(),
            Kind::Stream(stream) => stream.about(),
        }
    }

    /// The text encoding of the base, for formats with several encodings. Use it to write the games
    /// in the same format again.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.database().and_then(Describe::encoding)
    }

    /// Opens the [position index](crate::build_position_index) beside the base. Returns `None` if there is none,
    /// or if the base has changed since it was built.
    ///
    /// # Errors
    /// [`Error`]; a damaged index.
    pub fn position_index(&self) -> Result<Option<PositionIndex>, Error> {
        match &self.positions.opened {
            Some((options, opened)) => index_of_base(&self.path, options, *opened),
            None => Ok(None),
        }
    }

    /// Returns a filter that selects the same games of this base as `filter` and names those that can have
    /// its positions. `None` if no [position index](crate::build_position_index) tells them.
    #[must_use]
    pub fn narrowed(&self, filter: &Filter) -> Option<Filter> {
        boards_of(filter)?;
        let database = self.database()?;
        // An index that cannot be read is as none. One of other games was made by other options.
        let open = || {
            let index = self.position_index().ok()??;
            (index.len() == database.len()).then(|| Arc::new(index))
        };
        narrow(filter, database, self.positions.index.get_or_init(open).as_ref()?)
    }

    /// Returns the database; `None` for a stream.
    #[cfg(feature = "lines")]
    pub(crate) fn into_database(self) -> Option<Arc<dyn Database>> {
        match self.games {
            Kind::Database(database) => Some(database),
            Kind::Stream(_) => None,
        }
    }

    /// Returns the database or the stream.
    pub(crate) fn kind(&mut self) -> Kind<&dyn Database, &mut Stream> {
        match &mut self.games {
            Kind::Database(database) => Kind::Database(&**database),
            Kind::Stream(stream) => Kind::Stream(stream),
        }
    }

    /// Length of the file in bytes, for a stream.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Reads the games in order into a reused [`Game`]. Starts at the first game of a database, or
    /// where the last reader of a stream stopped.
    pub fn reader(&mut self) -> Reader<'_> {
        let (path, size) = (self.path.as_path(), self.size);
        let games = match &mut self.games {
            Kind::Database(database) => Kind::Database(Numbered::new(&**database)),
            Kind::Stream(stream) => Kind::Stream(stream),
        };
        Reader { path, games, size }
    }

    /// Iterates over the games in order. A damaged game is an error, and the iterator continues
    /// with the next game. It ends after an error that concerns the whole base.
    pub fn games(&mut self) -> Games<'_> {
        Games { reader: self.reader(), diagnostics: Diagnostics::lenient(), ended: false }
    }

    /// Like [`games`](Base::games), but owns the base.
    #[must_use]
    pub fn into_games(self) -> IntoGames {
        let games = match self.games {
            Kind::Database(database) => {
                let len = database.len();
                Kind::Database(Numbered { reader: database.into_reader(), next: 0, len })
            }
            Kind::Stream(stream) => Kind::Stream(stream),
        };
        let diagnostics = Diagnostics::lenient();
        IntoGames { path: self.path, games, diagnostics, ended: false }
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Base").field("path", &self.path).field("format", &self.format).finish()
    }
}

/// Reads the games of a database in order.
struct Numbered<'a> {
    reader: Box<dyn GameReader + Send + 'a>,
    next: u64,
    len: u64,
}

impl<'a> Numbered<'a> {
    fn new(database: &'a dyn Database) -> Numbered<'a> {
        Numbered { reader: database.reader(), next: 0, len: database.len() }
    }

    fn read_game(&mut self, into: &mut Game, d: &mut Diagnostics) -> Result<bool, AnyError> {
        if self.next >= self.len {
            return Ok(false);
        }
        let number = self.next;
        self.next = number + 1;
        self.reader.game(number, into, d).map(|()| true)
    }
}

/// Reads the games of a [`Base`] in order.
pub struct Reader<'a> {
    path: &'a Path,
    games: Kind<Numbered<'a>, &'a mut Stream>,
    size: Option<u64>,
}

/// Progress of reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Units read so far.
    pub done: u64,
    /// Units in total, if known.
    pub total: Option<u64>,
    /// The unit of `done` and `total`.
    pub unit: Unit,
}

/// The unit of [`Progress`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Games of a database.
    Games,
    /// Bytes of a stream.
    Bytes,
}

impl Reader<'_> {
    /// Reads the next game into `into`, replacing its content. Returns `false` at the end.
    ///
    /// # Errors
    /// An error with [`Scope::Game`] means that only this game is damaged. `into` then holds the
    /// part that could be read, and the next call reads the next game.
    pub fn read_game(
        &mut self,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        let read = match &mut self.games {
            Kind::Database(numbered) => numbered.read_game(into, diagnostics),
            Kind::Stream(stream) => stream.read_game(into, diagnostics),
        };
        read.map_err(|error| Error::base(self.path, error))
    }

    /// Progress of this reader.
    #[must_use]
    pub fn progress(&self) -> Progress {
        match &self.games {
            Kind::Database(Numbered { next, len, .. }) => {
                Progress { done: *next, total: Some(*len), unit: Unit::Games }
            }
            Kind::Stream(stream) => {
                Progress { done: stream.position(), total: self.size, unit: Unit::Bytes }
            }
        }
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(&self.progress()).finish()
    }
}

/// Iterates over the games of a [`Base`]; see [`Base::games`].
#[derive(Debug)]
pub struct Games<'a> {
    reader: Reader<'a>,
    diagnostics: Diagnostics,
    ended: bool,
}

impl Games<'_> {
    /// Deviations that were tolerated in the last game.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.diagnostics.warnings()
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, Error>;

    fn next(&mut self) -> Option<Result<Game, Error>> {
        let reader = &mut self.reader;
        next_game(&mut self.diagnostics, &mut self.ended, |game, d| reader.read_game(game, d))
    }
}

/// Iterates over the games of a [`Base`] that it owns; see [`Base::into_games`].
pub struct IntoGames {
    path: PathBuf,
    games: Kind<Numbered<'static>, Stream>,
    diagnostics: Diagnostics,
    ended: bool,
}

impl IntoGames {
    /// Reads the next game into `into`, replacing its content. Returns `false` at the end, and
    /// after an error that concerns the whole base.
    ///
    /// # Errors
    /// As [`Reader::read_game`].
    pub fn read_game(&mut self, into: &mut Game) -> Result<bool, Error> {
        if self.ended {
            return Ok(false);
        }
        self.diagnostics.clear();
        let read = match &mut self.games {
            Kind::Database(numbered) => numbered.read_game(into, &mut self.diagnostics),
            Kind::Stream(stream) => stream.read_game(into, &mut self.diagnostics),
        };
        self.ended = match &read {
            Ok(more) => !more,
            Err(error) => error.scope() == Scope::Base,
        };
        read.map_err(|error| Error::base(&self.path, error))
    }

    /// Deviations that were tolerated in the last game.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.diagnostics.warnings()
    }
}

impl Iterator for IntoGames {
    type Item = Result<Game, Error>;

    fn next(&mut self) -> Option<Result<Game, Error>> {
        let mut game = Game::new();
        match self.read_game(&mut game) {
            Ok(true) => Some(Ok(game)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl fmt::Debug for IntoGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoGames").field("path", &self.path).finish_non_exhaustive()
    }
}

/// One step of an iterator that ends after an error of the whole base.
fn next_game(
    diagnostics: &mut Diagnostics,
    ended: &mut bool,
    read: impl FnOnce(&mut Game, &mut Diagnostics) -> Result<bool, Error>,
) -> Option<Result<Game, Error>> {
    if *ended {
        return None;
    }
    let mut game = Game::new();
    diagnostics.clear();
    match read(&mut game, diagnostics) {
        Ok(true) => Some(Ok(game)),
        Ok(false) => {
            *ended = true;
            None
        }
        Err(error) => {
            *ended = error.scope() == Scope::Base;
            Some(Err(error))
        }
    }
}
