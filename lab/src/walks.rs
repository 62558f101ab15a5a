//! Writes a base of as many games as wanted whose positions are shared as in real ones: walks in a tree, the next
//! move at each position by a Pitman-Yor process. Copies of a base have another shape: each position is shared.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use scoresheet::chess_core::{Game, Move, Position, zobrist};
use scoresheet::chess_store::{CreateOptions, Diagnostics, Losses};
use scoresheet::pgn::Reader;

use crate::Failure;

const USAGE: &str = "walks GAMES.pgn OUT [--games N] [--seed N]";
const GAMES: u32 = 10_000_000;
/// Fitted to the shared positions of 98,416 games of strong players, without repeats.
const DISCOUNT: f64 = 0.03;
const STRENGTH: f64 = 0.5;
/// The lengths of the games, in half-moves.
const PLIES: std::ops::Range<u64> = 20..140;
const NONE: u32 = u32::MAX;

/// A position that a game reached.
struct Node {
    games: u32,
    /// Index of the first edge, or [`NONE`].
    edge: u32,
    /// The place in the moves of all games where the first game goes on.
    tail: usize,
}

struct Edge {
    m: Move,
    games: u32,
    next: u32,
    /// The place in the moves of all games after the move in its first game.
    tail: usize,
}

/// The positions that two games reached, and the next one of each game. The others are made when a second game comes.
#[derive(Default)]
struct Tree {
    places: HashMap<u64, u32>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The moves of all games, each game's end marked.
    moves: Vec<Option<Move>>,
}

/// Writes the base. Each game has the header of a game of the text, drawn at random.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [games, out, words @ ..] = words else { return Err(USAGE.into()) };
    let (mut count, mut seed) = (GAMES, 1);
    for option in words.chunks(2) {
        match option {
            ["--games", number] => count = number.parse().map_err(|_| USAGE)?,
            ["--seed", number] => seed = number.parse().map_err(|_| USAGE)?,
            _ => return Err(USAGE.into()),
        }
    }
    let mut sources = sources(games)?;
    let mut output = scoresheet::create(out, &CreateOptions::default())?;
    let (mut tree, mut random, mut losses) = (Tree::default(), Random(seed), Losses::new());
    for _ in 0..count {
        let game = random.below(sources.len() as u64);
        let game = &mut sources[usize::try_from(game)?];
        game.clear_line();
        tree.walk(&mut random, game)?;
        output.write(game, &mut losses)?;
    }
    output.finish()?;
    Ok(())
}

/// Returns the games of a text that start at the usual position.
fn sources(path: &str) -> Result<Vec<Game>, Failure> {
    let text = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let (mut reader, mut game) = (Reader::new(&*text), Game::new());
    let mut diagnostics = Diagnostics::lenient();
    let mut games = Vec::new();
    // A damaged game has its header.
    while !matches!(reader.read_game(&mut game, &mut diagnostics), Ok(false)) {
        diagnostics.clear();
        if game.setup().is_none() {
            game.clear_line();
            games.push(game.clone());
        }
    }
    match games.is_empty() {
        true => Err("no games".into()),
        false => Ok(games),
    }
}

impl Tree {
    /// Plays a game.
    fn walk(&mut self, random: &mut Random, game: &mut Game) -> Result<(), Failure> {
        let length = PLIES.start + random.below(PLIES.end - PLIES.start);
        let mut position = Position::start();
        let mut node = self.reach(&position, 0)?;
        for _ in 0..length {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let old = node.and_then(|node| self.draw(node, random));
            let m = match old {
                Some(edge) => self.edges[edge].m,
                None => legal[usize::try_from(random.below(legal.len() as u64))?],
            };
            position.apply(m);
            game.push_move(m);
            self.moves.push(Some(m));
            if let Some(from) = node {
                let tail = self.add(from, m)?;
                node = self.reach(&position, tail)?;
            }
        }
        self.moves.push(None);
        Ok(())
    }

    /// Counts a game at a position. Returns the node if a game was there before: `tail` is where the first one goes on.
    fn reach(&mut self, position: &Position, tail: usize) -> Result<Option<u32>, Failure> {
        match self.places.entry(zobrist(position)) {
            Entry::Occupied(place) => {
                self.nodes[*place.get() as usize].games += 1;
                Ok(Some(*place.get()))
            }
            Entry::Vacant(place) => {
                let index = u32::try_from(self.nodes.len())?;
                let is_new = tail == self.moves.len();
                self.nodes.push(Node { games: if is_new { 1 } else { 2 }, edge: NONE, tail });
                place.insert(index);
                Ok((!is_new).then_some(index))
            }
        }
    }

    /// Draws an edge of a position that this game reached and others did before; `None` is a new one.
    fn draw(&mut self, node: u32, random: &mut Random) -> Option<usize> {
        let Node { games, edge, tail } = self.nodes[node as usize];
        if edge == NONE {
            if let Some(Some(m)) = self.moves.get(tail).copied() {
                self.nodes[node as usize].edge = u32::try_from(self.edges.len()).ok()?;
                self.edges.push(Edge { m, games: 1, next: NONE, tail: tail + 1 });
            }
        }
        let mut left = random.unit() * (f64::from(games - 1) + STRENGTH);
        let mut edge = self.nodes[node as usize].edge;
        while let Some(found) = self.edges.get(edge as usize) {
            left -= f64::from(found.games) - DISCOUNT;
            if left < 0.0 {
                return Some(edge as usize);
            }
            edge = found.next;
        }
        None
    }

    /// Counts a move from a position. Returns the place after it in its first game.
    fn add(&mut self, node: u32, m: Move) -> Result<usize, Failure> {
        let mut edge = self.nodes[node as usize].edge;
        while let Some(found) = self.edges.get_mut(edge as usize) {
            if found.m == m {
                found.games += 1;
                return Ok(found.tail);
            }
            edge = found.next;
        }
        let (new, tail) = (u32::try_from(self.edges.len())?, self.moves.len());
        let next = std::mem::replace(&mut self.nodes[node as usize].edge, new);
        self.edges.push(Edge { m, games: 1, next, tail });
        Ok(tail)
    }
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    /// Returns a number from 0 up to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_share_openings() {
        let (mut tree, mut random) = (Tree::default(), Random(1));
        for _ in 0..1000 {
            tree.walk(&mut random, &mut Game::new()).unwrap();
        }
        let start = &tree.nodes[tree.places[&zobrist(&Position::start())] as usize];
        assert_eq!(start.games, 1000);
        let (mut edge, mut games) = (start.edge, 0);
        while let Some(found) = tree.edges.get(edge as usize) {
            games += found.games;
            edge = found.next;
        }
        assert_eq!(games, 1000);
        let shared = tree.nodes.iter().filter(|node| node.games > 1).count();
        assert!((1000..3000).contains(&shared), "{shared}");
    }
}
