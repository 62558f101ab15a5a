//! The formats behind the common door.

use std::path::Path;

use chess_store::erased::{self, Confidence, Creator, Format, Opener, database, writer};
use chess_store::{AnyError, Inputs, Location, TypedOptions};

use crate::fbk::{self, Book};
use crate::header::{Checksum, parse_header};
use crate::layout::HEADER_SIZE;
use crate::{CreateOptions, Database, Error, OpenOptions, Parts, Writer};

/// The formats of this crate.
pub const FORMATS: &[Format] = &[
    Format::new("cbf", "ChessBase (old)", &["cbf", "cbi"], probe_base)
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
            let parts = Parts::new(files.create("cbf"), Some(files.create("cbi")));
            writer(Writer::from_parts(parts, &options.typed()?))
        }),
    Format::new("fbk", "ChessBase opening book (experimental)", &["fbk"], probe_book)
        .opened_by(Opener::Database(open_book), &[])
        .opened_from(open_book_inputs)
        .created_by(Creator::Database(create_book), &[]),
];

fn open_book(
    path: &Path,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    let () = options.typed()?;
    database(Book::open(path))
}

fn open_book_inputs(
    inputs: &Inputs,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    let () = options.typed()?;
    database(inputs.main().map(Book::from_parts).map_err(Error::io(Location::file("fbk"))))
}

fn create_book(
    path: &Path,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let () = options.typed()?;
    writer(fbk::Writer::create(path))
}

/// Probes for a .cbf or .cbi. The files have no magic number, so the probe looks for successive sound
/// records, or else relies on the extension.
fn probe_base(start: &[u8], extension: &str) -> Option<Confidence> {
    match (extension, sound_records(start)) {
        ("cbf", 1..) | (_, 3..) => Some(Confidence::Likely),
        ("cbf", 0) => Some(Confidence::Name),
        // The first game is at the start of the .cbf, so its entry is 2.
        ("cbi", _) if start.get(4..8) == Some(&[0, 0, 0, 2]) => Some(Confidence::Likely),
        ("cbi", _) => Some(Confidence::Name),
        _ => None,
    }
}

/// Counts successive records with a known checksum from the start. Returns 0 if another record comes
/// between them.
fn sound_records(start: &[u8]) -> usize {
    let mut rest = start;
    let mut count = 0usize;
    while let Some(header) = parse_header(rest) {
        if header.check() == Checksum::Foreign || header.result & 0xc0 != 0 {
            return 0;
        }
        count = count.saturating_add(1);
        match rest.get(header.record_size()..) {
            Some(after) if after.len() >= HEADER_SIZE => rest = after,
            _ => break,
        }
    }
    count
}

fn probe_book(_: &[u8], extension: &str) -> Option<Confidence> {
    (extension == "fbk").then_some(Confidence::Name)
}
