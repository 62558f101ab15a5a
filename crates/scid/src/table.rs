//! Names as they are collected, and the names files made of them. (scid §3 "Names")

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use crate::layout::{NAMES_MAGIC, Version};
use crate::names::{NameKind, RawNames, compare_names};
use crate::names_5::encode_record_5;

/// The names of a base that grows: ids in the order of first use, and how often each is used.
#[derive(Debug)]
pub(crate) struct NameTable {
    version: Version,
    lists: [Collected; 4],
    /// Version 5: the records of names that are not in the file yet.
    new_records: Vec<u8>,
    /// Whether a name is used that the file does not have, or has as unused.
    unsaved: bool,
}

#[derive(Debug, Default)]
struct Collected {
    ids: HashMap<Box<[u8]>, u32>,
    /// Names that have another id already, which stays in use. They come from other programs, or
    /// from compacting that was broken off.
    doubles: Vec<(Box<[u8]>, u32)>,
    frequencies: Vec<u32>,
}

impl NameTable {
    /// No name yet.
    pub(crate) fn new(version: Version) -> NameTable {
        let lists = Default::default();
        NameTable { version, lists, new_records: Vec::new(), unsaved: false }
    }

    /// The names of a file that is there, with no use counted yet.
    pub(crate) fn of(version: Version, names: &RawNames) -> NameTable {
        let mut table = NameTable::new(version);
        for (collected, list) in table.lists.iter_mut().zip(names) {
            collected.frequencies = vec![0; list.len()];
            for id in 0..u32::try_from(list.len()).unwrap_or(u32::MAX) {
                let Some(name) = list.get(id) else { continue };
                match collected.ids.entry(name.into()) {
                    Slot::Vacant(slot) => _ = slot.insert(id),
                    Slot::Occupied(_) => collected.doubles.push((name.into(), id)),
                }
            }
        }
        table
    }

    /// The id of a name, if it has one.
    pub(crate) fn find(&self, kind: NameKind, name: &[u8]) -> Option<u32> {
        self.lists.get(kind as usize)?.ids.get(name).copied()
    }

    /// How many names there are of a kind.
    pub(crate) fn count(&self, kind: NameKind) -> u32 {
        u32::try_from(self.uses(kind).len()).unwrap_or(u32::MAX)
    }

    /// How often each name of a kind is used.
    pub(crate) fn uses(&self, kind: NameKind) -> &[u32] {
        self.lists.get(kind as usize).map_or(&[], |list| &list.frequencies)
    }

    /// Adds a name that is not there yet.
    pub(crate) fn add(&mut self, kind: NameKind, name: &[u8]) -> u32 {
        let id = self.count(kind);
        if let Some(list) = self.lists.get_mut(kind as usize) {
            list.ids.insert(name.into(), id);
            list.frequencies.push(0);
        }
        if self.version == Version::Si5 {
            encode_record_5(kind as u8, name, &mut self.new_records);
        }
        id
    }

    /// Counts a use of a name.
    pub(crate) fn count_use(&mut self, kind: NameKind, id: u32) {
        let list = self.lists.get_mut(kind as usize);
        if let Some(uses) = list.and_then(|list| list.frequencies.get_mut(id as usize)) {
            self.unsaved |= *uses == 0;
            *uses = uses.saturating_add(1);
        }
    }

    /// Counts a use of a name that is no more.
    pub(crate) fn count_use_gone(&mut self, kind: NameKind, id: u32) {
        let list = self.lists.get_mut(kind as usize);
        if let Some(uses) = list.and_then(|list| list.frequencies.get_mut(id as usize)) {
            *uses = uses.saturating_sub(1);
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
        let maxima = self.lists.each_ref().map(|list| list.frequencies.iter().copied().max());
        for list in &self.lists {
            let count = list.ids.len().saturating_add(list.doubles.len());
            put_24(u32::try_from(count).unwrap_or(u32::MAX), &mut bytes);
        }
        for max in maxima {
            put_24(max.unwrap_or(0), &mut bytes);
        }
        for (list, max) in self.lists.iter().zip(maxima) {
            list.encode_4(max.unwrap_or(0), &mut bytes);
        }
        bytes
    }
}

impl Collected {
    /// A list in Scid's order, each name without what it shares with the one before.
    fn encode_4(&self, max: u32, bytes: &mut Vec<u8>) {
        let doubles = self.doubles.iter().map(|(name, id)| (&**name, *id));
        let mut sorted: Vec<(&[u8], u32)> =
            self.ids.iter().map(|(name, id)| (&**name, *id)).chain(doubles).collect();
        sorted.sort_unstable_by(|a, b| compare_names(a.0, b.0).then(a.1.cmp(&b.1)));
        let wide = sorted.len() >= 0x1_0000;
        let mut previous: Option<&[u8]> = None;
        for (name, id) in sorted {
            let uses = self.frequencies.get(id as usize).copied().unwrap_or(0);
            put_number(id, if wide { 3 } else { 2 }, bytes);
            let width = match max {
                0x1_0000.. => 3,
                0x100.. => 2,
                _ => 1,
            };
            put_number(uses, width, bytes);
            bytes.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
            let mut shared = 0;
            if let Some(previous) = previous {
                shared = previous.iter().zip(name).take_while(|(a, b)| a == b).count();
                bytes.push(u8::try_from(shared).unwrap_or(0));
            }
            bytes.extend_from_slice(name.get(shared..).unwrap_or_default());
            previous = Some(name);
        }
    }
}

fn put_24(value: u32, bytes: &mut Vec<u8>) {
    put_number(value.min(0xff_ffff), 3, bytes);
}

fn put_number(value: u32, size: usize, bytes: &mut Vec<u8>) {
    bytes.extend(value.to_be_bytes().into_iter().skip(4usize.saturating_sub(size)));
}
