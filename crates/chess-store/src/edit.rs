//! Changing a base in place.

use chess_core::Game;

use crate::about::Fact;
use crate::error::AnyError;
use crate::loss::Loss;

/// Changes a base in place. Whatever moment it stops, the base opens with every game it had.
pub trait EditGames {
    /// The format's error.
    type Error: Into<AnyError>;

    /// How many games it lists.
    fn len(&self) -> u64;

    /// Whether it lists no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Marks a game as deleted, or takes the mark away. That may not be on the disk before
    /// [`sync`](EditGames::sync).
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), Self::Error>;

    /// Sets the flags of a game that the format names by letters. They may not be on the disk
    /// before [`sync`](EditGames::sync).
    ///
    /// # Errors
    /// Those of the disk; an unknown game; flags the format does not have.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), Self::Error>;

    /// States a fact of the base, or takes it away if the value is empty.
    ///
    /// # Errors
    /// Those of the disk; a fact or a value that the format does not keep whole.
    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), Self::Error>;

    /// Puts another game in the place of one, and adds to `losses` whatever of it the format
    /// cannot hold. Gives the number that the game has now.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a game the format cannot hold.
    fn replace(
        &mut self,
        game: u64,
        with: &Game,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, Self::Error>;

    /// Puts games in the places of others: as [`replace`](EditGames::replace) again and again, but
    /// cheaper where a format has something to do once for all of them.
    ///
    /// # Errors
    /// Those of `replace`; the games before the one it failed at are replaced, unless it is an error
    /// of the disk: then all may be as they were.
    fn replace_all(
        &mut self,
        games: &[(u64, Game)],
        losses: &mut Vec<Loss>,
    ) -> Result<(), Self::Error> {
        for (number, with) in games {
            self.replace(*number, with, losses)?;
        }
        Ok(())
    }

    /// Adds a game at the end, and gives its number.
    ///
    /// # Errors
    /// Those of the disk; a game the format cannot hold.
    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, Self::Error>;

    /// Adds games at the end, as many as `next` gives before it says `false`: as
    /// [`append`](EditGames::append) again and again, but cheaper where a format has something to
    /// do once for all of them. Says how many were added.
    ///
    /// # Errors
    /// Those of `append` and of `next`; the games before the error are in the base, unless it is one
    /// of the disk: then [`len`](EditGames::len) tells how many are.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError> {
        let mut game = Game::new();
        let mut added = 0u64;
        while next(&mut game)? {
            self.append(&game, losses).map_err(Into::into)?;
            added = added.saturating_add(1);
        }
        Ok(added)
    }

    /// Returns when every change is on the disk.
    ///
    /// # Errors
    /// Those of the disk.
    fn sync(&mut self) -> Result<(), Self::Error>;

    /// Drops deleted games and the space nothing points to.
    ///
    /// # Errors
    /// Those of the disk.
    fn compact(self) -> Result<(), Self::Error>
    where
        Self: Sized;
}
