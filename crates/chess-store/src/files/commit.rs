//! The commit protocol: renames new files into place, and completes interrupted changes.
//!
//! The documentation of [`files`](super) lists its steps.

use std::io;
use std::path::{Path, PathBuf};

use super::companion::find;
use super::disk::Disk;
use super::leftovers;
use super::marker::Marker;
use super::names::{Kind, folder_of, kind_of, marker_of, name_of, stem_of, temporary};

/// New files, complete and synced, with their destinations.
#[derive(Debug)]
pub(super) struct Change<'a> {
    /// The index. Its new file has a temporary name too.
    pub(super) index: &'a Path,
    /// The other new files.
    pub(super) others: Vec<&'a Path>,
    pub(super) marker: Marker,
}

/// The error of a failed change.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: io::Error,
    /// Whether the marker exists or may exist. Then the new files must stay.
    pub(super) pending: bool,
}

impl Failure {
    /// Creates the error of a failure that changed nothing.
    fn harmless(error: io::Error) -> Failure {
        Failure { error, pending: false }
    }

    /// Creates the error of a failure after the point where the new base becomes valid.
    fn pending(error: io::Error) -> Failure {
        let text = format!("{error}; the next change of the base finishes this one");
        Failure { error: io::Error::new(error.kind(), text), pending: true }
    }
}

/// Renames the new files of a base into place. The caller holds the lock. It must have called
/// [`recover`] after the files were created: the marker refers to them, so their names must be on
/// the disk first.
pub(super) fn commit<D: Disk>(
    disk: &D,
    change: &Change<'_>,
    release: impl FnOnce(),
) -> Result<(), Failure> {
    let index = change.index;
    let had_index = disk.identity(index).map_err(Failure::harmless)?.is_some();
    publish(disk, change, had_index, release)?;
    finish(disk, change, had_index).map_err(Failure::pending)?;
    // Beside an index the marker has no effect. If it stays, or reappears after a power cut, the
    // next change removes it.
    let _ = disk.remove(&marker_of(index));
    Ok(())
}

/// Writes the marker and removes the old index. The new files are then the base.
fn publish<D: Disk>(
    disk: &D,
    change: &Change<'_>,
    had_index: bool,
    release: impl FnOnce(),
) -> Result<(), Failure> {
    let (index, path) = (change.index, marker_of(change.index));
    let mut file = disk
        .create_new(&path, &[index])
        .map_err(failed("cannot create", &path))
        .map_err(Failure::harmless)?;
    let publish = || {
        change.marker.write(&mut file).map_err(failed("cannot write", &path))?;
        sync_folder(disk, folder_of(index))?;
        release();
        if had_index { disk.remove(index).map_err(failed("cannot replace", index)) } else { Ok(()) }
    };
    let Err(error) = publish() else { return Ok(()) };
    // Some file systems report a failure although the call succeeded.
    if had_index && !matches!(disk.identity(index), Ok(Some(_))) {
        return Err(Failure::pending(error));
    }
    let withdrawn = disk.remove(&path).and_then(|()| disk.sync_folder(folder_of(index)));
    match withdrawn {
        Ok(()) => Err(Failure::harmless(error)),
        Err(_) => Err(Failure { error, pending: true }),
    }
}

/// Renames the files into place, the index last. The marker must exist and the index must not.
fn finish<D: Disk>(disk: &D, change: &Change<'_>, had_index: bool) -> io::Result<()> {
    let (index, folder) = (change.index, folder_of(change.index));
    let place = |path: &Path| {
        let new = temporary(path, &change.marker.token);
        if cfg!(windows) && matches!(disk.identity(path), Ok(Some(_))) {
            // Not every file system lets a file replace one that is open, and an editor has its base open.
            disk.remove(path).map_err(failed("cannot replace", path))?;
        }
        disk.rename(&new, path).map_err(failed("cannot put in place", path))
    };
    if had_index {
        // A new file must not appear beside the old index.
        sync_folder(disk, folder)?;
    }
    change.others.iter().try_for_each(|path| place(path))?;
    for extension in &change.marker.gone {
        if let Some(old) = find(disk, index, extension)? {
            disk.remove(&old).map_err(failed("cannot remove", &old))?;
        }
    }
    // A new index must not appear beside an old file.
    sync_folder(disk, folder)?;
    place(index)?;
    // The marker must stay until the name of the index is on the disk.
    sync_folder(disk, folder)
}

/// Completes a change that was interrupted after the new base became valid. Reverts a change that
/// was interrupted earlier. Then removes leftover files, except new files with the token `own`. The
/// caller holds the lock.
pub(super) fn recover<D: Disk>(disk: &D, index: &Path, own: &str) -> io::Result<()> {
    let path = marker_of(index);
    // The changes of a killed program are visible, but may not be on the disk. Sync them before the
    // marker is removed, and before another change depends on them.
    sync_folder(disk, folder_of(index))?;
    if disk.identity(&path)?.is_some() {
        if disk.identity(index)?.is_none()
            && let Some(marker) = Marker::read(disk, index)?
            && disk.identity(&temporary(index, &marker.token))?.is_some()
        {
            let others = new_files(disk, index, &marker)?;
            let others = others.iter().map(PathBuf::as_path).collect();
            finish(disk, &Change { index, others, marker }, false)?;
        }
        disk.remove(&path).map_err(failed("cannot remove", &path))?;
    }
    leftovers::remove(disk, index, own);
    Ok(())
}

/// Returns the destinations of new files that still have temporary names, except the index.
fn new_files<D: Disk>(disk: &D, index: &Path, marker: &Marker) -> io::Result<Vec<PathBuf>> {
    let stem = stem_of(index);
    // The caller may have named the index in other letters than its new file has.
    let is_index = |name: &Path| {
        let (own, index) = (name.extension(), index.extension());
        own.unwrap_or_default().eq_ignore_ascii_case(index.unwrap_or_default())
    };
    let mut paths = Vec::new();
    for name in disk.names(folder_of(index))? {
        if let Some((of, Kind::Temporary { token })) = kind_of(&name)
            && token == marker.token
            && stem_of(&of) == stem
            && !is_index(&of)
        {
            paths.push(index.with_file_name(of));
        }
    }
    Ok(paths)
}

pub(super) fn sync_folder<D: Disk>(disk: &D, folder: &Path) -> io::Result<()> {
    disk.sync_folder(folder).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("cannot sync the folder {}: {error}", folder.display()),
        )
    })
}

/// Adds the failed action and the file to an error. Use it with `map_err`.
pub(super) fn failed(what: &str, path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{what} {}: {error}", name_of(path)))
}
