//! Opening of a base: finds its files and reads everything needed before the first game.

use std::io;
use std::path::Path;

use chess_store::files::BaseFiles;
use chess_store::io::ReadAt;
use chess_store::{
    Diagnostics, Encoding, EncodingSurvey, FindFiles, Input, Inputs, Location, RecordBounds,
    TextDecoder,
};

use crate::annotations::items::{ItemBytes, parse_annotations_header};
use crate::database::Database;
use crate::entities::fields::until_zero;
use crate::entities::file::EntityFile;
use crate::entities::kind::EntityKind;
use crate::error::{Error, ErrorKind};
use crate::extended::{ExtendedHeader, parse_extended_header};
use crate::header::{FileHeader, is_text, parse_file_header};
use crate::layout::{ANNOTATIONS_HEADER, EXTENDED_HEADER, RECORD_SIZE, item};
use crate::name_texts::NameTexts;
use crate::names::Names;
use crate::options::{OpenOptions, Texts};
use crate::parts::Parts;
use crate::quirk::Quirk;
use crate::records::Records;

/// The number of header bytes that ChessBase 6 uses. Its bases have no extended headers.
pub(crate) const USED_BY_CHESSBASE_6: u16 = 36;
/// The optional files that bases of every version have.
const OPTIONAL: [&str; 5] = ["cba", "cbp", "cbt", "cbc", "cbs"];

impl Database {
    /// Opens a base, given any of its files. The others are found beside it.
    ///
    /// # Errors
    /// If the headers are missing or invalid, or both moves and players are missing. Any other
    /// missing file is a [warning](Database::warnings).
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// Like [`open`](Database::open), with options.
    ///
    /// # Errors
    /// As [`open`](Database::open). In strict mode, any warning is an error.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        Database::found(BaseFiles::open_whole(path.as_ref(), "cbh", |files| find(files))?, options)
    }

    /// Like [`open_with`](Database::open_with), for files that are already open.
    ///
    /// # Errors
    /// As [`open_with`](Database::open_with).
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Self, Error> {
        Database::found(find(inputs)?, options)
    }
}

/// Finds the files of the base. Headers without moves and players are refused because they hold
/// nothing useful.
fn find(files: &dyn FindFiles) -> Result<Parts<Option<Input>>, Error> {
    let mut has_players = false;
    let at = |file| Error::io(Location::file(file));
    let optional = |file| files.optional(file).map_err(at(file));
    let parts = Parts::from_files(
        |file| {
            let found = match file {
                "cbh" => Some(files.needed(file).map_err(at(file))?),
                _ => optional(file)?,
            };
            has_players |= file == "cbp" && found.is_some();
            Ok(if file == "cbg" { Some(found) } else { found.map(Some) })
        },
        |file| ErrorKind::NotABase("a file is missing").at(Location::file(file)),
    )?;
    if parts.cbg.is_none() && !has_players {
        let what =
            "missing; it has the moves. With the .cbp instead, players and dates can be read";
        return Err(at("cbg")(io::Error::new(io::ErrorKind::NotFound, what)));
    }
    Ok(parts)
}

impl Database {
    fn found(parts: Parts<Option<Input>>, options: &OpenOptions) -> Result<Self, Error> {
        let mut diagnostics = options.diagnostics();
        if parts.cbg.is_none() {
            diagnostics.note(Quirk::MissingFile, Location::file("cbg"))?;
        }
        Database::from_parts_with(parts, options, diagnostics)
    }
}

impl<R: ReadAt> Database<R> {
    /// Opens a base from its files, in memory or elsewhere.
    ///
    /// # Errors
    /// If the headers are invalid. In strict mode, any warning is an error.
    pub fn from_parts(parts: Parts<R>, options: &OpenOptions) -> Result<Database<R>, Error> {
        Database::from_parts_with(parts, options, options.diagnostics())
    }

    /// Like [`from_parts`](Database::from_parts), with diagnostics from finding the files.
    pub(crate) fn from_parts_with(
        parts: Parts<R>,
        options: &OpenOptions,
        mut diagnostics: Diagnostics,
    ) -> Result<Database<R>, Error> {
        let damaged: Vec<_> = diagnostics.warnings().iter().map(|odd| odd.at.file).collect();
        let (header, mut records) = open_headers(&parts.cbh, &mut diagnostics)?;
        for file in OPTIONAL {
            if parts.get(file).is_none() && !damaged.contains(&file) {
                diagnostics.note(Quirk::MissingFile, Location::file(file))?;
            }
        }
        let extended = open_extended(parts.cbj.as_ref())?;
        note_extended_cut(extended, parts.cbj.as_ref(), &mut diagnostics)?;
        let moves_size = parts.cbg.size().map_err(Error::io(Location::file("cbg")))?;
        let names = open_names(&parts, &mut diagnostics)?;
        // cbh §1.5
        let named_by_extended = names.teams.len() > 0 || names.tags.len() > 0;
        if extended.is_none() && header.used != USED_BY_CHESSBASE_6 && named_by_extended {
            diagnostics.note(Quirk::MissingFile, Location::file("cbj"))?;
        }
        let detected_encoding = match options.encoding {
            Some(_) => None,
            None => {
                let survey = survey_texts(&names, parts.cba.as_ref())?;
                let detected = survey.cyrillic();
                if survey.doubts(detected.unwrap_or(Encoding::WINDOWS_1252)) {
                    diagnostics.note(Quirk::OtherScript, Location::file("cbh"))?;
                }
                if detected.is_none() && survey.is_mixed() {
                    diagnostics.note(Quirk::MixedText, Location::file("cbh"))?;
                }
                detected
            }
        };
        let text = TextDecoder::new(options.encoding, Encoding::WINDOWS_1252);
        let text = detected_encoding.map_or(text, TextDecoder::utf8_or);
        let name_texts = NameTexts::new(&names, text);
        records
            .find_texts(&parts.cbh, |record| record.first().is_some_and(|kind| is_text(*kind)))?;
        if let (Some(first), Texts::Tell) = (records.texts.first(), options.texts) {
            diagnostics.note(Quirk::GuidingTexts, records.place(*first))?;
        }
        Ok(Database {
            parts,
            header,
            records,
            extended,
            moves_size,
            names,
            name_texts,
            text,
            detected_encoding,
            exact: options.exact,
            texts: options.texts,
            move_bounds: RecordBounds::default(),
            annotation_bounds: RecordBounds::default(),
            warnings: diagnostics.warnings().to_vec(),
        })
    }
}

// cbh §3.1 "Header of the file"
fn open_headers<R: ReadAt>(
    file: &R,
    diagnostics: &mut Diagnostics,
) -> Result<(FileHeader, Records), Error> {
    let at = Location::file("cbh").at(0);
    let mut start = [0; RECORD_SIZE];
    let count = file.read_full(0, &mut start).map_err(Error::io(at))?;
    let refuse = |why| ErrorKind::NotABase(why).at(at);
    let header = parse_file_header(start.get(..count).unwrap_or_default())
        .ok_or_else(|| refuse("the file is shorter than its header"))?;
    if usize::from(header.record_size) != RECORD_SIZE {
        return Err(refuse("its records have another size than 46"));
    }
    let next = (u64::from(header.next), 6);
    let quirks = [Quirk::ShortFile, Quirk::MissingGames, Quirk::HeaderCount];
    let records = Records::count((file, "cbh"), RECORD_SIZE, next, quirks, diagnostics)?;
    Ok((header, records))
}

fn open_extended<R: ReadAt>(file: Option<&R>) -> Result<Option<ExtendedHeader>, Error> {
    let Some(file) = file else { return Ok(None) };
    let mut start = [0; EXTENDED_HEADER];
    let count = file.read_full(0, &mut start).map_err(Error::io(Location::file("cbj")))?;
    Ok(parse_extended_header(start.get(..count).unwrap_or_default()))
}

/// Notes a `.cbj` that has no valid header, or that ends before the last record it counts.
// cbh §7.6
fn note_extended_cut<R: ReadAt>(
    header: Option<ExtendedHeader>,
    file: Option<&R>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    let (Some(header), Some(file)) = (header, file) else { return Ok(()) };
    let at = Location::file("cbj");
    if header.size == 0 {
        return Ok(diagnostics.note(Quirk::ExtendedHeader, at)?);
    }
    let size = file.size().map_err(Error::io(at))?;
    if size < header.offset(u64::from(header.count).saturating_add(1)) {
        diagnostics.note(Quirk::ExtendedCut, at.at(size))?;
    }
    Ok(())
}

fn open_names<R: ReadAt>(parts: &Parts<R>, diagnostics: &mut Diagnostics) -> Result<Names, Error> {
    let mut open = |kind: EntityKind| match parts.get(kind.file()) {
        Some(file) => EntityFile::read(kind, file, diagnostics),
        None => Ok(EntityFile::missing(kind)),
    };
    Ok(Names {
        players: open(EntityKind::Player)?,
        tournaments: open(EntityKind::Tournament)?,
        annotators: open(EntityKind::Annotator)?,
        sources: open(EntityKind::Source)?,
        teams: open(EntityKind::Team)?,
        tags: open(EntityKind::Tag)?,
    })
}

/// Collects names and annotations to detect their encoding.
// cbh §2.8
fn survey_texts<R: ReadAt>(names: &Names, cba: Option<&R>) -> Result<EncodingSurvey, Error> {
    /// The maximum number of names of each kind, and of annotation bytes, that are sampled.
    const NAMES: u32 = 20_000;
    const ANNOTATIONS: usize = 1 << 18;
    let mut survey = EncodingSurvey::default();
    for (file, fields) in [
        (&names.players, [(0, 30), (30, 50)].as_slice()),
        (&names.tournaments, &[(0, 40), (40, 70)]),
        (&names.annotators, &[(0, 45)]),
        (&names.sources, &[(0, 25)]),
    ] {
        for (data, _) in (0..NAMES).map_while(|id| file.data(id)) {
            for (start, end) in fields {
                survey.add(until_zero(data.get(*start..*end).unwrap_or_default()));
            }
        }
    }
    let mut bytes = Vec::new();
    if let Some(file) = cba {
        file.read_into(0, ANNOTATIONS, &mut bytes).map_err(Error::io(Location::file("cba")))?;
    }
    // The first two bytes hold the size of the header.
    let header = bytes.first_chunk().map_or(0, |size| u16::from_be_bytes(*size));
    let mut rest = bytes.get(usize::from(header)..).unwrap_or_default();
    while let Some(header) = parse_annotations_header(rest) {
        let size = usize::try_from(header.size).unwrap_or(usize::MAX).max(ANNOTATIONS_HEADER);
        let items = rest.get(ANNOTATIONS_HEADER..size.min(rest.len())).unwrap_or_default();
        for item in ItemBytes::new(items) {
            if let (item::TEXT_AFTER | item::TEXT_BEFORE, [_, _, text @ ..]) =
                (item.kind, item.data)
            {
                survey.add(text);
            }
        }
        rest = rest.get(size..).unwrap_or_default();
    }
    Ok(survey)
}
