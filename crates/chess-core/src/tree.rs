//! The moves of a game as a tree, and a visitor for its tokens.
//!
//! ```text
//! tokens   1. e4 ( 1. d4 d5 ) ( 1. c4 ) e5 2. Nf3 ( 2. f4 )
//!
//! tree     start ─┬─ e4 ─── e5 ─┬─ Nf3        the first child goes on with the line,
//!                 ├─ d4 ─── d5  └─ f4         the others are its alternatives
//!                 └─ c4
//! ```

use alloc::vec::Vec;

use crate::game::{Game, Token};
use crate::moves::Move;
use crate::position::Position;
use crate::replay::Replay;
use crate::values::Nag;

/// The moves of a game as a tree, built by [`Game::tree`].
///
/// Nodes are numbered in the order of their tokens, from 0 for the [root](Tree::root), which is the
/// start position and has no move. The tree borrows the comments of the game. Building it takes
/// one pass over the tokens and memory in proportion to them.
///
/// A tree says less than the tokens in one case: a variation inside a variation, at its first
/// move, becomes one more alternative to the same move, as if it stood beside the outer one.
///
/// ```
/// use chess_core::Game;
///
/// // 1. e4 (1. d4 d5) 1... e5
/// let mut game = Game::new();
/// game.push_move("e2e4".parse()?);
/// game.start_variation().expect("e4 can be replaced");
/// game.push_move("d2d4".parse()?);
/// game.push_move("d7d5".parse()?);
/// game.end_variation().expect("a variation is open");
/// game.push_move("e7e5".parse()?);
///
/// let tree = game.tree();
/// let first: Vec<String> =
///     tree.root().children().filter_map(|node| node.played()).map(|m| m.to_string()).collect();
/// assert_eq!(first, ["e2e4", "d2d4"]);
/// # Ok::<(), chess_core::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    game: &'a Game,
    links: Vec<Links>,
    /// NAGs and comments. The notes of each node are adjacent.
    notes: Vec<Note<'a>>,
}

/// The links of a node. The number of a node is its index in `Tree::links`.
#[derive(Clone, Copy, Debug)]
struct Links {
    played: Option<Move>,
    parent: u32,
    ply: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    /// The index of its first note in `Tree::notes`.
    notes: u32,
}

/// The number that no node has.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Note<'a> {
    node: u32,
    kind: NoteKind<'a>,
}

#[derive(Clone, Copy, Debug)]
enum NoteKind<'a> {
    Nag(Nag),
    Comment(&'a str),
    /// A comment before the node's move, at the beginning of its line.
    Before(&'a str),
}

impl Game {
    /// Builds the tree of moves, with the NAGs and comments of each.
    ///
    /// A NAG or comment belongs to the move before it on its own line. A comment at the
    /// beginning of a variation belongs to the variation's first move
    /// ([`Node::comments_before`]), or to the replaced move if the variation has no move. A
    /// comment before the first move of the game belongs to the root.
    #[must_use]
    pub fn tree(&self) -> Tree<'_> {
        Tree::new(self)
    }

    /// Passes each token to `visitor`. A move comes with the position in which it is played.
    pub fn visit<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        let mut replay = Replay::new(self);
        for token in self.tokens() {
            match token {
                Token::Move(m) => visitor.visit_move(replay.position(), m),
                Token::Nag(nag) => visitor.visit_nag(nag),
                Token::Comment(text) => visitor.visit_comment(text),
                Token::VariationStart => visitor.start_variation(),
                Token::VariationEnd => visitor.end_variation(),
            }
            replay.step(token);
        }
    }
}

/// Receives the tokens of a game in order; see [`Game::visit`]. The default of every method does
/// nothing.
pub trait Visitor {
    /// A move, with the position in which it is played.
    fn visit_move(&mut self, position: &Position, m: Move) {
        let _ = (position, m);
    }

    /// A NAG of the move before it.
    fn visit_nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A comment, without braces.
    fn visit_comment(&mut self, text: &str) {
        let _ = text;
    }

    /// The start of an alternative to the last move of this level.
    fn start_variation(&mut self) {}

    /// The end of the innermost variation.
    fn end_variation(&mut self) {}
}

/// An open line, while the tree is built.
#[derive(Clone, Copy)]
struct Line {
    /// The last node of the line, or the node from which it branches.
    at: u32,
    /// The node of the move that this variation replaces. On the main line it is the root.
    replaced: u32,
    /// Whether the line has a move of its own.
    has_move: bool,
    /// The index in `Tree::notes` of the comments that wait for the first move of the line.
    waiting: usize,
}

impl<'a> Tree<'a> {
    fn new(game: &'a Game) -> Tree<'a> {
        let mut tree = Tree { game, links: Vec::new(), notes: Vec::new() };
        tree.add(None, NONE, 0);
        let mut line = Line { at: 0, replaced: 0, has_move: false, waiting: 0 };
        let mut outer = Vec::new();
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    let ply = tree.links.get(line.at as usize).map_or(0, |links| links.ply);
                    let node = tree.add(Some(m), line.at, ply.saturating_add(1));
                    if !line.has_move && !outer.is_empty() {
                        tree.give_waiting(line, node);
                    }
                    line = Line { at: node, has_move: true, ..line };
                }
                Token::Nag(nag) => tree.note(line, NoteKind::Nag(nag)),
                Token::Comment(text) if line.has_move || outer.is_empty() => {
                    tree.note(line, NoteKind::Comment(text));
                }
                Token::Comment(text) => tree.note(line, NoteKind::Before(text)),
                Token::VariationStart => {
                    outer.push(line);
                    let parent = tree.links.get(line.at as usize).map_or(0, |links| links.parent);
                    let waiting = tree.notes.len();
                    line = Line { at: parent, replaced: line.at, has_move: false, waiting };
                }
                Token::VariationEnd => {
                    if !line.has_move {
                        tree.release_waiting(line);
                    }
                    if let Some(around) = outer.pop() {
                        line = around;
                    }
                }
            }
        }
        tree.sort_notes();
        tree
    }

    /// Appends a node as the last child of `parent`. Returns its number.
    fn add(&mut self, played: Option<Move>, parent: u32, ply: u32) -> u32 {
        // A game has at most 2^32 tokens.
        let node = u32::try_from(self.links.len()).unwrap_or(NONE);
        self.links.push(Links {
            played,
            parent,
            ply,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            notes: 0,
        });
        let Some(above) = self.links.get_mut(parent as usize) else { return node };
        let elder = core::mem::replace(&mut above.last_child, node);
        if elder == NONE {
            above.first_child = node;
        } else if let Some(elder) = self.links.get_mut(elder as usize) {
            elder.next_sibling = node;
        }
        node
    }

    /// Adds a note to the last move of the line. Before the first move of the line, adds it to the
    /// replaced move until that first move comes.
    fn note(&mut self, line: Line, kind: NoteKind<'a>) {
        let node = if line.has_move { line.at } else { line.replaced };
        self.notes.push(Note { node, kind });
    }

    /// Moves the notes before the first move of a variation to that move.
    fn give_waiting(&mut self, line: Line, node: u32) {
        for note in self.notes.get_mut(line.waiting..).unwrap_or_default() {
            note.node = node;
        }
    }

    /// Assigns the notes of a variation without a move to the replaced move.
    fn release_waiting(&mut self, line: Line) {
        for note in self.notes.get_mut(line.waiting..).unwrap_or_default() {
            if let NoteKind::Before(text) = note.kind {
                note.kind = NoteKind::Comment(text);
            }
        }
    }

    /// Groups the notes by node, in their order.
    fn sort_notes(&mut self) {
        self.notes.sort_by_key(|note| note.node);
        let mut place = 0u32;
        let mut notes = self.notes.iter().peekable();
        for (node, links) in (0u32..).zip(&mut self.links) {
            links.notes = place;
            while notes.next_if(|note| note.node == node).is_some() {
                place = place.saturating_add(1);
            }
        }
    }

    /// Returns the root: the start position, where all lines begin.
    #[must_use]
    pub fn root(&self) -> Node<'_, 'a> {
        Node { tree: self, number: 0 }
    }

    /// Returns the node with this number. The root is 0.
    #[must_use]
    pub fn node(&self, number: u32) -> Option<Node<'_, 'a>> {
        self.links.get(number as usize).map(|_| Node { tree: self, number })
    }

    /// Iterates over all nodes in the order of their tokens, from the root.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_, 'a>> {
        (0u32..).zip(&self.links).map(|(number, _)| Node { tree: self, number })
    }

    /// Iterates over the nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = Node<'_, 'a>> {
        core::iter::successors(self.root().next(), Node::next)
    }
}

/// A move in a [`Tree`], or the root.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t, 'a> {
    tree: &'t Tree<'a>,
    number: u32,
}

impl<'t, 'a> Node<'t, 'a> {
    fn links(&self) -> Option<&'t Links> {
        self.tree.links.get(self.number as usize)
    }

    fn other(&self, number: u32) -> Option<Node<'t, 'a>> {
        (number != NONE).then_some(Node { tree: self.tree, number })
    }

    /// Returns the number of the node: 0 for the root, then in the order of the tokens.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the move that leads to this node. `None` for the root.
    #[must_use]
    pub fn played(&self) -> Option<Move> {
        self.links().and_then(|links| links.played)
    }

    /// Returns the number of plies from the start of the game, on this line. 0 for the root.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.links().map_or(0, |links| links.ply)
    }

    /// Returns the parent. `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Node<'t, 'a>> {
        self.links().and_then(|links| self.other(links.parent))
    }

    /// Returns the next node of the line: the first child.
    #[must_use]
    pub fn next(&self) -> Option<Node<'t, 'a>> {
        self.links().and_then(|links| self.other(links.first_child))
    }

    /// Iterates over the children: the continuation of the line first, then its alternatives.
    pub fn children(&self) -> impl Iterator<Item = Node<'t, 'a>> + use<'t, 'a> {
        core::iter::successors(self.next(), |node| {
            node.links().and_then(|links| node.other(links.next_sibling))
        })
    }

    fn notes(&self) -> impl Iterator<Item = NoteKind<'a>> + use<'t, 'a> {
        let start = self.links().map_or(0, |links| links.notes) as usize;
        let number = self.number;
        let notes = self.tree.notes.get(start..).unwrap_or_default();
        notes.iter().take_while(move |note| note.node == number).map(|note| note.kind)
    }

    /// Iterates over the NAGs, in order.
    pub fn nags(&self) -> impl Iterator<Item = Nag> + use<'t, 'a> {
        self.notes().filter_map(|note| match note {
            NoteKind::Nag(nag) => Some(nag),
            _ => None,
        })
    }

    /// Iterates over the comments after this node, in order. The comments of the root are before
    /// the first move.
    pub fn comments(&self) -> impl Iterator<Item = &'a str> + use<'t, 'a> {
        self.notes().filter_map(|note| match note {
            NoteKind::Comment(text) => Some(text),
            _ => None,
        })
    }

    /// Iterates over the comments before this node, at the beginning of its variation.
    pub fn comments_before(&self) -> impl Iterator<Item = &'a str> + use<'t, 'a> {
        self.notes().filter_map(|note| match note {
            NoteKind::Before(text) => Some(text),
            _ => None,
        })
    }

    /// Returns the position after the move. The moves are replayed from the start position, in time
    /// proportional to [`ply`](Node::ply).
    #[must_use]
    pub fn position(&self) -> Position {
        let mut moves = Vec::new();
        let mut at = Some(*self);
        while let Some(node) = at {
            moves.extend(node.played());
            at = node.parent();
        }
        let mut position = self.tree.game.start_position();
        for m in moves.into_iter().rev() {
            position.apply(m);
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::string::{String, ToString};
    use alloc::vec;

    /// Parses moves as coordinates, `(`, `)` and `$n`. Everything else is a comment.
    fn game(text: &str) -> Game {
        let mut game = Game::new();
        for word in text.split(' ') {
            match (word, word.parse()) {
                ("(", _) => game.start_variation().unwrap(),
                (")", _) => game.end_variation().unwrap(),
                (_, Ok(m)) => game.push_move(m),
                (nag, _) if nag.starts_with('$') => game.push_nag(nag.parse().unwrap()),
                (comment, _) => game.push_comment(comment).unwrap(),
            }
        }
        game
    }

    fn children(node: Node<'_, '_>) -> Vec<String> {
        node.children().filter_map(|child| child.played()).map(|m| m.to_string()).collect()
    }

    #[test]
    fn tree_variations_are_children_after_the_main_move() {
        let game = game("e2e4 ( d2d4 d7d5 ( g8f6 ) ) ( c2c4 ) e7e5");
        let tree = game.tree();
        assert_eq!(children(tree.root()), ["e2e4", "d2d4", "c2c4"]);
        let e4 = tree.root().next().unwrap();
        assert_eq!(children(e4), ["e7e5"]);
        let d4 = tree.node(2).unwrap();
        assert_eq!((children(d4), d4.ply()), (vec!["d7d5".to_string(), "g8f6".to_string()], 1));
        assert_eq!(tree.nodes().count(), 7);
        let main: Vec<u32> = tree.main_line().map(|node| node.number()).collect();
        assert_eq!(main, [1, 6]);
    }

    #[test]
    fn tree_notes_belong_to_their_moves() {
        let game = game("start e2e4 $1 good ( before d2d4 $2 behind ) late e7e5");
        let tree = game.tree();
        assert_eq!(tree.root().comments().collect::<Vec<_>>(), ["start"]);
        let e4 = tree.node(1).unwrap();
        assert_eq!(e4.comments().collect::<Vec<_>>(), ["good", "late"]);
        assert_eq!(e4.nags().collect::<Vec<_>>(), [Nag(1)]);
        let d4 = tree.node(2).unwrap();
        assert_eq!(d4.comments_before().collect::<Vec<_>>(), ["before"]);
        assert_eq!(d4.comments().collect::<Vec<_>>(), ["behind"]);
        assert_eq!(d4.nags().collect::<Vec<_>>(), [Nag(2)]);
    }

    #[test]
    fn tree_variation_without_move_leaves_its_comment_with_the_replaced_move() {
        let game = game("e2e4 ( lost ) e7e5");
        let tree = game.tree();
        let e4 = tree.node(1).unwrap();
        assert_eq!(e4.comments().collect::<Vec<_>>(), ["lost"]);
        assert_eq!(e4.comments_before().count(), 0);
    }

    #[test]
    fn tree_nested_variation_at_the_first_move_is_one_more_alternative() {
        let game = game("e2e4 ( d2d4 ( c2c4 c7c5 ) d7d5 ) e7e5");
        assert_eq!(children(game.tree().root()), ["e2e4", "d2d4", "c2c4"]);
    }

    #[test]
    fn node_position_is_that_after_its_line() {
        let game = game("e2e4 ( d2d4 d7d5 ) e7e5");
        let tree = game.tree();
        let d5 = tree.node(3).unwrap();
        assert_eq!(
            d5.position().to_fen(),
            "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"
        );
        assert_eq!(tree.root().position(), Position::start());
    }

    #[test]
    fn tree_of_an_empty_game_is_its_root() {
        let game = Game::new();
        let tree = game.tree();
        assert_eq!((tree.nodes().count(), tree.root().next().is_none()), (1, true));
        assert!(tree.root().parent().is_none() && tree.root().played().is_none());
    }

    #[test]
    fn visit_shows_each_move_in_its_position() {
        struct Legal(Vec<bool>, u32);
        impl Visitor for Legal {
            fn visit_move(&mut self, position: &Position, m: Move) {
                self.0.push(position.is_legal(m));
            }
            fn start_variation(&mut self) {
                self.1 += 1;
            }
        }
        let mut legal = Legal(Vec::new(), 0);
        game("e2e4 ( d2d4 d7d5 ) $1 x e7e5").visit(&mut legal);
        assert_eq!((legal.0, legal.1), (vec![true; 4], 1));
    }
}
