//! Interns the names of games, on several threads.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};
use std::sync::{Mutex, OnceLock, PoisonError};

use names::sort_key;

/// The id of a text: the shard in the low bits, and the index in the shard. Equal texts have equal
/// ids. Which id a text gets depends on the threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Id(u32);

/// The id of texts beyond the last id. It counts as unknown.
const NONE: Id = Id(u32::MAX);

/// The number of bits of a shard's number.
const SHARD_BITS: u32 = 6;
/// Enough shards that threads seldom wait for each other.
const SHARDS: u32 = 1 << SHARD_BITS;

impl Id {
    fn new(shard: u32, index: usize) -> Option<Id> {
        let index = u32::try_from(index).ok().filter(|index| *index < u32::MAX >> SHARD_BITS)?;
        Some(Id(index << SHARD_BITS | shard))
    }

    fn shard(self) -> usize {
        (self.0 & (SHARDS - 1)) as usize
    }

    fn index(self) -> usize {
        (self.0 >> SHARD_BITS) as usize
    }
}

/// Interned texts by id. Texts that were compared also have a cached sort key.
#[derive(Debug)]
pub(crate) struct Names {
    hasher: RandomState,
    shards: Vec<Shard>,
}

/// The texts whose hashes have the same high bits.
#[derive(Debug, Default)]
struct Shard {
    /// Ids by hash. On a collision the later text takes the next free hash value.
    ids: HashMap<u64, Id, BuildHasherDefault<Hashed>>,
    texts: String,
    /// The end of each text in `texts`.
    ends: Vec<usize>,
    /// Sort keys, computed on first use. Empty if the text has no letters or digits.
    folded: Vec<OnceLock<Box<str>>>,
}

/// The names of all games. Threads share it.
#[derive(Debug)]
pub struct Interner<'a> {
    hasher: &'a RandomState,
    shards: Vec<Mutex<&'a mut Shard>>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            hasher: RandomState::default(),
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
        }
    }
}

impl Names {
    /// Lets threads add names.
    pub(crate) fn interner(&mut self) -> Interner<'_> {
        let shards = self.shards.iter_mut().map(Mutex::new).collect();
        Interner { hasher: &self.hasher, shards }
    }

    /// Returns whether both can mean the same. An unknown text agrees with anything.
    pub(crate) fn agree(&self, one: Id, other: Id, agree: fn(&str, &str) -> bool) -> bool {
        if one == other {
            return true;
        }
        match (self.folded(one), self.folded(other)) {
            (Some(one), Some(other)) => one == other || agree(one, other),
            _ => true,
        }
    }

    /// Returns whether the text has letters or digits.
    pub(crate) fn is_known(&self, id: Id) -> bool {
        self.folded(id).is_some()
    }

    pub(crate) fn hash(&self, value: impl Hash) -> u64 {
        self.hasher.hash_one(value)
    }

    /// Returns the text.
    pub(crate) fn text(&self, id: Id) -> &str {
        self.shards.get(id.shard()).map_or("", |shard| shard.text(id.index()))
    }

    /// Returns the words of the sort key, or `None` if the text is unknown.
    pub(crate) fn words(&self, id: Id) -> Option<impl Iterator<Item = &str> + Clone> {
        self.folded(id).map(words)
    }

    /// Returns the sort key, or `None` if the text is unknown.
    pub(crate) fn folded(&self, id: Id) -> Option<&str> {
        self.shards.get(id.shard()).and_then(|shard| shard.folded(id.index()))
    }
}

/// Returns the words of a sort key: letters and digits of ASCII.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

impl Interner<'_> {
    /// Returns the id of a text, and adds the text if it is new.
    pub(crate) fn id(&self, text: &str) -> Id {
        let hash = self.hasher.hash_one(text);
        // The map of a shard uses the other bits.
        let shard = u32::try_from(hash >> (u64::BITS - SHARD_BITS)).unwrap_or(0);
        let Some(names) = self.shards.get(shard as usize) else { return NONE };
        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
        names.find_or_add(text, hash, shard)
    }
}

impl Shard {
    fn find_or_add(&mut self, text: &str, mut hash: u64, shard: u32) -> Id {
        while let Some(id) = self.ids.get(&hash).copied() {
            if self.text(id.index()) == text {
                return id;
            }
            hash = hash.wrapping_add(1);
        }
        let Some(id) = Id::new(shard, self.ends.len()) else { return NONE };
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        self.folded.push(OnceLock::new());
        self.ids.insert(hash, id);
        id
    }

    fn text(&self, index: usize) -> &str {
        let end = |index: usize| self.ends.get(index).copied();
        let start = index.checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(index)).map(|(start, end)| start..end);
        range.and_then(|range| self.texts.get(range)).unwrap_or_default()
    }

    fn folded(&self, index: usize) -> Option<&str> {
        let folded = self.folded.get(index)?.get_or_init(|| {
            let mut folded = sort_key(self.text(index));
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
    fn shard_texts_with_equal_hashes_have_different_ids() {
        let mut shard = Shard::default();
        let texts = ["Tal", "Tál", "tal", "", "?", "Tal"];
        let ids = texts.map(|text| shard.find_or_add(text, 7, 5));
        assert_eq!(ids.map(Id::index), [0, 1, 2, 3, 4, 0]);
        assert!(ids.iter().all(|id| id.shard() == 5));
        assert_eq!(ids.map(|id| shard.text(id.index()).to_owned()), texts.map(str::to_owned));
    }

    #[test]
    fn names_agree_if_one_is_unknown_or_they_fold_alike() {
        let mut names = Names::default();
        let interner = names.interner();
        let [plain, accented, small, empty, unknown, other] =
            ["Tal", "Tál", "tal", "", "?", "Petrosian"].map(|text| interner.id(text));
        assert_eq!(interner.id("Tal"), plain);
        let never = |_: &str, _: &str| false;
        for other in [accented, small, empty, unknown] {
            assert!(names.agree(plain, other, never) && names.agree(other, plain, never));
        }
        assert!(names.is_known(accented) && !names.is_known(empty) && !names.is_known(unknown));
        assert!(!names.agree(plain, other, never) && names.agree(plain, other, |_, _| true));
    }

    #[test]
    fn interner_on_several_threads_gives_a_text_one_id() {
        let mut names = Names::default();
        let interner = names.interner();
        let texts: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
        let ids = || texts.iter().map(|text| interner.id(text)).collect::<Vec<_>>();
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(ids);
            (ids(), other.join().unwrap())
        });
        assert_eq!(one, other);
        let distinct: std::collections::HashSet<u32> = one.iter().map(|id| id.0).collect();
        assert_eq!(distinct.len(), texts.len());
    }
}
