//! Lists of replacements, for `EditGames::replace_all`.

use chess_core::{Game, Header};
use chess_store::{AnyError, Replacement};

/// Provides games in order, each with the number of the game that it replaces.
pub fn next_game(
    games: &[(u64, Game)],
) -> impl FnMut(&mut Game) -> Result<Option<(u64, Replacement)>, AnyError> {
    let mut games = games.iter();
    move |into| {
        let Some((number, game)) = games.next() else { return Ok(None) };
        into.clone_from(game);
        Ok(Some((*number, Replacement::Game)))
    }
}

/// Provides headers in order, each with the number of its game.
pub fn next_header(
    headers: &[(u64, Header)],
) -> impl FnMut(&mut Game) -> Result<Option<(u64, Replacement)>, AnyError> {
    let mut headers = headers.iter();
    move |into| {
        let Some((number, header)) = headers.next() else { return Ok(None) };
        into.header.clone_from(header);
        Ok(Some((*number, Replacement::Header)))
    }
}
