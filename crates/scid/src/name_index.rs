//! Names by id, and where to find them by their hashes.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::num::NonZeroU32;

use crate::bits::{low_8, low_32};
use crate::names::{NameList, TooMuch};

/// Hashes names, for every base in another way, so that nobody can choose names whose hashes are
/// the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameHasher(RandomState);

impl NameHasher {
    /// The hash of a name, or `None` for one that is longer than encoders make any. Names of the
    /// same hash have the same length: it is the low byte.
    pub(crate) fn hash(&self, name: &[u8]) -> Option<u32> {
        let length = u8::try_from(name.len()).ok()?;
        let mut hasher = self.0.build_hasher();
        hasher.write(name);
        Some(low_32(hasher.finish()) << 8 | u32::from(length))
    }

    /// The length of a name of this hash.
    #[inline]
    pub(crate) fn length(hash: u32) -> usize {
        usize::from(low_8(hash))
    }
}

/// The names of one kind by id, and where to find them by hash. Few places in memory are looked at
/// for a name: its slot, and its record.
#[derive(Debug, Default)]
pub(crate) struct IndexedNames {
    /// The records: id, number of uses and length, four bytes each, and the name.
    records: Vec<u8>,
    /// By id where the record is, if the id has a name.
    places: Vec<Option<Place>>,
    /// A power of two of them, at most half of them taken. A name is at the place of its hash, or
    /// at the first free one after it.
    ///
    /// Names may have several ids, in files of other programs and in those that compacting has left
    /// half done before it became one step. The first is here.
    slots: Vec<Option<Slot>>,
    taken: usize,
}

/// Where the record of a name begins, plus one: so that `Option` needs no more room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(NonZeroU32);

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    place: Place,
}

impl Place {
    fn new(start: usize) -> Result<Place, TooMuch> {
        let start = u32::try_from(start).ok().and_then(|start| NonZeroU32::MIN.checked_add(start));
        start.map(Place).ok_or(TooMuch)
    }

    fn start(self) -> usize {
        self.0.get().saturating_sub(1) as usize
    }
}

/// Where to look first for a name of this hash.
#[inline]
fn first_slot(hash: u32, mask: usize) -> usize {
    // Few lengths are common: every bit depends on all of the hash.
    low_32(u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask
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
            if let Some(hash) = hasher.hash(name)
                && list.find(hash, name).is_none()
            {
                list.insert(Slot { hash, place });
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
        let mask = self.slots.len().saturating_sub(1);
        let mut at = first_slot(hash, mask);
        let taken = std::iter::from_fn(move || {
            let slot = self.slots.get(at).copied().flatten()?;
            at = at.wrapping_add(1) & mask;
            Some(slot)
        });
        taken.filter(move |slot| slot.hash == hash).map(|slot| slot.place)
    }

    pub(crate) fn find(&self, hash: u32, name: &[u8]) -> Option<Place> {
        self.places(hash).find(|place| self.name(*place) == Some(name))
    }

    pub(crate) fn add(&mut self, hash: u32, name: &[u8]) -> Result<Place, TooMuch> {
        let place = self.push(name)?;
        self.insert(Slot { hash, place });
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

    fn insert(&mut self, slot: Slot) {
        if self.taken.saturating_mul(2) >= self.slots.len() {
            let size = self.slots.len().saturating_mul(2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![None; size]);
            old.into_iter().flatten().for_each(|slot| self.put(slot));
        }
        self.put(slot);
        self.taken = self.taken.saturating_add(1);
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len().saturating_sub(1);
        let mut at = first_slot(slot.hash, mask);
        while let Some(place) = self.slots.get_mut(at) {
            if place.is_none() {
                *place = Some(slot);
                return;
            }
            at = at.wrapping_add(1) & mask;
        }
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
        assert!(list.taken * 2 <= list.slots.len());
    }

    #[test]
    fn names_are_spread_over_the_slots() {
        let (mut list, hasher) = (IndexedNames::default(), NameHasher::default());
        for number in 0..100_000 {
            let name = format!("Player {number}").into_bytes();
            assert!(list.add(hasher.hash(&name).unwrap(), &name).is_ok());
        }
        let stretches = list.slots.split(|slot| slot.is_none()).map(<[_]>::len);
        let longest = stretches.max().unwrap();
        assert!(longest < 500, "{longest}");
    }

    #[test]
    fn of_a_name_with_two_ids_the_first_is_found() {
        let mut names = NameList::default();
        for name in ["a", "b", "a"] {
            assert!(names.push(name.as_bytes()).is_ok());
        }
        let hasher = NameHasher::default();
        let Ok(mut list) = IndexedNames::of(&names, &hasher) else { panic!() };
        let place = list.find(hasher.hash(b"a").unwrap(), b"a").unwrap();
        assert_eq!(list.change_uses(place, |uses| uses), (0, 0));
        assert_eq!(hasher.hash(&[b'a'; 256]), None);
    }
}
