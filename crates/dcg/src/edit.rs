//! Changing a base in place.
//!
//! Whatever is added is written behind what is there and reaches the disk before the index says
//! so; a game is deleted by one byte. Whatever moment it stops, the base opens with every game
//! it had.

use std::fs::File;
use std::io;
use std::path::Path;

use chess_core::Game;
use chess_store::files::BaseFiles;
use chess_store::io::{ReadAt, WriteAt};
use chess_store::{EditGames, EncodeGames, Fact, Location, Loss};

use crate::database::Database;
use crate::error::{Error, ErrorKind};
use crate::index::{Entries, IndexEntry, IndexHeader};
use crate::layout::{
    GAMES_MAGIC, Layout, MAGIC_SIZE, NAME_SIZE, NO_NAME, OPEN_DEFAULT_OFFSET, STATUS_DELETED,
    STATUS_LIVE,
};
use crate::name_table::{Name, NameTable, reference};
use crate::names::{NameKind, NameRecord};
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::writer::game_number;
use crate::writer::{Encoded, Encoder};

/// A base, open for change.
///
/// Deleting, undeleting, replacing, appending and setting the default game take the same time in a
/// base of any size; the first new name is the exception: the list it is looked for in is read
/// then, and kept. [`compact`](EditGames::compact) rewrites the base.
#[derive(Debug)]
pub struct Editor<F = File> {
    pub(crate) files: Parts<F>,
    entries: Entries,
    /// The names of the files that have been read.
    players: Option<NameTable>,
    sites: Option<NameTable>,
    events: Option<NameTable>,
    encoder: Encoder,
    encoded: Encoded,
    /// Where it is, if it was opened by a path. Nobody else changes it meanwhile.
    pub(crate) place: Option<BaseFiles>,
}

impl Editor {
    /// Opens the base that any of its files names.
    ///
    /// # Errors
    /// If a file is missing or cannot be changed; if the index is not one;
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) while another program changes the base.
    pub fn open(path: impl AsRef<Path>) -> Result<Editor, Error> {
        Editor::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Editor::open), with options.
    ///
    /// # Errors
    /// As `open`; a warning, when strict.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Editor, Error> {
        let place = BaseFiles::locate_for_change(path.as_ref(), "dci");
        let place = place.map_err(Error::io(Location::file("dci")))?;
        let open = |file| {
            let opened = match place.find(file) {
                Some(path) => File::options().read(true).write(true).open(path),
                // Says which is missing.
                None => place.open(file),
            };
            opened.map_err(Error::io(Location::file(file)))
        };
        let parts = Parts {
            dci: open("dci")?,
            dcn: open("dcn")?,
            dcs: open("dcs")?,
            dce: place.find("dce").map(|_| open("dce")).transpose()?,
            dcg: open("dcg")?,
        };
        let mut editor = Editor::from_parts(parts, options)?;
        editor.place = Some(place);
        Ok(editor)
    }
}

impl<F: WriteAt> Editor<F> {
    /// Opens a base whose files the caller has.
    ///
    /// # Errors
    /// If the index is not one; a warning, when strict.
    pub fn from_parts(parts: Parts<F>, options: &OpenOptions) -> Result<Editor<F>, Error> {
        let base = Database::from_parts(parts.each_ref(), options)?;
        let entries = base.entries;
        let mut editor = Editor {
            files: parts,
            entries,
            players: None,
            sites: None,
            events: None,
            encoder: Encoder::default(),
            encoded: Encoded::default(),
            place: None,
        };
        editor.repair_header()?;
        Ok(editor)
    }

    /// Completes an index header that an aborted import left short: there are no entries yet.
    fn repair_header(&mut self) -> Result<(), Error> {
        let io = Error::io(Location::file("dci"));
        let size = self.files.dci.size().map_err(&io)?;
        if self.entries.layout == Layout::Current && size < Layout::Current.header_size() {
            let mut header = Vec::new();
            IndexHeader::default().encode(&mut header);
            self.files.dci.write_at(0, &header).map_err(&io)?;
        }
        Ok(())
    }

    /// Gives back the files.
    pub fn into_parts(self) -> Parts<F> {
        self.files
    }

    /// The bytes of a game in the index, from zero, as fields.
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        self.entries.read(&self.files.dci, game)
    }

    /// Sets the game to show first, numbered from zero.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a base of the old layout.
    // dcg §3 "Index header"
    pub fn set_default_game(&mut self, game: u64) -> Result<(), Error> {
        self.entries.find(game)?;
        self.refuse_old_layout()?;
        let at = Location::file("dci").at(OPEN_DEFAULT_OFFSET);
        self.change_index(OPEN_DEFAULT_OFFSET, at, &game.to_be_bytes())
    }

    /// Appends a game; names that `like` has as well are not looked for.
    fn append_like(
        &mut self,
        game: &Game,
        like: &IndexEntry,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, Error> {
        self.refuse_old_layout()?;
        let number = self.entries.count;
        let at = Location::file("dcg").in_game(number);
        let mut encoded = std::mem::take(&mut self.encoded);
        self.encoder
            .encode(game, &mut encoded, losses)
            .map_err(|error| error.map_location(|_| at))?;
        // What is pointed to first.
        let names = &encoded.names;
        let entry = IndexEntry {
            white: self.reference(NameKind::Players, names.white, like.white)?,
            black: self.reference(NameKind::Players, names.black, like.black)?,
            site: self.reference(NameKind::Sites, names.site, like.site)?,
            event: self.reference(NameKind::Events, names.event, like.event)?,
            offset: self.append_record(&encoded.record)?,
            ..encoded.entry
        };
        self.encoded = encoded;
        let mut bytes = Vec::new();
        entry.encode(Layout::Current, &mut bytes);
        let offset = Layout::Current.entry_offset(number);
        self.change_index(offset, self.entries.location(number), &bytes)?;
        self.entries.count = number.saturating_add(1);
        Ok(number)
    }

    /// Writes a record behind all others, and gives its offset.
    fn append_record(&mut self, record: &[u8]) -> Result<u64, Error> {
        let games = &mut self.files.dcg;
        let mut append = || {
            let size = games.size()?;
            if size < MAGIC_SIZE {
                games.write_at(0, GAMES_MAGIC)?;
            }
            let offset = size.max(MAGIC_SIZE);
            games.write_at(offset, record)?;
            games.sync()?;
            Ok(offset)
        };
        append().map_err(Error::io(Location::file("dcg")))
    }

    /// The reference of a name: the one `like` has, a known one, or that of a new record.
    // dcg §5.1 "References"
    fn reference(&mut self, kind: NameKind, name: Option<Name>, like: u32) -> Result<u32, Error> {
        let Some(name) = name else { return Ok(NO_NAME) };
        let (file, table) = match kind {
            NameKind::Players => (Some(&mut self.files.dcn), &mut self.players),
            NameKind::Sites => (Some(&mut self.files.dcs), &mut self.sites),
            NameKind::Events => (self.files.dce.as_mut(), &mut self.events),
        };
        let at = Location::file(kind.file());
        let io = Error::io(at);
        let Some(file) = file else { return Err(io(io::ErrorKind::NotFound.into())) };
        let mut old = [0; NAME_SIZE];
        if like != NO_NAME
            && file.read_full(u64::from(like), &mut old).map_err(&io)? == NAME_SIZE
            && old == name.record
        {
            return Ok(like);
        }
        let table = match table {
            Some(table) => table,
            None => table.insert(read_names(file).map_err(&io)?),
        };
        let full = || ErrorKind::NamesFull.at(at);
        if let Some(number) = table.number(&name) {
            return reference(number).ok_or_else(full);
        }
        let (number, place) = table.next_place().ok_or_else(full)?;
        let mut write = || {
            if number == 0 {
                file.write_at(0, kind.magic())?;
            }
            file.write_at(u64::from(place), &name.record)?;
            file.sync()
        };
        write().map_err(&io)?;
        table.add(&name);
        Ok(place)
    }

    fn refuse_old_layout(&self) -> Result<(), Error> {
        match self.entries.layout {
            Layout::Current => Ok(()),
            Layout::Old => Err(ErrorKind::OldLayout.at(Location::file("dci"))),
        }
    }

    fn change_index(&mut self, offset: u64, at: Location, bytes: &[u8]) -> Result<(), Error> {
        let index = &mut self.files.dci;
        index.write_at(offset, bytes).and_then(|()| index.sync()).map_err(Error::io(at))
    }
}

impl<F: WriteAt> EditGames for Editor<F> {
    type Error = Error;

    fn len(&self) -> u64 {
        self.entries.count
    }

    /// One byte.
    // dcg §10 "Editing"
    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Error> {
        let (offset, at) = self.entries.find(game)?;
        let status = if deleted { STATUS_DELETED } else { STATUS_LIVE };
        self.change_index(offset, at, &[status])
    }

    /// The format has none.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Error> {
        self.entries.find(game)?;
        if flags.is_empty() {
            return Ok(());
        }
        Err(ErrorKind::Flags(flags.to_string()).at(Location::file("dci").in_game(game)))
    }

    /// Adds `with` at the end and marks `game` as deleted, which is how this format replaces a
    /// game. Stopped in between, both are there.
    // dcg §10 "Editing"
    /// The format keeps one fact, the game to show first.
    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), Error> {
        let number = if value.is_empty() { Some(0) } else { game_number(value) };
        match number.filter(|_| fact == Fact::DefaultGame) {
            Some(game) => self.set_default_game(game),
            None => Err(ErrorKind::Fact(fact).at(Location::file("dci").at(OPEN_DEFAULT_OFFSET))),
        }
    }

    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<u64, Error> {
        let old = self.entry(game)?;
        let new = self.append_like(with, &old, losses)?;
        self.set_deleted(game, true)?;
        Ok(new)
    }

    // dcg §10 "Editing"
    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, Error> {
        self.append_like(game, &IndexEntry::default(), losses)
    }

    /// Drops deleted games, the records they leave behind and the names nothing points to. A base
    /// of the old layout gets the current one.
    ///
    /// # Errors
    /// Those of the disk. If a game that is not deleted cannot be read, nothing is changed:
    /// compacting would lose it. Delete or replace it first.
    fn compact(self) -> Result<(), Error> {
        self.compact_on_disk()
    }
}

/// The names of a name file by their numbers. A torn record at the end counts: who knows what
/// points to it.
fn read_names<F: ReadAt>(file: &F) -> io::Result<NameTable> {
    const RECORDS: usize = 4096;
    let mut table = NameTable::default();
    let mut bytes = Vec::new();
    let mut offset = MAGIC_SIZE;
    loop {
        file.read_into(offset, RECORDS * NAME_SIZE, &mut bytes)?;
        for bytes in bytes.chunks(NAME_SIZE) {
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
