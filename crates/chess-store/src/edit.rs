//! Changes to a base in place.

use chess_core::Game;

use crate::about::Fact;
use crate::error::{AnyError, Error, ErrorKind, Scope};
use crate::location::Location;
use crate::loss::Losses;

/// The part of a game that [`EditGames::replace_all`] replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The header with all of its tags. The moves stay.
    ///
    /// A format that stores the moves apart keeps their bytes and does not decode them, so damaged
    /// moves stay as they are. If [`Reader::full_header`] returns `false` for a game, only the whole
    /// game can be replaced.
    ///
    /// [`Reader::full_header`]: crate::Reader::full_header
    Header,
    /// The whole game.
    Game,
}

/// Puts the next game into its argument, and returns the number and the part of the game that it
/// replaces. Returns `None` after the last one.
pub type NextReplacement<'a> =
    dyn FnMut(&mut Game) -> Result<Option<(u64, Replacement)>, AnyError> + 'a;

impl Replacement {
    /// For formats that write whole games.
    ///
    /// # Errors
    /// A replacement of the header alone.
    pub fn require_game(self, number: u64) -> Result<(), AnyError> {
        match self {
            Replacement::Header => {
                Err(Error::new(HeaderAlone, Location::default().in_game(number)).into())
            }
            Replacement::Game => Ok(()),
        }
    }
}

/// A header without moves, for a format that writes whole games.
#[derive(Debug, thiserror::Error)]
#[error("the header of this game cannot be written without its moves")]
struct HeaderAlone;

impl ErrorKind for HeaderAlone {
    fn scope(&self) -> Scope {
        Scope::Game
    }
}

/// Changes a base in place. If it is interrupted at any moment, the base still opens with every
/// game.
pub trait EditGames {
    /// The format's error.
    type Error: Into<AnyError>;

    /// Returns the number of games.
    fn len(&self) -> u64;

    /// Returns whether the base has no games.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Marks a game as deleted, or removes the mark. The change may not be on the disk before
    /// [`sync`](EditGames::sync).
    ///
    /// # Errors
    /// I/O errors; an unknown game.
    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Self::Error>;

    /// Marks several games as deleted, or removes their marks. The result is the same as calling
    /// [`set_deleted`](EditGames::set_deleted) for each game, but a format may write many marks at
    /// once.
    ///
    /// # Errors
    /// The errors of `set_deleted`. Some games before the failed one may be unchanged.
    fn set_deleted_all(&mut self, games: &[u64], deleted: bool) -> Result<(), Self::Error> {
        for game in games {
            self.set_deleted(*game, deleted)?;
        }
        Ok(())
    }

    /// Sets the flags of a game that the format identifies by letters. The change may not be on the
    /// disk before [`sync`](EditGames::sync).
    ///
    /// # Errors
    /// I/O errors; an unknown game; flags that the format does not have.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Self::Error>;

    /// States a fact of the base. An empty value removes it.
    ///
    /// # Errors
    /// I/O errors; a fact or a value that the format cannot store completely.
    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), Self::Error>;

    /// Replaces a game. Adds the parts that the format cannot store to `losses`. Returns the number
    /// that the game has now.
    ///
    /// # Errors
    /// I/O errors; an unknown game; a game that the format cannot store.
    fn replace(&mut self, game: u64, with: &Game, losses: &mut Losses) -> Result<u64, Self::Error>;

    /// Replaces the games that `next` provides. Returns the number of replacements. The result is the
    /// same as calling [`replace`](EditGames::replace) for each game, but a format may share work
    /// between them, and change nothing in the base before the last one.
    ///
    /// # Errors
    /// The errors of `replace` and of `next`; a header alone, if the format writes whole games. The
    /// games before the error are replaced. After an I/O error, all games may be unchanged.
    fn replace_all(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        let mut game = Game::new();
        let mut replaced = 0u64;
        while let Some((number, what)) = next(&mut game)? {
            what.require_game(number)?;
            self.replace(number, &game, losses).map_err(Into::into)?;
            replaced = replaced.saturating_add(1);
        }
        Ok(replaced)
    }

    /// Appends a game and returns its number.
    ///
    /// # Errors
    /// I/O errors; a game that the format cannot store.
    fn append(&mut self, game: &Game, losses: &mut Losses) -> Result<u64, Self::Error>;

    /// Appends the games that `next` provides until it returns `false`. Returns the number of games
    /// appended. The result is the same as calling [`append`](EditGames::append) for each game, but
    /// a format may share work between them.
    ///
    /// # Errors
    /// The errors of `append` and of `next`. The games before the error are in the base. After an
    /// I/O error, [`len`](EditGames::len) returns how many games the base has.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        let mut game = Game::new();
        let mut added = 0u64;
        while next(&mut game)? {
            self.append(&game, losses).map_err(Into::into)?;
            added = added.saturating_add(1);
        }
        Ok(added)
    }

    /// Waits until every change is on the disk.
    ///
    /// # Errors
    /// I/O errors.
    fn sync(&mut self) -> Result<(), Self::Error>;

    /// Removes deleted games and unreferenced space.
    ///
    /// # Errors
    /// I/O errors.
    fn compact(self) -> Result<(), Self::Error>
    where
        Self: Sized;
}
