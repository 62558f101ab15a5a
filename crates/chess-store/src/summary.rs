//! What an index says of a game that has not been decoded.

use chess_core::{Date, Eco, Elo, GameResult, Header};

/// What the index says of a game; see [`Reader::summarize`](crate::Reader::summarize).
///
/// Its values are those of the game's header. What it says of the moves is as true as the program
/// that wrote the base made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IndexSummary {
    /// The ids of its names, by [`NameField`]; [`Reader::name`](crate::Reader::name) resolves them.
    pub names: [u32; 5],
    /// How it ended.
    pub result: GameResult,
    /// When it was played.
    pub date: Date,
    /// White's Elo rating.
    pub white_elo: Option<Elo>,
    /// Black's Elo rating.
    pub black_elo: Option<Elo>,
    /// Opening code.
    pub eco: Option<Eco>,
    /// Whether it is marked as deleted.
    pub deleted: bool,
    /// What the game holds beside moves from the usual start position; `None` if the index does not
    /// say.
    pub features: Option<Features>,
    /// The format's code of the moves with which the main line begins;
    /// [`Reader::opening_moves`](crate::Reader::opening_moves) lists them. 0 if there is none.
    pub opening: u8,
}

/// What statistics count of a game, as far as the index says. It is small, because bases have
/// millions of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StatRow {
    /// The number of the game.
    pub game: u64,
    /// See [`IndexSummary::opening`]. If it is 0, the other fields may be missing.
    pub opening: u8,
    /// How it ended.
    pub result: GameResult,
    /// The year it was played; 0 if unknown.
    pub year: u16,
    /// White's Elo rating and Black's.
    pub elo: [Option<Elo>; 2],
}

impl StatRow {
    /// A game of which the index says nothing.
    #[must_use]
    #[inline]
    pub const fn new(game: u64) -> StatRow {
        StatRow { game, opening: 0, result: GameResult::Unknown, year: 0, elo: [None; 2] }
    }

    /// The row of a game with this summary.
    #[must_use]
    pub fn of(game: u64, summary: &IndexSummary) -> StatRow {
        let IndexSummary { opening, result, date, white_elo, black_elo, .. } = *summary;
        let year = date.year().unwrap_or(0);
        StatRow { game, opening, result, year, elo: [white_elo, black_elo] }
    }
}

/// What a game has beside the moves of its main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// A start position of its own.
    pub set_up: bool,
    /// A variation.
    pub variations: bool,
    /// A comment that is not empty.
    pub comments: bool,
    /// A glyph.
    pub nags: bool,
}

impl IndexSummary {
    /// The id of a name.
    #[must_use]
    pub fn name(&self, field: NameField) -> u32 {
        self.names.get(field as usize).copied().unwrap_or(0)
    }

    /// Copies all fields but the names to `header`.
    pub fn fill(&self, header: &mut Header) {
        header.result = self.result;
        header.date = self.date;
        header.white_elo = self.white_elo;
        header.black_elo = self.black_elo;
        header.eco = self.eco;
        header.deleted = self.deleted;
    }
}

/// The names of a header.
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
