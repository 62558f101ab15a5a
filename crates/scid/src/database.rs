//! A base: index, names and games together.

use std::path::Path;

use chess_core::io::{PagedFile, ReadAt};
use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Encoding, Game, Header, Location, TextDecoder, Warning, files};

use crate::decode::decode_record;
use crate::error::{Error, ErrorKind, io, size};
use crate::header::{Damage, Info, parse_header};
use crate::index::Entry;
use crate::layout::{Extensions, Version};
use crate::names::{Names, RawNames, decode_names, parse_names_4};
use crate::names_5::parse_names_5;
use crate::quirk::{Quirk, note};
use crate::roster::decode_roster;

/// A Scid base, open for reading. Only its names are in memory; threads can share it.
#[derive(Debug)]
pub struct Database<R = PagedFile> {
    pub(crate) index: R,
    pub(crate) games: R,
    pub(crate) names_file: R,
    pub(crate) files: Extensions,
    pub(crate) version: Version,
    info: Info,
    pub(crate) names: Names,
    /// Whole entries of the index.
    entries: u64,
    pub(crate) text: TextDecoder,
    warnings: Vec<Warning>,
}

impl Database<PagedFile> {
    /// Opens a base by the path of any of its three files; the others are found beside it,
    /// whatever the case of their names.
    ///
    /// # Errors
    /// If a file is missing or cannot be read, or the index is none.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Database<PagedFile>, Error> {
        let files = family_of(path)?;
        let open = |extension| {
            files::open_companion(path, extension).map_err(io(Location::file(extension)))
        };
        let index = open(files.index)?;
        let games = open(files.games)?;
        let names = open(files.names)?;
        Database::from_parts(files, index, games, names, options)
    }
}

/// The family of files a path belongs to.
pub(crate) fn family_of(path: &Path) -> Result<Extensions, Error> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .and_then(Extensions::family)
        .ok_or_else(|| Error::new(ErrorKind::Extension, Location::default()))
}

impl<R: ReadAt> Database<R> {
    /// A base of three files, or byte slices, that are open already.
    ///
    /// # Errors
    /// If a file cannot be read, or the index is none.
    pub fn from_parts(
        files: Extensions,
        index: R,
        games: R,
        names_file: R,
        options: &OpenOptions,
    ) -> Result<Database<R>, Error> {
        let text = TextDecoder::new(options.encoding, Encoding::WINDOWS_1252);
        let mut diagnostics = Diagnostics::lenient();
        let (version, mut info) = read_header(&index, files)?;
        let entries = count_entries(&index, files, version, &mut info, &mut diagnostics)?;
        let raw = read_names(&names_file, files)?;
        let raw = parse_names(&raw, files, version, &mut info, &mut diagnostics)?;
        let at = Location::file(files.names);
        let names = decode_names(raw, &text).map_err(|kind| Error::new(kind, at))?;
        let warnings = diagnostics.warnings().to_vec();
        Ok(Database {
            index,
            games,
            names_file,
            files,
            version,
            info,
            names,
            entries,
            text,
            warnings,
        })
    }

    /// How many games the base lists: by its header or its entries, whichever are more.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.entries.max(u64::from(self.info.games))
    }

    /// Whether it lists no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whole entries of the index.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// The generation of the format.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// What the base says of itself.
    #[must_use]
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Every name of the base.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The deviations met on opening.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Where a game's entry begins in the index.
    pub(crate) fn entry_offset(&self, game: u64) -> u64 {
        let size = self.version.entry_size() as u64;
        self.version.header_size().saturating_add(game.saturating_mul(size))
    }

    /// The place of a game's entry.
    pub(crate) fn entry_location(&self, game: u64) -> Location {
        Location::file(self.files.index).at(self.entry_offset(game)).in_game(game)
    }

    /// Reads a game's index entry.
    ///
    /// # Errors
    /// If there is no such game, or the index has no entry for it.
    pub fn entry(&self, game: u64) -> Result<Entry, Error> {
        let at = self.entry_location(game);
        if game >= self.len() {
            return Err(Error::new(ErrorKind::NoSuchGame(self.len()), at));
        }
        let mut bytes = [0; 56];
        let bytes = bytes.get_mut(..self.version.entry_size()).unwrap_or_default();
        let count = self.index.read_full(at.offset.unwrap_or(u64::MAX), bytes).map_err(io(at))?;
        let bytes = bytes.get(..count).unwrap_or_default();
        self.version.parse_entry(bytes).ok_or_else(|| {
            let (declared, entries) = (self.len(), self.entries);
            Error::new(ErrorKind::NoEntry { declared, entries }, at)
        })
    }

    /// Reads a game's header from index and names: the roster, ratings, ECO, dates and flags, but
    /// not the tags that stand in its record.
    ///
    /// # Errors
    /// If the game has no entry.
    pub fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.clear();
        let entry = self.entry(game)?;
        decode_roster(&entry, &self.names, header, self.entry_location(game), diagnostics)
    }

    /// Reads a game. After an error `into` holds what came before the damage.
    ///
    /// # Errors
    /// If the game has no entry, or its record is damaged.
    pub fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let entry = self.entry(game)?;
        let at = self.entry_location(game);
        decode_roster(&entry, &self.names, &mut into.header, at, diagnostics)?;
        let mut record = into.take_buffer();
        let result = self.record(&entry, game, &mut record, diagnostics).and_then(|at| {
            let result = decode_record(&record, at, &self.text, into, diagnostics);
            // A short record's own error is its shortness, not where decoding noticed.
            self.complete(&entry, &record, at)?;
            result
        });
        into.return_buffer(record);
        result
    }

    /// Reads the bytes of a game's record, fewer if the file ends; says where they begin.
    pub(crate) fn record(
        &self,
        entry: &Entry,
        game: u64,
        record: &mut Vec<u8>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Location, Error> {
        let at = Location::file(self.files.games).at(entry.offset).in_game(game);
        if entry.length == 0 {
            record.clear();
            return Err(Error::new(ErrorKind::EmptyRecord, at));
        }
        if self.version.crosses_block(entry.offset, u64::from(entry.length)) {
            note(diagnostics, Quirk::CrossesBlock, at)?;
        }
        self.games.read_into(entry.offset, entry.length as usize, record).map_err(io(at))?;
        Ok(at)
    }

    pub(crate) fn complete(&self, entry: &Entry, record: &[u8], at: Location) -> Result<(), Error> {
        if record.len() == entry.length as usize {
            return Ok(());
        }
        let size = size(&self.games, self.files.games)?;
        Err(Error::new(ErrorKind::RecordBeyondFile { length: entry.length, size }, at))
    }
}

fn read_header<R: ReadAt>(index: &R, files: Extensions) -> Result<(Version, Info), Error> {
    if files == Extensions::SI5 {
        return Ok((Version::Si5, Info { version: 500, ..Info::default() }));
    }
    let at = Location::file(files.index);
    let mut bytes = Vec::new();
    index.read_into(0, 182, &mut bytes).map_err(io(at))?;
    parse_header(&bytes).map_err(|damage| match damage {
        Damage::Magic => Error::new(ErrorKind::IndexMagic, at.at(0)),
        Damage::Version(number) => Error::new(ErrorKind::Version(number), at.at(8)),
        Damage::Short => Error::new(ErrorKind::IndexHeader, at.at(bytes.len() as u64)),
    })
}

/// Counts whole entries, and compares with what the header counts.
fn count_entries<R: ReadAt>(
    index: &R,
    files: Extensions,
    version: Version,
    info: &mut Info,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Error> {
    let size = size(index, files.index)?;
    let bytes = size.saturating_sub(version.header_size());
    let entry = version.entry_size() as u64;
    let entries = bytes.checked_div(entry).unwrap_or(0);
    let end = version.header_size().saturating_add(entries.saturating_mul(entry));
    let at = Location::file(files.index).at(end);
    if end < size {
        note(diagnostics, Quirk::PartialEntry, at)?;
    }
    if version == Version::Si5 {
        info.games = u32::try_from(entries).unwrap_or(u32::MAX);
    }
    let declared = u64::from(info.games);
    let count_at = Location::file(files.index).at(14);
    if declared > entries {
        note(diagnostics, Quirk::MissingGames, count_at)?;
    } else if declared < entries {
        note(diagnostics, Quirk::UncountedGames, count_at)?;
    }
    Ok(entries)
}

/// Reads the whole names file.
pub(crate) fn read_names<N: ReadAt>(names: &N, files: Extensions) -> Result<Vec<u8>, Error> {
    let length = usize::try_from(size(names, files.names)?).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    names.read_into(0, length, &mut bytes).map_err(io(Location::file(files.names)))?;
    Ok(bytes)
}

/// The names of a names file.
pub(crate) fn parse_names(
    bytes: &[u8],
    files: Extensions,
    version: Version,
    info: &mut Info,
    diagnostics: &mut Diagnostics,
) -> Result<RawNames, Error> {
    match version {
        Version::Si5 => parse_names_5(bytes, files.names, info, diagnostics),
        Version::Si3 | Version::Si4 => parse_names_4(bytes, files.names, diagnostics),
    }
}
