//! The database: the .cbf and .cbi files together.

use std::path::Path;

use chess_core::{Game, Header};
use chess_store::files::BaseFiles;
use chess_store::io::{PageCache, ReadAt};
use chess_store::{
    Describe, Diagnostics, Encoding, EncodingSurvey, Field, FindFiles, Input, Inputs, Location,
    ReadGames, RecordBounds, SearchIndex, Warning,
};

use crate::decode::{Decoder, quirk_of};
use crate::dump::{dump_entry, dump_record};
use crate::error::{Error, ErrorKind};
use crate::finder::{Finder, entry_location, find_records};
use crate::header::{RecordHeader, parse_header};
use crate::index::read_entry;
use crate::layout::{HEADER_SIZE, NAME_LIMIT, RECORD_LIMIT};
use crate::options::{Dialect, OpenOptions, page};
use crate::parts::Parts;
use crate::place::Place;
use crate::quirk::Quirk;
use crate::record::Record;
use crate::survey::{MoveNumbering, NumberingEvidence, SURVEYED, Survey};
use crate::tags::{fill_header, note_oddities};
use crate::walk::{Cursor, RecordScan};

/// A database: a .cbf and its optional .cbi. It is immutable, and threads can share it.
#[derive(Debug)]
pub struct Database<R = Input> {
    cbf: R,
    cbi: Option<R>,
    records: Finder,
    bounds: RecordBounds,
    decoder: Decoder,
    numbering: MoveNumbering,
    /// The encoding detected from the names, if any.
    detected: Option<Encoding>,
    warnings: Vec<Warning>,
}

/// The reason why a record was read in part, if it was.
type Shared = Option<ErrorKind>;

/// The per-thread state of reading a database.
#[derive(Debug, Default)]
pub struct State {
    cbf: PageCache,
    cbi: PageCache,
    record: Vec<u8>,
    last: Cursor,
}

impl Database {
    /// Opens a database by the path of either file. Only the .cbf must exist.
    ///
    /// # Errors
    /// I/O errors; a file of another format.
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// Like [`open`](Database::open), with options.
    ///
    /// # Errors
    /// I/O errors; a file of another format; a multi-byte encoding; the first deviation if strict.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        let path = path.as_ref();
        check_name(path)?;
        Database::from_parts(BaseFiles::open_whole(path, "cbf", |files| find(files))?, options)
    }

    /// Like [`open_with`](Database::open_with), with files that are open already.
    ///
    /// # Errors
    /// The errors of `open_with`.
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Self, Error> {
        check_name(inputs.named())?;
        Database::from_parts(find(inputs)?, options)
    }
}

fn check_name(path: &Path) -> Result<(), Error> {
    let named = path.extension().and_then(|text| text.to_str()).unwrap_or_default();
    let is_ours = ["cbf", "cbi"].iter().any(|ours| named.eq_ignore_ascii_case(ours));
    if is_ours { Ok(()) } else { Err(Error::new(ErrorKind::NotOurs, Location::default())) }
}

fn find(files: &dyn FindFiles) -> Result<Parts<Input>, Error> {
    let cbf = files.needed("cbf").map_err(Error::io(Location::file("cbf")))?;
    let cbi = files.optional("cbi").map_err(Error::io(Location::file("cbi")))?;
    Ok(Parts { cbf, cbi })
}

impl<R: ReadAt + Send + Sync> Database<R> {
    /// Opens a database from two random-access sources, such as bytes in memory.
    ///
    /// # Errors
    /// I/O errors; a multi-byte encoding; the first deviation if strict.
    pub fn from_parts(parts: Parts<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        let Parts { cbf, cbi } = parts;
        let (dialect, numbering) = (options.dialect, Dialect::Usual);
        let decoder = Decoder { page: page(options.encoding)?, dialect, numbering };
        let mut diagnostics =
            if options.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let mut state = State::default();
        let records = {
            let index = cbi.as_ref().map(|cbi| state.cbi.cached(cbi));
            let records = state.cbf.cached(&cbf);
            find_records(&records, index.as_ref(), options.records, &mut diagnostics)?
        };
        let (bounds, warnings) = (RecordBounds::new(0), Vec::new());
        let numbering = MoveNumbering::ASSUMED;
        let mut base =
            Database { cbf, cbi, records, bounds, decoder, numbering, detected: None, warnings };
        if !base.is_plausible(&mut state) {
            let at = Location::file("cbf");
            let was_index = base.uses_index();
            let scan = RecordScan::new(&state.cbf.cached(&base.cbf));
            base.records = Finder::Scan(scan.map_err(Error::io(at))?);
            if !was_index || !base.is_plausible(&mut state) {
                return Err(Error::new(ErrorKind::NoRecords, at));
            }
            diagnostics.note(Quirk::IndexUnused, Location::file("cbi"))?;
        }
        if options.encoding.is_none() {
            let survey = base.survey_names(&mut state);
            base.detected = survey.cyrillic();
            base.decoder.page = base.detected.unwrap_or(base.decoder.page);
            if survey.doubts(base.decoder.page) {
                diagnostics.note(Quirk::OtherScript, Location::file("cbf"))?;
            }
        }
        base.find_numbering(&mut state, &mut diagnostics)?;
        base.warnings = diagnostics.warnings().to_vec();
        Ok(base)
    }

    /// Finds the move numbering by the evidence of the first games, unless the caller selected one.
    // cbf §6.3.7, §6.3.8
    fn find_numbering(
        &mut self,
        state: &mut State,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        if self.decoder.dialect != Dialect::Auto {
            let dialect = self.decoder.dialect;
            self.numbering = MoveNumbering { dialect, evidence: NumberingEvidence::Asked };
            return Ok(());
        }
        let mut survey = Survey::default();
        for game in 0..self.len().min(SURVEYED) {
            let Ok(place) = self.place(state, game, &mut Diagnostics::lenient()) else { continue };
            let Ok(None) = self.read_record(state, place) else { continue };
            if !survey.affords(state.record.len()) {
                break;
            }
            if let Ok(record) = Record::unmask(&mut state.record, place) {
                survey.examine(&record);
            }
        }
        self.numbering = survey.numbering();
        self.decoder.numbering = self.numbering.dialect;
        let at = Location::file("cbf");
        if let Some(quirk) = quirk_of(self.numbering.dialect) {
            diagnostics.note(quirk, at)?;
        }
        if self.numbering.is_unsure() {
            diagnostics.note(Quirk::NumberingUnsure, at)?;
        }
        Ok(())
    }

    /// Collects the names of the first games to detect their encoding.
    // cbf §4.4 "Character sets"
    fn survey_names(&self, state: &mut State) -> EncodingSurvey {
        /// Number of games examined.
        const SURVEYED: u64 = 256;
        let mut survey = EncodingSurvey::default();
        for game in 0..self.len().min(SURVEYED) {
            let Ok(place) = self.place(state, game, &mut Diagnostics::lenient()) else { continue };
            let read = self.read_start(state, place, HEADER_SIZE + 2 * NAME_LIMIT);
            let Ok(record) = read.and_then(|()| Record::unmask(&mut state.record, place)) else {
                continue;
            };
            survey.add(record.players());
            survey.add(record.source());
        }
        survey
    }

    /// Returns `true` if the files may be a database: they hold no games, the first header is sound,
    /// or a game can be read. cbf §1.3 "Files of another kind"
    fn is_plausible(&self, state: &mut State) -> bool {
        /// Number of games tried.
        const TRIED: u64 = 256;
        /// Number of successive plies that are hardly legal by chance.
        const ENOUGH: usize = 8;
        if self.is_empty() || self.read_header(state, 0).is_ok_and(|header| header.is_sound()) {
            return true;
        }
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        (0..self.len().min(TRIED)).any(|number| {
            diagnostics.clear();
            self.game_with(state, number, &mut game, &mut diagnostics).is_ok()
                || game.ply_count() >= ENOUGH
        })
    }

    /// Returns `true` if games are located by the .cbi.
    #[must_use]
    pub fn uses_index(&self) -> bool {
        matches!(self.records, Finder::Index(_))
    }

    /// Returns how the moves are numbered, and the evidence for it.
    #[must_use]
    pub fn numbering(&self) -> MoveNumbering {
        self.numbering
    }

    /// Returns the encoding of the texts.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.decoder.page
    }

    /// Returns the unmasked fourteen-byte header of a game.
    ///
    /// # Errors
    /// I/O errors; no such game; a truncated header.
    pub fn record_header(&self, game: u64) -> Result<RecordHeader, Error> {
        self.read_header(&mut State::default(), game)
    }

    fn read_header(&self, state: &mut State, game: u64) -> Result<RecordHeader, Error> {
        let place = self.place(state, game, &mut Diagnostics::lenient())?;
        self.read_start(state, place, HEADER_SIZE)?;
        Ok(Record::unmask(&mut state.record, place)?.header)
    }

    /// Reads the first `length` bytes of a record, masked as in the file.
    fn read_start(&self, state: &mut State, place: Place, length: usize) -> Result<(), Error> {
        let file = state.cbf.cached(&self.cbf);
        let read = file.read_into(place.offset, length, &mut state.record);
        read.map_err(Error::io(place.record()))
    }

    /// Reads a record, masked as in the file, up to its own end or the file's.
    fn read_record(&self, state: &mut State, place: Place) -> Result<Shared, Error> {
        // Most records are short: one read gets the whole record.
        const USUAL: usize = 512;
        self.read_start(state, place, USUAL)?;
        let Some(header) = parse_header(&state.record) else { return Ok(None) };
        let whole = header.record_size().min(RECORD_LIMIT);
        let size = self.allowed(place, whole);
        if size > state.record.len() {
            self.read_start(state, place, size)?;
        }
        state.record.truncate(size);
        Ok((size < whole).then_some(ErrorKind::SharedRecord { length: whole, read: size }))
    }

    /// Returns how many bytes of a record may be read. A record that overlaps many others is
    /// truncated. With entries of four bytes, no bytes are exempt from this limit.
    // cbf §1.1.1
    fn allowed(&self, place: Place, size: usize) -> usize {
        let (Finder::Index(games), Some(cbi)) = (&self.records, &self.cbi) else { return size };
        self.bounds.max_extent(place.offset, size, || {
            let pages = PageCache::default();
            let offset = move |game| read_entry(&pages.cached(cbi), game).ok()??.try_into().ok();
            (0..*games).filter_map(offset)
        })
    }

    /// Locates a game's record.
    fn place(
        &self,
        state: &mut State,
        game: u64,
        diagnostics: &mut Diagnostics,
    ) -> Result<Place, Error> {
        let none = || {
            let kind = ErrorKind::NoSuchGame { count: self.len() };
            Error::new(kind, Location::default().in_game(game))
        };
        if game >= self.len() {
            return Err(none());
        }
        let cbf = state.cbf.cached(&self.cbf);
        match &self.records {
            Finder::Index(_) => {
                let at = entry_location(game);
                let cbi = state.cbi.cached(self.cbi.as_ref().ok_or_else(none)?);
                let offset = read_entry(&cbi, game).map_err(Error::io(at))?.ok_or_else(none)?;
                let size = cbf.size().map_err(Error::io(at))?;
                match u64::try_from(offset) {
                    Ok(place) if place < size => Ok(Place { game, offset: place }),
                    _ => Err(Error::new(ErrorKind::NoRecord { offset }, at)),
                }
            }
            Finder::Scan(scan) => {
                let at = Location::file("cbf").in_game(game);
                let found = scan.find(&cbf, game, &mut state.last).map_err(Error::io(at))?;
                let found = found.ok_or_else(none)?;
                let place = Place { game, offset: found.offset };
                if found.after_gap {
                    diagnostics.note(Quirk::LostRecord, place.record())?;
                }
                Ok(place)
            }
        }
    }
}

chess_store::inherent!(ReadGames<Error> for [R: ReadAt + Send + Sync] Database<R>);

impl<R: ReadAt + Send + Sync> ReadGames for Database<R> {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        match &self.records {
            Finder::Index(count) => *count,
            Finder::Scan(scan) => scan.len(),
        }
    }

    /// All of the header but what a set-up says that its board does not allow.
    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let place = self.place(state, game, diagnostics)?;
        self.read_start(state, place, HEADER_SIZE + 2 * NAME_LIMIT)?;
        let record = Record::unmask(&mut state.record, place)?;
        note_oddities(&record.header, place, diagnostics)?;
        let names = (record.players(), record.source());
        fill_header(&record.header, names, self.decoder.page, [0; 4], into);
        Ok(())
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let place = self.place(state, game, diagnostics)?;
        let shared = self.read_record(state, place)?;
        let decoded = self.decoder.decode(&mut state.record, place, into, diagnostics);
        // That the record is cut explains what it lacks.
        shared.map_or(decoded, |kind| Err(Error::new(kind, place.record())))
    }

    fn dump_with(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let place = self.place(state, game, &mut Diagnostics::lenient())?;
        if let (Finder::Index(_), Some(cbi)) = (&self.records, &self.cbi) {
            dump_entry(&state.cbi.cached(cbi), place, each)?;
        }
        self.read_record(state, place)?;
        dump_record(&state.record, place, &self.decoder, each)
    }
}

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {}

impl<R: ReadAt + Send + Sync> Describe for Database<R> {
    fn encoding(&self) -> Option<Encoding> {
        Some(Database::encoding(self))
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        let found = if self.uses_index() {
            "by the index, .cbi"
        } else {
            "one after the other, without the index"
        };
        let detected = if self.detected.is_some() { ", as the names look" } else { "" };
        let encoding = format!("{}{detected}", self.decoder.page.name());
        let numbering = self.numbering.to_string();
        vec![("found", found.to_owned()), ("encoding", encoding), ("move codes", numbering)]
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
