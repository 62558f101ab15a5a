//! Names of the auxiliary files beside a base that is being changed.
//!
//! | name | meaning |
//! |---|---|
//! | `base.sg4~0123456789abcdef` | a new `base.sg4`, not yet in place; the digits are random, and the same for all files of one change |
//! | `base.si4~commit` | the marker: all new files are complete and are being renamed |
//! | `base.si4~lock` | the lock file, locked by the program that changes the base |

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

const TOKEN_LENGTH: usize = 16;
const COMMIT: &str = "commit";
const LOCK: &str = "lock";

/// Creates the random token in the temporary names of one change.
pub(super) fn new_token() -> String {
    // The hash maps of `std` take their keys from the random generator of the system.
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

pub(super) fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the temporary name of a file.
pub(super) fn temporary(path: &Path, token: &str) -> PathBuf {
    with_suffix(path, token)
}

/// Returns the marker of the base with this index.
pub(super) fn marker_of(index: &Path) -> PathBuf {
    with_suffix(index, COMMIT)
}

/// Returns the lock file of the base with this index.
pub(super) fn lock_of(index: &Path) -> PathBuf {
    with_suffix(index, LOCK)
}

/// Returns the extension of the marker for an index with this extension.
pub(super) fn marker_extension(index: &str) -> String {
    format!("{index}~{COMMIT}")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push("~");
    name.push(suffix);
    path.with_file_name(name)
}

/// The kind of an auxiliary file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind<'a> {
    Temporary { token: &'a str },
    Marker,
    Lock,
}

/// Parses the name of an auxiliary file. Returns the name of the file it belongs to and its kind.
/// The stem may be any bytes.
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

/// Returns whether a path names a new file or folder that is not yet in place.
#[must_use]
pub fn is_temporary(path: &Path) -> bool {
    let kind = path.file_name().and_then(kind_of);
    kind.is_some_and(|(_, kind)| matches!(kind, Kind::Temporary { .. }))
}

/// Returns the common stem of all files of a base.
pub(super) fn stem_of(path: &Path) -> OsString {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_str().map_or_else(|| stem.to_os_string(), |stem| stem.to_lowercase().into())
}

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns the name of a file, for messages.
pub(super) fn name_of(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or_default()).display()
}

/// Returns why a new file cannot have this name on Windows.
///
/// The paths of new files are verbatim (`\\?\C:\...`), because `canonicalize` returns such paths. Windows
/// takes them literally: it would create a file `NUL` or `games.pgn.`, which most programs cannot open,
/// and for `a:b.pgn` a hidden stream of the file `a`.
pub(super) fn fault_on_windows(name: &OsStr) -> Option<&'static str> {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let name = name.to_string_lossy();
    let forbidden = |letter: char| letter < ' ' || r#"<>:"/\|?*"#.contains(letter);
    if name.contains(forbidden) {
        return Some("a file name on Windows has none of < > : \" / \\ | ? *");
    }
    if name.ends_with([' ', '.']) {
        return Some("a file name on Windows does not end with a space or a full stop");
    }
    let first = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_lowercase();
    let port = first.strip_prefix("com").or_else(|| first.strip_prefix("lpt"));
    let is_number = |rest: &str| {
        let mut letters = rest.chars();
        matches!((letters.next(), letters.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
    };
    (DEVICES.contains(&&*first) || port.is_some_and(is_number))
        .then_some("Windows reserves this name for a device")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_on_windows_reserved_or_changed_name_is_found() {
        let fault = |name: &str| fault_on_windows(OsStr::new(name));
        for name in ["NUL", "con.pgn", "Aux .tar.gz", "COM1.si4", "lpt9", "COM³.pgn", "CONOUT$"] {
            assert!(fault(name).is_some_and(|why| why.contains("device")), "{name}");
        }
        for name in ["games.pgn.", "games ", "..", "."] {
            assert!(fault(name).is_some_and(|why| why.contains("end with")), "{name}");
        }
        for name in ["a:b.pgn", "what?.pgn", "*", "a\nb.pgn", r"a\b"] {
            assert!(fault(name).is_some_and(|why| why.contains("none of")), "{name}");
        }
        for name in ["games.pgn", "con2.pgn", "a.con", "COM10", "com", "lpt0", "nul-1", ".con"] {
            assert_eq!(fault(name), None, "{name}");
        }
    }

    #[test]
    fn kind_of_auxiliary_name_is_recognised() {
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
