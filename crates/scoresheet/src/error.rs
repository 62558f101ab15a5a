//! What can go wrong with a base as a whole.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use chess_store::{AnyError, Location, Scope, Warning};

use crate::compress::COMPRESSED_EXTENSIONS;
use crate::foreign::recognise;

/// A failure, with the file it concerns.
///
/// Its text is one complete line; [`source`](std::error::Error::source) has nothing to add.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// No format knows the file.
    #[error("{}: {}", path.display(), what.unwrap_or("not a chess database of a known format"))]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What it is, if it is recognised all the same: `a RAR archive; unpack it first`.
        what: Option<&'static str>,
    },
    /// The format cannot do what was asked.
    #[error("{}: {format} bases cannot be {what}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// [`Format::title`](chess_store::seam::Format::title)
        format: &'static str,
        /// `read`, `written`, `changed in place`, ...
        what: &'static str,
    },
    /// The format's own error.
    #[error("{}", describe(path, error))]
    Base {
        /// The file that was named; the error may concern a companion.
        path: PathBuf,
        /// What is wrong and where.
        error: AnyError,
    },
}

impl Error {
    /// How far it reaches: a damaged game among sound ones, or all of the base.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.error().map_or(Scope::Base, AnyError::scope)
    }

    /// The file it concerns.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Error::Io { path, .. }
            | Error::Unknown { path, .. }
            | Error::Unsupported { path, .. }
            | Error::Base { path, .. } => path,
        }
    }

    /// The format's own error, if it is one.
    #[must_use]
    pub fn error(&self) -> Option<&AnyError> {
        match self {
            Error::Base { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Whether another program is changing the base: later it may go.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let said = match self {
            Error::Io { error, .. } => Some(error),
            Error::Base { error, .. } => error.io(),
            _ => None,
        };
        said.is_some_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
    }

    /// Whether the file may be whole, and is of a kind or a version that is not read.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        match self {
            Error::Io { .. } => false,
            Error::Unknown { .. } | Error::Unsupported { .. } => true,
            Error::Base { error, .. } => error.is_unsupported(),
        }
    }

    /// For a file that begins so.
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
}

/// One line for people: the file of the base concerned, the place in it, what is wrong.
///
/// `path` is any file of the base: `twic.si4` becomes `twic.sg4` if that is where the error is.
pub fn describe<'a>(path: &'a Path, error: &'a AnyError) -> impl fmt::Display + 'a {
    Place { path, at: error.location(), then: error.message() }
}

/// As [`describe`], for a tolerated deviation; its name follows in brackets.
pub fn describe_warning<'a>(path: &'a Path, warning: &'a Warning) -> impl fmt::Display + 'a {
    let then = format!("{} [{}]", warning.message, warning.name);
    Place { path, at: warning.at, then }
}

/// Where something is, and what.
struct Place<'a, T> {
    path: &'a Path,
    at: Location,
    then: T,
}

impl<T: fmt::Display> fmt::Display for Place<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        let extension = self.path.extension().and_then(|text| text.to_str()).unwrap_or_default();
        let itself = at.file.is_empty() || at.file.eq_ignore_ascii_case(extension);
        if itself || extension.is_empty() || COMPRESSED_EXTENSIONS.contains(&extension) {
            write!(f, "{}: ", self.path.display())?;
        } else {
            write!(f, "{}: ", self.path.with_extension(at.file).display())?;
        }
        let mut within = at;
        within.file = "";
        if within != Location::default() {
            write!(f, "{within}: ")?;
        }
        write!(f, "{}", self.then)
    }
}
