//! Which files are the base at this moment.

use std::io;
use std::path::{Path, PathBuf};

use super::companion::{find, spellings};
use super::disk::{Disk, Identity};
use super::marker::Marker;
use super::names::{kind_of, marker_extension, marker_of};

/// One look at a base.
#[derive(Clone, Debug)]
pub(super) struct View<D: Disk> {
    disk: D,
    /// The index as it was named, perhaps by a link; the other files are beside it.
    named: PathBuf,
    /// The index itself, which need not be there.
    pub(super) index: PathBuf,
    /// While there is no index: the marker, by which the base is the new files.
    pub(super) pending: Option<Marker>,
}

impl<D: Disk> View<D> {
    /// Looks at the base that any of its files names, whose index has this extension.
    pub(super) fn look(disk: &D, path: &Path, extension: &str) -> io::Result<View<D>> {
        let named = index_path(disk, path, extension)?;
        let index = disk.real(&named).unwrap_or_else(|_| named.clone());
        // Where there is an index, the base is what has its names: old or new, and whole.
        let pending = match disk.identity(&index)? {
            Some(_) => None,
            None => Marker::read(disk, &index)?,
        };
        Ok(View { disk: disk.clone(), named, index, pending })
    }

    /// The file of this extension, whatever the case of its name.
    pub(super) fn find(&self, extension: &str) -> io::Result<Option<(PathBuf, Identity)>> {
        if let Some(marker) = &self.pending {
            let temporary = format!("{extension}~{}", marker.token);
            if let Some(found) = self.found(find(&self.disk, &self.index, &temporary)?)? {
                return Ok(Some(found));
            }
            if marker.gone.iter().any(|gone| gone.eq_ignore_ascii_case(extension)) {
                return Ok(None);
            }
        }
        let is_index =
            self.named.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
        if is_index && let Some(index) = self.found(Some(self.named.clone()))? {
            return Ok(Some(index));
        }
        if let Some(found) = self.found(find(&self.disk, &self.named, extension)?)? {
            return Ok(Some(found));
        }
        if self.named == self.index {
            return Ok(None);
        }
        // A link to the index alone.
        self.found(find(&self.disk, &self.index, extension)?)
    }

    /// The path and which file has it, if it is still there.
    fn found(&self, path: Option<PathBuf>) -> io::Result<Option<(PathBuf, Identity)>> {
        let Some(path) = path else { return Ok(None) };
        Ok(self.disk.identity(&path)?.map(|identity| (path, identity)))
    }

    /// Where a new file of this extension belongs.
    pub(super) fn target(&self, extension: &str) -> io::Result<PathBuf> {
        let own = self.index.extension();
        if own.is_some_and(|own| own.eq_ignore_ascii_case(extension)) {
            return Ok(self.index.clone());
        }
        Ok(match find(&self.disk, &self.index, extension)? {
            Some(path) => path,
            None => self.index.with_extension(extension),
        })
    }
}

/// The path of the index of the base that any of its files names: one that is there, or that a
/// marker stands for.
fn index_path<D: Disk>(disk: &D, path: &Path, extension: &str) -> io::Result<PathBuf> {
    let is_index = path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
    let given = is_index.then(|| path.to_path_buf());
    for candidate in given.into_iter().chain(spellings(path, extension)) {
        let real = disk.real(&candidate).unwrap_or_else(|_| candidate.clone());
        let stands = |path: &Path| Ok::<_, io::Error>(disk.identity(path)?.is_some());
        if stands(&real)? || stands(&marker_of(&real))? {
            return Ok(candidate);
        }
    }
    if let Some(index) = find(disk, path, extension)? {
        return Ok(index);
    }
    let marker = find(disk, path, &marker_extension(extension))?;
    let of = marker.as_deref().and_then(Path::file_name).and_then(kind_of);
    Ok(match of {
        Some((index, _)) => path.with_file_name(index),
        // In its own spelling.
        None if is_index => path.to_path_buf(),
        None => path.with_extension(extension),
    })
}
