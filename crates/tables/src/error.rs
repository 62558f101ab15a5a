//! The errors of this crate.

use std::io;

use chess_store::{Location, Warning};

use crate::schema::Rows;

/// An error of this crate, with its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An I/O error.
    #[error("{0}")]
    Io(io::Error),
    /// There is no column with this name.
    #[error(
        "{} have no column {name:?}; they have {}, and \"tag:NAME\" for any other tag", rows.name(), names(*rows)
    )]
    Column {
        /// The kind of rows.
        rows: Rows,
        /// The unknown name.
        name: Box<str>,
    },
    /// The value by which the table is partitioned has too many distinct values.
    #[error(
        "{by} has more than {most} values, and each would be a folder; use year, eco, or a tag with \
         fewer values"
    )]
    Folders {
        /// The name of the partition value.
        by: Box<str>,
        /// The maximum number of folders.
        most: usize,
    },
    /// No game has the tag by which the table is partitioned.
    #[error("no game has the tag {0:?}, so the table cannot be partitioned by it")]
    NoValue(Box<str>),
    /// A range of plies was given for rows of games.
    #[error("the first and last ply are for rows of half-moves")]
    Plies,
    /// The game is too large for a table.
    #[error("the game needs more than {0} bytes in a table; it is skipped")]
    TooLarge(usize),
    /// The file is damaged, or has another format.
    #[error("{0}")]
    Damaged(Box<str>),
    /// The table has no column with the moves of games.
    #[error("the table has no games: it needs a column movetext, moves or move_codes; it has {0}")]
    NoMoves(Box<str>),
    /// A column with a known name has an unsupported type.
    #[error("the column {name} has the unsupported type {kind}")]
    Type {
        /// The name of the column.
        name: Box<str>,
        /// The Arrow name of its type.
        kind: Box<str>,
    },
    /// A column has an unsupported compression.
    #[error(
        "the column {name} is compressed with {codec}, which is not supported; write the file with \
             zstd, snappy, gzip or lz4"
    )]
    Compression {
        /// The name of the column.
        name: Box<str>,
        /// The name of the compression.
        codec: Box<str>,
    },
    /// The moves of a row cannot be read to the end.
    #[error("{0}")]
    Row(Box<str>),
    /// A deviation from the standard, in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
}

fn names(rows: Rows) -> String {
    let names: Vec<&str> = rows.fields().iter().map(|field| field.name).collect();
    names.join(", ")
}

/// The names that a message lists, and the letters of each.
#[cfg(feature = "arrow")]
const MAX_NAMES: usize = 10;
#[cfg(feature = "arrow")]
const LONGEST_NAME: usize = 60;

/// Returns a name for a message.
#[cfg(feature = "arrow")]
pub(crate) fn named(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}...", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Joins names for a message, with the number of omitted names.
#[cfg(feature = "arrow")]
pub(crate) fn listed<'a>(mut names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let mut listed: Vec<String> = names.by_ref().take(MAX_NAMES).map(named).collect();
    if names.len() > 0 {
        listed.push(format!("and {} more", names.len()));
    }
    listed.join(", ")
}

/// Returns a location without a file, for an error in an option.
pub(crate) fn location() -> Location {
    Location::default()
}

chess_store::error_kind! {
    ErrorKind [
        unsupported: ErrorKind::NoMoves(_),
        ErrorKind::Type { .. },
        ErrorKind::Compression { .. },
    ]:
    ErrorKind::Column { .. },
    ErrorKind::Folders { .. },
    ErrorKind::NoValue(_),
    ErrorKind::Plies,
    ErrorKind::Damaged(_),
    ErrorKind::NoMoves(_),
    ErrorKind::Type { .. },
    ErrorKind::Compression { .. },
}
