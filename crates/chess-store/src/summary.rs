//! What an index tells of a game without the game being read.

use chess_core::{Date, Eco, Elo, GameResult, Header};

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
    /// How its main line begins: the format's number of just these moves, which
    /// [`Reader::opening`](crate::Reader::opening) tells. 0 if the index tells none.
    pub opening: u8,
}

/// Games by their numbers, each with what the index tells of it, if that is what the header says.
pub type Summaries = Vec<(u64, Option<Summary>)>;

/// What statistics count of a game, as far as an index tells, in few bytes: bases have millions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The number of the game.
    pub game: u64,
    /// See [`Summary::opening`]. If it is 0, nothing else need be told.
    pub opening: u8,
    /// How it ended.
    pub result: GameResult,
    /// The year it was played; 0 if unknown.
    pub year: u16,
    /// White's Elo rating and Black's.
    pub elo: [Option<Elo>; 2],
}

impl Outcome {
    /// A game of which the index tells nothing.
    #[must_use]
    #[inline]
    pub const fn new(game: u64) -> Outcome {
        Outcome { game, opening: 0, result: GameResult::Unknown, year: 0, elo: [None; 2] }
    }

    /// What a summary says of it.
    #[must_use]
    pub fn of(game: u64, summary: &Summary) -> Outcome {
        let Summary { opening, result, date, white_elo, black_elo, .. } = *summary;
        let year = date.year().unwrap_or(0);
        Outcome { game, opening, result, year, elo: [white_elo, black_elo] }
    }
}

impl From<&(u64, Option<Summary>)> for Outcome {
    /// Of one of some [`Summaries`].
    fn from((game, summary): &(u64, Option<Summary>)) -> Outcome {
        match summary {
            Some(summary) => Outcome::of(*game, summary),
            None => Outcome::new(*game),
        }
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
