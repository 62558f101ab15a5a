//! The opening tree of the selected games.

use scoresheet::Database;
use scoresheet::chess_core::{Color, Position};
use scoresheet::filter::{PositionPattern, QueryError, Unanswered};
use scoresheet::openings::Opening;
use scoresheet::tree::{Branch, Explorer, Stats, Tree};
use serde::Serialize;

use crate::game::{self, Named};

/// A count in progress.
pub(crate) struct Count {
    explorer: Explorer,
    /// The position as given. The games may know more of it, such as the castling rights.
    position: Option<Position>,
    next: u64,
}

/// The progress of the count.
#[derive(Serialize)]
pub(crate) struct Progress {
    done: bool,
    looked: u64,
    /// The result, at the end.
    #[serde(flatten)]
    tree: Option<Shown>,
}

/// The moves that were played in a position.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    counts: Counts,
    opening: Option<Named>,
    branches: Vec<ShownBranch>,
}

#[derive(Serialize)]
struct ShownBranch {
    #[serde(flatten)]
    played: game::PlayedMove,
    fen: String,
    opening: Option<Named>,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct Counts {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// The score of the side to move, from 0 to 1.
    score: Option<f64>,
    /// The mean rating of the side to move.
    elo: Option<u32>,
    performance: Option<u32>,
    years: Option<[u16; 2]>,
}

impl Counts {
    fn new(stats: &Stats, turn: Color) -> Counts {
        let Stats { games, white, draws, black, .. } = *stats;
        Counts {
            games,
            white,
            draws,
            black,
            score: stats.score(turn),
            elo: stats.elo(),
            performance: stats.performance(),
            years: stats.first_year.zip(stats.last_year).map(|(first, last)| [first, last]),
        }
    }
}

impl Count {
    /// Starts to count the moves after a position in the games `found`, or in all games.
    pub(crate) fn new(fen: &str, found: Option<&[u32]>) -> Result<Count, QueryError> {
        let mut explorer = Explorer::new(PositionPattern::parse(fen)?);
        if let Some(found) = found {
            explorer =
                explorer.only(found.iter().map(|number| u64::from(*number)).collect::<Vec<_>>());
        }
        Ok(Count { explorer, position: Position::from_fen(fen).ok(), next: 0 })
    }

    /// Counts the next `count` games. Returns the progress, and whether it is the last.
    pub(crate) fn go_on(
        &mut self,
        database: &dyn Database,
        count: u64,
    ) -> Result<Progress, Unanswered> {
        let len = database.len();
        let end = self.next.saturating_add(count).min(len);
        self.explorer.add_range(&mut *database.reader(), self.next..end)?;
        self.next = end;
        Ok(Progress { done: end == len, looked: end, tree: None })
    }

    /// Ends the count.
    pub(crate) fn finish(self) -> Progress {
        let tree = self.explorer.finish();
        let position = self.position.unwrap_or(tree.position);
        let looked = self.next;
        Progress { done: true, looked, tree: Some(Shown::new(&position, &tree)) }
    }
}

impl Progress {
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }
}

impl Shown {
    fn new(position: &Position, tree: &Tree) -> Shown {
        Shown {
            counts: Counts::new(&tree.stats, position.turn()),
            opening: Opening::at(position).map(Named::from),
            branches: tree
                .branches
                .iter()
                .map(|branch| ShownBranch::new(position, branch))
                .collect(),
        }
    }
}

impl ShownBranch {
    fn new(position: &Position, branch: &Branch) -> ShownBranch {
        let mut after = *position;
        after.apply(branch.m);
        ShownBranch {
            played: game::PlayedMove::new(
                position,
                branch.m,
                &after,
                position.fullmove_number().into(),
            ),
            fen: after.to_fen(),
            opening: Opening::at(&after).map(Named::from),
            counts: Counts::new(&branch.stats, branch.mover(position)),
        }
    }
}
