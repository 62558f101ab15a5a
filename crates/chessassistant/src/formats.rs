//! Registers the format.

use chess_store::TypedOptions;
use chess_store::erased::{Confidence, Creator, Format, Opener, database, writer};

use crate::database::{Database, Parts};
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
.opened_by(
    Opener::Database(|path, options| database(Database::open_with(path, &options.typed()?))),
    OpenOptions::LIST,
)
.opened_from(|inputs, options| database(Database::open_inputs(inputs, &options.typed()?)))
.created_by(
    Creator::Database(|path, options| writer(Writer::create_with(path, &options.typed()?))),
    CreateOptions::LIST,
)
.created_in(|files, options| {
    let mut create = |extension| files.create(extension);
    let (d00, cdp, emb) = (create("d00"), create("cdp"), create("emb"));
    let parts = Parts { d00, cdp, emb, a02: create("a02"), d02: create("d02") };
    writer(Writer::from_parts(parts, &options.typed()?))
})
.passing_over(&["a01", "d01", "axx", "dxx", "bo0", "st0"])];

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
