//! The errors of this crate.

use chess_core::FenError;
use chess_store::{UnsupportedVariant, Warning};

/// An error of this crate, with its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An I/O error.
    #[error("{0}")]
    Io(std::io::Error),
    /// The text is UTF-16, which is not supported.
    #[error("the text is UTF-16; PGN is UTF-8 or one byte a character")]
    Utf16,
    /// A deviation from the standard, in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
    /// A token that is not a move stands where a move is expected.
    #[error("{0:?} is not a move; the moves from here on are left out")]
    Unreadable(Box<str>),
    /// The move is illegal.
    #[error("{0:?} is not legal here; the moves from here on are left out")]
    Illegal(Box<str>),
    /// The move fits two pieces.
    #[error("{0:?} can be more than one move here; the moves from here on are left out")]
    Ambiguous(Box<str>),
    /// The FEN is invalid, so the moves cannot be read.
    #[error("the start position cannot be read ({0}); the moves are passed over")]
    Fen(FenError),
    /// The game follows the rules of another chess variant.
    #[error(transparent)]
    Variant(UnsupportedVariant),
    /// Variations are nested too deeply.
    #[error("variations are nested more than {0} deep; those beyond are passed over")]
    TooDeep(usize),
    /// The stream failed inside the game.
    #[error("the text breaks off inside this game")]
    BrokenOff,
    /// The game has too many bytes.
    #[error("the game is longer than {0} bytes; it is passed over")]
    TooLong(usize),
}

chess_store::error_kind!(ErrorKind [unsupported: ErrorKind::Utf16]: ErrorKind::Utf16);

impl From<UnsupportedVariant> for ErrorKind {
    fn from(variant: UnsupportedVariant) -> ErrorKind {
        ErrorKind::Variant(variant)
    }
}
