//! Removes files that killed programs left.
//!
//! A writer holds a lock on each of its temporary files until the file is in place. A temporary
//! file that can be locked therefore has no writer. It is a leftover, unless a marker refers to it.
//! A lock file that can be locked is a leftover too.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::marker::Marker;
use super::names::{Kind, folder_of, kind_of, stem_of};

/// Removes the temporary files of bases with the stem of `path` that have no writer and that no
/// marker refers to. Also removes unused lock files. Keeps files with the token `own`. Files that
/// cannot be removed now stay until the next change.
pub(super) fn remove<D: Disk>(disk: &D, path: &Path, own: &str) {
    let _ = try_remove(disk, path, own);
}

fn try_remove<D: Disk>(disk: &D, path: &Path, own: &str) -> io::Result<()> {
    let (folder, stem) = (folder_of(path), &*stem_of(path));
    let mut found = Vec::new();
    let names = disk.names_like(folder, path.file_name().unwrap_or_default())?;
    for_each(names, folder, stem, |path, _, kind| {
        if !matches!(kind, Kind::Marker)
            && kind != (Kind::Temporary { token: own })
            && let Ok(file) = disk.open_to_lock(&path)
            && matches!(disk.try_lock(&file), Ok(true))
            && disk.identity(&path)? == Some(disk.identity_of(&file)?)
        {
            match kind {
                Kind::Temporary { token } => found.push((path, token.to_owned(), file)),
                _ => disk.remove(&path)?,
            }
        }
        Ok(())
    })?;
    if found.is_empty() {
        return Ok(());
    }
    // Check the markers only after locking: the writers of these files can then no longer write a
    // marker.
    let mut spoken_of = Vec::new();
    for_each(disk.names(folder)?, folder, stem, |_, index, kind| {
        if kind == Kind::Marker {
            let marker = Marker::read(disk, &index)?;
            spoken_of.extend(marker.map(|marker| marker.token));
        }
        Ok(())
    })?;
    // The removal of the marker must be on the disk before the files are removed.
    disk.sync_folder(folder)?;
    for (path, token, _) in &found {
        if !spoken_of.contains(token) {
            disk.remove(path)?;
        }
    }
    Ok(())
}

/// Visits the auxiliary files of bases with this stem. Passes the path of each file, the path of
/// the file it belongs to, and its kind.
fn for_each(
    names: Vec<OsString>,
    folder: &Path,
    stem: &OsStr,
    mut visit: impl FnMut(PathBuf, PathBuf, Kind<'_>) -> io::Result<()>,
) -> io::Result<()> {
    for name in names {
        if let Some((of, kind)) = kind_of(&name)
            && stem_of(&of) == stem
        {
            visit(folder.join(&name), folder.join(of), kind)?;
        }
    }
    Ok(())
}
