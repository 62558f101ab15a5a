//! Edits a base in place.
//!
//! New data is written after the existing data and synced before the index refers to it. One byte
//! deletes a game. If an edit stops at any point, the base still opens with all previous games.
//! Appending never changes an existing game.

mod append;
mod sound;

use std::path::Path;

use chess_core::Game;
use chess_store::files::BaseFiles;
use chess_store::io::WriteAt;
use chess_store::{AnyError, EditGames, Fact, Location, Losses, NextReplacement};

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

/// A base, open for editing.
///
/// Marking a game and setting the default game take constant time. The first append checks every
/// existing game and fails if the new game would become part of another. The first new name loads
/// the list of names, which then stays in memory. [`compact`](Editor::compact) rewrites the
/// base.
#[derive(Debug)]
pub struct Editor<F = std::fs::File> {
    pub(crate) files: Parts<F>,
    entries: Entries,
    names: [NewNames; 3],
    /// The promotion numbering of the base, also used for new games.
    pub(crate) promotions: Promotions,
    /// The evidence from which readers detect the numbering.
    survey: Survey,
    /// The number of the game to show first.
    default_game: u64,
    /// Whether the check for safe appending has passed: no appended bytes become part of an
    /// existing game.
    is_sound: bool,
    encoder: Encoder,
    encoded: Encoded,
    /// The path and lock of the base, if it was opened by path.
    pub(crate) place: Option<BaseFiles>,
}

impl Editor {
    /// Opens a base by the path of any of its files.
    ///
    /// # Errors
    /// A missing or read-only file; an invalid index;
    /// [`ResourceBusy`](std::io::ErrorKind::ResourceBusy) while another program changes the base.
    pub fn open(path: impl AsRef<Path>) -> Result<Editor, Error> {
        Editor::open_with(path, &OpenOptions::default())
    }

    /// As [`open`](Editor::open), with options.
    ///
    /// # Errors
    /// As `open`. In strict mode, also the first warning.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Editor, Error> {
        let place = BaseFiles::locate_for_change(path.as_ref(), "dci");
        let place = place.map_err(Error::io(Location::file("dci")))?;
        let open = |file| place.open_for_change(file).map_err(Error::io(Location::file(file)));
        let parts = Parts {
            dci: open("dci")?,
            dcn: open("dcn")?,
            dcs: open("dcs")?,
            dce: place.find("dce").map(|_| open("dce")).transpose()?,
            dcg: open("dcg")?,
        };
        // Distinguish "no events file" from "could not read it".
        place.confirm().map_err(Error::io(Location::file("dci")))?;
        let mut editor = Editor::from_parts(parts, options)?;
        editor.place = Some(place);
        Ok(editor)
    }
}

impl<F: WriteAt> Editor<F> {
    /// Opens a base from open files.
    ///
    /// # Errors
    /// An invalid index. In strict mode, also the first warning.
    pub fn from_parts(parts: Parts<F>, options: &OpenOptions) -> Result<Editor<F>, Error> {
        let base = Database::from_parts(parts.each_ref(), options)?;
        let (entries, promotions) = (base.entries, base.numbering.promotions);
        let (survey, default_game) = (survey(&base), base.default_game());
        Ok(Editor {
            files: parts,
            entries,
            names: Default::default(),
            promotions,
            survey,
            default_game,
            is_sound: false,
            encoder: Encoder::with_promotions(promotions),
            encoded: Encoded::default(),
            place: None,
        })
    }

    /// Returns the files.
    pub fn into_parts(self) -> Parts<F> {
        self.files
    }

    /// The index entry of a game, numbered from zero, as fields.
    ///
    /// # Errors
    /// I/O errors; no such game.
    pub fn entry(&self, game: u64) -> Result<IndexEntry, Error> {
        self.entries.read(&self.files.dci, game)
    }

    /// Sets the game to show first, numbered from zero.
    ///
    /// # Errors
    /// I/O errors; no such game; a base of the old layout.
    // dcg §3 "Index header"
    pub fn set_default_game(&mut self, game: u64) -> Result<(), Error> {
        self.entries.find(game)?;
        self.refuse_old_layout()?;
        self.default_game = game;
        self.write_default_game()
    }

    fn write_default_game(&mut self) -> Result<(), Error> {
        let game = self.default_game;
        let stated = if self.survey.is_indexed() { !game } else { game };
        let at = Location::file("dci").at(OPEN_DEFAULT_OFFSET);
        self.change_index(OPEN_DEFAULT_OFFSET, at, &stated.to_be_bytes())
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

chess_store::inherent!(EditGames<Error> for [F: WriteAt] Editor<F>);

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
        // A byte is written whole or not at all, and nothing depends on it.
        self.files.dci.write_at(offset, &[status]).map_err(Error::io(at))
    }

    /// The format has no flags.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Error> {
        self.entries.find(game)?;
        if flags.is_empty() {
            return Ok(());
        }
        Err(ErrorKind::Flags(flags.to_string()).at(Location::file("dci").in_game(game)))
    }

    /// The format stores one fact, the game to show first.
    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), Error> {
        let number = if value.is_empty() { Some(0) } else { game_number(value) };
        match number.filter(|_| fact == Fact::DefaultGame) {
            Some(game) => self.set_default_game(game),
            None => Err(ErrorKind::Fact(fact).at(Location::file("dci").at(OPEN_DEFAULT_OFFSET))),
        }
    }

    /// Appends `with` and marks `game` as deleted: the format's way to replace a game. If the edit
    /// stops in between, both exist.
    // dcg §10 "Editing"
    fn replace(&mut self, game: u64, with: &Game, losses: &mut Losses) -> Result<u64, Error> {
        let old = self.entry(game)?;
        let new = self.append_like(with, &old, losses)?;
        self.set_deleted(game, true)?;
        self.sync()?;
        Ok(new)
    }

    /// Appends games and marks the old ones in batches, so that the games of a batch share the syncs.
    fn replace_all(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        self.replace_batches(next, losses)
    }

    // dcg §10 "Editing"
    fn append(&mut self, game: &Game, losses: &mut Losses) -> Result<u64, Error> {
        self.append_like(game, &IndexEntry::default(), losses)
    }

    /// Appends games in batches, so that one sync serves many games.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        self.append_batches(next, losses)
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.files.dci.sync().map_err(Error::io(Location::file("dci")))
    }

    /// Drops deleted games, their records, and unreferenced names. A base of the old layout gets
    /// the current layout.
    ///
    /// # Errors
    /// I/O errors; an unreadable game that is not deleted. Nothing is changed then, because
    /// compacting would lose that game. Delete or replace it first.
    fn compact(self) -> Result<(), Error> {
        self.compact_on_disk()
    }
}
