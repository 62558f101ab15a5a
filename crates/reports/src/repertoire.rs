//! Compares games with a repertoire: answers that it lacks, and lines that no game follows.

use chess_core::{Color, Game, Move};
use query::{Following, Repertoire, RepertoireNode};

/// Counts the moves of games in the positions of a repertoire.
///
/// ```
/// # let games: [chess_core::Game; 0] = [];
/// use query::Repertoire;
/// use reports::repertoire::Survey;
///
/// let mut survey = Survey::new(Repertoire::parse("1. e4 e5 (1... c5) 2. Nf3 *")?);
/// for game in &games {
///     survey.add(game);
/// }
/// println!("{} answers are missing", survey.gaps(None, 2).len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    repertoire: Repertoire,
    /// The moves played in each position.
    played: Vec<Vec<Played>>,
    counts: Counts,
}

/// How many games follow a repertoire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// All games.
    pub games: u64,
    /// Games that play no move from a position of the repertoire.
    pub apart: u64,
    /// Games that follow it to their end, or to the end of a line.
    pub stay: u64,
    /// Games that White leaves.
    pub left_by_white: u64,
    /// Games that Black leaves.
    pub left_by_black: u64,
}

/// A move in a position of the repertoire, and the games that played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Played {
    /// The move.
    pub m: Move,
    /// The games.
    pub games: u64,
    /// The half points of the mover, in games with a result.
    pub half_points: u64,
    /// Games with a result.
    pub decided: u64,
}

/// An answer that games played and the repertoire lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Gap {
    /// The number of the position among [`Repertoire::nodes`].
    pub node: u32,
    /// The answer.
    pub played: Played,
}

impl Survey {
    /// Creates a survey without games.
    #[must_use]
    pub fn new(repertoire: Repertoire) -> Survey {
        let played = vec![Vec::new(); repertoire.nodes().len()];
        Survey { repertoire, played, counts: Counts::default() }
    }

    /// Returns the repertoire.
    #[must_use]
    pub fn repertoire(&self) -> &Repertoire {
        &self.repertoire
    }

    /// Counts a game. A move counts once in a game for each position.
    pub fn add(&mut self, game: &Game) -> Following {
        let mut position = game.start_position();
        let mut seen: Vec<u32> = Vec::new();
        for m in game.main_line() {
            let found = self.repertoire.find(&position).filter(|(_, node)| !node.moves.is_empty());
            if let Some((node, _)) = found
                && !seen.contains(&node)
            {
                seen.push(node);
                let points = game.header.result.half_points(position.turn());
                self.count(node, m, points);
            }
            position.apply(m);
        }
        let following = self.repertoire.follow(game);
        let start = game.start_position().turn();
        let counter = match following {
            Following::Apart => &mut self.counts.apart,
            Following::Stays => &mut self.counts.stay,
            Following::Leaves { ply, .. } if (ply % 2 == 0) == (start == Color::White) => {
                &mut self.counts.left_by_white
            }
            Following::Leaves { .. } => &mut self.counts.left_by_black,
        };
        *counter += 1;
        self.counts.games += 1;
        following
    }

    fn count(&mut self, node: u32, m: Move, points: Option<u64>) {
        let Some(moves) = self.played.get_mut(node as usize) else { return };
        if !moves.iter().any(|played| played.m == m) {
            moves.push(Played { m, games: 0, half_points: 0, decided: 0 });
        }
        if let Some(played) = moves.iter_mut().find(|played| played.m == m) {
            played.games += 1;
            played.half_points += points.unwrap_or(0);
            played.decided += u64::from(points.is_some());
        }
    }

    /// Returns how many games follow the repertoire.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the moves that at least `min_games` games played and the repertoire lacks, in
    /// positions that have moves in the repertoire. With `own`, only the moves of the other side.
    /// The most played come first.
    #[must_use]
    pub fn gaps(&self, own: Option<Color>, min_games: u64) -> Vec<Gap> {
        let mut gaps = Vec::new();
        for (number, node, moves) in self.numbered() {
            if own == Some(node.position.turn()) {
                continue;
            }
            let lacks =
                |played: &&Played| played.games >= min_games && !node.moves.contains(&played.m);
            gaps.extend(
                moves.iter().filter(lacks).map(|played| Gap { node: number, played: *played }),
            );
        }
        gaps.sort_by_key(|gap| std::cmp::Reverse(gap.played.games));
        gaps
    }

    /// Returns the moves of the repertoire that no game played, in positions that a game reached.
    /// Moves after them are not listed.
    #[must_use]
    pub fn unplayed(&self) -> Vec<(u32, Move)> {
        let mut unplayed = Vec::new();
        for (number, node, moves) in self.numbered() {
            if moves.is_empty() {
                continue;
            }
            let lacks = |m: &&Move| !moves.iter().any(|played| played.m == **m);
            unplayed.extend(node.moves.iter().filter(lacks).map(|m| (number, *m)));
        }
        unplayed
    }

    fn numbered(&self) -> impl Iterator<Item = (u32, &RepertoireNode, &[Played])> {
        let numbers = 0u32..;
        let nodes = self.repertoire.nodes().iter().zip(&self.played);
        numbers.zip(nodes).map(|(number, (node, moves))| (number, node, moves.as_slice()))
    }

    /// Returns the first line that reaches a position, as a game.
    #[must_use]
    pub fn line(&self, node: u32) -> Game {
        let nodes = self.repertoire.nodes();
        let (mut moves, mut number, mut start) = (Vec::new(), node, None);
        while let Some(node) = nodes.get(number as usize) {
            let Some((before, m)) = node.before else {
                start = Some(node.position);
                break;
            };
            moves.push(m);
            number = before;
        }
        let mut game = Game::new();
        if let Some(start) = start.filter(|start| *start != chess_core::Position::start()) {
            game.set_start(start);
        }
        moves.iter().rev().for_each(|m| game.push_move(*m));
        game
    }
}
