//! Names by id, and where to find them by their hashes.

use chess_store::names::{NameHasher, NameIndex};

use crate::bits::low_8;
use crate::names::{NameList, TooMuch};

/// The hash of a name, or `None` for one that is longer than encoders make any. Names of the same
/// hash have the same length: it is the low byte.
pub(crate) fn hash_name(hasher: &NameHasher, name: &[u8]) -> Option<u32> {
    let length = u8::try_from(name.len()).ok()?;
    Some(hasher.hash(name) << 8 | u32::from(length))
}

/// The length of a name of this hash.
#[inline]
pub(crate) fn hashed_length(hash: u32) -> usize {
    usize::from(low_8(hash))
}

/// The names of one kind by id, and where to find them by hash. Few places in memory are looked at
/// for a name: its slot, and its record.
#[derive(Debug, Default)]
pub(crate) struct IndexedNames {
    /// The records: id, number of uses and length, four bytes each, and the name.
    records: Vec<u8>,
    /// By id where the record is, if the id has a name.
    places: Vec<Option<Place>>,
    /// Where the records are, as [`Place`].
    ///
    /// Names may have several ids, in files of other programs and in those that compacting has left
    /// half done before it became one step. The first is here.
    index: NameIndex,
}

/// Where the record of a name begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u32);

impl Place {
    fn new(start: usize) -> Result<Place, TooMuch> {
        let start = u32::try_from(start).ok().filter(|start| *start <= NameIndex::MAX);
        start.map(Place).ok_or(TooMuch)
    }

    fn start(self) -> usize {
        self.0 as usize
    }
}

impl IndexedNames {
    pub(crate) fn of(
        names: &NameList<Vec<u8>>,
        hasher: &NameHasher,
    ) -> Result<IndexedNames, TooMuch> {
        let mut list = IndexedNames::default();
        for id in (0..).take(names.len()) {
            let Some(name) = names.get(id) else {
                list.places.push(None);
                continue;
            };
            let place = list.push(name)?;
            if let Some(hash) = hash_name(hasher, name)
                && list.find(hash, name).is_none()
            {
                list.index.insert(hash, place.0);
            }
        }
        Ok(list)
    }

    /// One more than the highest id.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Where the name of an id is.
    pub(crate) fn place(&self, id: u32) -> Option<Place> {
        self.places.get(id as usize).copied().flatten()
    }

    /// Every name with its id and how often it is used, in the order of ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], u32, u32)> {
        (0..).zip(&self.places).filter_map(|(id, place)| {
            let (_, uses, name) = self.record((*place)?)?;
            Some((name, id, uses))
        })
    }

    /// Id, number of uses, name.
    #[inline]
    fn record(&self, place: Place) -> Option<(u32, u32, &[u8])> {
        let (id, rest) = self.records.get(place.start()..)?.split_first_chunk()?;
        let (uses, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let name = rest.get(..u32::from_le_bytes(*length) as usize)?;
        Some((u32::from_le_bytes(*id), u32::from_le_bytes(*uses), name))
    }

    /// The name at a place.
    #[inline]
    pub(crate) fn name(&self, place: Place) -> Option<&[u8]> {
        self.record(place).map(|(_, _, name)| name)
    }

    /// Changes how often a name is used; gives its id, and how often it was used before.
    #[inline]
    pub(crate) fn change_uses(&mut self, place: Place, new: impl Fn(u32) -> u32) -> (u32, u32) {
        let record = self.records.get_mut(place.start()..).unwrap_or_default();
        let Some(([a, b, c, d, uses @ ..], _)) = record.split_first_chunk_mut::<8>() else {
            return (0, 0);
        };
        let old = u32::from_le_bytes(*uses);
        *uses = new(old).to_le_bytes();
        (u32::from_le_bytes([*a, *b, *c, *d]), old)
    }

    /// Where names of this hash are.
    #[inline]
    pub(crate) fn places(&self, hash: u32) -> impl Iterator<Item = Place> {
        self.index.candidates(hash).map(Place)
    }

    pub(crate) fn find(&self, hash: u32, name: &[u8]) -> Option<Place> {
        self.places(hash).find(|place| self.name(*place) == Some(name))
    }

    pub(crate) fn add(&mut self, hash: u32, name: &[u8]) -> Result<Place, TooMuch> {
        let place = self.push(name)?;
        self.index.insert(hash, place.0);
        Ok(place)
    }

    /// Adds a name under the next id.
    fn push(&mut self, name: &[u8]) -> Result<Place, TooMuch> {
        let id = u32::try_from(self.places.len()).map_err(|_| TooMuch)?;
        let length = u32::try_from(name.len()).map_err(|_| TooMuch)?;
        let place = Place::new(self.records.len())?;
        for field in [id, 0, length] {
            self.records.extend_from_slice(&field.to_le_bytes());
        }
        self.records.extend_from_slice(name);
        self.places.push(Some(place));
        Ok(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_hash_and_bytes() {
        let mut list = IndexedNames::default();
        let name = |number: u32| format!("name {number}").into_bytes();
        // Few hashes, so that many names share one.
        let hash = |number: u32| (number % 7) << 8 | name(number).len() as u32;
        for number in 0..1000 {
            assert!(list.find(hash(number), &name(number)).is_none());
            assert!(list.add(hash(number), &name(number)).is_ok());
        }
        for number in 0..1000 {
            let place = list.find(hash(number), &name(number)).unwrap();
            assert_eq!(list.change_uses(place, |uses| uses + 2), (number, 0));
            assert_eq!(list.change_uses(place, |uses| uses - 1), (number, 2));
            assert!(list.find(hash(number) ^ 0x100, &name(number)).is_none());
        }
        assert!(list.iter().eq((0..1000).map(|id| (&*name(id).leak(), id, 1))));
    }

    #[test]
    fn of_a_name_with_two_ids_the_first_is_found() {
        let mut names = NameList::default();
        for name in ["a", "b", "a"] {
            assert!(names.push(name.as_bytes()).is_ok());
        }
        let hasher = NameHasher::default();
        let Ok(mut list) = IndexedNames::of(&names, &hasher) else { panic!() };
        let place = list.find(hash_name(&hasher, b"a").unwrap(), b"a").unwrap();
        assert_eq!(list.change_uses(place, |uses| uses), (0, 0));
        assert_eq!(hash_name(&hasher, &[b'a'; 256]), None);
    }
}
