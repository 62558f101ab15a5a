//! Changing a base in place. (scid §8 "Editing")
//!
//! Every change keeps to one order: first what nothing points to yet, then what points to it, and
//! the last write is one that happens whole or not at all. Whatever moment it stops, the base
//! opens with every game it had.
//!
//! | change | writes, in order |
//! |---|---|
//! | flags, deleted | one byte of the entry each |
//! | append | record at the end; names (file swapped, or appended in version 5); entry at the end; count in the header |
//! | replace | record at the end; names; index swapped |
//! | compact | records again at the end; index swapped; records at the beginning; index swapped; games file cut |

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use chess_core::files::{Staged, companion};
use chess_core::io::{ReadAt, WriteAt};
use chess_core::seam::{Loss, OpenOptions};
use chess_core::{Encoding, Game, Location, Warning};

use crate::database::{Database, family_of, read_names};
use crate::error::{Error, ErrorKind, io as failed, size};
use crate::header::{Info, encode_header};
use crate::index::{Entry, NameIds};
use crate::layout::{Extensions, Version, flag};
use crate::names::NameKind;
use crate::plan::encode_flags;
use crate::table::NameTable;
use crate::writer::{GameNames, Maker, check_offset, gap_before};

/// A file that can be changed in place, and swapped for a new one whole or not at all.
pub trait SwapFile: WriteAt + Sized {
    /// Puts what `fill` writes in the place of this file. `fill` may read the file as it is.
    ///
    /// # Errors
    /// Those of the disk; the file is then what it was.
    fn swap(
        &mut self,
        fill: &mut dyn FnMut(&Self, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// A file of a base on disk, open for change.
#[derive(Debug)]
pub struct NamedFile {
    file: File,
    path: PathBuf,
}

impl NamedFile {
    /// Opens a file for change.
    ///
    /// # Errors
    /// Those of opening it.
    pub fn open(path: &Path) -> io::Result<NamedFile> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(NamedFile { file, path: path.to_path_buf() })
    }
}

impl ReadAt for NamedFile {
    fn size(&self) -> io::Result<u64> {
        ReadAt::size(&self.file)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        ReadAt::read_at(&self.file, offset, buffer)
    }
}

impl WriteAt for NamedFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        WriteAt::write_at(&self.file, offset, bytes)
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        WriteAt::set_size(&self.file, size)
    }

    fn sync(&self) -> io::Result<()> {
        WriteAt::sync(&self.file)
    }
}

impl SwapFile for NamedFile {
    fn swap(
        &mut self,
        fill: &mut dyn FnMut(&Self, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut staged = Staged::new();
        let mut writer = BufWriter::new(staged.create(&self.path)?);
        fill(self, &mut writer)?;
        writer.flush()?;
        drop(writer);
        staged.commit()?;
        *self = NamedFile::open(&self.path)?;
        Ok(())
    }
}

/// A base open for change: version 4 or 5.
#[derive(Debug)]
pub struct Editor<F: SwapFile = NamedFile> {
    files: Extensions,
    version: Version,
    index: F,
    games: F,
    names: F,
    info: Info,
    /// How many games there are.
    count: u64,
    /// Where the names of version 5 end.
    names_end: u64,
    maker: Maker,
}

impl Editor<NamedFile> {
    /// Opens a base by the path of any of its files. Texts are written as UTF-8 unless the options
    /// name another encoding.
    ///
    /// # Errors
    /// If a file is missing; for version 3; if the base is damaged where a change would build on
    /// it.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Editor<NamedFile>, Error> {
        let files = family_of(path)?;
        let open = |extension| {
            let at = Location::file(extension);
            let path = companion(path, extension)
                .ok_or_else(|| failed(at)(io::ErrorKind::NotFound.into()))?;
            NamedFile::open(&path).map_err(failed(at))
        };
        Editor::from_parts(
            files,
            open(files.index)?,
            open(files.games)?,
            open(files.names)?,
            options,
        )
    }
}

impl<F: SwapFile> Editor<F> {
    /// Over files that are open already.
    ///
    /// # Errors
    /// As [`open`](Editor::open).
    pub fn from_parts(
        files: Extensions,
        index: F,
        games: F,
        names: F,
        options: &OpenOptions,
    ) -> Result<Editor<F>, Error> {
        let base = Database::from_parts(files, &index, &games, &names, options)?;
        let version = base.version();
        if version == Version::Si3 {
            return Err(Error::new(ErrorKind::ReadOnly, Location::file(files.index)));
        }
        sound_enough(base.warnings(), version)?;
        let mut info = base.info().clone();
        let mut diagnostics = chess_core::Diagnostics::lenient();
        let raw = read_names(&names, files, version, &mut info, &mut diagnostics)?;
        let damage = diagnostics.warnings().iter().find(|w| w.name == "scid-names-damaged");
        let names_end = match damage.and_then(|warning| warning.at.offset) {
            Some(offset) => offset,
            None => size(&names, files.names)?,
        };
        let mut table = NameTable::of(&raw);
        let count = base.entries();
        for game in 0..count {
            let entry = base.entry(game)?;
            for (kind, id) in ids(&entry) {
                if raw.get(kind as usize).is_none_or(|list| list.get(id).is_none()) {
                    let kind = ErrorKind::Unsound("a game refers to a name that is not there");
                    return Err(Error::new(kind, base.entry_location(game)));
                }
                table.count_use(kind, id);
            }
        }
        drop(base);
        let encoding = options.encoding.unwrap_or(Encoding::UTF_8);
        let maker = Maker::new(version, encoding, table);
        Ok(Editor { files, version, index, games, names, info, count, names_end, maker })
    }

    /// How many games the base has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether it has no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The three files: index, games, names.
    #[must_use]
    pub fn into_parts(self) -> (F, F, F) {
        (self.index, self.games, self.names)
    }

    /// Marks a game as deleted, or takes the mark away.
    ///
    /// # Errors
    /// For an unknown game; those of the disk.
    pub fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Error> {
        let flags = self.entry(game)?.flags & !flag::DELETED;
        self.put_flags(game, if deleted { flags | flag::DELETED } else { flags })
    }

    /// Sets the flags of a game to these letters, and takes all others away; `D` and what follows
    /// from the moves stay as they are.
    ///
    /// # Errors
    /// For an unknown game, and letters that are no flags; those of the disk.
    pub fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Error> {
        let old = self.entry(game)?.flags & 15;
        let mut unknown = None;
        let new = encode_flags(flags, |letter| unknown = unknown.or(Some(letter)));
        let unknown = unknown.or_else(|| flags.chars().find(|letter| *letter == 'D'));
        if let Some(letter) = unknown {
            return Err(Error::new(ErrorKind::Flag(letter), self.entry_location(game)));
        }
        self.put_flags(game, old | new)
    }

    /// Puts another game in the place of one.
    ///
    /// # Errors
    /// For an unknown game, and a game the format cannot hold; those of the disk.
    pub fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let old = self.entry(game)?;
        let (mut entry, names) = self.put_record(game, with, losses)?;
        entry.names = self.put_names(names)?;
        for (kind, id) in ids(&old) {
            self.maker.table.count_use_gone(kind, id);
        }
        self.swap_index(self.count, &mut |number, old| {
            Some(if number == game { entry } else { old })
        })
    }

    /// Adds a game at the end.
    ///
    /// # Errors
    /// For a game the format cannot hold; those of the disk.
    pub fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let number = self.count;
        let at = self.entry_location(number);
        if number >= u64::from(self.version.max_games()) {
            return Err(Error::new(ErrorKind::TooManyGames(number), at));
        }
        let (mut entry, names) = self.put_record(number, game, losses)?;
        entry.names = self.put_names(names)?;
        let bytes = encode_entry(self.version, &entry);
        self.index.write_at(at.offset.unwrap_or(0), &bytes).map_err(failed(at))?;
        self.index.sync().map_err(failed(at))?;
        self.count = number.saturating_add(1);
        if self.version == Version::Si4 {
            let count = u32::try_from(self.count).unwrap_or(u32::MAX).to_be_bytes();
            self.index.write_at(14, count.get(1..).unwrap_or_default()).map_err(failed(at))?;
            self.index.sync().map_err(failed(at))?;
        }
        Ok(())
    }

    /// Drops deleted games, and the space of the games file nothing points to. Names stay, used or
    /// not: without them ids would change in two files at once.
    ///
    /// # Errors
    /// If a record cannot be read, in which case nothing has changed; those of the disk.
    pub fn compact(&mut self) -> Result<(), Error> {
        let end = size(&self.games, self.files.games)?;
        // Once to the end, where nothing is lost if it stops; then to the beginning, which by then
        // nothing points to.
        self.copy_records(end, kept)?;
        self.redirect(end, kept)?;
        // Only if they fit before the copies, which are what counts now.
        if self.end_of_records()? <= end {
            let front = self.copy_records(0, |_| true)?;
            self.redirect(0, |_| true)?;
            let at = Location::file(self.files.games);
            self.games.set_size(front).map_err(failed(at))?;
            self.games.sync().map_err(failed(at))?;
        }
        Ok(())
    }

    /// Copies the records of games that are `wanted` to the games file from `start` on, in the
    /// order of the index; says where they end.
    fn copy_records(&mut self, start: u64, wanted: fn(&Entry) -> bool) -> Result<u64, Error> {
        let mut end = start;
        let mut record = Vec::new();
        for game in 0..self.count {
            let entry = self.entry(game)?;
            if !wanted(&entry) {
                continue;
            }
            let at = Location::file(self.files.games).at(entry.offset).in_game(game);
            let length = entry.length as usize;
            self.games.read_into(entry.offset, length, &mut record).map_err(failed(at))?;
            if record.len() < length || length == 0 {
                let kind = ErrorKind::Unsound("a record is not there");
                return Err(Error::new(kind, at));
            }
            self.write_record(&mut end, &record, at)?;
        }
        self.games.sync().map_err(failed(Location::file(self.files.games)))?;
        Ok(end)
    }

    /// Where the records of all games would end if they began with the file.
    fn end_of_records(&self) -> Result<u64, Error> {
        (0..self.count).try_fold(0u64, |end, game| {
            let length = self.entry(game)?.length as usize;
            let start = end.saturating_add(gap_before(end, length, self.version));
            Ok(start.saturating_add(length as u64))
        })
    }

    /// Swaps the index for one of the games that are `wanted`, their records where
    /// [`copy_records`](Self::copy_records) has put them.
    fn redirect(&mut self, start: u64, wanted: fn(&Entry) -> bool) -> Result<(), Error> {
        let mut left = 0u64;
        for game in 0..self.count {
            left = left.saturating_add(u64::from(wanted(&self.entry(game)?)));
        }
        let version = self.version;
        let mut end = start;
        self.swap_index(left, &mut |_, mut entry| {
            if !wanted(&entry) {
                return None;
            }
            let length = entry.length as usize;
            entry.offset = end.saturating_add(gap_before(end, length, version));
            end = entry.offset.saturating_add(length as u64);
            Some(entry)
        })
    }

    /// Swaps the index for one with `count` games, each entry as `change` makes it.
    fn swap_index(
        &mut self,
        count: u64,
        change: &mut dyn FnMut(u64, Entry) -> Option<Entry>,
    ) -> Result<(), Error> {
        let (version, old) = (self.version, self.count);
        self.info.games = u32::try_from(count).unwrap_or(u32::MAX);
        let header = encode_header(&self.info);
        let mut fill = |index: &F, out: &mut dyn Write| {
            if version == Version::Si4 {
                out.write_all(&header)?;
            }
            for game in 0..old {
                let entry = read_entry(index, version, game)?;
                if let Some(entry) = change(game, entry) {
                    out.write_all(&encode_entry(version, &entry))?;
                }
            }
            Ok(())
        };
        let at = Location::file(self.files.index);
        self.index.swap(&mut fill).map_err(failed(at))?;
        self.count = count;
        Ok(())
    }

    fn entry(&self, game: u64) -> Result<Entry, Error> {
        let at = self.entry_location(game);
        if game >= self.count {
            return Err(Error::new(ErrorKind::NoSuchGame(self.count), at));
        }
        read_entry(&self.index, self.version, game).map_err(failed(at))
    }

    /// Writes the bytes of the flags, each on its own: a byte is written whole or not at all.
    fn put_flags(&mut self, game: u64, flags: u32) -> Result<(), Error> {
        let at = self.entry_location(game);
        let mut entry = self.entry(game)?;
        let old = encode_entry(self.version, &entry);
        entry.flags = flags;
        let new = encode_entry(self.version, &entry);
        for (index, (old, new)) in old.iter().zip(&new).enumerate() {
            if old != new {
                let offset = at.offset.unwrap_or(0).saturating_add(index as u64);
                self.index.write_at(offset, &[*new]).map_err(failed(at))?;
            }
        }
        self.index.sync().map_err(failed(at))
    }

    /// Writes a game's record at the end of the games file.
    fn put_record(
        &mut self,
        number: u64,
        game: &Game,
        losses: &mut Vec<Loss>,
    ) -> Result<(Entry, GameNames), Error> {
        let mut end = size(&self.games, self.files.games)?;
        let at = Location::file(self.files.games).at(end).in_game(number);
        let (mut entry, names) = self.maker.encode(game, at, losses)?;
        let record = self.maker.encoder.record().to_vec();
        entry.offset = self.write_record(&mut end, &record, at)?;
        self.games.sync().map_err(failed(at))?;
        Ok((entry, names))
    }

    /// Writes a record at `end`, or after a gap where the next block begins; moves `end` and says
    /// where the record is.
    fn write_record(&self, end: &mut u64, record: &[u8], at: Location) -> Result<u64, Error> {
        let gap = gap_before(*end, record.len(), self.version);
        let offset = end.saturating_add(gap);
        check_offset(offset, record.len(), self.version).map_err(|kind| Error::new(kind, at))?;
        let filler = record.get(..usize::try_from(gap).unwrap_or(0)).unwrap_or_default();
        let bytes = [filler, record].concat();
        self.games.write_at(*end, &bytes).map_err(failed(at))?;
        *end = offset.saturating_add(record.len() as u64);
        Ok(offset)
    }

    /// Gives a game's names their ids; writes the names file if one of them is new.
    fn put_names(&mut self, names: GameNames) -> Result<NameIds, Error> {
        let before = NameKind::ALL.map(|kind| self.maker.table.count(kind));
        let ids = self.maker.intern(names);
        if before == NameKind::ALL.map(|kind| self.maker.table.count(kind)) {
            return Ok(ids);
        }
        let at = Location::file(self.files.names);
        if self.version == Version::Si5 {
            let appended = self.maker.table.take_appended();
            self.names.write_at(self.names_end, appended).map_err(failed(at))?;
            self.names_end = self.names_end.saturating_add(appended.len() as u64);
            self.names.sync().map_err(failed(at))?;
        } else {
            let bytes = self.maker.table.encode(self.version);
            self.names.swap(&mut |_, out| out.write_all(&bytes)).map_err(failed(at))?;
        }
        Ok(ids)
    }

    fn entry_location(&self, game: u64) -> Location {
        Location::file(self.files.index).at(entry_offset(self.version, game)).in_game(game)
    }
}

fn kept(entry: &Entry) -> bool {
    entry.flags & flag::DELETED == 0
}

fn entry_offset(version: Version, game: u64) -> u64 {
    version.header_size().saturating_add(game.saturating_mul(version.entry_size() as u64))
}

fn read_entry<F: ReadAt>(index: &F, version: Version, game: u64) -> io::Result<Entry> {
    let mut bytes = [0; 56];
    let bytes = bytes.get_mut(..version.entry_size()).unwrap_or_default();
    index.read_full(entry_offset(version, game), bytes)?;
    version.parse_entry(bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

fn encode_entry(version: Version, entry: &Entry) -> Vec<u8> {
    match version {
        Version::Si5 => entry.encode_5().to_vec(),
        Version::Si3 | Version::Si4 => entry.encode_4().to_vec(),
    }
}

/// The names of a game, kind and id.
fn ids(entry: &Entry) -> [(NameKind, u32); 5] {
    let ids = &entry.names;
    [
        (NameKind::Event, ids.event),
        (NameKind::Site, ids.site),
        (NameKind::Round, ids.round),
        (NameKind::Player, ids.white),
        (NameKind::Player, ids.black),
    ]
}

/// A base may be changed in spite of what a change that was broken off leaves behind, and of
/// names in some other order; other damage a change would build on.
fn sound_enough(warnings: &[Warning], version: Version) -> Result<(), Error> {
    let tolerated = |name: &str| match name {
        "scid-uncounted-games" | "scid-partial-entry" | "scid-names-order" => true,
        "scid-names-damaged" => version == Version::Si5,
        _ => false,
    };
    match warnings.iter().find(|warning| !tolerated(warning.name)) {
        Some(warning) => Err(Error::new(ErrorKind::Unsound(warning.message), warning.at)),
        None => Ok(()),
    }
}
