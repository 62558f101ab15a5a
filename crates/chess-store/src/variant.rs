//! Games of variants that are not supported are damaged games.

use std::fmt;

use chess_core::{Game, Position, Variant};

use crate::error::{Error, ErrorKind, Scope};
use crate::location::Location;

/// The game is of a variant with other rules than chess. Its moves were read by the rules of
/// chess, as far as these allow them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedVariant {
    /// The variant, as the game names it.
    pub name: Box<str>,
    /// What else is wrong with the game, mostly the first move that chess does not allow.
    pub reading: Option<Box<str>>,
}

impl fmt::Display for UnsupportedVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnsupportedVariant { name, reading } = self;
        write!(f, "variant {name:?} is not supported; its moves are read by the rules of chess")?;
        match reading {
            Some(reading) => write!(f, ": {reading}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnsupportedVariant {}

/// Makes a game of an unsupported variant a damaged game. Every format that keeps a `Variant` tag
/// or the text of a FEN passes what reading a game gave through this function.
///
/// `result` is what reading `game` gave. `at` is the place of the game, for one that was read
/// without an error; another error of the game keeps its own place and becomes part of the message.
///
/// # Errors
/// What `result` was, or the variant, with [`Scope::Game`].
pub fn check_variant<K>(
    game: &Game,
    result: Result<(), Error<K>>,
    at: impl FnOnce() -> Location,
) -> Result<(), Error<K>>
where
    K: ErrorKind + From<UnsupportedVariant>,
{
    let Variant::Unsupported(name) = game.variant() else { return result };
    let name = name.into();
    match result {
        Ok(()) => Err(Error::new(K::from(UnsupportedVariant { name, reading: None }), at())),
        Err(error) if error.scope() == Scope::Base || error.is_strict() => Err(error),
        Err(error) => {
            let reading = Some(error.kind().to_string().into());
            let kind = K::from(UnsupportedVariant { name, reading });
            Err(Error::new(kind, error.location()))
        }
    }
}

/// Returns a test for the positions of a game that are known: all of them, or, in a variant that
/// changes the board in other ways than chess, those with all pieces of the start position.
pub fn known_boards(game: &Game) -> impl Fn(&Position) -> bool {
    let keeps = game.variant().keeps_boards();
    let pieces = if keeps { 0 } else { game.start_position().occupied().count() };
    move |position| keeps || position.occupied().count() == pieces
}
