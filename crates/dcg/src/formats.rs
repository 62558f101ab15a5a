//! Registers the format.

use std::path::Path;

use chess_store as store;
use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, Inputs, TypedOptions};

use crate::database::Database;
use crate::edit::Editor;
use crate::layout::{EVENTS_MAGIC, GAMES_MAGIC, INDEX_MAGIC, PLAYERS_MAGIC, SITES_MAGIC};
use crate::options::{CreateOptions, OpenOptions};
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] =
    &[Format::new("dcg", "Simple Chess Database", &["dci", "dcg", "dcn", "dcs", "dce"], probe)
        .opened_by(Opener::Database(open), OpenOptions::LIST)
        .opened_from(open_inputs)
        .created_by(Creator::Database(create), CreateOptions::LIST)
        .edited_by(edit)];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let magic = match extension {
        "dci" => INDEX_MAGIC,
        "dcg" => GAMES_MAGIC,
        "dcn" => PLAYERS_MAGIC,
        "dcs" => SITES_MAGIC,
        "dce" => EVENTS_MAGIC,
        _ => return start.starts_with(b"SimpleCDb").then_some(Confidence::Certain),
    };
    if start.starts_with(magic) {
        return Some(Confidence::Certain);
    }
    // An aborted import leaves empty files behind.
    start.is_empty().then_some(Confidence::Name)
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

fn edit(path: &Path, options: &store::OpenOptions) -> Result<Box<dyn erased::Editor>, AnyError> {
    Ok(Box::new(Editor::open_with(path, &open_options(options)?)?))
}

fn open_options(options: &store::OpenOptions) -> Result<OpenOptions, AnyError> {
    let own = options.settings.read()?;
    Ok(OpenOptions { encoding: options.encoding, strict: options.strict, ..own })
}
