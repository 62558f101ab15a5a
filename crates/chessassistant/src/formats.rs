//! Registers the format.

use std::path::Path;

use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, Inputs, TypedOptions};

use crate::database::Database;
use crate::layout::VERSION_MARK;
use crate::options::{CreateOptions, OpenOptions};
use crate::volume::contains;
use crate::writer::Writer;

/// This format.
pub const FORMATS: &[Format] = &[Format::new(
    "chessassistant",
    "Chess Assistant",
    &["cdp", "emb", "d00", "a02", "d02"],
    probe,
)
.opened_by(Opener::Database(open), OpenOptions::LIST)
.opened_from(open_inputs)
.created_by(Creator::Database(create), CreateOptions::LIST)];

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
    let settings = options.settings.read()?;
    Ok(OpenOptions { encoding: options.encoding, strict: options.strict, ..settings })
}

fn create(
    path: &Path,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let settings = options.settings.read()?;
    let options = CreateOptions { encoding: options.encoding, ..settings };
    Ok(Box::new(Writer::create_with(path, &options)?))
}

/// CDP and EMB files start with magic bytes. The others are recognised by name only.
fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let marked = || {
        let head = start.get(..start.len().min(128)).unwrap_or_default();
        contains(head, VERSION_MARK).then_some(Confidence::Certain)
    };
    match extension {
        "cdp" | "emb" => marked(),
        "d00" | "a02" | "d02" => Some(Confidence::Name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probe_recognises_own_files() {
        let cdp = crate::description::Description::new(0, Vec::new()).encode();
        assert_eq!(probe(&cdp, "cdp"), Some(Confidence::Certain));
        assert_eq!(probe(b"something", "cdp"), None);
        assert_eq!(probe(b"", "d02"), Some(Confidence::Name));
        assert_eq!(probe(&cdp, "pgn"), None);
    }
}
