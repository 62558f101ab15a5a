//! Changing a base in place. (scid §8 "Editing")
//!
//! Every change keeps to one order: first what nothing points to yet, then what points to it.
//! Whatever moment it stops, the base opens with every game it had.
//!
//! | change | writes, in order, with → where all before is on the disk first |
//! |---|---|
//! | flags, deleted | one byte of the entry each |
//! | append | records at the end → names (file swapped, or appended in version 5) → entries at the end → count in the header, byte by byte |
//! | replace | record at the end → names → index swapped |
//! | compact | records again at the end → index swapped for one of them → records at the beginning → index swapped for one of them → games file cut → names swapped: names in use also under the ids of some that are not → index swapped for one of these ids → names swapped for those in use |

mod append;
mod compact;
mod entries;
mod swap_file;

use std::io::{self, Write};
use std::path::Path;

use chess_core::files::companion;
use chess_core::seam::{Loss, OpenOptions};
use chess_core::{Diagnostics, Encoding, Game, Location, Warning};

use crate::database::{Database, family_of, parse_names, read_names};
use crate::error::{Error, ErrorKind, io as failed};
use crate::header::{Info, encode_header};
use crate::index::Entry;
use crate::layout::{Extensions, Version, flag};
use crate::names::RawNames;
use crate::names_5::survey_5;
use crate::plan::encode_flags;
use crate::table::NameTable;
use crate::writer::Maker;
use entries::{Entries, encode_entry, entry_offset, ids, read_entry};
pub use swap_file::{NamedFile, SwapFile};

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
    /// See [`set_batch`](Editor::set_batch).
    batch: Option<usize>,
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
        let (info, count) = (base.info().clone(), base.entries());
        drop(base);
        let encoding = options.encoding.unwrap_or(Encoding::UTF_8);
        let maker = Maker::new(version, encoding, NameTable::new(version));
        let names_end = 0;
        let mut editor = Editor {
            files,
            version,
            index,
            games,
            names,
            info,
            count,
            names_end,
            maker,
            batch: None,
        };
        editor.take_names()?;
        Ok(editor)
    }

    /// Reads the names, and counts how often each is used.
    fn take_names(&mut self) -> Result<RawNames, Error> {
        let bytes = read_names(&self.names, self.files)?;
        let mut diagnostics = Diagnostics::lenient();
        let info = &mut Info::default();
        let names = parse_names(&bytes, self.files, self.version, info, &mut diagnostics)?;
        if self.version == Version::Si5 {
            self.names_end = survey_5(&bytes).0 as u64;
        }
        self.maker.table = self.count_names(&names)?;
        Ok(names)
    }

    /// Counts how often the index uses each of these names.
    fn count_names(&self, names: &RawNames) -> Result<NameTable, Error> {
        let mut table = NameTable::of(self.version, names);
        for (game, entry) in (0..).zip(self.entries()) {
            let at = self.entry_location(game);
            for (kind, id) in ids(&entry.map_err(failed(at))?) {
                if names.get(kind as usize).is_none_or(|list| list.get(id).is_none()) {
                    let kind = ErrorKind::Unsound("a game refers to a name that is not there");
                    return Err(Error::new(kind, at));
                }
                table.count_use(kind, id);
            }
        }
        table.saved();
        Ok(table)
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
        let mut end = self.games_size()?;
        let new = self.put_record(game, with, &mut end, losses)?;
        self.sync_games()?;
        self.put_names()?;
        self.swap_index(self.count, &mut |number, old| {
            Some(if number == game { new } else { old })
        })?;
        for (kind, id) in ids(&old) {
            self.maker.table.count_use_gone(kind, id);
        }
        Ok(())
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
            for (game, entry) in (0..).zip(Entries::new(index, version, old)) {
                if let Some(entry) = change(game, entry?) {
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

    fn entries(&self) -> Entries<'_, F> {
        Entries::new(&self.index, self.version, self.count)
    }

    fn entry(&self, game: u64) -> Result<Entry, Error> {
        let at = self.entry_location(game);
        if game >= self.count {
            return Err(Error::new(ErrorKind::NoSuchGame(self.count), at));
        }
        read_entry(&self.index, self.version, game).map_err(failed(at))
    }

    /// Writes the bytes of the flags, each on its own: a byte is written whole or not at all, and
    /// need not wait for the disk, as nothing relies on it.
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
        Ok(())
    }

    fn entry_location(&self, game: u64) -> Location {
        Location::file(self.files.index).at(entry_offset(self.version, game)).in_game(game)
    }
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
