//! Opening of a base: finds its files and reads their headers.

use std::path::Path;

use chess_store::files::BaseFiles;
use chess_store::io::ReadAt;
use chess_store::{
    Diagnostics, Encoding, FindFiles, Input, Inputs, Location, RecordBounds, TextDecoder,
};

use super::database::{Database, FREE_BYTES};
use super::entities::{EntityHeader, parse_entity_header};
use super::header::{FileHeader, RecordKind, kind_of, parse_file_header};
use super::layout::{ENTITY_HEADER, HEADER_MARK, RECORD_SIZE};
use super::parts::{EXTENSIONS, Parts};
use super::quirk::Quirk;
use super::text_index::listed_texts;
use crate::error::{Error, ErrorKind};
use crate::options::{OpenOptions, Texts};
use crate::records::Records;

/// The largest number of records that opening reads to find the guiding texts, even if an index lists
/// them.
const MAX_SCANNED: u64 = 1 << 16;

impl Database {
    /// Opens a base, given any of its files. The others are found beside it.
    ///
    /// # Errors
    /// If the headers are missing or invalid, or both moves and entities are missing. Any other
    /// missing file is a [warning](Database::warnings). The indexes `.2lgd` and `.2lcd` are derived,
    /// so they can be missing without a warning.
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// Like [`open`](Database::open), with options.
    ///
    /// # Errors
    /// As [`open`](Database::open). In strict mode, any warning is an error.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        let parts = BaseFiles::open_whole(path.as_ref(), "2cbh", |files| find(files))?;
        Database::from_parts(parts, options)
    }

    /// Like [`open_with`](Database::open_with), for files that are already open.
    ///
    /// # Errors
    /// As [`open_with`](Database::open_with).
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Self, Error> {
        Database::from_parts(find(inputs)?, options)
    }
}

/// Finds the files of the base. Headers without moves and entities are refused because they hold
/// nothing useful.
fn find(files: &dyn FindFiles) -> Result<Parts<Input>, Error> {
    let at = |file| Error::io(Location::file(file));
    let optional = |file| files.optional(file).map_err(at(file));
    let [headers, moves, annotations, entities, games, orders] = EXTENSIONS;
    let mut parts = Parts::new(files.needed(headers).map_err(at(headers))?);
    parts.moves = optional(moves)?;
    parts.annotations = optional(annotations)?;
    parts.entities = optional(entities)?;
    parts.games = optional(games)?;
    parts.orders = optional(orders)?;
    if parts.moves.is_none() && parts.entities.is_none() {
        parts.moves = Some(files.needed(moves).map_err(at(moves))?);
    }
    Ok(parts)
}

impl<R: ReadAt> Database<R> {
    /// Opens a base from its files, in memory or elsewhere.
    ///
    /// # Errors
    /// If the headers are invalid. In strict mode, any warning is an error.
    pub fn from_parts(parts: Parts<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        let mut diagnostics = options.diagnostics();
        let (header, mut records) = open_headers(&parts.headers, &mut diagnostics)?;
        for file in ["2cbg", "2cba", "2lid"] {
            if parts.get(file).is_none() {
                diagnostics.note(Quirk::MissingFile, Location::file(file))?;
            }
        }
        let entities = match &parts.entities {
            Some(file) => open_entities(file, &mut diagnostics)?,
            None => None,
        };
        let at = Location::file("2cbg");
        let moves_size = parts.moves.as_ref().map_or(Ok(0), ReadAt::size).map_err(Error::io(at))?;
        // Reading all headers of a large base takes long.
        let listed = (records.count > MAX_SCANNED)
            .then(|| listed_texts(&parts, entities.as_ref(), &records))
            .flatten();
        match listed {
            Some(texts) => records.texts = texts,
            None => {
                let is_text = |record: &[u8]| kind_of(record) == RecordKind::Text;
                records.find_texts(&parts.headers, is_text)?;
            }
        }
        if let (Some(first), Texts::Tell) = (records.texts.first(), options.texts) {
            diagnostics.note(Quirk::GuidingTexts, records.place(*first))?;
        }
        Ok(Database {
            parts,
            header,
            records,
            entities,
            moves_size,
            text: TextDecoder::new(options.encoding, Encoding::WINDOWS_1252),
            exact: options.exact,
            texts: options.texts,
            move_bounds: RecordBounds::new(FREE_BYTES as u64),
            annotation_bounds: RecordBounds::new(FREE_BYTES as u64),
            warnings: diagnostics.warnings().to_vec(),
        })
    }
}

// cbh2 §3.1 "Header of the file"
fn open_headers<R: ReadAt>(
    file: &R,
    diagnostics: &mut Diagnostics,
) -> Result<(FileHeader, Records), Error> {
    let at = Location::file("2cbh").at(0);
    let mut start = [0; RECORD_SIZE];
    let count = file.read_full(0, &mut start).map_err(Error::io(at))?;
    let refuse = |why| ErrorKind::NotABase(why).at(at);
    let header = parse_file_header(start.get(..count).unwrap_or_default())
        .ok_or_else(|| refuse("the file is shorter than its header"))?;
    if header.mark != HEADER_MARK {
        return Err(refuse("it does not begin as one"));
    }
    if usize::try_from(header.record_size) != Ok(RECORD_SIZE) {
        return Err(refuse("its records have another size than 192"));
    }
    let next = (u64::try_from(header.next).unwrap_or(0), 16);
    let quirks = [Quirk::ShortFile, Quirk::MissingGames, Quirk::HeaderCount];
    let records = Records::count((file, "2cbh"), RECORD_SIZE, next, quirks, diagnostics)?;
    Ok((header, records))
}

fn open_entities<R: ReadAt>(
    file: &R,
    diagnostics: &mut Diagnostics,
) -> Result<Option<EntityHeader>, Error> {
    let at = Location::file("2lid").at(0);
    let mut start = [0; ENTITY_HEADER];
    let count = file.read_full(0, &mut start).map_err(Error::io(at))?;
    let header = parse_entity_header(start.get(..count).unwrap_or_default());
    let Some(mut header) = header else {
        diagnostics.note(Quirk::NotEntities, at)?;
        return Ok(None);
    };
    let size = file.size().map_err(Error::io(at))?;
    if !header.limit_counts(size) {
        diagnostics.note(Quirk::EntityCount, at)?;
    }
    Ok(Some(header))
}
