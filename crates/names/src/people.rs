//! Tells apart the people behind the names of games.
//!
//! 1. A FIDE id is one person, and two ids are two.
//! 2. Names that exclude each other are of two people ([`Person::could_be`]).
//! 3. So are ratings more than [`MAX_RATING_GAP`] apart in one year, with [`MIN_RATED`] games on each side.
//! 4. So are games more than [`MAX_YEARS`] years apart.
//!
//! A name that these rules leave to several people counts for none of them.

use std::collections::{BTreeMap, HashMap};

use chess_core::{Color, Elo, Game};

use crate::fold::{Letters, first_letters, fold};
use crate::person::{Person, people};
use crate::text::fide_id;

/// The largest difference between two ratings that a player can have within a year.
const MAX_RATING_GAP: u16 = 400;
/// Fewer games with a rating may be a typing error.
const MIN_RATED: u64 = 3;
/// The longest career.
const MAX_YEARS: u16 = 80;
/// The most names that are compared, because each is compared with all people.
const MAX_NAMES: usize = 1 << 13;

/// Collects the names of players, with what games say about them.
#[derive(Clone, Debug, Default)]
pub struct People {
    records: HashMap<(Box<str>, Option<u32>), Record>,
    others: u64,
}

/// A person whom games name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity {
    /// The names with their games, the most frequent first.
    pub names: Vec<(String, u64)>,
    /// The FIDE id.
    pub fide_id: Option<u32>,
    /// The number of games.
    pub games: u64,
    /// The first and the last year.
    pub years: Option<(u16, u16)>,
    /// The lowest and the highest rating.
    pub ratings: Option<(u16, u16)>,
}

/// The people behind names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identities {
    /// The people, those with the most games first.
    pub people: Vec<Identity>,
    /// Names that can be of several of these people, and teams, with their games.
    pub unclear: Vec<(String, u64)>,
    /// Games of further names, which were too many to be told apart.
    pub others: u64,
}

/// The facts of the games with a name.
#[derive(Clone, Debug, Default)]
struct Record {
    games: u64,
    /// The games of each year, and how many have each rating.
    years: BTreeMap<Option<u16>, (u64, BTreeMap<u16, u64>)>,
}

/// How a record of several people is divided.
enum Division {
    Rating(u16),
    Year(u16),
}

impl Record {
    fn add(&mut self, year: Option<u16>, elo: Option<u16>, games: u64) {
        self.games += games;
        let (all, ratings) = self.years.entry(year).or_default();
        *all += games;
        if let Some(elo) = elo {
            *ratings.entry(elo).or_default() += games;
        }
    }

    fn merge(&mut self, other: &Record) {
        self.games += other.games;
        for (year, (games, ratings)) in &other.years {
            let (all, own) = self.years.entry(*year).or_default();
            *all += games;
            ratings.iter().for_each(|(elo, games)| *own.entry(*elo).or_default() += games);
        }
    }

    fn known_years(&self) -> impl DoubleEndedIterator<Item = u16> {
        self.years.keys().copied().flatten()
    }

    /// Returns what divides the record, if it cannot be one person's.
    fn division(&self) -> Option<Division> {
        for (_, (_, ratings)) in self.years.iter().filter(|(year, _)| year.is_some()) {
            let rated: u64 = ratings.values().sum();
            let (mut below, mut last) = (0, None);
            for (elo, games) in ratings {
                let gap = last.map_or(0, |last: u16| elo.saturating_sub(last));
                if gap > MAX_RATING_GAP && below >= MIN_RATED && rated - below >= MIN_RATED {
                    return Some(Division::Rating(elo - gap / 2));
                }
                (below, last) = (below + games, Some(*elo));
            }
        }
        let (first, last) = (self.known_years().next()?, self.known_years().next_back()?);
        if last - first <= MAX_YEARS {
            return None;
        }
        let gaps = self.known_years().zip(self.known_years().skip(1));
        gaps.max_by_key(|(one, next)| next - one).map(|(_, next)| Division::Year(next))
    }

    /// Divides the record into records of single people. The last one has the games that may be of any.
    fn divided(self) -> (Vec<Record>, Record) {
        let (mut single, mut unclear, mut rest) = (Vec::new(), Record::default(), vec![self]);
        while let Some(record) = rest.pop() {
            let Some(division) = record.division() else {
                single.push(record);
                continue;
            };
            let mut parts = [Record::default(), Record::default()];
            let [low, high] = &mut parts;
            for (year, (games, ratings)) in record.years {
                let rated: u64 = ratings.values().sum();
                let mut add = |is_high: Option<bool>, elo, games| match is_high {
                    _ if games == 0 => {}
                    Some(true) => high.add(year, elo, games),
                    Some(false) => low.add(year, elo, games),
                    None => unclear.add(year, elo, games),
                };
                let by_year = |from: u16| year.map(|year| year >= from);
                for (elo, games) in ratings {
                    let is_high = match division {
                        Division::Rating(from) => Some(elo >= from),
                        Division::Year(from) => by_year(from),
                    };
                    add(is_high, Some(elo), games);
                }
                let is_high = match division {
                    Division::Rating(_) => None,
                    Division::Year(from) => by_year(from),
                };
                add(is_high, None, games - rated);
            }
            rest.extend(parts);
        }
        (single, unclear)
    }

    fn could_be(&self, other: &Record) -> bool {
        let mut both = self.clone();
        both.merge(other);
        both.division().is_none()
    }
}

/// A name that is compared with people.
struct Name {
    text: Box<str>,
    /// `None` for a team.
    person: Option<Person>,
    /// The first letters of the surnames and of the given names.
    letters: (u64, u64),
    record: Record,
}

impl Name {
    fn new(text: Box<str>, record: Record) -> Name {
        let is_team = people(&fold(&text)).nth(1).is_some();
        let person = Person::parse(&text).filter(|_| !is_team);
        let letters = person.as_ref().map_or((0, 0), |person| {
            let add = |set, word: &Letters| set | first_letters(&word.text);
            (person.surname_letters().fold(0, add), given_names(person).fold(0, add))
        });
        Name { text, person, letters, record }
    }

    fn could_be(&self, other: &Name) -> bool {
        let ((surnames, given), (of_other, given_of_other)) = (self.letters, other.letters);
        surnames & of_other != 0
            && (given == 0 || given_of_other == 0 || given & given_of_other != 0)
            && self.person.as_ref().zip(other.person.as_ref()).is_some_and(|(a, b)| a.could_be(b))
    }

    fn length(&self) -> usize {
        self.person.iter().flat_map(given_names).map(|word| word.text.len()).sum()
    }
}

/// Returns the words that can be given names, if another one can be the surname.
fn given_names(person: &Person) -> impl Iterator<Item = &Letters> {
    let is_alone = person.surname_letters().count() == 1;
    let of_one = is_alone.then(|| person.certain_given_letters()).into_iter().flatten();
    of_one.chain((!is_alone).then(|| person.given_letters()).into_iter().flatten())
}

/// A person while the names are grouped.
#[derive(Default)]
struct Group {
    fide_id: Option<u32>,
    names: Vec<Name>,
    /// All that the names with the id say, or the first name.
    record: Record,
}

impl Group {
    fn could_be(&self, name: &Name) -> bool {
        let known = if self.fide_id.is_some() { usize::MAX } else { 1 };
        self.names.iter().take(known).any(|own| own.could_be(name))
            && self.record.could_be(&name.record)
    }

    fn identity(self) -> Identity {
        let mut identity = Identity { fide_id: self.fide_id, ..Identity::default() };
        let mut all = Record::default();
        for name in self.names {
            all.merge(&name.record);
            let known = identity.names.iter_mut().find(|(text, _)| **text == *name.text);
            match known {
                Some((_, games)) => *games += name.record.games,
                None => identity.names.push((name.text.into(), name.record.games)),
            }
        }
        most_frequent_first(&mut identity.names);
        identity.games = all.games;
        identity.years = all.known_years().next().zip(all.known_years().next_back());
        let ratings = || all.years.values().flat_map(|(_, ratings)| ratings.keys().copied());
        identity.ratings = ratings().min().zip(ratings().max());
        identity
    }
}

fn most_frequent_first(names: &mut [(String, u64)]) {
    names.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
}

impl Identities {
    /// Returns the place among `people` of the only person who has a name, and this rating if one is
    /// known.
    #[must_use]
    pub fn find(&self, name: &str, elo: Option<Elo>) -> Option<usize> {
        let is_own = |person: &Identity| {
            let fits = |elo: Elo| {
                person.ratings.is_none_or(|(low, high)| (low..=high).contains(&elo.get()))
            };
            person.names.iter().any(|(own, _)| own == name) && elo.is_none_or(fits)
        };
        let mut places = (0..).zip(&self.people).filter(|(_, person)| is_own(person));
        let (place, _) = places.next()?;
        places.next().is_none().then_some(place)
    }
}

impl People {
    /// Creates a collection without names.
    #[must_use]
    pub fn new() -> People {
        People::default()
    }

    /// Adds the player with `color` of a game, under the name that the header has.
    pub fn add(&mut self, game: &Game, color: Color) {
        let header = &game.header;
        let (name, elo, id) = match color {
            Color::White => (&header.white, header.white_elo, "WhiteFideId"),
            Color::Black => (&header.black, header.black_elo, "BlackFideId"),
        };
        let id = header.tags.get(id).and_then(|id| fide_id(id.trim()));
        self.add_name(name, id, (header.date.year(), elo), 1);
    }

    /// Adds a number of games with a name: its FIDE id, the year and the rating, as far as they are known.
    pub fn add_name(
        &mut self,
        name: &str,
        fide_id: Option<u32>,
        (year, elo): (Option<u16>, Option<Elo>),
        games: u64,
    ) {
        let is_full = self.records.len() >= MAX_NAMES;
        let key = (Box::from(name), fide_id);
        if is_full && !self.records.contains_key(&key) {
            self.others += games;
        } else {
            self.records.entry(key).or_default().add(year, elo.map(Elo::get), games);
        }
    }

    /// Returns the names that satisfy `test`.
    #[must_use]
    pub fn only(&self, test: impl Fn(&str) -> bool) -> People {
        let fitting = self.records.iter().filter(|((name, _), _)| test(name));
        let records = fitting.map(|(key, record)| (key.clone(), record.clone())).collect();
        People { records, others: self.others }
    }

    /// Groups the names by people.
    ///
    /// ```
    /// use names::People;
    ///
    /// let mut names = People::new();
    /// for (name, games) in [("Polgar, Judit", 2), ("Polgar,Ju", 1), ("Polgar, Sofia", 1), ("Polgar", 1)] {
    ///     names.add_name(name, None, (None, None), games);
    /// }
    /// let found = names.identities();
    /// let people: Vec<_> = found.people.iter().map(|one| (&*one.names[0].0, one.games)).collect();
    /// assert_eq!(people, [("Polgar, Judit", 3), ("Polgar, Sofia", 1)]);
    /// assert_eq!(found.unclear, [("Polgar".to_owned(), 1)]);
    /// ```
    #[must_use]
    pub fn identities(&self) -> Identities {
        let mut unclear: Vec<Name> = Vec::new();
        let (mut groups, mut names): (Vec<Group>, Vec<Name>) = Default::default();
        let mut records: Vec<_> = self.records.iter().collect();
        records.sort_by_key(|(key, _)| *key);
        let mut by_id: HashMap<u32, usize> = HashMap::new();
        for ((text, id), record) in records {
            if let Some(id) = id {
                let place = *by_id.entry(*id).or_insert(groups.len());
                if place == groups.len() {
                    groups.push(Group { fide_id: Some(*id), ..Group::default() });
                }
                if let Some(group) = groups.get_mut(place) {
                    group.record.merge(record);
                    group.names.push(Name::new(text.clone(), record.clone()));
                }
                continue;
            }
            let (single, rest) = record.clone().divided();
            let parts = single.into_iter().chain((rest.games > 0).then_some(rest));
            names.extend(parts.map(|part| Name::new(text.clone(), part)));
        }
        // A shorter name is compared with all longer ones.
        names.sort_by_cached_key(|name| (usize::MAX - name.length(), u64::MAX - name.record.games));
        let mut shorter = Vec::new();
        for name in names {
            match groups.iter().any(|group| group.could_be(&name)) {
                _ if name.person.is_none() => unclear.push(name),
                true => shorter.push(name),
                false => {
                    let record = name.record.clone();
                    groups.push(Group { fide_id: None, names: vec![name], record });
                }
            }
        }
        for name in shorter {
            let fitting = |groups: &[Group], test: &dyn Fn(&Group) -> bool| {
                let mut places = (0..groups.len()).filter(|at| groups.get(*at).is_some_and(test));
                (places.next(), places.next())
            };
            let has_name = |group: &Group| {
                group.names.iter().any(|own| own.text == name.text) && group.could_be(&name)
            };
            let found = match fitting(&groups, &has_name) {
                (None, _) => fitting(&groups, &|group| group.could_be(&name)),
                found => found,
            };
            match (found.0.and_then(|at| groups.get_mut(at)), found.1) {
                (Some(group), None) => group.names.push(name),
                _ => unclear.push(name),
            }
        }
        let mut people: Vec<Identity> = groups.into_iter().map(Group::identity).collect();
        people.sort_by_key(|person| u64::MAX - person.games);
        let mut unclear: Vec<(String, u64)> =
            unclear.into_iter().map(|name| (name.text.into(), name.record.games)).collect();
        most_frequent_first(&mut unclear);
        Identities { people, unclear, others: self.others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen<'a> = (&'a str, Option<u32>, u16, u16, u64);

    /// Groups names with id, year, rating (0 if unknown) and games. Returns name and games of each person.
    /// Names and games of the people, and of the games that fit several.
    fn grouped(seen: &[Seen<'_>]) -> [Vec<(String, u64)>; 2] {
        let mut people = People::new();
        for (name, id, year, elo, games) in seen {
            people.add_name(name, *id, (Some(*year), Elo::new(*elo)), *games);
        }
        let found = people.identities();
        let first = |one: &Identity| (one.names[0].0.clone(), one.games);
        [found.people.iter().map(first).collect(), found.unclear]
    }

    fn names(list: &[(&str, u64)]) -> Vec<(String, u64)> {
        list.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect()
    }

    #[test]
    fn identities_given_names_that_exclude_each_other_are_two() {
        let [people, unclear] = grouped(&[
            ("Petrosian, Tigran V", None, 1960, 0, 9),
            ("Petrosian,TL", None, 2004, 0, 5),
            ("Petrosian, Tigran", None, 1961, 0, 4),
            ("Petrosian,TV", None, 1962, 0, 2),
            ("Petrosian", None, 1962, 0, 1),
            ("Tigran V Petrosian", None, 1963, 0, 1),
            ("Petrosian, T & Tal, M", None, 1962, 0, 1),
        ]);
        assert_eq!(people, names(&[("Petrosian, Tigran V", 12), ("Petrosian,TL", 5)]));
        assert_eq!(
            unclear,
            names(&[("Petrosian, Tigran", 4), ("Petrosian", 1), ("Petrosian, T & Tal, M", 1)])
        );
    }

    #[test]
    fn identities_fide_ids_decide() {
        let [people, unclear] = grouped(&[
            ("Wang, Yue", Some(1), 2010, 2700, 5),
            ("Wang, Yue", Some(2), 2010, 2000, 3),
            ("Wang, Yue", None, 2010, 2690, 1),
            ("Susan Polgar", Some(3), 2000, 0, 2),
            ("Polgar, Zsuzsa", Some(3), 1990, 0, 3),
            ("Polgar, Zs", None, 1990, 0, 1),
        ]);
        let expected = [("Polgar, Zsuzsa", 6), ("Wang, Yue", 5), ("Wang, Yue", 3)];
        assert_eq!(people, names(&expected));
        assert_eq!(unclear, names(&[("Wang, Yue", 1)]));
    }

    #[test]
    fn identities_ratings_of_one_year_far_apart_are_two() {
        let rated = |weak, games| {
            grouped(&[("Adams, M", None, 2000, 2700, 9), ("Adams, M", None, 2000, weak, games)])[0]
                .clone()
        };
        assert_eq!(rated(2000, 3), names(&[("Adams, M", 9), ("Adams, M", 3)]));
        assert_eq!(rated(2000, 2), names(&[("Adams, M", 11)]));
        assert_eq!(rated(2300, 3), names(&[("Adams, M", 12)]));
    }

    #[test]
    fn find_person_of_name_and_rating() {
        let mut people = People::new();
        for (name, elo, games) in
            [("Adams, M", 2700, 9), ("Adams, M", 2000, 3), ("Tal, M", 2600, 1)]
        {
            people.add_name(name, None, (Some(2000), Elo::new(elo)), games);
        }
        let found = people.identities();
        let find = |name, elo| found.find(name, Elo::new(elo));
        assert_eq!([find("Adams, M", 2700), find("Adams, M", 2000)], [Some(0), Some(1)]);
        assert_eq!([find("Adams, M", 0), find("Adams, M", 2300), find("Adam", 2000)], [None; 3]);
        assert_eq!(find("Tal, M", 0), Some(2));
    }

    #[test]
    fn identities_years_of_two_lives_are_two() {
        let seen = |last| {
            let all = [("Short, N", None, 1900, 0, 4), ("Short, N", None, last, 0, 2)];
            grouped(&all)[0].clone()
        };
        assert_eq!(seen(1990), names(&[("Short, N", 4), ("Short, N", 2)]));
        assert_eq!(seen(1980), names(&[("Short, N", 6)]));
    }

    #[test]
    fn identities_unrated_games_of_two_players_are_unclear() {
        let [people, unclear] = grouped(&[
            ("Adams, M", None, 2000, 2700, 9),
            ("Adams, M", None, 2000, 2000, 5),
            ("Adams, M", None, 1999, 0, 2),
        ]);
        assert_eq!(people, names(&[("Adams, M", 9), ("Adams, M", 5)]));
        assert_eq!(unclear, names(&[("Adams, M", 2)]));
    }

    #[test]
    fn identities_of_many_names_are_bounded() {
        let mut people = People::new();
        for number in 0..2 * MAX_NAMES {
            people.add_name(&format!("Wang, A{number}"), None, (None, None), 1);
        }
        let found = people.identities();
        let clear: u64 = found.people.iter().map(|one| one.games).sum();
        let unclear: u64 = found.unclear.iter().map(|(_, games)| games).sum();
        assert_eq!(clear + unclear + found.others, 2 * MAX_NAMES as u64);
        assert_eq!(found.others, MAX_NAMES as u64);
    }
}
