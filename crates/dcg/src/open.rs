//! Opens a base: finds its files and reads their headers.

use std::path::Path;

use chess_store::files::BaseFiles;
use chess_store::io::ReadAt;
use chess_store::{
    Diagnostics, Encoding, FindFiles, Input, Inputs, Location, RecordBounds, TextDecoder,
};

use crate::database::{Database, State};
use crate::error::{Error, ErrorKind};
use crate::index::{Entries, IndexHeader, SAMPLE_SIZE, detect_layout, parse_header};
use crate::layout::{GAMES_MAGIC, INDEX_MAGIC, Layout, MAGIC_SIZE};
use crate::names::{NameFile, NameFiles, NameKind, check_magic};
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::promotion::{PromotionNumbering, SURVEYED, Survey};
use crate::quirk::Quirk;

impl Database {
    /// Opens a base by the path of any of its files. The other files are found beside it.
    ///
    /// # Errors
    /// A missing or invalid index; both games and players missing. Any other missing file is a
    /// [warning](Database::warnings).
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Database::open), with options.
    ///
    /// # Errors
    /// As `open`. In strict mode, also the first warning.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        BaseFiles::open_whole(path.as_ref(), "dci", |files| Found::of(files))?.open(options)
    }

    /// As [`open_with`](Database::open_with), for files that are already open.
    ///
    /// # Errors
    /// As `open_with`.
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Self, Error> {
        Found::of(inputs)?.open(options)
    }
}

impl<R: ReadAt> Database<R> {
    /// Opens a base from open files, in memory or elsewhere. An empty file counts as missing.
    ///
    /// # Errors
    /// An invalid index. In strict mode, also the first warning.
    pub fn from_parts(parts: Parts<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        let Parts { dci, dcn, dcs, dce, dcg } = parts;
        Found { dci, dcn: Some(dcn), dcs: Some(dcs), dce, dcg: Some(dcg) }.open(options)
    }
}

/// The files that were found.
struct Found<R> {
    dci: R,
    dcn: Option<R>,
    dcs: Option<R>,
    dce: Option<R>,
    dcg: Option<R>,
}

impl Found<Input> {
    fn of(files: &dyn FindFiles) -> Result<Found<Input>, Error> {
        let needed = |file| files.needed(file).map_err(Error::io(Location::file(file)));
        let optional = |file| files.optional(file).map_err(Error::io(Location::file(file)));
        let (dci, dcn) = (needed("dci")?, optional("dcn")?);
        // An index without games and players has nothing that can be read.
        let dcg = if dcn.is_some() { optional("dcg")? } else { Some(needed("dcg")?) };
        Ok(Found { dci, dcn, dcs: optional("dcs")?, dce: optional("dce")?, dcg })
    }
}

impl<R: ReadAt> Found<R> {
    fn open(self, options: &OpenOptions) -> Result<Database<R>, Error> {
        let mut diagnostics =
            if options.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        // An editor writes games before their entries. Measure the index first, so that none of its
        // games lies beyond the measured end of the games file.
        let start = IndexStart::read(&self.dci)?;
        let at = Location::file("dcg");
        let games_size = self.dcg.size().map_err(Error::io(at))?;
        let known_size = self.dcg.is_some().then_some(games_size);
        let (index_header, entries) =
            open_index(&start, self.dce.is_some(), known_size, &mut diagnostics)?;
        match &self.dcg {
            Some(_) => {
                check_magic(&self.dcg, games_size, GAMES_MAGIC, at.at(0), &mut diagnostics)?;
            }
            None => diagnostics.note(Quirk::MissingFile, at)?,
        }
        if entries.count == 0 && games_size > MAGIC_SIZE {
            diagnostics.note(Quirk::IndexEmpty, Location::file("dci"))?;
        }
        let names = open_names(self.dcn, self.dcs, self.dce, entries.layout, &mut diagnostics)?;
        let detected = match options.encoding {
            Some(_) => None,
            None => {
                let survey = names.survey()?;
                let detected = survey.cyrillic();
                if survey.doubts(detected.unwrap_or(Encoding::WINDOWS_1252)) {
                    diagnostics.note(Quirk::OtherScript, Location::file("dcn"))?;
                }
                detected
            }
        };
        let text = TextDecoder::new(options.encoding, Encoding::WINDOWS_1252);
        let text = detected.map_or(text, TextDecoder::utf8_or);
        let mut base = Database {
            index: self.dci,
            games: self.dcg,
            games_size,
            names,
            index_header,
            entries,
            text,
            detected,
            numbering: PromotionNumbering::ASSUMED,
            bounds: RecordBounds::default(),
            warnings: Vec::new(),
        };
        base.note_default_game(&mut diagnostics)?;
        base.numbering = match options.promotions {
            Some(promotions) => PromotionNumbering::asked(promotions),
            None => {
                let survey = survey(&base);
                let numbering = survey.numbering();
                if survey.is_unsure() {
                    diagnostics.note(Quirk::PromotionsUnsure, Location::file("dcg"))?;
                }
                numbering
            }
        };
        base.warnings = diagnostics.warnings().to_vec();
        Ok(base)
    }
}

impl<R> Database<R> {
    // dcg §3 "Index header"
    fn note_default_game(&self, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        let (stated, _) = self.index_header.default_game();
        if stated == 0 || stated < self.entries.count {
            return Ok(());
        }
        let quirk = match self.entries.game_at(stated) {
            Some(_) => Quirk::DefaultOffset,
            None => Quirk::DefaultMissing,
        };
        diagnostics.note(quirk, Location::file("dci").at(MAGIC_SIZE.saturating_add(1)))?;
        Ok(())
    }
}

/// The first bytes of an index, and its size.
struct IndexStart {
    size: u64,
    bytes: [u8; SAMPLE_SIZE],
    /// The number of valid bytes.
    count: usize,
}

impl IndexStart {
    fn read(file: &impl ReadAt) -> Result<IndexStart, Error> {
        let at = Location::file("dci").at(0);
        let size = file.size().map_err(Error::io(at))?;
        let mut bytes = [0; SAMPLE_SIZE];
        let count = file.read_full(0, &mut bytes).map_err(Error::io(at))?;
        Ok(IndexStart { size, bytes, count })
    }
}

/// The header of an index and its first entries.
// dcg §3 "Index header"
fn open_index(
    index: &IndexStart,
    events: bool,
    games_size: Option<u64>,
    diagnostics: &mut Diagnostics,
) -> Result<(IndexHeader, Entries), Error> {
    let at = Location::file("dci").at(0);
    let size = index.size;
    let start = index.bytes.get(..index.count).unwrap_or_default();
    if !start.is_empty() && !start.starts_with(INDEX_MAGIC) {
        return Err(ErrorKind::NotAnIndex.at(at));
    }
    let layout = detect_layout(size, start, events, games_size);
    let header = match layout {
        Layout::Current => parse_header(start).unwrap_or_default(),
        Layout::Old => IndexHeader::default(),
    };
    let Some(size_of_entries) = size.checked_sub(layout.header_size()) else {
        diagnostics.note(Quirk::ShortHeader, at.at(size))?;
        return Ok((header, Entries { layout, count: 0 }));
    };
    let (count, rest) = layout.count_entries(size_of_entries);
    let at_version = at.at(MAGIC_SIZE);
    if header.version == 1 && rest != 0 {
        // A layout that exists only in the description: entries of 61 bytes after 11.
        return Err(ErrorKind::Version(header.version).at(at_version));
    }
    if header.version != 0 {
        diagnostics.note(Quirk::UnknownVersion, at_version)?;
    }
    if rest != 0 {
        diagnostics.note(Quirk::ShortIndex, at.at(size))?;
    }
    Ok((header, Entries { layout, count }))
}

// dcg §5 "Names"
fn open_names<R: ReadAt>(
    players: Option<R>,
    sites: Option<R>,
    events: Option<R>,
    layout: Layout,
    diagnostics: &mut Diagnostics,
) -> Result<NameFiles<R>, Error> {
    let mut open = |kind, file| {
        let file = NameFile::new(kind, file)?;
        file.check(diagnostics)?;
        Ok::<_, Error>(file)
    };
    Ok(NameFiles {
        players: open(NameKind::Players, players)?,
        sites: open(NameKind::Sites, sites)?,
        events: match events {
            Some(file) => Some(open(NameKind::Events, Some(file))?),
            None if layout == Layout::Current => open(NameKind::Events, None).map(|_| None)?,
            None => None,
        },
    })
}

/// Collects evidence of the promotion numbering from the first games.
// dcg §6.3.1 "Promotion codes"
pub(crate) fn survey<R: ReadAt>(base: &Database<R>) -> Survey {
    let mut survey = Survey::default().indexed(base.index_header.default_game().1);
    let mut state = State::default();
    for game in 0..base.entries.count.min(SURVEYED) {
        if let Ok((_, record)) = base.entry_and_record(&mut state, game) {
            survey.examine(game, record.body);
        }
    }
    survey
}
