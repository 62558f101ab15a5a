//! The format as data.

use std::path::Path;

use chess_store as store;
use chess_store::seam::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, TypedOptions};

use crate::database::Database;
use crate::layout::ENTITY_MAGIC;
use crate::options::{CreateOptions, OpenOptions};
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] = &[Format::new(
    "cbh",
    "ChessBase",
    &[
        "cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbm", "cbtt", "cbv",
        "cbz",
    ],
    probe,
)
.opened_by(Opener::Database(open), OpenOptions::LIST)
.created_by(Creator::Database(create), CreateOptions::LIST)];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    match extension {
        "cbh" => {
            let size =
                start.get(3..5).is_some_and(|size| size.ends_with(&[46]) && size.starts_with(&[0]));
            size.then_some(Confidence::Likely)
        }
        "cbg" | "cba" => {
            let header = start.starts_with(&[0, 26]) || start.starts_with(&[0, 10]);
            header.then_some(Confidence::Likely)
        }
        "cbp" | "cbt" | "cbc" | "cbs" | "cbe" | "cbl" => {
            let magic = start.get(8..12) == Some(ENTITY_MAGIC.to_le_bytes().as_slice());
            magic.then_some(Confidence::Certain)
        }
        "cbv" => start.starts_with(&[8, 0]).then_some(Confidence::Likely),
        "cbj" | "cbm" | "cbtt" | "cbz" => Some(Confidence::Name),
        _ => None,
    }
}

fn open(path: &Path, options: &store::OpenOptions) -> Result<Box<dyn seam::Database>, AnyError> {
    let own: OpenOptions = options.settings.read()?;
    let options = OpenOptions { encoding: options.encoding, strict: options.strict, ..own };
    #[cfg(feature = "archive")]
    if is_archive(path) {
        return Ok(Box::new(Database::open_archive(path, &options)?));
    }
    Ok(Box::new(Database::open_with(path, &options)?))
}

fn create(path: &Path, options: &store::CreateOptions) -> Result<Box<dyn seam::Writer>, AnyError> {
    Ok(Box::new(Writer::create_with(path, &options.settings.read()?)?))
}

/// Whether a file is named as an archive.
#[cfg(feature = "archive")]
fn is_archive(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| extension == "cbv" || extension == "cbz")
}
