//! The names of a new archive, numbered in order of appearance.

use chess_store::Location;
use chess_store::names::NameIndex;

use crate::error::{Error, ErrorKind};

/// The first number given to a name, as in jose.
const FIRST_ID: u32 = 1001;
/// The maximum of a four-byte column.
const LAST_ID: u32 = i32::MAX.cast_unsigned();

/// The tables of names. Each has its own numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameTable {
    Collections,
    Players,
    Events,
    Sites,
    Openings,
}

/// All names of an archive.
#[derive(Default)]
pub(crate) struct NameIds {
    pub(crate) collections: Ids,
    pub(crate) players: Ids,
    pub(crate) events: Ids,
    pub(crate) sites: Ids,
    pub(crate) openings: Ids,
}

impl NameIds {
    /// Returns the names of a table.
    pub(crate) fn table(&self, table: NameTable) -> &Ids {
        match table {
            NameTable::Collections => &self.collections,
            NameTable::Players => &self.players,
            NameTable::Events => &self.events,
            NameTable::Sites => &self.sites,
            NameTable::Openings => &self.openings,
        }
    }

    pub(crate) fn table_mut(&mut self, table: NameTable) -> &mut Ids {
        match table {
            NameTable::Collections => &mut self.collections,
            NameTable::Players => &mut self.players,
            NameTable::Events => &mut self.events,
            NameTable::Sites => &mut self.sites,
            NameTable::Openings => &mut self.openings,
        }
    }
}

/// The number of games in each collection.
#[derive(Default)]
pub(crate) struct Collected(Vec<u32>);

impl Collected {
    /// Returns the number, from 1, of the next game in a collection.
    pub(crate) fn next_game(&mut self, collection: u32) -> Result<u32, Error> {
        let full = || too_many("games of a collection");
        let place = usize::try_from(collection.saturating_sub(FIRST_ID)).map_err(|_| full())?;
        if place >= self.0.len() {
            self.0.resize(place.saturating_add(1), 0);
        }
        let games = self.0.get_mut(place).filter(|games| **games < LAST_ID);
        let games = games.ok_or_else(full)?;
        *games = games.saturating_add(1);
        Ok(*games)
    }

    /// Returns the counts in the order of the collections.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.0
    }
}

/// Names and their numbers. Callers pass the hash of a name.
#[derive(Default)]
pub(crate) struct Ids {
    places: NameIndex,
    names: Names,
}

impl Ids {
    /// Returns the number of a name, and adds the name if it is new.
    pub(crate) fn id(&mut self, hash: u32, name: &str) -> Result<u32, Error> {
        self.find(hash, name).or_else(|| self.add(hash, name)).ok_or_else(|| too_many("names"))
    }

    /// Returns the number of an existing name.
    pub(crate) fn find(&self, hash: u32, name: &str) -> Option<u32> {
        let place = self.places.find(hash, |place| self.names.get(place) == name);
        place.map(|place| FIRST_ID.saturating_add(place))
    }

    /// Adds a new name with the next number.
    fn add(&mut self, hash: u32, name: &str) -> Option<u32> {
        let place = u32::try_from(self.names.len()).ok()?;
        let id = FIRST_ID.checked_add(place).filter(|id| *id <= LAST_ID)?;
        self.names.push(name);
        self.places.insert(hash, place);
        Some(id)
    }

    /// Iterates over all numbers and names in order of number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        (0u32..)
            .zip(&self.names.ends)
            .map(|(place, _)| (FIRST_ID.saturating_add(place), self.names.get(place)))
    }
}

fn too_many(what: &'static str) -> Error {
    Error::new(ErrorKind::TooMany(what), Location::file("jose"))
}

/// Concatenated texts.
#[derive(Default)]
struct Names {
    text: String,
    /// End offset of each text.
    ends: Vec<usize>,
}

impl Names {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    fn get(&self, place: u32) -> &str {
        let end_of = |place: usize| self.ends.get(place).copied();
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let start = place.checked_sub(1).map_or(Some(0), end_of);
        let range = start.zip(end_of(place)).map(|(start, end)| start..end);
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hash_collision_is_resolved() {
        let mut ids = Ids::default();
        for (hash, name, id) in [
            (7, "a", 1001),
            (7, "b", 1002),
            (8, "c", 1003),
            (7, "", 1004),
            (7, "b", 1002),
            (8, "c", 1003),
            (7, "a", 1001),
            (7, "", 1004),
            (u32::MAX, "d", 1005),
            (u32::MAX, "e", 1006),
            (u32::MAX, "e", 1006),
        ] {
            assert_eq!(ids.id(hash, name).unwrap(), id, "{name}");
        }
        let names: Vec<(u32, &str)> = ids.iter().collect();
        assert_eq!(names[2..], [(1003, "c"), (1004, ""), (1005, "d"), (1006, "e")]);
    }

    #[test]
    fn collected_games_are_numbered_by_collection() {
        let mut games = Collected::default();
        let (a, b) = (FIRST_ID, FIRST_ID + 1);
        assert_eq!([a, b, a].map(|id| games.next_game(id).unwrap()), [1, 1, 2]);
        games.0[0] = LAST_ID;
        assert!(games.next_game(a).is_err());
        assert_eq!(games.next_game(b).unwrap(), 2);
        assert_eq!(games.counts(), [LAST_ID, 2]);
    }
}
