//! Names and other texts, found as people write them.

use deunicode::deunicode_char;

use super::QueryError;

/// A text to be found: by its words in any order, without regard to case, accents and punctuation;
/// or exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Folded, the longest first.
    Words {
        words: Vec<String>,
        anywhere: bool,
    },
    Exact(String),
}

impl Text {
    /// A name of a person. Each word must begin a word of the name, of which each is used once; an
    /// initial in the name stands for a whole word if another word is there: `garry kasparov`
    /// finds `Kasparov,G`, and `kasparov g` finds `Kasparov, Garry`.
    ///
    /// # Errors
    /// If there is nothing to look for.
    pub fn name(text: &str) -> Result<Text, QueryError> {
        Text::words(text, false)
    }

    /// Words that must be in a text, anywhere: `liga` finds `Bundesliga 1990-91`.
    ///
    /// # Errors
    /// If there is nothing to look for.
    pub fn part(text: &str) -> Result<Text, QueryError> {
        Text::words(text, true)
    }

    /// Just this text, letter by letter.
    ///
    /// # Errors
    /// If it is empty.
    pub fn exact(text: &str) -> Result<Text, QueryError> {
        if text.is_empty() { Err(QueryError::Empty) } else { Ok(Text(Kind::Exact(text.into()))) }
    }

    fn words(text: &str, anywhere: bool) -> Result<Text, QueryError> {
        if text.trim().is_empty() {
            return Err(QueryError::Empty);
        }
        let folded = fold(text);
        let mut words: Vec<String> = split(&folded).map(str::to_ascii_lowercase).collect();
        if words.is_empty() {
            return Err(QueryError::NoWord(text.to_owned()));
        }
        // What a longer word finds, any beginning of it finds too: so it chooses first.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Ok(Text(Kind::Words { words, anywhere }))
    }

    /// Whether it is found in a text.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        match &self.0 {
            Kind::Exact(exact) => exact == text,
            Kind::Words { words, anywhere } if text.is_ascii() => has(words, text, *anywhere),
            Kind::Words { words, anywhere } => has(words, &fold(text), *anywhere),
        }
    }
}

/// Words of a name beyond these are not looked at for names.
const MOST_WORDS: u32 = u64::BITS;

fn has(words: &[String], text: &str, anywhere: bool) -> bool {
    if anywhere {
        return words.iter().all(|word| split(text).any(|part| contains(part, word)));
    }
    let (mut used, mut whole) = (0u64, false);
    for word in words {
        let free = split(text).zip(0..MOST_WORDS).filter(|(_, number)| used & 1 << number == 0);
        let mut found = None;
        for (part, number) in free {
            if begins(part, word) {
                found = Some((number, true));
                break;
            }
            if found.is_none() && is_initial(part, word) {
                found = Some((number, false));
            }
        }
        let Some((number, in_full)) = found else { return false };
        used |= 1 << number;
        whole |= in_full;
    }
    whole
}

/// The runs of letters and digits.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

fn begins(part: &str, word: &str) -> bool {
    let start = part.as_bytes().get(..word.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

fn contains(part: &str, word: &str) -> bool {
    part.as_bytes().windows(word.len()).any(|bytes| bytes.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether a word of a name is the first letter of what is looked for.
fn is_initial(part: &str, word: &str) -> bool {
    part.len() == 1 && begins(word, part)
}

/// In plain letters: `Müller` as `Muller`, `Карпов` as `Karpov`.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            plain if plain.is_ascii() => folded.push(plain),
            // Marks that stand after their letter.
            '\u{300}'..='\u{36f}' => {}
            other => folded.push_str(deunicode_char(other).unwrap_or(" ")),
        }
    }
    folded
}

/// A text as it sorts: in plain small letters.
pub(crate) fn sort_key(text: &str) -> String {
    let mut key = fold(text);
    key.make_ascii_lowercase();
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_people_write_them() {
        for (query, name, found) in [
            ("Kasparov G", "Kasparov, Garry", true),
            ("garry kasparov", "Kasparov,G", true),
            ("garry", "Kasparov,G", false),
            ("Carlsen, M", "Carlsen,M", true),
            ("carlsen m", "Magnus Carlsen", true),
            ("Carlsen", "Carlsson, P", false),
            ("Müller", "Muller, K", true),
            ("muller", "Müller, Karsten", true),
            ("Mu\u{308}ller", "Müller", true),
            ("Карпов", "Karpov, Anatoly", true),
            ("lagrave vachier", "Vachier-Lagrave, Maxime", true),
            ("tal", "Vitaly, A", false),
            ("tal", "Tal, Mikhail", true),
            ("li li", "Li, Chao", false),
            ("li l", "Li, Li", true),
            ("a an", "An, A", true),
            ("karpov a a", "Karpov, A", false),
            ("Ś", "Święcicki", true),
        ] {
            assert_eq!(Text::name(query).unwrap().is_in(name), found, "{query} in {name}");
        }
    }

    #[test]
    fn parts_are_found_anywhere() {
        let liga = Text::part("liga 1990").unwrap();
        assert!(liga.is_in("1990/91 Bundesliga") && !liga.is_in("Bundesliga 1989"));
    }

    #[test]
    fn exactly_is_exactly() {
        let exact = Text::exact("Carlsen,M").unwrap();
        assert!(
            exact.is_in("Carlsen,M") && !exact.is_in("Carlsen, M") && !exact.is_in("carlsen,m")
        );
    }

    #[test]
    fn nothing_is_no_name() {
        assert_eq!(Text::name("  "), Err(QueryError::Empty));
        assert_eq!(Text::exact(""), Err(QueryError::Empty));
        assert_eq!(Text::part(", ."), Err(QueryError::NoWord(", .".into())));
    }
}
