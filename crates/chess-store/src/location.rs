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

/// The counts of everything before a block in its stream. Only the reader of the blocks knows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BlockStart {
    /// The number of games before the block.
    pub games: u64,
    /// The place where the block before it ends.
    pub after: Place,
}

/// A value whose game numbers, lines and columns are relative to a block of a stream. Byte offsets
/// are absolute.
///
/// Any thread can parse a block before the games and lines of earlier blocks are counted. Its results
/// have this type, so that they cannot be taken for places in the stream. The reader of the blocks
/// [converts](InBlock::in_stream) them.
///
/// ```
/// use chess_store::{BlockStart, InBlock, Location, Place};
///
/// let at = InBlock::new(Location::file("pgn").at(250).on_line(0, 4).in_game(1));
/// let start = BlockStart { games: 7, after: Place { offset: 240, line: 20, column: 6 } };
/// assert_eq!(at.in_stream(start), Location::file("pgn").at(250).on_line(20, 10).in_game(8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct InBlock<T>(T);

/// A value that holds [locations](Location), and can say where they are in the stream instead of in
/// a block.
pub trait Locate: Sized {
    /// Replaces each location by the result of `change`.
    #[doc(hidden)]
    fn relocate(self, change: &dyn Fn(Location) -> Location) -> Self;
}

impl Locate for Location {
    fn relocate(self, change: &dyn Fn(Location) -> Location) -> Location {
        change(self)
    }
}

impl<T> InBlock<T> {
    /// Marks a value whose locations are relative to a block.
    pub const fn new(value: T) -> InBlock<T> {
        InBlock(value)
    }

    /// Returns the value with locations in the block, for the parser of the block.
    #[must_use]
    pub const fn relative(&self) -> &T {
        &self.0
    }

    /// Returns the value with locations in the block, for the parser of the block.
    pub const fn relative_mut(&mut self) -> &mut T {
        &mut self.0
    }

    /// Returns the value with locations in the block, to become part of another such value.
    #[must_use]
    pub fn into_relative(self) -> T {
        self.0
    }

    /// Applies `change` to the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> InBlock<U> {
        InBlock(change(self.0))
    }
}

impl<T: Locate> InBlock<T> {
    /// Converts the locations to locations in the stream. `start` is the start of the block.
    #[must_use]
    pub fn in_stream(self, start: BlockStart) -> T {
        if start == BlockStart::default() {
            return self.0;
        }
        self.0.relocate(&|at| {
            let game = at.game.map(|game| game.saturating_add(start.games));
            let at = Location { game, ..at };
            let (Some(line), Some(column)) = (at.line, at.column) else { return at };
            let place = InBlock(Place { line, column, ..Place::default() }).place_in_stream(start);
            at.on_line(place.line, place.column)
        })
    }

    /// Replaces the locations by the result of `place`, for a block that is no part of a stream.
    #[must_use]
    pub fn outside(self, place: impl Fn(Location) -> Location) -> T {
        self.0.relocate(&place)
    }
}

impl InBlock<u64> {
    /// Returns the number in the stream of a game with this number in the block.
    #[must_use]
    #[inline]
    pub const fn number_in_stream(self, start: BlockStart) -> u64 {
        self.0.saturating_add(start.games)
    }
}

impl InBlock<Place> {
    /// Creates the place of the first byte of a block, at `offset` in the stream.
    pub const fn at(offset: u64) -> InBlock<Place> {
        InBlock(Place { offset, line: 0, column: 0 })
    }

    /// Returns the number of bytes before the place in the stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.0.offset
    }

    /// Returns the place in the stream. `start` is the start of the block.
    #[must_use]
    pub fn place_in_stream(self, start: BlockStart) -> Place {
        let Place { offset, line, column } = self.0;
        let before = if line == 0 { start.after.column } else { 0 };
        let line = line.saturating_add(start.after.line);
        Place { offset, line, column: column.saturating_add(before) }
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

    #[test]
    fn in_stream_second_line_of_block_keeps_column() {
        let after = Place { offset: 90, line: 4, column: 7 };
        let start = BlockStart { games: 2, after };
        let convert =
            |line, column| InBlock::new(Place { offset: 99, line, column }).place_in_stream(start);
        assert_eq!(convert(0, 3), Place { offset: 99, line: 4, column: 10 });
        assert_eq!(convert(1, 3), Place { offset: 99, line: 5, column: 3 });
        // A location without a game or a line gets none.
        let at = Location::file("pgn").at(99);
        assert_eq!(InBlock::new(at).in_stream(start), at);
    }
}
