//! What is not tolerated.

use chess_core::FenError;
use chess_store::{UnsupportedVariant, Warning};

/// An error of this crate.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text could not be read or written.
    #[error("{0}")]
    Io(std::io::Error),
    /// The text is UTF-16.
    #[error("the text is UTF-16; PGN is UTF-8 or one byte a character")]
    Utf16,
    /// A deviation, when strict.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
    /// Something where a move is expected.
    #[error("{0:?} is not a move; the moves from here on are left out")]
    Unreadable(Box<str>),
    /// A move against the rules.
    #[error("{0:?} is not legal here; the moves from here on are left out")]
    Illegal(Box<str>),
    /// A move that two pieces could make.
    #[error("{0:?} can be more than one move here; the moves from here on are left out")]
    Ambiguous(Box<str>),
    /// Moves cannot be read without the start position.
    #[error("the start position cannot be read ({0}); the moves are passed over")]
    Fen(FenError),
    /// The rules of the game are those of another variant.
    #[error(transparent)]
    Variant(UnsupportedVariant),
    /// Variations within variations, too many.
    #[error("variations are nested more than {0} deep; those beyond are passed over")]
    TooDeep(usize),
    /// The stream failed inside the game.
    #[error("the text breaks off inside this game")]
    BrokenOff,
    /// A game of too many bytes.
    #[error("the game is longer than {0} bytes; it is passed over")]
    TooLong(usize),
}

chess_store::error_kind!(ErrorKind: ErrorKind::Utf16);

impl From<UnsupportedVariant> for ErrorKind {
    fn from(variant: UnsupportedVariant) -> ErrorKind {
        ErrorKind::Variant(variant)
    }
}
