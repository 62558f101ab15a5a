//! Appends one or many games. (scid §8 "Editing")
//!
//! Records are written as the games arrive, many at once. Names, entries and the header's count are
//! written once a batch, in this order, because an entry needs its record and names on disk first.
//! If a write fails, for example on a full disk, the files are truncated to their previous sizes.

use std::io;

use chess_core::Game;
use chess_store::io::{ReadAt as _, WriteAt};
use chess_store::{AnyError, Location, Losses};

use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind, size};
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version};
use crate::output::RecordPlace;

/// The smallest batch, unless [`Editor::set_batch`] sets another size.
const BATCH: usize = 1 << 16;

/// The size at which records are written.
const WRITE_SIZE: usize = 1 << 16;

/// Records after the others of the games file. Many are written at once.
pub(super) struct NewRecords {
    /// The end of the games file with these records.
    pub(super) end: u64,
    /// The last records, which end there and are not written yet.
    unwritten: Vec<u8>,
}

impl NewRecords {
    /// Creates records after the end of the games file.
    pub(super) fn new(end: u64) -> NewRecords {
        NewRecords { end, unwritten: Vec::new() }
    }

    /// Finds the place of the next record.
    pub(super) fn place(&self, record: &[u8], version: Version) -> Result<RecordPlace, ErrorKind> {
        RecordPlace::after(self.end, record, version)
    }

    pub(super) fn push(&mut self, record: &[u8], place: RecordPlace) {
        self.unwritten.extend_from_slice(place.filler(record));
        self.unwritten.extend_from_slice(record);
        self.end = place.end;
    }

    /// Writes the records that are not written yet.
    pub(super) fn write(&mut self, games: &mut impl WriteAt) -> io::Result<()> {
        let start = self.end.saturating_sub(self.unwritten.len() as u64);
        if !self.unwritten.is_empty() {
            games.write_at(start, &self.unwritten)?;
        }
        self.unwritten.clear();
        Ok(())
    }
}

/// Games whose records are placed and whose names and entries are not written.
pub(super) struct Batch {
    count: u64,
    entries: Vec<u8>,
    records: NewRecords,
    /// The end of the games file before the batch.
    start: u64,
    /// Whether a record could not be written. The whole batch is then discarded.
    failed: bool,
}

impl<N: NewFiles> Editor<N> {
    /// Sets how many games [`append_all`](Editor::append_all) adds at once. Their
    /// entries stay in memory, and are lost if the program stops before they are written. The
    /// default is 65,536, or the number of names if that is larger. Version 4 rewrites all names
    /// with each batch, and this default keeps that cost below the cost of the games.
    pub fn set_batch(&mut self, games: usize) {
        self.batch = Some(games.max(1));
    }

    pub(super) fn append_batches(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        self.prepare()?;
        let before = self.count;
        let mut game = Game::new();
        loop {
            let mut batch = self.start_batch()?;
            let filled = self.fill_batch(&mut batch, &mut game, next, losses);
            // Games up to here stay appended even if the source failed, unless the disk failed.
            let put = self.put_batch(&mut batch);
            let more = filled?;
            put?;
            if !more {
                return Ok(self.count.saturating_sub(before));
            }
        }
    }

    pub(super) fn start_batch(&mut self) -> Result<Batch, Error> {
        self.prepare()?;
        let start = self.games_size()?;
        let records = NewRecords::new(start);
        Ok(Batch { count: 0, entries: Vec::new(), records, start, failed: false })
    }

    /// Writes records until the batch is full. Returns `false` when there are no more games.
    fn fill_batch(
        &mut self,
        batch: &mut Batch,
        game: &mut Game,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<bool, AnyError> {
        while batch.count < self.batch_size() {
            if !next(game)? {
                return Ok(false);
            }
            self.add(game, batch, losses)?;
        }
        Ok(true)
    }

    fn batch_size(&self) -> u64 {
        self.batch.unwrap_or_else(|| BATCH.max(self.table.len())) as u64
    }

    /// Writes a game's record and keeps its entry for the end of the batch.
    pub(super) fn add(
        &mut self,
        game: &Game,
        batch: &mut Batch,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let number = self.count.saturating_add(batch.count);
        if number >= u64::from(self.version.max_games()) {
            let at = self.entry_location(number);
            return Err(Error::new(ErrorKind::TooManyGames(number), at));
        }
        let entry = self.put_record(number, game, &mut batch.records, losses);
        let entry =
            entry.inspect_err(|error| batch.failed |= matches!(error.kind(), ErrorKind::Io(_)))?;
        entry.encode(self.version, &mut batch.entries);
        batch.count = batch.count.saturating_add(1);
        Ok(())
    }

    /// Finishes a batch: writes names, entries and count. On failure the files are restored.
    pub(super) fn put_batch(&mut self, batch: &mut Batch) -> Result<(), Error> {
        if batch.failed {
            self.cut_games(batch.start);
            return Ok(());
        }
        let put = if batch.count == 0 { Ok(()) } else { self.try_put(batch) };
        if put.is_ok() {
            self.count = self.count.saturating_add(batch.count);
            // Only an interrupted record can follow.
            self.cut_games(batch.records.end);
        } else if self.roll_back().is_ok() {
            self.cut_games(batch.start);
            // If this fails, the file keeps names that no game uses.
            let _ = self.put_back_names();
        }
        self.replaced_names = None;
        put
    }

    /// Puts the previous names file of version 4 back in place, in the room that the other files
    /// have given back.
    fn put_back_names(&mut self) -> io::Result<()> {
        let Some(old) = &self.replaced_names else { return Ok(()) };
        let mut bytes = Vec::new();
        old.read_into(0, usize::MAX, &mut bytes)?;
        let mut new_files = self.new_files.begin();
        let mut names = new_files.create(self.files.extensions.names)?;
        names.write_at(0, &bytes)?;
        new_files.commit()?;
        self.files.names = names;
        self.table.set_unsaved();
        Ok(())
    }

    /// Restores games and names after a replacement that left the old index in place.
    pub(super) fn cut_unused(&mut self, games_end: u64) {
        self.cut_games(games_end);
        if self.version == Version::Si5 {
            let _ = cut(&mut self.files.names, self.names_end);
        }
    }

    /// Truncates records that no game needs. If that fails, the next records overwrite them after
    /// all.
    pub(super) fn cut_games(&mut self, end: u64) {
        let _ = cut(&mut self.files.games, end);
    }

    /// Restores index and names to their state before a batch. The index comes first: its targets
    /// must stay until the index is on disk.
    fn roll_back(&mut self) -> Result<(), Error> {
        let Extensions { index, names, .. } = self.files.extensions;
        let at = Location::file(index);
        let end = self.version.entry_offset(self.count);
        if self.version == Version::Si4 {
            self.put_count(self.count)?;
        }
        cut(&mut self.files.index, end).map_err(Error::io(at))?;
        self.files.index.sync().map_err(Error::io(at))?;
        if self.version == Version::Si5 {
            cut(&mut self.files.names, self.names_end).map_err(Error::io(Location::file(names)))?;
        }
        Ok(())
    }

    fn try_put(&mut self, batch: &mut Batch) -> Result<(), Error> {
        self.sync_games(&mut batch.records)?;
        let mut new_files = self.new_files.begin();
        let names = self.put_names(&mut new_files)?;
        let at = self.entry_location(self.count);
        if let Some(names) = names {
            let committed = new_files.commit();
            committed.map_err(Error::io(Location::file(self.files.extensions.names)))?;
            let old = self.adopt_names(Some(names));
            self.replaced_names = old;
        }
        put_at_end(&mut self.files.index, &batch.entries, at)?;
        let count = self.count.saturating_add(batch.count);
        if self.version == Version::Si4 {
            self.put_count(count)?;
        }
        if self.version == Version::Si5 {
            self.adopt_names(None);
        }
        Ok(())
    }

    /// Writes the header's count one byte at a time, decreasing bytes first. The count never
    /// exceeds the number of entries, even if the write is interrupted.
    fn put_count(&mut self, count: u64) -> Result<(), Error> {
        let at = Location::file(self.files.extensions.index).at(14);
        let index = &mut self.files.index;
        let mut old = [0; 3];
        index.read_full(14, &mut old).map_err(Error::io(at))?;
        // The largest number of games fits in three bytes.
        let [.., high, middle, low] = count.to_be_bytes();
        let bytes = || (14..).zip(old.into_iter().zip([high, middle, low]));
        let less = bytes().filter(|(_, (old, new))| new < old);
        let more = bytes().filter(|(_, (old, new))| new > old);
        for (offset, (_, byte)) in less.chain(more) {
            index.write_at(offset, &[byte]).map_err(Error::io(at))?;
        }
        index.sync().map_err(Error::io(at))
    }

    /// Puts a game's record at the end of the games file and assigns ids to its names.
    pub(super) fn put_record(
        &mut self,
        number: u64,
        game: &Game,
        records: &mut NewRecords,
        losses: &mut Losses,
    ) -> Result<IndexEntry, Error> {
        let at = Location::file(self.files.extensions.games).at(records.end).in_game(number);
        let fail = |kind| Error::new(kind, at);
        losses.begin_game(number);
        let reported = losses.mark();
        self.encoder.encode(game, &mut self.encoded, losses).map_err(|error| {
            // A refused game reports no losses.
            losses.rewind(&reported);
            let ply = error.location().ply;
            error.moved_to(ply.map_or(at, |ply| at.after_ply(ply)))
        })?;
        let record = &self.encoded.record;
        let place = records.place(record, self.version).map_err(fail)?;
        let names = self.table.give_ids(self.encoded.names).map_err(fail)?;
        let entry = IndexEntry { offset: place.offset, names, ..self.encoded.entry };
        records.push(record, place);
        self.write_if_many(records, at)?;
        Ok(entry)
    }

    /// Writes `records` if there are many unwritten ones.
    pub(super) fn write_if_many(
        &mut self,
        records: &mut NewRecords,
        at: Location,
    ) -> Result<(), Error> {
        if records.unwritten.len() < WRITE_SIZE {
            return Ok(());
        }
        records.write(&mut self.files.games).map_err(Error::io(at))
    }

    /// Writes the new names. Version 5 appends them to the file. Version 4 writes a new file, which
    /// is returned.
    pub(super) fn put_names(&mut self, new_files: &mut N) -> Result<Option<N::File>, Error> {
        let name = self.files.extensions.names;
        if !self.table.is_unsaved() {
            return Ok(None);
        }
        if self.version != Version::Si5 {
            let written = new_files.create(name).and_then(|mut file| {
                file.write_at(0, &self.table.encode_4())?;
                Ok(file)
            });
            return written.map(Some).map_err(Error::io(Location::file(name)));
        }
        let records = self.table.new_records();
        if !records.is_empty() {
            put_at_end(&mut self.files.names, records, Location::file(name).at(self.names_end))?;
        }
        Ok(None)
    }

    /// Records that all names are saved: in a new file that is in place, or, in version 5, at the
    /// end of the file. Until then a failure truncates the file to `names_end`. Returns the file
    /// that was replaced.
    pub(super) fn adopt_names(&mut self, names: Option<N::File>) -> Option<N::File> {
        let old = names.map(|names| std::mem::replace(&mut self.files.names, names));
        if self.version == Version::Si5 {
            let added = self.table.new_records().len() as u64;
            self.names_end = self.names_end.saturating_add(added);
        } else if old.is_none() {
            // Nothing was written.
            return None;
        }
        self.table.saved();
        old
    }

    pub(super) fn games_size(&self) -> Result<u64, Error> {
        size(&self.files.games, self.files.extensions.games)
    }

    /// Writes the last of `records` and syncs the games file.
    pub(super) fn sync_games(&mut self, records: &mut NewRecords) -> Result<(), Error> {
        let at = Location::file(self.files.extensions.games);
        let games = &mut self.files.games;
        records.write(games).and_then(|()| games.sync()).map_err(Error::io(at))
    }
}

pub(super) fn cut(file: &mut impl WriteAt, size: u64) -> io::Result<()> {
    if file.size()? > size { file.set_size(size) } else { Ok(()) }
}

/// Writes `bytes` at the end of the valid part of a file, over leftovers of an interrupted edit.
pub(super) fn put_at_end(file: &mut impl WriteAt, bytes: &[u8], at: Location) -> Result<(), Error> {
    let end = at.offset.unwrap_or(0);
    if file.size().map_err(Error::io(at))? > end {
        file.set_size(end).map_err(Error::io(at))?;
    }
    file.write_at(end, bytes).map_err(Error::io(at))?;
    file.sync().map_err(Error::io(at))
}
