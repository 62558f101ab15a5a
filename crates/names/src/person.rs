//! Parses names of people, and says which can be one person's.
//!
//! A comma in a name ends the surname: `Adams, M`. Without one, the first or the last word can be
//! the surname: `Ding Liren`, `Magnus Carlsen`. A common given name is not taken for the surname if
//! another word can be the surname.
//!
//! Two names match if a surname of one is a surname of the other in full, and the given names of the
//! shorter have partners in the longer: the same name, its beginning or its initial. Particles and
//! titles need no partner. Words are compared as [`Letters`] says.

use std::borrow::Cow;

use crate::fold::{Letters, fold};
use crate::given::is_given_name;

/// A parsed name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    words: Vec<Word>,
    /// Whether a comma separates the surname.
    comma: bool,
    /// 1 of `Sr`, 2 of `Jr` and `II`, and so on.
    generation: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    letters: Letters,
    role: Role,
    /// One letter, or a short word with a full stop: `M`, `Yu.`
    initial: bool,
    /// Capitals that may be several initials: `MA`.
    capitals: bool,
    /// A hyphen joins the word to the word before.
    joined: bool,
    /// The word was asked for with `*`, so longer ones match too.
    open: bool,
}

/// The role that a word of a name can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Surname,
    Given,
    /// A surname or a given name.
    Either,
    /// `van`, `de`: no name by itself.
    Particle,
    /// A word in brackets, such as a country.
    Aside,
    Number,
}

/// How two names are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    /// The other name must have what this one says: `Adams, M` is not in `Adams`.
    Search,
    /// Neither name must say something that the other excludes.
    Identity,
}

const PARTICLES: &[&str] = &[
    "af", "al", "av", "bin", "ben", "da", "das", "de", "del", "della", "den", "der", "des", "di",
    "do", "dos", "du", "el", "ibn", "la", "las", "le", "los", "ten", "ter", "van", "vd", "ver",
    "vom", "von", "zu", "zum", "zur",
];
/// Suffixes, and the generation of each.
const SUFFIXES: &[(&str, u8)] = &[("sr", 1), ("jr", 2), ("ii", 2), ("iii", 3), ("iv", 4)];
/// Suffixes that are names, too: `Xu Jun`, `Amartya Sen`.
const NAMES_OR_SUFFIXES: &[(&str, u8)] = &[("sen", 1), ("jun", 2)];
const TITLES: &[&str] = &[
    "GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "LM", "Dr", "DR", "Prof", "Mr",
    "Mrs", "Ms",
];
/// Words of a name beyond this number are ignored.
const MAX_WORDS: usize = 64;
/// Maximum length of an abbreviation with a full stop.
const LONGEST_INITIAL: usize = 3;
/// Given names with fewer letters are not compared without regard to the spaces in them.
const SHORTEST_SPLIT: usize = 8;

/// A word of a text, with its context.
#[derive(Clone, Copy)]
struct Raw<'a> {
    text: &'a str,
    /// The word follows a comma.
    given: bool,
    dotted: bool,
    /// A hyphen joins the word to the word before.
    joined: bool,
    /// The word is in brackets.
    aside: bool,
    open: bool,
}

impl Raw<'_> {
    fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| word.eq_ignore_ascii_case(self.text))
    }

    fn is_number(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_digit())
    }

    /// `van`, and the `y` of `Capablanca y Graupera`.
    fn is_particle(&self, is_within: bool) -> bool {
        self.is_one_of(PARTICLES) || is_within && matches!(self.text, "y" | "e") && !self.dotted
    }

    /// The `Al` of `Ivanov,Al` and the `Da` of `Wang,Da`: a particle that begins given names, with a capital.
    fn is_short_given(&self) -> bool {
        const BEGINNINGS: &[&str] = &[
            "Al", "Ben", "Da", "Das", "De", "Del", "Den", "Di", "Do", "Du", "El", "La", "Le", "Ver",
        ];
        BEGINNINGS.contains(&self.text)
    }

    /// Returns the generation of `Jr`, `III`; of `jun` only with a full stop or a small letter, because
    /// `Jun` is a name. Capitals after a surname alone are initials: `Capablanca, JR`.
    fn generation(&self, words: &[Raw<'_>], is_alone: bool) -> Option<u8> {
        let has =
            |test: fn(&u8) -> bool| words.iter().any(|word| word.text.bytes().any(|b| test(&b)));
        let mixed = has(u8::is_ascii_lowercase);
        let capitals = self.text.bytes().all(|letter| letter.is_ascii_uppercase());
        let small = self.text.starts_with(|letter: char| letter.is_ascii_lowercase());
        let of = |list: &[(&str, u8)]| {
            let found = list.iter().find(|(word, _)| word.eq_ignore_ascii_case(self.text));
            found.map(|(_, generation)| *generation)
        };
        let ambiguous =
            of(NAMES_OR_SUFFIXES).filter(|_| self.dotted || small && has(u8::is_ascii_uppercase));
        // `Iv` begins `Ivan`.
        let roman = |word: &str| word.bytes().all(|letter| b"IV".contains(&letter));
        let is_clear = self.text.len() == 2 && self.text.ends_with(['r', 'R']) || roman(self.text);
        let clear =
            of(SUFFIXES).filter(|_| is_clear && !(is_alone && capitals && mixed && !self.dotted));
        ambiguous.or(clear)
    }

    fn is_initial(&self) -> bool {
        let letters = self.text.bytes().all(|byte| byte.is_ascii_alphabetic());
        letters && (self.text.len() == 1 || self.dotted && self.text.len() <= LONGEST_INITIAL)
    }

    /// `MA` for `M. A.`: capitals in a name that has small letters, or nothing that could be spoken.
    fn is_joined_initials(&self, mixed: bool) -> bool {
        let letters = self.text.as_bytes();
        let capitals = mixed && letters.iter().all(u8::is_ascii_uppercase);
        let vowel = |letter: &u8| b"aeiouy".contains(&letter.to_ascii_lowercase());
        let consonants = letters.iter().all(|it| it.is_ascii_alphabetic() && !vowel(it));
        // `Vl` begins `Vladimir`.
        let is_written = |one: fn(&u8) -> bool| letters.iter().all(one);
        let one_case = is_written(u8::is_ascii_uppercase) || is_written(u8::is_ascii_lowercase);
        let silent = consonants && one_case;
        matches!(letters.len(), 2 | 3) && !self.dotted && (capitals || silent)
    }
}

impl Person {
    /// Parses a name; `None` if it has no words.
    #[must_use]
    pub fn parse(name: &str) -> Option<Person> {
        Person::of_words(&raw_words(&folded(name)), true)
    }

    /// Parses a name that is asked for, in all ways in which it can be meant: `MA` can be two initials
    /// or the beginning of `Magnus`, and the `O` of `O Kelly` an initial or a part of the surname.
    pub(crate) fn readings(name: &str) -> Vec<Person> {
        let name = folded(name);
        let words = raw_words(&name);
        let mut readings = vec![Person::of_words(&words, true), Person::of_words(&words, false)];
        let irish = name.trim_start().strip_prefix("O ").map(|rest| format!("O{rest}"));
        readings.push(irish.and_then(|name| Person::parse(&name)));
        let mut people: Vec<Person> = readings.into_iter().flatten().collect();
        people.dedup();
        people
    }

    fn of_words(words: &[Raw<'_>], split_initials: bool) -> Option<Person> {
        let is_name = |word: &&Raw<'_>| !word.aside;
        let has_given = words.iter().filter(is_name).any(|word| word.given);
        let comma = has_given && words.iter().filter(is_name).any(|word| !word.given);
        let (words, generation) = without_additions(words, comma);
        let roles = match comma {
            true => roles_by_comma(&words),
            false => roles_by_order(&words, generation.is_some()),
        };
        let small = |word: &Raw<'_>| word.text.bytes().any(|letter| letter.is_ascii_lowercase());
        let mixed = words.iter().any(small);
        let mut person = Person { words: Vec::new(), comma, generation };
        for (word, role) in words.iter().zip(roles) {
            let capitals = role == Role::Given && word.is_joined_initials(mixed);
            let initial = capitals || word.is_initial();
            if capitals && split_initials {
                for at in 0..word.text.len() {
                    let letter = word.text.get(at..=at).unwrap_or_default();
                    person.push(word, letter, role, (initial, false));
                }
            } else {
                person.push(word, word.text, role, (initial, capitals));
            }
        }
        (!person.words.is_empty()).then_some(person)
    }

    fn push(&mut self, raw: &Raw<'_>, text: &str, role: Role, (initial, capitals): (bool, bool)) {
        let letters = Letters::new(text);
        let (joined, open) = (raw.joined, raw.open);
        self.words.push(Word { letters, role, initial, capitals, joined, open });
    }

    /// Iterates over the words that can be the surname.
    pub(crate) fn surnames(&self) -> impl Iterator<Item = &str> {
        self.surname_letters().map(|letters| &*letters.text)
    }

    pub(crate) fn surname_letters(&self) -> impl Iterator<Item = &Letters> {
        self.words.iter().filter(|word| word.is_family()).map(|word| &word.letters)
    }

    /// Returns whether every name that this one is in has a run of letters [alike](Letters::are_alike) to one
    /// of the surnames.
    pub(crate) fn needs_surname(&self) -> bool {
        let is_run = |text: &str| text.bytes().all(|letter| letter.is_ascii_alphabetic());
        let mut surnames = self.words.iter().filter(|word| word.is_family());
        surnames.all(|word| !word.open && is_run(&word.letters.text))
    }

    /// Iterates over the words that can be given names.
    pub(crate) fn given_letters(&self) -> impl Iterator<Item = &Letters> {
        self.words.iter().filter(|word| word.is_given()).map(|word| &word.letters)
    }

    /// Iterates over the words that are given names and cannot be the surname.
    pub(crate) fn certain_given_letters(&self) -> impl Iterator<Item = &Letters> {
        self.words.iter().filter(|word| word.role == Role::Given).map(|word| &word.letters)
    }

    /// Returns whether `name` can be of the person that this name asks for.
    pub(crate) fn is_in(&self, name: &Person) -> bool {
        self.compare(name, Comparison::Search)
    }

    /// Returns whether both names can belong to one person.
    ///
    /// ```
    /// use names::Person;
    ///
    /// let could_be = |one, other| Some(Person::parse(one)?.could_be(&Person::parse(other)?));
    /// assert_eq!(could_be("Kortschnoj, Viktor", "Korchnoi,V"), Some(true));
    /// assert_eq!(could_be("Petrosian, Tigran V", "Petrosian,TL"), Some(false));
    /// ```
    #[must_use]
    pub fn could_be(&self, other: &Person) -> bool {
        self.compare(other, Comparison::Identity) || other.compare(self, Comparison::Identity)
    }

    fn compare(&self, name: &Person, comparison: Comparison) -> bool {
        let generations = self.generation.zip(name.generation);
        if generations.is_some_and(|(one, other)| one != other) || self.has_other_particles(name) {
            return false;
        }
        let is_own = |own: &usize| self.words.get(*own).is_some_and(|own| own.is_family());
        let mut owns = (0..self.words.len()).filter(is_own);
        owns.any(|own| {
            (0..name.words.len()).any(|at| {
                let pairing = Pairing { asked: self, name, surname: (own, at), comparison };
                pairing.has_surname() && pairing.has_all_surnames() && pairing.has_given_names()
            })
        })
    }

    /// Returns whether both names have particles, and none in common.
    fn has_other_particles(&self, name: &Person) -> bool {
        fn particles(person: &Person) -> impl Iterator<Item = &Letters> {
            let words = person.words.iter().filter(|word| word.role == Role::Particle);
            words.map(|word| &word.letters)
        }
        particles(self).next().is_some()
            && particles(name).next().is_some()
            && !particles(self).any(|own| particles(name).any(|other| own.text == other.text))
    }
}

impl Word {
    fn is_family(&self) -> bool {
        matches!(self.role, Role::Surname | Role::Either)
    }

    fn is_given(&self) -> bool {
        matches!(self.role, Role::Given | Role::Either)
    }

    /// `Nakamura,Hi` is `Nakamura, Hikaru`: an initial, or the beginning of a given name.
    fn is_beginning(&self) -> bool {
        self.initial || self.role == Role::Given && self.letters.text.len() > 1
    }
}

/// Two names that are compared under the assumption that two of their words are the surname.
struct Pairing<'a> {
    asked: &'a Person,
    name: &'a Person,
    /// The places of the surname in each.
    surname: (usize, usize),
    comparison: Comparison,
}

impl<'a> Pairing<'a> {
    fn has_surname(&self) -> bool {
        let (own, at) = self.surname;
        let words = self.asked.words.get(own).zip(self.name.words.get(at));
        words.is_some_and(|(own, name)| match own.open {
            true => name.letters.text.starts_with(&*own.letters.text),
            false => name.is_family() && own.letters.are_alike(&name.letters),
        })
    }

    /// The words of a name but its surname.
    fn others(person: &'a Person, surname: usize) -> impl Iterator<Item = (usize, &'a Word)> {
        person.words.iter().enumerate().filter(move |(at, _)| *at != surname)
    }

    /// Returns whether the other surnames are in the name. `Vallejo Pons, F` is `Vallejo,F` too, but
    /// a half of `Vachier-Lagrave` is not enough.
    fn has_all_surnames(&self) -> bool {
        let (own, at) = self.surname;
        let is_surname = |(_, word): &(usize, &Word)| word.role == Role::Surname;
        let has_one = !Pairing::others(self.name, at).any(|word| is_surname(&word));
        let is_there = |word: &Word| {
            let can_be = |name: &Word| name.is_family() || !self.name.comma;
            Pairing::others(self.name, at).any(|(_, it)| can_be(it) && word.is_in_full(it))
        };
        Pairing::others(self.asked, own)
            .filter(is_surname)
            .all(|(place, word)| is_there(word) || has_one && place > own && !word.joined)
    }

    /// Returns whether the surname is the one that goes with given names: `Garcia, J` is not
    /// `Diaz Garcia,J`.
    fn is_main_surname(&self) -> bool {
        let (_, at) = self.surname;
        let Some(before) = at.checked_sub(1).and_then(|before| self.name.words.get(before)) else {
            return true;
        };
        let is_joined = self.name.words.get(at).is_some_and(|word| word.joined);
        before.role != Role::Surname || is_joined || self.is_in_asked(before)
    }

    fn is_in_asked(&self, name: &Word) -> bool {
        self.asked.words.iter().any(|word| word.is_in_full(name))
    }

    fn has_given_names(&self) -> bool {
        let (own, at) = self.surname;
        let is_given = |(_, word): &(usize, &Word)| word.is_given();
        let asked: Vec<_> = Pairing::others(self.asked, own).filter(is_given).collect();
        let is_name = |(_, word): &(usize, &Word)| word.role != Role::Number;
        let names: Vec<_> = Pairing::others(self.name, at).filter(is_name).collect();
        if !self.has_numbers() || !asked.is_empty() && !self.is_main_surname() {
            return false;
        }
        let given: Vec<_> = names.iter().copied().filter(is_given).collect();
        let first = |words: &[(usize, &Word)]| words.first().map(|(place, _)| *place);
        let first = first(&asked).zip(first(&given));
        if has_partners(&asked, &names, |one, other| self.fits(one, other, first))
            || is_split_otherwise(&asked, &given)
        {
            return true;
        }
        // The name is shorter.
        let may_be_shorter = !given.is_empty() || self.comparison == Comparison::Identity;
        let is_asked =
            |(_, word): &(usize, &Word)| word.role != Role::Surname || self.is_in_asked(word);
        may_be_shorter
            && given.len() < asked.len()
            && names.iter().all(is_asked)
            && has_partners(&given, &asked, |other, one| {
                // The `A` of `Lars A` is not `Armin`.
                self.fits(one, other, first.filter(|_| one.1.initial))
            })
    }

    fn has_numbers(&self) -> bool {
        let (own, at) = self.surname;
        let is_number = |(_, word): &(usize, &Word)| word.role == Role::Number;
        Pairing::others(self.asked, own).filter(is_number).all(|(_, word)| {
            let mut numbers = Pairing::others(self.name, at).filter(is_number);
            numbers.any(|(_, name)| name.letters.text.starts_with(&*word.letters.text))
        })
    }

    /// Returns whether a given name that is asked for can be this word of the name. `first` has the
    /// places of the first given name in each: `Smith, J` is not `Smith, Fred J`.
    fn fits(
        &self,
        (place, word): (usize, &Word),
        (at, name): (usize, &Word),
        first: Option<(usize, usize)>,
    ) -> bool {
        if !name.is_given() {
            return !self.asked.comma && word.is_in_full(name);
        }
        let in_place = first.is_none_or(|(own, other)| (own == place) == (other == at));
        let is_in_full = !word.initial && word.is_in_full(name);
        let is_shorter = word.letters.begins(&name.letters);
        let is_longer = name.is_beginning() && !word.capitals && name.letters.begins(&word.letters);
        is_in_full || in_place && (is_shorter || is_longer)
    }
}

/// `Ngoc Truongson` is `Ngoc Truong Son`.
fn is_split_otherwise(asked: &[(usize, &Word)], given: &[(usize, &Word)]) -> bool {
    fn letters<'a>(words: &'a [(usize, &Word)]) -> impl Iterator<Item = u8> + 'a {
        words.iter().flat_map(|(_, word)| word.letters.text.bytes())
    }
    asked.len() != given.len()
        && letters(asked).nth(SHORTEST_SPLIT).is_some()
        && letters(asked).eq(letters(given))
}

impl Word {
    fn is_in_full(&self, name: &Word) -> bool {
        match self.open {
            true => name.letters.text.starts_with(&*self.letters.text),
            false => self.letters.are_alike(&name.letters),
        }
    }
}

/// Returns whether each word has a partner of its own among the others. Maximum bipartite matching by
/// augmenting paths.
fn has_partners<'a>(
    words: &[(usize, &'a Word)],
    others: &[(usize, &'a Word)],
    fits: impl Fn((usize, &'a Word), (usize, &'a Word)) -> bool,
) -> bool {
    let mut partners: Vec<Option<usize>> = vec![None; others.len()];
    words.len() <= others.len()
        && (0..words.len()).all(|word| {
            let mut seen = vec![false; others.len()];
            let fits = |word: usize, other: usize| {
                let pair = words.get(word).zip(others.get(other));
                pair.is_some_and(|(word, other)| fits(*word, *other))
            };
            augment(word, &mut partners, &mut seen, &fits)
        })
}

/// Finds a partner for a word. Takes over another word's partner if that word finds a new one. The
/// recursion depth is bounded by the words of a name.
fn augment(
    word: usize,
    partners: &mut [Option<usize>],
    seen: &mut [bool],
    fits: &impl Fn(usize, usize) -> bool,
) -> bool {
    for other in 0..partners.len() {
        let is_new = seen.get(other).is_some_and(|seen| !seen);
        if !is_new || !fits(word, other) {
            continue;
        }
        if let Some(seen) = seen.get_mut(other) {
            *seen = true;
        }
        let is_free = match partners.get(other).copied().flatten() {
            None => true,
            Some(rival) => augment(rival, partners, seen, fits),
        };
        if is_free {
            if let Some(partner) = partners.get_mut(other) {
                *partner = Some(word);
            }
            return true;
        }
    }
    false
}

/// Folds a name, and joins its apostrophes: `OKelly`.
fn folded(name: &str) -> Cow<'_, str> {
    let mut folded = if name.is_ascii() { Cow::Borrowed(name) } else { Cow::Owned(fold(name)) };
    if folded.contains('\'') {
        let mut joined = String::with_capacity(folded.len());
        let mut letters = folded.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_within = joined.ends_with(|last: char| last.is_ascii_alphabetic())
                && letters.peek().is_some_and(char::is_ascii_alphabetic);
            if letter != '\'' || !is_within {
                joined.push(letter);
            }
        }
        folded = Cow::Owned(joined);
    }
    folded
}

/// Splits a folded name into runs of letters and of digits.
fn raw_words(text: &str) -> Vec<Raw<'_>> {
    let mut words = Vec::new();
    let (mut given, mut depth, mut joined) = (false, 0u32, false);
    let mut rest = text;
    while let (Some(first), true) = (rest.bytes().next(), words.len() < MAX_WORDS) {
        let is_digit = first.is_ascii_digit();
        let is_word = |byte: &u8| match is_digit {
            true => byte.is_ascii_digit(),
            false => byte.is_ascii_alphabetic(),
        };
        let length = rest.bytes().take_while(is_word).count();
        if length == 0 {
            let after = rest.get(1..).unwrap_or_default();
            match first {
                b'(' | b'[' => depth = depth.saturating_add(1),
                b')' | b']' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => given = true,
                _ => {}
            }
            let begins_word = after.starts_with(|next: char| next.is_ascii_alphabetic());
            joined = first == b'-' && begins_word && joined;
            rest = after;
            continue;
        }
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let (dotted, open) = (after.starts_with('.'), after.starts_with('*'));
        words.push(Raw {
            text,
            given,
            dotted,
            joined: joined && !is_digit,
            aside: depth > 0,
            open,
        });
        joined = !is_digit;
        rest = after;
    }
    words
}

/// Takes titles and generations from a name, if a name is left.
fn without_additions<'a>(words: &[Raw<'a>], comma: bool) -> (Vec<Raw<'a>>, Option<u8>) {
    let names = || words.iter().filter(|word| !word.aside && !word.is_number());
    let in_part = |given: bool| names().filter(|word| !comma || word.given == given).count();
    let mut generation = None;
    let mut kept = Vec::with_capacity(words.len());
    for (number, word) in words.iter().enumerate() {
        let is_given = comma && word.given;
        let is_alone = is_given && in_part(true) == 1;
        let is_spared = word.aside || !is_given && in_part(false) == 1;
        // Capitals after a surname alone are initials: `Smith, CM`.
        let is_title = TITLES.contains(&word.text)
            && !(is_alone && word.text.bytes().all(|letter| letter.is_ascii_uppercase()));
        let is_last = is_alone || !comma && in_part(false) == 2;
        let suffix = match number > 0 && (is_given || !comma) {
            true => word.generation(words, is_last),
            false => None,
        };
        if !is_spared && (is_title || suffix.is_some()) {
            generation = generation.or(suffix);
        } else {
            kept.push(*word);
        }
    }
    (kept, generation)
}

fn roles_by_comma(words: &[Raw<'_>]) -> Vec<Role> {
    // `Capablanca y Graupera, Jose Raul`
    let is_family = |word: &&Raw<'_>| !word.given && !word.aside && !word.is_number();
    let is_within = words.iter().filter(is_family).count() > 2;
    let is_name = |word: &Raw<'_>| !word.is_particle(is_within && !word.given);
    let has_long = words.iter().filter(is_family).any(|word| is_name(word) && word.text.len() > 1);
    let has_name = words.iter().filter(is_family).any(is_name);
    let alone = words.iter().filter(|word| word.given && !word.is_number()).count() == 1;
    let role = |word: &Raw<'_>| match word.given {
        _ if word.aside => Role::Aside,
        _ if word.is_number() && (has_name || word.given) => Role::Number,
        false if has_name && !is_name(word) => Role::Particle,
        // `M. Adams, England`
        false if has_long && word.text.len() == 1 => Role::Given,
        false => Role::Surname,
        // `Ivanov,Al` has a short given name, `Ali,al` a particle.
        true if alone && word.is_short_given() => Role::Given,
        true if word.is_particle(false) => Role::Particle,
        true => Role::Given,
    };
    words.iter().map(role).collect()
}

/// `has_generation`: the last name is the surname, as in `Rogelio Antonio Jr`.
fn roles_by_order(words: &[Raw<'_>], has_generation: bool) -> Vec<Role> {
    let count = words.len();
    let is_particle = |number: usize| {
        let is_within = number > 0 && number.saturating_add(1) < count;
        words.get(number).is_some_and(|word| word.is_particle(is_within))
    };
    let is_name = |number: usize, word: &Raw<'_>| {
        !word.aside && !word.is_number() && !is_particle(number) && !word.is_initial()
    };
    let names: Vec<usize> =
        words.iter().enumerate().filter(|(n, word)| is_name(*n, word)).map(|(n, _)| n).collect();
    let (Some(first), Some(last)) = (names.first().copied(), names.last().copied()) else {
        return words.iter().map(|_| Role::Either).collect();
    };
    let mut roles = Vec::with_capacity(count);
    for (number, word) in words.iter().enumerate() {
        let after_particle = number.checked_sub(1).is_some_and(is_particle);
        roles.push(match (is_name(number, word), is_particle(number)) {
            _ if word.aside => Role::Aside,
            _ if word.is_number() => Role::Number,
            (true, _) if number == first || number == last || after_particle => Role::Either,
            (true, _) => Role::Given,
            // `Le Quang Liem`
            (false, true) if number == 0 => Role::Either,
            (false, true) => Role::Particle,
            (false, false) => Role::Given,
        });
    }
    // A word joined by a hyphen to the surname is part of it.
    for number in 1..count {
        let joined = words.get(number).is_some_and(|word| word.joined);
        let pair = number.checked_sub(1).and_then(|before| roles.get_mut(before..=number));
        if let (true, Some([one, other])) = (joined, pair)
            && (*one == Role::Either || *other == Role::Either)
        {
            (*one, *other) = (Role::Either, Role::Either);
        }
    }
    let is_given = |number: usize| {
        words.get(number).is_some_and(|word| is_given_name(word.text))
            && !(has_generation && number == last)
    };
    let either = |roles: &[Role], number: usize| roles.get(number) == Some(&Role::Either);
    if names.iter().any(|number| either(&roles, *number) && !is_given(*number)) {
        for number in names.iter().copied().filter(|number| is_given(*number)) {
            if let Some(role) = roles.get_mut(number) {
                *role = Role::Given;
            }
        }
    }
    roles
}

/// Splits the name of a team or of consulting partners: `Kasparov G + team`, `Euwe - Geus, K.`
pub(crate) fn people(folded: &str) -> impl Iterator<Item = &str> {
    let parts = folded.split(['+', '&', '/', ';', ':']);
    parts.flat_map(|part| part.split(" - ")).filter(|part| !part.trim().is_empty())
}
