//! Errors of the format.

use chess_core::{FenError, LineError, Piece};
use chess_store::{UnsupportedVariant, Warning};

/// An error with its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A two-byte code is truncated.
    #[error("the codes end inside a code of two bytes")]
    CutCode,
    /// The code moves a piece that is not on the board.
    #[error("code {0:02x} moves a piece that is not on the board")]
    NoPiece(u8),
    /// The code moves a piece to a square that it cannot reach.
    #[error("code {0:02x} moves a piece where it cannot go")]
    ImpossibleMove(u8),
    /// A variation begins or ends where it cannot, or there is too much text.
    #[error(transparent)]
    Line(LineError),
    /// More variations are open than [`MAX_DEPTH`](crate::layout::MAX_DEPTH).
    #[error("variations are nested too deep")]
    TooDeep,
    /// The start position is invalid.
    #[error("bad start position: {0}")]
    Fen(FenError),
    /// The game is of an unsupported chess variant.
    #[error(transparent)]
    Variant(#[from] UnsupportedVariant),
    /// The start position has more pieces of a kind than there are slots.
    #[error("the start position has more of {0:?} than there are slots")]
    ExtraPiece(Piece),
    /// There is no game of this number.
    #[error("there is no such game")]
    NoSuchGame,
    /// The row of the game is damaged.
    #[error("the row is damaged: expected {0}")]
    Row(&'static str),
    /// The definition of a table cannot be read.
    #[error("the table definition {table}.frm is damaged: expected {expected}")]
    Table {
        /// The table.
        table: &'static str,
        /// The expected content.
        expected: &'static str,
    },
    /// The archive or folder lacks the table of games or its definition.
    #[error("there is no {0} in it")]
    NoTable(&'static str),
    /// The archive is truncated or damaged, and the table of games is not in what is left.
    #[error("the archive is cut off or damaged: {0} is not in what is left of it")]
    TableLost(&'static str),
    /// The archive is in a format this build cannot unpack.
    #[error("this is a {format} archive; unpack it with {tool} and open the folder")]
    Container {
        /// Its format.
        format: &'static str,
        /// A program that unpacks it.
        tool: &'static str,
    },
    /// The files of the archive are encrypted.
    #[error("the archive is encrypted; unpack it with its password and open the folder")]
    Encrypted,
    /// The central directory of a zip archive is missing or invalid.
    #[error(
        "the directory at the end of the zip archive is not there: the archive is cut off or damaged"
    )]
    BrokenZip,
    /// The file is not a jose archive in any container format.
    #[error("this is neither a jose archive nor a folder of its tables")]
    NotAnArchive,
    /// The archive unpacks to more than the [limits](crate#limits) allow.
    #[error("the archive unpacks to more than {0} bytes; if you trust it, allow more")]
    TooBig(u64),
    /// The game does not fit a row.
    #[error("the game does not fit: {0}")]
    TooLong(&'static str),
    /// The column for these numbers has reached its maximum.
    #[error("there are more {0} than an archive can number")]
    TooMany(&'static str),
    /// A quirk, reported as an error in strict mode.
    #[error("{}", .0.message)]
    Strict(Warning),
    /// An I/O error.
    #[error(transparent)]
    Io(std::io::Error),
}

chess_store::error_kind! {
    ErrorKind [
        unsupported: ErrorKind::Container { .. },
        ErrorKind::Encrypted,
        ErrorKind::TooBig(_),
    ]:
    ErrorKind::Table { .. },
    ErrorKind::NoTable(_),
    ErrorKind::TableLost(_),
    ErrorKind::Container { .. },
    ErrorKind::Encrypted,
    ErrorKind::BrokenZip,
    ErrorKind::NotAnArchive,
    ErrorKind::TooBig(_),
}
