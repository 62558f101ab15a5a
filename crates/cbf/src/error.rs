//! Errors of the format.

use std::io;

use chess_store::Warning;

/// An error with its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An I/O error.
    #[error(transparent)]
    Io(io::Error),
    /// The .cbf contains no plausible game.
    #[error("no game is to be found in it; is this really a ChessBase file?")]
    NoRecords,
    /// There is no game of this number.
    #[error("there is no such game; the base has {count}")]
    NoSuchGame {
        /// Number of games.
        count: u64,
    },
    /// An index entry points outside the records of the .cbf.
    #[error("the index names byte {offset}, where no record fits")]
    NoRecord {
        /// The offset, which may be negative.
        offset: i64,
    },
    /// The file ends inside a record.
    #[error("{part} needs {needed} bytes, the file has {found}")]
    Truncated {
        /// The truncated part of the record.
        part: &'static str,
        /// Expected length in bytes.
        needed: usize,
        /// Bytes present.
        found: usize,
    },
    /// A record overlaps the records of many other games.
    #[error("the record of {length} bytes takes in those of many games; {read} of them are read")]
    SharedRecord {
        /// Length of the record.
        length: usize,
        /// Number of bytes read.
        read: usize,
    },
    /// A move number exceeds the count of moves in the position.
    #[error("move number {number} of {count} possible moves")]
    NoSuchMove {
        /// The stored number.
        number: u8,
        /// The count of numbers in the position.
        count: u8,
    },
    /// A number stands for no move, or for an illegal one.
    #[error("move number {number} is no legal move")]
    IllegalMove {
        /// The stored number.
        number: u8,
    },
    /// A variation starts before the first move of its line.
    #[error("a variation starts where there is no move to replace")]
    NothingToReplace,
    /// The texts exceed the limits of a game.
    #[error("the texts of the game are too long")]
    TooMuchText,
    /// A quirk, reported as an error in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
    /// The requested encoding is not single-byte.
    #[error("this format needs a single-byte encoding, which {0} is not")]
    Encoding(&'static str),
    /// The path ends in neither .cbf nor .cbi.
    #[error("the files of a base end in .cbf and .cbi")]
    NotOurs,
    /// A new record would start or end beyond 4 GiB, which the index cannot address.
    #[error("the base is full: a .cbf ends at 4 GiB")]
    Full,
    /// A book contains an illegal move. cbf §12 "FBK books"
    #[error("{from}{to} is no legal move; is this really a book?")]
    IllegalBookMove {
        /// Origin.
        from: chess_core::Square,
        /// Target.
        to: chess_core::Square,
    },
    /// A game for a book has a custom start position.
    #[error("a book starts at the usual position, this game does not")]
    BookSetup,
    /// A book has too many open alternatives.
    #[error("more than {limit} alternatives are open at once")]
    BookTooDeep {
        /// The limit.
        limit: usize,
    },
    /// Bytes follow the last line of a book.
    #[error("{bytes} bytes follow the last line of the book")]
    AfterBook {
        /// Number of bytes.
        bytes: u64,
    },
}

chess_store::error_kind! {
    ErrorKind:
    ErrorKind::Encoding(_),
    ErrorKind::NoRecords,
    ErrorKind::NotOurs,
    // The index is checked on opening only.
    ErrorKind::Strict(warning) if warning.at.file == "cbi",
}
