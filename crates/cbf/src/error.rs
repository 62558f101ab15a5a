//! What cannot be tolerated.

use std::io;

use chess_store::Warning;

/// An error with its place.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The disk.
    #[error(transparent)]
    Io(io::Error),
    /// A .cbf in which nothing looks like a game.
    #[error("no game is to be found in it; is this really a ChessBase file?")]
    NoRecords,
    /// A game that is not there.
    #[error("there is no such game; the base has {count}")]
    NoSuchGame {
        /// How many there are.
        count: u64,
    },
    /// An index entry that names no place in the .cbf.
    #[error("the index names byte {offset}, where no record fits")]
    NoRecord {
        /// The place it names, which may be before the file's beginning.
        offset: i64,
    },
    /// A record that ends before its parts do.
    #[error("{part} needs {needed} bytes, the file has {found}")]
    Truncated {
        /// Which part of the record.
        part: &'static str,
        /// Bytes it should have.
        needed: usize,
        /// Bytes that are there.
        found: usize,
    },
    /// A record that takes in those of many other games.
    #[error("the record of {length} bytes takes in those of many games; {read} of them are read")]
    SharedRecord {
        /// Length of the record.
        length: usize,
        /// How many bytes were read.
        read: usize,
    },
    /// A number above that of the last move.
    #[error("move number {number} of {count} possible moves")]
    NoSuchMove {
        /// The number stored.
        number: u8,
        /// How many numbers the position has.
        count: u8,
    },
    /// A number that stands for no move, or for one the rules forbid.
    #[error("move number {number} is no legal move")]
    IllegalMove {
        /// The number stored.
        number: u8,
    },
    /// A variation before the first move of its line.
    #[error("a variation starts where there is no move to replace")]
    NothingToReplace,
    /// More text than a game holds.
    #[error("the texts of the game are too long")]
    TooMuchText,
    /// A quirk, when strict.
    #[error(transparent)]
    Strict(Warning),
    /// An encoding in which a letter may take several bytes.
    #[error("texts of this format have one byte a letter, which {0} has not")]
    Encoding(&'static str),
    /// Neither of the base's files.
    #[error("the files of a base end in .cbf and .cbi")]
    NotOurs,
    /// A new record beyond 4 GiB, where the index cannot point.
    #[error("the base is full: a .cbf ends at 4 GiB")]
    Full,
    /// A book whose next move the rules forbid. cbf §12 "FBK books"
    #[error("{from}{to} is no legal move; is this really a book?")]
    IllegalBookMove {
        /// Origin.
        from: chess_core::Square,
        /// Target.
        to: chess_core::Square,
    },
    /// A game for a book that does not start where books do.
    #[error("a book starts at the usual position, this game does not")]
    BookSetup,
    /// A book with more open alternatives than the reader keeps.
    #[error("more than {limit} alternatives are open at once")]
    BookTooDeep {
        /// How many it keeps.
        limit: usize,
    },
    /// Bytes after the last line of a book.
    #[error("{bytes} bytes follow the last line of the book")]
    AfterBook {
        /// How many.
        bytes: u64,
    },
}

chess_store::error_kind! {
    ErrorKind:
    ErrorKind::Encoding(_),
    ErrorKind::NoRecords,
    ErrorKind::NotOurs,
    // The index is only judged on opening.
    ErrorKind::Strict(warning) if warning.at.file == "cbi",
}
