//! A dictionary of repeated values, found by their bytes.

use std::hash::{BuildHasher as _, RandomState};

/// The dictionary size in bytes beyond which it does not pay off; the same as in other writers.
const MOST_BYTES: usize = 1 << 20;
const FIRST_SLOTS: usize = 1 << 10;
/// Numbers below this limit, such as years, ratings and game lengths, are looked up without a hash.
const SMALL: usize = 1 << 12;
/// No index: a dictionary has fewer values.
const NO_INDEX: u16 = u16::MAX;

/// A dictionary as its page stores it, with a hash table from values to indices.
pub(crate) struct Dictionary {
    /// The number of bytes in the length prefix of each value.
    prefix: usize,
    page: Vec<u8>,
    ends: Vec<u32>,
    /// An open-addressing hash table. A slot holds some bits of the hash, and the index plus one.
    slots: Vec<(u16, u16)>,
    /// The index of each small number, or [`NO_INDEX`], if the values are numbers.
    numbers: Vec<u16>,
    /// Random hash keys, so that a malicious database cannot cause hash collisions.
    keys: [u64; 2],
    last: u16,
}

impl Dictionary {
    /// Creates a dictionary. `fixed` means that all values have the same length.
    pub(crate) fn new(fixed: bool) -> Dictionary {
        let random = RandomState::new();
        Dictionary {
            prefix: if fixed { 0 } else { size_of::<u32>() },
            page: Vec::new(),
            ends: Vec::new(),
            slots: vec![(0, 0); FIRST_SLOTS],
            numbers: Vec::new(),
            keys: [random.hash_one(1), random.hash_one(2) | 1],
            last: NO_INDEX,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the values in plain encoding.
    pub(crate) fn page(&self) -> &[u8] {
        &self.page
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &[u8]> {
        (0..u16::MAX).map_while(|place| self.get(place))
    }

    #[inline]
    fn get(&self, place: u16) -> Option<&[u8]> {
        let place = usize::from(place);
        let end = *self.ends.get(place)?;
        let start =
            place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        self.page.get(start.wrapping_add(self.prefix)..end)
    }

    /// Returns the index of a value. Adds the value if it is new and there is room.
    #[inline]
    pub(crate) fn place(&mut self, value: &[u8]) -> Option<u16> {
        // The games of a tournament are adjacent.
        if self.get(self.last) == Some(value) {
            return Some(self.last);
        }
        let (mut at, tag) = slot(value, self.keys);
        let mask = self.slots.len().wrapping_sub(1);
        loop {
            match self.slots.get(at & mask) {
                Some((_, 0)) | None => break,
                Some((other, place)) => {
                    let place = place.wrapping_sub(1);
                    if *other == tag && self.get(place) == Some(value) {
                        self.last = place;
                        return Some(place);
                    }
                }
            }
            at = at.wrapping_add(1);
        }
        self.add(value, at & mask, tag)
    }

    /// Does the same for a number, in a dictionary of numbers.
    #[inline]
    pub(crate) fn place_of(&mut self, number: i32) -> Option<u16> {
        let known = usize::try_from(number).ok().and_then(|number| self.numbers.get(number));
        match known {
            Some(place) if *place != NO_INDEX => Some(*place),
            _ => self.place_of_new(number),
        }
    }

    #[inline(never)]
    fn place_of_new(&mut self, number: i32) -> Option<u16> {
        let place = self.place(&number.to_le_bytes())?;
        if let Some(number) = usize::try_from(number).ok().filter(|number| *number < SMALL) {
            if self.numbers.len() <= number {
                self.numbers.resize(number + 1, NO_INDEX);
            }
            if let Some(to) = self.numbers.get_mut(number) {
                *to = place;
            }
        }
        Some(place)
    }

    #[inline(never)]
    fn add(&mut self, value: &[u8], slot: usize, tag: u16) -> Option<u16> {
        let place = u16::try_from(self.ends.len()).ok().filter(|place| *place < NO_INDEX)?;
        if self.page.len().saturating_add(value.len()) > MOST_BYTES {
            return None;
        }
        if self.prefix > 0 {
            self.page.extend_from_slice(&u32::try_from(value.len()).ok()?.to_le_bytes());
        }
        self.page.extend_from_slice(value);
        self.ends.push(u32::try_from(self.page.len()).ok()?);
        *self.slots.get_mut(slot)? = (tag, place.wrapping_add(1));
        self.last = place;
        if self.ends.len() > self.slots.len() / 2 {
            self.grow();
        }
        Some(place)
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let mut slots = vec![(0, 0); self.slots.len().saturating_mul(2)];
        let mask = slots.len().wrapping_sub(1);
        for (place, value) in (1..=u16::MAX).zip(self.values()) {
            let (mut at, tag) = slot(value, self.keys);
            while slots.get(at & mask).is_some_and(|slot| slot.1 != 0) {
                at = at.wrapping_add(1);
            }
            if let Some(slot) = slots.get_mut(at & mask) {
                *slot = (tag, place);
            }
        }
        self.slots = slots;
    }
}

/// Returns the first slot for a value, and the hash bits that the slot stores.
#[inline]
fn slot(value: &[u8], keys: [u64; 2]) -> (usize, u16) {
    let [first, second] = keys;
    let (chunks, _) = value.as_chunks::<8>();
    let length = u64::try_from(value.len()).unwrap_or(0);
    let mixed = chunks
        .iter()
        .fold(first ^ length, |hash, chunk| mix(hash ^ u64::from_le_bytes(*chunk), second));
    let hash = mix(mixed ^ last_bytes(value), second);
    let at = usize::try_from(hash & u64::from(u32::MAX)).unwrap_or(0);
    (at, u16::try_from(hash >> 48).unwrap_or(0))
}

/// Returns the last eight bytes, or all bytes of a shorter value.
#[inline]
fn last_bytes(value: &[u8]) -> u64 {
    if let Some(last) = value.last_chunk() {
        return u64::from_le_bytes(*last);
    }
    if let (Some(first), Some(last)) = (value.first_chunk(), value.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    value.iter().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte))
}

/// Multiplies two words, and folds the product into one word.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the other half is taken as well")]
const fn mix(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionary_place_equal_values_share_an_index() {
        let mut dictionary = Dictionary::new(false);
        let texts: Vec<String> = (0..5_000).map(|n| "ab".repeat(n % 37) + &n.to_string()).collect();
        for round in 0..3 {
            for (place, text) in texts.iter().enumerate() {
                let found = dictionary.place(text.as_bytes());
                assert_eq!(found.map(usize::from), Some(place), "{round}");
                assert_eq!(dictionary.place(text.as_bytes()), found);
            }
        }
        assert!(dictionary.values().eq(texts.iter().map(String::as_bytes)));
        let page: Vec<u8> = texts
            .iter()
            .flat_map(|text| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat())
            .collect();
        assert_eq!(dictionary.page(), page);
    }

    #[test]
    fn dictionary_place_all_lengths_and_zeros_are_found() {
        let mut dictionary = Dictionary::new(false);
        for length in 0..100 {
            assert_eq!(dictionary.place(&vec![0; length]).map(usize::from), Some(length));
        }
        assert_eq!(dictionary.place(&[]), Some(0));
    }

    #[test]
    fn dictionary_full_finds_old_values_and_rejects_new() {
        let mut numbers = Dictionary::new(true);
        for n in 0..65_535u32 {
            assert_eq!(numbers.place(&n.to_le_bytes()).map(u32::from), Some(n));
            assert_eq!(numbers.place_of(n as i32).map(u32::from), Some(n));
        }
        for n in [0, 4_095, 4_096, 65_534] {
            assert_eq!(numbers.place_of(n).map(i32::from), Some(n));
        }
        assert_eq!(numbers.place_of(-1), None);
        assert_eq!(numbers.place(&70_000u32.to_le_bytes()), None);
        assert_eq!(numbers.place(&9u32.to_le_bytes()), Some(9));
        assert_eq!((numbers.len(), numbers.page().len()), (65_535, 4 * 65_535));
        let mut texts = Dictionary::new(false);
        assert_eq!(texts.place(&[b'x'; MOST_BYTES + 1]), None);
        assert_eq!(texts.place(&[b'x'; MOST_BYTES]), Some(0));
        assert_eq!(texts.place(b"y"), None);
        assert_eq!(texts.len(), 1);
    }
}
