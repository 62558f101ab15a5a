//! Why a text cannot be searched for.

/// A text cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text is empty.
    #[error("the value is empty")]
    Empty,
    /// The text has no letter and no digit.
    #[error("{0:?} has no letter or digit to search for")]
    NoWord(String),
}
