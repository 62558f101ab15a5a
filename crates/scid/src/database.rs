//! A base: index, names and games together.

use std::io;
use std::path::Path;

use chess_core::{Game, Header};
use chess_store::files::BaseFiles;
use chess_store::io::{PageCache, ReadAhead, ReadAt};
use chess_store::{
    About, Describe, Diagnostics, Encoding, EncodingSurvey, Field, FindFiles, Input, Inputs,
    Location, ReadGames, RecordBounds, TextDecoder, Warning,
};

use crate::decode::read_record;
use crate::encode::RecordEncoder;
use crate::error::{Error, ErrorKind, size};
use crate::header::{Damage, Info, parse_header};
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version};
use crate::names::{Names, RawNames, decode_names};
use crate::names_4::parse_names_4;
use crate::names_5::parse_names_5;
use crate::names_restored::restore_names;
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::quirk::Quirk;
use crate::record::Record;
use crate::record_tags::read_tags;
use crate::roster::decode_roster;
use crate::salvage;

/// The most missing games listed. A missing game is counted by the header and has no index entry.
/// The limit matters because a damaged three-byte count could claim 16 million games.
const MISSING_GAMES_LISTED: u64 = 1000;
/// Bytes of the base for which one missing game is listed: about the size of any game in all files
/// together.
const MISSING_GAME_SIZE: u64 = 64;

/// A Scid base, open for reading. Only its names are in memory. Threads can share it.
///
/// Games are read through [`ReadGames`].
#[derive(Debug)]
pub struct Database<R = Option<Input>> {
    pub(crate) files: Parts<R>,
    pub(crate) version: Version,
    info: Info,
    pub(crate) names: Names,
    /// The number of whole index entries.
    entries: u64,
    /// The number of games listed: all entries, and some of the missing games that the header
    /// counts.
    listed: u64,
    /// The size of the games file when the base was opened.
    pub(crate) games_size: u64,
    bounds: RecordBounds,
    pub(crate) text: TextDecoder,
    /// The encoding, if the names determine it.
    detected: Option<Encoding>,
    warnings: Vec<Warning>,
}

/// The state of one thread that reads a [`Database`].
#[derive(Debug, Default)]
pub struct State {
    pub(crate) index: PageCache,
    pub(crate) games: PageCache,
    /// The entry of the game that was read last, so that the steps of a search parse it once.
    entry: Option<(u64, IndexEntry)>,
    pub(crate) record: HeldRecord,
    pub(crate) read_ahead: ReadAhead,
    /// Created by the first call that verifies a game.
    pub(crate) encoder: Option<Box<RecordEncoder>>,
}

/// The record that was read last, so that the steps of a search read it once.
#[derive(Debug, Default)]
pub(crate) struct HeldRecord {
    bytes: Vec<u8>,
    /// The game of the record, if reading it gave no warning, and where it begins.
    of: Option<(u64, Location)>,
}

impl HeldRecord {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the buffer, for bytes that are not the record of a game.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        self.of = None;
        &mut self.bytes
    }
}

impl Database {
    /// Opens a base by the path of any of its three files. The other files are found beside it,
    /// whatever the case of their names.
    ///
    /// # Errors
    /// I/O errors; a missing or invalid index. A missing games or names file is a
    /// [quirk](Quirk::MissingFile): the base then has only headers, or only moves.
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Database::open), with options.
    ///
    /// # Errors
    /// As [`open`](Database::open). In strict mode, also the first deviation.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        let path = path.as_ref();
        let extensions = Extensions::of_path(path)?;
        BaseFiles::open_whole(path, extensions.index, |base| {
            Database::find(base, extensions, options)
        })
    }

    /// As [`open_with`](Database::open_with), for files that are already open.
    ///
    /// # Errors
    /// As `open_with`.
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Self, Error> {
        Database::find(inputs, Extensions::of_path(inputs.named())?, options)
    }

    fn find(
        base: &dyn FindFiles,
        extensions: Extensions,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let open = |name| base.needed(name).map_err(Error::io(Location::file(name)));
        let mut missing = Vec::new();
        let index = match base.optional(extensions.index) {
            Ok(None) if options.salvage && !options.strict => {
                missing.push(extensions.index);
                None
            }
            Ok(None) if base.optional(extensions.games).is_ok_and(|games| games.is_some()) => {
                let missing = base.needed(extensions.index).err();
                let text = missing.map(|error| error.to_string()).unwrap_or_default();
                let text = format!("{text}; repair finds the games without it");
                let error = io::Error::new(io::ErrorKind::NotFound, text);
                return Err(Error::io(Location::file(extensions.index))(error));
            }
            _ => Some(open(extensions.index)?),
        };
        let mut open_if_there = |name| {
            let file = base.optional(name).map_err(Error::io(Location::file(name)))?;
            match file {
                None if options.strict => open(name).map(Some),
                None => {
                    missing.push(name);
                    Ok(None)
                }
                some => Ok(some),
            }
        };
        let games = open_if_there(extensions.games)?;
        let names = open_if_there(extensions.names)?;
        if games.is_none() && names.is_none() {
            // An index alone has nothing that can be read.
            open(extensions.games)?;
        }
        let parts = Parts { extensions, index, games, names };
        let mut database = match options.salvage {
            true => salvage::open(&parts, options)?,
            false => Database::from_parts(parts, options)?,
        };
        database.note_missing(&missing)?;
        Ok(database)
    }
}

impl<R> Database<R> {
    /// Adds a deviation of the base as a whole.
    pub(crate) fn note(&mut self, quirk: Quirk, at: Location) -> Result<(), Error> {
        let mut diagnostics = Diagnostics::lenient();
        diagnostics.note(quirk, at)?;
        self.warnings.extend_from_slice(diagnostics.warnings());
        Ok(())
    }

    /// The number of whole index entries.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    fn note_missing(&mut self, files: &[&'static str]) -> Result<(), Error> {
        let mut diagnostics = Diagnostics::lenient();
        for file in files {
            diagnostics.note(Quirk::MissingFile, Location::file(file))?;
        }
        // A missing file is not the same as an empty file.
        let is_empty = |odd: &Warning| odd.quirk() == Some(Quirk::NamesEmpty);
        self.warnings.retain(|odd| !(is_empty(odd) && files.contains(&odd.at.file)));
        self.warnings.splice(0..0, diagnostics.warnings().iter().copied());
        Ok(())
    }
}

impl<R: ReadAt> Database<R> {
    /// Opens a base from three files, or byte slices, that are already open.
    ///
    /// # Errors
    /// I/O errors; an invalid index. In strict mode, also the first deviation.
    pub fn from_parts(files: Parts<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        let Examined { version, info, entries, names, detected, warnings } =
            Examined::of(&files, options)?;
        let missing = u64::from(info.games).saturating_sub(entries);
        let room = missing_games_limit(&files)?;
        let listed = entries.saturating_add(missing.min(room));
        let text = TextDecoder::new(options.encoding, Encoding::WINDOWS_1252);
        let text = detected.map_or(text, TextDecoder::utf8_or);
        let at = Location::file(files.extensions.names);
        let names = decode_names(names, &text).map_err(|kind| Error::new(kind, at))?;
        let bounds = RecordBounds::default();
        let games_size = size(&files.games, files.extensions.games)?;
        Ok(Database {
            files,
            version,
            info,
            names,
            entries,
            listed,
            games_size,
            bounds,
            text,
            detected,
            warnings,
        })
    }

    /// The version of the format.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The base's own data: description, type, flag labels.
    #[must_use]
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// All names of the base.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The location of a game's index entry.
    pub(crate) fn entry_location(&self, game: u64) -> Location {
        let offset = self.version.entry_offset(game);
        Location::file(self.files.extensions.index).at(offset).in_game(game)
    }

    /// Reads a game's index entry.
    ///
    /// # Errors
    /// No such game, or no index entry for it.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        self.read_entry(&self.files.index, game)
    }

    /// As [`entry`](Database::entry), reading through a cache of the index.
    pub(crate) fn read_entry(&self, index: &impl ReadAt, game: u64) -> Result<IndexEntry, Error> {
        let at = self.entry_location(game);
        if game >= self.listed {
            return Err(Error::new(ErrorKind::NoSuchGame(self.listed), at));
        }
        let mut bytes = [0; 56];
        let bytes = bytes.get_mut(..self.version.entry_size()).unwrap_or_default();
        let count = index.read_full(self.version.entry_offset(game), bytes);
        let bytes = bytes.get(..count.map_err(Error::io(at))?).unwrap_or_default();
        self.version.parse_entry(bytes).ok_or_else(|| {
            let (declared, entries) = (u64::from(self.info.games), self.entries);
            Error::new(ErrorKind::NoEntry { declared, entries }, at)
        })
    }

    /// As [`entry`](Database::entry), for the steps of a search: the entry that was read last is kept.
    pub(crate) fn held_entry(&self, state: &mut State, game: u64) -> Result<IndexEntry, Error> {
        if let Some((_, entry)) = state.entry.filter(|(held, _)| *held == game) {
            return Ok(entry);
        }
        let entry = self.read_entry(&state.entries(&self.files.index), game)?;
        state.entry = Some((game, entry));
        Ok(entry)
    }

    /// Reads a game's record into `state.record`, unless it is there, and returns where it begins. See
    /// [`read_record`](Database::read_record).
    pub(crate) fn held_record(
        &self,
        state: &mut State,
        entry: &IndexEntry,
        game: u64,
        diagnostics: &mut Diagnostics,
    ) -> Result<Location, Error> {
        if let Some((_, at)) = state.record.of.filter(|(held, _)| *held == game) {
            return Ok(at);
        }
        let warnings = diagnostics.warnings().len();
        let games = state.games.cached(&self.files.games);
        let at = self.read_record(&games, entry, game, state.record.buffer(), diagnostics)?;
        let is_sound = diagnostics.warnings().len() == warnings;
        state.record.of = is_sound.then_some((game, at));
        Ok(at)
    }

    /// Reads a game's record into `record` and returns where it begins. `record` is shorter than
    /// stated if the file ends early.
    pub(crate) fn read_record(
        &self,
        games: &impl ReadAt,
        entry: &IndexEntry,
        game: u64,
        record: &mut Vec<u8>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Location, Error> {
        let at = Location::file(self.files.extensions.games).at(entry.offset).in_game(game);
        if entry.length == 0 {
            record.clear();
            return Err(Error::new(ErrorKind::EmptyRecord, at));
        }
        if self.version.crosses_block(entry.offset, u64::from(entry.length)) {
            diagnostics.note(Quirk::CrossesBlock, at)?;
        }
        games.read_into(entry.offset, self.allowed(entry), record).map_err(Error::io(at))?;
        Ok(at)
    }

    /// Returns how many bytes of a game's record are read. This is the whole record, unless it
    /// overlaps the records of many other games.
    // scid §4.1.7
    fn allowed(&self, entry: &IndexEntry) -> usize {
        self.bounds.max_extent(entry.offset, entry.length as usize, || {
            let pages = PageCache::default();
            (0..self.entries).filter_map(move |game| {
                let entry = self.read_entry(&pages.cached(&self.files.index), game);
                entry.ok().map(|entry| entry.offset)
            })
        })
    }

    /// Returns an error if the record is shorter than stated. The caller reports this error rather
    /// than the one from decoding.
    pub(crate) fn check_length(
        &self,
        entry: &IndexEntry,
        record: &[u8],
        at: Location,
    ) -> Result<(), Error> {
        if record.len() == entry.length as usize {
            return Ok(());
        }
        if record.len() == self.allowed(entry) {
            let read = record.len() as u64;
            return Err(Error::new(ErrorKind::SharedRecord { length: entry.length, read }, at));
        }
        let size = size(&self.files.games, self.files.extensions.games)?;
        Err(Error::new(ErrorKind::RecordBeyondFile { length: entry.length, size }, at))
    }
}

chess_store::inherent!(ReadGames<Error> for [R: ReadAt + Send + Sync] Database<R>);

impl<R: ReadAt + Send + Sync> ReadGames for Database<R> {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        self.listed
    }

    /// Reads index and names only: roster, ratings, ECO, dates and flags. Tags stored in the record
    /// are not included.
    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.clear();
        let entry = self.held_entry(state, game)?;
        decode_roster(&entry, &self.names, header, self.entry_location(game), diagnostics)
    }

    /// Reads the beginning of the record, too. Returns `false` if a tag may depend on the moves, if
    /// the record is not all there, or if its texts would be converted when the game is written.
    fn full_header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        header.clear();
        let entry = self.held_entry(state, game)?;
        if entry.chess960 || self.detected.is_some() {
            return Ok(false);
        }
        decode_roster(&entry, &self.names, header, self.entry_location(game), diagnostics)?;
        let at = self.held_record(state, &entry, game, diagnostics)?;
        let bytes = state.record.bytes();
        read_tags(Record { bytes, at }, &self.text, header, diagnostics)?;
        Ok(bytes.len() == entry.length as usize)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let entry = self.held_entry(state, game)?;
        let at = self.entry_location(game);
        decode_roster(&entry, &self.names, &mut into.header, at, diagnostics)?;
        let at = self.held_record(state, &entry, game, diagnostics)?;
        let record = state.record.bytes();
        let result = read_record(record, at, &self.text, entry.chess960, into, diagnostics);
        self.check_length(&entry, record, at)?;
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

    fn verify_with(
        &self,
        state: &mut State,
        game: u64,
        decoded: &Game,
    ) -> Result<Vec<&'static str>, Error> {
        self.stale_fields(state, game, decoded)
    }
}

impl<R: ReadAt + Send + Sync> Describe for Database<R> {
    fn about(&self) -> About {
        crate::facts::about(self.info(), self.version(), &self.text)
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        let version = match self.version() {
            Version::Si5 => String::from("5"),
            Version::Si3 | Version::Si4 => self.info().version.to_string(),
        };
        let [players, events, sites, rounds] = self.names();
        let mut rows = vec![
            ("version", version),
            ("players", players.count().to_string()),
            ("events", events.count().to_string()),
            ("sites", sites.count().to_string()),
            ("rounds", rounds.count().to_string()),
        ];
        if let Some(encoding) = self.detected {
            rows.push(("encoding", format!("{}, as the names look", encoding.name())));
        }
        let (declared, entries) = (u64::from(self.info.games), self.entries);
        if let Some(missing) = declared.checked_sub(entries).filter(|missing| *missing > 0) {
            let what = format!("{missing} of the {declared} games that the header counts");
            rows.push(("missing", what));
        }
        rows
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// The contents of the files of a base that are read when it is opened.
pub(crate) struct Examined {
    pub(crate) version: Version,
    pub(crate) info: Info,
    /// The number of whole index entries.
    pub(crate) entries: u64,
    pub(crate) names: RawNames,
    detected: Option<Encoding>,
    pub(crate) warnings: Vec<Warning>,
}

impl Examined {
    /// Reads the header, the number of entries and the names of a base.
    ///
    /// # Errors
    /// As [`Database::from_parts`].
    pub(crate) fn of<R: ReadAt>(
        files: &Parts<R>,
        options: &OpenOptions,
    ) -> Result<Examined, Error> {
        let strict = options.strict;
        let mut diagnostics = if strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let (version, mut info) = read_header(files)?;
        let entries = count_entries(files, version, &mut info, &mut diagnostics)?;
        let name = files.extensions.names;
        let names = read_all_names(files, version, &mut info, &mut diagnostics)?;
        let at = Location::file(name);
        // scid §3.3.4
        if version == Version::Si5 && entries > 0 && size(&files.names, name)? == 0 {
            diagnostics.note(Quirk::NamesEmpty, at)?;
        }
        // scid §2.1.15
        let games = files.extensions.games;
        if version == Version::Si5 && entries == 0 && size(&files.games, games)? > 0 {
            diagnostics.note(Quirk::IndexEmpty, Location::file(files.extensions.index))?;
        }
        let detected = match options.encoding {
            Some(_) => None,
            None => {
                let survey = survey_names(&names);
                let detected = survey.cyrillic();
                if survey.doubts(detected.unwrap_or(Encoding::WINDOWS_1252)) {
                    diagnostics.note(Quirk::OtherScript, at)?;
                }
                if detected.is_none() && survey.is_mixed() {
                    diagnostics.note(Quirk::MixedText, at)?;
                }
                detected
            }
        };
        let warnings = diagnostics.warnings().to_vec();
        Ok(Examined { version, info, entries, names, detected, warnings })
    }
}

fn read_header<R: ReadAt>(files: &Parts<R>) -> Result<(Version, Info), Error> {
    if files.extensions == Extensions::SI5 {
        return Ok((Version::Si5, Info { version: 500, ..Info::default() }));
    }
    let at = Location::file(files.extensions.index);
    let mut bytes = Vec::new();
    files.index.read_into(0, 182, &mut bytes).map_err(Error::io(at))?;
    parse_header(&bytes).map_err(|damage| match damage {
        Damage::Magic => Error::new(ErrorKind::IndexMagic, at.at(0)),
        Damage::Version(number) => Error::new(ErrorKind::Version(number), at.at(8)),
        Damage::Short => Error::new(ErrorKind::IndexHeader, at.at(bytes.len() as u64)),
    })
}

/// Counts whole entries and compares the number with the header's count.
fn count_entries<R: ReadAt>(
    files: &Parts<R>,
    version: Version,
    info: &mut Info,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Error> {
    let at = Location::file(files.extensions.index);
    let size = size(&files.index, files.extensions.index)?;
    let bytes = size.saturating_sub(version.header_size());
    let entries = bytes.checked_div(version.entry_size() as u64).unwrap_or(0);
    let end = version.entry_offset(entries);
    if end < size {
        // Version 5 has no count that could tell whether the partial entry was a game.
        let quirk = if version == Version::Si5 { Quirk::EntryCut } else { Quirk::PartialEntry };
        diagnostics.note(quirk, at.at(end))?;
    }
    if version == Version::Si5 {
        // Version 5 has no count of its own.
        info.games = u32::try_from(entries).unwrap_or(u32::MAX);
        return Ok(entries);
    }
    let declared = u64::from(info.games);
    if declared > entries {
        diagnostics.note(Quirk::MissingGames, at.at(14))?;
    } else if declared < entries {
        diagnostics.note(Quirk::UncountedGames, at.at(14))?;
    }
    Ok(entries)
}

/// Reads the names of a base. If a line-end conversion damaged the file, the names are restored.
fn read_all_names<R: ReadAt>(
    files: &Parts<R>,
    version: Version,
    info: &mut Info,
    diagnostics: &mut Diagnostics,
) -> Result<RawNames, Error> {
    let name = files.extensions.names;
    if diagnostics.is_strict() {
        return parse_names(&files.names, name, version, info, diagnostics);
    }
    let mut noted = Diagnostics::lenient();
    let names = parse_names(&files.names, name, version, info, &mut noted)?;
    let damage = noted.warnings().iter().find(|odd| odd.quirk() == Some(Quirk::NamesDamaged));
    // scid §3.1.16
    if let (Some(damage), Version::Si3 | Version::Si4) = (damage, version)
        && let Some(restored) = restore_names(&read_names(files)?, name)
    {
        diagnostics.note(Quirk::NamesRestored, damage.at)?;
        return Ok(restored);
    }
    diagnostics.append(&noted)?;
    Ok(names)
}

/// The number of names of each kind that are examined to detect the encoding.
const NAMES_EXAMINED: u32 = 20_000;

/// Collects the names to detect their encoding.
// scid §3.3.5
fn survey_names(names: &RawNames) -> EncodingSurvey {
    let mut survey = EncodingSurvey::default();
    for list in names {
        let ids = 0..NAMES_EXAMINED.min(u32::try_from(list.len()).unwrap_or(u32::MAX));
        ids.filter_map(|id| list.get(id)).for_each(|name| survey.add(name));
    }
    survey
}

/// The number of missing games that are listed.
fn missing_games_limit<R: ReadAt>(files: &Parts<R>) -> Result<u64, Error> {
    let Extensions { index, games, names, .. } = files.extensions;
    let bytes = size(&files.index, index)?
        .saturating_add(size(&files.games, games)?)
        .saturating_add(size(&files.names, names)?);
    Ok((bytes / MISSING_GAME_SIZE).min(MISSING_GAMES_LISTED))
}

/// Reads the whole names file.
pub(crate) fn read_names<R: ReadAt>(files: &Parts<R>) -> Result<Vec<u8>, Error> {
    read_whole(&files.names, files.extensions.names)
}

fn read_whole<R: ReadAt + ?Sized>(file: &R, name: &'static str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    file.read_into(0, usize::MAX, &mut bytes).map_err(Error::io(Location::file(name)))?;
    Ok(bytes)
}

/// Parses the names of a names file.
pub(crate) fn parse_names<R: ReadAt + ?Sized>(
    file: &R,
    name: &'static str,
    version: Version,
    info: &mut Info,
    diagnostics: &mut Diagnostics,
) -> Result<RawNames, Error> {
    match version {
        Version::Si5 => parse_names_5(&read_whole(file, name)?, name, info, diagnostics),
        Version::Si3 | Version::Si4 => parse_names_4(file, name, diagnostics),
    }
}
