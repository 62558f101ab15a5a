//! Names and other texts of games, each once.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::OnceLock;

use chess_store::Trim as _;

use crate::filter::sort_key;

/// Memory of a text that is kept for the next.
const USUAL: usize = 1 << 10;

/// The number of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Id(u32);

/// What there is no number left for: unknown.
const NONE: Id = Id(u32::MAX);

/// A text on its way here.
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

    /// Lets go of unusual memory.
    pub(super) fn trim(&mut self) {
        self.text.trim(USUAL);
    }
}

/// Texts by number. Those that are compared are kept in plain small letters too.
#[derive(Debug, Default)]
pub(super) struct Names {
    hasher: RandomState,
    /// Numbers by the texts' hashes; of two texts of one hash the later has the next that is free.
    ids: HashMap<u64, Id, BuildHasherDefault<Hashed>>,
    texts: String,
    /// Where each text ends.
    ends: Vec<usize>,
    /// Made when first asked for; the empty text stands for one that says nothing.
    folded: Vec<OnceLock<Box<str>>>,
    /// Numbers that were found last, by the low bits of the texts' hashes: games that follow each
    /// other share event, round and players.
    recent: Vec<Option<Id>>,
}

/// How many numbers are kept at hand.
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

    /// Whether both may mean the same. What is not known may mean anything.
    pub(super) fn agree(&self, one: Id, other: Id, agree: fn(&str, &str) -> bool) -> bool {
        if one == other {
            return true;
        }
        match (self.folded(one), self.folded(other)) {
            (Some(one), Some(other)) => one == other || agree(one, other),
            _ => true,
        }
    }

    /// Whether it says anything.
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

/// Takes a hash as it is.
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
    fn texts_are_told_apart_even_if_their_hashes_are_the_same() {
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
