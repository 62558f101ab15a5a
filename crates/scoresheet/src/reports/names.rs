//! Counts by name, in bounded memory.

use std::collections::HashMap;

/// Usual sizes.
pub(super) mod usual {
    /// Buffer size of a game that is kept for reuse.
    pub(in crate::reports) const GAME: usize = 8 << 10;
}

/// Bytes of names that a table of names keeps. A base of normal size needs a small part of it.
const MOST_BYTES: usize = 64 << 20;
/// Bytes that a name takes besides its text.
const ENTRY_BYTES: usize = 128;

/// A value for each name. Once the names take [`MOST_BYTES`], all further names share one value.
#[derive(Clone, Debug)]
pub(super) struct Names<V> {
    values: HashMap<Box<str>, V>,
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
        Names { values: HashMap::new(), bytes: 0, most: MOST_BYTES, others: V::default() }
    }
}

impl<V: Default> Names<V> {
    /// Returns the value of `name`.
    pub(super) fn of(&mut self, name: &str) -> &mut V {
        let size = name.len().saturating_add(ENTRY_BYTES);
        if !self.values.contains_key(name) {
            if self.bytes.saturating_add(size) > self.most {
                return &mut self.others;
            }
            self.bytes = self.bytes.saturating_add(size);
        }
        self.values.entry(name.into()).or_default()
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
        let all = self.values.iter();
        let all = all.map(|(name, value)| Named { name: name.to_string(), value: value.clone() });
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
