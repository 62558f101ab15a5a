//! The names of a base that grows, and the names files made of them. (scid §3 "Names")

use chess_store::names::NameHasher;

use crate::encoder::{GameName, GameNames};
use crate::error::ErrorKind;
use crate::index::NameIds;
use crate::layout::{NAMES_MAGIC, Version};
use crate::name_index::{IndexedNames, Place};
use crate::names::{NameKind, RawNames, TooMuch, compare_names};
use crate::names_5::encode_record_5;

/// The names of a base that grows: ids in the order of first use, and how often each is used.
#[derive(Debug)]
pub(crate) struct NameTable {
    version: Version,
    lists: [IndexedNames; 4],
    /// Version 5: the records of names that are not in the file yet.
    new_records: Vec<u8>,
    /// Whether a name is used that the file does not have, or has as unused.
    unsaved: bool,
}

impl NameTable {
    /// No name yet.
    pub(crate) fn new(version: Version) -> NameTable {
        let lists = Default::default();
        NameTable { version, lists, new_records: Vec::new(), unsaved: false }
    }

    /// The names of a file that is there, with no use counted yet.
    ///
    /// # Errors
    /// If they are too much to keep.
    pub(crate) fn of(
        version: Version,
        names: &RawNames,
        hasher: &NameHasher,
    ) -> Result<NameTable, ErrorKind> {
        let mut table = NameTable::new(version);
        for (list, names) in table.lists.iter_mut().zip(names) {
            let indexed = IndexedNames::of(names, hasher);
            *list = indexed.map_err(|TooMuch| ErrorKind::NamesTooLong)?;
        }
        Ok(table)
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "there are four kinds")]
    fn list(&self, kind: NameKind) -> &IndexedNames {
        &self.lists[kind as usize]
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "there are four kinds")]
    fn list_mut(&mut self, kind: NameKind) -> &mut IndexedNames {
        &mut self.lists[kind as usize]
    }

    /// How often each name of a kind is used, by id.
    pub(crate) fn uses(&self, kind: NameKind) -> Vec<u32> {
        let mut uses = vec![0; self.list(kind).len()];
        for (_, id, count) in self.list(kind).iter() {
            if let Some(slot) = uses.get_mut(id as usize) {
                *slot = count;
            }
        }
        uses
    }

    /// How many names there are, of all kinds.
    pub(crate) fn len(&self) -> usize {
        self.lists.iter().map(IndexedNames::len).sum()
    }

    /// Gives the names of a game their ids, adds those that are new, and counts their use.
    ///
    /// # Errors
    /// If there is no room for those that are new; then nothing has changed.
    pub(crate) fn give_ids(&mut self, names: GameNames<'_>) -> Result<NameIds, ErrorKind> {
        // All slots first: so the processor waits for five at once.
        let mut places = [None; 5];
        for (place, name) in places.iter_mut().zip(names.iter()) {
            *place = self.list(name.kind).places(name.hash).next();
        }
        for (place, name) in places.iter_mut().zip(names.iter()) {
            let list = self.list(name.kind);
            if place.and_then(|place| list.name(place)) != Some(name.bytes) {
                *place = list.find(name.hash, name.bytes);
            }
            if place.is_none() {
                self.check_room(name.kind)?;
            }
        }
        let mut ids = [0; 5];
        for ((id, place), name) in ids.iter_mut().zip(places).zip(names.iter()) {
            let place = match place {
                Some(place) => place,
                None => self.find_or_add(&name)?,
            };
            *id = self.count_use_at(name.kind, place);
        }
        let [event, site, round, white, black] = ids;
        Ok(NameIds { white, black, event, site, round })
    }

    fn check_room(&self, kind: NameKind) -> Result<(), ErrorKind> {
        // Both players of a game may be new.
        let new = if kind == NameKind::Player { 2 } else { 1 };
        let count = u32::try_from(self.list(kind).len()).unwrap_or(u32::MAX);
        match count.checked_add(new) {
            Some(count) if count <= self.version.max_names(kind) => Ok(()),
            _ => Err(ErrorKind::TooManyNames(count)),
        }
    }

    /// Adds a name that is new; but White may have brought the name that Black has too.
    fn find_or_add(&mut self, name: &GameName<'_>) -> Result<Place, ErrorKind> {
        let list = self.list_mut(name.kind);
        if let Some(place) = list.find(name.hash, name.bytes) {
            return Ok(place);
        }
        let added = list.add(name.hash, name.bytes);
        let place = added.map_err(|TooMuch| ErrorKind::NamesTooLong)?;
        if self.version == Version::Si5 {
            encode_record_5(name.kind as u8, name.bytes, &mut self.new_records);
        }
        Ok(place)
    }

    /// Counts a use of a name; gives its id.
    #[inline]
    fn count_use_at(&mut self, kind: NameKind, place: Place) -> u32 {
        let (id, uses) = self.list_mut(kind).change_uses(place, |uses| uses.saturating_add(1));
        self.unsaved |= uses == 0;
        id
    }

    /// Counts a use of the name of an id.
    pub(crate) fn count_use(&mut self, kind: NameKind, id: u32) {
        if let Some(place) = self.list(kind).place(id) {
            self.count_use_at(kind, place);
        }
    }

    /// Says how often the name of an id is used.
    pub(crate) fn set_uses(&mut self, kind: NameKind, id: u32, uses: u32) {
        if let Some(place) = self.list(kind).place(id) {
            self.list_mut(kind).change_uses(place, |_| uses);
        }
    }

    /// Counts a use of a name that is no more.
    pub(crate) fn count_use_gone(&mut self, kind: NameKind, id: u32) {
        if let Some(place) = self.list(kind).place(id) {
            self.list_mut(kind).change_uses(place, |uses| uses.saturating_sub(1));
        }
    }

    /// Whether a name is used that the file does not have, or has as unused.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// The file has it all.
    pub(crate) fn saved(&mut self) {
        self.unsaved = false;
        self.new_records.clear();
    }

    /// What version 5 appends to its names file since it was [`saved`](Self::saved); for a new
    /// base, that is the file.
    pub(crate) fn new_records(&self) -> &[u8] {
        &self.new_records
    }

    /// The whole names file of version 4.
    pub(crate) fn encode_4(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&NAMES_MAGIC);
        bytes.extend_from_slice(&[0; 4]);
        let uses = |list: &IndexedNames| list.iter().map(|(_, _, uses)| uses).max().unwrap_or(0);
        let maxima = self.lists.each_ref().map(uses);
        for list in &self.lists {
            put_24(u32::try_from(list.iter().count()).unwrap_or(u32::MAX), &mut bytes);
        }
        for max in maxima {
            put_24(max, &mut bytes);
        }
        for (list, max) in self.lists.iter().zip(maxima) {
            encode_list_4(list, max, &mut bytes);
        }
        bytes
    }
}

/// Appends a list in Scid's order, each name without what it shares with the one before.
fn encode_list_4(list: &IndexedNames, most_uses: u32, bytes: &mut Vec<u8>) {
    let mut sorted: Vec<(&[u8], u32, u32)> = list.iter().collect();
    sorted.sort_unstable_by(|a, b| compare_names(a.0, b.0).then(a.1.cmp(&b.1)));
    let wide = sorted.len() >= 0x1_0000;
    let mut previous: Option<&[u8]> = None;
    for (name, id, uses) in sorted {
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

/// The length of a name of version 4. Encoders cut names to 255 bytes, and files have a byte for it.
fn length_byte(name: &[u8]) -> u8 {
    u8::try_from(name.len()).unwrap_or(u8::MAX)
}

/// A number of uses, or of names: more than has room here counts as the most.
fn put_24(value: u32, bytes: &mut Vec<u8>) {
    put_number(value.min(0xff_ffff), 3, bytes);
}

fn put_number(value: u32, size: usize, bytes: &mut Vec<u8>) {
    bytes.extend(value.to_be_bytes().into_iter().skip(4usize.saturating_sub(size)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_two_ids_stays_under_both() {
        let mut names = RawNames::default();
        for name in ["a", "b", "a"] {
            assert!(names[0].push(name.as_bytes()).is_ok());
        }
        let table = NameTable::of(Version::Si4, &names, &NameHasher::default()).unwrap();
        let mut bytes = Vec::new();
        encode_list_4(table.list(NameKind::Player), 0, &mut bytes);
        assert_eq!(bytes, b"\0\0\0\x01a\0\x02\0\x01\x01\0\x01\0\x01\0b");
    }
}
