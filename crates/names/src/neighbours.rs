//! Finds the names of a base that resemble a name which was asked for.

use crate::fold::{Letters, fold, letters_of};
use crate::person::Person;
use crate::{Identity, People, Text, TextError};

/// The names that resemble a name, as a search over the names of a base finds them.
#[derive(Clone, Debug)]
pub struct Neighbours {
    text: Text,
    asked: Vec<Person>,
    /// The words that can be the surname, each with its letters.
    surnames: Vec<(Letters, u64)>,
    games: u64,
    /// Distance, name and games, the nearest first once there are more than [`MAX_KEPT`].
    near: Vec<(usize, String, u64)>,
}

/// The most names that are kept.
const MAX_KEPT: usize = 256;
/// The distance of a longer surname, and of a name whose given name was asked for alone.
const LONGER: usize = 2;
const GIVEN_ALONE: usize = 3;
/// The shortest beginning of a surname that counts.
const SHORTEST_BEGINNING: usize = 3;

/// Returns how many letters of a word of this length can be wrong.
fn most_wrong(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    }
}

impl Neighbours {
    /// Creates a search for names that resemble `name`. `text` is the search for the name itself.
    ///
    /// # Errors
    /// [`TextError`] if `name` has no words.
    pub fn new(name: &str, text: Text) -> Result<Neighbours, TextError> {
        let asked = Person::readings(name);
        let surnames = asked.iter().flat_map(Person::surnames);
        let surnames: Vec<_> =
            surnames.map(|word| (Letters::new(word), letters_of(word))).collect();
        if surnames.is_empty() {
            return Err(TextError::NoWord(name.to_owned()));
        }
        Ok(Neighbours { text, asked, surnames, games: 0, near: Vec::new() })
    }

    /// Adds a name of the base, with its games.
    pub fn add(&mut self, name: &str, games: u64) {
        if self.text.is_in(name) {
            self.games += games;
        } else if let Some(distance) = self.distance(name) {
            self.near.push((distance, name.to_owned(), games));
            if self.near.len() > 2 * MAX_KEPT {
                self.keep_nearest();
            }
        }
    }

    /// Returns the number of games of the name itself.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the people whose names are nearest, with their games. Of several at one distance, those with
    /// the most games come first.
    #[must_use]
    pub fn nearest(mut self) -> Vec<Identity> {
        self.keep_nearest();
        let Some(first) = self.near.first().map(|(distance, ..)| *distance) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for distance in first..=first.saturating_add(1) {
            let mut people = People::new();
            for (_, name, games) in self.near.iter().filter(|(own, ..)| *own == distance) {
                people.add_name(name, None, (None, None), *games);
            }
            all.extend(people.identities().people);
        }
        all
    }

    fn keep_nearest(&mut self) {
        let key = |(distance, name, games): &(usize, String, u64)| {
            (*distance, u64::MAX - games, name.clone())
        };
        self.near.sort_by_cached_key(key);
        self.near.truncate(MAX_KEPT);
    }

    fn distance(&self, name: &str) -> Option<usize> {
        let folded = fold(name);
        if !self.may_be_near(&folded) {
            return None;
        }
        let stored = Person::parse(&folded)?;
        self.asked.iter().filter_map(|asked| between(asked, &stored)).min()
    }

    /// Rules most names out before their words are compared.
    fn may_be_near(&self, folded: &str) -> bool {
        let words = folded.split(|letter: char| !letter.is_ascii_alphabetic());
        let mut words = words.filter(|word| word.len() >= SHORTEST_BEGINNING);
        words.any(|word| {
            let letters = letters_of(word);
            self.surnames.iter().any(|(surname, own)| {
                let most = most_wrong(surname.text.len());
                let lacks = |one: u64, other: u64| (one & !other).count_ones() as usize;
                let begins = word
                    .get(..surname.text.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(&surname.text));
                begins || lacks(*own, letters) <= most && lacks(letters, *own) <= most
            })
        })
    }
}

/// Returns the distance of two names, if it is small.
fn between(asked: &Person, stored: &Person) -> Option<usize> {
    let pairs = asked.surname_letters().flat_map(|own| {
        stored.surname_letters().filter_map(move |other| between_surnames(own, other))
    });
    let Some(surname) = pairs.min() else {
        let is_alone = asked.surname_letters().count() == 1 && asked.given_letters().count() <= 1;
        let is_given = |own: &Letters| {
            own.text.len() >= SHORTEST_BEGINNING
                && stored.given_letters().any(|other| own.are_alike(other))
        };
        return (is_alone && asked.surname_letters().any(is_given)).then_some(GIVEN_ALONE);
    };
    let mut given = 0;
    // A word that can be the surname was compared.
    for own in asked.certain_given_letters() {
        let mut others = stored.given_letters().peekable();
        let fits = |other: &Letters| own.begins(other) || other.begins(own);
        given += match others.peek() {
            None => 1,
            Some(_) => others
                .filter_map(|other| if fits(other) { Some(0) } else { wrong_letters(own, other) })
                .min()?,
        };
    }
    Some(surname + given)
}

fn between_surnames(asked: &Letters, stored: &Letters) -> Option<usize> {
    let begins = asked.text.len() >= SHORTEST_BEGINNING && stored.text.starts_with(&asked.text);
    wrong_letters(asked, stored).or(begins.then_some(LONGER))
}

/// Returns how many letters or sounds are wrong, if they are few.
fn wrong_letters(asked: &Letters, stored: &Letters) -> Option<usize> {
    if asked.are_alike(stored) {
        return Some(0);
    }
    let most = most_wrong(asked.text.len());
    let close = asked.text.len().abs_diff(stored.text.len()) <= most;
    let letters = close.then(|| strsim::osa_distance(&asked.text, &stored.text));
    letters.filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [(&str, u64); 9] = [
        ("Kasparov, Garry", 900),
        ("Kasparov,G", 100),
        ("Kasparian, G", 3),
        ("Kasparov, Sergey", 40),
        ("Carlsen, Magnus", 700),
        ("Carlson, P", 2),
        ("Taleb, M", 8),
        ("Tal, Mikhail", 300),
        ("Adams, Michael", 500),
    ];

    fn nearest(name: &str) -> (u64, Vec<(String, u64)>) {
        let mut search = Neighbours::new(name, Text::name(name).unwrap()).unwrap();
        NAMES.iter().for_each(|(name, games)| search.add(name, *games));
        let games = search.games();
        let people = search.nearest().into_iter();
        (games, people.map(|one| (one.names[0].0.clone(), one.games)).collect())
    }

    #[test]
    fn nearest_misspelt_names_have_their_games() {
        for (name, found) in [
            ("kasprov", &[("Kasparov, Garry", 1000), ("Kasparov, Sergey", 40)][..]),
            ("Kasparov, Gary", &[("Kasparov, Garry", 900)]),
            ("Kasparoc, Garri", &[("Kasparov, Garry", 1000)]),
            ("Carlsn, Magnus", &[("Carlsen, Magnus", 700)]),
            ("Karlsen", &[("Carlsen, Magnus", 700), ("Carlson, P", 2)]),
            ("Tahl", &[("Tal, Mikhail", 300)]),
            ("Kasp", &[("Kasparov, Garry", 1000), ("Kasparov, Sergey", 40), ("Kasparian, G", 3)]),
            ("magnus", &[("Carlsen, Magnus", 700)]),
            ("Adams, Mihcael", &[("Adams, Michael", 500)]),
            ("Adams, John", &[]),
            ("Euwe", &[]),
            ("Li", &[]),
        ] {
            let found: Vec<_> =
                found.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect();
            assert_eq!(nearest(name).1, found, "{name}");
        }
    }

    #[test]
    fn games_are_those_of_the_name_itself() {
        assert_eq!(nearest("Carlson"), (2, vec![("Carlsen, Magnus".to_owned(), 700)]));
    }

    #[test]
    fn new_without_words_is_error() {
        assert!(Neighbours::new("?", Text::part("x").unwrap()).is_err());
    }
}
