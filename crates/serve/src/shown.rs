//! An opening tree as the page shows it.

use scoresheet::chess_core::{CastlingSide, Color, Move, Position, Square};
use scoresheet::openings::Opening;
use scoresheet::pgn::San;
use scoresheet::tree::{Branch, Stats, Tree};
use serde::Serialize;

/// The moves that were played in a position.
#[derive(Debug, Serialize)]
pub struct ShownTree {
    #[serde(flatten)]
    counts: Counts,
    opening: Option<OpeningName>,
    branches: Vec<ShownBranch>,
}

#[derive(Debug, Serialize)]
struct ShownBranch {
    #[serde(flatten)]
    played: PlayedMove,
    fen: String,
    opening: Option<OpeningName>,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Debug, Serialize)]
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

/// A move of a game or a tree.
#[derive(Debug, Serialize)]
pub struct PlayedMove {
    san: String,
    /// The move number: `12.` or `12...`
    number: String,
    /// The squares from which and to which the piece moves.
    marks: [String; 2],
}

/// The name of an opening.
#[derive(Debug, Serialize)]
pub struct OpeningName {
    eco: String,
    name: &'static str,
}

impl From<Opening> for OpeningName {
    fn from(opening: Opening) -> OpeningName {
        OpeningName { eco: opening.eco().to_string(), name: opening.name() }
    }
}

impl ShownTree {
    /// Describes the tree of the position `fen`. The games may know more of the position than `fen` does, such
    /// as the castling rights.
    #[must_use]
    pub fn new(fen: &str, tree: &Tree) -> ShownTree {
        let position = Position::from_fen(fen).unwrap_or(tree.position);
        let branch = |branch| ShownBranch::new(&position, branch);
        ShownTree {
            counts: Counts::new(&tree.stats, position.turn()),
            opening: Opening::at(&position).map(OpeningName::from),
            branches: tree.branches.iter().map(branch).collect(),
        }
    }
}

impl ShownBranch {
    fn new(position: &Position, branch: &Branch) -> ShownBranch {
        let mut after = *position;
        after.apply(branch.m);
        let number = position.fullmove_number().into();
        ShownBranch {
            played: PlayedMove::new(position, branch.m, &after, number),
            fen: after.to_fen(),
            opening: Opening::at(&after).map(OpeningName::from),
            counts: Counts::new(&branch.stats, branch.mover(position)),
        }
    }
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

impl PlayedMove {
    /// Describes a move. `fullmove` is its number; a position cannot count the moves of very long
    /// games.
    #[must_use]
    pub fn new(before: &Position, m: Move, after: &Position, fullmove: u32) -> PlayedMove {
        let dots = if before.turn() == Color::White { "." } else { "..." };
        PlayedMove {
            san: San::between(before, m, after).as_str().to_owned(),
            number: format!("{fullmove}{dots}"),
            marks: [m.from().to_string(), landing(before, m).to_string()],
        }
    }
}

/// Returns the square where the moving piece ends. In a castling move the target is the rook's
/// square.
#[must_use]
pub fn landing(before: &Position, m: Move) -> Square {
    let file = match before.castling_side(m) {
        Some(CastlingSide::King) => 6,
        Some(CastlingSide::Queen) => 2,
        None => return m.to(),
    };
    Square::at(file, m.from().rank()).unwrap_or(m.to())
}
