//! Adding games at the end, one or many. (scid §8 "Editing")
//!
//! Records are written as the games come; names, entries and the count of the header once for a
//! batch of them, in this order, as the names and records of every entry must be there before it.

use chess_core::seam::Loss;
use chess_core::{Game, Location};

use super::entries::encode_entry;
use super::{Editor, SwapFile};
use crate::error::{Error, ErrorKind, io as failed, size};
use crate::index::Entry;
use crate::layout::Version;
use crate::names::NameKind;
use crate::writer::{check_offset, gap_before};

/// The fewest games of a batch, unless [`Editor::set_batch`] says otherwise.
const BATCH: usize = 1 << 16;

/// Games whose records are written, but neither names nor entries.
struct Batch {
    count: u64,
    entries: Vec<u8>,
    /// Where the games file ends.
    end: u64,
}

impl<F: SwapFile> Editor<F> {
    /// How many games [`append_all`](Editor::append_all) adds at once: their entries are in
    /// memory, and lost if it stops before they are written. Without it 65,536, or as many as
    /// there are names, if that is more: so the names of version 4, which are written again each
    /// time, cost no more than the games.
    pub fn set_batch(&mut self, games: usize) {
        self.batch = Some(games.max(1));
    }

    /// Adds a game at the end.
    ///
    /// # Errors
    /// For a game the format cannot hold; those of the disk.
    pub fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let mut batch = self.start_batch()?;
        self.add(game, &mut batch, losses)?;
        self.put_batch(&batch)
    }

    /// Adds games at the end until `next`, which fills the game it is given, says that there are
    /// no more. Says how many it added. The cost is that of these games, not of the base.
    ///
    /// # Errors
    /// Those of `next`; for a game the format cannot hold; those of the disk. The games before
    /// are added.
    pub fn append_all<E: From<Error>>(
        &mut self,
        mut next: impl FnMut(&mut Game) -> Result<bool, E>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, E> {
        let before = self.count;
        let mut game = Game::new();
        loop {
            let mut batch = self.start_batch()?;
            let filled = self.fill_batch(&mut batch, &mut game, &mut next, losses);
            // Whatever ended it, the games so far are added.
            let put = self.put_batch(&batch);
            let more = filled?;
            put?;
            if !more {
                return Ok(self.count.saturating_sub(before));
            }
        }
    }

    fn start_batch(&self) -> Result<Batch, Error> {
        Ok(Batch { count: 0, entries: Vec::new(), end: self.games_size()? })
    }

    /// Writes records until the batch is full, or there are no more games: `false`.
    fn fill_batch<E: From<Error>>(
        &mut self,
        batch: &mut Batch,
        game: &mut Game,
        next: &mut impl FnMut(&mut Game) -> Result<bool, E>,
        losses: &mut Vec<Loss>,
    ) -> Result<bool, E> {
        while batch.count < self.batch_size() {
            if !next(game)? {
                return Ok(false);
            }
            self.add(game, batch, losses)?;
        }
        Ok(true)
    }

    fn batch_size(&self) -> u64 {
        let names = || NameKind::ALL.iter().map(|kind| self.maker.table.uses(*kind).len()).sum();
        self.batch.unwrap_or_else(|| BATCH.max(names())) as u64
    }

    /// Writes a game's record and keeps its entry.
    fn add(&mut self, game: &Game, batch: &mut Batch, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let number = self.count.saturating_add(batch.count);
        if number >= u64::from(self.version.max_games()) {
            let at = self.entry_location(number);
            return Err(Error::new(ErrorKind::TooManyGames(number), at));
        }
        let entry = self.put_record(number, game, &mut batch.end, losses)?;
        batch.entries.extend_from_slice(&encode_entry(self.version, &entry));
        batch.count = batch.count.saturating_add(1);
        Ok(())
    }

    /// Completes the games of a batch: names, entries, count.
    fn put_batch(&mut self, batch: &Batch) -> Result<(), Error> {
        if batch.count == 0 {
            return Ok(());
        }
        self.sync_games()?;
        self.put_names()?;
        put_at_end(&self.index, &batch.entries, self.entry_location(self.count))?;
        self.count = self.count.saturating_add(batch.count);
        if self.version == Version::Si4 { self.put_count() } else { Ok(()) }
    }

    /// Writes the count of the header a byte at a time, first those that become less: on the way
    /// it never counts an entry that is not there.
    fn put_count(&mut self) -> Result<(), Error> {
        let at = Location::file(self.files.index).at(14);
        let mut old = [0; 3];
        self.index.read_full(14, &mut old).map_err(failed(at))?;
        let [_, new @ ..] = u32::try_from(self.count).unwrap_or(u32::MAX).to_be_bytes();
        let bytes = || (14..).zip(old.into_iter().zip(new));
        let less = bytes().filter(|(_, (old, new))| new < old);
        let more = bytes().filter(|(_, (old, new))| new > old);
        for (offset, (_, byte)) in less.chain(more) {
            self.index.write_at(offset, &[byte]).map_err(failed(at))?;
        }
        self.index.sync().map_err(failed(at))
    }

    /// Writes a game's record at the end of the games file, and gives its names their ids.
    pub(super) fn put_record(
        &mut self,
        number: u64,
        game: &Game,
        end: &mut u64,
        losses: &mut Vec<Loss>,
    ) -> Result<Entry, Error> {
        let at = Location::file(self.files.games).at(*end).in_game(number);
        let (mut entry, names) = self.maker.encode(game, at, losses)?;
        entry.offset = self.write_record(end, self.maker.encoder.record(), at)?;
        entry.names = self.maker.intern(names);
        Ok(entry)
    }

    /// Writes a record at `end`, or after a gap where the next block begins; moves `end` and says
    /// where the record is.
    pub(super) fn write_record(
        &self,
        end: &mut u64,
        record: &[u8],
        at: Location,
    ) -> Result<u64, Error> {
        let gap = gap_before(*end, record.len(), self.version);
        let offset = end.saturating_add(gap);
        check_offset(offset, record.len(), self.version).map_err(|kind| Error::new(kind, at))?;
        if gap > 0 {
            let filler = record.get(..usize::try_from(gap).unwrap_or(0)).unwrap_or_default();
            self.games.write_at(*end, filler).map_err(failed(at))?;
        }
        self.games.write_at(offset, record).map_err(failed(at))?;
        *end = offset.saturating_add(record.len() as u64);
        Ok(offset)
    }

    /// Writes the names file, or what is new of it, if names are used that it does not have.
    pub(super) fn put_names(&mut self) -> Result<(), Error> {
        let table = &self.maker.table;
        if !table.is_unsaved() {
            return Ok(());
        }
        if self.version == Version::Si5 {
            let records = table.new_records();
            if !records.is_empty() {
                let at = Location::file(self.files.names).at(self.names_end);
                put_at_end(&self.names, records, at)?;
                self.names_end = self.names_end.saturating_add(records.len() as u64);
            }
        } else {
            let bytes = table.encode_4();
            self.swap_names(&bytes)?;
        }
        self.maker.table.saved();
        Ok(())
    }

    pub(super) fn swap_names(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let swapped = self.names.swap(&mut |_, out| out.write_all(bytes));
        swapped.map_err(failed(Location::file(self.files.names)))
    }

    pub(super) fn games_size(&self) -> Result<u64, Error> {
        size(&self.games, self.files.games)
    }

    pub(super) fn sync_games(&self) -> Result<(), Error> {
        self.games.sync().map_err(failed(Location::file(self.files.games)))
    }
}

/// Writes bytes at the place where a file ends but for what a change that was broken off has left.
fn put_at_end<F: SwapFile>(file: &F, bytes: &[u8], at: Location) -> Result<(), Error> {
    let end = at.offset.unwrap_or(0);
    if file.size().map_err(failed(at))? > end {
        file.set_size(end).map_err(failed(at))?;
    }
    file.write_at(end, bytes).map_err(failed(at))?;
    file.sync().map_err(failed(at))
}
