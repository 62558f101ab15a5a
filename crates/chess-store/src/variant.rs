//! Games of unsupported variants, treated as damaged games.

use std::fmt;

use chess_core::{Game, Position, Variant};

use crate::error::{Error, ErrorKind, Scope};
use crate::location::Location;

/// The error for a game of a variant with other rules than chess. Its moves were read by the rules
/// of chess, as far as they are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnsupportedVariant {
    /// The variant, as named by the game.
    pub name: Box<str>,
    /// Another error of the game, if there is one. Usually it is the first move that is illegal in
    /// chess.
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

/// Turns a game of an unsupported variant into a damaged game. Every format that stores a `Variant`
/// tag or a FEN text passes the result of reading a game through this function.
///
/// `result` is the result of reading `game`. `at` is the location of the game, for a game that was
/// read without an error. Any other error of the game keeps its location and becomes part of the
/// message.
///
/// # Errors
/// The error in `result`, or an error for the variant with [`Scope::Game`].
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

/// Returns a test for positions that are reliable. In chess these are all positions. In a variant
/// whose moves change the board in other ways, they are the positions with all pieces of the start
/// position.
pub fn known_boards(game: &Game) -> impl Fn(&Position) -> bool {
    let keeps = game.variant().keeps_boards();
    let pieces = if keeps { 0 } else { game.start_position().occupied().count() };
    move |position| keeps || position.occupied().count() == pieces
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::diagnostics::{Diagnostics, Warning};

    crate::quirks! {
        /// For the tests.
        #[allow(unreachable_pub, reason = "a format's own is public")]
        Odd = "x-odd", "something odd";
    }

    #[derive(Debug, thiserror::Error)]
    enum Kind {
        #[error("{0}")]
        Io(io::Error),
        #[error("no magic")]
        #[allow(dead_code, reason = "the macro names a kind")]
        Magic,
        #[error("{0} is no move")]
        Move(u8),
        #[error("{}", .0.message)]
        Strict(Warning),
        #[error(transparent)]
        Variant(#[from] UnsupportedVariant),
    }

    crate::error_kind!(Kind: Kind::Magic);

    fn checked(variant: &str, result: Result<(), Kind>) -> Option<String> {
        let mut game = Game::new();
        game.header.set("Variant", variant);
        let place = Location::file("x").at(7);
        let result = result.map_err(|kind| Error::new(kind, place));
        check_variant(&game, result, || Location::file("x")).err().map(|error| error.to_string())
    }

    #[test]
    fn unsupported_variant_is_an_error_of_the_game() {
        assert_eq!(checked("Standard", Ok(())), None);
        assert_eq!(checked("Chess 960", Ok(())), None);
        let said = "variant \"Atomic\" is not supported; its moves are read by the rules of chess";
        assert_eq!(checked("Atomic", Ok(())), Some(format!(".x: {said}")));
        let with_move = format!(".x, byte 7: {said}: 9 is no move");
        assert_eq!(checked("Atomic", Err(Kind::Move(9))), Some(with_move));
        assert_eq!(
            checked("Standard", Err(Kind::Move(9))),
            Some(".x, byte 7: 9 is no move".into())
        );
    }

    #[test]
    fn check_variant_keeps_base_and_strict_errors() {
        let disk = Kind::Io(io::Error::other("disk"));
        assert_eq!(checked("Atomic", Err(disk)), Some(".x, byte 7: disk".into()));
        let place = Location::file("x").in_game(1);
        let strict = Diagnostics::strict().note(Quirk::Odd, place).unwrap_err();
        let said = checked("Atomic", Err(Kind::Strict(strict)));
        assert_eq!(said, Some(".x, byte 7: something odd".into()));
    }
}
