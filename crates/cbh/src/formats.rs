//! Registration of the formats.

#[cfg(feature = "archive")]
use std::path::Path;

use chess_store::TypedOptions;
#[cfg(feature = "archive")]
use chess_store::erased;
use chess_store::erased::{Confidence, Creator, Format, Opener, database, writer};
#[cfg(feature = "archive")]
use chess_store::{AnyError, Location};

#[cfg(feature = "archive")]
use crate::archive::ArchiveWriter;
use crate::database::Database;
#[cfg(feature = "archive")]
use crate::error::ErrorKind;
use crate::layout::ENTITY_MAGIC;
#[cfg(feature = "archive")]
use crate::options::OpenOptions;
use crate::options::{CreateOptions, PlainOptions};
use crate::parts::EXTENSIONS;
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] = &[
    Format::new("cbh", "ChessBase", &EXTENSIONS, probe)
        .opened_by(
            Opener::Database(|path, options| {
                let PlainOptions(options) = options.typed()?;
                database(Database::open_with(path, &options))
            }),
            PlainOptions::LIST,
        )
        .opened_from(|inputs, options| {
            let PlainOptions(options) = options.typed()?;
            database(Database::open_inputs(inputs, &options))
        })
        .created_by(
            Creator::Database(|path, options| writer(Writer::create_with(path, &options.typed()?))),
            CreateOptions::LIST,
        )
        .created_in(|files, options| {
            writer(Writer::new(|file| Some(files.create(file)), &options.typed()?))
        }),
    #[cfg(feature = "archive")]
    Format::new("cbv", "ChessBase archive", &["cbv", "cbz"], probe_archive)
        .opened_by(
            Opener::Database(|path, options| {
                database(Database::open_archive(path, &options.typed()?))
            }),
            OpenOptions::LIST,
        )
        .opened_from(|inputs, options| {
            database(Database::open_archive_input(inputs, &options.typed()?))
        })
        .created_by(Creator::Database(create_archive), CreateOptions::LIST),
];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    match extension {
        "cbh" => {
            let size =
                start.get(3..5).is_some_and(|size| size.ends_with(&[46]) && size.starts_with(&[0]));
            size.then_some(Confidence::Likely)
        }
        "cbg" | "cba" => {
            let header = start.starts_with(&[0, 26]) || start.starts_with(&[0, 10]);
            header.then_some(Confidence::Likely)
        }
        "cbp" | "cbt" | "cbc" | "cbs" | "cbe" | "cbl" => {
            let magic = start.get(8..12) == Some(ENTITY_MAGIC.to_le_bytes().as_slice());
            magic.then_some(Confidence::Certain)
        }
        "cbj" | "cbm" | "cbtt" => Some(Confidence::Name),
        _ => None,
    }
}

#[cfg(feature = "archive")]
fn probe_archive(start: &[u8], extension: &str) -> Option<Confidence> {
    match extension {
        "cbv" => start.starts_with(&[8, 0]).then_some(Confidence::Likely),
        "cbz" => Some(Confidence::Name),
        _ => None,
    }
}

#[cfg(feature = "archive")]
fn create_archive(
    path: &Path,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cbz")) {
        return Err(ErrorKind::NotEncrypted.at(Location::file("cbz")).into());
    }
    writer(ArchiveWriter::create_with(path, &options.typed()?))
}
