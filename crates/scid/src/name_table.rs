//! The names of a growing base, and the names files written from them. (scid §3 "Names")

use std::borrow::Cow;

use chess_store::field_size;
use chess_store::names::{IdsInOrder, NameHasher, SharedNames};

use crate::error::ErrorKind;
use crate::index::NameIds;
use crate::layout::{NAMES_MAGIC, Version};
use crate::name_index::{IndexedNames, hash_name};
use crate::names::{NameKind, NameList, RawNames, TooMuch, compare_names, name_key};
use crate::names_5::encode_record_5;

/// The names of each kind. All encoders of a base share them, and number the names in the order in
/// which they meet them. So these numbers depend on the threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameLists(SharedNames<[IndexedNames; 4]>);

/// The numbers that [`NameLists`] gave to the five names of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NameNumbers([u32; 5]);

/// The kinds of the names of a game, in the order in which they get ids: event, site, round, White,
/// Black.
const KINDS: [NameKind; 5] =
    [NameKind::Event, NameKind::Site, NameKind::Round, NameKind::Player, NameKind::Player];

impl NameLists {
    /// Returns the numbers of the names of a game, and adds those that are new. A name has at most
    /// 255 bytes.
    ///
    /// # Errors
    /// More than 4 GiB of names.
    pub(crate) fn number(
        &self,
        hasher: &NameHasher,
        names: &[Cow<'_, [u8]>; 5],
    ) -> Result<NameNumbers, ErrorKind> {
        // Encoders cut names to 255 bytes, so hashing cannot fail.
        let hash = |name: &Cow<'_, [u8]>| hash_name(hasher, name).unwrap_or_default();
        let (hashes, mut numbers) = (names.each_ref().map(hash), [0; 5]);
        let of_game = || KINDS.into_iter().zip(hashes).zip(names);
        let mut missing = false;
        let lists = self.0.read();
        for (number, ((kind, hash), name)) in numbers.iter_mut().zip(of_game()) {
            match list(&lists, kind).find(hash, name) {
                Some(known) => *number = known,
                None => missing = true,
            }
        }
        drop(lists);
        if missing {
            let mut lists = self.0.write();
            for (number, ((kind, hash), name)) in numbers.iter_mut().zip(of_game()) {
                let Some(list) = lists.get_mut(kind as usize) else { continue };
                let added = list.find_or_add(hash, name);
                *number = added.map_err(|TooMuch| ErrorKind::NamesTooLong)?;
            }
        }
        Ok(NameNumbers(numbers))
    }
}

/// The names of a growing base: ids in the order of first use, and use counts.
#[derive(Debug)]
pub(crate) struct NameTable {
    version: Version,
    lists: NameLists,
    /// By kind: the id of each number that encoders use.
    ids: [IdsInOrder; 4],
    /// By kind and id.
    uses: [Vec<u32>; 4],
    /// Version 5: the records of names that are not yet in the file.
    new_records: Vec<u8>,
    /// Whether a name is used that is missing from the file or unused in it.
    unsaved: bool,
}

/// The list of a kind.
#[inline]
#[allow(clippy::indexing_slicing, reason = "there are four kinds")]
fn list(lists: &[IndexedNames; 4], kind: NameKind) -> &IndexedNames {
    &lists[kind as usize]
}

impl NameTable {
    /// An empty table.
    pub(crate) fn new(version: Version) -> NameTable {
        let (lists, ids, uses) = Default::default();
        NameTable { version, lists, ids, uses, new_records: Vec::new(), unsaved: false }
    }

    /// The names of an existing file, with all use counts zero. Their numbers are their ids.
    ///
    /// # Errors
    /// Too many names.
    pub(crate) fn of(
        version: Version,
        names: &RawNames,
        hasher: &NameHasher,
    ) -> Result<NameTable, ErrorKind> {
        let mut lists: [IndexedNames; 4] = Default::default();
        for (list, names) in lists.iter_mut().zip(names) {
            let indexed = IndexedNames::of(names, hasher);
            *list = indexed.map_err(|TooMuch| ErrorKind::NamesTooLong)?;
        }
        let uses = lists.each_ref().map(|list| vec![0; list.len()]);
        let ids = lists.each_ref().map(|list| IdsInOrder::unchanged(list.len()));
        let lists = NameLists(SharedNames::new(lists));
        Ok(NameTable { lists, ids, uses, ..NameTable::new(version) })
    }

    /// The names, for encoders.
    pub(crate) fn lists(&self) -> NameLists {
        self.lists.clone()
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "there are four kinds")]
    fn ids_of(&mut self, kind: NameKind) -> &mut IdsInOrder {
        &mut self.ids[kind as usize]
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "there are four kinds")]
    fn uses_mut(&mut self, kind: NameKind) -> &mut Vec<u32> {
        &mut self.uses[kind as usize]
    }

    /// The use counts of each kind, by id.
    #[allow(clippy::indexing_slicing, reason = "there are four kinds")]
    pub(crate) fn uses(&self, kind: NameKind) -> &[u32] {
        &self.uses[kind as usize]
    }

    /// The number of ids of all kinds.
    pub(crate) fn len(&self) -> usize {
        self.uses.iter().map(Vec::len).sum()
    }

    /// Returns the ids of the names of a game, gives ids to new names, and counts their use.
    ///
    /// # Errors
    /// No room for the new names. Nothing has changed then.
    pub(crate) fn give_ids(&mut self, names: NameNumbers) -> Result<NameIds, ErrorKind> {
        let mut ids = [None; 5];
        for ((id, kind), number) in ids.iter_mut().zip(KINDS).zip(names.0) {
            *id = self.ids_of(kind).get(number);
        }
        let ids = match ids {
            [Some(event), Some(site), Some(round), Some(white), Some(black)] => {
                [event, site, round, white, black]
            }
            _ => self.add_ids(names)?,
        };
        for (kind, id) in KINDS.into_iter().zip(ids) {
            self.change_uses(kind, id, |uses| uses.saturating_add(1));
        }
        let [event, site, round, white, black] = ids;
        Ok(NameIds { white, black, event, site, round })
    }

    /// As [`give_ids`](Self::give_ids), for a game with a new name.
    #[cold]
    fn add_ids(&mut self, names: NameNumbers) -> Result<[u32; 5], ErrorKind> {
        let of_game = || KINDS.into_iter().zip(names.0);
        for (kind, number) in of_game() {
            if self.ids_of(kind).get(number).is_none() {
                check_capacity(self.version, kind, self.uses(kind).len())?;
            }
        }
        let (mut ids, lists) = ([0; 5], self.lists.clone());
        for (given, (kind, number)) in ids.iter_mut().zip(of_game()) {
            // White and Black may share a new name.
            *given = match self.ids_of(kind).get(number) {
                Some(id) => id,
                None => {
                    self.uses_mut(kind).push(0);
                    if self.version == Version::Si5 {
                        let lists = lists.0.read();
                        let name = list(&lists, kind).name(number).unwrap_or_default();
                        encode_record_5(kind as u8, name, &mut self.new_records);
                    }
                    self.ids_of(kind).add(number)
                }
            };
        }
        Ok(ids)
    }

    /// Changes the use count of an id, if the id has a name.
    #[inline]
    fn change_uses(&mut self, kind: NameKind, id: u32, new: impl Fn(u32) -> u32) {
        let Some(uses) = self.uses_mut(kind).get_mut(id as usize) else { return };
        let old = std::mem::replace(uses, new(*uses));
        self.unsaved |= old == 0;
    }

    /// Counts one more use of each name of a game. Returns `false` if one of them is not among
    /// `names`, the names of the file.
    #[inline(always)] // once for each game of a base
    pub(crate) fn count_uses(&mut self, ids: &NameIds, names: &RawNames) -> bool {
        let [players, events, sites, rounds] = &mut self.uses;
        let [player, event, site, round] = names;
        count_use(players, ids.white, player)
            && count_use(players, ids.black, player)
            && count_use(events, ids.event, event)
            && count_use(sites, ids.site, site)
            && count_use(rounds, ids.round, round)
    }

    /// Sets the use count of an id.
    pub(crate) fn set_uses(&mut self, kind: NameKind, id: u32, uses: u32) {
        if let Some(place) = self.uses_mut(kind).get_mut(id as usize) {
            *place = uses;
        }
    }

    /// Counts one use less of an id.
    pub(crate) fn remove_use(&mut self, kind: NameKind, id: u32) {
        if let Some(uses) = self.uses_mut(kind).get_mut(id as usize) {
            *uses = uses.saturating_sub(1);
        }
    }

    /// Whether a name is used that is missing from the file or unused in it.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// Records that the file holds fewer names than the table.
    pub(crate) fn set_unsaved(&mut self) {
        self.unsaved = true;
    }

    /// Records that the file is up to date.
    pub(crate) fn saved(&mut self) {
        self.unsaved = false;
        self.new_records.clear();
    }

    /// Returns the records that version 5 appends to its names file since [`saved`](Self::saved).
    /// For a new base this is the whole file.
    pub(crate) fn new_records(&self) -> &[u8] {
        &self.new_records
    }

    /// Encodes the whole names file of version 4.
    pub(crate) fn encode_4(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&NAMES_MAGIC);
        bytes.extend_from_slice(&[0; 4]);
        let lists = self.lists.0.read();
        let maxima = self.uses.each_ref().map(|uses| uses.iter().copied().max().unwrap_or(0));
        for (list, ids) in lists.iter().zip(&self.ids) {
            let count = names_with_ids(list, ids).count();
            debug_assert!(count <= 0xff_ffff, "{count} names of a kind");
            put_24(field_size(count, "`check_capacity` refuses more names"), &mut bytes);
        }
        for max in maxima {
            put_24(max, &mut bytes);
        }
        for (((list, ids), uses), max) in lists.iter().zip(&self.ids).zip(&self.uses).zip(maxima) {
            encode_list_4(names_with_ids(list, ids), uses, max, &mut bytes);
        }
        bytes
    }
}

/// Counts one more use of an id. Returns `false` if it has no name.
#[inline(always)] // five times for each game of a base
fn count_use(uses: &mut [u32], id: u32, names: &NameList<Vec<u8>>) -> bool {
    match uses.get_mut(id as usize) {
        Some(uses) if *uses > 0 => {
            *uses = uses.saturating_add(1);
            true
        }
        Some(uses) => count_first_use(uses, id, names),
        None => false,
    }
}

/// Only the first use asks for the name.
#[cold]
fn count_first_use(uses: &mut u32, id: u32, names: &NameList<Vec<u8>>) -> bool {
    let is_known = names.get(id).is_some();
    *uses = u32::from(is_known);
    is_known
}

/// Iterates over the names that have ids, in the order of the ids.
fn names_with_ids<'a>(
    list: &'a IndexedNames,
    ids: &'a IdsInOrder,
) -> impl Iterator<Item = (&'a [u8], u32)> {
    ids.iter().filter_map(|(number, id)| Some((list.name(number)?, id)))
}

/// Appends a list in Scid's order. Each name omits the prefix it shares with the previous name.
fn encode_list_4<'a>(
    names: impl Iterator<Item = (&'a [u8], u32)>,
    uses: &[u32],
    most_uses: u32,
    bytes: &mut Vec<u8>,
) {
    let mut sorted: Vec<(u64, &[u8], u32)> =
        names.map(|(name, id)| (name_key(name), name, id)).collect();
    sorted.sort_unstable_by(|a, b| match (a.0, b.0) {
        (a_key, b_key) if a_key != b_key && a_key != 0 && b_key != 0 => a_key.cmp(&b_key),
        _ => compare_names(a.1, b.1).then(a.2.cmp(&b.2)),
    });
    let wide = sorted.len() >= 0x1_0000;
    let mut previous: Option<&[u8]> = None;
    for (_, name, id) in sorted {
        let uses = uses.get(id as usize).copied().unwrap_or_default();
        put_number(id, if wide { 3 } else { 2 }, bytes);
        match most_uses {
            0x1_0000.. => put_24(uses, bytes),
            0x100.. => put_number(uses, 2, bytes),
            _ => put_number(uses, 1, bytes),
        }
        bytes.push(length_byte(name));
        let mut shared = 0;
        if let Some(previous) = previous {
            shared = previous.iter().zip(name).take_while(|(a, b)| a == b).count();
            bytes.push(length_byte(name.get(..shared).unwrap_or_default()));
        }
        bytes.extend_from_slice(name.get(shared..).unwrap_or_default());
        previous = Some(name);
    }
}

/// Whether names can be added to `count` names.
fn check_capacity(version: Version, kind: NameKind, count: usize) -> Result<(), ErrorKind> {
    // Both players of a game may be new.
    let new = if kind == NameKind::Player { 2 } else { 1 };
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    match count.checked_add(new) {
        Some(count) if count <= version.max_names(kind) => Ok(()),
        _ => Err(ErrorKind::TooManyNames(count)),
    }
}

/// The length of a version 4 name. It always fits: encoders truncate names to 255 bytes, and files
/// store the length in one byte.
fn length_byte(name: &[u8]) -> u8 {
    field_size(name.len(), "encoders cut names to 255 bytes")
}

/// Clamps a number of uses or names to what its field can hold.
fn put_24(value: u32, bytes: &mut Vec<u8>) {
    put_number(value.min(0xff_ffff), 3, bytes);
}

fn put_number(value: u32, size: usize, bytes: &mut Vec<u8>) {
    let number = value.to_be_bytes();
    bytes.extend_from_slice(number.get(4usize.saturating_sub(size)..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "does not fit its field")]
    fn length_byte_name_too_long_panics_in_debug_builds() {
        length_byte(&[b'x'; 256]);
    }

    #[test]
    fn name_key_different_keys_order_as_names() {
        const BYTES: [u8; 7] = [0, b'a', b'b', 0x7f, 0x80, 0x81, 0xff];
        let mut seed = 1u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        let names: Vec<Vec<u8>> = (0..500)
            .map(|_| (0..next() % 12).map(|_| BYTES[next() % BYTES.len()]).collect())
            .collect();
        let mut differ = 0;
        for (one, other) in names.iter().flat_map(|one| names.iter().map(move |two| (one, two))) {
            let (a, b) = (name_key(one), name_key(other));
            if a != b && a != 0 && b != 0 {
                differ += 1;
                assert_eq!(compare_names(one, other), a.cmp(&b), "{one:x?} {other:x?}");
            }
        }
        assert!(differ > 40_000, "{differ}");
    }

    #[test]
    fn name_table_duplicate_name_keeps_both_ids() {
        let mut names = RawNames::default();
        for name in ["a", "b", "a"] {
            assert!(names[0].push(name.as_bytes()).is_ok());
        }
        let table = NameTable::of(Version::Si4, &names, &NameHasher::default()).unwrap();
        let mut bytes = Vec::new();
        let (lists, [ids, ..]) = (table.lists.0.read(), &table.ids);
        encode_list_4(names_with_ids(&lists[0], ids), &[], 0, &mut bytes);
        assert_eq!(bytes, b"\0\0\0\x01a\0\x02\0\x01\x01\0\x01\0\x01\0b");
    }
}
