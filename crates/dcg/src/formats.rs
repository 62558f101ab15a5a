//! Registers the format.

use chess_store::TypedOptions;
use chess_store::erased::{Confidence, Creator, Format, Opener, database, editor, writer};

use crate::database::Database;
use crate::edit::Editor;
use crate::layout::{EVENTS_MAGIC, GAMES_MAGIC, INDEX_MAGIC, PLAYERS_MAGIC, SITES_MAGIC};
use crate::options::{CreateOptions, OpenOptions};
use crate::parts::Parts;
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] =
    &[Format::new("dcg", "Simple Chess Database", &["dci", "dcg", "dcn", "dcs", "dce"], probe)
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
            let mut create = |extension| files.create(extension);
            let (dci, dcn, dcs) = (create("dci"), create("dcn"), create("dcs"));
            let parts = Parts { dci, dcn, dcs, dce: Some(create("dce")), dcg: create("dcg") };
            writer(Writer::from_parts(parts, &options.typed()?))
        })
        .edited_by(|path, options| editor(Editor::open_with(path, &options.typed()?)))];

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
