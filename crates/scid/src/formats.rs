//! Registers the formats.

use std::path::Path;

use chess_store::erased::{self, Confidence, Creator, Flags, Format, Opener};
use chess_store::{AnyError, Inputs, TypedOptions as _};

use crate::database::Database;
use crate::edit::Editor;
use crate::layout::{Extensions, FLAG_MEANINGS, FLAGS_TAG, INDEX_MAGIC, NAMES_MAGIC};
use crate::options::{CreateOptions, OpenOptions};
use crate::writer::Writer;

const FLAGS: Flags = Flags::new(FLAGS_TAG, &FLAG_MEANINGS);

/// Scid's three versions.
pub const FORMATS: &[Format] = &[
    Format::new("si4", "Scid 4", &["si4", "sg4", "sn4"], probe_4)
        .opened_by(Opener::Database(open), OpenOptions::LIST)
        .opened_from(open_inputs)
        .created_by(Creator::Database(create), CreateOptions::LIST)
        .edited_by(edit)
        .flagged_by(FLAGS),
    Format::new("si5", "Scid 5", &["si5", "sg5", "sn5"], probe_5)
        .opened_by(Opener::Database(open), OpenOptions::LIST)
        .opened_from(open_inputs)
        .created_by(Creator::Database(create), CreateOptions::LIST)
        .edited_by(edit)
        .flagged_by(FLAGS),
    Format::new("si3", "Scid 3", &["si3", "sg3", "sn3"], probe_3)
        .opened_by(Opener::Database(open), OpenOptions::LIST)
        .opened_from(open_inputs),
];

fn open(
    path: &Path,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    Ok(Box::new(Database::open_with(path, &OpenOptions::of(options)?)?))
}

fn open_inputs(
    inputs: &Inputs,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    Ok(Box::new(Database::open_inputs(inputs, &OpenOptions::of(options)?)?))
}

fn create(
    path: &Path,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    Ok(Box::new(Writer::create_with(path, &CreateOptions::of(options)?)?))
}

fn edit(
    path: &Path,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Editor>, AnyError> {
    Ok(Box::new(Editor::open_with(path, &OpenOptions::of(options)?)?))
}

/// Index and names files start with magic bytes. A games file is recognised by name only.
fn probe_marked(start: &[u8], extension: &str, files: Extensions) -> Option<Confidence> {
    if Extensions::family(extension) != Some(files) {
        return None;
    }
    let marked = start.starts_with(&INDEX_MAGIC) || start.starts_with(&NAMES_MAGIC);
    Some(if marked { Confidence::Certain } else { Confidence::Name })
}

fn probe_3(start: &[u8], extension: &str) -> Option<Confidence> {
    probe_marked(start, extension, Extensions::SI3)
}

fn probe_4(start: &[u8], extension: &str) -> Option<Confidence> {
    let confidence = probe_marked(start, extension, Extensions::SI4);
    // An index is recognised under any name.
    confidence.or_else(|| start.starts_with(&INDEX_MAGIC).then_some(Confidence::Likely))
}

/// Version 5 files have no magic bytes.
fn probe_5(_: &[u8], extension: &str) -> Option<Confidence> {
    (Extensions::family(extension) == Some(Extensions::SI5)).then_some(Confidence::Name)
}
