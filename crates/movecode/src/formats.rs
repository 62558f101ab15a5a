//! Registers the format.

use std::path::Path;

use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, Inputs, TypedOptions};

use crate::container::{is_tar_of_tables, looks_packed};
use crate::database::Database;
use crate::options::{CreateOptions, OpenOptions};
use crate::writer::Writer;

/// The formats that this crate provides.
pub const FORMATS: &[Format] =
    &[Format::new("jose", "jose archive", &["jose", "frm", "myd", "myi"], probe)
        .opened_by(Opener::Database(open), OpenOptions::LIST)
        .opened_from(open_inputs)
        .created_by(Creator::Database(create), CreateOptions::LIST)];

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

fn open(
    path: &Path,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    Ok(Box::new(Database::open_with(path, &open_options(options)?)?))
}

fn open_inputs(
    inputs: &Inputs,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    Ok(Box::new(Database::open_inputs(inputs, &open_options(options)?)?))
}

fn open_options(options: &chess_store::OpenOptions) -> Result<OpenOptions, AnyError> {
    let settings: OpenOptions = options.settings.read()?;
    let (encoding, strict) = (options.encoding, options.strict);
    let max_unpacked = options.max_unpacked;
    Ok(OpenOptions { encoding, strict, max_unpacked, ..settings })
}

fn create(
    path: &Path,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    Ok(Box::new(Writer::create_with(path, &options.settings.read()?)?))
}
