//! Changing a base in place. (scid §8 "Editing")
//!
//! Every change keeps to one order: first what nothing points to yet, then what points to it.
//! Whatever moment it stops, the base opens with every game it had.
//!
//! | change | writes, in order, with → where all before is on the disk first |
//! |---|---|
//! | flags, deleted | one byte of the entry each |
//! | append | records at the end → names (a new file, or appended in version 5) → entries at the end → count in the header, byte by byte |
//! | replace | records at the end → names, in version 5 → new files of index and, in version 4, names, in their places at once |
//! | compact | new files of all three, in their places at once |

mod append;
mod compact;
mod entries;
mod facts;
mod new_files;
mod replace;

use std::fs::File;
use std::path::Path;

use chess_core::Game;
use chess_store::files::BaseFiles;
use chess_store::io::WriteAt as _;
use chess_store::names::NameHasher;
use chess_store::{AnyError, EditGames, Encoding, Fact, Location, Loss, Warning};

use crate::database::{Database, parse_names, read_names};
use crate::encoder::{Encoded, Encoder};
use crate::error::{Error, ErrorKind};
use crate::header::Info;
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version, flag};
use crate::name_table::NameTable;
use crate::names::RawNames;
use crate::names_5::survey_5;
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::quirk::Quirk;
use crate::tag_placement::encode_flags;
use entries::{Entries, ids, read_entry};
pub use new_files::{DiskFiles, MemoryFiles, NewFiles};

/// A base open for change: version 4 or 5.
///
/// Games are changed through [`EditGames`].
#[derive(Debug)]
pub struct Editor<N: NewFiles = DiskFiles> {
    version: Version,
    files: Parts<N::File>,
    new_files: N,
    info: Info,
    /// How many games there are.
    count: u64,
    /// Where the names of version 5 end.
    names_end: u64,
    table: NameTable,
    encoder: Encoder,
    encoded: Encoded,
    /// See [`set_batch`](Editor::set_batch).
    batch: Option<usize>,
    /// Whether games can be added without becoming part of others.
    is_sound: bool,
}

impl Editor {
    /// Opens a base by the path of any of its files, and locks it against other changes.
    ///
    /// # Errors
    /// If a file is missing; for version 3; if the base is damaged where a change would build on
    /// it, or another program is changing it.
    pub fn open(path: impl AsRef<Path>) -> Result<Editor, Error> {
        Editor::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Editor::open), with options.
    ///
    /// # Errors
    /// As [`open`](Editor::open); when strict, for the first deviation.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Editor, Error> {
        let path = path.as_ref();
        let extensions = Extensions::of_path(path)?;
        let base = BaseFiles::locate_for_change(path, extensions.index);
        let base = base.map_err(Error::io(Location::file(extensions.index)))?;
        let open = |name| {
            let found = base.find(name).ok_or_else(|| base.missing());
            let opened = found.and_then(|path| File::options().read(true).write(true).open(path));
            opened.map_err(Error::io(Location::file(name)))
        };
        let parts = Parts {
            extensions,
            index: open(extensions.index)?,
            games: open(extensions.games)?,
            names: open(extensions.names)?,
        };
        base.confirm().map_err(Error::io(Location::file(extensions.index)))?;
        Editor::from_parts(parts, DiskFiles::new(base), options)
    }
}

impl Editor<MemoryFiles> {
    /// Changes a base in memory; [`into_parts`](Editor::into_parts) gives its bytes.
    ///
    /// # Errors
    /// As [`open`](Editor::open).
    pub fn in_memory(parts: Parts<Vec<u8>>) -> Result<Editor<MemoryFiles>, Error> {
        Editor::from_parts(parts, MemoryFiles, &OpenOptions::default())
    }
}

impl<N: NewFiles> Editor<N> {
    /// Over files that are open already.
    ///
    /// # Errors
    /// As [`open`](Editor::open).
    pub fn from_parts(
        files: Parts<N::File>,
        new_files: N,
        options: &OpenOptions,
    ) -> Result<Editor<N>, Error> {
        let base = Database::from_parts(files.as_ref(), options)?;
        let version = base.version();
        if version == Version::Si3 {
            return Err(Error::new(ErrorKind::ReadOnly, Location::file(files.extensions.index)));
        }
        sound_enough(base.noted())?;
        let (info, count) = (base.info().clone(), base.entries());
        drop(base);
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
            table: NameTable::new(version),
            // Its table changes; this one writes on one thread.
            encoder: Encoder::new(version, encoding, NameHasher::default(), Default::default()),
            encoded: Encoded::default(),
            batch: None,
            is_sound: false,
        };
        editor.pass_leftovers()?;
        let bytes = read_names(&editor.files)?;
        if version == Version::Si5 {
            editor.names_end = survey_5(&bytes).0 as u64;
        }
        (_, editor.table) = editor.used_names(&bytes, |_| true)?;
        Ok(editor)
    }

    /// The names of a names file, with how often the games that are `counted` use each.
    fn used_names(
        &self,
        file: &[u8],
        counted: fn(&IndexEntry) -> bool,
    ) -> Result<(RawNames, NameTable), Error> {
        let (name, version) = (self.files.extensions.names, self.version);
        let (info, diagnostics) = (&mut Info::default(), &mut Default::default());
        let names: RawNames = parse_names(file, name, version, info, diagnostics)?;
        let mut table = self.table_of(&names)?;
        for (game, entry) in (0..).zip(self.entries()) {
            let at = self.entry_location(game);
            let entry = entry.map_err(Error::io(at))?;
            for (kind, id) in ids(&entry) {
                let name = names.get(kind as usize).and_then(|names| names.get(id));
                if name.is_none() {
                    let kind = ErrorKind::Unsound("a game refers to a name that is not there");
                    return Err(Error::new(kind, at));
                }
                if counted(&entry) {
                    table.count_use(kind, id);
                }
            }
        }
        table.saved();
        Ok((names, table))
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
        let at = self.entry_location(game);
        if game >= self.count {
            return Err(Error::new(ErrorKind::NoSuchGame(self.count), at));
        }
        read_entry(&self.files.index, self.version, game).map_err(Error::io(at))
    }

    fn entry_location(&self, game: u64) -> Location {
        let offset = self.version.entry_offset(game);
        Location::file(self.files.extensions.index).at(offset).in_game(game)
    }

    /// Writes the bytes of the flags, each on its own: a byte is written whole or not at all, and
    /// need not wait for the disk, as nothing relies on it.
    fn put_flags(&mut self, game: u64, flags: u32) -> Result<(), Error> {
        let at = self.entry_location(game);
        let mut entry = self.entry(game)?;
        let (mut old, mut new) = (Vec::new(), Vec::new());
        entry.encode(self.version, &mut old);
        entry.flags = flags;
        entry.encode(self.version, &mut new);
        for (offset, (old, new)) in (self.version.entry_offset(game)..).zip(old.iter().zip(&new)) {
            if old != new {
                self.files.index.write_at(offset, &[*new]).map_err(Error::io(at))?;
            }
        }
        Ok(())
    }

    /// Refuses a base in which the record of a game ends beyond the file: what is added would
    /// become part of that game.
    fn check_sound(&mut self) -> Result<(), Error> {
        if self.is_sound {
            return Ok(());
        }
        let size = self.games_size()?;
        for (game, entry) in (0..).zip(self.entries()) {
            let at = self.entry_location(game);
            let entry = entry.map_err(Error::io(at))?;
            if !entry.is_empty() && entry.end() > size && !self.is_leftover(game, &entry, size) {
                let kind = ErrorKind::Unsound("a game's record is not all there");
                return Err(Error::new(kind, at));
            }
        }
        self.is_sound = true;
        Ok(())
    }

    /// Whether an entry is what an append leaves that a power cut has stopped: some of what it
    /// wrote is not there.
    fn is_leftover(&self, game: u64, entry: &IndexEntry, games_size: u64) -> bool {
        match self.version {
            Version::Si5 => entry.is_empty() && entry.offset == 0,
            Version::Si3 | Version::Si4 => {
                let is_counted = game < u64::from(self.info.games);
                !is_counted && (entry.is_empty() || entry.end() > games_size)
            }
        }
    }

    /// Passes over leftovers behind the last game: the next one is written over them.
    fn pass_leftovers(&mut self) -> Result<(), Error> {
        let size = self.games_size()?;
        while let Some(last) = self.count.checked_sub(1)
            && self.is_leftover(last, &self.entry(last)?, size)
        {
            self.count = last;
        }
        Ok(())
    }

    /// The header of an index of so many games.
    fn info_of(&self, games: u64) -> Info {
        // More than the format counts are refused before.
        Info { games: u32::try_from(games).unwrap_or(u32::MAX), ..self.info.clone() }
    }
}

impl<N: NewFiles> EditGames for Editor<N> {
    type Error = Error;

    fn len(&self) -> u64 {
        self.count
    }

    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Error> {
        let flags = self.entry(game)?.flags & !flag::DELETED;
        self.put_flags(game, if deleted { flags | flag::DELETED } else { flags })
    }

    /// Sets the flags of a game to these letters, and takes all others away; `D` and what follows
    /// from the moves stay as they are.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Error> {
        let old = self.entry(game)?.flags & 15;
        let mut unknown = None;
        let new = encode_flags(flags, |letter| unknown = unknown.or(Some(letter)));
        let unknown = unknown.or_else(|| flags.chars().find(|letter| *letter == 'D'));
        if let Some(letter) = unknown {
            return Err(Error::new(ErrorKind::Flag(letter), self.entry_location(game)));
        }
        self.put_flags(game, old | new)
    }

    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), Error> {
        self.put_fact(fact, value)
    }

    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<u64, Error> {
        self.replace_each(&mut std::iter::once((game, with)), losses).map(|()| game)
    }

    /// Replaces all of them at once: the index is written once.
    fn replace_all(&mut self, games: &[(u64, Game)], losses: &mut Vec<Loss>) -> Result<(), Error> {
        self.replace_each(&mut games.iter().map(|(number, with)| (*number, with)), losses)
    }

    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, Error> {
        let mut batch = self.start_batch()?;
        let number = self.count;
        let added = self.add(game, &mut batch, losses);
        self.put_batch(&batch)?;
        added.map(|()| number)
    }

    /// Adds games in [batches](Editor::set_batch). The cost is that of these games, not of the
    /// base.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError> {
        self.append_batches(next, losses)
    }

    fn sync(&mut self) -> Result<(), Error> {
        let at = Location::file(self.files.extensions.index);
        self.files.index.sync().map_err(Error::io(at))
    }

    /// Drops deleted games, the space of the games file nothing points to, and names nobody uses;
    /// see [`compacted`](Editor::compacted).
    fn compact(self) -> Result<(), Error> {
        self.compacted().map(drop)
    }
}

/// A base may be changed in spite of what a change that was broken off leaves behind, and of
/// names in some other order; other damage a change would build on.
fn sound_enough(warnings: &[Warning]) -> Result<(), Error> {
    let tolerated = |warning: &Warning| {
        use Quirk::{
            EntryCut, NamesKind, NamesOrder, NamesUnfinished, PartialEntry, UncountedGames,
        };
        let tolerated =
            [UncountedGames, PartialEntry, EntryCut, NamesOrder, NamesUnfinished, NamesKind];
        warning.quirk().is_some_and(|quirk| tolerated.contains(&quirk))
    };
    match warnings.iter().find(|warning| !tolerated(warning)) {
        Some(warning) => Err(Error::new(ErrorKind::Unsound(warning.message), warning.at)),
        None => Ok(()),
    }
}
