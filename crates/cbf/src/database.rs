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
use crate::header::RecordHeader;
use crate::index::{parse_count, read_entry};
use crate::layout::{ENTRY_SIZE, HEADER_SIZE, NAME_LIMIT, RECORD_LIMIT};
use crate::options::{OpenOptions, Records, page};
use crate::place::{Place, note};
use crate::quirk::Quirk;
use crate::record::Record;
use crate::tags::{fill_header, note_oddities};
use crate::walk::{Walk, record_end};

/// A base: a .cbf and, if it is there, its .cbi.
#[derive(Debug)]
pub struct Database<R = PagedFile> {
    cbf: R,
    cbi: Option<R>,
    records: Finder,
    decoder: Decoder,
    warnings: Vec<Warning>,
}

/// How records are found.
#[derive(Debug)]
enum Finder {
    /// By an index of so many games.
    Index(u64),
    Walk(Walk),
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
        let warnings = diagnostics.warnings().to_vec();
        Ok(Database { cbf, cbi, records, decoder, warnings })
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

/// Where a game's index entry is.
pub(crate) fn entry_location(game: u64) -> Location {
    let offset = game.saturating_add(1).saturating_mul(ENTRY_SIZE as u64);
    Location::file("cbi").at(offset).in_game(game)
}

/// Chooses between the index and walking. cbf §1.2 "Without an index"
fn find_records<R: ReadAt>(
    cbf: &R,
    cbi: Option<&R>,
    wanted: Records,
    diagnostics: &mut Diagnostics,
) -> Result<Finder, Error> {
    let disk = |file| io_error(Location::file(file));
    let walk = || Walk::new(cbf).map_err(disk("cbf"));
    if wanted == Records::Walk {
        return Ok(Finder::Walk(walk()?));
    }
    let Some(cbi) = cbi else {
        note(diagnostics, Quirk::IndexMissing, Location::file("cbi"))?;
        return Ok(Finder::Walk(walk()?));
    };
    let index = judge_index(cbf, cbi, diagnostics).map_err(disk("cbi"))?;
    let announced = index.games;
    if index.sound {
        return Ok(Finder::Index(announced));
    }
    // An index that is wrong somewhere still beats a file whose records do not follow each other.
    let walk = walk()?;
    if walk.is_whole() || index.games == 0 {
        note(diagnostics, Quirk::IndexUnused, Location::file("cbi"))?;
        return Ok(Finder::Walk(walk));
    }
    Ok(Finder::Index(announced))
}

/// What is to be thought of an index.
struct Judgement {
    /// Entries that are there, at most as many as it announces.
    games: u64,
    sound: bool,
}

fn judge_index<R: ReadAt>(
    cbf: &R,
    cbi: &R,
    diagnostics: &mut Diagnostics,
) -> std::io::Result<Judgement> {
    let mut start = [0; ENTRY_SIZE];
    let count = cbi.read_full(0, &mut start)?;
    let announced = parse_count(start.get(..count).unwrap_or_default()).unwrap_or(0);
    let there = cbi.size()?.checked_div(ENTRY_SIZE as u64).unwrap_or(0).saturating_sub(1);
    let size = cbf.size()?;
    let games = announced.min(there);
    let mut warn = |quirk: Quirk, at| {
        // Lenient diagnostics never refuse.
        let _ = diagnostics.note(quirk, at);
    };
    let short = announced > there || count < start.len() || announced == 0 && size > 0;
    if short {
        warn(Quirk::IndexShort, Location::file("cbi").at(0));
    }
    let mut sound = !short;
    for game in 0..games {
        let offset = read_entry(cbi, game)?.and_then(|offset| u64::try_from(offset).ok());
        let fits = match offset {
            Some(offset) => record_end(cbf, offset, size)?.is_some(),
            None => false,
        };
        if !fits {
            warn(Quirk::IndexWrong, entry_location(game));
            sound = false;
            break;
        }
    }
    if sound
        && let Some(end) = read_entry(cbi, games)?
        && u64::try_from(end) != Ok(size)
    {
        warn(Quirk::IndexEnd, entry_location(games));
    }
    Ok(Judgement { games, sound })
}
