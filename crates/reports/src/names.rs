//! Counts by name, in bounded memory.

use std::collections::HashMap;

/// Bytes of names that a table of names keeps. A base of normal size needs a small part of it.
const MAX_BYTES: usize = 64 << 20;
/// Bytes that a name takes besides its text.
const ENTRY_BYTES: usize = 128;

/// Returns whether a name stands for no player: the opponent of a bye, or an unknown one.
pub(super) fn is_nobody(name: &str) -> bool {
    let name = name.trim();
    matches!(name, "" | "?" | "-") || name.eq_ignore_ascii_case("bye")
}

/// A value for each name. Once the names take [`MAX_BYTES`], all further names share one value.
#[derive(Clone, Debug)]
pub(super) struct Names<V> {
    /// The place of each name among `values`.
    places: HashMap<Box<str>, usize>,
    values: Vec<V>,
    /// The name that was looked up last, with its place: games often name one player again and again.
    latest: (String, usize),
    bytes: usize,
    most: usize,
    others: V,
}

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named<V> {
    /// The name, as it is spelt in the games.
    pub name: String,
    /// The count or score of the name.
    pub value: V,
}

impl<V: Default> Default for Names<V> {
    fn default() -> Names<V> {
        Names {
            places: HashMap::new(),
            values: Vec::new(),
            latest: (String::new(), usize::MAX),
            bytes: 0,
            most: MAX_BYTES,
            others: V::default(),
        }
    }
}

impl<V: Default> Names<V> {
    /// Returns the value of `name`.
    pub(super) fn of(&mut self, name: &str) -> &mut V {
        let place = self.place_of(name);
        self.at(place)
    }

    /// Returns the place of the value of `name`. It is no place if the value is the shared one.
    pub(super) fn place_of(&mut self, name: &str) -> usize {
        self.place(name).unwrap_or_else(|| self.add(name))
    }

    /// Returns the place of the value of `name`, if it has one.
    pub(super) fn place(&mut self, name: &str) -> Option<usize> {
        let (latest, place) = &mut self.latest;
        if latest != name || *place == usize::MAX {
            *place = *self.places.get(name)?;
            name.clone_into(latest);
        }
        Some(*place)
    }

    /// Returns the value at a place, or the shared value.
    pub(super) fn at(&mut self, place: usize) -> &mut V {
        self.values.get_mut(place).unwrap_or(&mut self.others)
    }

    /// Adds a new name. Returns the place of its value.
    #[cold]
    fn add(&mut self, name: &str) -> usize {
        let size = name.len().saturating_add(ENTRY_BYTES);
        if self.bytes.saturating_add(size) > self.most {
            return usize::MAX;
        }
        self.bytes += size;
        let place = self.values.len();
        self.places.insert(name.into(), place);
        self.values.push(V::default());
        place
    }

    /// Returns the shared value of the names that were not kept.
    pub(super) fn others(&self) -> &V {
        &self.others
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

impl<V: Clone> Names<V> {
    /// Returns all names, the largest `key` first, then by name.
    pub(super) fn sorted<K: Ord>(&self, key: impl Fn(&V) -> K) -> Vec<Named<V>> {
        let all = self.places.iter();
        let all = all.filter_map(|(name, place)| {
            Some(Named { name: name.to_string(), value: self.values.get(*place)?.clone() })
        });
        let mut all: Vec<Named<V>> = all.collect();
        all.sort_by(|one, other| {
            key(&other.value).cmp(&key(&one.value)).then_with(|| one.name.cmp(&other.name))
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_limit_share_one_value() {
        let mut names = Names::<u64> { most: 2 * (ENTRY_BYTES + 1), ..Names::default() };
        for name in ["a", "b", "c", "a", "d", "b"] {
            *names.of(name) += 1;
        }
        let sorted = names.sorted(|games| *games);
        let sorted: Vec<_> = sorted.iter().map(|named| (&*named.name, named.value)).collect();
        assert_eq!((sorted, *names.others()), (vec![("a", 2), ("b", 2)], 2));
    }
}
