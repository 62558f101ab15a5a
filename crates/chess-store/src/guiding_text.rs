//! Texts between the games of a base.

use chess_core::Header;

/// A guiding text: a page of text between the games of a base. ChessBase shows it in the list of
/// games.
///
/// Titles and contents exist by language. A language is a code such as `en`, or `any`. A language
/// that has no code is the number that the format gives it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GuidingText {
    /// The number of games that precede the text in its base.
    pub games_before: u64,
    /// The names that the text refers to, as tags of a game: event, round, annotator, source. Also
    /// whether the text is marked as deleted.
    pub header: Header,
    /// The titles by language.
    pub titles: Vec<(String, String)>,
    /// The contents by language.
    pub contents: Vec<(String, String)>,
    /// Whether the contents are HTML. Otherwise they are plain text, and the formatting of the
    /// original is not known.
    pub is_html: bool,
}

impl GuidingText {
    /// Returns the title to show: the first that is not empty.
    #[must_use]
    pub fn title(&self) -> &str {
        let mut titles = self.titles.iter().map(|(_, title)| title.as_str());
        titles.find(|title| !title.is_empty()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_first_empty_returns_second() {
        let title = |language: &str, text: &str| (language.to_owned(), text.to_owned());
        let titles = vec![title("en", ""), title("de", "Vorwort")];
        assert_eq!(GuidingText { titles, ..GuidingText::default() }.title(), "Vorwort");
        assert_eq!(GuidingText::default().title(), "");
    }
}
