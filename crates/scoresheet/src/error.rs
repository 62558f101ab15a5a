//! Errors that concern a base as a whole.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use chess_store::erased::{Format, Opener};
use chess_store::files::companion;
use chess_store::io::TemporaryFile;
use chess_store::{AnyError, Location, Scope, Warning, system_message};
use query::Unanswered;

use crate::detect::outer_extension;
use crate::foreign::{TEXT, recognise};
use crate::formats::{formats, has_extension};

/// A failure, with the file it concerns.
///
/// The message is one complete line; [`source`](std::error::Error::source) adds nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read or written.
    #[error("{}: {}", path.display(), system_message(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// No format recognises the file.
    #[error("{}: {}", path.display(), what.unwrap_or("not a chess database of a known format"))]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The kind of the file, if recognised: `a RAR archive; unpack it first`.
        what: Option<&'static str>,
    },
    /// No writable format has the extension of the file.
    #[error("{}: {}", path.display(), what.map_or_else(|| no_format(path), str::to_owned))]
    NoFormat {
        /// The file.
        path: PathBuf,
        /// An alternative, if the extension is known: `spreadsheets are not written; ...`.
        what: Option<&'static str>,
    },
    /// The format cannot do what was asked.
    #[error("{}: {} cannot be {what}", path.display(), bases_of(format))]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// [`Format::title`](chess_store::erased::Format::title)
        format: &'static str,
        /// `read`, `written`, `changed in place`, ...
        what: &'static str,
    },
    /// The format's own error.
    #[error("{}", describe(path, error))]
    Base {
        /// The named file. The error may concern a companion.
        path: PathBuf,
        /// The error, with its location.
        error: AnyError,
    },
}

impl Error {
    /// The scope of the error: one damaged game, or the whole base.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.error().map_or(Scope::Base, AnyError::scope)
    }

    /// The file that the error concerns.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Error::Io { path, .. }
            | Error::Unknown { path, .. }
            | Error::NoFormat { path, .. }
            | Error::Unsupported { path, .. }
            | Error::Base { path, .. } => path,
        }
    }

    /// The error of the format, if that is the cause.
    #[must_use]
    pub fn error(&self) -> Option<&AnyError> {
        match self {
            Error::Base { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Returns whether another program is changing the base. A retry may succeed.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let said = match self {
            Error::Io { error, .. } => Some(error),
            Error::Base { error, .. } => error.io(),
            _ => None,
        };
        said.is_some_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
    }

    /// Returns whether the file may be intact, but its kind, version or compression is not supported,
    /// or it is encrypted.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        match self {
            Error::Io { error, .. } => error.kind() == io::ErrorKind::Unsupported,
            Error::Unknown { .. } | Error::Unsupported { .. } | Error::NoFormat { .. } => true,
            Error::Base { error, .. } => error.is_unsupported(),
        }
    }

    /// Returns whether a base cannot be read because of the content of its files, rather than because
    /// the system cannot read them or has no room for temporary files.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        use io::ErrorKind::{InvalidData, OutOfMemory, PermissionDenied, UnexpectedEof};
        match self {
            Error::Io { error, .. } => matches!(error.kind(), InvalidData | UnexpectedEof),
            other => other.error().and_then(AnyError::io).is_none_or(|error| {
                !TemporaryFile::is_cause_of(error)
                    && !matches!(error.kind(), OutOfMemory | PermissionDenied)
            }),
        }
    }

    /// Returns whether the content was not recognised. Naming the format may help.
    #[must_use]
    pub fn is_unrecognised(&self) -> bool {
        matches!(self, Error::Unknown { what, .. } if what.is_none_or(|what| what == TEXT))
    }

    /// Creates the error for an unrecognised file with these first bytes.
    pub(crate) fn unknown(path: &Path, start: &[u8]) -> Error {
        let extension = path.extension().map(|text| text.to_string_lossy().to_lowercase());
        let what = recognise(start, &extension.unwrap_or_default());
        Error::Unknown { path: path.into(), what }
    }

    pub(crate) fn io(path: &Path, error: io::Error) -> Error {
        Error::Io { path: path.into(), error }
    }

    pub(crate) fn base(path: &Path, error: AnyError) -> Error {
        Error::Base { path: path.into(), error }
    }

    pub(crate) fn unanswered(path: &Path, error: Unanswered) -> Error {
        Error::base(path, chess_store::Error::new(error, Location::default()).into())
    }
}

/// The title of a format as the subject of a sentence.
fn bases_of(format: &str) -> String {
    match format.strip_prefix("comma") {
        Some(rest) => format!("Comma{rest}"),
        None => format!("{format} bases"),
    }
}

fn no_format(path: &Path) -> String {
    match path.extension() {
        Some(extension) => {
            format!("no format has the extension .{}", extension.to_string_lossy())
        }
        None => "the name has no extension that tells the format, as .pgn does".to_owned(),
    }
}

/// Describes an error in one line: file, location and message.
///
/// `path` is the file that the user named. If the error is in a companion file, the line names the
/// companion as it is spelt on disk: `TWIC.SI4` becomes `TWIC.SG4`. Text files and archives keep
/// their own name, whatever the extension.
pub fn describe<'a>(path: &'a Path, error: &'a AnyError) -> impl fmt::Display + 'a {
    Place { path, at: error.location(), then: error.message() }
}

/// Like [`describe`], for a warning. The name of the warning follows in brackets.
pub fn describe_warning<'a>(path: &'a Path, warning: &'a Warning) -> impl fmt::Display + 'a {
    let then = format!("{} [{}]", warning.message, warning.name);
    Place { path, at: warning.at, then }
}

/// A message with its location.
struct Place<'a, T> {
    path: &'a Path,
    at: Location,
    then: T,
}

impl<T: fmt::Display> fmt::Display for Place<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut within = self.at;
        match File::of(self.path, self.at.file) {
            File::Named => {
                within.file = "";
                write!(f, "{}: ", self.path.display())?;
            }
            File::Companion(path) => {
                within.file = "";
                write!(f, "{}: ", path.display())?;
            }
            File::Inside => write!(f, "{}: ", self.path.display())?,
        }
        if within != Location::default() {
            write!(f, "{within}: ")?;
        }
        write!(f, "{}", self.then)
    }
}

/// Extensions of archives: files that hold the files of a base.
const ARCHIVES: [&str; 4] = ["cbv", "cbz", "jose", "zip"];

/// The file of a [`Location`], relative to the named file.
enum File {
    /// The file that was named.
    Named,
    /// Another file of the same base.
    Companion(PathBuf),
    /// A file inside the one that was named.
    Inside,
}

impl File {
    /// Finds the file with extension `file` of the base that `path` names.
    fn of(path: &Path, file: &'static str) -> File {
        let extension = outer_extension(path);
        if file.is_empty() || file.eq_ignore_ascii_case(&extension) {
            return File::Named;
        }
        let has_companions = |format: &&Format| {
            let is_base =
                format.open_inputs.is_some() || matches!(format.open, Some(Opener::Database(_)));
            is_base && format.extensions.len() > 1 && has_extension(format, file)
        };
        let Some(format) = formats().find(has_companions) else { return File::Named };
        if ARCHIVES.contains(&&*extension) {
            return File::Inside;
        }
        if let Some(found) = companion(path, file) {
            return File::Companion(found);
        }
        if !has_extension(format, &extension) {
            return File::Inside;
        }
        let is_upper = path.extension().is_some_and(|text| text.to_ascii_uppercase() == *text);
        let spelt = if is_upper { file.to_ascii_uppercase() } else { file.to_owned() };
        File::Companion(path.with_extension(spelt))
    }
}
