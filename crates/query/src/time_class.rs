//! Lists of time classes.

pub use time_control::TimeClass;

use crate::QueryError;

/// Parses names of time classes with commas between them.
///
/// # Errors
/// [`QueryError`] names the word that is no class.
pub fn time_classes(text: &str) -> Result<Vec<TimeClass>, QueryError> {
    if text.trim().is_empty() {
        return Err(QueryError::Empty);
    }
    let what = "a time class; write bullet, blitz, rapid, classical, correspondence or unknown";
    let class =
        |part: &str| part.trim().parse().map_err(|_| QueryError::unreadable(part.trim(), what));
    text.split(',').map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_classes_unknown_word_is_error() {
        assert_eq!(time_classes("Blitz, rapid"), Ok(vec![TimeClass::Blitz, TimeClass::Rapid]));
        assert!(time_classes("fast").is_err() && time_classes(" ").is_err());
    }
}
