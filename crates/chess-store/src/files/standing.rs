//! A base that was being replaced when something stopped, for who does not know its format yet.

use std::io;
use std::path::{Path, PathBuf};

use super::companion::find;
use super::disk::{Disk, OnDisk};
use super::marker::Marker;
use super::names::{Kind, folder_of, kind_of, stem_of, temporary};

/// The file that has this path; or, if there is none and the base was being
/// [replaced](super::Staged::commit) when something stopped, the new file that will have it.
/// The path itself, if there is neither.
#[must_use]
pub fn standing(path: &Path) -> PathBuf {
    let waiting = || waiting(&OnDisk, path).ok().flatten();
    if path.exists() { path.to_path_buf() } else { waiting().unwrap_or_else(|| path.to_path_buf()) }
}

/// If this is the marker of a base that was being replaced when something stopped: the path of the
/// index that it will have.
#[must_use]
pub fn index_to_come(marker: &Path) -> Option<PathBuf> {
    pending(&OnDisk, marker).ok().flatten().map(|(index, _)| index)
}

/// The index that a marker stands for, and what the marker says.
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

fn waiting<D: Disk>(disk: &D, path: &Path) -> io::Result<Option<PathBuf>> {
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
