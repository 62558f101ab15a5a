//! Where something was found.

use std::fmt;

use crate::stream::Place;

/// A place in a base: which file, which byte, which game, which ply. Zero-based; displayed
/// one-based for games, plies, lines and columns, which people count from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Location {
    /// Which file of the base, by its usual extension: `"sg4"`. Empty when unknown.
    pub file: &'static str,
    /// Absolute byte offset in that file.
    pub offset: Option<u64>,
    /// Game number, from zero.
    pub game: Option<u64>,
    /// Half-moves played on the line before the place.
    pub ply: Option<u32>,
    /// Line of a text file, from zero.
    pub line: Option<u64>,
    /// Byte in that line, from zero.
    pub column: Option<u64>,
}

impl Location {
    /// Somewhere in a file of the base.
    #[must_use]
    pub const fn file(file: &'static str) -> Location {
        Location { file, offset: None, game: None, ply: None, line: None, column: None }
    }

    /// This place, at a byte.
    #[must_use]
    pub const fn at(self, offset: u64) -> Location {
        Location { offset: Some(offset), ..self }
    }

    /// This place, in a game.
    #[must_use]
    pub const fn in_game(self, game: u64) -> Location {
        Location { game: Some(game), ..self }
    }

    /// This place, after so many half-moves of the line.
    #[must_use]
    pub const fn after_ply(self, ply: u32) -> Location {
        Location { ply: Some(ply), ..self }
    }

    /// This place, whose game was counted from `games` on, and whose line and column from `start`.
    #[must_use]
    pub fn counted_from(self, games: u64, start: Place) -> Location {
        let game = self.game.map(|game| game.saturating_add(games));
        let at = Location { game, ..self };
        let (Some(line), Some(column)) = (self.line, self.column) else { return at };
        let place = Place { line, column, ..Place::default() }.counted_from(start);
        at.on_line(place.line, place.column)
    }

    /// This place, at a line and byte of a text.
    #[must_use]
    pub const fn on_line(self, line: u64, column: u64) -> Location {
        Location { line: Some(line), column: Some(column), ..self }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        if !self.file.is_empty() {
            write!(f, ".{}", self.file)?;
            comma = ", ";
        }
        let one_based = [("line", self.line), ("column", self.column)];
        for (word, value) in one_based {
            if let Some(value) = value {
                write!(f, "{comma}{word} {}", value.saturating_add(1))?;
                comma = ", ";
            }
        }
        if let Some(offset) = self.offset {
            write!(f, "{comma}byte {offset}")?;
            comma = ", ";
        }
        for (word, value) in [("game", self.game), ("ply", self.ply.map(u64::from))] {
            if let Some(value) = value {
                write!(f, "{comma}{word} {}", value.saturating_add(1))?;
                comma = ", ";
            }
        }
        if comma.is_empty() { f.write_str("somewhere") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_from_one_for_people() {
        let place = Location::file("sg4").at(499).in_game(11).after_ply(6);
        assert_eq!(place.to_string(), ".sg4, byte 499, game 12, ply 7");
        assert_eq!(Location::file("pgn").on_line(0, 4).to_string(), ".pgn, line 1, column 5");
        assert_eq!(Location::default().to_string(), "somewhere");
    }
}
