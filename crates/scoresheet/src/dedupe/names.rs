//! An interner for names and other texts of games.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::OnceLock;

use chess_store::Trim as _;

use crate::filter::sort_key;

/// Buffer size of a text that is kept for reuse.
const USUAL: usize = 1 << 10;

/// The id of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Id(u32);

/// The id of texts beyond the last id. It counts as unknown.
const NONE: Id = Id(u32::MAX);

/// A text with its hash, prepared on any thread.
#[derive(Default)]
pub(super) struct PreparedName {
    text: String,
    hash: u64,
}

impl PreparedName {
    pub(super) fn fill(&mut self, text: &str, hasher: &RandomState) {
        self.text.clear();
        self.text.push_str(text);
        self.hash = hasher.hash_one(text);
    }

    /// Releases unusually large buffers.
    pub(super) fn trim(&mut self) {
        self.text.trim(USUAL);
    }
}

/// Interned texts by id. Texts that were compared also have a cached sort key.
#[derive(Debug, Default)]
pub(super) struct Names {
    hasher: RandomState,
    /// Ids by hash. On a collision the later text takes the next free hash value.
    ids: HashMap<u64, Id, BuildHasherDefault<Hashed>>,
    texts: String,
    /// The end of each text in `texts`.
    ends: Vec<usize>,
    /// Sort keys, computed on first use. Empty if the text has no letters or digits.
    folded: Vec<OnceLock<Box<str>>>,
    /// Cache of recent ids by the low bits of the hash. Consecutive games share event, round and
    /// players.
    recent: Vec<Option<Id>>,
}

/// Size of the cache of recent ids.
const RECENT: usize = 1024;

impl Names {
    pub(super) fn hasher(&self) -> &RandomState {
        &self.hasher
    }

    pub(super) fn id(&mut self, name: &PreparedName) -> Id {
        let slot = usize::try_from(name.hash & (RECENT as u64).wrapping_sub(1)).unwrap_or(0);
        let recent = self.recent.get(slot).copied().flatten();
        if let Some(id) = recent.filter(|id| self.text(*id) == name.text) {
            return id;
        }
        let id = self.find_or_add(name);
        self.recent.resize(RECENT, None);
        if let Some(recent) = self.recent.get_mut(slot).filter(|_| id != NONE) {
            *recent = Some(id);
        }
        id
    }

    fn find_or_add(&mut self, name: &PreparedName) -> Id {
        let (text, mut hash) = (&name.text, name.hash);
        while let Some(id) = self.ids.get(&hash).copied() {
            if self.text(id) == text {
                return id;
            }
            hash = hash.wrapping_add(1);
        }
        let id = u32::try_from(self.ends.len()).map_or(NONE, Id);
        if id != NONE {
            self.texts.push_str(text);
            self.ends.push(self.texts.len());
            self.folded.push(OnceLock::new());
            self.ids.insert(hash, id);
        }
        id
    }

    fn text(&self, id: Id) -> &str {
        let end = |index: usize| self.ends.get(index).copied();
        let index = id.0 as usize;
        let start = index.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(index)).map(|(start, end)| start..end);
        range.and_then(|range| self.texts.get(range)).unwrap_or_default()
    }

    /// Returns whether both can mean the same. An unknown text agrees with anything.
    pub(super) fn agree(&self, one: Id, other: Id, agree: fn(&str, &str) -> bool) -> bool {
        if one == other {
            return true;
        }
        match (self.folded(one), self.folded(other)) {
            (Some(one), Some(other)) => one == other || agree(one, other),
            _ => true,
        }
    }

    /// Returns whether the text has letters or digits.
    pub(super) fn is_known(&self, id: Id) -> bool {
        self.folded(id).is_some()
    }

    fn folded(&self, id: Id) -> Option<&str> {
        let folded = self.folded.get(id.0 as usize)?.get_or_init(|| {
            let mut folded = sort_key(self.text(id));
            if !folded.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
                folded.clear();
            }
            folded.into()
        });
        Some(&**folded).filter(|text| !text.is_empty())
    }
}

/// A hasher that returns the given hash unchanged.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_equal_hashes_get_different_ids() {
        let mut names = Names::default();
        let texts = ["Tal", "Tál", "tal", "", "?", "Tal"];
        let ids = texts.map(|text| names.id(&PreparedName { text: text.to_owned(), hash: 7 }));
        assert_eq!(ids.map(|id| id.0), [0, 1, 2, 3, 4, 0]);
        assert_eq!(ids.map(|id| names.text(id).to_owned()), texts.map(str::to_owned));
        let [plain, accented, small, empty, unknown, _] = ids;
        let never = |_: &str, _: &str| false;
        for other in [accented, small, empty, unknown] {
            assert!(names.agree(plain, other, never) && names.agree(other, plain, never));
        }
        assert!(names.is_known(accented) && !names.is_known(empty) && !names.is_known(unknown));
        let mut name = PreparedName::default();
        name.fill("Petrosian", names.hasher());
        let other = names.id(&name);
        assert!(!names.agree(plain, other, never) && names.agree(plain, other, |_, _| true));
    }
}
