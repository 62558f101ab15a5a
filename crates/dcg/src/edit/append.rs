//! Appends one or many games, which may replace others. (dcg §10 "Editing")
//!
//! Records are written as the games arrive. Names and entries are written once a batch, in this
//! order, because the targets of an entry must be on disk first. A failed batch is rolled back.

use std::io;

use chess_core::Game;
use chess_store::io::{ReadAt, WriteAt};
use chess_store::{AnyError, Location, Losses, NextReplacement};

use super::Editor;
use crate::error::{Error, ErrorKind};
use crate::index::{IndexEntry, IndexHeader};
use crate::layout::{GAMES_MAGIC, Layout, MAGIC_SIZE, NAME_SIZE, NO_NAME};
use crate::name_table::{Name, NameTable, reference};
use crate::names::{NameKind, NameRecord};
use crate::promotion::Survey;

/// The games of a batch. Their entries are in memory.
const BATCH: u64 = 1 << 16;
/// The size of the write buffer of records.
const GATHERED: usize = 1 << 18;

/// The names of a file once loaded, and the new names not yet in the file.
#[derive(Debug, Default)]
pub(super) struct NewNames {
    table: Option<NameTable>,
    /// Number and reference of the first new name.
    first: Option<(u32, u32)>,
    records: Vec<u8>,
}

/// Games whose records are written or buffered, and whose names and entries are not.
struct Batch {
    count: u64,
    entries: Vec<u8>,
    records: Vec<u8>,
    /// The offset of the first buffered record.
    offset: u64,
    /// The state at the start of the batch.
    survey: Survey,
    sizes: Sizes,
    /// Whether a record could not be written. The whole batch is then discarded.
    failed: bool,
}

/// The sizes of the files before a batch.
#[derive(Clone, Copy)]
struct Sizes {
    index: u64,
    games: u64,
    names: [u64; 3],
}

impl Batch {
    /// The offset of the next record.
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.records.len() as u64)
    }
}

impl<F: WriteAt> Editor<F> {
    pub(super) fn append_batches(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        self.check_sound()?;
        let before = self.entries.count;
        let mut game = Game::new();
        loop {
            let mut batch = self.start_batch()?;
            let filled = self.fill_batch(&mut batch, &mut game, next, losses);
            // Games up to here stay appended even if the source failed, unless the disk failed.
            let put = self.put_batch(&mut batch);
            let more = filled?;
            put?;
            if !more {
                return Ok(self.entries.count.saturating_sub(before));
            }
        }
    }

    /// Appends games until the batch is full. Returns `false` when there are no more games.
    fn fill_batch(
        &mut self,
        batch: &mut Batch,
        game: &mut Game,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<bool, AnyError> {
        while batch.count < BATCH {
            if !next(game)? {
                return Ok(false);
            }
            self.add(game, &IndexEntry::default(), batch, losses)?;
        }
        Ok(true)
    }

    pub(super) fn replace_batches(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        let (mut game, mut replaced) = (Game::new(), 0u64);
        loop {
            let (mut batch, mut old) = (self.start_batch()?, Vec::new());
            let filled = self.fill_replacements(&mut batch, &mut old, &mut game, next, losses);
            self.put_batch(&mut batch)?;
            if !batch.failed && !old.is_empty() {
                self.set_deleted_all(&old, true)?;
                self.sync()?;
                replaced = replaced.saturating_add(old.len() as u64);
            }
            if !filled? {
                return Ok(replaced);
            }
        }
    }

    /// Appends replacements until the batch is full, and collects the numbers of the old games.
    /// Returns `false` when there are no more games.
    fn fill_replacements(
        &mut self,
        batch: &mut Batch,
        old: &mut Vec<u64>,
        game: &mut Game,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<bool, AnyError> {
        while batch.count < BATCH {
            let Some((number, what)) = next(game)? else { return Ok(false) };
            what.require_game(number)?;
            let like = self.entry(number)?;
            self.add(game, &like, batch, losses)?;
            old.push(number);
        }
        Ok(true)
    }

    /// Appends a game. Names equal to those in `like` reuse its references.
    pub(super) fn append_like(
        &mut self,
        game: &Game,
        like: &IndexEntry,
        losses: &mut Losses,
    ) -> Result<u64, Error> {
        let mut batch = self.start_batch()?;
        let number = self.entries.count;
        let added = self.add(game, like, &mut batch, losses);
        self.put_batch(&mut batch)?;
        added.map(|()| number)
    }

    fn start_batch(&mut self) -> Result<Batch, Error> {
        self.check_sound()?;
        let sizes = self.sizes()?;
        let (entries, records) = (Vec::new(), Vec::new());
        let (offset, survey) = (sizes.games.max(MAGIC_SIZE), self.survey.clone());
        Ok(Batch { count: 0, entries, records, offset, survey, sizes, failed: false })
    }

    fn sizes(&self) -> Result<Sizes, Error> {
        let size = |file: &F, name| file.size().map_err(Error::io(Location::file(name)));
        let mut names = [0; 3];
        for (size, kind) in names.iter_mut().zip(NameKind::ALL) {
            *size = match self.name_file(kind) {
                Some(file) => file.size().map_err(Error::io(Location::file(kind.file())))?,
                None => 0,
            };
        }
        let (index, games) = (size(&self.files.dci, "dci")?, size(&self.files.dcg, "dcg")?);
        Ok(Sizes { index, games, names })
    }

    /// Writes or buffers a game's record and keeps its entry.
    fn add(
        &mut self,
        game: &Game,
        like: &IndexEntry,
        batch: &mut Batch,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let number = self.entries.count.saturating_add(batch.count);
        let at = Location::file("dcg").in_game(number);
        losses.begin_game(number);
        let reported = losses.mark();
        let mut encoded = std::mem::take(&mut self.encoded);
        let result = self.encoder.encode(game, &mut encoded, losses);
        let result = result.and_then(|()| self.keep_promotions(number, encoded.body()));
        let result = result.map_err(|error| error.moved_to(at)).and_then(|()| {
            let names = &encoded.names;
            Ok(IndexEntry {
                white: self.reference(NameKind::Players, names.white, like.white)?,
                black: self.reference(NameKind::Players, names.black, like.black)?,
                site: self.reference(NameKind::Sites, names.site, like.site)?,
                event: self.reference(NameKind::Events, names.event, like.event)?,
                offset: batch.end(),
                ..encoded.entry
            })
        });
        batch.records.extend_from_slice(if result.is_ok() { &encoded.record } else { &[] });
        self.encoded = encoded;
        // A refused game reports no losses.
        let entry = result.inspect_err(|_| losses.rewind(&reported))?;
        entry.encode(Layout::Current, &mut batch.entries);
        batch.count = batch.count.saturating_add(1);
        if batch.records.len() >= GATHERED {
            let written = self.write_records(batch).map_err(Error::io(at));
            written.inspect_err(|_| batch.failed = true)?;
        }
        Ok(())
    }

    /// Returns an error if the game would change how readers detect the promotion numbering. With
    /// a numbering that the caller asked for against the evidence there is nothing to keep.
    // dcg §6.3.1 "Promotion codes"
    fn keep_promotions(&mut self, number: u64, record: &[u8]) -> Result<(), Error> {
        let was_shown = self.survey.numbering().promotions == self.promotions;
        let mut survey = self.survey.clone();
        survey.examine(number, record);
        self.survey = match survey.clone().showing(self.promotions) {
            Some(survey) => survey,
            None if was_shown => return Err(ErrorKind::OtherPromotions.at(Location::default())),
            None => survey,
        };
        Ok(())
    }

    fn write_records(&mut self, batch: &mut Batch) -> io::Result<()> {
        if batch.sizes.games < MAGIC_SIZE {
            self.files.dcg.write_at(0, GAMES_MAGIC)?;
        }
        self.files.dcg.write_at(batch.offset, &batch.records)?;
        batch.offset = batch.end();
        batch.records.clear();
        Ok(())
    }

    /// Finishes a batch: records, names, entries. On failure the files are restored.
    fn put_batch(&mut self, batch: &mut Batch) -> Result<(), Error> {
        if batch.count == 0 {
            return Ok(());
        }
        let put = if batch.failed { Ok(()) } else { self.try_put(batch) };
        if put.is_ok() && !batch.failed {
            self.entries.count = self.entries.count.saturating_add(batch.count);
        } else {
            self.survey = batch.survey.clone();
            self.names = Default::default();
            // If that fails too, the next append overwrites the leftovers.
            let _ = self.roll_back(batch.sizes);
        }
        put
    }

    fn try_put(&mut self, batch: &mut Batch) -> Result<(), Error> {
        let at = Location::file("dcg");
        self.write_records(batch).map_err(Error::io(at))?;
        self.files.dcg.sync().map_err(Error::io(at))?;
        for kind in NameKind::ALL {
            self.put_names(kind).map_err(Error::io(Location::file(kind.file())))?;
        }
        if batch.sizes.index < Layout::Current.header_size() {
            // An interrupted import left the file short.
            let mut header = Vec::new();
            IndexHeader::default().encode(&mut header);
            self.files.dci.write_at(0, &header).map_err(Error::io(Location::file("dci")))?;
        }
        if self.survey.is_indexed() && !batch.survey.is_indexed() {
            self.write_default_game()?;
        }
        let number = self.entries.count;
        let offset = Layout::Current.entry_offset(number);
        self.change_index(offset, self.entries.location(number), &batch.entries)
    }

    /// Truncates the files to their previous sizes. The index comes first: its targets must stay
    /// until the index is on disk.
    fn roll_back(&mut self, sizes: Sizes) -> io::Result<()> {
        cut(&mut self.files.dci, sizes.index)?;
        self.files.dci.sync()?;
        for (kind, size) in NameKind::ALL.into_iter().zip(sizes.names) {
            if let Some(file) = self.name_file_mut(kind) {
                cut(file, size)?;
            }
        }
        cut(&mut self.files.dcg, sizes.games)
    }

    fn name_file(&self, kind: NameKind) -> Option<&F> {
        match kind {
            NameKind::Players => Some(&self.files.dcn),
            NameKind::Sites => Some(&self.files.dcs),
            NameKind::Events => self.files.dce.as_ref(),
        }
    }

    fn name_file_mut(&mut self, kind: NameKind) -> Option<&mut F> {
        match kind {
            NameKind::Players => Some(&mut self.files.dcn),
            NameKind::Sites => Some(&mut self.files.dcs),
            NameKind::Events => self.files.dce.as_mut(),
        }
    }

    fn names_mut(&mut self, kind: NameKind) -> &mut NewNames {
        let [players, sites, events] = &mut self.names;
        match kind {
            NameKind::Players => players,
            NameKind::Sites => sites,
            NameKind::Events => events,
        }
    }

    /// Returns the reference of a name: from `like`, of a known name, or of a new record.
    // dcg §5.1 "References"
    fn reference(&mut self, kind: NameKind, name: Option<Name>, like: u32) -> Result<u32, Error> {
        let Some(name) = name else { return Ok(NO_NAME) };
        let at = Location::file(kind.file());
        let io = Error::io(at);
        let missing = || io(io::ErrorKind::NotFound.into());
        let file = self.name_file(kind).ok_or_else(missing)?;
        let mut old = [0; NAME_SIZE];
        if like != NO_NAME
            && file.read_full(u64::from(like), &mut old).map_err(&io)? == NAME_SIZE
            && old == name.record
        {
            return Ok(like);
        }
        if self.names_mut(kind).table.is_none() {
            let table = read_names(self.name_file(kind).ok_or_else(missing)?).map_err(&io)?;
            self.names_mut(kind).table = Some(table);
        }
        let NewNames { table, first, records } = self.names_mut(kind);
        let table = table.get_or_insert_default();
        let full = || ErrorKind::NamesFull.at(at);
        if let Some(number) = table.number(&name) {
            return reference(number).ok_or_else(full);
        }
        let (number, place) = table.next_place().ok_or_else(full)?;
        first.get_or_insert((number, place));
        records.extend_from_slice(&name.record);
        table.add(&name);
        Ok(place)
    }

    /// Appends the new names to the file.
    fn put_names(&mut self, kind: NameKind) -> io::Result<()> {
        let NewNames { first, records, .. } = self.names_mut(kind);
        let Some((number, place)) = first.take() else { return Ok(()) };
        let records = std::mem::take(records);
        let Some(file) = self.name_file_mut(kind) else { return Ok(()) };
        if number == 0 {
            file.write_at(0, kind.magic())?;
        }
        file.write_at(u64::from(place), &records)?;
        file.sync()
    }
}

fn cut(file: &mut impl WriteAt, size: u64) -> io::Result<()> {
    if file.size()? > size { file.set_size(size) } else { Ok(()) }
}

/// The names of a name file by number. Leftovers of an interrupted edit at the end are overwritten:
/// in a sound base nothing refers to them.
fn read_names<F: ReadAt>(file: &F) -> io::Result<NameTable> {
    const RECORDS: usize = 4096;
    let mut table = NameTable::default();
    let mut bytes = Vec::new();
    let mut offset = MAGIC_SIZE;
    loop {
        file.read_into(offset, RECORDS * NAME_SIZE, &mut bytes)?;
        for bytes in bytes.chunks_exact(NAME_SIZE) {
            let mut record: NameRecord = [0; NAME_SIZE];
            bytes.read_at(0, &mut record)?;
            table.add(&Name::new(record));
        }
        if bytes.len() < RECORDS * NAME_SIZE {
            return Ok(table);
        }
        offset = offset.saturating_add(bytes.len() as u64);
    }
}
