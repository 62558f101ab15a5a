//! Errors: deviations that are not tolerated.

use std::io;

use chess_core::Move;
use chess_store::{Location, Warning};

/// An error and its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An I/O error.
    #[error("{0}")]
    Io(io::Error),
    /// A quirk in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
    /// The file is too short to be a book of its format.
    #[error("the file is shorter than the header of the format of {0}")]
    HeaderCut(&'static str),
    /// The file does not start with the magic of its format.
    #[error("the file does not start with the magic of the format of {0}")]
    Magic(&'static str),
    /// A book of ChessBase without its `.ctg`.
    #[error("the .ctg of the book is missing; it has the positions")]
    NoPositions,
    /// A book that must be sorted is not.
    #[error("the entries of the book are not in order of their keys; repair the book first")]
    Unsorted,
    /// A move that the rules do not allow is written.
    #[error("{0} is not legal in its position")]
    IllegalMove(Move),
    /// A move is written without the move before it.
    #[error("a move after {0} plies follows a line of {1} plies")]
    Depth(usize, usize),
    /// A text does not fit its field.
    #[error("the {0} has more than {1} bytes")]
    LongText(&'static str, usize),
    /// A game has no room for the lines of a book.
    #[error("the lines of the book do not fit a game: {0}")]
    TooLarge(chess_core::LineError),
    /// More entries than links can address.
    #[error("the book has more entries than its links can address")]
    Full,
}

impl ErrorKind {
    /// Adds a location.
    #[cold]
    pub(crate) fn at(self, location: Location) -> Error {
        Error::new(self, location)
    }
}

chess_store::error_kind! {
    ErrorKind:
    ErrorKind::HeaderCut(_),
    ErrorKind::Magic(_),
    ErrorKind::NoPositions,
    ErrorKind::Unsorted,
    ErrorKind::IllegalMove(_),
    ErrorKind::Depth(..),
    ErrorKind::LongText(..),
    ErrorKind::TooLarge(_),
    ErrorKind::Full,
}
