//! The names of the files that stand beside a base while it is changed.
//!
//! | name | what it is |
//! |---|---|
//! | `base.sg4~0123456789abcdef` | a new `base.sg4`, not yet in place; the digits are random, the same for all files of one change |
//! | `base.si4~commit` | the marker: all new files are complete, and being put in place |
//! | `base.si4~lock` | locked by who changes the base |

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

const TOKEN_LENGTH: usize = 16;
const COMMIT: &str = "commit";
const LOCK: &str = "lock";

/// What the temporary files of one change have in common, and nobody can guess.
pub(super) fn new_token() -> String {
    // std's hash maps take their keys from the system's randomness.
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

pub(super) fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The name that a file has before it is in place.
pub(super) fn temporary(path: &Path, token: &str) -> PathBuf {
    with_suffix(path, token)
}

/// The marker of the base with this index.
pub(super) fn marker_of(index: &Path) -> PathBuf {
    with_suffix(index, COMMIT)
}

/// The lock file of the base with this index.
pub(super) fn lock_of(index: &Path) -> PathBuf {
    with_suffix(index, LOCK)
}

/// The extension of a marker, of an index with this one.
pub(super) fn marker_extension(index: &str) -> String {
    format!("{index}~{COMMIT}")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push("~");
    name.push(suffix);
    path.with_file_name(name)
}

/// What a file beside a base is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind<'a> {
    Temporary { token: &'a str },
    Marker,
    Lock,
}

/// What this name says, and the name of the file in place. The stem may be any bytes.
pub(super) fn kind_of(name: &OsStr) -> Option<(PathBuf, Kind<'_>)> {
    let path = Path::new(name);
    let (of, suffix) = match path.extension() {
        Some(extension) => {
            let (extension, suffix) = extension.to_str()?.rsplit_once('~')?;
            (path.with_extension(extension), suffix)
        }
        None => {
            let (name, suffix) = name.to_str()?.rsplit_once('~')?;
            (PathBuf::from(name), suffix)
        }
    };
    let kind = match suffix {
        COMMIT => Kind::Marker,
        LOCK => Kind::Lock,
        token if is_token(token) => Kind::Temporary { token },
        _ => return None,
    };
    Some((of, kind))
}

/// What the names of all files of a base have in common.
pub(super) fn stem_of(path: &Path) -> OsString {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_str().map_or_else(|| stem.to_os_string(), |stem| stem.to_lowercase().into())
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The name of a file, for messages.
pub(super) fn name_of(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or_default()).display()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_are() {
        let (index, token) = (Path::new("a/Base.v2.si4"), new_token());
        assert!(is_token(&token) && new_token() != token);
        let of = PathBuf::from("Base.v2.si4");
        let new = temporary(index, &token);
        assert_eq!(new.parent(), Some(Path::new("a")));
        let kind = |path: &Path| kind_of(path.file_name().unwrap()).map(|(of, _)| of);
        assert_eq!(
            kind_of(new.file_name().unwrap()),
            Some((of.clone(), Kind::Temporary { token: &token }))
        );
        for (path, kind) in [(marker_of(index), Kind::Marker), (lock_of(index), Kind::Lock)] {
            assert_eq!(kind_of(path.file_name().unwrap()), Some((of.clone(), kind)));
        }
        assert_eq!(kind(&temporary(Path::new("a~b"), &token)), Some("a~b".into()));
        assert_eq!(stem_of(&of), "base.v2");
        for other in ["base.si4~", "a~0123456789abcde", "a~0123456789ABCDEF", "a"] {
            assert_eq!(kind(Path::new(other)), None, "{other}");
        }
    }
}
