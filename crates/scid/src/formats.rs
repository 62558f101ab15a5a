//! Registers the formats.

use chess_store::erased::{
    self, Confidence, CreateFiles, Creator, Flags, Format, Opener, database, editor, writer,
};
use chess_store::{AnyError, TypedOptions as _};

use crate::database::Database;
use crate::edit::Editor;
use crate::layout::{Extensions, FLAG_MEANINGS, FLAGS_TAG, INDEX_MAGIC, NAMES_MAGIC, Version};
use crate::options::{CreateOptions, OpenOptions};
use crate::parts::Parts;
use crate::writer::Writer;

const FLAGS: Flags = Flags::new(FLAGS_TAG, &FLAG_MEANINGS);

/// Scid's three versions.
pub const FORMATS: &[Format] = &[
    written(Format::new("si4", "Scid 4", &["si4", "sg4", "sn4"], probe_4))
        .created_in(|files, options| create_in(Extensions::SI4, files, options.typed()?)),
    written(Format::new("si5", "Scid 5", &["si5", "sg5", "sn5"], probe_5)).created_in(
        |files, options| {
            let options = CreateOptions { version: Version::Si5, ..options.typed()? };
            create_in(Extensions::SI5, files, options)
        },
    ),
    read(Format::new("si3", "Scid 3", &["si3", "sg3", "sn3"], probe_3)),
];

/// A version that is read.
const fn read(format: Format) -> Format {
    format
        .opened_by(
            Opener::Database(|path, options| {
                database(Database::open_with(path, &options.typed()?))
            }),
            OpenOptions::LIST,
        )
        .opened_from(|inputs, options| database(Database::open_inputs(inputs, &options.typed()?)))
}

/// A version that is also written and changed.
const fn written(format: Format) -> Format {
    read(format)
        .created_by(
            Creator::Database(|path, options| writer(Writer::create_with(path, &options.typed()?))),
            CreateOptions::LIST,
        )
        .edited_by(|path, options| editor(Editor::open_with(path, &options.typed()?)))
        .flagged_by(FLAGS)
}

fn create_in(
    extensions: Extensions,
    files: &mut dyn CreateFiles,
    options: CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let Extensions { index, games, names, .. } = extensions;
    let [index, games, names] = [index, games, names].map(|extension| files.create(extension));
    writer(Writer::from_parts(Parts { extensions, index, games, names }, &options))
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
