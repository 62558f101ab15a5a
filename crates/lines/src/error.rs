//! Errors of line formats.

use std::io;

use chess_store::{UnsupportedVariant, Warning};

use query::QueryError;

/// Kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text could not be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// A line is not a game.
    #[error("this line is not a game in canonical JSON: {0}")]
    Json(String),
    /// A line is not a position.
    #[error("this line is not a position: {0}")]
    Position(String),
    /// The line records that the game was damaged in its source.
    #[error("damaged where it came from: {0}")]
    Recorded(String),
    /// The game has the rules of an unsupported variant.
    #[error(transparent)]
    Variant(UnsupportedVariant),
    /// The damage of the game in its source.
    #[error("{0}")]
    Damage(String),
    /// The game number does not exist.
    #[error("there is no such game")]
    NoSuchGame,
    /// A column that is not known.
    #[error("{0}")]
    Column(QueryError),
    /// A line exceeds the size limit.
    #[error("a line is longer than {0} bytes")]
    TooLong(usize),
    /// A deviation, in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
}

chess_store::error_kind!(ErrorKind: ErrorKind::TooLong(_), ErrorKind::Column(_));

impl From<UnsupportedVariant> for ErrorKind {
    fn from(variant: UnsupportedVariant) -> ErrorKind {
        ErrorKind::Variant(variant)
    }
}
