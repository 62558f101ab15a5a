//! Edits a base in place. (scid §8 "Editing")
//!
//! Every edit writes data first and then whatever points to it. If the edit stops at any point, the
//! base still opens with all previous games.
//!
//! | change | writes, in order, with → where all before is on the disk first |
//! |---|---|
//! | flags, deleted | one byte of the entry each; of many marks the entries from the first to the last game of a block |
//! | append | records at the end → names (a new file, or appended in version 5) → entries at the end → count in the header, byte by byte |
//! | replace | records at the end, if any change → names, in version 5 → new files of index and, in version 4, names, in their places at once |
//! | compact | new files of all three, in their places at once |

mod append;
mod compact;
mod entries;
mod facts;
mod headers;
mod new_files;
mod replace;

use std::io;
use std::ops::Range;
use std::path::Path;

use chess_core::Game;
use chess_store::files::BaseFiles;
use chess_store::io::{ReadAt, WriteAt as _};
use chess_store::names::NameHasher;
use chess_store::{
    AnyError, EditGames, Encoding, Fact, Location, Losses, NextReplacement, Warning, field_size,
};
use smallvec::SmallVec;

use crate::database::{Examined, parse_names, read_names};
use crate::encoder::{Encoded, Encoder};
use crate::error::{Error, ErrorKind, size};
use crate::header::Info;
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version, flag};
use crate::name_table::{NameLists, NameTable};
use crate::names::RawNames;
use crate::names_5::survey_5;
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::quirk::Quirk;
use crate::tag_placement::encode_flags;

use append::put_at_end;
use entries::{AT_ONCE, Entries, read_entry};
pub use new_files::{DiskFiles, MemoryFiles, NewFiles};

/// The number of entries that are read at once when all are read.
const BLOCK: u64 = 2048;

/// A base of version 4 or 5, open for editing.
#[derive(Debug)]
pub struct Editor<N: NewFiles = DiskFiles> {
    version: Version,
    files: Parts<N::File>,
    new_files: N,
    info: Info,
    /// The number of games.
    count: u64,
    /// Where the names of a version 5 file end.
    names_end: u64,
    /// The names of the file, until [`prepare`](Editor::prepare) makes `table` of them.
    names: Option<RawNames>,
    table: NameTable,
    encoder: Encoder,
    encoded: Encoded,
    /// The names file of version 4 before the current batch, once it has been replaced.
    replaced_names: Option<N::File>,
    /// See [`set_batch`](Editor::set_batch).
    batch: Option<usize>,
    /// Whether games can be written: `table` is complete, and no appended bytes become part of an
    /// existing game.
    is_prepared: bool,
}

impl Editor {
    /// Opens a base by the path of any of its files and locks it.
    ///
    /// # Errors
    /// A missing file; version 3; damage that an edit would build on; another program editing the
    /// base. Names that are missing and records that are cut are errors of the first game written.
    pub fn open(path: impl AsRef<Path>) -> Result<Editor, Error> {
        Editor::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Editor::open), with options.
    ///
    /// # Errors
    /// As [`open`](Editor::open). In strict mode, also the first deviation.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Editor, Error> {
        let path = path.as_ref();
        let extensions = Extensions::of_path(path)?;
        let base = BaseFiles::locate_for_change(path, extensions.index);
        let base = base.map_err(Error::io(Location::file(extensions.index)))?;
        let open = |name| base.open_for_change(name).map_err(Error::io(Location::file(name)));
        let parts = Parts {
            extensions,
            index: open(extensions.index)?,
            games: open(extensions.games)?,
            names: open(extensions.names)?,
        };
        base.confirm().map_err(Error::io(Location::file(extensions.index)))?;
        Editor::with_new_files(parts, DiskFiles::new(base), options)
    }
}

impl Editor<MemoryFiles> {
    /// Edits a base in memory. [`into_parts`](Editor::into_parts) returns its files.
    ///
    /// # Errors
    /// As [`open`](Editor::open).
    pub fn from_parts(
        files: Parts<Vec<u8>>,
        options: &OpenOptions,
    ) -> Result<Editor<MemoryFiles>, Error> {
        Editor::with_new_files(files, MemoryFiles, options)
    }
}

impl<N: NewFiles> Editor<N> {
    /// Edits files that are already open. `new_files` creates the files that replace them.
    ///
    /// # Errors
    /// As [`open`](Editor::open).
    pub fn with_new_files(
        files: Parts<N::File>,
        new_files: N,
        options: &OpenOptions,
    ) -> Result<Editor<N>, Error> {
        let Examined { version, info, entries: count, names, warnings, .. } =
            Examined::of(&files, options)?;
        if version == Version::Si3 {
            return Err(Error::new(ErrorKind::ReadOnly, Location::file(files.extensions.index)));
        }
        sound_enough(&warnings)?;
        if count > u64::from(version.max_games()) {
            let kind = ErrorKind::Unsound("it has more games than its header can count");
            return Err(Error::new(kind, Location::file(files.extensions.index)));
        }
        let encoding = options.encoding.unwrap_or(Encoding::UTF_8);
        let mut editor = Editor {
            version,
            files,
            new_files,
            info,
            count,
            names_end: 0,
            names: Some(names),
            table: NameTable::new(version),
            // It gets the names of the base before the first game is written.
            encoder: Encoder::new(version, encoding, NameHasher::default(), NameLists::default()),
            encoded: Encoded::default(),
            replaced_names: None,
            batch: None,
            is_prepared: false,
        };
        editor.skip_leftovers()?;
        if version == Version::Si5 {
            editor.names_end = survey_5(&read_names(&editor.files)?).0 as u64;
        }
        Ok(editor)
    }

    /// Parses a names file.
    fn parse_names(&self, file: &[u8]) -> Result<RawNames, Error> {
        let (info, diagnostics) = (&mut Info::default(), &mut Default::default());
        parse_names(file, self.files.extensions.names, self.version, info, diagnostics)
    }

    /// Counts how often games use each name of a names file: those for whose entries `is_counted`
    /// returns true. `each_block` gets all entries, many at a time.
    fn used_names(
        &self,
        names: &RawNames,
        is_counted: impl Fn(u64, &IndexEntry) -> Result<bool, Error>,
        mut each_block: impl FnMut(Range<u64>, &[u8]) -> Result<(), Error>,
    ) -> Result<NameTable, Error> {
        let mut table = self.table_of(names)?;
        let size = self.version.entry_size();
        self.each_block(|games, block| {
            for (game, bytes) in games.clone().zip(block.chunks_exact(size)) {
                // Only the fields that are used here are parsed.
                let entry = self.version.parse_entry(bytes).ok_or(io::ErrorKind::UnexpectedEof);
                let at = || self.entry_location(game);
                let entry = entry.map_err(|kind| Error::io(at())(kind.into()))?;
                if is_counted(game, &entry)? && !table.count_uses(&entry.names, names) {
                    let kind = ErrorKind::Unsound("a game refers to a name that is not there");
                    return Err(Error::new(kind, at()));
                }
            }
            each_block(games, block)
        })?;
        table.saved();
        Ok(table)
    }

    /// Calls `each` with all entries, many at a time.
    fn each_block(
        &self,
        mut each: impl FnMut(Range<u64>, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut next, mut bytes) = (0, Vec::new());
        while next < self.count {
            let last = self.count.min(next.saturating_add(BLOCK));
            let at = self.entry_location(next);
            self.read_entries(next..last, &mut bytes).map_err(Error::io(at))?;
            each(next..last, &bytes)?;
            next = last;
        }
        Ok(())
    }

    fn table_of(&self, names: &RawNames) -> Result<NameTable, Error> {
        let at = Location::file(self.files.extensions.names);
        let table = NameTable::of(self.version, names, &self.encoder.hasher);
        table.map_err(|kind| Error::new(kind, at))
    }

    /// The three files.
    #[must_use]
    pub fn into_parts(self) -> Parts<N::File> {
        self.files
    }

    fn entries(&self) -> Entries<'_, N::File> {
        Entries::new(&self.files.index, self.version, self.count)
    }

    fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        self.entry_in(&self.files.index, game)
    }

    /// Reads an entry through `index`, a cache of the index file.
    fn entry_in(&self, index: &impl ReadAt, game: u64) -> Result<IndexEntry, Error> {
        let at = self.entry_location(game);
        if game >= self.count {
            return Err(Error::new(ErrorKind::NoSuchGame(self.count), at));
        }
        read_entry(index, self.version, game).map_err(Error::io(at))
    }

    /// Reads the bytes of the entries of `games`. There must be at least one.
    fn read_entries(&self, games: Range<u64>, bytes: &mut Vec<u8>) -> io::Result<()> {
        let start = self.version.entry_offset(games.start);
        let length = self.version.entry_offset(games.end).saturating_sub(start);
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        bytes.resize(length, 0);
        match self.files.index.read_full(start, bytes)? {
            read if read == length => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn entry_location(&self, game: u64) -> Location {
        let offset = self.version.entry_offset(game);
        Location::file(self.files.extensions.index).at(offset).in_game(game)
    }

    /// Writes the bytes that hold changed flags, each on its own. A byte is written whole or not at
    /// all. No sync is needed, because nothing depends on the flags.
    fn put_flags(&mut self, game: u64, old: &IndexEntry, flags: u32) -> Result<(), Error> {
        let at = self.entry_location(game);
        let start = self.version.entry_offset(game);
        for (place, byte) in flag_bytes(old, flags, self.version) {
            let offset = start.saturating_add(place as u64);
            self.files.index.write_at(offset, &[byte]).map_err(Error::io(at))?;
        }
        Ok(())
    }

    /// Reads the names before the first game is written. Returns an error if the record of a game
    /// ends beyond the file: appended bytes would become part of that game.
    fn prepare(&mut self) -> Result<(), Error> {
        if self.is_prepared {
            return Ok(());
        }
        self.keep_cut_entry()?;
        self.read_index(|_, _| Ok(()))
    }

    /// Fills an entry within which an index of version 5 ends with zeros: a game without a record.
    /// An append that was stopped leaves such an entry, and a file that was cut, too.
    fn keep_cut_entry(&mut self) -> Result<(), Error> {
        if self.has_cut_entry()? {
            let at = self.entry_location(self.count);
            put_at_end(&mut self.files.index, &[0; 56], at)?;
            self.count = self.count.saturating_add(1);
        }
        Ok(())
    }

    fn has_cut_entry(&self) -> Result<bool, Error> {
        let size = size(&self.files.index, self.files.extensions.index)?;
        Ok(self.version == Version::Si5 && size > self.version.entry_offset(self.count))
    }

    /// As [`prepare`](Editor::prepare), whether prepared or not. Passes all entries to `each_block`.
    fn read_index(
        &mut self,
        each_block: impl FnMut(Range<u64>, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let size = self.games_size()?;
        let is_counted = |game, entry: &IndexEntry| match entry.is_empty() || entry.end() <= size {
            true => Ok(true),
            false => {
                let kind = ErrorKind::Unsound("a game's record is not all there");
                Err(Error::new(kind, self.entry_location(game)))
            }
        };
        let names = match &self.names {
            Some(names) => names,
            None => &self.parse_names(&read_names(&self.files)?)?,
        };
        let table = self.used_names(names, is_counted, each_block)?;
        self.names = None;
        self.set_table(table);
        Ok(())
    }

    /// Sets the table of all names of the base, for the encoder too, which numbers them.
    fn set_table(&mut self, table: NameTable) {
        self.encoder.names = table.lists();
        self.table = table;
        self.is_prepared = true;
    }

    /// Whether an entry is what a power cut leaves of an append: blank, and beyond those that the
    /// header counts. Version 5 counts none, so a blank entry may be a lost game.
    fn is_leftover(&self, game: u64, entry: &IndexEntry) -> bool {
        self.version == Version::Si4
            && game >= u64::from(self.info.games)
            && *entry == IndexEntry::default()
    }

    /// Skips such leftovers after the last game. The next append overwrites them.
    fn skip_leftovers(&mut self) -> Result<(), Error> {
        while let Some(last) = self.count.checked_sub(1)
            && self.is_leftover(last, &self.entry(last)?)
        {
            self.count = last;
        }
        Ok(())
    }

    /// The header of an index with `games` games.
    fn info_of(&self, games: u64) -> Info {
        let games = field_size(games, "more games than the format can count are refused");
        Info { games, ..self.info.clone() }
    }
}

chess_store::inherent!(EditGames<Error> for [N: NewFiles] Editor<N>);

impl<N: NewFiles> EditGames for Editor<N> {
    type Error = Error;

    fn len(&self) -> u64 {
        self.count
    }

    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Error> {
        let entry = self.entry(game)?;
        let unmarked = entry.flags & !flag::DELETED;
        self.put_flags(game, &entry, if deleted { unmarked | flag::DELETED } else { unmarked })
    }

    /// Writes the entries from the first to the last game of a block at once. Only the marks differ
    /// from what the file holds, so an interrupted write leaves each game marked or not.
    fn set_deleted_all(&mut self, games: &[u64], deleted: bool) -> Result<(), Error> {
        let (entry, mut bytes) = (IndexEntry::default(), Vec::new());
        let mark: SmallVec<[(usize, u8); 1]> =
            flag_bytes(&entry, flag::DELETED, self.version).collect();
        for block in games.chunk_by(|one, next| one / AT_ONCE == next / AT_ONCE) {
            let (Some(first), Some(last)) = (block.iter().min(), block.iter().max()) else {
                continue;
            };
            let at = self.entry_location(*last);
            if *last >= self.count {
                return Err(Error::new(ErrorKind::NoSuchGame(self.count), at));
            }
            let all = *first..last.saturating_add(1);
            self.read_entries(all, &mut bytes).map_err(Error::io(at))?;
            let start = self.version.entry_offset(*first);
            for game in block {
                let entry = self.version.entry_offset(*game).saturating_sub(start);
                for (place, bits) in &mark {
                    let place = usize::try_from(entry).unwrap_or(usize::MAX).saturating_add(*place);
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte = if deleted { *byte | bits } else { *byte & !bits };
                    }
                }
            }
            self.files.index.write_at(start, &bytes).map_err(Error::io(at))?;
        }
        Ok(())
    }

    /// Sets the flags of a game to the given letters and clears all others. `D` and the flags
    /// derived from the moves stay unchanged.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Error> {
        let entry = self.entry(game)?;
        let old = entry.flags & 15;
        let mut unknown = None;
        let new = encode_flags(flags, |letter| unknown = unknown.or(Some(letter)));
        let unknown = unknown.or_else(|| flags.chars().find(|letter| *letter == 'D'));
        if let Some(letter) = unknown {
            return Err(Error::new(ErrorKind::Flag(letter), self.entry_location(game)));
        }
        self.put_flags(game, &entry, old | new)
    }

    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), Error> {
        self.put_fact(fact, value)
    }

    fn replace(&mut self, game: u64, with: &Game, losses: &mut Losses) -> Result<u64, Error> {
        self.replace_one(game, with, losses).map(|()| game)
    }

    /// Replaces all games at once: the index is written once. The bytes of moves that stay are not
    /// decoded.
    fn replace_all(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        self.replace_each(next, losses)
    }

    fn append(&mut self, game: &Game, losses: &mut Losses) -> Result<u64, Error> {
        let mut batch = self.start_batch()?;
        let number = self.count;
        let added = self.add(game, &mut batch, losses);
        self.put_batch(&mut batch)?;
        added.map(|()| number)
    }

    /// Appends games in [batches](Editor::set_batch). The cost depends on the new games, not on the
    /// size of the base.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        self.append_batches(next, losses)
    }

    fn sync(&mut self) -> Result<(), Error> {
        let at = Location::file(self.files.extensions.index);
        self.files.index.sync().map_err(Error::io(at))
    }

    /// Drops deleted games, unreferenced space in the games file, and unused names. See
    /// [`compacted`](Editor::compacted).
    fn compact(self) -> Result<(), Error> {
        self.compacted().map(drop)
    }
}

/// Returns the places and the values of the bytes of an entry that change with its flags.
fn flag_bytes(
    entry: &IndexEntry,
    flags: u32,
    version: Version,
) -> impl Iterator<Item = (usize, u8)> + use<> {
    let encoded = |entry: &IndexEntry| {
        let mut bytes = [0; 56];
        match version {
            Version::Si5 => bytes = entry.encode_5(),
            Version::Si3 | Version::Si4 => {
                bytes.iter_mut().zip(entry.encode_4()).for_each(|(to, byte)| *to = byte);
            }
        }
        bytes
    };
    let pairs = encoded(entry).into_iter().zip(encoded(&IndexEntry { flags, ..*entry }));
    pairs.enumerate().filter_map(|(place, (old, new))| (old != new).then_some((place, new)))
}

/// Checks that a base can be edited. Leftovers of an interrupted edit and unsorted names are
/// accepted. Other damage that an edit would build on is an error.
fn sound_enough(warnings: &[Warning]) -> Result<(), Error> {
    let tolerated = |warning: &Warning| {
        use Quirk::{
            EntryCut, MixedText, NamesKind, NamesOrder, NamesUnfinished, PartialEntry,
            UncountedGames,
        };
        let tolerated = [
            UncountedGames,
            PartialEntry,
            EntryCut,
            NamesOrder,
            NamesUnfinished,
            NamesKind,
            MixedText,
        ];
        warning.quirk().is_some_and(|quirk| tolerated.contains(&quirk))
    };
    match warnings.iter().find(|warning| !tolerated(warning)) {
        Some(warning) => Err(Error::new(ErrorKind::Unsound(warning.message), warning.at)),
        None => Ok(()),
    }
}
