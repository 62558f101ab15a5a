//! What cannot be asked.

use chess_core::FenError;

/// Why a text says nothing that games could be chosen by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// Nothing is asked for: a variable that was not set, perhaps.
    #[error("the value is empty")]
    Empty,
    /// A name without a letter or a digit.
    #[error("{0:?} has no letter or digit to look for")]
    NoWord(String),
    /// A value of another kind was expected.
    #[error("{text:?} is not {what}")]
    Unreadable {
        /// What was given.
        text: String,
        /// What was expected, with an example.
        what: &'static str,
    },
    /// A range the wrong way round.
    #[error("{0:?} ends before it begins")]
    Backwards(String),
    /// A board that is none.
    #[error("{0}")]
    Fen(FenError),
    /// A further field of a FEN.
    #[error("{text:?} is not the {field} of a FEN: {why}")]
    FenField {
        /// What was given.
        text: String,
        /// Which field it stands in.
        field: &'static str,
        /// What should stand there.
        why: &'static str,
    },
    /// A move of a line that cannot be played.
    #[error("{text:?}, half-move {ply} of the line: {why}")]
    Move {
        /// What was given.
        text: String,
        /// Which half-move, from 1.
        ply: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A pattern that is no regular expression.
    #[error("{0}")]
    Regex(String),
}

impl QueryError {
    pub(super) fn unreadable(text: &str, what: &'static str) -> QueryError {
        QueryError::Unreadable { text: text.to_owned(), what }
    }
}
