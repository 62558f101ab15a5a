//! Tests of openings, by name or by the codes of the table of openings.

use std::str::FromStr;
use std::sync::Arc;

use openings::Opening;

use super::{QueryError, Text, ranges};

/// Openings to search for. A game has the opening of the last named position of its main line,
/// whatever its tags say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningTest {
    /// A bit for each opening of the table, by its number.
    wanted: Arc<[u64]>,
}

impl OpeningTest {
    /// Parses words of a name (`najdorf`, `king's indian samisch`) or ranges of ECO codes
    /// (`B90..B99`). Each word must be part of the name, regardless of case and accents.
    ///
    /// # Errors
    /// [`QueryError`] if no opening of the table matches.
    pub fn parse(text: &str) -> Result<OpeningTest, QueryError> {
        if let Ok(codes) = ranges::ecos(text) {
            let fits =
                |opening: &Opening| codes.iter().any(|range| super::in_codes(range, opening.eco()));
            return OpeningTest::of(text, fits);
        }
        // British spelling, and umlauts written as two letters.
        let american = text.to_lowercase().replace("defence", "defense");
        let plain = ["ae", "oe", "ue"].into_iter().zip(["a", "o", "u"]);
        let plain = plain.fold(american.clone(), |text, (two, one)| text.replace(two, one));
        let [first, second] = [american, plain].map(|spelling| {
            let words = Text::part(&without_apostrophes(&spelling))?;
            OpeningTest::of(text, |opening| words.is_in(&without_apostrophes(opening.name())))
        });
        match first {
            Err(QueryError::NoOpening(_)) => second,
            first => first,
        }
    }

    fn of(text: &str, fits: impl Fn(&Opening) -> bool) -> Result<OpeningTest, QueryError> {
        let mut wanted: Vec<u64> = Vec::new();
        for opening in Opening::all().filter(fits) {
            let (word, bit) = place(opening);
            if wanted.len() <= word {
                wanted.resize(word.saturating_add(1), 0);
            }
            if let Some(word) = wanted.get_mut(word) {
                *word |= bit;
            }
        }
        if wanted.is_empty() {
            return Err(QueryError::NoOpening(text.to_owned()));
        }
        Ok(OpeningTest { wanted: wanted.into() })
    }

    /// Returns whether `opening` is one of the openings.
    #[must_use]
    pub fn is(&self, opening: Opening) -> bool {
        let (word, bit) = place(opening);
        self.wanted.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// `Kings` and `King's` are one word.
fn without_apostrophes(text: &str) -> String {
    text.replace(['\'', '’'], "")
}

/// Returns the word and the bit of an opening.
fn place(opening: Opening) -> (usize, u64) {
    let number = usize::from(opening.number());
    (number / 64, 1 << (number % 64))
}

impl FromStr for OpeningTest {
    type Err = QueryError;

    /// Calls [`parse`](OpeningTest::parse).
    fn from_str(text: &str) -> Result<OpeningTest, QueryError> {
        OpeningTest::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Opening> {
        let test = OpeningTest::parse(text).unwrap();
        Opening::all().filter(|opening| test.is(*opening)).collect()
    }

    #[test]
    fn parse_words_finds_names_with_all_words() {
        let najdorf = found("Najdorf");
        assert!(najdorf.len() > 20, "{}", najdorf.len());
        assert!(najdorf.iter().all(|opening| opening.name().contains("Najdorf")));
        let english = found("english najdorf");
        assert!(!english.is_empty() && english.len() < najdorf.len());
        assert_eq!(found("king's indian defence"), found("Kings-Indian: DEFENSE"));
        assert_eq!(found("Gruenfeld"), found("Grünfeld"));
    }

    #[test]
    fn parse_codes_finds_all_openings_with_them() {
        let all = found("b90-B99");
        assert!(all.iter().all(|opening| (190..=199).contains(&opening.eco().code())));
        assert!(all.len() > 20, "{}", all.len());
        assert_eq!(found("B9"), all);
    }

    #[test]
    fn parse_words_of_no_opening_is_error() {
        let error = OpeningTest::parse("najdrof").unwrap_err();
        assert_eq!(error, QueryError::NoOpening("najdrof".to_owned()));
        assert_eq!(OpeningTest::parse(""), Err(QueryError::Empty));
        assert!("!".parse::<OpeningTest>().is_err());
    }
}
