//! Determines which files make up the base at one moment.

use std::io;
use std::path::{Path, PathBuf};

use super::companion::{find, spellings};
use super::disk::{Disk, Identity};
use super::marker::Marker;
use super::names::{folder_of, kind_of, marker_extension, marker_of, stem_of};

/// A snapshot of a base.
#[derive(Clone, Debug)]
pub(super) struct View<D: Disk> {
    disk: D,
    /// The path of the index as given, which may be a link. The other files are beside it.
    named: PathBuf,
    /// The path of the index with links resolved. It need not exist.
    pub(super) index: PathBuf,
    /// The marker, if the index does not exist. The base then consists of the new files.
    pub(super) pending: Option<Marker>,
}

impl<D: Disk> View<D> {
    /// Takes a snapshot of a base by the path of any of its files. The index has this
    /// `extension`.
    pub(super) fn look(disk: &D, path: &Path, extension: &str) -> io::Result<View<D>> {
        let named = index_path(disk, path, extension)?;
        let index = disk.real(&named).unwrap_or_else(|_| named.clone());
        // If the index exists, the files with the regular names are a complete base, old or new.
        let pending = match disk.identity(&index)? {
            Some(_) => None,
            None => Marker::read(disk, &index)?,
        };
        Ok(View { disk: disk.clone(), named, index, pending })
    }

    /// Finds the file with this extension. The case of the name does not matter.
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
        // Only the index is a link.
        self.found(find(&self.disk, &self.index, extension)?)
    }

    /// Returns the path and the identity of the file, if it still exists.
    fn found(&self, path: Option<PathBuf>) -> io::Result<Option<(PathBuf, Identity)>> {
        let Some(path) = path else { return Ok(None) };
        Ok(self.disk.identity(&path)?.map(|identity| (path, identity)))
    }

    /// Returns the path for a new file with this extension.
    pub(super) fn target(&self, extension: &str) -> io::Result<PathBuf> {
        let own = self.index.extension();
        if own.is_some_and(|own| own.eq_ignore_ascii_case(extension)) {
            return Ok(self.index.clone());
        }
        if self.pending.is_none()
            && let Some((path, _)) = self.find(extension)?
        {
            return self.place_of(&path);
        }
        Ok(match find(&self.disk, &self.index, extension)? {
            Some(path) => path,
            None => self.index.with_extension(extension),
        })
    }

    /// Resolves links in the path of a file of this base that is to be changed or replaced.
    /// Returns an error if the file is then not beside the index. Readers look for companions
    /// beside a link, and a replacement puts them beside its target, so the two would otherwise
    /// combine files of different bases.
    pub(super) fn place_of(&self, path: &Path) -> io::Result<PathBuf> {
        let place = self.disk.real(path)?;
        check_beside(&place, &self.index)?;
        Ok(place)
    }
}

/// Checks that two files of a base have one folder and one stem. Both paths are free of links.
pub(super) fn check_beside(path: &Path, first: &Path) -> io::Result<()> {
    if folder_of(path) == folder_of(first) && stem_of(path) == stem_of(first) {
        return Ok(());
    }
    let text = format!(
        "{} does not belong to the same base as {}: is one a link?",
        path.display(),
        first.display()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}

/// Returns the path of the index of a base by the path of any of its files. The index or its marker
/// must exist.
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
        // Keep the spelling of `path`.
        None if is_index => path.to_path_buf(),
        None => path.with_extension(extension),
    })
}
