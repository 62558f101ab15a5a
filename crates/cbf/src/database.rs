//! The files of a base together.

use std::fs::File;
use std::path::{Path, PathBuf};

use chess_core::files::{companion, require_companion};
use chess_core::io::{PagedFile, ReadAt};
use chess_core::seam::Field;
use chess_core::{Diagnostics, Encoding, Game, Header, Location, Warning};

use crate::decode::Decoder;
use crate::dump;
use crate::error::{Error, ErrorKind, io_error};
use crate::finder::{Finder, entry_location, find_records};
use crate::header::{Checksum, RecordHeader};
use crate::index::read_entry;
use crate::layout::{HEADER_SIZE, NAME_LIMIT, RECORD_LIMIT};
use crate::options::{OpenOptions, page};
use crate::place::{Place, note};
use crate::quirk::Quirk;
use crate::record::Record;
use crate::tags::{fill_header, note_oddities};
use crate::walk::Walk;

/// A base: a .cbf and, if it is there, its .cbi.
#[derive(Debug)]
pub struct Database<R = PagedFile> {
    cbf: R,
    cbi: Option<R>,
    records: Finder,
    decoder: Decoder,
    warnings: Vec<Warning>,
}

impl Database {
    /// Opens a base by the path of either file. Only the .cbf must be there.
    ///
    /// # Errors
    /// Those of the disk; a file of another kind; an option that makes no sense.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Database, Error> {
        let (cbf, cbi) = paths(path)?;
        let open = |path: &Path, name: &'static str| {
            File::open(path).and_then(PagedFile::new).map_err(io_error(Location::file(name)))
        };
        let cbi = cbi.map(|path| open(&path, "cbi")).transpose()?;
        Database::from_parts(open(&cbf, "cbf")?, cbi, options)
    }
}

/// The two files that belong to a path, in any case.
fn paths(path: &Path) -> Result<(PathBuf, Option<PathBuf>), Error> {
    let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "cbf" => Ok((path.to_path_buf(), companion(path, "cbi"))),
        "cbi" => {
            let cbf = require_companion(path, "cbf").map_err(io_error(Location::file("cbf")))?;
            Ok((cbf, path.is_file().then(|| path.to_path_buf())))
        }
        _ => Err(Error::new(ErrorKind::NotOurs, Location::default())),
    }
}

impl<R: ReadAt> Database<R> {
    /// Opens a base of two files that can be read anywhere: bytes in memory, say.
    ///
    /// # Errors
    /// Those of the files; an encoding of several bytes a letter.
    pub fn from_parts(cbf: R, cbi: Option<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        let decoder = Decoder { page: page(options.encoding)?, dialect: options.dialect };
        let mut diagnostics = Diagnostics::lenient();
        let records = find_records(&cbf, cbi.as_ref(), options.records, &mut diagnostics)?;
        let mut base = Database { cbf, cbi, records, decoder, warnings: Vec::new() };
        if !base.is_plausible() {
            let at = Location::file("cbf");
            let was_index = base.uses_index();
            base.records = Finder::Walk(Walk::new(&base.cbf).map_err(io_error(at))?);
            if !was_index || !base.is_plausible() {
                return Err(Error::new(ErrorKind::NoRecords, at));
            }
            note(&mut diagnostics, Quirk::IndexUnused, Location::file("cbi"))?;
        }
        base.warnings = diagnostics.warnings().to_vec();
        Ok(base)
    }

    /// Whether this may be a base at all: no games, a sound header where the first should have
    /// it, or a game that can be read. cbf §1.3 "Files of another kind"
    fn is_plausible(&self) -> bool {
        /// Games tried.
        const TRIED: u64 = 256;
        /// Half-moves in a row that are hardly legal by chance.
        const ENOUGH: usize = 8;
        let sound = |header: RecordHeader| {
            header.check() != Checksum::Foreign
                && header.result & 0xc0 == 0
                && header.moves_size > 0
        };
        if self.is_empty() || self.record_header(0).is_ok_and(sound) {
            return true;
        }
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        (0..self.len().min(TRIED)).any(|number| {
            diagnostics.clear();
            self.game(number, &mut game, &mut diagnostics).is_ok() || game.ply_count() >= ENOUGH
        })
    }

    /// How many games it lists, readable or not.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.records {
            Finder::Index(count) => *count,
            Finder::Walk(walk) => walk.len(),
        }
    }

    /// Whether it lists no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was odd about the index.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether games are found by the .cbi.
    #[must_use]
    pub fn uses_index(&self) -> bool {
        matches!(self.records, Finder::Index(_))
    }

    /// The encoding its texts are read in.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.decoder.page
    }

    /// Reads a game's header: all of it but what a set-up says that its board does not allow.
    ///
    /// # Errors
    /// If the game is not there or its header is cut short; quirks when strict.
    pub fn header(
        &self,
        game: u64,
        into: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let place = self.place(game, diagnostics)?;
        let mut bytes = [0; HEADER_SIZE + 2 * NAME_LIMIT];
        let count =
            self.cbf.read_full(place.offset, &mut bytes).map_err(io_error(place.record()))?;
        let mut start = bytes.get(..count).unwrap_or_default().to_vec();
        let (header, layout) = {
            let record = Record::unmask(&mut start, place)?;
            (record.header, record.layout)
        };
        note_oddities(&header, place, diagnostics)?;
        let text = |range: std::ops::Range<usize>| {
            let end = range.end.min(count);
            start.get(range.start.min(end)..end).unwrap_or_default()
        };
        let names = (text(layout.players), text(layout.source));
        fill_header(&header, names, self.decoder.page, [0; 4], into);
        Ok(())
    }

    /// The fourteen bytes of a game's header, unmasked.
    ///
    /// # Errors
    /// If the game is not there or its header is cut short.
    pub fn record_header(&self, game: u64) -> Result<RecordHeader, Error> {
        let place = self.place(game, &mut Diagnostics::lenient())?;
        let mut bytes = Vec::new();
        self.cbf
            .read_into(place.offset, HEADER_SIZE, &mut bytes)
            .map_err(io_error(place.record()))?;
        Ok(Record::unmask(&mut bytes, place)?.header)
    }

    /// Reads a game. After an error, `into` holds what could be read.
    ///
    /// # Errors
    /// If the game is not there or damaged; quirks when strict.
    pub fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let place = self.place(game, diagnostics)?;
        let mut buffer = into.take_buffer();
        let read = self.read_record(place, &mut buffer);
        let result = read.and_then(|()| self.decoder.decode(&mut buffer, place, into, diagnostics));
        into.return_buffer(buffer);
        result
    }

    /// Reads a record as it stands, up to its own end or the file's.
    pub(crate) fn read_record(&self, place: Place, buffer: &mut Vec<u8>) -> Result<(), Error> {
        let read = |length, buffer: &mut Vec<u8>| {
            self.cbf.read_into(place.offset, length, buffer).map_err(io_error(place.record()))
        };
        // Most records are short: one read gets the header and all that follows.
        const USUAL: usize = 512;
        read(USUAL, buffer)?;
        let Some(header) = crate::header::parse_header(buffer) else { return Ok(()) };
        let size = header.record_size().min(RECORD_LIMIT);
        if size > buffer.len() {
            return read(size, buffer);
        }
        buffer.truncate(size);
        Ok(())
    }

    /// Names every byte of a game.
    ///
    /// # Errors
    /// Where the bytes stop making sense.
    pub fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), Error> {
        let place = self.place(game, &mut Diagnostics::lenient())?;
        if let (Finder::Index(_), Some(cbi)) = (&self.records, &self.cbi) {
            dump::dump_entry(cbi, place, each)?;
        }
        let mut bytes = Vec::new();
        self.read_record(place, &mut bytes)?;
        dump::dump_record(&bytes, place, &self.decoder, each)
    }

    /// What the base says of itself.
    #[must_use]
    pub fn about(&self) -> Vec<(&'static str, String)> {
        let found = match &self.records {
            Finder::Index(_) => "by the .cbi",
            Finder::Walk(_) => "one after the other in the .cbf",
        };
        vec![("Records found", found.to_owned()), ("Encoding", self.decoder.page.name().to_owned())]
    }

    /// Where a game's record is.
    fn place(&self, game: u64, diagnostics: &mut Diagnostics) -> Result<Place, Error> {
        let none = || {
            Error::new(
                ErrorKind::NoSuchGame { count: self.len() },
                Location::default().in_game(game),
            )
        };
        if game >= self.len() {
            return Err(none());
        }
        match &self.records {
            Finder::Index(_) => {
                let at = entry_location(game);
                let cbi = self.cbi.as_ref().ok_or_else(none)?;
                let offset = read_entry(cbi, game).map_err(io_error(at))?.ok_or_else(none)?;
                let size = self.cbf.size().map_err(io_error(at))?;
                match u64::try_from(offset) {
                    Ok(place) if place < size => Ok(Place { game, offset: place }),
                    _ => Err(Error::new(ErrorKind::NoRecord { offset }, at)),
                }
            }
            Finder::Walk(walk) => {
                let at = Location::file("cbf").in_game(game);
                let found = walk.find(&self.cbf, game).map_err(io_error(at))?;
                let found = found.ok_or_else(none)?;
                let place = Place { game, offset: found.offset };
                if found.after_gap {
                    note(diagnostics, Quirk::LostRecord, place.record())?;
                }
                Ok(place)
            }
        }
    }
}
