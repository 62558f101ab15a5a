//! Removing what killed runs left.
//!
//! A temporary file is locked by whoever writes it, for as long as he lives or until it is in
//! place. One that can be locked is therefore nobody's, unless a marker speaks of it. A lock file
//! that can be locked is nobody's either.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::marker::Marker;
use super::names::{Kind, folder_of, kind_of, stem_of};

/// Removes the temporary files, of any base with the stem of this path, that nobody writes and no
/// marker speaks of, and lock files that nobody holds. Those with the `own` token stay in any case.
/// What cannot be removed now stays for the next change.
pub(super) fn remove<D: Disk>(disk: &D, path: &Path, own: &str) {
    let _ = try_remove(disk, folder_of(path), &stem_of(path), own);
}

fn try_remove<D: Disk>(disk: &D, folder: &Path, stem: &OsStr, own: &str) -> io::Result<()> {
    let mut found = Vec::new();
    for_each(disk, folder, stem, |path, _, kind| {
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
    // Only now, with the locks: who wrote these can no longer write a marker.
    let mut spoken_of = Vec::new();
    for_each(disk, folder, stem, |_, index, kind| {
        if kind == Kind::Marker {
            let marker = Marker::read(disk, &index)?;
            spoken_of.extend(marker.map(|marker| marker.token));
        }
        Ok(())
    })?;
    // A marker that was removed must not come back when its files have gone.
    disk.sync_folder(folder)?;
    for (path, token, _) in &found {
        if !spoken_of.contains(token) {
            disk.remove(path)?;
        }
    }
    Ok(())
}

/// Goes through what stands beside bases with this stem: its path, that of the file in place, and
/// what it is.
fn for_each<D: Disk>(
    disk: &D,
    folder: &Path,
    stem: &OsStr,
    mut visit: impl FnMut(PathBuf, PathBuf, Kind<'_>) -> io::Result<()>,
) -> io::Result<()> {
    for name in disk.names(folder)? {
        if let Some((of, kind)) = kind_of(&name)
            && stem_of(&of) == stem
        {
            visit(folder.join(&name), folder.join(of), kind)?;
        }
    }
    Ok(())
}
