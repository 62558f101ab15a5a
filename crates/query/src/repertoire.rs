//! A repertoire: the moves of a player's lines, by position.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use chess_core::{Game, Move, Position, Replay, Token, zobrist};
use chess_store::Diagnostics;

use crate::QueryError;

/// The most positions of a repertoire.
const MOST: usize = 1 << 20;

/// The main lines and variations of games, as moves by position. A move order that leads into the
/// lines is therefore in the repertoire.
#[derive(Default)]
pub struct Repertoire {
    nodes: Vec<RepertoireNode>,
    /// The place in `nodes` by the key of the position.
    places: HashMap<u64, u32>,
}

/// A position of a [`Repertoire`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RepertoireNode {
    /// The position.
    pub position: Position,
    /// The moves of the repertoire. The end of a line has none.
    pub moves: Vec<Move>,
    /// The node and the move before, on the first line that reaches the position.
    pub before: Option<(u32, Move)>,
}

impl fmt::Debug for Repertoire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repertoire").field("positions", &self.nodes.len()).finish()
    }
}

/// How a game follows a [`Repertoire`]. The enum is complete: callers may match all variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Following {
    /// The game plays no move from a position of the repertoire.
    Apart,
    /// The game ends, or goes on beyond the end of a line, without leaving.
    Stays,
    /// The game leaves.
    Leaves {
        /// The half-moves before the first one that is not in the repertoire.
        ply: u32,
        /// The move.
        m: Move,
    },
}

impl Repertoire {
    /// Reads games in PGN.
    ///
    /// # Errors
    /// [`QueryError`] if a game is damaged, no game has a move, or there are more than 1,048,576
    /// positions.
    pub fn parse(pgn: &str) -> Result<Repertoire, QueryError> {
        let mut repertoire = Repertoire::default();
        let mut reader = pgn::Reader::new(pgn.as_bytes());
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        loop {
            diagnostics.clear();
            match reader.read_game(&mut game, &mut diagnostics) {
                Ok(true) => repertoire.add(&game)?,
                Ok(false) => break,
                Err(error) => {
                    return Err(QueryError::unreadable(&error.to_string(), "a repertoire in PGN"));
                }
            }
        }
        if repertoire.nodes.is_empty() {
            return Err(QueryError::unreadable("the text", "a repertoire: PGN with moves"));
        }
        Ok(repertoire)
    }

    /// Adds the lines of a game. A line ends before a null move or a move that is not legal.
    ///
    /// # Errors
    /// [`QueryError`] if there are too many positions.
    pub fn add(&mut self, game: &Game) -> Result<(), QueryError> {
        let mut replay = Replay::new(game);
        // Variations in which a line has ended before.
        let (mut ended, mut outer) = (false, Vec::new());
        for token in game.tokens() {
            match token {
                Token::VariationStart => outer.push(ended),
                Token::VariationEnd => ended = outer.pop().unwrap_or_default(),
                Token::Move(m) => {
                    let before = *replay.position();
                    ended |= m.is_null() || !before.is_legal(m);
                    if !ended {
                        self.add_move(&before, m)?;
                    }
                }
                Token::Nag(_) | Token::Comment(_) => {}
            }
            replay.step(token);
        }
        Ok(())
    }

    fn add_move(&mut self, before: &Position, m: Move) -> Result<(), QueryError> {
        let from = self.place(before, None)?;
        if let Some(node) = self.nodes.get_mut(from as usize)
            && !node.moves.contains(&m)
        {
            node.moves.push(m);
        }
        let mut after = *before;
        after.apply(m);
        self.place(&after, Some((from, m))).map(drop)
    }

    fn place(
        &mut self,
        position: &Position,
        before: Option<(u32, Move)>,
    ) -> Result<u32, QueryError> {
        let next = self.nodes.len();
        let key = zobrist(position);
        if let Some(place) = self.places.get(&key) {
            return Ok(*place);
        }
        let place = u32::try_from(next).ok().filter(|_| next < MOST);
        let Some(place) = place else {
            return Err(QueryError::unreadable(
                "the text",
                "a repertoire of at most 1,048,576 positions",
            ));
        };
        self.places.insert(key, place);
        self.nodes.push(RepertoireNode { position: *position, moves: Vec::new(), before });
        Ok(place)
    }

    /// Returns the positions. A position comes after the one before it.
    #[must_use]
    pub fn nodes(&self) -> &[RepertoireNode] {
        &self.nodes
    }

    /// Returns the number of a position and its node.
    #[must_use]
    pub fn find(&self, position: &Position) -> Option<(u32, &RepertoireNode)> {
        let place = *self.places.get(&zobrist(position))?;
        Some((place, self.nodes.get(place as usize)?))
    }

    /// Follows the main line of a game. A game that leaves and comes back by another order of moves
    /// has not left.
    #[must_use]
    pub fn follow(&self, game: &Game) -> Following {
        let mut following = Following::Apart;
        let mut position = game.start_position();
        let moves = game.main_line().map(Some).chain(std::iter::once(None));
        for (ply, next) in (0u32..).zip(moves) {
            if let Some((_, node)) = self.find(&position) {
                following = match next {
                    Some(m) if node.moves.contains(&m) => Following::Stays,
                    Some(m) if !node.moves.is_empty() => Following::Leaves { ply, m },
                    _ if ply > 0 => Following::Stays,
                    _ => following,
                };
            }
            if let Some(m) = next {
                position.apply(m);
            }
        }
        following
    }
}

/// A test whether a game follows a repertoire.
#[derive(Clone, Debug)]
pub struct RepertoireTest(Arc<Repertoire>);

impl RepertoireTest {
    /// Reads the repertoire; see [`Repertoire::parse`].
    ///
    /// # Errors
    /// As [`Repertoire::parse`].
    pub fn parse(pgn: &str) -> Result<RepertoireTest, QueryError> {
        Repertoire::parse(pgn).map(|repertoire| RepertoireTest(Arc::new(repertoire)))
    }

    pub(crate) fn stays(&self, game: &Game) -> bool {
        self.0.follow(game) == Following::Stays
    }

    pub(crate) fn leaves(&self, game: &Game) -> bool {
        matches!(self.0.follow(game), Following::Leaves { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        pgn::read_all(format!("[White \"x\"]\n\n{moves} *")).unwrap().remove(0)
    }

    #[test]
    fn follow_minds_positions_not_orders_of_moves() {
        let repertoire = Repertoire::parse("1. d4 d5 (1... Nf6 2. c4 e6) 2. c4 e6 *").unwrap();
        let leaves = |ply, m: &str| Following::Leaves { ply, m: m.parse().unwrap() };
        for (moves, expected) in [
            ("1. d4 d5 2. c4 e6 3. Nc3", Following::Stays),
            ("1. d4 d5", Following::Stays),
            ("1. e4 e5", leaves(0, "e2e4")),
            ("1. d4 Nf6 2. Nf3", leaves(2, "g1f3")),
            // Other orders of moves lead into the lines.
            ("1. c4 e6 2. d4 d5", Following::Stays),
            ("1. c4 Nf6 2. d4 e6", Following::Stays),
            ("", Following::Apart),
        ] {
            assert_eq!(repertoire.follow(&game(moves)), expected, "{moves}");
        }
        let end = repertoire.nodes().iter().filter(|node| node.moves.is_empty()).count();
        assert_eq!((repertoire.nodes().len(), end), (8, 2));
    }

    #[test]
    fn parse_text_without_moves_is_error() {
        for text in ["", "[Event \"x\"]\n\n*\n"] {
            assert!(Repertoire::parse(text).is_err(), "{text}");
        }
    }
}
