//! The name tables of a new base.

use std::collections::HashMap;
use std::ops::Range;

use chess_store::names::NameIndex;
use chess_store::{Location, field_size};

use crate::description::Description;
use crate::error::{Error, ErrorKind};
use crate::layout::{INNER_EXTENSIONS, MAX_ID, PLAYER_INFO_SIZE};
use crate::names::{NameKind, PlayerInfo, encode_name, encode_player_info};

/// A name as its table stores it, and its hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    /// The record; for a player, followed by the info.
    pub(crate) bytes: &'a [u8],
    pub(crate) hash: u32,
    /// Its id, if the base had it when the game was encoded.
    pub(crate) id: Option<u32>,
}

/// The tables of a new base, in the order of [`NameKind::ALL`].
pub(crate) type Tables = [Table; 4];

/// A growing table of names. Id 0 is the empty name, which stands for an unknown name and is never
/// looked up.
#[derive(Debug)]
pub(crate) struct Table {
    kind: NameKind,
    /// The names in id order, as [`Name::bytes`].
    names: Vec<u8>,
    /// The offset of each name, and the end of the last.
    starts: Vec<u32>,
    ids: NameIndex,
    /// The first id of each name, regardless of title and info. Filled on demand, from the id in
    /// `unlisted` on.
    first_of_name: HashMap<Vec<u8>, u32>,
    unlisted: u32,
}

impl Table {
    pub(crate) fn new(kind: NameKind) -> Table {
        let mut names = Vec::new();
        encode_name(kind, &[], &[], &mut names);
        if kind == NameKind::Players {
            encode_player_info(&PlayerInfo::default(), &mut names);
        }
        Table {
            kind,
            starts: vec![0, u32::try_from(names.len()).unwrap_or_default()],
            names,
            ids: NameIndex::default(),
            first_of_name: HashMap::new(),
            unlisted: 1,
        }
    }

    /// The size of the info after each record.
    const fn info_size(&self) -> usize {
        match self.kind {
            NameKind::Players => PLAYER_INFO_SIZE,
            _ => 0,
        }
    }

    /// The number of ids.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.starts.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Returns the id of a name and adds it if new. Players of one name with different title or
    /// info are different players: the data of one game's players must not change another game.
    pub(crate) fn id(&mut self, name: Option<Name<'_>>) -> Result<u32, Error> {
        let Some(name) = name else { return Ok(0) };
        match name.id.or_else(|| self.find(name.bytes, name.hash)) {
            Some(id) => Ok(id),
            None => self.add(name.bytes, name.hash),
        }
    }

    /// Returns the id of a known name.
    pub(crate) fn find(&self, bytes: &[u8], hash: u32) -> Option<u32> {
        // A name begins with its lengths, so no name is a prefix of another.
        self.ids.find(hash, |id| self.names_from(self.start(id)).starts_with(bytes))
    }

    fn add(&mut self, bytes: &[u8], hash: u32) -> Result<u32, Error> {
        let full = |what| Error::new(ErrorKind::Full(what), Location::file("emb"));
        let end = self.names.len().checked_add(bytes.len());
        let end =
            end.and_then(|end| i32::try_from(end).ok()).and_then(|end| u32::try_from(end).ok());
        let end = end.ok_or_else(|| full("the names exceed 2 GiB"))?;
        let id = self.len();
        if id > MAX_ID {
            return Err(full("more names than ids"));
        }
        self.ids.insert(hash, id);
        self.names.extend_from_slice(bytes);
        self.starts.push(end);
        Ok(id)
    }

    /// Returns the id of the first player with this name, or of a new one.
    pub(crate) fn id_of_any(&mut self, name: Option<Name<'_>>) -> Result<u32, Error> {
        let Some(bytes) = name.map(|name| name.bytes) else { return Ok(0) };
        for id in self.unlisted..self.len() {
            let player = self.name(id).to_vec();
            self.first_of_name.entry(player).or_insert(id);
        }
        self.unlisted = self.len();
        let found = bytes.get(name_range(self.kind, bytes));
        match found.and_then(|name| self.first_of_name.get(name)) {
            Some(id) => Ok(*id),
            None => self.id(name),
        }
    }

    /// The names from this id on.
    fn names_from(&self, start: u32) -> &[u8] {
        usize::try_from(start).ok().and_then(|start| self.names.get(start..)).unwrap_or_default()
    }

    fn start(&self, id: u32) -> u32 {
        let id = usize::try_from(id).unwrap_or(usize::MAX);
        self.starts.get(id).copied().unwrap_or_default()
    }

    /// The record and info of an id.
    fn bytes(&self, id: u32) -> (&[u8], &[u8]) {
        let (start, end) = (self.start(id), self.start(id.saturating_add(1)));
        let size = usize::try_from(end.saturating_sub(start)).unwrap_or_default();
        let bytes = self.names_from(start);
        let bytes = bytes.get(..size).unwrap_or(bytes);
        bytes.split_at_checked(size.saturating_sub(self.info_size())).unwrap_or_default()
    }

    fn name(&self, id: u32) -> &[u8] {
        let (record, _) = self.bytes(id);
        record.get(name_range(self.kind, record)).unwrap_or_default()
    }

    /// The name and the title of an id.
    pub(crate) fn texts(&self, id: u32) -> [&[u8]; 2] {
        let (record, _) = self.bytes(id);
        let name = name_range(self.kind, record);
        [self.name(id), record.get(name.end..).unwrap_or_default()]
    }

    /// The ids in the order of their names, ignoring case. Equal names stay in id order.
    fn sorted(&self) -> Vec<u32> {
        // Most names differ in their first eight bytes.
        let first = |id| {
            let name = self.name(id);
            let first = |at| name.get(at).map_or(0, u8::to_ascii_lowercase);
            u64::from_be_bytes(std::array::from_fn(first))
        };
        let mut ids: Vec<(u64, u32)> = (0..self.len()).map(|id| (first(id), id)).collect();
        ids.sort_unstable();
        let whole = |id| self.name(id).iter().map(u8::to_ascii_lowercase);
        for alike in ids.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|alike| alike.len() > 1) {
            alike.sort_by(|(_, a), (_, b)| whole(*a).cmp(whole(*b)));
        }
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// The seven inner files, with their names.
    // chessassistant §4.4 "What is not described"
    pub(crate) fn files(&self) -> [(String, Vec<u8>); 7] {
        let count = self.len();
        // No address is zero, as in the D02.
        let (mut records, mut info, mut addresses) = (vec![0; 4], Vec::new(), Vec::new());
        for id in 0..count {
            let address: u32 = field_size(records.len(), "`add` limits the names to 2 GiB");
            addresses.extend_from_slice(&address.to_le_bytes());
            let (record, more) = self.bytes(id);
            records.extend_from_slice(record);
            info.extend_from_slice(more);
        }
        let order = self.sorted().into_iter().flat_map(u32::to_le_bytes).collect();
        let marks = vec![0; addresses.len().div_ceil(32)];
        let description = Description::new(count, Vec::new()).encode();
        let contents = [description, order, marks.clone(), marks, info, addresses, records];
        let mut extensions = INNER_EXTENSIONS.into_iter();
        contents.map(|content| {
            let extension = extensions.next().unwrap_or_default();
            (format!("{}.{extension}", self.kind.stem()), content)
        })
    }
}

/// The range of the name in a record.
fn name_range(kind: NameKind, record: &[u8]) -> Range<usize> {
    let start = if kind == NameKind::Players { 2 } else { 1 };
    let length = record.first().copied().unwrap_or_default();
    start..usize::from(length).saturating_add(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_store::names::NameHasher;

    #[test]
    fn name_tables_hash_collision_keeps_both_names() {
        let mut places = Table::new(NameKind::Places);
        assert_eq!(places.id(None).unwrap(), 0);
        let name = |bytes| Some(Name { bytes, hash: u32::MAX, id: None });
        let (paris, pavia, oslo) = (name(b"\x05Paris"), name(b"\x05pavia"), name(b"\x04Oslo"));
        for (known, id) in [(paris, 1), (pavia, 2), (oslo, 3), (paris, 1), (oslo, 3)] {
            assert_eq!(places.id(known).unwrap(), id);
        }
        let files = places.files();
        assert_eq!(files[1].1, [0u32, 3, 1, 2].map(u32::to_le_bytes).concat(), "sorted");
        assert_eq!(files[5].1, [4u32, 5, 11, 17].map(u32::to_le_bytes).concat(), "addresses");
        assert_eq!(files[6].1, *b"\0\0\0\0\0\x05Paris\x05pavia\x04Oslo");
    }

    #[test]
    fn name_tables_many_names_are_found() {
        let hasher = NameHasher::default();
        let mut events = Table::new(NameKind::Events);
        for round in 0..2 {
            for number in 0..5000u32 {
                let bytes = format!("\x04{number:04}");
                let hash = hasher.hash(bytes.as_bytes());
                let name = Name { bytes: bytes.as_bytes(), hash, id: None };
                assert_eq!(events.id(Some(name)).unwrap(), number + 1, "round {round}");
            }
        }
        assert!(events.sorted().into_iter().eq(0..=5000));
    }

    #[test]
    fn annotator_shared_name_is_first_player() {
        let hasher = NameHasher::default();
        let mut players = Table::new(NameKind::Players);
        let plain = |record: &[u8]| [record, &[0; PLAYER_INFO_SIZE]].concat();
        let (master, namesake) = (plain(b"\x01\x01AG"), [b"\x01\x00A", &[1; 10][..]].concat());
        let (a, b) = (plain(b"\x01\x00A"), plain(b"\x01\x00B"));
        let name = |bytes| Some(Name { bytes, hash: hasher.hash(bytes), id: None });
        assert_eq!(players.id(name(&master)).unwrap(), 1);
        assert_eq!(players.id(name(&namesake)).unwrap(), 2);
        assert_eq!(players.id_of_any(name(&a)).unwrap(), 1);
        assert_eq!(players.id(name(&a)).unwrap(), 3);
        assert_eq!(players.id_of_any(name(&b)).unwrap(), 4);
        assert_eq!(players.id_of_any(name(&b)).unwrap(), 4);
        assert_eq!(players.files()[4].1.len(), 5 * PLAYER_INFO_SIZE);
    }
}
