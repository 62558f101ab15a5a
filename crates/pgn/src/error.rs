//! What is not tolerated.

use chess_core::Scope;

/// An error of this crate.
pub type Error = chess_core::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text could not be read or written.
    #[error("{0}")]
    Io(std::io::Error),
}

impl chess_core::ErrorKind for ErrorKind {
    fn scope(&self) -> Scope {
        match self {
            ErrorKind::Io(_) => Scope::Base,
        }
    }
}
