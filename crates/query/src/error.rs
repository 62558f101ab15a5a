//! Errors in the values of filters, and of searches.

use chess_core::FenError;
use chess_store::Scope;
use names::TextError;

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
    #[error("no opening is called {0:?}; openings have the names of Lichess, as \"Ruy Lopez\"")]
    NoOpening(String),
    /// A query in CQL is invalid, with its place.
    #[error("{0}")]
    Cql(String),
    /// A regular expression is invalid.
    #[error("{0}")]
    Regex(String),
}

impl From<TextError> for QueryError {
    fn from(error: TextError) -> QueryError {
        match error {
            TextError::NoWord(text) => QueryError::NoWord(text),
            _ => QueryError::Empty,
        }
    }
}

impl QueryError {
    /// Creates the error for `text`, where `what` was expected.
    #[must_use]
    pub fn unreadable(text: &str, what: &'static str) -> QueryError {
        QueryError::Unreadable { text: text.to_owned(), what }
    }
}

/// A search that could not test some game, and so has no answer: a query exceeds its limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search has no answer: {0}")]
pub struct Unanswered(pub(crate) String);

impl chess_store::ErrorKind for Unanswered {
    fn scope(&self) -> Scope {
        Scope::Base
    }
}
