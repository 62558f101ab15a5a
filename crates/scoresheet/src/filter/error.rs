//! Errors in the values of filters.

use chess_core::FenError;

/// A filter value that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The value is empty, for example because a variable was not set.
    #[error("the value is empty")]
    Empty,
    /// A name without a letter or a digit.
    #[error("{0:?} has no letter or digit to search for")]
    NoWord(String),
    /// A value of another kind was expected.
    #[error("{text:?} is not {what}")]
    Unreadable {
        /// The value.
        text: String,
        /// The expected form, with an example.
        what: &'static str,
    },
    /// The end of a range is before its start.
    #[error("{0:?} ends before it begins")]
    Backwards(String),
    /// The board of a FEN is invalid.
    #[error("{0}")]
    Fen(FenError),
    /// Another field of a FEN is invalid.
    #[error("{text:?} is not the {field} of a FEN: {why}")]
    FenField {
        /// The value.
        text: String,
        /// The name of the field.
        field: &'static str,
        /// The expected content.
        why: &'static str,
    },
    /// A move of a line is unreadable or illegal.
    #[error("{text:?}, half-move {ply} of the line: {why}")]
    Move {
        /// The value.
        text: String,
        /// One-based ply.
        ply: usize,
        /// The reason.
        why: String,
    },
    /// No opening of the table has this name or code.
    #[error("no opening is called {0:?}; `--columns opening` of `list` shows their names")]
    NoOpening(String),
    /// A regular expression is invalid.
    #[error("{0}")]
    Regex(String),
}

impl QueryError {
    pub(crate) fn unreadable(text: &str, what: &'static str) -> QueryError {
        QueryError::Unreadable { text: text.to_owned(), what }
    }
}
