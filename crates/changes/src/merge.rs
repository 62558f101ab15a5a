//! Games become one game with variations.

use std::cmp::Reverse;
use std::collections::HashMap;

use chess_core::{Color, Game, LineError, Move, MoveTree, Position, Token, zobrist};

/// How games are merged.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct MergeOptions {
    /// Whether a position is continued only once, after its most played way. Where another way
    /// leads into it, a comment says so.
    pub by_positions: bool,
    /// A comment after each move has the number of games and the score of its side.
    pub counts: bool,
    /// Moves of fewer games are left out. With 0, the variations of the games are merged too.
    pub min_games: u64,
    /// Moves with which their side scored less, in percent of the points, are left out.
    pub min_score: f64,
}

impl Default for MergeOptions {
    /// All moves, by order of moves, without comments.
    fn default() -> MergeOptions {
        MergeOptions { by_positions: false, counts: false, min_games: 0, min_score: 0.0 }
    }
}

/// Merges the lines of games. The most played move comes first, then the one that came first.
///
/// ```
/// use chess_core::Game;
/// use changes::merge::{MergeOptions, Merger};
///
/// let mut merger = Merger::new(MergeOptions::default());
/// for line in ["e2e4 e7e5", "e2e4 c7c5", "e2e4 c7c5"] {
///     let mut game = Game::new();
///     line.split(' ').for_each(|m| game.push_move(m.parse().unwrap()));
///     merger.add(&game);
/// }
/// let game = merger.finish()?;
/// let moves: Vec<String> = game.main_line().map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["e2e4", "c7c5"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Merger {
    options: MergeOptions,
    start: Option<Position>,
    tree: MoveTree<Stats>,
    games: u64,
}

/// The games of a move.
#[derive(Clone, Copy, Debug, Default)]
struct Stats {
    games: u64,
    half_points: u64,
    decided: u64,
}

impl Stats {
    fn add(&mut self, other: Stats) {
        self.games += other.games;
        self.half_points += other.half_points;
        self.decided += other.decided;
    }

    /// Returns the score in percent.
    #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
    fn score(self) -> Option<f64> {
        (self.decided > 0).then(|| self.half_points as f64 * 50.0 / self.decided as f64)
    }

    fn is_kept(self, options: &MergeOptions) -> bool {
        self.games >= options.min_games
            && (options.min_score <= 0.0
                || self.score().is_some_and(|score| score >= options.min_score))
    }
}

/// A move of the merged game, and what its comment says.
#[derive(Clone, Debug, Default)]
struct Merged {
    stats: Stats,
    /// The line, in SAN, that reaches the position first.
    transposes: Option<String>,
}

impl Merger {
    /// Creates a merger without games.
    #[must_use]
    pub fn new(options: MergeOptions) -> Merger {
        Merger { options, start: None, tree: MoveTree::new(), games: 0 }
    }

    /// Merges a game. Returns `false`, and leaves the game out, if it begins at another position than
    /// the first game, or if its boards are not known.
    pub fn add(&mut self, game: &Game) -> bool {
        let start = game.start_position();
        if *self.start.get_or_insert(start) != start || !game.variant().keeps_boards() {
            return false;
        }
        let (result, turn) = (game.header.result, start.turn());
        let with_variations = self.options.min_games == 0;
        let mut side = turn;
        let mut add = |stats: &mut Stats, token: Token<'_>, is_main: bool| {
            if !matches!(token, Token::Move(_)) || !is_main {
                return;
            }
            let points = result.half_points(side);
            stats.add(Stats {
                games: 1,
                half_points: points.unwrap_or(0),
                decided: u64::from(points.is_some()),
            });
            side = !side;
        };
        if with_variations {
            self.tree.add_game(game, add);
        } else {
            let mut parent = MoveTree::<Stats>::ROOT;
            for m in game.main_line() {
                parent = self.tree.child(parent, m);
                if let Some(node) = self.tree.node_mut(parent) {
                    add(&mut node.data, Token::Move(m), true);
                }
            }
        }
        self.games += 1;
        true
    }

    /// Returns the merged game. Its tags are for the caller to set.
    ///
    /// # Errors
    /// The game has no room for the variations.
    pub fn finish(self) -> Result<Game, LineError> {
        let start = self.start.unwrap_or_else(Position::start);
        let mut game = Game::new();
        if start != Position::start() {
            game.set_start(start);
        }
        let mut tree =
            if self.options.by_positions { self.by_positions(&start) } else { self.by_moves() };
        tree.sort_by_key(|node| Reverse(node.data.stats.games));
        let counts = self.options.counts;
        tree.write_line(&mut game, |game, node| {
            let mut parts = Vec::new();
            let stats = node.data.stats;
            if counts && stats.games > 0 {
                let score = stats.score().map(|score| format!(", {score:.1}%")).unwrap_or_default();
                let one = if stats.games == 1 { "game" } else { "games" };
                parts.push(format!("{} {one}{score}", stats.games));
            }
            parts.extend(node.data.transposes.as_ref().map(|line| format!("transposes to {line}")));
            if parts.is_empty() { Ok(()) } else { game.push_comment(&parts.join("; ")) }
        })?;
        Ok(game)
    }

    /// Returns the kept moves, each after its order of moves.
    fn by_moves(&self) -> MoveTree<Merged> {
        let mut kept: MoveTree<Merged> = MoveTree::new();
        let mut waiting = vec![(MoveTree::<Stats>::ROOT, MoveTree::<Merged>::ROOT)];
        while let Some((from, to)) = waiting.pop() {
            for (id, node) in self.tree.children(from) {
                if node.data.is_kept(&self.options) {
                    let child = kept.child(to, node.m);
                    if let Some(child) = kept.node_mut(child) {
                        child.data.stats = node.data;
                    }
                    waiting.push((id, child));
                }
            }
        }
        kept
    }

    /// Returns the kept moves, each position continued once.
    fn by_positions(&self, start: &Position) -> MoveTree<Merged> {
        // The moves of each position, in the order of the tree.
        let mut moves: HashMap<u64, Vec<(Move, Stats)>> = HashMap::new();
        let mut waiting = vec![(MoveTree::<Stats>::ROOT, *start)];
        while let Some((from, position)) = waiting.pop() {
            let known = moves.entry(zobrist(&position)).or_default();
            for (_, node) in self.tree.children(from) {
                match known.iter_mut().find(|(m, _)| *m == node.m) {
                    Some((_, stats)) => stats.add(node.data),
                    None => known.push((node.m, node.data)),
                }
            }
            for (id, node) in self.tree.children(from) {
                let mut after = position;
                after.apply(node.m);
                waiting.push((id, after));
            }
        }
        let mut kept: MoveTree<Merged> = MoveTree::new();
        let mut reached: HashMap<u64, String> = HashMap::from([(zobrist(start), String::new())]);
        // Breadth first, the most played first, so that a position is continued after a short way.
        let mut layer = vec![(MoveTree::<Merged>::ROOT, *start, String::new())];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for (to, position, line) in layer {
                let mut here = moves.get(&zobrist(&position)).cloned().unwrap_or_default();
                here.retain(|(_, stats)| stats.is_kept(&self.options));
                here.sort_by_key(|(_, stats)| Reverse(stats.games));
                for (m, stats) in here {
                    let id = kept.child(to, m);
                    let mut after = position;
                    after.apply(m);
                    let key = zobrist(&after);
                    let known = reached.get(&key).cloned();
                    let continues = moves.get(&key).is_some_and(|moves| !moves.is_empty());
                    if let Some(node) = kept.node_mut(id) {
                        node.data.stats = stats;
                        node.data.transposes = known.clone().filter(|_| continues);
                    }
                    if known.is_none() {
                        let line = with_move(&line, &position, m);
                        reached.insert(key, line.clone());
                        next.push((id, after, line));
                    }
                }
            }
            layer = next;
        }
        kept
    }
}

/// Returns a line with one more move, numbered.
fn with_move(line: &str, position: &Position, m: Move) -> String {
    let mut one = Game::new();
    one.set_start(*position);
    one.push_move(m);
    let san = query::columns::san(&one);
    let number = position.fullmove_number();
    match (position.turn(), line.is_empty()) {
        (Color::White, true) => format!("{number}. {san}"),
        (Color::White, false) => format!("{line} {number}. {san}"),
        (Color::Black, true) => format!("{number}... {san}"),
        (Color::Black, false) => format!("{line} {san}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(options: MergeOptions, games: &[&str]) -> String {
        let mut merger = Merger::new(options);
        for text in games {
            assert!(merger.add(&pgn::read_all(text).unwrap().remove(0)));
        }
        let text = pgn::to_string(&merger.finish().unwrap());
        text.split("\n\n").nth(1).unwrap().replace('\n', " ")
    }

    const GAMES: [&str; 4] =
        ["1. d4 Nf6 2. c4 e6 1-0", "1. c4 Nf6 2. d4 g6 0-1", "1. c4 e5 1/2-1/2", "1. c4 e5 1-0"];

    #[test]
    fn merge_by_moves_holds_each_line() {
        let text = merged(MergeOptions::default(), &GAMES);
        assert_eq!(text, "1. c4 (1. d4 Nf6 2. c4 e6) 1... e5 (1... Nf6 2. d4 g6) *");
        let options = MergeOptions { counts: true, min_games: 2, ..MergeOptions::default() };
        assert_eq!(merged(options, &GAMES), "1. c4 {3 games, 50.0%} 1... e5 {2 games, 25.0%} *");
        let options = MergeOptions { min_score: 60.0, ..MergeOptions::default() };
        assert_eq!(merged(options, &GAMES), "1. d4 *");
    }

    #[test]
    fn merge_by_positions_marks_transpositions() {
        let options = MergeOptions { by_positions: true, ..MergeOptions::default() };
        let text = merged(options, &GAMES);
        assert_eq!(
            text,
            "1. c4 (1. d4 Nf6 2. c4 {transposes to 1. c4 Nf6 2. d4}) 1... e5 (1... Nf6 2. d4 g6 (2... e6)) *"
        );
    }

    #[test]
    fn merge_of_variations_keeps_them_unless_games_are_counted() {
        let game = ["1. e4 (1. d4 d5) 1... e5 *"];
        assert_eq!(merged(MergeOptions::default(), &game), "1. e4 (1. d4 d5) 1... e5 *");
        let options = MergeOptions { min_games: 1, ..MergeOptions::default() };
        assert_eq!(merged(options, &game), "1. e4 e5 *");
    }
}
