//! Replaces one or many games. (scid §8 "Editing")
//!
//! The index is copied to a new file. Records are written at the end of the games file, and the new
//! entries over the old ones of the new index; then names. The new index replaces the old one in one
//! step. If anything fails before that, the files are truncated to their previous sizes.

use std::collections::BTreeMap;
use std::ops::Range;

use chess_core::Game;
use chess_store::files::leaves_old_base;
use chess_store::io::{PageCache, WriteAt as _};
use chess_store::{AnyError, Location, Losses, NextReplacement, Replacement};

use super::append::NewRecords;
use super::entries::{AT_ONCE, kinds_and_ids};
use super::headers::OldGames;
use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::output::IndexOut;

/// Games whose records are placed. The names and the last entries are not written yet.
struct Replacements<N: NewFiles> {
    new_files: N,
    /// The copy of the index.
    index: N::File,
    /// A cache of `index`.
    old_entries: PageCache,
    old_games: OldGames,
    /// New entries that are not in `index` yet.
    entries: BTreeMap<u64, IndexEntry>,
    records: NewRecords,
    /// The size of the games file before.
    start: u64,
    /// The number of replacements.
    count: u64,
    /// Whether the disk failed. All replacements are then discarded.
    failed: bool,
}

impl<N: NewFiles> Editor<N> {
    /// Replaces one game.
    pub(super) fn replace_one(
        &mut self,
        number: u64,
        with: &Game,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let mut new = self.start_replacements()?;
        let put = self.put_replacement((number, Replacement::Game), with, &mut new, losses);
        self.finish_replacements(new)?;
        put
    }

    /// Replaces games up to the first that cannot be replaced.
    pub(super) fn replace_each(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        let mut game = Game::new();
        // Without a game, no index is copied.
        let Some(mut replaced) = next(&mut game)? else { return Ok(0) };
        let mut new = self.start_replacements()?;
        let put = loop {
            if let Err(error) = self.put_replacement(replaced, &game, &mut new, losses) {
                break Err(error.into());
            }
            match next(&mut game) {
                Ok(Some(next)) => replaced = next,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let count = new.count;
        self.finish_replacements(new)?;
        put.map(|()| count)
    }

    fn start_replacements(&mut self) -> Result<Replacements<N>, Error> {
        if !self.is_prepared {
            self.keep_cut_entry()?;
        }
        let (new_files, index) = self.copy_index()?;
        let start = self.games_size()?;
        Ok(Replacements {
            new_files,
            index,
            old_entries: PageCache::default(),
            old_games: OldGames::new(start),
            entries: BTreeMap::new(),
            records: NewRecords::new(start),
            start,
            count: 0,
            failed: false,
        })
    }

    /// Creates a copy of the index. The first copy reads the names, too, so that the index is read
    /// once.
    fn copy_index(&mut self) -> Result<(N, N::File), Error> {
        let files = self.files.extensions;
        let mut new_files = self.new_files.begin();
        let file = new_files.create(files.index).map_err(Error::io(Location::file(files.index)))?;
        let mut index = IndexOut::new(file, files, self.version)?;
        let mut copy = |_: Range<u64>, block: &[u8]| index.push_entries(block);
        match self.is_prepared {
            true => self.each_block(copy)?,
            false => self.read_index(&mut copy)?,
        }
        Ok((new_files, index.finish(&self.info_of(self.count))?))
    }

    /// Writes a record and keeps the entry, which may replace one of `new`.
    fn put_replacement(
        &mut self,
        replaced: (u64, Replacement),
        game: &Game,
        new: &mut Replacements<N>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        losses.begin_game(replaced.0);
        let put = self.try_put_replacement(replaced, game, new, losses);
        put.inspect_err(|error| new.failed |= matches!(error.kind(), ErrorKind::Io(_)))
    }

    fn try_put_replacement(
        &mut self,
        (number, part): (u64, Replacement),
        game: &Game,
        new: &mut Replacements<N>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let old = match new.entries.get(&number) {
            Some(entry) => *entry,
            None => self.entry_in(&new.old_entries.cached(&new.index), number)?,
        };
        let Replacements { records, old_games, .. } = new;
        let entry = match part {
            Replacement::Game => self.put_record(number, game, records, losses)?,
            Replacement::Header => {
                self.put_header((number, &old), &game.header, records, old_games, losses)?
            }
        };
        for (kind, id) in kinds_and_ids(&old.names) {
            self.table.remove_use(kind, id);
        }
        new.entries.insert(number, entry);
        new.count = new.count.saturating_add(1);
        if new.entries.len() as u64 >= AT_ONCE {
            self.put_entries(new)?;
        }
        Ok(())
    }

    /// Overwrites entries of the new index. Consecutive ones are written at once.
    fn put_entries(&self, new: &mut Replacements<N>) -> Result<(), Error> {
        let (mut entries, mut bytes) = (new.entries.iter().peekable(), Vec::new());
        while let Some((first, entry)) = entries.next() {
            bytes.clear();
            entry.encode(self.version, &mut bytes);
            let mut next = first.saturating_add(1);
            while let Some((_, entry)) = entries.next_if(|(number, _)| **number == next) {
                entry.encode(self.version, &mut bytes);
                next = next.saturating_add(1);
            }
            let put = new.index.write_at(self.version.entry_offset(*first), &bytes);
            put.map_err(Error::io(self.entry_location(*first)))?;
        }
        new.entries.clear();
        // The index has changed.
        new.old_entries = PageCache::default();
        Ok(())
    }

    /// Puts the new files in place. Restores the old ones if there is no replacement, or the disk
    /// failed.
    fn finish_replacements(&mut self, mut new: Replacements<N>) -> Result<(), Error> {
        if new.failed || new.count == 0 {
            self.discard_replacements(new.start);
            return Ok(());
        }
        let names = self.make_replacements(&mut new);
        let names = names.inspect_err(|_| self.discard_replacements(new.start))?;
        let committed = new.new_files.commit().inspect_err(|error| {
            // After other errors the new base may be the valid one.
            if leaves_old_base(error) {
                self.discard_replacements(new.start);
            }
        });
        committed.map_err(Error::io(Location::file(self.files.extensions.index)))?;
        self.files.index = new.index;
        self.adopt_names(names);
        // Only an interrupted record can follow.
        self.cut_games(new.records.end);
        Ok(())
    }

    /// Writes the last records and entries, and the names.
    fn make_replacements(&mut self, new: &mut Replacements<N>) -> Result<Option<N::File>, Error> {
        if new.records.end > new.start {
            self.sync_games(&mut new.records)?;
        }
        let names = self.put_names(&mut new.new_files)?;
        self.put_entries(new)?;
        Ok(names)
    }

    /// Restores games and names. The table has counted the names of the replacements, and is made
    /// again before the next game is written.
    fn discard_replacements(&mut self, games_end: u64) {
        self.cut_unused(games_end);
        self.is_prepared = false;
    }
}
