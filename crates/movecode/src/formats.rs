//! Registers the format.

use chess_store::erased::{Confidence, Creator, Format, Opener, database, writer};
use chess_store::io::Appender;
use chess_store::{AnyError, TypedOptions};

use crate::container::{is_tar_of_tables, looks_packed};
use crate::database::Database;
use crate::options::{CreateOptions, OpenOptions};
use crate::writer::{Parts, Writer};

/// The formats that this crate provides.
pub const FORMATS: &[Format] =
    &[Format::new("jose", "jose archive", &["jose", "frm", "myd", "myi"], probe)
        .opened_by(
            Opener::Database(|path, options| {
                database(Database::open_with(path, &options.typed()?))
            }),
            OpenOptions::LIST,
        )
        .opened_from(|inputs, options| database(Database::open_inputs(inputs, &options.typed()?)))
        .created_by(
            Creator::Database(|path, options| writer(Writer::create_with(path, &options.typed()?))),
            CreateOptions::LIST,
        )
        .created_in(|files, options| {
            let mut options: CreateOptions = options.typed()?;
            options.collection.get_or_insert_with(|| files.name().to_owned());
            let archive = Appender::new(files.create("jose"));
            let parts = Parts::new(archive, files.create_temporary());
            writer(Ok::<_, AnyError>(Writer::from_parts(parts, &options)))
        })
        .in_folder("IO_Game.MYD")];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    match extension {
        "jose" if looks_packed(start) => Some(Confidence::Certain),
        "jose" => Some(Confidence::Name),
        "frm" if start.starts_with(&[0xfe, 0x01]) => Some(Confidence::Likely),
        "myi" if start.starts_with(&[0xfe, 0xfe]) => Some(Confidence::Likely),
        "myd" => Some(Confidence::Name),
        _ if is_tar_of_tables(start) => Some(Confidence::Certain),
        _ => None,
    }
}
