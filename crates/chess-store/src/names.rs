//! Deduplicated names of a base, indexed by hash.

use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::num::NonZeroU32;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Hashes names with random keys, so that an attacker cannot choose names that collide. Clones have
/// the same keys, so encoders on other threads compute the same hashes.
#[derive(Clone, Debug, Default)]
pub struct NameHasher(RandomState);

impl NameHasher {
    /// Returns the hash of a name.
    #[must_use]
    pub fn hash(&self, name: &[u8]) -> u32 {
        let mut hasher = self.0.build_hasher();
        hasher.write(name);
        let [a, b, c, d, ..] = hasher.finish().to_ne_bytes();
        u32::from_ne_bytes([a, b, c, d])
    }
}

/// The names of a base that is being written, shared by its encoders and its writer.
///
/// Names are found and added while games are encoded, in parallel. A format that does so numbers them
/// in the order in which the encoders meet them, and its writer gives them [ids](IdsInOrder) in the
/// order of the games.
#[derive(Default)]
pub struct SharedNames<T>(Arc<RwLock<T>>);

impl<T> SharedNames<T> {
    /// Wraps `names`, so that they can be shared.
    pub fn new(names: T) -> SharedNames<T> {
        SharedNames(Arc::new(RwLock::new(names)))
    }

    /// Returns a snapshot of the names.
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the names, to extend them.
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for SharedNames<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedNames")
    }
}

impl<T> Clone for SharedNames<T> {
    fn clone(&self) -> SharedNames<T> {
        SharedNames(Arc::clone(&self.0))
    }
}

/// The ids of names in the order of first use. The names have numbers already, in an order that
/// depends on the threads.
///
/// So the writer of a base only looks at an array. It compares no names.
///
/// ```
/// use chess_store::names::IdsInOrder;
///
/// let mut ids = IdsInOrder::default();
/// let mut id = |number| ids.get(number).unwrap_or_else(|| ids.add(number));
/// assert_eq!([id(7), id(2), id(7)], [0, 1, 0]);
/// assert!(ids.iter().eq([(7, 0), (2, 1)]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct IdsInOrder {
    /// The id of each number, plus one.
    successors: Vec<Option<NonZeroU32>>,
    /// The number of each id.
    numbers: Vec<u32>,
}

impl IdsInOrder {
    /// Creates the ids of `count` names whose numbers are their ids.
    #[must_use]
    pub fn unchanged(count: usize) -> IdsInOrder {
        let mut ids = IdsInOrder::default();
        (0..).take(count).for_each(|number| {
            ids.add(number);
        });
        ids
    }

    /// Returns the id of a number, if it has one.
    #[must_use]
    #[inline]
    pub fn get(&self, number: u32) -> Option<u32> {
        let successor = self.successors.get(number as usize).copied().flatten()?;
        Some(successor.get().saturating_sub(1))
    }

    /// Gives the next id to a number that has none. Returns that id.
    pub fn add(&mut self, number: u32) -> u32 {
        let id = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let place = number as usize;
        if place >= self.successors.len() {
            self.successors.resize(place.saturating_add(1), None);
        }
        if let Some(successor) = self.successors.get_mut(place) {
            debug_assert_eq!(*successor, None, "number {number} has an id");
            *successor = NonZeroU32::MIN.checked_add(id);
        }
        self.numbers.push(number);
        id
    }

    /// Returns the number of a name with this id.
    #[must_use]
    pub fn number(&self, id: u32) -> Option<u32> {
        self.numbers.get(id as usize).copied()
    }

    /// Iterates over numbers and ids, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.numbers.iter().copied().zip(0..)
    }

    /// Returns how many ids there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are no ids.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

/// A hash index of names. It maps a hash to numbers that the owner assigns, such as ids or offsets
/// in memory.
///
/// The index does not hold the names. The caller compares a name with the few candidates that have
/// the same hash.
///
/// ```
/// use chess_store::names::{NameHasher, NameIndex};
///
/// let (hasher, mut index, mut names) = (NameHasher::default(), NameIndex::default(), Vec::new());
/// let mut id = |name: &'static str| {
///     let hash = hasher.hash(name.as_bytes());
///     index.find(hash, |id| names.get(id as usize) == Some(&name)).unwrap_or_else(|| {
///         let id = names.len() as u32;
///         names.push(name);
///         index.insert(hash, id);
///         id
///     })
/// };
/// assert_eq!([id("Tal"), id("Fischer"), id("Tal")], [0, 1, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    /// Open addressing: the length is a power of two, and at most half of the slots are taken. A
    /// name is in the slot of its hash, or in the first free slot after it.
    slots: Vec<Option<Slot>>,
    taken: usize,
}

/// The number is stored plus one, so that `Option` needs no additional space.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    successor: NonZeroU32,
}

impl NameIndex {
    /// The largest possible number.
    pub const MAX: u32 = u32::MAX - 1;

    /// Iterates over the numbers with this hash, in insertion order.
    #[inline]
    pub fn candidates(&self, hash: u32) -> impl Iterator<Item = u32> {
        let mask = self.slots.len().saturating_sub(1);
        let mut at = first_slot(hash, mask);
        let taken = std::iter::from_fn(move || {
            let slot = self.slots.get(at).copied().flatten()?;
            at = at.wrapping_add(1) & mask;
            Some(slot)
        });
        taken
            .filter(move |slot| slot.hash == hash)
            .map(|slot| slot.successor.get().saturating_sub(1))
    }

    /// Returns the first number with this hash for which `is` returns true.
    #[inline]
    pub fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        self.candidates(hash).find(|number| is(*number))
    }

    /// Makes room for `names` more names.
    pub fn reserve(&mut self, names: usize) {
        let size = self.taken.saturating_add(names).saturating_mul(2).saturating_add(2);
        let size = size.checked_next_power_of_two().unwrap_or(0);
        if size > self.slots.len() {
            let old = std::mem::replace(&mut self.slots, vec![None; size]);
            self.put_all(old);
        }
    }

    /// Inserts the number of a name. It must be at most [`MAX`](Self::MAX).
    pub fn insert(&mut self, hash: u32, number: u32) {
        if self.taken.saturating_mul(2) >= self.slots.len() {
            let size = self.slots.len().saturating_mul(2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![None; size]);
            self.put_all(old);
        }
        debug_assert!(number <= Self::MAX, "numbers end one before 2^32");
        let successor = NonZeroU32::MIN.saturating_add(number);
        self.put(Slot { hash, successor });
        self.taken = self.taken.saturating_add(1);
    }

    /// Moves the slots to a larger table and keeps the order of equal hashes. A run of taken slots
    /// may wrap around the end of the old table, so the copy starts at a free slot.
    fn put_all(&mut self, mut old: Vec<Option<Slot>>) {
        let free = old.iter().position(Option::is_none).unwrap_or_default();
        old.rotate_left(free);
        old.into_iter().flatten().for_each(|slot| self.put(slot));
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

/// Returns the first slot to probe. Every bit depends on all bits of the hash, so the quality of
/// the hash function does not matter.
#[inline]
fn first_slot(hash: u32, mask: usize) -> usize {
    let mixed = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    usize::try_from(mixed).unwrap_or_default() & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_among_equal_hashes_compares_names() {
        let mut index = NameIndex::default();
        let name = |number: u32| format!("name {number}");
        for number in 0..1000 {
            let found = index.find(number % 7, |other| name(other) == name(number));
            assert_eq!(found, None);
            index.insert(number % 7, number);
        }
        for number in 0..1000 {
            let is = |other| name(other) == name(number);
            assert_eq!(index.find(number % 7, is), Some(number));
            assert_eq!(index.find(number % 7 + 7, is), None);
        }
        // The table has grown several times.
        assert!(index.candidates(3).eq((0..1000).filter(|number| number % 7 == 3)));
        assert!(index.taken * 2 <= index.slots.len());
    }

    #[test]
    fn reserve_keeps_names_and_leaves_room() {
        let mut index = NameIndex::default();
        (0..100).for_each(|number| index.insert(number % 7, number));
        index.reserve(1000);
        let slots = index.slots.len();
        (100..1100).for_each(|number| index.insert(number % 7, number));
        assert_eq!(index.slots.len(), slots);
        index.reserve(10);
        assert!(index.candidates(3).eq((0..1100).filter(|number| number % 7 == 3)));
    }

    #[test]
    fn insert_similar_hashes_spreads_over_slots() {
        let (mut index, hasher) = (NameIndex::default(), NameHasher::default());
        for number in 0..100_000 {
            // A format may store the length of a name in its hash.
            index.insert(hasher.hash(format!("Player {number}").as_bytes()) << 8 | 13, number);
        }
        let stretches = index.slots.split(Option::is_none).map(<[_]>::len);
        let longest = stretches.max().unwrap();
        assert!(longest < 500, "{longest}");
    }

    #[test]
    fn find_largest_number_succeeds() {
        let mut index = NameIndex::default();
        index.insert(u32::MAX, NameIndex::MAX);
        index.insert(0, 0);
        assert!(index.candidates(u32::MAX).eq([NameIndex::MAX]));
        assert!(index.candidates(0).eq([0]));
        assert_eq!(size_of::<Option<Slot>>(), 8);
    }
}
