//! Finds bases in folders.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chess_store::erased::Opener;
use chess_store::files::{index_to_come, is_temporary};
use compress::{COMPRESSED_EXTENSIONS, lacks_texts};

use crate::detect::{detect, extension_of, outer_extension};
use crate::error::Error;
use crate::formats::formats;

/// Returns every base below a folder, sorted by name. Links to folders are not followed. Hidden files and
/// folders, whose names begin with a dot, and folders that a program is still writing are passed over.
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
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                folders.extend(Some(entry.path()).filter(|folder| !is_temporary(folder)));
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

/// Returns the file that stands for a base which is a folder, if `path` is such a folder, else
/// `path`.
pub(crate) fn within_folder(path: &Path) -> Cow<'_, Path> {
    if path.is_dir()
        && let Ok(entries) = fs::read_dir(path)
        && let Some(file) =
            entries.flatten().map(|entry| entry.path()).find(|at| is_folder_file(at))
    {
        return file.into();
    }
    path.into()
}

fn is_folder_file(path: &Path) -> bool {
    let is_named =
        |file: &str| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(file));
    formats().any(|format| format.folder_file.is_some_and(is_named))
}

/// Returns whether a file is the main file of a base, judged by its name.
#[must_use]
pub fn is_base(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    if is_folder_file(path) {
        return true;
    }
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
