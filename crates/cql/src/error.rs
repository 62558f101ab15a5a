//! The error of a query, and warnings.

use std::fmt;

/// A result with an [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// An error in a query: what is wrong, where, and what to write instead.
///
/// `Display` prints the place, the message, the line of the query and a caret:
///
/// ```text
/// line 1, column 9: after "and" a filter is missing
///   mate and
///           ^
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(Box<Report>);

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the grammar.
    Syntax,
    /// A brace, parenthesis, text or comment is not closed.
    Unclosed,
    /// A word, piece or square does not exist.
    Unknown,
    /// A filter has the wrong type in its place.
    Type,
    /// The filter belongs to another version of CQL.
    Unsupported,
    /// The query or its search exceeds one of the [`Limits`](crate::Limits).
    Limit,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Report {
    kind: ErrorKind,
    message: String,
    place: Option<Place>,
    text: String,
}

/// A place in the text of a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The offset in bytes, from 0.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    pub(crate) fn of(text: &str, offset: usize) -> Place {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count().saturating_add(1);
        let start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let column = before.get(start..).unwrap_or_default().chars().count().saturating_add(1);
        Place { offset, line, column }
    }
}

impl Error {
    /// An error at a byte offset of the query's text.
    pub(crate) fn at(
        kind: ErrorKind,
        text: &str,
        offset: usize,
        message: impl Into<String>,
    ) -> Error {
        let place = Place::of(text, offset);
        let line = text.split('\n').nth(place.line.saturating_sub(1)).unwrap_or_default();
        let line = line.trim_end_matches('\r').to_owned();
        Error(Box::new(Report { kind, message: message.into(), place: Some(place), text: line }))
    }

    /// An error of the search, which has no place in the query.
    pub(crate) fn of_search(message: impl Into<String>) -> Error {
        let (kind, message) = (ErrorKind::Limit, message.into());
        Error(Box::new(Report { kind, message, place: None, text: String::new() }))
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the message without place and text.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the place in the query. An error of the search has none.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(place) = self.place else { return f.write_str(&self.message) };
        write_report(f, place, &self.message, &self.text)
    }
}

/// Writes place, message, line and caret. A tab before the caret stays a tab.
fn write_report(
    f: &mut fmt::Formatter<'_>,
    place: Place,
    message: &str,
    line: &str,
) -> fmt::Result {
    write!(f, "line {}, column {}: {message}\n  {line}\n  ", place.line, place.column)?;
    for c in line.chars().take(place.column.saturating_sub(1)) {
        f.write_str(if c == '\t' { "\t" } else { " " })?;
    }
    f.write_str("^")
}

/// A part of a query that is valid and probably not what its author meant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// Where the filter begins.
    pub place: Place,
    /// The effect of the filter, and what to write instead.
    pub message: String,
    line: String,
}

impl Warning {
    pub(crate) fn new(text: &str, offset: usize, message: impl Into<String>) -> Warning {
        let place = Place::of(text, offset);
        let line = text.split('\n').nth(place.line.saturating_sub(1)).unwrap_or_default();
        Warning { place, message: message.into(), line: line.trim_end_matches('\r').to_owned() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_report(f, self.place, &self.message, &self.line)
    }
}
