//! Assigns comments and NAGs to moves.

use alloc::vec::Vec;

use crate::game::{Game, Token};

/// The comments and NAGs of a game, grouped by node. This is for formats that store annotations
/// with a move, before the variations that replace it.
///
/// Nodes are numbered in the order of the tokens. Node 0 is the start of the game, and every move
/// is a node. [`LineStarts`] determines whether the start of a variation is a node too.
///
/// A comment in a game may follow the variations of its move, as in PGN. So all annotations are
/// gathered first, and taken node by node in a second pass over the game.
///
/// ```
/// use chess_core::{Annotations, Game, LineStarts, Token};
///
/// // 1. e4 (1. d4) {best by test}
/// let mut game = Game::new();
/// game.push_move("e2e4".parse()?);
/// game.start_variation()?;
/// game.push_move("d2d4".parse()?);
/// game.end_variation()?;
/// game.push_comment("best by test")?;
///
/// let mut annotations = Annotations::default();
/// annotations.gather(&game, LineStarts::OfReplacedMove);
/// assert!(annotations.take(0).is_empty());
/// let [note] = annotations.take(1) else { panic!("e4 has a comment") };
/// assert_eq!(note.token(&game), Some(Token::Comment("best by test")));
/// assert!(note.is_moved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// Sorted by node, then in the order of the game.
    notes: Vec<Note>,
    /// Number of annotations that have been taken or skipped.
    done: usize,
    /// The enclosing lines of the current line.
    outer: Vec<Line>,
}

/// Where annotations before the first move of a variation belong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineStarts {
    /// To the start of the variation, which is a node.
    OwnNode,
    /// To the move that the variation replaces.
    OfReplacedMove,
}

/// A comment or NAG, and the node it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    node: u32,
    token: u32,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Usual,
    AfterVariation,
    BeforeLine,
}

/// An open line.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// The node that annotations belong to.
    node: u32,
    /// Whether the line has a move or is the main line.
    started: bool,
    /// Whether a variation has ended since the node.
    late: bool,
}

impl Annotations {
    /// Gathers the annotations of `game`, replacing the previous ones.
    pub fn gather(&mut self, game: &Game, line_starts: LineStarts) {
        self.notes.clear();
        self.outer.clear();
        self.done = 0;
        let mut line = Line { started: true, ..Line::default() };
        let mut last = 0u32;
        let mut in_order = true;
        for (number, token) in game.tokens().enumerate() {
            match token {
                Token::Move(_) => {
                    last = last.saturating_add(1);
                    line = Line { node: last, started: true, late: false };
                }
                Token::VariationStart => {
                    self.outer.push(line);
                    line = Line { started: false, ..line };
                    if line_starts == LineStarts::OwnNode {
                        last = last.saturating_add(1);
                        line = Line { node: last, started: true, late: false };
                    }
                }
                Token::VariationEnd => {
                    line = self.outer.pop().unwrap_or_default();
                    line.late = true;
                }
                Token::Comment(_) | Token::Nag(_) => {
                    let place = match (line.started, line.late) {
                        (false, _) => Place::BeforeLine,
                        (true, true) => Place::AfterVariation,
                        (true, false) => Place::Usual,
                    };
                    // Tokens are counted in 32 bits.
                    let Ok(number) = u32::try_from(number) else { break };
                    in_order &= self.notes.last().is_none_or(|note| note.node <= line.node);
                    self.notes.push(Note { node: line.node, token: number, place });
                }
            }
        }
        if !in_order {
            self.notes.sort_unstable_by_key(|note| (note.node, note.token));
        }
    }

    /// Returns whether [`take`](Annotations::take) would return annotations for `node`. Take or
    /// skip the annotations of earlier nodes first. Otherwise the result may be a false positive.
    #[must_use]
    #[inline]
    pub fn has(&self, node: u32) -> bool {
        self.notes.get(self.done).is_some_and(|first| first.node <= node)
    }

    /// Returns the annotations of `node`, NAGs and comments in the order of the game. Skips
    /// annotations of earlier nodes that were not taken.
    #[inline]
    pub fn take(&mut self, node: u32) -> &[Note] {
        let rest = self.notes.get(self.done..).unwrap_or_default();
        match rest.first() {
            Some(first) if first.node <= node => self.take_some(node),
            _ => &[],
        }
    }

    fn take_some(&mut self, node: u32) -> &[Note] {
        let node_at = |at: usize| self.notes.get(at).map(|note| note.node);
        let mut start = self.done;
        while node_at(start).is_some_and(|other| other < node) {
            start = start.wrapping_add(1);
        }
        let mut end = start;
        while node_at(end) == Some(node) {
            end = end.wrapping_add(1);
        }
        self.done = end;
        self.notes.get(start..end).unwrap_or_default()
    }
}

impl Note {
    /// Returns the comment or NAG. `game` is the game it was gathered from.
    #[must_use]
    #[inline]
    pub fn token<'g>(&self, game: &'g Game) -> Option<Token<'g>> {
        game.token(self.token as usize)
    }

    /// Returns whether the annotation does not directly follow its node in the game.
    #[must_use]
    pub fn is_moved(&self) -> bool {
        self.place != Place::Usual
    }

    /// Returns whether the annotation is before the first move of a variation, and its node is the
    /// move that the variation replaces.
    #[must_use]
    pub fn is_before_line(&self) -> bool {
        self.place == Place::BeforeLine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::string::{String, ToString};
    use alloc::vec;

    use crate::values::Nag;

    /// Parses moves, `(`, `)`, `$1`, and one-word comments.
    fn game(tokens: &str) -> Game {
        let mut game = Game::new();
        for token in tokens.split(' ') {
            match token.parse() {
                Ok(m) => game.push_move(m),
                Err(_) => {
                    let token = match token {
                        "(" => Token::VariationStart,
                        ")" => Token::VariationEnd,
                        text => match text.parse::<Nag>() {
                            Ok(nag) => Token::Nag(nag),
                            Err(_) => Token::Comment(text),
                        },
                    };
                    game.push(token).unwrap();
                }
            }
        }
        game
    }

    /// Returns the annotations of each node. Moved ones have a star.
    fn gathered(game: &Game, line_starts: LineStarts, nodes: u32) -> Vec<String> {
        let mut annotations = Annotations::default();
        // A second call replaces the annotations of the first.
        annotations.gather(&self::game("x e2e4 y"), line_starts);
        annotations.gather(game, line_starts);
        let mut all = Vec::new();
        for node in 0..nodes {
            let mut texts = Vec::new();
            for note in annotations.take(node) {
                let star = if note.is_moved() { "*" } else { "" };
                let text = match note.token(game) {
                    Some(Token::Comment(text)) => text.to_string(),
                    Some(Token::Nag(nag)) => nag.to_string(),
                    other => panic!("{other:?}"),
                };
                texts.push(text + star);
            }
            all.push(texts.join(" "));
        }
        assert!(annotations.take(u32::MAX).is_empty());
        all
    }

    const GAME: &str = "start $9 e2e4 $1 one ( $3 two d2d4 three d7d5 ( g8f6 four ) five ) ( c2c4 ) \
                        six $2 e7e5 seven";

    #[test]
    fn gather_of_replaced_move_assigns_line_start_notes() {
        let nodes = gathered(&game(GAME), LineStarts::OfReplacedMove, 7);
        let expected =
            ["start $9", "$1 one $3* two* six* $2*", "three", "five*", "four", "", "seven"];
        assert_eq!(nodes, expected);
    }

    #[test]
    fn gather_with_line_starts_numbers_variation_starts() {
        let nodes = gathered(&game(GAME), LineStarts::OwnNode, 10);
        let expected = [
            "start $9",
            "$1 one six* $2*",
            "$3 two",
            "three",
            "five*",
            "",
            "four",
            "",
            "",
            "seven",
        ];
        assert_eq!(nodes, expected);
    }

    #[test]
    fn take_later_node_skips_earlier_ones() {
        let game = game(GAME);
        let mut annotations = Annotations::default();
        annotations.gather(&game, LineStarts::OfReplacedMove);
        assert_eq!(annotations.take(4).len(), 1);
        assert!(annotations.take(1).is_empty() && annotations.take(5).is_empty());
        assert_eq!(annotations.take(6).len(), 1);
        let before_line: Vec<bool> = {
            annotations.gather(&game, LineStarts::OfReplacedMove);
            annotations.take(1).iter().map(Note::is_before_line).collect()
        };
        assert_eq!(before_line, vec![false, false, true, true, false, false]);
    }
}
