//! Scores by the first moves of games.

use chess_core::{Color, Game, Move, Position};

use super::Score;

/// Half-moves that are followed.
const PLIES: usize = 6;
/// Nodes of a tree. Further lines are not followed; their games count in the nodes before.
const MAX_NODES: usize = 1 << 16;

/// The moves from the start position, with the scores of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct LineTree {
    nodes: Vec<Node>,
    roots: Vec<Child>,
}

/// A move and the index of its node.
type Child = (Move, usize);

#[derive(Clone, Debug)]
struct Node {
    m: Move,
    /// The score of the games that end here, or that were not followed further.
    score: Score,
    children: Vec<Child>,
}

/// A first move, or a reply to one, and the line that was played most often after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineScore {
    /// The moves up to the player's first move: `1. e4`, or `1. e4 c5` with Black.
    pub moves: String,
    /// The score of the games with these moves.
    pub score: Score,
    /// The most frequent continuation: `1. e4 c5 2. Nf3 d6 3. d4 cxd4`.
    pub line: String,
    /// Number of games with that line.
    pub line_games: u64,
}

impl LineTree {
    /// Adds a game from the normal start position. Other games have no opening moves.
    pub(super) fn add(&mut self, game: &Game, score: &Score) {
        if game.setup().is_some_and(|setup| !setup.is_usual()) {
            return;
        }
        let mut node = None;
        for m in game.main_line().take(PLIES) {
            let Some(next) = self.child(node, m) else { break };
            node = Some(next);
        }
        if let Some(last) = node.and_then(|node| self.nodes.get_mut(node)) {
            last.score.merge(score);
        }
    }

    fn children(&self, node: Option<usize>) -> &[Child] {
        match node {
            Some(node) => self.nodes.get(node).map_or(&[], |node| &node.children),
            None => &self.roots,
        }
    }

    fn child(&mut self, node: Option<usize>, m: Move) -> Option<usize> {
        if let Some((_, known)) = self.children(node).iter().find(|(known, _)| *known == m) {
            return Some(*known);
        }
        let number = self.nodes.len();
        if number >= MAX_NODES {
            return None;
        }
        self.nodes.push(Node { m, score: Score::default(), children: Vec::new() });
        match node.and_then(|node| self.nodes.get_mut(node)) {
            Some(parent) => parent.children.push((m, number)),
            None => self.roots.push((m, number)),
        }
        Some(number)
    }

    /// Returns the first moves of a player with `color`, the most frequent first.
    pub(super) fn first_moves(&self, color: Color) -> Vec<LineScore> {
        self.summed().lines(color)
    }

    /// Returns a tree in which each node has the score of all games through it.
    fn summed(&self) -> LineTree {
        let mut tree = self.clone();
        // A node comes before its children.
        for number in (0..tree.nodes.len()).rev() {
            let Some((node, after)) =
                tree.nodes.get_mut(number..).and_then(<[Node]>::split_first_mut)
            else {
                continue;
            };
            for (_, child) in &node.children {
                if let Some(child) = after.get(child - number - 1) {
                    node.score.merge(&child.score);
                }
            }
        }
        tree
    }

    /// Implements [`first_moves`](LineTree::first_moves) for a tree from [`summed`](LineTree::summed).
    fn lines(&self, color: Color) -> Vec<LineScore> {
        let mut found: Vec<(Vec<usize>, &Node)> = Vec::new();
        for (_, root) in &self.roots {
            let Some(first) = self.nodes.get(*root) else { continue };
            if color == Color::White {
                found.push((vec![*root], first));
                continue;
            }
            let replies = first
                .children
                .iter()
                .filter_map(|(_, reply)| Some((vec![*root, *reply], self.nodes.get(*reply)?)));
            found.extend(replies);
        }
        // Equally frequent moves keep the order in which they were met first.
        found.sort_by_key(|(_, node)| std::cmp::Reverse(node.score.games));
        let line = |(path, node): (Vec<usize>, &Node)| self.line(path, node.score);
        found.into_iter().map(line).collect()
    }

    fn line(&self, path: Vec<usize>, score: Score) -> LineScore {
        let moves = self.text(&path);
        let (mut path, mut line_games) = (path, score.games);
        let games = |node: usize| self.nodes.get(node).map_or(0, |node| node.score.games);
        loop {
            let children = self.children(path.last().copied());
            let next = children
                .iter()
                .map(|(_, child)| *child)
                .reduce(|best, other| if games(other) > games(best) { other } else { best });
            let Some(next) = next else { break };
            path.push(next);
            line_games = games(next);
        }
        LineScore { moves, score, line: self.text(&path), line_games }
    }

    /// Returns numbered moves in SAN.
    fn text(&self, path: &[usize]) -> String {
        let (mut text, mut position) = (String::new(), Position::start());
        for node in path.iter().filter_map(|node| self.nodes.get(*node)) {
            if !text.is_empty() {
                text.push(' ');
            }
            if position.turn() == Color::White {
                text.push_str(&format!("{}. ", position.fullmove_number()));
            }
            pgn::write_san(&position, node.m, &mut text);
            position.apply(node.m);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use chess_core::GameResult;

    use super::*;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new();
        moves.iter().for_each(|m| game.push_move(m.parse().unwrap()));
        game
    }

    fn score(result: GameResult) -> Score {
        let mut score = Score::default();
        score.add(result, Color::White, None);
        score
    }

    #[test]
    fn first_moves_are_sorted_by_games_with_usual_line() {
        let mut tree = LineTree::default();
        tree.add(&game(&["d2d4"]), &score(GameResult::White));
        tree.add(&game(&["e2e4", "c7c5", "g1f3"]), &score(GameResult::White));
        tree.add(&game(&["e2e4", "e7e5"]), &score(GameResult::Black));
        tree.add(&game(&["e2e4", "c7c5", "b1c3"]), &score(GameResult::Draw));
        tree.add(&game(&[]), &score(GameResult::Draw));
        let white = tree.first_moves(Color::White);
        let texts = |lines: &[LineScore]| -> Vec<(String, u64, String, u64)> {
            lines
                .iter()
                .map(|l| (l.moves.clone(), l.score.games, l.line.clone(), l.line_games))
                .collect()
        };
        let row = |moves: &str, games, line: &str, line_games| {
            (moves.to_owned(), games, line.to_owned(), line_games)
        };
        let e4 = row("1. e4", 3, "1. e4 c5 2. Nf3", 1);
        assert_eq!(texts(&white), [e4, row("1. d4", 1, "1. d4", 1)]);
        assert_eq!(white.first().unwrap().score.half_points(), 3);
        let black = texts(&tree.first_moves(Color::Black));
        let sicilian = row("1. e4 c5", 2, "1. e4 c5 2. Nf3", 1);
        assert_eq!(black, [sicilian, row("1. e4 e5", 1, "1. e4 e5", 1)]);
    }

    #[test]
    fn add_game_from_other_position_is_ignored() {
        let mut tree = LineTree::default();
        let mut study = Game::new();
        study.set_start_fen("7K/8/k1P5/7p/8/8/8/8 w - - 0 1").unwrap();
        study.push_move("h8g7".parse().unwrap());
        tree.add(&study, &score(GameResult::Draw));
        assert_eq!(tree.first_moves(Color::White), []);
    }
}
