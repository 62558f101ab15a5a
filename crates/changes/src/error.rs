//! Errors of changes.

use chess_store::Scope;
use query::Unanswered;

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
    /// The positions that match could not be found.
    #[error("the positions that match are not known: {0}")]
    Unmarked(Unanswered),
    /// The main line is shorter than the place of a position.
    #[error("it has no position after {0} half-moves; its main line has {1}")]
    NoPly(u32, u32),
    /// No position of the main line matches.
    #[error("no position of its main line matches; variations are not searched for it")]
    NoPosition,
    /// The rules of the game are not known.
    #[error("it is of a variant whose boards are not known")]
    NoBoards,
}

impl chess_store::ErrorKind for ErrorKind {
    fn scope(&self) -> Scope {
        Scope::Game
    }
}

impl From<TooLarge> for ErrorKind {
    fn from(lines: TooLarge) -> ErrorKind {
        ErrorKind::TooManyLines(lines.lines)
    }
}

impl From<Unanswered> for ErrorKind {
    fn from(error: Unanswered) -> ErrorKind {
        ErrorKind::Unmarked(error)
    }
}
