//! Files beside one another, however their names are spelt.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, OnDisk};
use super::names::folder_of;

/// The file beside `path` with another extension, whatever the case of its name.
///
/// Looks for the extension as given, then in the other case, then reads the folder for any
/// spelling of stem and extension: old disks were copied by programs with their own views.
#[must_use]
pub fn companion(path: &Path, extension: &str) -> Option<PathBuf> {
    find(&OnDisk, path, extension).ok().flatten()
}

/// As [`companion`], on any disk.
pub(super) fn find<D: Disk>(disk: &D, path: &Path, extension: &str) -> io::Result<Option<PathBuf>> {
    for candidate in spellings(path, extension) {
        if disk.identity(&candidate)?.is_some() {
            return Ok(Some(candidate));
        }
    }
    let wanted = path.with_extension(extension);
    let Some(wanted) = wanted.file_name().and_then(OsStr::to_str).map(str::to_lowercase) else {
        return Ok(None);
    };
    let names = match disk.names(folder_of(path)) {
        // Who may not look finds nothing.
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

/// The path with this extension, and with this in capitals.
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
    fn companions_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["base.sg4", "OTHER.SN4", "Mixed.Sg4"] {
            File::create(folder.path().join(name)).unwrap();
        }
        let find = |name: &str, extension| {
            companion(&folder.path().join(name), extension)
                .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        };
        assert_eq!(find("base.si4", "sg4").as_deref(), Some("base.sg4"));
        assert_eq!(find("other.si4", "sn4").as_deref(), Some("OTHER.SN4"));
        assert_eq!(find("mixed.si4", "sg4").as_deref(), Some("Mixed.Sg4"));
        assert_eq!(find("base.si4", "sn4"), None);
        assert_eq!(find("nowhere/base.si4", "sn4"), None);
    }
}
