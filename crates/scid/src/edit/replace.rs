//! Replaces one or many games. (scid §8 "Editing")
//!
//! The index is copied to a new file. Records are written at the end of the games file, then names,
//! then the new entries in the new index, which replaces the old one in one step. If anything fails
//! before that, the files are truncated to their previous sizes.

use std::collections::BTreeMap;
use std::ops::Range;

use chess_core::{Game, Header};
use chess_store::files::leaves_old_base;
use chess_store::io::WriteAt as _;
use chess_store::{Location, Losses};

use super::append::NewRecords;
use super::entries::kinds_and_ids;
use super::headers::OldGames;
use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind};
use crate::index::{IndexEntry, NameIds};
use crate::output::IndexOut;

/// A replacement of a game.
#[derive(Clone, Copy)]
pub(super) enum New<'a> {
    Game(&'a Game),
    /// A header only; the moves stay.
    Header(&'a Header),
}

/// Games whose records are placed and whose names and entries are not written.
struct Replacements {
    entries: BTreeMap<u64, IndexEntry>,
    /// The names of the entries to be replaced.
    old: Vec<NameIds>,
    records: NewRecords,
    /// The size of the games file before.
    start: u64,
}

impl<N: NewFiles> Editor<N> {
    /// Replaces games up to the first that cannot be replaced.
    pub(super) fn replace_each(
        &mut self,
        games: &mut dyn Iterator<Item = (u64, New<'_>)>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let games: Vec<(u64, New<'_>)> = games.collect();
        let mut old = BTreeMap::new();
        old.extend(games.iter().map(|(number, _)| (*number, IndexEntry::default())));
        let (mut new_files, mut index) = self.copy_index(&mut old)?;
        let start = self.games_size()?;
        let records = NewRecords::new(start);
        let mut new = Replacements { entries: BTreeMap::new(), old: Vec::new(), records, start };
        let put = self.put_records(&games, &old, &mut new, losses);
        let failed = matches!(&put, Err(error) if matches!(error.kind(), ErrorKind::Io(_)));
        if failed || new.entries.is_empty() {
            self.cut_games(start);
            return put;
        }
        let made = self.make_replacements(&mut new, &mut new_files, &mut index);
        let names = made.inspect_err(|_| self.cut_unused(start))?;
        let committed = new_files.commit().inspect_err(|error| {
            // After other errors the new base may be the valid one.
            if leaves_old_base(error) {
                self.cut_unused(start);
            }
        });
        committed.map_err(Error::io(Location::file(self.files.extensions.index)))?;
        self.files.index = index;
        self.adopt_names(names);
        for (kind, id) in new.old.iter().flat_map(kinds_and_ids) {
            self.table.remove_use(kind, id);
        }
        // Only an interrupted record can follow.
        self.cut_games(new.records.end);
        put
    }

    fn put_records(
        &mut self,
        games: &[(u64, New<'_>)],
        old: &BTreeMap<u64, IndexEntry>,
        new: &mut Replacements,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let mut files = OldGames::new(self.games_size()?);
        for (number, with) in games {
            let known = new.entries.get(number).or_else(|| old.get(number));
            let Some(old) = known.copied().filter(|_| *number < self.count) else {
                let at = self.entry_location(*number);
                return Err(Error::new(ErrorKind::NoSuchGame(self.count), at));
            };
            let entry = match with {
                New::Game(game) => self.put_record(*number, game, &mut new.records, losses)?,
                New::Header(header) => {
                    let of = (*number, &old);
                    self.put_header(of, header, &mut new.records, &mut files, losses)?
                }
            };
            new.entries.insert(*number, entry);
            new.old.push(old.names);
        }
        Ok(())
    }

    /// Creates a copy of the index, and fills `old` with the entries of the games that are its keys.
    /// The first copy reads the names, too, so that the index is read once.
    fn copy_index(&mut self, old: &mut BTreeMap<u64, IndexEntry>) -> Result<(N, N::File), Error> {
        let (files, version) = (self.files.extensions, self.version);
        let mut new_files = self.new_files.begin();
        let file = new_files.create(files.index).map_err(Error::io(Location::file(files.index)))?;
        let mut index = IndexOut::new(file, files, version)?;
        let mut old = old.iter_mut().peekable();
        let mut copy = |games: Range<u64>, block: &[u8]| {
            while let Some((number, entry)) = old.next_if(|(number, _)| **number < games.end) {
                let place = usize::try_from(number.saturating_sub(games.start));
                let start = place.unwrap_or(usize::MAX).saturating_mul(version.entry_size());
                let bytes = block.get(start..).unwrap_or_default();
                *entry = version.parse_entry(bytes).unwrap_or_default();
            }
            index.push_entries(block)
        };
        match self.is_prepared {
            true => self.each_block(copy)?,
            false => self.read_index(&mut copy)?,
        }
        Ok((new_files, index.finish(&self.info_of(self.count))?))
    }

    /// Writes the names and the entries of the new files.
    fn make_replacements(
        &mut self,
        new: &mut Replacements,
        new_files: &mut N,
        index: &mut N::File,
    ) -> Result<Option<N::File>, Error> {
        if new.records.end > new.start {
            self.sync_games(&mut new.records)?;
        }
        let names = self.put_names(new_files)?;
        self.put_entries(&new.entries, index)?;
        Ok(names)
    }

    /// Writes entries over others of an index. Consecutive ones are written at once.
    fn put_entries(
        &self,
        new: &BTreeMap<u64, IndexEntry>,
        index: &mut N::File,
    ) -> Result<(), Error> {
        let (mut new, mut bytes) = (new.iter().peekable(), Vec::new());
        while let Some((first, entry)) = new.next() {
            bytes.clear();
            entry.encode(self.version, &mut bytes);
            let mut next = first.saturating_add(1);
            while let Some((_, entry)) = new.next_if(|(number, _)| **number == next) {
                entry.encode(self.version, &mut bytes);
                next = next.saturating_add(1);
            }
            let put = index.write_at(self.version.entry_offset(*first), &bytes);
            put.map_err(Error::io(self.entry_location(*first)))?;
        }
        Ok(())
    }
}
