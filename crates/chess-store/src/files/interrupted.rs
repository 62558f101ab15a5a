//! Resolves paths of a base whose replacement was interrupted, before its format is known.

use std::io;
use std::path::{Path, PathBuf};

use super::companion::find;
use super::disk::{Disk, OnDisk};
use super::marker::Marker;
use super::names::{Kind, folder_of, kind_of, stem_of, temporary};

/// Returns the path of the file that `path` stands for.
///
/// This is `path` itself if the file exists. If a [replacement](super::Staged::commit) of the base
/// was interrupted, it is the temporary path of the new file that will be renamed to `path`.
/// If neither file exists, it is `path` again.
#[must_use]
pub fn resolve_interrupted_replace(path: &Path) -> PathBuf {
    let staged = || staged_file(&OnDisk, path).ok().flatten();
    if path.exists() { path.to_path_buf() } else { staged().unwrap_or_else(|| path.to_path_buf()) }
}

/// Returns whether something has this path, or will have it after an interrupted
/// [replacement](super::Staged::commit). A dangling link counts.
///
/// In a folder of thousands of files, a replacement that began a moment ago may be missed. The lock
/// of its base then refuses a second one.
#[must_use]
pub fn is_taken(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let lists_marker = || {
        let names = OnDisk.names_like(folder_of(path), name).unwrap_or_default();
        names.iter().any(|name| kind_of(name).is_some_and(|(_, kind)| kind == Kind::Marker))
    };
    std::fs::symlink_metadata(path).is_ok()
        || lists_marker() && resolve_interrupted_replace(path) != path
}

/// Returns the path of the index that an interrupted replacement will create, if `marker` is the
/// marker file of such a replacement.
#[must_use]
pub fn index_to_come(marker: &Path) -> Option<PathBuf> {
    pending(&OnDisk, marker).ok().flatten().map(|(index, _)| index)
}

/// Returns the path of the missing index that a marker file belongs to, and the parsed marker.
fn pending<D: Disk>(disk: &D, path: &Path) -> io::Result<Option<(PathBuf, Marker)>> {
    let of = path.file_name().and_then(kind_of);
    let Some((index, Kind::Marker)) = of else { return Ok(None) };
    let index = path.with_file_name(index);
    if disk.identity(&index)?.is_some() {
        return Ok(None);
    }
    let marker = Marker::read(disk, &index)?;
    Ok(marker.map(|marker| (index, marker)))
}

/// Finds the new file that is still to be renamed to `path`.
fn staged_file<D: Disk>(disk: &D, path: &Path) -> io::Result<Option<PathBuf>> {
    let real = disk.real(path).unwrap_or_else(|_| path.to_path_buf());
    let Some(extension) = real.extension().and_then(|text| text.to_str()) else { return Ok(None) };
    for name in disk.names(folder_of(&real))? {
        let Some((index, marker)) = pending(disk, &real.with_file_name(&name))? else { continue };
        if stem_of(&index) != stem_of(&real) {
            continue;
        }
        let new = temporary(Path::new(extension), &marker.token);
        if let Some(new) = new.to_str()
            && let Some(found) = find(disk, &real, new)?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
