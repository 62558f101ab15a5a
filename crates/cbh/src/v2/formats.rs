//! Registration of the format.

use chess_store::TypedOptions;
use chess_store::erased::{Confidence, Creator, Format, Opener, database, writer};

use super::database::Database;
use super::parts::EXTENSIONS;
use super::writer::Writer;
use crate::options::{CreateOptions, PlainOptions};

/// The format of this module.
pub const FORMATS: &[Format] =
    &[Format::new("2cbh", "ChessBase 17 (experimental)", &EXTENSIONS, probe)
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
        })];

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
