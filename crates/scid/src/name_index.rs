//! Names by number, and a hash table to find them.

use chess_store::names::{NameHasher, NameIndex};

use crate::names::{NameList, TooMuch};

/// Hashes a name. Returns `None` for a name longer than encoders produce. Names of equal hash have
/// equal length, because the low byte is the length.
pub(crate) fn hash_name(hasher: &NameHasher, name: &[u8]) -> Option<u32> {
    let length = u8::try_from(name.len()).ok()?;
    Some(hasher.hash(name) << 8 | u32::from(length))
}

/// The names of one kind by number, and a hash table to find them. A lookup touches two places in
/// memory: the slot and the record.
///
/// The number of a name that a file holds is its id there.
#[derive(Debug, Default)]
pub(crate) struct IndexedNames {
    /// The records: number and length, four bytes each, followed by the name.
    records: Vec<u8>,
    /// The offset of each number's record, if the number has a name.
    places: Vec<Option<Place>>,
    /// The hash table of record offsets, as [`Place`].
    ///
    /// A name may have several ids in files of other programs and of interrupted compactions by
    /// older versions. The table holds the first.
    index: NameIndex,
}

/// The offset of a name's record.
#[derive(Clone, Copy, Debug)]
struct Place(u32);

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
        list.places.reserve(names.len());
        list.index.reserve(names.count());
        for id in (0..).take(names.len()) {
            let Some(name) = names.get(id) else {
                list.places.push(None);
                continue;
            };
            let (_, place) = list.push(name)?;
            if let Some(hash) = hash_name(hasher, name)
                && list.find(hash, name).is_none()
            {
                list.index.insert(hash, place.0);
            }
        }
        Ok(list)
    }

    /// One more than the highest number.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the name with a number.
    pub(crate) fn name(&self, number: u32) -> Option<&[u8]> {
        let place = self.places.get(number as usize).copied().flatten()?;
        Some(self.record(place)?.1)
    }

    /// Number and name.
    #[inline]
    fn record(&self, place: Place) -> Option<(u32, &[u8])> {
        let (id, rest) = self.records.get(place.start()..)?.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let name = rest.get(..u32::from_le_bytes(*length) as usize)?;
        Some((u32::from_le_bytes(*id), name))
    }

    /// Returns the number of a known name.
    #[inline]
    pub(crate) fn find(&self, hash: u32, name: &[u8]) -> Option<u32> {
        let records = self.index.candidates(hash).filter_map(|place| self.record(Place(place)));
        records.filter(|(_, other)| *other == name).map(|(id, _)| id).next()
    }

    /// Returns the number of a name. A new name gets the next number.
    pub(crate) fn find_or_add(&mut self, hash: u32, name: &[u8]) -> Result<u32, TooMuch> {
        if let Some(number) = self.find(hash, name) {
            return Ok(number);
        }
        let (number, place) = self.push(name)?;
        self.index.insert(hash, place.0);
        Ok(number)
    }

    fn push(&mut self, name: &[u8]) -> Result<(u32, Place), TooMuch> {
        let id = u32::try_from(self.places.len()).map_err(|_| TooMuch)?;
        let length = u32::try_from(name.len()).map_err(|_| TooMuch)?;
        let place = Place::new(self.records.len())?;
        for field in [id, length] {
            self.records.extend_from_slice(&field.to_le_bytes());
        }
        self.records.extend_from_slice(name);
        self.places.push(Some(place));
        Ok((id, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_index_find_compares_hash_and_bytes() {
        let mut list = IndexedNames::default();
        let name = |number: u32| format!("name {number}").into_bytes();
        // Few distinct hashes, so that many names collide.
        let hash = |number: u32| (number % 7) << 8 | name(number).len() as u32;
        for number in 0..1000 {
            assert!(list.find(hash(number), &name(number)).is_none());
            assert!(list.find_or_add(hash(number), &name(number)).is_ok());
        }
        for number in 0..1000 {
            assert_eq!(list.find(hash(number), &name(number)), Some(number));
            assert!(list.find(hash(number) ^ 0x100, &name(number)).is_none());
        }
        assert!(list.find_or_add(hash(7), &name(7)).is_ok_and(|known| known == 7));
        assert!((0..1000).all(|number| list.name(number) == Some(&*name(number))));
        assert_eq!((list.len(), list.name(1000)), (1000, None));
    }

    #[test]
    fn name_index_duplicate_name_finds_first_id() {
        let mut names = NameList::default();
        for name in ["a", "b", "a"] {
            assert!(names.push(name.as_bytes()).is_ok());
        }
        let hasher = NameHasher::default();
        let Ok(list) = IndexedNames::of(&names, &hasher) else { panic!() };
        assert_eq!(list.find(hash_name(&hasher, b"a").unwrap(), b"a"), Some(0));
        assert_eq!(hash_name(&hasher, &[b'a'; 256]), None);
    }
}
