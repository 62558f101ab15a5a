//! The facts of a game that reports count.

use chess_core::Game;
use openings::Opening;
use query::TimeClass;

/// The facts of a game that reports count.
#[derive(Debug)]
pub struct Facts<'a> {
    /// Number in its base, from zero.
    pub number: u64,
    /// The game. If it is damaged, the part that could be read.
    pub game: &'a Game,
    /// White and Black as they are spelt in the base. If the filter has a spelling file, the header
    /// of the game has the names of that file.
    pub names: [&'a str; 2],
    /// The opening by the moves, if the report asks for openings.
    pub opening: Option<Opening>,
    /// How fast the game was played.
    pub time_class: TimeClass,
    /// Length of the main line in half-moves.
    pub plies: usize,
    /// Whether the game does not read to its end.
    pub is_damaged: bool,
}

impl<'a> Facts<'a> {
    /// Creates the facts of a sound game, without its opening.
    #[must_use]
    pub fn new(number: u64, game: &'a Game) -> Facts<'a> {
        Facts {
            number,
            game,
            names: [&game.header.white, &game.header.black],
            opening: None,
            time_class: TimeClass::of(game),
            plies: game.ply_count(),
            is_damaged: false,
        }
    }
}

/// Collects facts of games.
pub trait Report {
    /// Adds a game. Games come in the order of their base.
    fn add(&mut self, facts: &Facts<'_>);

    /// Returns whether [`Facts::opening`] is needed.
    fn asks_openings(&self) -> bool {
        true
    }
}
