//! Registration of the format.

use std::path::Path;

use chess_store as store;
use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, Inputs, TypedOptions};

use super::database::Database;
use super::parts::EXTENSIONS;
use super::writer::Writer;
use crate::formats::open_options;
use crate::options::{CreateOptions, OpenOptions};

/// The format of this module.
pub const FORMATS: &[Format] = &[Format::new("2cbh", "ChessBase 17", &EXTENSIONS, probe)
    .opened_by(Opener::Database(open), OpenOptions::LIST)
    .opened_from(open_inputs)
    .created_by(Creator::Database(create), CreateOptions::LIST)];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    if !EXTENSIONS.contains(&extension) {
        return None;
    }
    // Headers; the size of the file, then of its header; names.
    let headers = start.get(8..12) == Some(&[38, 0, 192, 0]) && start.get(13) == Some(&5);
    let frames = matches!(start.first_chunk(), Some([_, _, _, _, _, 0, 0, 0, 12, 0, 0 | 1, 0 | 5]));
    let names = matches!(start, [0, 0, 0, _, 0, 0, 0, 6, ..]);
    Some(match extension {
        "2cbh" if headers => Confidence::Certain,
        "2cbg" | "2cba" if frames => Confidence::Likely,
        "2lid" if names => Confidence::Likely,
        _ => Confidence::Name,
    })
}

fn open(path: &Path, options: &store::OpenOptions) -> Result<Box<dyn erased::Database>, AnyError> {
    Ok(Box::new(Database::open_with(path, &open_options(options)?)?))
}

fn open_inputs(
    inputs: &Inputs,
    options: &store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    Ok(Box::new(Database::open_inputs(inputs, &open_options(options)?)?))
}

fn create(
    path: &Path,
    options: &store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    Ok(Box::new(Writer::create_with(path, &options.settings.read()?)?))
}
