//! Searches for names and other text.

use std::borrow::Cow;
use std::sync::Arc;

use chess_core::{Color, Header};

use crate::TextError;
use crate::fold::{Letters, fold, has_word_with, lasting_letters};
use crate::person::{Person, people};
use crate::spelling::{NameId, NameKind, Spelling};

/// A text to search for: by its words, without regard to case, accents and punctuation, or exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    kind: Kind,
    /// The player who is asked for by the FIDE id.
    fide_id: Option<u32>,
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
    /// Each person asked for, in all readings. Several are a team.
    people: Vec<Vec<Person>>,
    /// For each surname of the first person, the letters that a word of a text must have.
    letters: Vec<u64>,
}

impl Text {
    /// Creates a search for a person's name. Case, accents, punctuation, the order of words, titles,
    /// particles and the romanisation do not matter.
    ///
    /// - The surname must match in full: `tal` finds `Tal, Mikhail` and not `Taleb, M`. With `*` its
    ///   beginning is enough: `tal*`.
    /// - An initial or the beginning of a given name, searched or stored, stands for the given name:
    ///   `Adams, Michael` finds `Adams,M`, `Adams,Mi` and `M. Adams`.
    /// - The surname is the part before a comma. Without a comma it is the first or the last word.
    /// - A number of five digits or more is a FIDE id.
    ///
    /// # Errors
    /// [`TextError`] if there is nothing to search for.
    pub fn name(text: &str) -> Result<Text, TextError> {
        folded_words(text)?;
        let people: Vec<_> =
            people(text).map(Person::readings).filter(|readings| !readings.is_empty()).collect();
        let surnames = people.first().into_iter().flatten().flat_map(Person::surnames);
        let letters = surnames.map(lasting_letters).collect();
        let fide_id = fide_id(text.trim());
        Ok(Text { fide_id, ..Text::of(Kind::Name(Box::new(Name { people, letters }))) })
    }

    /// Creates a search for words anywhere in a text: `liga` finds `Bundesliga 1990-91`.
    ///
    /// # Errors
    /// [`TextError`] if there is nothing to search for.
    pub fn part(text: &str) -> Result<Text, TextError> {
        Ok(Text::of(Kind::Parts(folded_words(text)?)))
    }

    /// Creates a search for exactly this text.
    ///
    /// # Errors
    /// [`TextError`] if the text is empty.
    pub fn exact(text: &str) -> Result<Text, TextError> {
        if text.is_empty() { Err(TextError::Empty) } else { Ok(Text::of(Kind::Exact(text.into()))) }
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
        Text { kind, fide_id: None, spelt: None }
    }

    /// Searches for all spellings of the names, too, that this text finds in a spelling file.
    #[must_use]
    pub fn spelt(self, kind: NameKind, spelling: &Arc<Spelling>) -> Text {
        let ids = spelling.ids(kind, &self).into();
        let spelt = Some(Spelt { spelling: Arc::clone(spelling), kind, ids });
        Text { spelt, ..self }
    }

    /// Returns whether the text asks for a player by the FIDE id.
    #[must_use]
    pub fn asks_id(&self) -> bool {
        self.fide_id.is_some()
    }

    /// Returns the FIDE id that is asked for.
    pub(crate) fn fide_id(&self) -> Option<u32> {
        self.fide_id
    }

    /// Returns whether the text asks for the player with `color`. A FIDE id in the header decides about one
    /// that is asked for.
    #[must_use]
    pub fn is_player(&self, header: &Header, color: Color) -> bool {
        let (name, tag) = match color {
            Color::White => (&header.white, "WhiteFideId"),
            Color::Black => (&header.black, "BlackFideId"),
        };
        let stored = self.fide_id.and_then(|_| fide_id(header.tags.get(tag)?.trim()));
        match stored {
            Some(id) => self.fide_id == Some(id),
            None => self.is_in(name),
        }
    }

    pub(crate) fn is_itself_in(&self, text: &str) -> bool {
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
        // The letters rule most names out, before their words are compared.
        has_word_with(text, &self.letters) && self.is_in_people(text)
    }

    #[cold]
    fn is_in_people(&self, text: &str) -> bool {
        if !self.may_have_surname(text) {
            return false;
        }
        let stored: Vec<Person> = people(text).filter_map(Person::parse).collect();
        self.people.iter().all(|readings| {
            readings.iter().any(|asked| stored.iter().any(|name| asked.is_in(name)))
        })
    }

    /// Spares most names from being parsed.
    fn may_have_surname(&self, text: &str) -> bool {
        let asked = || self.people.first().into_iter().flatten();
        // A name joins the letters at both sides of an apostrophe.
        if text.contains('\'') || !asked().all(Person::needs_surname) {
            return true;
        }
        text.split(|letter: char| !letter.is_ascii_alphabetic()).any(|word| {
            has_word_with(word, &self.letters) && {
                let word = Letters::new(word);
                asked().flat_map(Person::surname_letters).any(|own| own.are_alike(&word))
            }
        })
    }
}

/// Parses a FIDE id. Shorter numbers are parts of names.
pub(crate) fn fide_id(text: &str) -> Option<u32> {
    let is_id = matches!(text.len(), 5..=10) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|id| is_id && *id != 0)
}

fn folded_words(text: &str) -> Result<Vec<String>, TextError> {
    if text.trim().is_empty() {
        return Err(TextError::Empty);
    }
    let words: Vec<String> = split(&fold(text)).map(str::to_ascii_lowercase).collect();
    if words.is_empty() { Err(TextError::NoWord(text.to_owned())) } else { Ok(words) }
}

fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(fold(text)) }
}

/// Splits text into runs of letters and digits.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

fn contains(part: &str, word: &str) -> bool {
    part.as_bytes().windows(word.len()).any(|bytes| bytes.eq_ignore_ascii_case(word.as_bytes()))
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
    fn may_have_surname_rules_out_no_match() {
        let names = [
            "O'Kelly de Galway, A",
            "OKelly, A",
            "O Kelly",
            "Vachier-Lagrave, M",
            "Lagrave M",
            "Kortschnoj V",
            "Korchnoi,Viktor",
            "Mueller, K",
            "M\u{fc}ller",
            "1503014",
            "Stockfish 15",
            "Li, Chao b",
            "Xie Jun",
            "van Wely, L",
            "Wely",
            "Kasparov G + team",
            "MA Adams",
            "adam*",
            "m*",
            "A",
            "Tal'",
            "Al, T",
        ];
        for (asked, text) in names.into_iter().flat_map(|one| names.map(|other| (one, other))) {
            let Kind::Name(name) = Text::name(asked).unwrap().kind else { panic!("a name") };
            let text = folded(text);
            let stored: Vec<Person> = people(&text).filter_map(Person::parse).collect();
            let first = name.people.first().into_iter().flatten();
            let mut pairs =
                first.flat_map(|asked| stored.iter().map(move |name| asked.is_in(name)));
            assert!(!pairs.any(|is_in| is_in) || name.may_have_surname(&text), "{asked} in {text}");
        }
    }

    #[test]
    fn name_words_in_any_order_match() {
        check(&[
            ("Kasparov G", "Kasparov, Garry", true),
            ("Carlsen", "Carlsson, P", false),
            ("carlsen mag", "Carlsen, Magnus", true),
            ("carls mag", "Carlsen, Magnus", false),
            ("carls* mag", "Carlsen, Magnus", true),
            ("carls*", "Carlsson, P", true),
            ("tal", "Taleb, Mohamed", false),
            ("tal*", "Taleb, Mohamed", true),
            ("tal*", "Vitaly, A", false),
            ("wolf", "Wolfgang, A", false),
            ("wolf", "Wolff, P", false),
            ("lutz", "Mueller, Lutz", false),
            ("Müller", "Muller, K", true),
            ("muller", "Müller, Karsten", true),
            ("Mu\u{308}ller", "Müller", true),
            ("Карпов", "Karpov, Anatoly", true),
            ("lagrave vachier", "Vachier-Lagrave, Maxime", true),
            ("tal", "Vitaly, A", false),
            ("tal", "Tal, Mikhail", true),
            ("li li", "Li, Chao", false),
            ("Ś*", "Święcicki", true),
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
            ("Geus, K & Euwe, M", "Euwe, Max/Geus, K.", true),
            ("Geus, K & Tal, M", "Euwe, Max/Geus, K.", false),
            ("Tal, M", "Taleb, Mohamed", false),
            ("Short, N", "Shortland, N", false),
            ("a an", "An, A", true),
            ("li l", "Li, Li", true),
            ("karpov a a", "Karpov, A", true),
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
            ("Nakamura, Hikaru", "Nakamura,Hi", true),
            ("Hikaru Nakamura", "Nakamura,Hi", true),
            ("Nakamura, Hi", "Nakamura, Hikaru", true),
            ("Polgar, Judit", "Polgar,Ju", true),
            ("Polgar, Judit", "Polgar,Jud Z", true),
            ("Polgar, Judit", "Polgar,So", false),
            ("Polgar, Judit", "Polgar", false),
            ("Karpov, Anatoly", "Karpov,Ana", true),
            ("Karpov, Anatoly", "Ana, Karpov", false),
            ("Wang, Xiaohui", "Wang Xiao", false),
            ("Ivanov, Alexander", "Ivanov,Al", true),
            ("Ivanov, Alexander", "Ivanov,De", false),
            ("Wang, Daohong", "Wang,Da", true),
        ]);
    }

    #[test]
    fn name_in_another_romanisation_or_form_matches() {
        check(&[
            ("Kortchnoi", "Korchnoi,V", true),
            ("Корчной, Виктор", "Kortschnoj, Viktor", true),
            ("Khalifman, Alexander", "Chalifman, Aleksandr", true),
            ("Sämisch", "Saemisch, Fritz", true),
            ("Samisch", "Saemisch, Fritz", true),
            ("Grünfeld", "Gruenfeld, Ernst", true),
            ("Karlsen", "Carlsen, Magnus", false),
            ("Yang, W", "Jiang, W", false),
            ("GM Carlsen", "Carlsen, Magnus", true),
            ("Dr. Max Euwe", "Euwe, Max", true),
            ("Carlsen, Magnus (GM)", "Carlsen,M", true),
            ("OKelly", "O'Kelly de Galway, Alberic", true),
            ("O Kelly de Galway", "O'Kelly de Galway, Alberic", true),
            ("O'Kelly", "Kelly, John", false),
            ("al-Modiahki", "Al Modiahki,M", true),
            ("Mohamad Modiahki", "Al Modiahki, Mohamad", true),
            ("Vidmar, Milan", "Vidmar, Milan Sr", true),
            ("Vidmar, Milan Jr", "Vidmar, Milan Sr", false),
            ("Rogelio Antonio Jr", "Antonio, R", true),
            ("Gaprindashvili, Nona", "Gaprindashvili,N1", true),
            ("Nguyen, Ngoc Truong Son", "Nguyen Ngoc Truongson", true),
        ]);
    }

    #[test]
    fn name_with_more_given_names_or_surnames_matches() {
        check(&[
            ("Stefansson, Hannes H", "Stefansson,H", true),
            ("Carlsen, Sven Magnus", "Carlsen,M", true),
            ("Meyer, Lars A", "Meyer, Armin", false),
            ("Jones, L", "Jones, Stephen L", false),
            ("Popov, Iv", "Popov, Roman", false),
            ("Kozlov, Vl", "Kozlov, Vladimir", true),
            ("Vallejo, Francisco", "Vallejo Pons,F", true),
            ("Quesada Perez, Yuniesky", "Quesada, Yunieski", true),
            ("Garcia Fernandez, Carlos", "Garcia Palermo, Carlos", false),
            ("Garcia, J", "Diaz Garcia,J", false),
            ("Garcia", "Diaz Garcia,J", true),
            ("Vachier-Lagrave, M", "Vachier, M", false),
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
        assert_eq!(Text::name("  "), Err(TextError::Empty));
        assert_eq!(Text::exact(""), Err(TextError::Empty));
        assert_eq!(Text::part(", ."), Err(TextError::NoWord(", .".into())));
    }
}
