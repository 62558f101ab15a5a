//! Changing a base in place.
//!
//! Whatever is added is written behind what is there and reaches the disk before the index says
//! so; a game is deleted by one byte. Whatever moment it stops, the base opens with every game
//! it had. Nothing that is added changes a game that was there.

mod append;
mod sound;

use std::fs::File;
use std::path::Path;

use chess_core::Game;
use chess_store::files::BaseFiles;
use chess_store::io::WriteAt;
use chess_store::{AnyError, EditGames, Fact, Location, Loss};

use crate::database::Database;
use crate::error::{Error, ErrorKind};
use crate::index::{Entries, IndexEntry};
use crate::layout::{Layout, OPEN_DEFAULT_OFFSET, STATUS_DELETED, STATUS_LIVE};
use crate::open::survey;
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::promotion::{Promotions, Survey};
use crate::writer::game_number;
use crate::writer::{Encoded, Encoder};
use append::NewNames;

/// A base, open for change.
///
/// Marking a game and setting the default game take the same time in a base of any size. The first
/// game that is added takes a look at every other: a base in which it would become part of another
/// game takes none. The first new name takes the list of the others, which is kept.
/// [`compact`](EditGames::compact) rewrites the base.
#[derive(Debug)]
pub struct Editor<F = File> {
    pub(crate) files: Parts<F>,
    entries: Entries,
    names: [NewNames; 3],
    /// How the promotions of the base are read, and so those of new games written.
    pub(crate) promotions: Promotions,
    /// What tells others how to read them.
    survey: Survey,
    /// Whether games can be added without becoming part of others.
    is_sound: bool,
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
    /// [`ResourceBusy`](std::io::ErrorKind::ResourceBusy) while another program changes the base.
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
        // That there are no events must not be because nobody could look.
        place.confirm().map_err(Error::io(Location::file("dci")))?;
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
        let (entries, promotions) = (base.entries, base.numbering.promotions);
        let survey = survey(&base);
        Ok(Editor {
            files: parts,
            entries,
            names: Default::default(),
            promotions,
            survey,
            is_sound: false,
            encoder: Encoder::with_promotions(promotions),
            encoded: Encoded::default(),
            place: None,
        })
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
        // A byte is written whole or not at all, and nothing relies on it.
        self.files.dci.write_at(offset, &[status]).map_err(Error::io(at))
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
        self.sync()?;
        Ok(new)
    }

    // dcg §10 "Editing"
    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, Error> {
        self.append_like(game, &IndexEntry::default(), losses)
    }

    /// Adds games many at a time, so that the disk is waited for once for all of them.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError> {
        self.append_batches(next, losses)
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.files.dci.sync().map_err(Error::io(Location::file("dci")))
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
