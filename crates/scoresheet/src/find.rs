//! Finds bases in folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chess_store::erased::Opener;
use chess_store::files::index_to_come;

use crate::compress::{COMPRESSED_EXTENSIONS, lacks_texts};
use crate::detect::{detect, extension_of, outer_extension};
use crate::error::Error;
use crate::formats::formats;

/// Returns every base below a folder, sorted by name. Links to folders are not followed.
///
/// # Errors
/// I/O errors, with the folder that they concern.
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

/// Returns whether a file is the main file of a base, judged by its extension.
#[must_use]
pub fn is_base(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let compressed = COMPRESSED_EXTENSIONS.contains(&&*outer_extension(path));
    let inner = extension_of(path);
    if inner == "zip" {
        // A damaged or encrypted base is listed, so that its error is reported.
        return match detect(path) {
            Ok(_) => true,
            Err(Error::Io { error, .. }) => !lacks_texts(&error),
            Err(_) => false,
        };
    }
    formats().any(|format| match format.open {
        Some(Opener::Source(_)) => format.extensions.contains(&&*inner),
        Some(Opener::Database(_)) => !compressed && format.extensions.first() == Some(&&*inner),
        _ => false,
    })
}
