//! Parses names of people: surname, given names and initials.
//!
//! A comma in a name ends the surname: `Adams, M`. Without one, the first or the last word can be
//! the surname: `Ding Liren`, `Magnus Carlsen`. A common given name is not taken for the surname if
//! another word can be the surname.
//!
//! Two names [match](Person::is_in) if a surname of one is a surname of the other in full, and every
//! further word has a partner. Only a given name can have an initial as its partner, so that an
//! initial never stands for a surname.

use super::given::is_given_name;

/// A parsed name in ASCII letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    words: Vec<Word>,
    /// Whether a comma separates the surname.
    comma: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    /// In lower case.
    text: String,
    role: Role,
    /// One letter, or a short word with a full stop: `M`, `Yu.`
    initial: bool,
}

/// The role that a word of a name can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Surname,
    Given,
    /// A surname or a given name.
    Either,
    /// `van`, `de`, `Jr`, `GM`: no name by itself.
    Particle,
}

/// How two words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// A given name of the query may be a prefix: `Adams, Mi`.
    Search,
    /// Words must be equal, or one must be the initial of the other.
    Identity,
}

const PARTICLES: &[&str] = &[
    "af", "al", "av", "bin", "ben", "da", "das", "de", "del", "della", "den", "der", "des", "di",
    "do", "dos", "du", "el", "ibn", "la", "las", "le", "los", "ten", "ter", "van", "vd", "ver",
    "vom", "von", "zu", "zum", "zur",
];
const SUFFIXES: &[&str] = &["jr", "sr", "ii", "iii", "iv"];
/// Suffixes that are names, too: `Xu Jun`, `Amartya Sen`.
const NAMES_OR_SUFFIXES: &[&str] = &["jun", "sen"];
const TITLES: &[&str] = &[
    "GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "LM", "Dr", "DR", "Prof", "Mr",
    "Mrs", "Ms",
];
/// Words of a name beyond this number are ignored.
const MOST_WORDS: usize = 64;
/// Maximum length of an abbreviation with a full stop.
const LONGEST_INITIAL: usize = 3;

/// A word of a text, with its context.
struct Raw<'a> {
    text: &'a str,
    /// The word follows a comma.
    given: bool,
    dotted: bool,
    /// A hyphen joins the word to the word before.
    joined: bool,
    apostrophe: bool,
}

impl Raw<'_> {
    fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| word.eq_ignore_ascii_case(self.text))
    }

    /// `van`, and the `y` of `Capablanca y Graupera`.
    fn is_particle(&self, is_within: bool) -> bool {
        self.is_one_of(PARTICLES) || is_within && matches!(self.text, "y" | "e") && !self.dotted
    }

    /// `Jr`, `III`; `jun` only with a full stop or a small letter, because `Jun` is a name.
    /// Capitals after a surname alone are initials: `Capablanca, JR`.
    fn is_suffix(&self, words: &[Raw<'_>], is_alone: bool) -> bool {
        let has =
            |test: fn(&u8) -> bool| words.iter().any(|word| word.text.bytes().any(|b| test(&b)));
        let mixed = has(u8::is_ascii_lowercase);
        let capitals = self.text.bytes().all(|letter| letter.is_ascii_uppercase());
        let small = self.text.starts_with(|letter: char| letter.is_ascii_lowercase());
        if self.is_one_of(NAMES_OR_SUFFIXES) {
            return self.dotted || small && has(u8::is_ascii_uppercase);
        }
        self.is_one_of(SUFFIXES) && !(is_alone && capitals && mixed && !self.dotted)
    }

    fn is_initial(&self) -> bool {
        let letters = self.text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let short = self.text.len() == 1 || self.dotted && self.text.len() <= LONGEST_INITIAL;
        letters && short && !self.apostrophe
    }

    /// `MA` for `M. A.`: capitals in a name that has small letters, or nothing that could be spoken.
    fn is_joined_initials(&self, mixed: bool) -> bool {
        let letters = self.text.as_bytes();
        let capitals = mixed && letters.iter().all(u8::is_ascii_uppercase);
        let vowel = |letter: &u8| b"aeiouy".contains(&letter.to_ascii_lowercase());
        let silent = letters.iter().all(|letter| letter.is_ascii_alphabetic() && !vowel(letter));
        matches!(letters.len(), 2 | 3) && !self.dotted && (capitals || silent)
    }
}

impl Person {
    /// Parses a folded name; `None` if it has no words.
    pub(crate) fn parse(folded: &str) -> Option<Person> {
        Person::of_words(&raw_words(folded), true)
    }

    /// Like [`parse`](Person::parse), but joined initials are one word: `MA` for `Magnus`.
    pub(crate) fn parse_whole_words(folded: &str) -> Option<Person> {
        Person::of_words(&raw_words(folded), false)
    }

    fn of_words(words: &[Raw<'_>], split_initials: bool) -> Option<Person> {
        let has_given = words.iter().any(|word| word.given);
        let comma = has_given && words.iter().any(|word| !word.given);
        let roles = if comma { roles_by_comma(words) } else { roles_by_order(words) };
        let small = |word: &Raw<'_>| word.text.bytes().any(|letter| letter.is_ascii_lowercase());
        let mixed = words.iter().any(small);
        let mut person = Person { words: Vec::new(), comma };
        for (word, role) in words.iter().zip(roles) {
            let joined = role == Role::Given && word.is_joined_initials(mixed);
            if joined && split_initials {
                for letter in word.text.chars() {
                    person.push(&letter.to_string(), role, true);
                }
            } else {
                person.push(word.text, role, joined || word.is_initial());
            }
        }
        (!person.words.is_empty()).then_some(person)
    }

    fn push(&mut self, text: &str, role: Role, initial: bool) {
        self.words.push(Word { text: text.to_ascii_lowercase(), role, initial });
    }

    /// The first word besides the surname that can be a given name.
    fn first_given(&self, surname: usize) -> Option<usize> {
        let mut words = self.words.iter().enumerate();
        words.find(|(at, word)| *at != surname && word.is_given()).map(|(at, _)| at)
    }

    /// Whether a comma separates the surname.
    pub(crate) fn has_comma(&self) -> bool {
        self.comma
    }

    /// Returns whether the name has several words and one is an initial.
    pub(crate) fn has_initials(&self) -> bool {
        self.words.len() > 1 && self.words.iter().any(|word| word.initial)
    }

    /// Iterates over the words that can be the surname.
    pub(crate) fn surnames(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| word.is_family()).map(|word| &*word.text)
    }

    /// Returns whether every word of this name has a partner in the other name.
    pub(crate) fn is_in(&self, other: &Person, comparison: Comparison) -> bool {
        let pairs = self.words.iter().enumerate().filter(|(_, word)| word.is_family());
        { pairs }.any(|(own, word)| {
            let mut names = other.words.iter().enumerate();
            names.any(|(at, name)| {
                let first_given = self.first_given(own).zip(other.first_given(at));
                let matching = Matching { query: self, name: other, comparison, first_given };
                name.is_family() && name.text == word.text && matching.is_complete(own, at)
            })
        })
    }

    /// Returns whether both names can belong to one person: the words of the shorter name are in
    /// the longer.
    pub(crate) fn agrees(&self, other: &Person) -> bool {
        if self.words.len() <= other.words.len() {
            self.is_in(other, Comparison::Identity)
        } else {
            other.is_in(self, Comparison::Identity)
        }
    }
}

impl Word {
    fn is_family(&self) -> bool {
        matches!(self.role, Role::Surname | Role::Either)
    }

    fn is_given(&self) -> bool {
        matches!(self.role, Role::Given | Role::Either)
    }
}

/// Matches the other words of two names whose surnames agree: each word of one needs its own
/// partner in the other.
struct Matching<'a> {
    query: &'a Person,
    name: &'a Person,
    comparison: Comparison,
    /// The first given name of each.
    first_given: Option<(usize, usize)>,
}

impl Matching<'_> {
    /// Maximum bipartite matching by augmenting paths, with one pair fixed.
    fn is_complete(&self, own: usize, at: usize) -> bool {
        let mut partner: Vec<Option<usize>> = vec![None; self.name.words.len()];
        if let Some(slot) = partner.get_mut(at) {
            *slot = Some(own);
        }
        (0..self.query.words.len()).all(|word| {
            let mut seen = vec![false; partner.len()];
            if let Some(seen) = seen.get_mut(at) {
                *seen = true;
            }
            word == own || self.augment(word, &mut partner, &mut seen)
        })
    }

    /// Finds a partner for a word. Takes over another word's partner if that word finds a new one.
    /// The recursion depth is bounded by the words of the query.
    fn augment(&self, word: usize, partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for at in 0..partner.len() {
            let is_new = seen.get(at).is_some_and(|seen| !seen);
            if !is_new || !self.fits(word, at) {
                continue;
            }
            if let Some(seen) = seen.get_mut(at) {
                *seen = true;
            }
            let free = match partner.get(at).copied().flatten() {
                None => true,
                Some(other) => self.augment(other, partner, seen),
            };
            if free {
                if let Some(slot) = partner.get_mut(at) {
                    *slot = Some(word);
                }
                return true;
            }
        }
        false
    }

    /// Returns whether a word of the query can be paired with this word of the name.
    fn fits(&self, number: usize, at: usize) -> bool {
        let (query, name) = (self.query.words.get(number), self.name.words.get(at));
        let (Some(word), Some(name)) = (query, name) else { return false };
        let equal = word.text == name.text;
        let begins = name.text.starts_with(&*word.text);
        let is_initial_of = name.initial && word.text.starts_with(&*name.text);
        let given = word.is_given() && name.is_given();
        // `Smith, J` is not `Smith, Fred J`.
        let in_place = self.first_given.is_none_or(|(one, other)| one != number || other == at);
        match (word.role, self.comparison) {
            (Role::Particle, _) => equal,
            (Role::Surname, _) => equal && (name.is_family() || !self.name.comma),
            (_, Comparison::Identity) => {
                equal || given && (word.initial && begins || is_initial_of)
            }
            (_, Comparison::Search) if word.initial => given && begins && in_place,
            (Role::Given, _) if self.query.comma => given && (begins || is_initial_of),
            (_, Comparison::Search) => begins || given && is_initial_of,
        }
    }
}

/// Splits a name into runs of letters and digits. Skips text in brackets.
fn raw_words(text: &str) -> Vec<Raw<'_>> {
    let mut words = Vec::new();
    let (mut given, mut depth, mut joined) = (false, 0u32, false);
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length == 0 {
            let after = rest.get(1..).unwrap_or_default();
            match first {
                b'(' | b'[' => depth = depth.saturating_add(1),
                b')' | b']' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => given = true,
                _ => {}
            }
            let begins_word = after.starts_with(|next: char| next.is_ascii_alphanumeric());
            joined = first == b'-' && begins_word && joined;
            rest = after;
            continue;
        }
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if depth == 0 && words.len() < MOST_WORDS {
            let apostrophe = text.len() == 1
                && after.starts_with('\'')
                && after
                    .get(1..)
                    .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphabetic()));
            words.push(Raw { text, given, dotted: after.starts_with('.'), joined, apostrophe });
        }
        joined = true;
        rest = after;
    }
    words
}

fn roles_by_comma(words: &[Raw<'_>]) -> Vec<Role> {
    // `Capablanca y Graupera, Jose Raul`
    let is_within = words.iter().filter(|word| !word.given).count() > 2;
    let is_name = |word: &Raw<'_>| !word.is_particle(is_within && !word.given) && !word.apostrophe;
    let has_long = words.iter().any(|w| !w.given && is_name(w) && w.text.len() > 1);
    let has_name = words.iter().any(|w| !w.given && is_name(w));
    let alone = words.iter().filter(|word| word.given).count() == 1;
    let role = |word: &Raw<'_>| match word.given {
        false if has_name && !is_name(word) => Role::Particle,
        // `M. Adams, England`
        false if has_long && word.text.len() == 1 => Role::Given,
        false => Role::Surname,
        true if word.is_particle(false) || word.is_suffix(words, alone) => Role::Particle,
        true if TITLES.contains(&word.text) => Role::Particle,
        true => Role::Given,
    };
    words.iter().map(role).collect()
}

fn roles_by_order(words: &[Raw<'_>]) -> Vec<Role> {
    let count = words.len();
    let is_aside = |number: usize, word: &Raw<'_>| {
        let is_title = number == 0 && count > 1 && TITLES.contains(&word.text);
        let is_suffix = number > 0 && word.is_suffix(words, count == 2);
        is_title || is_suffix || word.apostrophe
    };
    let is_particle = |number: usize| {
        let is_within = number > 0 && number.saturating_add(1) < count;
        words.get(number).is_some_and(|word| word.is_particle(is_within))
    };
    let is_name = |number: usize, word: &Raw<'_>| {
        !is_aside(number, word) && !is_particle(number) && !word.is_initial()
    };
    let names: Vec<usize> =
        words.iter().enumerate().filter(|(n, word)| is_name(*n, word)).map(|(n, _)| n).collect();
    let (Some(first), Some(last)) = (names.first().copied(), names.last().copied()) else {
        return words.iter().map(|_| Role::Either).collect();
    };
    let mut roles = Vec::with_capacity(count);
    for (number, word) in words.iter().enumerate() {
        let apostrophe = |before: usize| words.get(before).is_some_and(|word| word.apostrophe);
        let before = number.checked_sub(1);
        let after_particle = before.is_some_and(|before| is_particle(before) || apostrophe(before));
        roles.push(match (is_name(number, word), is_particle(number)) {
            (true, _) if number == first || number == last || after_particle => Role::Either,
            (true, _) => Role::Given,
            // `Le Quang Liem`
            (false, true) if number == 0 => Role::Either,
            (false, true) => Role::Particle,
            (false, false) if is_aside(number, word) => Role::Particle,
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
    let is_given = |number: usize| words.get(number).is_some_and(|word| is_given_name(word.text));
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

/// Returns whether a name lists several people.
pub(crate) fn is_team(folded: &str) -> bool {
    people(folded).nth(1).is_some()
}
