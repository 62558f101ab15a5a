//! Finds files of the same base, whatever the case of their names.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, OnDisk};
use super::names::folder_of;

/// Returns the file beside `path` with another extension. The case of the name does not matter.
///
/// Tries the extension as given, then in the other case, then searches the folder for any spelling
/// of stem and extension. Old programs and copying often changed the case of names.
#[must_use]
pub fn companion(path: &Path, extension: &str) -> Option<PathBuf> {
    find(&OnDisk, path, extension).ok().flatten()
}

/// Like [`companion`], on any disk.
pub(super) fn find<D: Disk>(disk: &D, path: &Path, extension: &str) -> io::Result<Option<PathBuf>> {
    for candidate in spellings(path, extension) {
        if disk.identity(&candidate)?.is_some() {
            return Ok(Some(candidate));
        }
    }
    let wanted = path.with_extension(extension);
    let Some(name) = wanted.file_name() else { return Ok(None) };
    let Some(wanted) = name.to_str().map(str::to_lowercase) else { return Ok(None) };
    let names = match disk.names_like(folder_of(path), name) {
        // A folder that cannot be listed is treated as empty.
        Err(error) if is_blindness(&error) => return Ok(None),
        names => names?,
    };
    let mut names: Vec<_> = names
        .into_iter()
        .filter(|name| name.to_str().is_some_and(|name| name.to_lowercase() == wanted))
        .collect();
    names.sort();
    for name in names {
        let candidate = path.with_file_name(name);
        if disk.identity(&candidate)?.is_some() {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// Returns the path with this extension, as given and in upper case.
pub(super) fn spellings(path: &Path, extension: &str) -> [PathBuf; 2] {
    [path.with_extension(extension), path.with_extension(extension.to_ascii_uppercase())]
}

fn is_blindness(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, Unsupported};
    matches!(error.kind(), NotADirectory | NotFound | PermissionDenied | Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn companion_in_other_case_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["base.sg4", "OTHER.SN4", "Mixed.Sg4"] {
            File::create(folder.path().join(name)).unwrap();
        }
        // Where folders ignore case, the first spelling that is tried exists.
        let find = |name: &str, extension| {
            companion(&folder.path().join(name), extension).map(|path| {
                let real = path.canonicalize().unwrap();
                real.file_name().unwrap().to_string_lossy().into_owned()
            })
        };
        assert_eq!(find("base.si4", "sg4").as_deref(), Some("base.sg4"));
        assert_eq!(find("other.si4", "sn4").as_deref(), Some("OTHER.SN4"));
        assert_eq!(find("mixed.si4", "sg4").as_deref(), Some("Mixed.Sg4"));
        assert_eq!(find("base.si4", "sn4"), None);
        assert_eq!(find("nowhere/base.si4", "sn4"), None);
    }
}
