//! What an index tells of a game without the game being read.

use chess_core::{Date, Eco, Elo, GameResult, Header, Move};

/// What an index tells of a game, in numbers; see [`Reader::summary`](crate::Reader::summary).
///
/// It says what the game's header says, and of its moves what the index keeps of them: that is as
/// true as whoever wrote the base made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The numbers of its names, by [`NameField`]; see [`Reader::name`](crate::Reader::name).
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
    /// What else it has than moves from the usual start position; `None` if the index does not tell.
    pub features: Option<Features>,
    /// How its main line begins.
    pub opening: Opening,
}

/// What is asked of many games, and the answers.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    /// Games by their numbers, each with what the index tells of it, if that is what the header says.
    pub games: Vec<(u64, Option<Summary>)>,
    /// Only result, date, ratings and opening are asked for; other fields may stay as in a new
    /// summary.
    pub briefly: bool,
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

impl Summary {
    /// The number of a name.
    #[must_use]
    pub fn name(&self, field: NameField) -> u32 {
        self.names.get(field as usize).copied().unwrap_or(0)
    }

    /// Gives a header the fields that are no names.
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

/// The first moves of a game from the usual start position, as far as an index tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Opening {
    /// The format's number of just these moves: games of one number have the same. 0 if the index
    /// tells none.
    pub code: u8,
    /// The moves.
    pub moves: &'static [Move],
}

impl Opening {
    /// These moves, under the format's number for them.
    #[must_use]
    pub fn new(code: u8, moves: &'static [Move]) -> Opening {
        Opening { code, moves }
    }
}
