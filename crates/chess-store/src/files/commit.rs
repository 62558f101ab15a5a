//! The protocol: putting the files of a base in place, and finishing what was stopped.
//!
//! Its steps are in the documentation of [`files`](super).

use std::io;
use std::path::{Path, PathBuf};

use super::companion::find;
use super::disk::Disk;
use super::leftovers;
use super::marker::Marker;
use super::names::{Kind, folder_of, kind_of, marker_of, name_of, stem_of, temporary};

/// New files, complete and synced, and where they belong.
#[derive(Debug)]
pub(super) struct Change<'a> {
    /// Its new file has a temporary name as well.
    pub(super) index: &'a Path,
    /// The other new files.
    pub(super) others: Vec<&'a Path>,
    pub(super) marker: Marker,
}

/// Why a change could not be made.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: io::Error,
    /// Whether the marker stands or may stand, so that the new files must be left where they are.
    pub(super) pending: bool,
}

impl Failure {
    /// Nothing was changed.
    fn harmless(error: io::Error) -> Failure {
        Failure { error, pending: false }
    }

    /// The new base counts, or will when it is looked at next.
    fn pending(error: io::Error) -> Failure {
        let text = format!("{error}; the next change of the base finishes this one");
        Failure { error: io::Error::new(error.kind(), text), pending: true }
    }
}

/// Puts the new files of a base in place. The caller holds the lock, and has called [`recover`]
/// since the files were created: the marker speaks of them, so their names must be on the disk
/// before it is.
pub(super) fn commit<D: Disk>(
    disk: &D,
    change: &Change<'_>,
    release: impl FnOnce(),
) -> Result<(), Failure> {
    let index = change.index;
    let had_index = disk.identity(index).map_err(Failure::harmless)?.is_some();
    publish(disk, change, had_index, release)?;
    finish(disk, change, had_index).map_err(Failure::pending)?;
    // Beside an index it says nothing. Should it stay, or come back after a power cut, the next
    // change removes it.
    let _ = disk.remove(&marker_of(index));
    Ok(())
}

/// Writes the marker and takes the old index away, after which the new files are the base.
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
    // Some file systems fail and have done it all the same.
    if had_index && !matches!(disk.identity(index), Ok(Some(_))) {
        return Err(Failure::pending(error));
    }
    let withdrawn = disk.remove(&path).and_then(|()| disk.sync_folder(folder_of(index)));
    match withdrawn {
        Ok(()) => Err(Failure::harmless(error)),
        Err(_) => Err(Failure { error, pending: true }),
    }
}

/// With the marker standing and no index there: gives the files their names, the index last.
fn finish<D: Disk>(disk: &D, change: &Change<'_>, had_index: bool) -> io::Result<()> {
    let (index, folder) = (change.index, folder_of(change.index));
    let place = |path: &Path| {
        let new = temporary(path, &change.marker.token);
        disk.rename(&new, path).map_err(failed("cannot put in place", path))
    };
    if had_index {
        // No new file may come to lie beside the old index.
        sync_folder(disk, folder)?;
    }
    change.others.iter().try_for_each(|path| place(path))?;
    for extension in &change.marker.gone {
        if let Some(old) = find(disk, index, extension)? {
            disk.remove(&old).map_err(failed("cannot remove", &old))?;
        }
    }
    // No new index may come to lie beside an old file.
    sync_folder(disk, folder)?;
    place(index)?;
    // While the index may yet be without its name, the marker must stay.
    sync_folder(disk, folder)
}

/// Finishes a change that was stopped after the new base counted, takes back one that was stopped
/// before, and removes what stopped changes left, but for the new files with the `own` token. The
/// caller holds the lock.
pub(super) fn recover<D: Disk>(disk: &D, index: &Path, own: &str) -> io::Result<()> {
    let path = marker_of(index);
    // What a killed program did is seen, but not all on the disk, perhaps. The marker must not go
    // before it is, nor may anything build on a base that a power cut takes back.
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

/// Where the new files of a base belong that still have temporary names, the index aside.
fn new_files<D: Disk>(disk: &D, index: &Path, marker: &Marker) -> io::Result<Vec<PathBuf>> {
    let stem = stem_of(index);
    let mut paths = Vec::new();
    for name in disk.names(folder_of(index))? {
        if let Some((of, Kind::Temporary { token })) = kind_of(&name)
            && token == marker.token
            && stem_of(&of) == stem
            && Some(of.as_os_str()) != index.file_name()
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

/// For `map_err`: says what could not be done to which file.
pub(super) fn failed(what: &str, path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{what} {}: {error}", name_of(path)))
}
