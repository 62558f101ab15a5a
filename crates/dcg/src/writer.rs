//! Creating a base.

use std::fs::File;
use std::io;
use std::path::Path;

use chess_core::files::Staged;
use chess_core::io::WriteAt;
use chess_core::seam::{CreateOptions, Loss};
use chess_core::{Game, Location};

use crate::database::Parts;
use crate::encode::Encoder;
use crate::error::{Error, ErrorKind};
use crate::header::{EntryNames, LongNames, encode_header};
use crate::index::{IndexEntry, IndexHeader};
use crate::layout::{GAMES_MAGIC, Layout, NO_NAME};
use crate::length::encode_length;
use crate::names::{NameKind, NameTable, Record};

/// Writes games into a new base.
///
/// Only the names are held in memory. Names are sorted at the end, as the author's program does
/// for each import, so index entries carry the numbers of their names until then.
#[derive(Debug)]
pub struct Writer<F = File> {
    index: Append<F>,
    games: Append<F>,
    names: Parts3<F>,
    players: NameTable,
    sites: NameTable,
    events: NameTable,
    encoder: Encoder,
    long: LongNames,
    header: IndexHeader,
    count: u64,
    /// The record being made, and its index entry.
    record: Vec<u8>,
    entry: Vec<u8>,
    staged: Option<Staged>,
}

/// The files of the names, until they are written.
#[derive(Debug)]
struct Parts3<F> {
    players: F,
    sites: F,
    events: F,
}

impl Writer<File> {
    /// Starts a base at this path, whose extension is replaced by those of the five files. None of
    /// them is there before [`finish`](Writer::finish).
    ///
    /// The option `names` says what becomes of a name of more than 36 bytes: `cut` (the default),
    /// which reports a loss, or `refuse`, which refuses the game.
    ///
    /// # Errors
    /// Those of the disk; an unknown option.
    pub fn create(path: &Path, options: &CreateOptions) -> Result<Writer<File>, Error> {
        let mut staged = Staged::new();
        let mut create = |extension| {
            let file = staged.create(&path.with_extension(extension));
            file.map_err(|error| ErrorKind::Io(error).at(Location::file(extension)))
        };
        let parts = Parts {
            dcn: create("dcn")?,
            dcs: create("dcs")?,
            dce: Some(create("dce")?),
            dcg: create("dcg")?,
            // Last: a base without its index is none.
            dci: create("dci")?,
        };
        let mut writer = Writer::from_parts(parts, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }

    /// Completes the base and gives its files their names.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        drop(self.into_parts()?);
        staged.map_or(Ok(()), Staged::commit).map_err(io_error("dci"))
    }
}

impl<F: WriteAt> Writer<F> {
    /// Starts a base in files the caller made, all empty.
    ///
    /// # Errors
    /// An unknown option; no events file.
    pub fn from_parts(parts: Parts<F>, options: &CreateOptions) -> Result<Writer<F>, Error> {
        let long = asked_long_names(options)?;
        let missing = || ErrorKind::Io(io::ErrorKind::NotFound.into()).at(Location::file("dce"));
        let mut writer = Writer {
            index: Append::new(parts.dci, "dci"),
            games: Append::new(parts.dcg, "dcg"),
            names: Parts3 {
                players: parts.dcn,
                sites: parts.dcs,
                events: parts.dce.ok_or_else(missing)?,
            },
            players: NameTable::default(),
            sites: NameTable::default(),
            events: NameTable::default(),
            encoder: Encoder::default(),
            long,
            header: IndexHeader::default(),
            count: 0,
            record: Vec::new(),
            entry: Vec::new(),
            staged: None,
        };
        writer.games.push(GAMES_MAGIC)?;
        writer.header.encode(&mut writer.entry);
        writer.index.push(&writer.entry)?;
        Ok(writer)
    }

    /// How many games were written.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether none was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Sets the number, from zero, of the game to show first; 0 if never called.
    pub fn set_default_game(&mut self, game: u64) {
        self.header.open_default = game;
    }

    /// Writes a game, and adds to `losses` whatever of it the format cannot hold.
    ///
    /// # Errors
    /// With [`Scope::Game`](chess_core::Scope::Game) if this game cannot be stored at all: the
    /// base goes on without it. With [`Scope::Base`](chess_core::Scope::Base) the writer is of no
    /// more use.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let here = Location::file("dcg").in_game(self.count);
        let (entry, names) = encode_header(&game.header, self.long, losses)
            .map_err(|error| error.map_location(|_| here))?;
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        let encoded = self.encoder.encode(game, losses, &mut record);
        let result = encoded
            .map_err(|error| error.map_location(|_| here))
            .and_then(|()| self.write_record(entry, &names, &record));
        self.record = record;
        result
    }

    /// Writes a game whose record and entry are there already, offset and references aside.
    pub(crate) fn write_record(
        &mut self,
        mut entry: IndexEntry,
        names: &EntryNames,
        record: &[u8],
    ) -> Result<(), Error> {
        let here = Location::file("dcg").in_game(self.count);
        let length = u32::try_from(record.len()).map_err(|_| ErrorKind::GameTooLong.at(here))?;
        entry.offset = self.games.size();
        entry.white = provisional(&mut self.players, names.white, "dcn")?;
        entry.black = provisional(&mut self.players, names.black, "dcn")?;
        entry.site = provisional(&mut self.sites, names.site, "dcs")?;
        entry.event = provisional(&mut self.events, names.event, "dce")?;
        self.entry.clear();
        encode_length(length, &mut self.entry);
        self.games.push(&self.entry)?;
        self.games.push(record)?;
        self.entry.clear();
        entry.encode(Layout::Current, &mut self.entry);
        self.index.push(&self.entry)?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Completes the base and gives back its files.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn into_parts(mut self) -> Result<Parts<F>, Error> {
        self.games.flush()?;
        self.index.flush()?;
        let players = write_names(&self.players, NameKind::Players, self.names.players)?;
        let sites = write_names(&self.sites, NameKind::Sites, self.names.sites)?;
        let events = write_names(&self.events, NameKind::Events, self.names.events)?;
        let references = [&players.1, &sites.1, &events.1];
        resolve_references(&self.index, self.count, references)?;
        self.entry.clear();
        self.header.encode(&mut self.entry);
        self.index.file.write_at(0, &self.entry).map_err(io_error("dci"))?;
        Ok(Parts {
            dci: self.index.file,
            dcn: players.0,
            dcs: sites.0,
            dce: Some(events.0),
            dcg: self.games.file,
        })
    }
}

/// What stands for a reference until the names are sorted: the name's number plus one.
fn provisional(
    table: &mut NameTable,
    record: Option<Record>,
    file: &'static str,
) -> Result<u32, Error> {
    let Some(record) = record else { return Ok(NO_NAME) };
    let number = table.intern(record);
    number
        .and_then(|number| number.checked_add(1))
        .ok_or_else(|| ErrorKind::NamesFull.at(Location::file(file)))
}

/// Writes a name file, sorted; the reference of each number comes back.
// dcg §5.2 "Order"
fn write_names<F: WriteAt>(
    table: &NameTable,
    kind: NameKind,
    file: F,
) -> Result<(F, Vec<u32>), Error> {
    let (records, references) = table.sorted();
    let mut file = Append::new(file, kind.file());
    file.push(kind.magic())?;
    for record in records {
        file.push(record)?;
    }
    file.flush()?;
    Ok((file.file, references))
}

/// Puts references in the place of the numbers that stood for them.
fn resolve_references<F: WriteAt>(
    index: &Append<F>,
    count: u64,
    [players, sites, events]: [&Vec<u32>; 3],
) -> Result<(), Error> {
    const ENTRIES: u64 = 4096;
    let reference = |table: &[u32], provisional: u32| {
        let number = provisional.checked_sub(1).and_then(|number| usize::try_from(number).ok());
        number.and_then(|number| table.get(number)).copied().unwrap_or(NO_NAME)
    };
    let (header, step) = (Layout::Current.header_size(), Layout::Current.entry_size());
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let mut done = 0u64;
    while done < count {
        let some = ENTRIES.min(count.saturating_sub(done));
        let offset = header.saturating_add(done.saturating_mul(step));
        let length = usize::try_from(some.saturating_mul(step)).unwrap_or(0);
        index.file.read_into(offset, length, &mut old).map_err(io_error("dci"))?;
        new.clear();
        for bytes in old.chunks_exact(usize::try_from(step).unwrap_or(1)) {
            let Some(mut entry) = IndexEntry::parse(bytes, Layout::Current) else { continue };
            entry.white = reference(players, entry.white);
            entry.black = reference(players, entry.black);
            entry.site = reference(sites, entry.site);
            entry.event = reference(events, entry.event);
            entry.encode(Layout::Current, &mut new);
        }
        index.file.write_at(offset, &new).map_err(io_error("dci"))?;
        done = done.saturating_add(some);
    }
    Ok(())
}

fn asked_long_names(options: &CreateOptions) -> Result<LongNames, Error> {
    let mut long = LongNames::default();
    for (name, value) in &options.extra {
        long = match (name.as_str(), value.as_str()) {
            ("names", "cut") => LongNames::Cut,
            ("names", "refuse") => LongNames::Refuse,
            _ => {
                let option = ErrorKind::Option(format!("{name}={value}"));
                return Err(option.at(Location::default()));
            }
        };
    }
    Ok(long)
}

fn io_error(file: &'static str) -> impl Fn(io::Error) -> Error {
    move |error| ErrorKind::Io(error).at(Location::file(file))
}

/// A file written from its start to its end.
#[derive(Debug)]
struct Append<F> {
    file: F,
    name: &'static str,
    /// Bytes in the file.
    written: u64,
    /// Bytes yet to be written.
    buffer: Vec<u8>,
}

const BUFFERED: usize = 256 * 1024;

impl<F: WriteAt> Append<F> {
    fn new(file: F, name: &'static str) -> Append<F> {
        Append { file, name, written: 0, buffer: Vec::new() }
    }

    /// Bytes so far.
    fn size(&self) -> u64 {
        self.written.saturating_add(self.buffer.len() as u64)
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFERED { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.file.write_at(self.written, &self.buffer).map_err(io_error(self.name))?;
        self.written = self.size();
        self.buffer.clear();
        Ok(())
    }
}
