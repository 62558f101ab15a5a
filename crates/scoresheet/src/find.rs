//! Bases among files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chess_store::erased::Opener;
use chess_store::files::index_to_come;

use crate::compress::COMPRESSED_EXTENSIONS;
use crate::detect::{detect, extension_of, outer_extension};
use crate::error::Error;
use crate::formats::formats;

/// Every base below a folder, in the order of their names. Links to folders are not followed.
///
/// # Errors
/// Those of the disk, with the folder they concern.
pub fn bases_below(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut folders = vec![folder.as_ref().to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let failed = |error: io::Error| (folder.clone(), error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if is_base(entry.path()) {
                files.push(entry.path());
            } else {
                files.extend(index_to_come(&entry.path()).filter(|index| is_base(index)));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is what to name a base by, not a companion of one: by its extension.
#[must_use]
pub fn is_base(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let compressed = COMPRESSED_EXTENSIONS.contains(&&*outer_extension(path));
    let inner = extension_of(path);
    if inner == "zip" {
        // One that is damaged is named, so that its error is seen.
        return match detect(path) {
            Ok(_) => true,
            Err(Error::Io { error, .. }) => error.kind() != io::ErrorKind::Unsupported,
            Err(_) => false,
        };
    }
    formats().any(|format| match format.open {
        Some(Opener::Source(_)) => format.extensions.contains(&&*inner),
        Some(Opener::Database(_)) => !compressed && format.extensions.first() == Some(&&*inner),
        _ => false,
    })
}
