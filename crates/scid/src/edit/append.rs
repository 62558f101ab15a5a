//! Adding games at the end, one or many. (scid §8 "Editing")
//!
//! Records are written as the games come; names, entries and the count of the header once for a
//! batch of them, in this order, as the names and records of every entry must be there before it.
//! If that fails, as on a full disk, the files get their sizes back.

use std::io;

use chess_core::Game;
use chess_store::io::{ReadAt as _, WriteAt};
use chess_store::{AnyError, EncodeGames as _, Location, Loss};

use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind, size};
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version};
use crate::output::RecordPlace;

/// The fewest games of a batch, unless [`Editor::set_batch`] says otherwise.
const BATCH: usize = 1 << 16;

/// Games whose records are written, but neither names nor entries.
pub(super) struct Batch {
    count: u64,
    entries: Vec<u8>,
    /// Where the games file ends.
    end: u64,
    /// Where it ended before.
    start: u64,
    /// Whether a record could not be written: then none of the batch is kept.
    failed: bool,
}

impl<N: NewFiles> Editor<N> {
    /// How many games [`append_all`](chess_store::EditGames::append_all) adds at once: their
    /// entries are in memory, and lost if it stops before they are written. Without it 65,536, or
    /// as many as there are names, if that is more: so the names of version 4, which are written
    /// again each time, cost no more than the games.
    pub fn set_batch(&mut self, games: usize) {
        self.batch = Some(games.max(1));
    }

    pub(super) fn append_batches(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError> {
        let before = self.count;
        let mut game = Game::new();
        loop {
            let mut batch = self.start_batch()?;
            let filled = self.fill_batch(&mut batch, &mut game, next, losses);
            // Whatever ended it, the games so far are added; unless the disk failed.
            let put = self.put_batch(&batch);
            let more = filled?;
            put?;
            if !more {
                return Ok(self.count.saturating_sub(before));
            }
        }
    }

    pub(super) fn start_batch(&mut self) -> Result<Batch, Error> {
        self.check_sound()?;
        let start = self.games_size()?;
        Ok(Batch { count: 0, entries: Vec::new(), end: start, start, failed: false })
    }

    /// Writes records until the batch is full, or there are no more games: `false`.
    fn fill_batch(
        &mut self,
        batch: &mut Batch,
        game: &mut Game,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
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

    /// Writes a game's record and keeps its entry.
    pub(super) fn add(
        &mut self,
        game: &Game,
        batch: &mut Batch,
        losses: &mut Vec<Loss>,
    ) -> Result<(), Error> {
        let number = self.count.saturating_add(batch.count);
        if number >= u64::from(self.version.max_games()) {
            let at = self.entry_location(number);
            return Err(Error::new(ErrorKind::TooManyGames(number), at));
        }
        let entry = self.put_record(number, game, &mut batch.end, losses);
        let entry =
            entry.inspect_err(|error| batch.failed |= matches!(error.kind(), ErrorKind::Io(_)))?;
        entry.encode(self.version, &mut batch.entries);
        batch.count = batch.count.saturating_add(1);
        Ok(())
    }

    /// Completes the games of a batch: names, entries, count. If that fails, the files become what
    /// they were.
    pub(super) fn put_batch(&mut self, batch: &Batch) -> Result<(), Error> {
        if batch.failed {
            self.cut_games(batch.start);
            return Ok(());
        }
        let put = if batch.count == 0 { Ok(()) } else { self.try_put(batch) };
        if put.is_ok() {
            self.count = self.count.saturating_add(batch.count);
            // Behind it stands at most a record that was broken off.
            self.cut_games(batch.end);
        } else if self.take_back().is_ok() {
            self.cut_games(batch.start);
        }
        put
    }

    /// Takes records away that no game needs. Should that fail, the next are written behind them.
    pub(super) fn cut_games(&mut self, end: u64) {
        let _ = cut(&mut self.files.games, end);
    }

    /// Makes of index and names what they were before a batch, first the index: until that is on
    /// the disk, what it points to must stay.
    fn take_back(&mut self) -> Result<(), Error> {
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

    fn try_put(&mut self, batch: &Batch) -> Result<(), Error> {
        self.sync_games()?;
        let mut new_files = self.new_files.begin();
        let names = self.put_names(&mut new_files)?;
        if names.is_some() {
            let at = Location::file(self.files.extensions.names);
            new_files.commit().map_err(Error::io(at))?;
        }
        self.names_are_put(names);
        let at = self.entry_location(self.count);
        put_at_end(&mut self.files.index, &batch.entries, at)?;
        let count = self.count.saturating_add(batch.count);
        if self.version == Version::Si4 { self.put_count(count) } else { Ok(()) }
    }

    /// Writes the count of the header a byte at a time, first those that become less: on the way
    /// it never counts an entry that is not there.
    fn put_count(&mut self, count: u64) -> Result<(), Error> {
        let at = Location::file(self.files.extensions.index).at(14);
        let index = &mut self.files.index;
        let mut old = [0; 3];
        index.read_full(14, &mut old).map_err(Error::io(at))?;
        // Three bytes have room for the most games.
        let [.., high, middle, low] = count.to_be_bytes();
        let bytes = || (14..).zip(old.into_iter().zip([high, middle, low]));
        let less = bytes().filter(|(_, (old, new))| new < old);
        let more = bytes().filter(|(_, (old, new))| new > old);
        for (offset, (_, byte)) in less.chain(more) {
            index.write_at(offset, &[byte]).map_err(Error::io(at))?;
        }
        index.sync().map_err(Error::io(at))
    }

    /// Writes a game's record at the end of the games file, and gives its names their ids.
    pub(super) fn put_record(
        &mut self,
        number: u64,
        game: &Game,
        end: &mut u64,
        losses: &mut Vec<Loss>,
    ) -> Result<IndexEntry, Error> {
        let at = Location::file(self.files.extensions.games).at(*end).in_game(number);
        let fail = |kind| Error::new(kind, at);
        let reported = losses.len();
        self.encoder.encode(game, &mut self.encoded, losses).map_err(|error| {
            // What is refused as a whole has no losses.
            losses.truncate(reported);
            error.map_location(|place| place.ply.map_or(at, |ply| at.after_ply(ply)))
        })?;
        let (record, names) = self.encoded.parts();
        let place = RecordPlace::after(*end, record, self.version).map_err(fail)?;
        let games = &mut self.files.games;
        let filler = place.filler(record);
        if !filler.is_empty() {
            games.write_at(*end, filler).map_err(Error::io(at))?;
        }
        games.write_at(place.offset, record).map_err(Error::io(at))?;
        // A record that no game needs is written over by the next.
        let names = self.table.give_ids(names).map_err(fail)?;
        *end = place.end;
        Ok(IndexEntry { offset: place.offset, names, ..self.encoded.entry })
    }

    /// Writes the names that the file does not have: to its end in version 5, into a new file in
    /// version 4, which is handed back.
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
            self.names_end = self.names_end.saturating_add(records.len() as u64);
        }
        self.table.saved();
        Ok(None)
    }

    /// A new file of names is in its place, if there was one to make.
    pub(super) fn names_are_put(&mut self, names: Option<N::File>) {
        if let Some(names) = names {
            self.files.names = names;
            self.table.saved();
        }
    }

    pub(super) fn games_size(&self) -> Result<u64, Error> {
        size(&self.files.games, self.files.extensions.games)
    }

    pub(super) fn sync_games(&mut self) -> Result<(), Error> {
        let at = Location::file(self.files.extensions.games);
        self.files.games.sync().map_err(Error::io(at))
    }
}

fn cut(file: &mut impl WriteAt, size: u64) -> io::Result<()> {
    if file.size()? > size { file.set_size(size) } else { Ok(()) }
}

/// Writes bytes at the place where a file ends but for what a change that was broken off has left.
fn put_at_end(file: &mut impl WriteAt, bytes: &[u8], at: Location) -> Result<(), Error> {
    let end = at.offset.unwrap_or(0);
    if file.size().map_err(Error::io(at))? > end {
        file.set_size(end).map_err(Error::io(at))?;
    }
    file.write_at(end, bytes).map_err(Error::io(at))?;
    file.sync().map_err(Error::io(at))
}
