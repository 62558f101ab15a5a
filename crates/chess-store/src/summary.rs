//! Index data of games that have not been decoded.

use chess_core::{Date, Eco, Elo, GameResult, Header};

/// The index data of a game; see [`Reader::summarize`](crate::Reader::summarize).
///
/// The values equal the values in the game's header. The data about the moves is only as reliable as the
/// program that wrote the base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IndexSummary {
    /// The ids of the names, by [`NameField`]. [`Reader::name`](crate::Reader::name) resolves them.
    pub names: [u32; 5],
    /// The result.
    pub result: GameResult,
    /// The date.
    pub date: Date,
    /// White's Elo rating.
    pub white_elo: Option<Elo>,
    /// Black's Elo rating.
    pub black_elo: Option<Elo>,
    /// Whether the header of a game without a rating here has no tag `WhiteElo` or `BlackElo` either.
    pub has_every_elo: bool,
    /// Opening code.
    pub eco: Option<Eco>,
    /// Length of the main line in full moves: a move of White and a move of Black count as one. `None` if
    /// the index does not say, or if its other fields raise doubts.
    pub moves: Option<u32>,
    /// Whether the game is marked as deleted.
    pub deleted: bool,
    /// The kinds of content beside moves from the standard start position. `None` if the index does
    /// not say.
    pub features: Option<Features>,
    /// The format's code for the first moves of the main line.
    /// [`Reader::opening_moves`](crate::Reader::opening_moves) returns these moves. 0 if there is
    /// no code.
    pub opening: u8,
}

/// The data for statistics of a game, as far as the index has it. The struct is small, because
/// bases have millions of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StatRow {
    /// The number of the game.
    pub game: u64,
    /// See [`IndexSummary::opening`]. If it is 0, the other fields may be missing.
    pub opening: u8,
    /// The result.
    pub result: GameResult,
    /// The year. 0 if unknown.
    pub year: u16,
    /// The Elo ratings of White and Black.
    pub elo: [Option<Elo>; 2],
}

impl StatRow {
    /// Creates the row of a game without index data.
    #[must_use]
    #[inline]
    pub const fn new(game: u64) -> StatRow {
        StatRow { game, opening: 0, result: GameResult::Unknown, year: 0, elo: [None; 2] }
    }

    /// Creates the row of a game with this summary.
    #[must_use]
    pub fn of(game: u64, summary: &IndexSummary) -> StatRow {
        let IndexSummary { opening, result, date, white_elo, black_elo, .. } = *summary;
        let year = date.year().unwrap_or(0);
        StatRow { game, opening, result, year, elo: [white_elo, black_elo] }
    }
}

/// The kinds of content of a game beside the moves of its main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Features {
    /// A custom start position.
    pub set_up: bool,
    /// A variation.
    pub variations: bool,
    /// A comment with text.
    pub comments: bool,
    /// A NAG.
    pub nags: bool,
}

impl IndexSummary {
    /// Returns the id of a name.
    #[must_use]
    pub fn name(&self, field: NameField) -> u32 {
        self.names.get(field as usize).copied().unwrap_or(0)
    }

    /// Copies all fields except the names to `header`.
    pub fn fill(&self, header: &mut Header) {
        header.result = self.result;
        header.date = self.date;
        header.white_elo = self.white_elo;
        header.black_elo = self.black_elo;
        header.eco = self.eco;
        header.deleted = self.deleted;
    }
}

/// The name fields of a header. The enum is complete: a format names a list for each. White and Black have
/// one list, so an id means the same player in both fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
#[repr(u8)]
pub enum NameField {
    White = 0,
    Black = 1,
    Event = 2,
    Site = 3,
    Round = 4,
}
