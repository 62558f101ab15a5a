//! What goes wrong with lines.

use std::io;

use chess_store::{UnsupportedVariant, Warning};

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
    /// The rules of the game are those of another variant.
    #[error(transparent)]
    Variant(UnsupportedVariant),
    /// What was wrong with a game where it was first read.
    #[error("{0}")]
    Damage(String),
    /// A number that no game has.
    #[error("there is no such game")]
    NoSuchGame,
    /// A line too long to hold.
    #[error("a line is longer than {0} bytes")]
    TooLong(usize),
    /// A deviation, when strict.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
}

chess_store::error_kind!(ErrorKind: ErrorKind::TooLong(_));

impl From<UnsupportedVariant> for ErrorKind {
    fn from(variant: UnsupportedVariant) -> ErrorKind {
        ErrorKind::Variant(variant)
    }
}
