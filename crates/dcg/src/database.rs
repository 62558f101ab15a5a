//! The five files together.

use std::fmt;
use std::io;
use std::path::Path;

use chess_core::files::companion;
use chess_core::io::{PagedFile, ReadAt};
use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Encoding, Game, Header, Location, TextDecoder, Warning};

use crate::compact::unfinished_compaction;
use crate::decode::{RecordOptions, decode_record};
use crate::error::{Error, ErrorKind};
use crate::header::{NameFiles, decode_header};
use crate::index::{IndexEntry, IndexHeader, SAMPLE_SIZE, detect_layout, parse_header};
use crate::layout::{GAMES_MAGIC, INDEX_MAGIC, Layout, MAGIC_SIZE};
use crate::length::{Length, LengthError, parse_length, parse_old_record_length};
use crate::names::{NameFile, NameKind};
use crate::promotion::{Evidence, Numbering, Promotions, Survey};
use crate::quirk::{Quirk, note};

/// The files of a base, whatever they are read from or written to.
#[derive(Clone, Debug, Default)]
pub struct Parts<T> {
    /// The index.
    pub dci: T,
    /// The players.
    pub dcn: T,
    /// The sites.
    pub dcs: T,
    /// The events, which bases of the old layout do not have.
    pub dce: Option<T>,
    /// The games.
    pub dcg: T,
}

/// A base, open for reading. Threads may share it.
pub struct Database<R = Box<dyn ReadAt>> {
    index: R,
    games: R,
    games_size: u64,
    names: NameFiles<R>,
    layout: Layout,
    header: IndexHeader,
    count: u64,
    record: RecordOptions,
    numbering: Numbering,
    warnings: Vec<Warning>,
}

impl Database {
    /// Opens the base that any of its files names; the others are found beside it.
    ///
    /// The option `promotions` says what promotion codes mean: `program`, `described`, or `auto`
    /// (the default), which decides by what the first games hold.
    ///
    /// # Errors
    /// If the index or the games are missing, or the index is not one. Missing names are a
    /// [warning](Database::warnings).
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Database, Error> {
        let mut diagnostics = Diagnostics::lenient();
        let unfinished = unfinished_compaction(path);
        if unfinished.is_some() {
            note(&mut diagnostics, Quirk::UnfinishedCompaction, Location::file("dci"))?;
        }
        let find = |extension| {
            let staged = unfinished.as_deref().and_then(|staged| companion(staged, extension));
            staged.or_else(|| companion(path, extension))
        };
        let open = |extension: &'static str| {
            let file = match find(extension) {
                Some(found) => std::fs::File::open(found).and_then(PagedFile::new),
                None => Err(io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("there is no {}", path.with_extension(extension).display()),
                )),
            };
            file.map_err(|error| ErrorKind::Io(error).at(Location::file(extension)))
        };
        let mut names = |extension: &'static str| -> Result<Box<dyn ReadAt>, Error> {
            if find(extension).is_none() {
                note(&mut diagnostics, Quirk::MissingFile, Location::file(extension))?;
                return Ok(Box::new(Vec::new()));
            }
            Ok(Box::new(open(extension)?))
        };
        let (dcn, dcs) = (names("dcn")?, names("dcs")?);
        let parts = Parts {
            dci: Box::new(open("dci")?) as Box<dyn ReadAt>,
            dcn,
            dcs,
            dce: match find("dce") {
                Some(_) => Some(Box::new(open("dce")?)),
                None => None,
            },
            dcg: Box::new(open("dcg")?),
        };
        Database::assemble(parts, options, diagnostics)
    }
}

impl<R: ReadAt> Database<R> {
    /// Opens a base whose files the caller has, in memory or elsewhere.
    ///
    /// # Errors
    /// If the index is not one.
    pub fn from_parts(parts: Parts<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        Database::assemble(parts, options, Diagnostics::lenient())
    }

    fn assemble(
        parts: Parts<R>,
        options: &OpenOptions,
        mut diagnostics: Diagnostics,
    ) -> Result<Database<R>, Error> {
        let asked = asked_promotions(options)?;
        let Parts { dci: index, dcn, dcs, dce, dcg: games } = parts;
        let io = |file| move |error| ErrorKind::Io(error).at(Location::file(file));
        let games_size = games.size().map_err(io("dcg"))?;
        let events = dce.map(|dce| NameFile::new(NameKind::Events, dce)).transpose();
        let names = NameFiles {
            players: NameFile::new(NameKind::Players, dcn).map_err(io("dcn"))?,
            sites: NameFile::new(NameKind::Sites, dcs).map_err(io("dcs"))?,
            events: events.map_err(io("dce"))?,
        };
        let has_events = names.events.is_some();
        let (layout, header, count) = open_index(&index, has_events, games_size, &mut diagnostics)?;
        if layout == Layout::Current && !has_events {
            note(&mut diagnostics, Quirk::MissingFile, Location::file("dce"))?;
        }
        let text = TextDecoder::new(options.encoding, Encoding::WINDOWS_1252);
        let record = RecordOptions { promotions: Promotions::Program, text };
        let numbering = Numbering { promotions: record.promotions, evidence: Evidence::Assumed };
        let mut base = Database {
            index,
            games,
            games_size,
            names,
            layout,
            header,
            count,
            record,
            numbering,
            warnings: Vec::new(),
        };
        base.check_magics(&mut diagnostics)?;
        base.numbering = match asked {
            Some(promotions) => Numbering { promotions, evidence: Evidence::Asked },
            None => base.survey(),
        };
        base.record.promotions = base.numbering.promotions;
        base.warnings = diagnostics.warnings().to_vec();
        Ok(base)
    }

    fn check_magics(&self, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        let mut check = |file, size, sound: io::Result<bool>| {
            let at = Location::file(file).at(0);
            if size > 0 && !sound.map_err(|error| ErrorKind::Io(error).at(at))? {
                note(diagnostics, Quirk::WrongMagic, at)?;
            }
            Ok(())
        };
        let mut start = [0; 10];
        let games = self.games.read_full(0, &mut start).map(|_| start == *GAMES_MAGIC);
        check("dcg", self.games_size, games)?;
        let NameFiles { players, sites, events } = &self.names;
        check("dcn", players.size(), players.has_magic())?;
        check("dcs", sites.size(), sites.has_magic())?;
        events.as_ref().map_or(Ok(()), |events| check("dce", events.size(), events.has_magic()))
    }

    /// Looks for evidence of the promotion numbering in the first games, a bounded number of them.
    // dcg §6.3.1 "Promotion codes"
    fn survey(&self) -> Numbering {
        const GAMES: u64 = 1024;
        const BYTES: usize = 1 << 20;
        let mut survey = Survey::default();
        let mut record = Vec::new();
        let mut bytes = 0usize;
        for game in 0..self.count.min(GAMES) {
            let Ok(entry) = self.entry(game) else { continue };
            let Ok(start) = self.read_record(&entry, game, &mut record) else { continue };
            let body = record.get(start.length.size..).unwrap_or_default();
            bytes = bytes.saturating_add(body.len());
            if bytes > BYTES {
                break;
            }
            survey.look_at(game, body);
        }
        survey.numbering()
    }

    /// How many games it lists, readable or not.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether it lists no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The shape of its index.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// What its index says before the first entry.
    #[must_use]
    pub fn index_header(&self) -> IndexHeader {
        self.header
    }

    /// The game to show first, from zero; 0 where the index names a game there is not, as the
    /// author's reader has it.
    #[must_use]
    pub fn default_game(&self) -> u64 {
        if self.header.open_default < self.count { self.header.open_default } else { 0 }
    }

    /// What promotion codes were taken to mean, and why.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The deviations met on opening it.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The bytes of a game in the index, from zero, as fields.
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        let at = self.entry_location(game);
        if game >= self.count {
            return Err(ErrorKind::NoSuchGame(self.count).at(at));
        }
        let mut bytes = [0; 39];
        let count = self
            .index
            .read_full(at.offset.unwrap_or(0), &mut bytes)
            .map_err(|error| ErrorKind::Io(error).at(at))?;
        let entry = bytes.get(..count).and_then(|bytes| IndexEntry::parse(bytes, self.layout));
        entry.ok_or_else(|| ErrorKind::Cut("the index").at(at))
    }

    pub(crate) fn entry_location(&self, game: u64) -> Location {
        let offset = game.saturating_mul(self.layout.entry_size());
        let offset = offset.saturating_add(self.layout.header_size());
        Location::file("dci").at(offset).in_game(game)
    }

    /// Reads the header of a game, numbered from zero, replacing what `header` held.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a quirk when strict.
    pub fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let entry = self.entry(game)?;
        let at = self.entry_location(game);
        decode_header(&entry, &self.names, self.record.text, header, diagnostics, at)
    }

    /// Reads a game, numbered from zero, replacing what `into` held. After an error, `into` holds
    /// the moves before the damage, its variations closed.
    ///
    /// # Errors
    /// With [`Scope::Game`](chess_core::Scope::Game) if only this game is damaged.
    pub fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let entry = self.entry(game)?;
        let at = self.entry_location(game);
        decode_header(&entry, &self.names, self.record.text, &mut into.header, diagnostics, at)?;
        let mut record = into.take_buffer();
        let result = self.line(&entry, game, &mut record, into, diagnostics);
        into.return_buffer(record);
        result
    }

    fn line(
        &self,
        entry: &IndexEntry,
        game: u64,
        record: &mut Vec<u8>,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let start = self.read_record(entry, game, record)?;
        if let Some(quirk) = start.length.quirk {
            note(diagnostics, quirk, start.at)?;
        }
        let body = record.get(start.length.size..).unwrap_or_default();
        let decoded = decode_record(body, self.record, into, diagnostics, start.body_at());
        // That the record is cut explains why its last step is.
        start.complete(body)?;
        decoded
    }

    /// Reads the length and the record of a game into `record`, as much as there is of it.
    // dcg §6 "Game record"
    pub(crate) fn read_record(
        &self,
        entry: &IndexEntry,
        game: u64,
        record: &mut Vec<u8>,
    ) -> Result<RecordStart, Error> {
        let at = Location::file("dcg").at(entry.offset).in_game(game);
        if entry.offset < MAGIC_SIZE || entry.offset >= self.games_size {
            let outside = ErrorKind::GameOffset(entry.offset, self.games_size);
            return Err(outside.at(self.entry_location(game)));
        }
        let io = |error| ErrorKind::Io(error).at(at);
        self.games.read_into(entry.offset, MOST_RECORDS, record).map_err(io)?;
        let parsed = match self.layout {
            Layout::Current => parse_length(record),
            Layout::Old => parse_old_record_length(record),
        };
        let length = parsed.map_err(|error| match error {
            LengthError::Cut => ErrorKind::Cut("the length of the record").at(at),
            LengthError::Form(byte) => ErrorKind::Length(byte).at(at),
        })?;
        let value = usize::try_from(length.value).unwrap_or(usize::MAX);
        let whole = value.saturating_add(length.size);
        if whole > record.len() {
            self.games.read_into(entry.offset, whole, record).map_err(io)?;
        }
        record.truncate(whole);
        Ok(RecordStart { length, at })
    }

    pub(crate) fn names(&self) -> &NameFiles<R> {
        &self.names
    }

    pub(crate) fn record_options(&self) -> RecordOptions {
        self.record
    }

    pub(crate) fn into_parts(self) -> Parts<R> {
        Parts {
            dci: self.index,
            dcn: self.names.players.into_source(),
            dcs: self.names.sites.into_source(),
            dce: self.names.events.map(NameFile::into_source),
            dcg: self.games,
        }
    }
}

/// Bytes that hold the length and the record of most games.
const MOST_RECORDS: usize = 1024;

/// Where a record stands and how long it should be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordStart {
    pub(crate) length: Length,
    /// The place of the length.
    pub(crate) at: Location,
}

impl RecordStart {
    /// The place of the record's first byte.
    pub(crate) fn body_at(&self) -> Location {
        self.at.at(self.at.offset.unwrap_or(0).saturating_add(self.length.size as u64))
    }

    /// An error if the file ends before the record does.
    pub(crate) fn complete(&self, body: &[u8]) -> Result<(), Error> {
        let (wanted, there) = (u64::from(self.length.value), body.len() as u64);
        if there < wanted {
            return Err(ErrorKind::RecordCut(wanted, there).at(self.at));
        }
        Ok(())
    }
}

/// The layout, the header and the number of entries of an index.
// dcg §3 "Index header"
fn open_index<R: ReadAt>(
    index: &R,
    events: bool,
    games_size: u64,
    diagnostics: &mut Diagnostics,
) -> Result<(Layout, IndexHeader, u64), Error> {
    let at = Location::file("dci").at(0);
    let io = |error| ErrorKind::Io(error).at(at);
    let size = index.size().map_err(io)?;
    let mut start = [0; SAMPLE_SIZE];
    let count = index.read_full(0, &mut start).map_err(io)?;
    let start = start.get(..count).unwrap_or_default();
    let magic = start.get(..INDEX_MAGIC.len());
    if !start.is_empty() && magic.is_none_or(|magic| magic != INDEX_MAGIC) {
        return Err(ErrorKind::NotAnIndex.at(at));
    }
    let layout = detect_layout(size, start, events, games_size);
    let header = match layout {
        Layout::Current => parse_header(start).unwrap_or_default(),
        Layout::Old => IndexHeader::default(),
    };
    let Some(entries) = size.checked_sub(layout.header_size()) else {
        note(diagnostics, Quirk::ShortHeader, at.at(size))?;
        return Ok((layout, header, 0));
    };
    let at_version = at.at(MAGIC_SIZE);
    if header.version == 1 && entries.checked_rem(layout.entry_size()) != Some(0) {
        // Only ever described: entries of 61 bytes after 11.
        return Err(ErrorKind::Version(header.version).at(at_version));
    }
    if header.version != 0 {
        note(diagnostics, Quirk::UnknownVersion, at_version)?;
    }
    if entries.checked_rem(layout.entry_size()) != Some(0) {
        note(diagnostics, Quirk::ShortIndex, at.at(size))?;
    }
    Ok((layout, header, entries.checked_div(layout.entry_size()).unwrap_or(0)))
}

fn asked_promotions(options: &OpenOptions) -> Result<Option<Promotions>, Error> {
    let mut asked = None;
    for (name, value) in &options.extra {
        asked = match (name.as_str(), value.as_str()) {
            ("promotions", "auto") => None,
            ("promotions", "program") => Some(Promotions::Program),
            ("promotions", "described") => Some(Promotions::Described),
            _ => {
                let option = ErrorKind::Option(format!("{name}={value}"));
                return Err(option.at(Location::default()));
            }
        };
    }
    Ok(asked)
}

impl<R> fmt::Debug for Database<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("layout", &self.layout)
            .field("count", &self.count)
            .field("numbering", &self.numbering)
            .finish_non_exhaustive()
    }
}
