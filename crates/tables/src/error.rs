//! What is not tolerated.

use std::io;

use chess_store::{Location, Warning};

use crate::schema::Rows;

/// An error of this crate.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file could not be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// No column has this name.
    #[error("{} have no column {name:?}; they have {}", rows.name(), names(*rows))]
    Column {
        /// What a row is.
        rows: Rows,
        /// The name.
        name: Box<str>,
    },
    /// A table apart by something that has too many values.
    #[error(
        "{by} has more than {most} values, and each would be a folder; take year, eco, or a tag of \
         fewer values"
    )]
    Folders {
        /// What the folders are apart by.
        by: Box<str>,
        /// How many there may be.
        most: usize,
    },
    /// A table apart by a tag that no game has.
    #[error("no game has a tag {0:?}, so there is nothing to make folders of")]
    NoValue(Box<str>),
    /// A game too large for a table.
    #[error("the game fills more than {0} bytes of a table; it is left out")]
    TooLarge(usize),
    /// The file is damaged, or no such file.
    #[error("{0}")]
    Damaged(Box<str>),
    /// The file is a table without games.
    #[error("the table has no games: it needs a column movetext, moves or move_codes; it has {0}")]
    NoMoves(Box<str>),
    /// A column is known by its name, and of a type of which nothing can be read.
    #[error("the column {name} is of the type {kind}, and nothing can be read of that")]
    Type {
        /// Its name.
        name: Box<str>,
        /// Its type, as Arrow names it.
        kind: Box<str>,
    },
    /// A column is compressed in a way that this library does not know.
    #[error(
        "the column {name} is compressed with {codec}, which is not read; write the file with \
             zstd, snappy, gzip or lz4"
    )]
    Compression {
        /// Its name.
        name: Box<str>,
        /// The way.
        codec: Box<str>,
    },
    /// A row's moves cannot be read to their end.
    #[error("{0}")]
    Row(Box<str>),
    /// A deviation, when strict.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
}

fn names(rows: Rows) -> String {
    let names: Vec<&str> = rows.fields().iter().map(|field| field.name).collect();
    names.join(", ")
}

/// A place without a file: of an option, not of bytes.
pub(crate) fn location() -> Location {
    Location::default()
}

chess_store::error_kind! {
    ErrorKind:
    ErrorKind::Column { .. },
    ErrorKind::Folders { .. },
    ErrorKind::NoValue(_),
    ErrorKind::Damaged(_),
    ErrorKind::NoMoves(_),
    ErrorKind::Type { .. },
    ErrorKind::Compression { .. },
}
