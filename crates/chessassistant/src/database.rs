//! A base: its files together.

use std::fs::File;
use std::path::Path;

use chess_core::files::companion;
use chess_core::io::{PagedFile, ReadAt};
use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Game, Header, Location, Warning};

use crate::charset::Detector;
use crate::codes::{code_size, container_size};
use crate::decode::Decoder;
use crate::description::{Description, unpadded};
use crate::error::{Error, ErrorKind, strict};
use crate::header::HeaderReader;
use crate::layout::{
    CDP_SIZE, CDP_TEXT_WIDTH, CDP_VERSION, COMMENT, LONG_COMMENT, ROW_SIZE, TEXT_AFTER, TEXT_BEFORE,
};
use crate::names::{NameKind, NameTable, Names};
use crate::quirk::Quirk;
use crate::reading::Reading;
use crate::record::{Record, find_record, read_record};
use crate::row::Row;
use crate::selfcheck::{Checker, GAMES, SelfCheck};
use crate::volume::Volume;

/// The files of a base, from wherever they come. Names need the EMB; games need the other three.
pub struct Parts {
    /// The description.
    pub cdp: Option<Box<dyn ReadAt>>,
    /// The volume of names.
    pub emb: Option<Box<dyn ReadAt>>,
    /// Headers of the games.
    pub d00: Box<dyn ReadAt>,
    /// Addresses of the records.
    pub a02: Box<dyn ReadAt>,
    /// Records of the games.
    pub d02: Box<dyn ReadAt>,
}

/// An open base. Only the names are in memory.
pub struct Database {
    description: Option<Description>,
    volume_version: Option<String>,
    names: Names,
    d00: Box<dyn ReadAt>,
    a02: Box<dyn ReadAt>,
    d02: Box<dyn ReadAt>,
    games: u64,
    decoder: Decoder,
    check: SelfCheck,
    warnings: Vec<Warning>,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("games", &self.games).finish_non_exhaustive()
    }
}

/// How much of a CDP's comment is read.
const COMMENT_LIMIT: usize = 0x0010_0000;
/// How many names of a table are looked at to tell the encoding.
const NAMES_LOOKED_AT: u32 = 20_000;

impl Database {
    /// Opens the base one of whose files is named; the others are found beside it.
    ///
    /// Options: `reading=right|literal|left` instead of what the self-check finds.
    ///
    /// # Errors
    /// If the D00, A02 or D02 is missing or cannot be read; an unknown option.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Database, Error> {
        let optional = |extension: &'static str| match companion(path, extension) {
            Some(found) => match File::open(found).and_then(PagedFile::new) {
                Ok(file) => Ok(Some(Box::new(file) as Box<dyn ReadAt>)),
                Err(error) => Err(io_error(extension)(error)),
            },
            None => Ok(None),
        };
        let needed = |extension: &'static str| match optional(extension)? {
            Some(file) => Ok(file),
            None => Err(Error::new(ErrorKind::NoFile, Location::file(extension))),
        };
        let parts = Parts {
            cdp: optional("cdp")?,
            emb: optional("emb")?,
            d00: needed("d00")?,
            a02: needed("a02")?,
            d02: needed("d02")?,
        };
        Database::from_parts(parts, options)
    }

    /// Opens a base of files that may be anywhere, as in memory.
    ///
    /// # Errors
    /// If a file cannot be read; an unknown option.
    pub fn from_parts(parts: Parts, options: &OpenOptions) -> Result<Database, Error> {
        let asked = asked_reading(options)?;
        let mut lenient = Diagnostics::lenient();
        let Parts { cdp, emb, d00, a02, d02 } = parts;
        let description = read_description(cdp.as_deref(), &mut lenient)?;
        let (volume_version, names) = read_names(emb, &mut lenient)?;
        let games = count_games(&*d00, description.as_ref(), &mut lenient)?;

        let mut detector = Detector::default();
        detect_in_names(&names, description.as_ref(), &mut detector);
        let mut base = Database {
            description,
            volume_version,
            names,
            d00,
            a02,
            d02,
            games,
            decoder: Decoder::new(detector.verdict(), Reading::Right),
            check: SelfCheck::not_made(),
            warnings: Vec::new(),
        };
        base.check = base.look_at_games(asked, &mut detector);
        if base.check.chosen != Reading::Right && !base.check.asked {
            let at = Location::file("d02");
            lenient.note(Quirk::FilesCountedLeft, at).map_err(strict)?;
        }
        let encoding = options.encoding.unwrap_or_else(|| detector.verdict());
        base.decoder = Decoder::new(encoding, base.check.chosen);
        base.warnings = lenient.warnings().to_vec();
        Ok(base)
    }

    /// How many games the D00 lists.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.games
    }

    /// Whether it lists no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The deviations met on opening.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What the self-check found on opening.
    #[must_use]
    pub fn self_check(&self) -> &SelfCheck {
        &self.check
    }

    /// The encoding the texts are read in: the one asked for, or found in the bytes.
    #[must_use]
    pub fn encoding(&self) -> chess_core::Encoding {
        self.decoder.charset().encoding()
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

    /// A text of the base, as from [`NameTable::get`].
    #[must_use]
    pub fn text(&self, bytes: &[u8]) -> String {
        let mut text = String::new();
        self.decoder.charset().decode_into(unpadded(bytes), &mut text);
        text
    }

    /// Reads a header, numbered from zero.
    ///
    /// An ECO field of zero is given as A00; [`game`](Database::game) drops it for a game from a
    /// start position of its own.
    ///
    /// # Errors
    /// If there is no such game or its row cannot be read; quirks, when strict.
    pub fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let row = self.row(game)?;
        self.read_header(game, &row, header, diagnostics)
    }

    /// Reads a game, numbered from zero.
    ///
    /// # Errors
    /// As [`header`](Database::header); if the record cannot be found or is damaged. `into` then
    /// holds all moves before the damage.
    pub fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let row = self.row(game)?;
        self.read_header(game, &row, &mut into.header, diagnostics)?;
        let mut buffer = into.take_buffer();
        let result = self.read_moves(game, &row, &mut buffer, into, diagnostics);
        into.return_buffer(buffer);
        if row.eco == 0 && into.setup().is_some() {
            into.header.eco = None;
        }
        result
    }

    /// The fields of a game's header as they are stored.
    pub(crate) fn row(&self, game: u64) -> Result<Row, Error> {
        let offset = game.saturating_mul(ROW_SIZE as u64);
        let fail = |kind| Error::new(kind, Location::file("d00").at(offset).in_game(game));
        if game >= self.games {
            return Err(fail(ErrorKind::NoSuchGame(self.games)));
        }
        let mut bytes = [0; ROW_SIZE];
        self.d00.read_full(offset, &mut bytes).map_err(|error| fail(ErrorKind::Io(error)))?;
        Row::parse(&bytes).ok_or_else(|| fail(ErrorKind::Truncated("a header")))
    }

    fn read_header(
        &self,
        game: u64,
        row: &Row,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let offset = game.saturating_mul(ROW_SIZE as u64);
        let at = Location::file("d00").at(offset).in_game(game);
        HeaderReader { names: &self.names, charset: self.decoder.charset(), at }.read(
            row,
            header,
            diagnostics,
        )
    }

    /// Reads the record a row points to into `buffer`.
    pub(crate) fn record(
        &self,
        game: u64,
        row: &Row,
        buffer: &mut Vec<u8>,
    ) -> Result<Record, Error> {
        let at = Location::file("d02").in_game(game);
        let address = find_record(&*self.a02, row.game_id, at)?;
        read_record(&*self.d02, address, at, buffer)
    }

    fn read_moves(
        &self,
        game: u64,
        row: &Row,
        buffer: &mut Vec<u8>,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let record = self.record(game, row, buffer)?;
        let result = self.decode(game, &record, buffer, into, diagnostics);
        let (Err(_), Some(length)) = (&result, record.long) else { return result };
        // chessassistant §7.1 "Length": does it make sense as three bytes?
        let long = Record { prefix: 3, length, long: None, ..record };
        let mut unheard = Diagnostics::lenient();
        if self.decode(game, &long, buffer, into, &mut unheard).is_err() {
            let _ = self.decode(game, &record, buffer, into, &mut unheard);
            return result;
        }
        let at = Location::file("d02").at(record.offset).in_game(game);
        diagnostics.clear();
        diagnostics.note(Quirk::LongLength, at).map_err(strict)?;
        self.decode(game, &long, buffer, into, diagnostics)
    }

    fn decode(
        &self,
        game: u64,
        record: &Record,
        buffer: &[u8],
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let codes = record.codes(buffer);
        let at = Location::file("d02").at(record.codes_at()).in_game(game);
        self.decoder.decode_at(codes, at, into, diagnostics)?;
        if codes.len() < record.length {
            let end = record.codes_at().saturating_add(codes.len() as u64);
            return Err(Error::new(ErrorKind::Truncated("a record"), at.at(end)));
        }
        Ok(())
    }

    /// Looks at the first games: legality under each reading, texts for the encoding.
    fn look_at_games(&self, asked: Option<Reading>, detector: &mut Detector) -> SelfCheck {
        let mut checker = Checker::new();
        let mut buffer = Vec::new();
        for game in 0..self.games.min(GAMES) {
            let Ok(row) = self.row(game) else { continue };
            let Ok(record) = self.record(game, &row, &mut buffer) else { continue };
            let codes = record.codes(&buffer);
            checker.look(codes);
            detect_in_comments(codes, detector);
        }
        checker.verdict(asked)
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }

    pub(crate) fn volume_version(&self) -> Option<&str> {
        self.volume_version.as_deref()
    }

    pub(crate) fn a02(&self) -> &dyn ReadAt {
        &*self.a02
    }
}

fn asked_reading(options: &OpenOptions) -> Result<Option<Reading>, Error> {
    let mut asked = None;
    for (name, value) in &options.extra {
        let reading = Reading::ALL.into_iter().find(|reading| reading.name() == value);
        match (name.as_str(), reading) {
            ("reading", Some(reading)) => asked = Some(reading),
            _ => {
                let option = ErrorKind::Option(format!("{name}={value}"));
                return Err(Error::new(option, Location::default()));
            }
        }
    }
    Ok(asked)
}

fn io_error(file: &'static str) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::new(ErrorKind::Io(error), Location::file(file))
}

fn read_description(
    cdp: Option<&dyn ReadAt>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Description>, Error> {
    let mut bytes = Vec::new();
    if let Some(cdp) = cdp {
        let size = CDP_SIZE.saturating_add(COMMENT_LIMIT);
        cdp.read_into(0, size, &mut bytes).map_err(io_error("cdp"))?;
    }
    let description = Description::parse(&bytes);
    let at = Location::file("cdp").at(CDP_TEXT_WIDTH as u64);
    match &description {
        None => diagnostics.note(Quirk::NoDescription, at.at(0)).map_err(strict)?,
        Some(description) if description.version != CDP_VERSION => {
            diagnostics.note(Quirk::OtherVersion, at).map_err(strict)?;
        }
        Some(_) => {}
    }
    Ok(description)
}

/// The version of the volume and the names in it; without a usable volume all names are unknown.
fn read_names(
    emb: Option<Box<dyn ReadAt>>,
    diagnostics: &mut Diagnostics,
) -> Result<(Option<String>, Names), Error> {
    let here = Location::file("emb");
    let volume = match emb.map(|emb| Volume::open(emb, diagnostics)) {
        Some(Ok(volume)) => volume,
        Some(Err(error)) => {
            let cause = Quirk::of_names(error.kind());
            diagnostics.note(cause, error.location()).map_err(strict)?;
            diagnostics.note(Quirk::NoNames, here).map_err(strict)?;
            return Ok((None, Names::default()));
        }
        None => {
            diagnostics.note(Quirk::NoNames, here).map_err(strict)?;
            return Ok((None, Names::default()));
        }
    };
    let version = String::from_utf8_lossy(volume.version()).trim().to_owned();
    Ok((Some(version), Names::read(&volume, diagnostics)?))
}

fn count_games(
    d00: &dyn ReadAt,
    description: Option<&Description>,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Error> {
    let size = d00.size().map_err(io_error("d00"))?;
    let games = size.div_euclid(ROW_SIZE as u64);
    if !size.is_multiple_of(ROW_SIZE as u64) {
        let at = Location::file("d00").at(games.saturating_mul(ROW_SIZE as u64));
        diagnostics.note(Quirk::PartialHeader, at).map_err(strict)?;
    }
    if description.is_some_and(|description| u64::from(description.games) != games) {
        let at = Location::file("cdp").at(104);
        diagnostics.note(Quirk::GameCount, at).map_err(strict)?;
    }
    Ok(games)
}

fn detect_in_names(names: &Names, description: Option<&Description>, detector: &mut Detector) {
    for table in names.tables() {
        for id in 0..table.len().min(NAMES_LOOKED_AT) {
            if let Ok(name) = table.get(id) {
                detector.add(name.name);
            }
        }
    }
    if let Some(description) = description {
        detector.add(&description.comment);
    }
}

fn detect_in_comments(mut codes: &[u8], detector: &mut Detector) {
    while let Some(code) = codes.first()
        && let Ok(size) = code_size(codes)
    {
        let content = codes.get(container_size(*code)..size).unwrap_or_default();
        if matches!(*code, COMMENT | LONG_COMMENT)
            && let [TEXT_AFTER | TEXT_BEFORE, text @ ..] = content
        {
            detector.add(text);
        }
        codes = codes.get(size..).unwrap_or_default();
    }
}
