//! Changes to a base in place.

use chess_core::{Game, Header};

use crate::about::Fact;
use crate::error::AnyError;
use crate::loss::Losses;

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

    /// Replaces several games. The result is the same as calling [`replace`](EditGames::replace)
    /// for each game, but a format may share work between them.
    ///
    /// # Errors
    /// The errors of `replace`. The games before the failed one are replaced. After an I/O error,
    /// all games may be unchanged.
    fn replace_all(
        &mut self,
        games: &[(u64, Game)],
        losses: &mut Losses,
    ) -> Result<(), Self::Error> {
        for (number, with) in games {
            self.replace(*number, with, losses)?;
        }
        Ok(())
    }

    /// Replaces the headers of several games, with all of their tags. The moves stay. `read` reads a
    /// game as a whole, for formats that must write header and moves together.
    ///
    /// A format that stores the moves apart keeps their bytes and does not decode them, so damaged
    /// moves stay as they are. [`Reader::full_header`] reads the headers to change.
    ///
    /// [`Reader::full_header`]: crate::Reader::full_header
    ///
    /// # Errors
    /// The errors of `replace_all` and of `read`.
    fn replace_headers(
        &mut self,
        headers: &[(u64, Header)],
        read: &mut dyn FnMut(u64, &mut Game) -> Result<(), AnyError>,
        losses: &mut Losses,
    ) -> Result<(), AnyError> {
        for (number, header) in headers {
            let mut game = Game::new();
            read(*number, &mut game)?;
            game.header.clone_from(header);
            self.replace(*number, &game, losses).map_err(Into::into)?;
        }
        Ok(())
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
