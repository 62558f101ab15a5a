//! How a game ended for one of its players.

use std::str::FromStr;

use chess_core::{Color, GameResult};

use crate::QueryError;

/// How a game ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player won.
    Won,
    /// The game was drawn.
    Drew,
    /// The player lost.
    Lost,
}

impl Outcome {
    /// Returns the result of a game that ended so for the player of `color`.
    #[must_use]
    pub const fn result(self, color: Color) -> GameResult {
        match (self, color) {
            (Outcome::Drew, _) => GameResult::Draw,
            (Outcome::Won, Color::White) | (Outcome::Lost, Color::Black) => GameResult::White,
            (Outcome::Won, Color::Black) | (Outcome::Lost, Color::White) => GameResult::Black,
        }
    }

    /// Parses words with commas between them.
    pub(crate) fn list(text: &str) -> Result<Vec<Outcome>, QueryError> {
        text.split(',').map(|word| word.trim().parse()).collect()
    }
}

impl FromStr for Outcome {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Outcome, QueryError> {
        match &*text.to_ascii_lowercase() {
            "won" => Ok(Outcome::Won),
            "drew" => Ok(Outcome::Drew),
            "lost" => Ok(Outcome::Lost),
            "" => Err(QueryError::Empty),
            _ => Err(QueryError::unreadable(text, "an outcome; write won, drew or lost")),
        }
    }
}
