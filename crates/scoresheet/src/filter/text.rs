//! Searches for names and other text.

use std::borrow::Cow;
use std::sync::Arc;

use deunicode::deunicode_char;

use super::QueryError;
use super::person::{Comparison, Person, is_team, people};
use crate::spelling::{NameId, NameKind, Spelling};

/// A text to search for: by its words, without regard to case, accents and punctuation, or exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    kind: Kind,
    /// Other spellings.
    spelt: Option<Spelt>,
}

/// Names of a spelling file that a text searches for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spelt {
    spelling: Arc<Spelling>,
    kind: NameKind,
    /// In rising order.
    ids: Arc<[NameId]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Name(Box<Name>),
    /// Folded words; each may be anywhere in the text.
    Parts(Vec<String>),
    Exact(String),
}

/// A name to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    /// The words, longest first, if each need only be a prefix of a word of the name.
    words: Option<Vec<String>>,
    /// The parsed name, in one or two readings.
    people: Vec<Person>,
    /// The name lists several people, so stored names are compared as a whole.
    team: bool,
    /// The [initials](initials) of `words`.
    word_initials: u64,
    /// The initials of the surnames of `people`.
    surname_initials: u64,
}

impl Text {
    /// Creates a search for a person's name. Case, accents, punctuation and word order do not
    /// matter.
    ///
    /// - Each word must be a prefix of a word of the name: `carls mag` finds `Carlsen, Magnus`.
    /// - An initial, searched or stored, matches a given name, and only if the surname matches in
    ///   full: `Adams, M` finds `Adams, Michael` and `Michael Adams`, but neither `Adamson, M` nor
    ///   `Michel, A`; `garry kasparov` finds `Kasparov,G`.
    /// - The surname is the part before a comma. Without a comma it is the first or the last word.
    ///
    /// # Errors
    /// [`QueryError`] if there is nothing to search for.
    pub fn name(text: &str) -> Result<Text, QueryError> {
        let mut words = folded_words(text)?;
        // The longest word is the most selective, so it is tested first.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let folded = fold(text);
        let parsed = [Person::parse(&folded), Person::parse_whole_words(&folded)];
        let mut people: Vec<Person> = parsed.into_iter().flatten().collect();
        people.dedup();
        let is_plain = words.len() == 1
            || !people.iter().any(|person| person.has_comma() || person.has_initials());
        let of_words = |words: &[String]| words.iter().fold(0, |all, word| all | initials(word));
        let surnames = people.iter().flat_map(Person::surnames);
        let name = Name {
            word_initials: of_words(&words),
            surname_initials: surnames.fold(0, |all, surname| all | initials(surname)),
            words: is_plain.then_some(words),
            people,
            team: is_team(&folded),
        };
        Ok(Text::of(Kind::Name(Box::new(name))))
    }

    /// Creates a search for words anywhere in a text: `liga` finds `Bundesliga 1990-91`.
    ///
    /// # Errors
    /// [`QueryError`] if there is nothing to search for.
    pub fn part(text: &str) -> Result<Text, QueryError> {
        Ok(Text::of(Kind::Parts(folded_words(text)?)))
    }

    /// Creates a search for exactly this text.
    ///
    /// # Errors
    /// [`QueryError`] if the text is empty.
    pub fn exact(text: &str) -> Result<Text, QueryError> {
        if text.is_empty() {
            Err(QueryError::Empty)
        } else {
            Ok(Text::of(Kind::Exact(text.into())))
        }
    }

    /// Returns whether `text` matches.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        let is_spelt = |spelt: &Spelt| {
            let id = spelt.spelling.id(spelt.kind, text);
            id.is_some_and(|id| spelt.ids.binary_search(&id).is_ok())
        };
        self.is_itself_in(text) || self.spelt.as_ref().is_some_and(is_spelt)
    }

    fn of(kind: Kind) -> Text {
        Text { kind, spelt: None }
    }

    /// Searches for all spellings of the names, too, that this text finds in a spelling file.
    #[must_use]
    pub fn spelt(self, kind: NameKind, spelling: &Arc<Spelling>) -> Text {
        let ids = spelling.ids(kind, |name| self.is_itself_in(name)).into();
        let spelt = Some(Spelt { spelling: Arc::clone(spelling), kind, ids });
        Text { spelt, ..self }
    }

    fn is_itself_in(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Exact(exact) => exact == text,
            Kind::Parts(words) => {
                let text = folded(text);
                words.iter().all(|word| split(&text).any(|part| contains(part, word)))
            }
            Kind::Name(name) => name.is_in(&folded(text)),
        }
    }
}

impl Name {
    fn is_in(&self, text: &str) -> bool {
        // The first letters rule most names out, before their words are compared.
        let initials = initials(text);
        let has_all = self.word_initials & !initials == 0;
        let has_any = self.surname_initials & initials != 0;
        has_all && self.words.as_ref().is_some_and(|words| begin_words(words, text))
            || has_any && self.may_be_in(text) && self.is_in_people(text)
    }

    /// Returns whether a surname is a word of the text. Cheap, and nearly always `false`.
    fn may_be_in(&self, text: &str) -> bool {
        let mut surnames = self.people.iter().flat_map(Person::surnames);
        surnames.any(|surname| split(text).any(|part| part.eq_ignore_ascii_case(surname)))
    }

    #[cold]
    fn is_in_people(&self, text: &str) -> bool {
        let fits = |text: &str| {
            let person = Person::parse(text);
            person.is_some_and(|person| {
                self.people.iter().any(|query| query.is_in(&person, Comparison::Search))
            })
        };
        if self.team { fits(text) } else { people(text).any(fits) }
    }
}

/// Returns a set of the first letters and digits of the words of a folded text, without regard to case.
/// Digits share bits with letters.
fn initials(text: &str) -> u64 {
    let (mut all, mut is_within) = (0, false);
    for byte in text.bytes() {
        let is_word = byte.is_ascii_alphanumeric();
        if is_word && !is_within {
            all |= 1u64 << ((byte | 0x20) & 0x3f);
        }
        is_within = is_word;
    }
    all
}

/// Words of a name beyond this number are ignored.
const MOST_WORDS: u32 = u64::BITS;

/// Returns whether each word is a prefix of a different word of the text.
fn begin_words(words: &[String], text: &str) -> bool {
    let mut used = 0u64;
    words.iter().all(|word| {
        let mut free = split(text).zip(0..MOST_WORDS).filter(|(_, number)| used & 1 << number == 0);
        let found = free.find(|(part, _)| begins(part, word));
        found.is_some_and(|(_, number)| {
            used |= 1 << number;
            true
        })
    })
}

fn folded_words(text: &str) -> Result<Vec<String>, QueryError> {
    if text.trim().is_empty() {
        return Err(QueryError::Empty);
    }
    let words: Vec<String> = split(&fold(text)).map(str::to_ascii_lowercase).collect();
    if words.is_empty() { Err(QueryError::NoWord(text.to_owned())) } else { Ok(words) }
}

fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(fold(text)) }
}

/// Splits text into runs of letters and digits.
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

/// Transliterates to ASCII letters: `Müller` to `Muller`, `Карпов` to `Karpov`.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            plain if plain.is_ascii() => folded.push(plain),
            // Combining marks follow their letter.
            '\u{300}'..='\u{36f}' => {}
            other => folded.push_str(deunicode_char(other).unwrap_or(" ")),
        }
    }
    folded
}

/// The sort key of a text: lower-case ASCII letters.
pub(crate) fn sort_key(text: &str) -> String {
    let mut key = fold(text);
    key.make_ascii_lowercase();
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cases: &[(&str, &str, bool)]) {
        for (query, name, found) in cases {
            assert_eq!(Text::name(query).unwrap().is_in(name), *found, "{query} in {name}");
        }
    }

    #[test]
    fn name_words_in_any_order_match() {
        check(&[
            ("Kasparov G", "Kasparov, Garry", true),
            ("Carlsen", "Carlsson, P", false),
            ("carls mag", "Carlsen, Magnus", true),
            ("Müller", "Muller, K", true),
            ("muller", "Müller, Karsten", true),
            ("Mu\u{308}ller", "Müller", true),
            ("Карпов", "Karpov, Anatoly", true),
            ("lagrave vachier", "Vachier-Lagrave, Maxime", true),
            ("tal", "Vitaly, A", false),
            ("tal", "Tal, Mikhail", true),
            ("li li", "Li, Chao", false),
            ("Ś", "Święcicki", true),
            ("stockfish 1", "Stockfish 15", true),
            ("kasparov rus", "Kasparov, Garry (RUS)", true),
        ]);
    }

    #[test]
    fn name_with_initial_matches_only_full_surname() {
        check(&[
            ("Adams, M", "Adams, Michael", true),
            ("Adams, M", "Adams,Mi", true),
            ("Adams, M", "ADAMS,M", true),
            ("Adams, M.", "Michael Adams", true),
            ("M. Adams", "Adams, Michael", true),
            ("adams m", "M Adams, England", true),
            ("Adams, M", "Michel, A.", false),
            ("Adams, M", "Morozevich,A", false),
            ("Adams, M", "Adams, John", false),
            ("Adams, M", "Adams, John M", false),
            ("Adams, J M", "Adams, John M", true),
            ("Crumiller, J", "Kasparov, Garry:Crumiller, Jon", true),
            ("Adams, M", "Adamson, M", false),
            ("Adams, M", "Mary, Adams", false),
            ("Adams, M", "Adams", false),
            ("carlsen m", "Magnus Carlsen", true),
            ("carlsen m", "Messemaker, C.", false),
            ("Kasparov, G", "Euwe - Geus, K.", false),
            ("Geus, K", "Euwe - Geus, K.", true),
            ("Euwe, K", "Euwe - Geus, K.", false),
            ("Kasparov, G", "Kasparov G + team", true),
            ("Kasparov G + team", "Kasparov G + team", true),
            ("Tal, M", "Taleb, Mohamed", false),
            ("Short, N", "Shortland, N", false),
            ("a an", "An, A", true),
            ("li l", "Li, Li", true),
            ("karpov a a", "Karpov, A", false),
        ]);
    }

    #[test]
    fn name_stored_initial_matches_only_given_name() {
        check(&[
            ("garry kasparov", "Kasparov,G", true),
            ("kasparov garry", "Kasparov,G", true),
            ("garry", "Kasparov,G", false),
            ("Garry Kasparov", "Garry, K", false),
            ("Michael Adams", "Michael, A", false),
            ("Michael Adams", "M. Adams", true),
            ("Adams, Michael", "Michael, A", false),
            ("Ding Liren", "Ding, L", true),
            ("Wei Yi", "Wei, Y", true),
            ("Botvinnik, Mikhail M", "Botvinnik, MM", true),
            ("Botvinnik, MM", "Botvinnik, Mikhail M", true),
            ("Botvinnik, M", "Botvinnik, MM", true),
            ("Petrosian, TV", "Petrosian,TL", false),
            ("Petrosian, TV", "Petrosian, Tigran V", true),
            ("Carlsen, MA", "Carlsen, Magnus", true),
            ("Kramnik, Vladimir", "Kramnik, Vl.", true),
            ("Юрий Авербах", "Авербах Ю.", true),
        ]);
    }

    #[test]
    fn name_that_resembles_suffix_is_given_name() {
        check(&[
            ("Xu, J", "Xu, Jun", true),
            ("Xu, J", "Xu Jun", true),
            ("xu jun", "Xu,J", true),
            ("Zhao, J", "Zhao Jun", true),
            ("Xu, M", "Xu Jun", false),
            ("Sen, A", "Amartya Sen", true),
            ("Sen, A", "Sen, Asok", true),
            ("Müller, K", "Müller jun., Karl", true),
            ("Müller, J", "Müller, Karl jun.", false),
            ("Müller, J", "Müller, jun.", false),
            ("Capablanca, J", "Capablanca, JR", true),
            ("Capablanca, J", "Capablanca JR", true),
            ("Capablanca, Jose Raul", "Capablanca, JR", true),
            ("Capablanca, JR", "Capablanca, Jose Raul", true),
            ("Smith, J", "Smith, John Jr", true),
            ("Smith, A", "Smith, Adam JR", true),
            ("Smith, J", "Smith, Adam JR", false),
            ("Smith, J", "Smith, Jr.", false),
            ("Smith, J", "SMITH, JR", false),
        ]);
    }

    #[test]
    fn name_particles_hyphens_and_short_surnames_match() {
        check(&[
            ("van Wely, L", "Van Wely, Loek", true),
            ("Wely, L", "Van Wely, Loek", true),
            ("van Wely, L", "Wely, Loek van", true),
            ("van Wely, L", "Loek van Wely", true),
            ("van Wely, L", "Van der Wiel, L", false),
            ("L. van Wely", "Van Wely,L", true),
            ("Vachier-Lagrave, M", "Maxime Vachier-Lagrave", true),
            ("Lagrave, M", "Vachier-Lagrave, Maxime", true),
            ("Vachier-Lagrave, M", "Lagrave, M", false),
            ("So, W", "So, Wesley", true),
            ("So, W", "Sokolov, W", false),
            ("So, W", "Wesley So", true),
            ("Li, C", "Li, Chao b", true),
            ("Li, Chao b", "Li, Chao b", true),
            ("Li, B", "Li, Chao b", false),
            ("O, A", "O, A", true),
            ("O, A", "A, O", false),
            ("O, A", "Olafsson, A", false),
            ("O'Kelly, A", "O'Kelly de Galway, Alberic", true),
            ("Le, Q", "Le Quang Liem", true),
            ("Anand, V", "Viswanathan Anand", true),
            ("Anand, V", "Anand Viswanathan", true),
            ("Anand, V", "Anand,V", true),
            ("Viswanathan, A", "Viswanathan Anand", false),
            ("Garcia Lopez, P", "Pedro Garcia Lopez", true),
            ("Capablanca, J", "Capablanca y Graupera, Jose Raul", true),
            ("J.R. Capablanca", "Capablanca y Graupera, Jose Raul", true),
            ("Graupera, J", "Capablanca y Graupera, Jose Raul", true),
            ("Capablanca, Y", "Capablanca y Graupera, Jose Raul", false),
            ("Adams, Y", "Y. Adams, England", true),
        ]);
    }

    #[test]
    fn part_matches_anywhere_in_text() {
        let liga = Text::part("liga 1990").unwrap();
        assert!(liga.is_in("1990/91 Bundesliga") && !liga.is_in("Bundesliga 1989"));
    }

    #[test]
    fn exact_text_matches_only_itself() {
        let exact = Text::exact("Carlsen,M").unwrap();
        assert!(
            exact.is_in("Carlsen,M") && !exact.is_in("Carlsen, M") && !exact.is_in("carlsen,m")
        );
    }

    #[test]
    fn text_without_words_is_error() {
        assert_eq!(Text::name("  "), Err(QueryError::Empty));
        assert_eq!(Text::exact(""), Err(QueryError::Empty));
        assert_eq!(Text::part(", ."), Err(QueryError::NoWord(", .".into())));
    }
}
