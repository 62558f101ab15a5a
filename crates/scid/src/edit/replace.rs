//! Replaces one or many games. (scid §8 "Editing")
//!
//! Records are written at the end of the games file, then names, then a new index with all new
//! entries. The new index replaces the old one in one step. If anything fails before that, the
//! files are truncated to their previous sizes.

use std::collections::BTreeMap;
use std::ops::Range;

use chess_core::Game;
use chess_store::files::leaves_old_base;
use chess_store::io::PageCache;
use chess_store::{Location, Losses};

use super::append::NewRecords;
use super::entries::{AT_ONCE, ids};
use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::output::IndexOut;

/// Games whose records are placed and whose names and entries are not written.
struct Replacements {
    entries: BTreeMap<u64, IndexEntry>,
    /// The entries to be replaced.
    old: Vec<IndexEntry>,
    records: NewRecords,
}

/// The new files: their directory, names if any are new, and the index.
type Made<N> = (N, Option<<N as NewFiles>::File>, <N as NewFiles>::File);

impl<N: NewFiles> Editor<N> {
    /// Replaces games up to the first that cannot be replaced.
    pub(super) fn replace_each(
        &mut self,
        games: &mut dyn Iterator<Item = (u64, &Game)>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        self.prepare()?;
        let start = self.games_size()?;
        let records = NewRecords::new(start);
        let mut new = Replacements { entries: BTreeMap::new(), old: Vec::new(), records };
        let put = self.put_records(games, &mut new, losses);
        let failed = matches!(&put, Err(error) if matches!(error.kind(), ErrorKind::Io(_)));
        if failed || new.entries.is_empty() {
            self.cut_games(start);
            return put;
        }
        let made = self.make_replacements(&mut new);
        let (new_files, names, index) = made.inspect_err(|_| self.cut_unused(start))?;
        let committed = new_files.commit().inspect_err(|error| {
            // After other errors the new base may be the valid one.
            if leaves_old_base(error) {
                self.cut_unused(start);
            }
        });
        committed.map_err(Error::io(Location::file(self.files.extensions.index)))?;
        self.files.index = index;
        self.adopt_names(names);
        for (kind, id) in new.old.iter().flat_map(ids) {
            self.table.remove_use(kind, id);
        }
        // Only an interrupted record can follow.
        self.cut_games(new.records.end);
        put
    }

    fn put_records(
        &mut self,
        games: &mut dyn Iterator<Item = (u64, &Game)>,
        new: &mut Replacements,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        // The index stays as it is until all records are written.
        let index = PageCache::default();
        for (number, with) in games {
            let old = match new.entries.get(&number) {
                Some(entry) => *entry,
                None => self.entry_in(&index.cached(&self.files.index), number)?,
            };
            let entry = self.put_record(number, with, &mut new.records, losses)?;
            new.entries.insert(number, entry);
            new.old.push(old);
        }
        Ok(())
    }

    /// Writes the new files, with some entries replaced.
    fn make_replacements(&mut self, new: &mut Replacements) -> Result<Made<N>, Error> {
        self.sync_games(&mut new.records)?;
        let mut new_files = self.new_files.begin();
        let names = self.put_names(&mut new_files)?;
        let index = self.new_index(&mut new_files, &new.entries)?;
        Ok((new_files, names, index))
    }

    /// Fills a new index with all entries and substitutes the replaced ones.
    fn new_index(
        &self,
        new_files: &mut N,
        new: &BTreeMap<u64, IndexEntry>,
    ) -> Result<N::File, Error> {
        let files = self.files.extensions;
        let at = Location::file(files.index);
        let file = new_files.create(files.index).map_err(Error::io(at))?;
        let mut index = IndexOut::new(file, files, self.version)?;
        let (mut next, mut bytes) = (0, Vec::new());
        for (number, entry) in new {
            self.copy_entries(next..*number, &mut index, &mut bytes)?;
            index.push(entry)?;
            next = number.saturating_add(1);
        }
        self.copy_entries(next..self.count, &mut index, &mut bytes)?;
        index.finish(&self.info_of(self.count))
    }

    /// Copies the bytes of entries to a new index.
    fn copy_entries(
        &self,
        games: Range<u64>,
        index: &mut IndexOut<N::File>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let mut next = games.start;
        while next < games.end {
            let at = self.entry_location(next);
            let last = games.end.min(next.saturating_add(AT_ONCE));
            self.read_entries(next..last, bytes).map_err(Error::io(at))?;
            index.push_entries(bytes)?;
            next = last;
        }
        Ok(())
    }
}
