//! Reads and changes the entries of an index.

use std::io;

use chess_store::io::ReadAt;

use crate::index::{IndexEntry, NameIds};
use crate::layout::Version;
use crate::names::NameKind;

/// Reads one entry.
pub(super) fn read_entry<F: ReadAt>(
    index: &F,
    version: Version,
    game: u64,
) -> io::Result<IndexEntry> {
    let mut bytes = [0; 56];
    let bytes = bytes.get_mut(..version.entry_size()).unwrap_or_default();
    index.read_full(version.entry_offset(game), bytes)?;
    version.parse_entry(bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// The number of entries that are read at once.
pub(super) const AT_ONCE: u64 = 1024;

/// Iterates over the first entries of an index in order and reads many at a time.
pub(super) struct Entries<'a, F> {
    index: &'a F,
    version: Version,
    next: u64,
    count: u64,
    bytes: Vec<u8>,
    /// The number of bytes of `bytes` already returned.
    used: usize,
}

impl<'a, F: ReadAt> Entries<'a, F> {
    pub(super) fn new(index: &'a F, version: Version, count: u64) -> Entries<'a, F> {
        Entries { index, version, next: 0, count, bytes: Vec::new(), used: 0 }
    }

    fn read(&mut self) -> io::Result<IndexEntry> {
        if self.used >= self.bytes.len() {
            let offset = self.version.entry_offset(self.next);
            let end = self.version.entry_offset(self.next.saturating_add(AT_ONCE));
            let length = usize::try_from(end.saturating_sub(offset)).unwrap_or(usize::MAX);
            self.index.read_into(offset, length, &mut self.bytes)?;
            self.used = 0;
        }
        let bytes = self.bytes.get(self.used..).unwrap_or_default();
        self.used = self.used.saturating_add(self.version.entry_size());
        self.version.parse_entry(bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl<F: ReadAt> Iterator for Entries<'_, F> {
    type Item = io::Result<IndexEntry>;

    fn next(&mut self) -> Option<io::Result<IndexEntry>> {
        if self.next >= self.count {
            return None;
        }
        let entry = self.read();
        self.next = if entry.is_ok() { self.next.saturating_add(1) } else { self.count };
        Some(entry)
    }
}

/// The names of a game, as pairs of kind and id.
pub(super) fn kinds_and_ids(names: &NameIds) -> [(NameKind, u32); 5] {
    let NameIds { white, black, event, site, round } = *names;
    [
        (NameKind::Event, event),
        (NameKind::Site, site),
        (NameKind::Round, round),
        (NameKind::Player, white),
        (NameKind::Player, black),
    ]
}

/// The same entry with other name ids.
pub(super) fn map_ids(names: NameIds, new: impl Fn(NameKind, u32) -> u32) -> NameIds {
    NameIds {
        white: new(NameKind::Player, names.white),
        black: new(NameKind::Player, names.black),
        event: new(NameKind::Event, names.event),
        site: new(NameKind::Site, names.site),
        round: new(NameKind::Round, names.round),
    }
}
