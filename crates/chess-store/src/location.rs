//! Locations in the files of a base.

use std::fmt;

/// A location in a base: file, byte, game and ply.
///
/// All values count from zero. [`Display`](fmt::Display) shows games, plies, lines and columns
/// counted from one, and byte offsets from zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Location {
    /// The file, named by its usual extension, such as `"sg4"`. Empty if unknown.
    pub file: &'static str,
    /// Absolute byte offset in that file.
    pub offset: Option<u64>,
    /// Game number, from zero.
    pub game: Option<u64>,
    /// Number of plies played on the line before this location.
    pub ply: Option<u32>,
    /// Line of a text file, from zero.
    pub line: Option<u64>,
    /// Byte in that line, from zero.
    pub column: Option<u64>,
}

impl Location {
    /// Creates a location in a file, without an offset.
    #[must_use]
    pub const fn file(file: &'static str) -> Location {
        Location { file, offset: None, game: None, ply: None, line: None, column: None }
    }

    /// Adds a byte offset.
    #[must_use]
    pub const fn at(self, offset: u64) -> Location {
        Location { offset: Some(offset), ..self }
    }

    /// Adds a game number, from zero.
    #[must_use]
    pub const fn in_game(self, game: u64) -> Location {
        Location { game: Some(game), ..self }
    }

    /// Adds the number of plies played on the line.
    #[must_use]
    pub const fn after_ply(self, ply: u32) -> Location {
        Location { ply: Some(ply), ..self }
    }

    /// Converts a location relative to a block into an absolute one. `games` is the number of games
    /// before the block, and `start` is where the block begins.
    #[must_use]
    pub fn counted_from(self, games: u64, start: Place) -> Location {
        let game = self.game.map(|game| game.saturating_add(games));
        let at = Location { game, ..self };
        let (Some(line), Some(column)) = (self.line, self.column) else { return at };
        let place = Place { line, column, ..Place::default() }.counted_from(start);
        at.on_line(place.line, place.column)
    }

    /// Adds a line and a column in bytes, both from zero.
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

/// A place in a stream. All values count from zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Number of bytes before it.
    pub offset: u64,
    /// Number of lines before it.
    pub line: u64,
    /// Number of bytes before it in its line.
    pub column: u64,
}

impl Place {
    /// Converts a line and column relative to `start` into absolute ones.
    #[must_use]
    pub fn counted_from(self, start: Place) -> Place {
        let column = if self.line == 0 { start.column } else { 0 };
        Place {
            line: self.line.saturating_add(start.line),
            column: self.column.saturating_add(column),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_counts_games_and_lines_from_one() {
        let place = Location::file("sg4").at(499).in_game(11).after_ply(6);
        assert_eq!(place.to_string(), ".sg4, byte 499, game 12, ply 7");
        assert_eq!(Location::file("pgn").on_line(0, 4).to_string(), ".pgn, line 1, column 5");
        assert_eq!(Location::default().to_string(), "somewhere");
    }
}
