//! The names of a base being written, each stored once.

use std::cmp::Ordering;
use std::sync::LazyLock;

use chess_store::names::{NameHasher, NameIndex};

use crate::layout::{MAGIC_SIZE, NAME_STEP, NO_NAME};
use crate::names::{NameKind, NameRecord, trim_end};

/// A name to be written, with its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) record: NameRecord,
    hash: u32,
    /// Its number, if the base had it when the game was encoded.
    pub(crate) number: Option<u32>,
}

impl Name {
    pub(crate) fn new(record: NameRecord) -> Name {
        /// One hasher for all, so that names of any encoder are found in any table.
        static HASHER: LazyLock<NameHasher> = LazyLock::new(NameHasher::default);
        Name { record, hash: HASHER.hash(&record), number: None }
    }
}

/// The names of a new base.
#[derive(Debug, Default)]
pub(crate) struct NameTables {
    players: NameTable,
    sites: NameTable,
    events: NameTable,
}

impl NameTables {
    pub(crate) fn of(&self, kind: NameKind) -> &NameTable {
        match kind {
            NameKind::Players => &self.players,
            NameKind::Sites => &self.sites,
            NameKind::Events => &self.events,
        }
    }

    pub(crate) fn of_mut(&mut self, kind: NameKind) -> &mut NameTable {
        match kind {
            NameKind::Players => &mut self.players,
            NameKind::Sites => &mut self.sites,
            NameKind::Events => &mut self.events,
        }
    }
}

/// The names of a file, numbered in file order.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    records: Vec<NameRecord>,
    index: NameIndex,
}

impl NameTable {
    /// Returns the number of a name and adds it if new. Returns `None` if references cannot address
    /// it.
    pub(crate) fn intern(&mut self, name: &Name) -> Option<u32> {
        self.number(name).or_else(|| {
            let (new, _) = self.next_place()?;
            self.index.insert(name.hash, new);
            self.records.push(name.record);
            Some(new)
        })
    }

    /// Returns the number of a known name.
    pub(crate) fn number(&self, name: &Name) -> Option<u32> {
        self.index.find(name.hash, |number| self.record(number) == Some(&name.record))
    }

    /// The number and reference of the next new name; `None` if references cannot address it.
    pub(crate) fn next_place(&self) -> Option<(u32, u32)> {
        let number = u32::try_from(self.records.len()).ok()?;
        Some((number, reference(number)?))
    }

    /// Appends a name. A duplicate keeps its first number.
    pub(crate) fn add(&mut self, name: &Name) {
        if self.number(name).is_none()
            && let Some((number, _)) = self.next_place()
        {
            self.index.insert(name.hash, number);
        }
        self.records.push(name.record);
    }

    fn record(&self, number: u32) -> Option<&NameRecord> {
        self.records.get(number as usize)
    }

    /// Returns the records in the order of the author's program, and the reference of each number.
    // dcg §5.2 "Order"
    pub(crate) fn sorted(&self) -> (Vec<&NameRecord>, Vec<u32>) {
        let records = (0..).zip(&self.records);
        let mut order: Vec<(u64, u32, &NameRecord)> =
            records.map(|(number, record)| (key(record), number, record)).collect();
        order.sort_unstable_by(|(a_key, _, a), (b_key, _, b)| match (a_key, b_key) {
            (0, _) | (_, 0) => compare(a, b),
            _ => a_key.cmp(b_key).then_with(|| compare(a, b)),
        });
        let mut references = vec![NO_NAME; self.records.len()];
        for (place, (_, number, _)) in (0..).zip(&order) {
            let slot = references.get_mut(*number as usize);
            if let (Some(slot), Some(reference)) = (slot, reference(place)) {
                *slot = reference;
            }
        }
        (order.into_iter().map(|(.., record)| record).collect(), references)
    }
}

/// The reference of a name by number, if it fits in 32 bits.
pub(crate) fn reference(number: u32) -> Option<u32> {
    let offset = u64::from(number).checked_mul(NAME_STEP)?.checked_add(MAGIC_SIZE)?;
    u32::try_from(offset).ok()
}

/// Returns the first bytes of a name as a number of the same order, or 0 if some of them are not
/// printable ASCII.
fn key(record: &NameRecord) -> u64 {
    let first = record.first_chunk::<8>().filter(|first| first.iter().all(is_plain));
    first.map_or(0, |first| u64::from_be_bytes(*first))
}

fn is_plain(byte: &u8) -> bool {
    (b' '..0x80).contains(byte)
}

/// The order of the author's program: by UTF-16 units, without padding.
fn compare(a: &NameRecord, b: &NameRecord) -> Ordering {
    match a.iter().zip(b).find(|(a, b)| a != b) {
        // ASCII characters sort like their bytes. The padding is the lowest printable character, so
        // it need not be removed.
        Some((a, b)) if is_plain(a) && is_plain(b) => a.cmp(b),
        _ => {
            let text = |record| String::from_utf8_lossy(trim_end(record, b' '));
            let (a_text, b_text) = (text(a), text(b));
            a_text.encode_utf16().cmp(b_text.encode_utf16()).then_with(|| a.cmp(b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::names::encode_name;

    fn name(text: &str) -> Name {
        Name::new(encode_name(text).0)
    }

    #[test]
    fn name_table_same_name_has_same_number() {
        let mut table = NameTable::default();
        let same_hash = |text: &str| Name { hash: u32::MAX, ..name(text) };
        for (text, number) in [("a", 0), ("b", 1), ("a", 0), ("c", 2), ("b", 1)] {
            assert_eq!(table.intern(&same_hash(text)), Some(number), "{text}");
        }
        assert_eq!(table.number(&same_hash("c")), Some(2));
        assert_eq!(table.number(&same_hash("d")), None);
        table.add(&same_hash("b"));
        assert_eq!(table.number(&same_hash("b")), Some(1), "a repetition");
        assert_eq!(table.next_place(), Some((4, 10 + 4 * 36)));
    }

    #[test]
    fn name_table_growing_finds_all_names() {
        let mut table = NameTable::default();
        for round in 0..2 {
            for number in 0..1000 {
                assert_eq!(table.intern(&name(&number.to_string())), Some(number), "{round}");
            }
        }
    }

    #[test]
    fn name_table_sorted_orders_by_utf16() {
        let mut table = NameTable::default();
        for text in ["é", "b", "\u{ff0b}", "😀", "", "B", "a b", "a", "a\tb", "ab"] {
            table.intern(&name(text)).unwrap();
        }
        let (sorted, references) = table.sorted();
        let sorted: Vec<_> = sorted.iter().map(|record| trim_end(&record[..], b' ')).collect();
        // The astral 😀 (d83d de00) sorts before U+FF0B, unlike in UTF-8 order.
        let expected = ["", "B", "a", "a\tb", "a b", "ab", "b", "é", "😀", "\u{ff0b}"];
        assert_eq!(sorted, expected.map(str::as_bytes));
        assert_eq!(references[1], 10 + 6 * 36);
    }
}
