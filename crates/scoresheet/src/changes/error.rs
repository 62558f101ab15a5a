//! Errors of changes.

use std::io;

use chess_store::Scope;

use super::lines::TooLarge;

/// Kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The variations of a game would be too large as games.
    #[error(
        "its {0} lines repeat too many moves and comments to be games of their own; convert it \
         without --split-variations"
    )]
    TooManyLines(usize),
}

impl chess_store::ErrorKind for ErrorKind {
    fn scope(&self) -> Scope {
        Scope::Game
    }

    fn io(&self) -> Option<&io::Error> {
        None
    }
}

impl From<TooLarge> for ErrorKind {
    fn from(lines: TooLarge) -> ErrorKind {
        ErrorKind::TooManyLines(lines.lines)
    }
}
