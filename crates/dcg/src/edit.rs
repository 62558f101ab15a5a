//! Changing a base in place.
//!
//! Whatever is added is written behind what is there and reaches the disk before the index says
//! so; a game is deleted by one byte. Whatever moment it stops, the base opens with every game
//! it had.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use chess_core::files::companion;
use chess_core::io::{ReadAt, WriteAt};
use chess_core::seam::{CreateOptions, Loss, OpenOptions};
use chess_core::{Game, Location};

use crate::compact::{move_into_place, staged_path, unfinished_compaction};
use crate::database::{Database, Parts};
use crate::encode::Encoder;
use crate::error::{Error, ErrorKind};
use crate::header::{EntryNames, LongNames, NameFiles, encode_header};
use crate::index::IndexEntry;
use crate::layout::{
    GAMES_MAGIC, Layout, MAGIC_SIZE, NAME_SIZE, NAME_STEP, NO_NAME, OPEN_DEFAULT_OFFSET,
    STATUS_DELETED, STATUS_LIVE,
};
use crate::length::encode_length;
use crate::names::{NameFile, NameKind, NameTable, Record, reference};
use crate::writer::Writer;

/// A base, open for change.
///
/// Deleting, undeleting, replacing, appending and setting the default game take the same time in a
/// base of any size; the first new name is the exception: the list it is looked for in is read
/// then, and kept. [`compact`](Editor::compact) rewrites the base.
#[derive(Debug)]
pub struct Editor<F = File> {
    files: Parts<F>,
    layout: Layout,
    count: u64,
    encoder: Encoder,
    players: Option<NameTable>,
    sites: Option<NameTable>,
    events: Option<NameTable>,
    path: Option<PathBuf>,
}

impl Editor<File> {
    /// Opens the base that any of its files names. A compaction that was interrupted is put in
    /// place first.
    ///
    /// # Errors
    /// If a file is missing or cannot be changed; if the index is not one.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Editor<File>, Error> {
        if let Some(staged) = unfinished_compaction(path) {
            move_into_place(&staged, path, usize::MAX).map_err(io_error("dci"))?;
        }
        let open = |extension: &'static str| {
            let Some(found) = companion(path, extension) else {
                let missing = io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("there is no {}", path.with_extension(extension).display()),
                );
                return Err(io_error(extension)(missing));
            };
            File::options().read(true).write(true).open(found).map_err(io_error(extension))
        };
        let dce = match companion(path, "dce") {
            Some(_) => Some(open("dce")?),
            None => None,
        };
        let parts = Parts {
            dci: open("dci")?,
            dcn: open("dcn")?,
            dcs: open("dcs")?,
            dce,
            dcg: open("dcg")?,
        };
        let mut editor = Editor::from_parts(parts, options)?;
        editor.path = Some(path.to_path_buf());
        Ok(editor)
    }

    /// Drops deleted games, the records they leave behind and the names nothing points to. A base
    /// of the old layout gets the current one.
    ///
    /// The new files are complete, beside the old ones, before the first is put in place; a
    /// [`Database`] opened in between reads the new ones.
    ///
    /// # Errors
    /// Those of the disk; a live game whose record cannot be read, which is nobody's to drop:
    /// nothing is changed then. Delete or replace it first.
    pub fn compact(self) -> Result<(), Error> {
        let pathless = || io_error("dci")(io::Error::other("the base was not opened by a path"));
        let path = self.path.clone().ok_or_else(pathless)?;
        let staged = staged_path(&path);
        let mut writer = Writer::create(&staged, &CreateOptions::default())?;
        self.copy_live(&mut writer)?;
        drop(self);
        writer.finish()?;
        move_into_place(&staged, &path, usize::MAX).map_err(io_error("dci"))
    }
}

impl<F: WriteAt> Editor<F> {
    /// Opens a base whose files the caller has.
    ///
    /// # Errors
    /// If the index is not one.
    pub fn from_parts(parts: Parts<F>, options: &OpenOptions) -> Result<Editor<F>, Error> {
        let base = Database::from_parts(parts, options)?;
        let (layout, count) = (base.layout(), base.len());
        let files = base.into_parts();
        let mut editor = Editor {
            files,
            layout,
            count,
            encoder: Encoder::default(),
            players: None,
            sites: None,
            events: None,
            path: None,
        };
        editor.repair_header()?;
        Ok(editor)
    }

    /// Completes an index header that an aborted import left short: there are no entries yet.
    fn repair_header(&mut self) -> Result<(), Error> {
        let size = self.files.dci.size().map_err(io_error("dci"))?;
        if self.layout == Layout::Current && size < Layout::Current.header_size() {
            let mut header = Vec::new();
            crate::index::IndexHeader::default().encode(&mut header);
            self.files.dci.write_at(0, &header).map_err(io_error("dci"))?;
        }
        Ok(())
    }

    /// Gives back the files.
    pub fn into_parts(self) -> Parts<F> {
        self.files
    }

    /// How many games it lists.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether it lists no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bytes of a game in the index, from zero, as fields.
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        let at = self.location(game)?;
        let mut bytes = [0; 39];
        let count = self.files.dci.read_full(at.offset.unwrap_or(0), &mut bytes);
        let count = count.map_err(|error| ErrorKind::Io(error).at(at))?;
        let entry = bytes.get(..count).and_then(|bytes| IndexEntry::parse(bytes, self.layout));
        entry.ok_or_else(|| ErrorKind::Cut("the index").at(at))
    }

    /// Marks a game as deleted, or takes the mark away: one byte.
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    // dcg §10 "Editing"
    pub fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Error> {
        let at = self.location(game)?;
        let status = if deleted { STATUS_DELETED } else { STATUS_LIVE };
        self.change_index(at, &[status])
    }

    /// Sets the game to show first, numbered from zero.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a base of the old layout.
    // dcg §3 "Index header"
    pub fn set_default_game(&mut self, game: u64) -> Result<(), Error> {
        self.location(game)?;
        self.current()?;
        let at = Location::file("dci").at(OPEN_DEFAULT_OFFSET);
        self.change_index(at, &game.to_be_bytes())
    }

    /// Adds a game at the end; its number comes back.
    ///
    /// # Errors
    /// Those of the disk; a game the format cannot hold; a base of the old layout.
    // dcg §10 "Editing"
    pub fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, Error> {
        self.append_like(game, None, losses)
    }

    /// Adds `with` at the end and marks `game` as deleted, which is how this format replaces a
    /// game. The number of the new one comes back. Stopped in between, both are there.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a game the format cannot hold; a base of the old layout.
    // dcg §10 "Editing"
    pub fn replace(
        &mut self,
        game: u64,
        with: &Game,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, Error> {
        let old = self.entry(game)?;
        let new = self.append_like(with, Some(&old), losses)?;
        self.set_deleted(game, true)?;
        Ok(new)
    }

    /// Appends a game; names that `like` has as well are not looked for.
    fn append_like(
        &mut self,
        game: &Game,
        like: Option<&IndexEntry>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, Error> {
        self.current()?;
        let number = self.count;
        let here = Location::file("dcg").in_game(number);
        let (mut entry, names) = encode_header(&game.header, LongNames::Cut, losses)
            .map_err(|error| error.map_location(|_| here))?;
        let mut body = Vec::new();
        self.encoder
            .encode(game, losses, &mut body)
            .map_err(|error| error.map_location(|_| here))?;
        let length = u32::try_from(body.len()).map_err(|_| ErrorKind::GameTooLong.at(here))?;
        let mut record = Vec::new();
        encode_length(length, &mut record);
        record.extend_from_slice(&body);

        // What is pointed to first.
        let like = like.copied().unwrap_or_default();
        entry.white = self.name(NameKind::Players, names.white, like.white)?;
        entry.black = self.name(NameKind::Players, names.black, like.black)?;
        entry.site = self.name(NameKind::Sites, names.site, like.site)?;
        entry.event = self.name(NameKind::Events, names.event, like.event)?;
        let games = &self.files.dcg;
        let size = games.size().map_err(io_error("dcg"))?;
        if size < MAGIC_SIZE {
            games.write_at(0, GAMES_MAGIC).map_err(io_error("dcg"))?;
        }
        entry.offset = size.max(MAGIC_SIZE);
        games.write_at(entry.offset, &record).map_err(io_error("dcg"))?;
        games.sync().map_err(io_error("dcg"))?;

        let mut bytes = Vec::new();
        entry.encode(self.layout, &mut bytes);
        let offset = number.saturating_mul(self.layout.entry_size());
        let offset = offset.saturating_add(self.layout.header_size());
        self.change_index(Location::file("dci").at(offset).in_game(number), &bytes)?;
        self.count = number.saturating_add(1);
        Ok(number)
    }

    /// The reference of a name: the one `like` has, a known one, or that of a new record.
    // dcg §5.1 "References"
    fn name(&mut self, kind: NameKind, record: Option<Record>, like: u32) -> Result<u32, Error> {
        let Some(record) = record else { return Ok(NO_NAME) };
        let (file, table) = match kind {
            NameKind::Players => (Some(&self.files.dcn), &mut self.players),
            NameKind::Sites => (Some(&self.files.dcs), &mut self.sites),
            NameKind::Events => (self.files.dce.as_ref(), &mut self.events),
        };
        let io = io_error(kind.file());
        let Some(file) = file else { return Err(io(io::ErrorKind::NotFound.into())) };
        let mut old = [0; NAME_SIZE];
        if like != NO_NAME
            && file.read_full(u64::from(like), &mut old).map_err(&io)? == NAME_SIZE
            && old == record
        {
            return Ok(like);
        }
        let table = match table {
            Some(table) => table,
            None => table.insert(read_table(file).map_err(&io)?),
        };
        if let Some(number) = table.number(&record) {
            return reference(number).ok_or_else(|| full(kind));
        }
        let number = table.next_number();
        let place = reference(number).ok_or_else(|| full(kind))?;
        if number == 0 {
            file.write_at(0, kind.magic()).map_err(&io)?;
        }
        file.write_at(u64::from(place), &record).map_err(&io)?;
        file.sync().map_err(&io)?;
        table.add(record);
        Ok(place)
    }

    /// Writes all live games, byte for byte, to another base.
    ///
    /// # Errors
    /// Those of the disk; a live game whose record cannot be read.
    pub fn copy_live<G: WriteAt>(&self, writer: &mut Writer<G>) -> Result<(), Error> {
        let files = Parts {
            dci: &self.files.dci,
            dcn: &self.files.dcn,
            dcs: &self.files.dcs,
            dce: self.files.dce.as_ref(),
            dcg: &self.files.dcg,
        };
        let base = Database::from_parts(files, &OpenOptions::default())?;
        let default = base.default_game();
        let mut record = Vec::new();
        for game in 0..base.len() {
            let entry = base.entry(game)?;
            if game == default && !entry.is_deleted() {
                writer.set_default_game(writer.len());
            }
            if entry.is_deleted() {
                continue;
            }
            let start = base.read_record(&entry, game, &mut record)?;
            let body = record.get(start.length.size..).unwrap_or_default();
            start.complete(body)?;
            writer.write_record(entry, &entry_names(&entry, base.names())?, body)?;
        }
        Ok(())
    }

    fn location(&self, game: u64) -> Result<Location, Error> {
        let offset = game.saturating_mul(self.layout.entry_size());
        let offset = offset.saturating_add(self.layout.header_size());
        let at = Location::file("dci").at(offset).in_game(game);
        if game < self.count { Ok(at) } else { Err(ErrorKind::NoSuchGame(self.count).at(at)) }
    }

    fn current(&self) -> Result<(), Error> {
        match self.layout {
            Layout::Current => Ok(()),
            Layout::Old => Err(ErrorKind::OldLayout.at(Location::file("dci"))),
        }
    }

    fn change_index(&self, at: Location, bytes: &[u8]) -> Result<(), Error> {
        let io = |error| ErrorKind::Io(error).at(at);
        self.files.dci.write_at(at.offset.unwrap_or(0), bytes).map_err(io)?;
        self.files.dci.sync().map_err(io)
    }
}

/// The names of a name file by their numbers. A torn record at the end counts: who knows what
/// points to it.
fn read_table<F: ReadAt>(file: &F) -> io::Result<NameTable> {
    const RECORDS: u64 = 4096;
    let mut table = NameTable::default();
    let mut bytes = Vec::new();
    let mut offset = MAGIC_SIZE;
    loop {
        let length = usize::try_from(RECORDS.saturating_mul(NAME_STEP)).unwrap_or(NAME_SIZE);
        file.read_into(offset, length, &mut bytes)?;
        for bytes in bytes.chunks(NAME_SIZE) {
            let mut record = [0; NAME_SIZE];
            bytes.read_at(0, &mut record)?;
            table.add(record);
        }
        if bytes.len() < length {
            return Ok(table);
        }
        offset = offset.saturating_add(bytes.len() as u64);
    }
}

/// The records an entry points to; none for what points nowhere.
fn entry_names<R: ReadAt>(entry: &IndexEntry, names: &NameFiles<R>) -> Result<EntryNames, Error> {
    let record = |file: &NameFile<R>, reference, kind: NameKind| {
        let mut record = [b' '; NAME_SIZE];
        if reference == NO_NAME || u64::from(reference) < MAGIC_SIZE {
            return Ok(None);
        }
        let count = file.record(reference, &mut record).map_err(io_error(kind.file()))?;
        Ok((count > 0).then_some(record))
    };
    Ok(EntryNames {
        white: record(&names.players, entry.white, NameKind::Players)?,
        black: record(&names.players, entry.black, NameKind::Players)?,
        site: record(&names.sites, entry.site, NameKind::Sites)?,
        event: match &names.events {
            Some(events) => record(events, entry.event, NameKind::Events)?,
            None => None,
        },
    })
}

fn full(kind: NameKind) -> Error {
    ErrorKind::NamesFull.at(Location::file(kind.file()))
}

fn io_error(file: &'static str) -> impl Fn(io::Error) -> Error {
    move |error| ErrorKind::Io(error).at(Location::file(file))
}
