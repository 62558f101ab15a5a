//! Opens a base: finds its files, reads its names, detects encoding and reading.

use std::cmp::Ordering;
use std::io;
use std::path::Path;

use chess_store::files::BaseFiles;
use chess_store::io::{PageCache, ReadAt};
use chess_store::{Diagnostics, EncodingSurvey, FindFiles, Input, Inputs, Location, RecordBounds};

use crate::codes::{code_size, container_size};
use crate::database::{Database, Parts, State};
use crate::decode::Dialect;
use crate::description::Description;
use crate::error::{Error, ErrorKind};
use crate::layout::{
    CDP_GAMES, CDP_SIZE, CDP_TEXT_WIDTH, CDP_VERSION, COMMENT, LONG_COMMENT, ROW_SIZE, TEXT_AFTER,
    TEXT_BEFORE,
};
use crate::names::Names;
use crate::options::OpenOptions;
use crate::quirk::Quirk;
use crate::reading::Reading;
use crate::selfcheck::{Checker, GAMES, LOOKED_AT, SelfCheck, has_extended_move};
use crate::volume::Volume;

/// The only required file, which is also written last.
pub(crate) const INDEX: &str = "d00";
/// The part of a CDP's comment that is read.
const COMMENT_LIMIT: usize = 0x0010_0000;
/// The number of names of a table that are examined to detect the encoding.
pub(crate) const NAMES_EXAMINED: u32 = 20_000;

impl Database {
    /// Opens a base by the path of any of its files. The other files are found beside it.
    ///
    /// # Errors
    /// A missing D00; missing names and records; I/O errors.
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Database::open), with options.
    ///
    /// # Errors
    /// As [`open`](Database::open). In strict mode, also quirks.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        let parts = BaseFiles::open_whole(path.as_ref(), INDEX, |files| find(files))?;
        Database::from_parts(parts, options)
    }

    /// As [`open_with`](Database::open_with), for files that are already open.
    ///
    /// # Errors
    /// As `open_with`.
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Self, Error> {
        Database::from_parts(find(inputs)?, options)
    }
}

fn find(files: &dyn FindFiles) -> Result<Parts<Input, Option<Input>>, Error> {
    let optional =
        |extension| files.optional(extension).map_err(Error::io(Location::file(extension)));
    let needed = |extension| {
        let missing = || Error::new(ErrorKind::NoFile, Location::file(extension));
        optional(extension)?.ok_or_else(missing)
    };
    let (d00, emb) = (needed("d00")?, optional("emb")?);
    // Headers without names and moves have nothing that can be read.
    let records = |extension| match emb {
        Some(_) => optional(extension),
        None => needed(extension).map(Some),
    };
    let (a02, d02) = (records("a02")?, records("d02")?);
    Ok(Parts { cdp: optional("cdp")?, emb, d00, a02, d02 })
}

impl<R: ReadAt> Database<R> {
    /// Opens a base from open files, for example in memory.
    ///
    /// # Errors
    /// I/O errors. In strict mode, also quirks.
    pub fn from_parts<O: Into<Option<R>>>(
        parts: Parts<R, O>,
        options: &OpenOptions,
    ) -> Result<Database<R>, Error> {
        let mut diagnostics =
            if options.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let Parts { cdp, emb, d00, a02, d02 } = parts;
        let (a02, d02) = (a02.into(), d02.into());
        for (file, missing) in [("a02", a02.is_none()), ("d02", d02.is_none())] {
            if missing {
                diagnostics.note(Quirk::NoRecords, Location::file(file))?;
            }
        }
        let description = read_description(cdp.into(), &mut diagnostics)?;
        let (volume_version, names) = read_names(emb.into(), &mut diagnostics)?;
        let games = count_games(&d00, description.as_ref(), &mut diagnostics)?;
        // The record of a game without moves is one zero byte.
        let records = games.saturating_mul(2).saturating_add(16);
        for (file, bytes, least) in
            [("d00", Some(&d00), 32), ("a02", a02.as_ref(), 8), ("d02", d02.as_ref(), records)]
        {
            if let Some(bytes) = bytes
                && is_zeroed(bytes, least).map_err(Error::io(Location::file(file)))?
            {
                diagnostics.note(Quirk::ZeroedFile, Location::file(file))?;
            }
        }

        let mut detector = EncodingSurvey::default();
        detect_in_names(&names, description.as_ref(), &mut detector);
        let mut base = Database {
            description,
            volume_version,
            names,
            d00,
            a02,
            d02,
            games,
            dialect: Dialect::new(detector.windows_verdict(), Reading::Right),
            check: SelfCheck::not_made(),
            bounds: RecordBounds::default(),
            warnings: Vec::new(),
        };
        base.check = base.examine_games(options.reading, &mut detector);
        if base.check.chosen != Reading::Right && !base.check.asked {
            diagnostics.note(Quirk::FilesCountedLeft, Location::file("d02"))?;
        }
        if base.check.is_unsure() {
            diagnostics.note(Quirk::FilesUnsure, Location::file("d02"))?;
        }
        let encoding = options.encoding.unwrap_or_else(|| detector.windows_verdict());
        if options.encoding.is_none() && detector.doubts(encoding) {
            diagnostics.note(Quirk::OtherScript, Location::file("emb"))?;
        }
        base.dialect = Dialect::new(encoding, base.check.chosen);
        base.warnings = diagnostics.warnings().to_vec();
        Ok(base)
    }

    /// Examines the first games: legality under each reading, and texts for the encoding.
    fn examine_games(&self, asked: Option<Reading>, detector: &mut EncodingSurvey) -> SelfCheck {
        let mut checker = Checker::new();
        let mut state = State::default();
        let (mut records, mut game) = (0, 0);
        let last = self.games.min(LOOKED_AT);
        while game < last && (records < GAMES || checker.is_tied()) {
            let number = game;
            game = game.saturating_add(1);
            let Ok(row) = self.row(&state, number) else { continue };
            let Ok(record) = self.record(&mut state, number, &row) else { continue };
            let codes = record.codes(&state.record);
            let whole = record.check_whole(codes, number).is_ok();
            if records < GAMES {
                records = records.saturating_add(1);
                checker.examine(codes, whole);
                comment_texts(codes, |text| detector.add(text));
            } else if has_extended_move(codes) {
                checker.examine(codes, whole);
            }
        }
        checker.verdict(asked, game == self.games)
    }
}

fn read_description<R: ReadAt>(
    cdp: Option<R>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Description>, Error> {
    let here = Location::file("cdp");
    let mut bytes = Vec::new();
    if let Some(cdp) = cdp {
        let size = CDP_SIZE.saturating_add(COMMENT_LIMIT);
        cdp.read_into(0, size, &mut bytes).map_err(Error::io(here))?;
    }
    let description = Description::parse(&bytes);
    match &description {
        None => diagnostics.note(Quirk::NoDescription, here.at(0))?,
        Some(description) if description.version != CDP_VERSION => {
            diagnostics.note(Quirk::OtherVersion, here.at(CDP_TEXT_WIDTH as u64))?;
        }
        Some(_) => {}
    }
    Ok(description)
}

/// Reads the version of the volume and its names. Without a valid volume all names are unknown.
fn read_names<R: ReadAt>(
    emb: Option<R>,
    diagnostics: &mut Diagnostics,
) -> Result<(Option<String>, Names), Error> {
    let pages = PageCache::default();
    match emb.as_ref().map(|emb| Volume::open(pages.cached(emb), diagnostics)) {
        Some(Ok(volume)) => {
            let version = String::from_utf8_lossy(volume.version()).trim().to_owned();
            return Ok((Some(version), Names::read(&volume, diagnostics)?));
        }
        Some(Err(error)) => {
            let Some(cause) = Quirk::of_names(error.kind()) else { return Err(error) };
            diagnostics.note(cause, error.location())?;
        }
        None => {}
    }
    diagnostics.note(Quirk::NoNames, Location::file("emb"))?;
    Ok((None, Names::default()))
}

/// Returns whether a file of at least `least` bytes begins with zeros alone. A crash of the system can
/// leave zeros in place of what was written.
fn is_zeroed<R: ReadAt>(file: &R, least: u64) -> io::Result<bool> {
    const EXAMINED: usize = 4096;
    let mut start = Vec::new();
    file.read_into(0, EXAMINED, &mut start)?;
    Ok(file.size()? >= least && start.iter().all(|byte| *byte == 0))
}

fn count_games<R: ReadAt>(
    d00: &R,
    description: Option<&Description>,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Error> {
    let here = Location::file("d00");
    let size = d00.size().map_err(Error::io(here))?;
    let games = size.div_euclid(ROW_SIZE as u64);
    let whole = games.saturating_mul(ROW_SIZE as u64);
    if whole < size {
        diagnostics.note(Quirk::PartialHeader, here.at(whole))?;
    }
    if let Some(description) = description {
        let at = Location::file("cdp").at(CDP_GAMES as u64);
        match u64::from(description.games).cmp(&games) {
            Ordering::Greater => diagnostics.note(Quirk::MissingGames, at)?,
            Ordering::Less => diagnostics.note(Quirk::GameCount, at)?,
            Ordering::Equal => {}
        }
    }
    Ok(games)
}

fn detect_in_names(
    names: &Names,
    description: Option<&Description>,
    detector: &mut EncodingSurvey,
) {
    for table in names.tables() {
        for id in 0..table.len().min(NAMES_EXAMINED) {
            if let Ok(name) = table.get(id) {
                detector.add(name.name);
            }
        }
    }
    if let Some(description) = description {
        detector.add(&description.comment);
    }
}

/// Calls `each` with every text of a comment, to the first code that cannot be read.
pub(crate) fn comment_texts(mut codes: &[u8], mut each: impl FnMut(&[u8])) {
    while let Some(code) = codes.first()
        && let Ok(size) = code_size(codes)
    {
        let content = codes.get(container_size(*code)..size).unwrap_or_default();
        if matches!(*code, COMMENT | LONG_COMMENT)
            && let [TEXT_AFTER | TEXT_BEFORE, text @ ..] = content
        {
            each(text);
        }
        codes = codes.get(size..).unwrap_or_default();
    }
}
