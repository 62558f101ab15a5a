//! What goes wrong with lines.

use std::io;

use chess_store::{Scope, Warning};

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text could not be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// A line that is no game.
    #[error("this line is no game in canonical JSON: {0}")]
    Json(String),
    /// The line says of itself that the game was damaged where it came from.
    #[error("damaged where it came from: {0}")]
    Recorded(String),
    /// A line too long to hold.
    #[error("a line is longer than {0} bytes")]
    TooLong(usize),
    /// A deviation, when strict.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
}

impl chess_store::ErrorKind for ErrorKind {
    fn scope(&self) -> Scope {
        match self {
            ErrorKind::Io(_) | ErrorKind::TooLong(_) => Scope::Base,
            _ => Scope::Game,
        }
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> ErrorKind {
        ErrorKind::Io(error)
    }
}

impl From<Warning> for ErrorKind {
    fn from(warning: Warning) -> ErrorKind {
        ErrorKind::Strict(warning)
    }
}
