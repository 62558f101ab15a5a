//! Lines of moves that are merged into a tree.

use alloc::vec::Vec;

use crate::game::{Game, LineError, Token};
use crate::moves::Move;

/// Lines from one position, merged into a tree. Each move has data of type `T`.
///
/// ```
/// use chess_core::{Game, MoveTree};
///
/// let mut tree: MoveTree<u32> = MoveTree::new();
/// for line in ["e2e4 e7e5", "e2e4 c7c5", "d2d4"] {
///     let mut parent = MoveTree::<u32>::ROOT;
///     for m in line.split(' ') {
///         parent = tree.child(parent, m.parse()?);
///         tree.node_mut(parent).unwrap().data += 1;
///     }
/// }
/// let mut game = Game::new();
/// tree.write_line(&mut game, |game, node| game.push_comment(&node.data.to_string()))?;
/// assert_eq!(game.ply_count(), 2);
/// assert_eq!(game.variation_count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveTree<T> {
    /// The first node is the root, which has no move.
    nodes: Vec<MoveNode<T>>,
}

/// A move of a [`MoveTree`]. Links are numbers of nodes; [`MoveTree::ROOT`] stands for no node.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MoveNode<T> {
    /// The move.
    pub m: Move,
    /// The data.
    pub data: T,
    /// The first move after this one.
    pub first_child: usize,
    /// The next alternative to this move.
    pub next: usize,
    last_child: usize,
}

impl<T: Default> Default for MoveTree<T> {
    fn default() -> MoveTree<T> {
        MoveTree::new()
    }
}

impl<T: Default> MoveTree<T> {
    /// The number of the root.
    pub const ROOT: usize = 0;

    /// Creates a tree without moves.
    #[must_use]
    pub fn new() -> MoveTree<T> {
        MoveTree { nodes: alloc::vec![MoveNode::new(Move::NULL)] }
    }

    /// Returns whether the tree has no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// Returns the number of nodes, the root included. All numbers of nodes are below.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a node. The root is none.
    #[must_use]
    pub fn node(&self, id: usize) -> Option<&MoveNode<T>> {
        self.nodes.get(id).filter(|_| id != Self::ROOT)
    }

    /// Returns a node to change its data. The root is none.
    pub fn node_mut(&mut self, id: usize) -> Option<&mut MoveNode<T>> {
        self.nodes.get_mut(id).filter(|_| id != Self::ROOT)
    }

    /// Returns the first move after a node, or after the root.
    #[must_use]
    pub fn first_child(&self, of: usize) -> usize {
        self.nodes.get(of).map_or(Self::ROOT, |node| node.first_child)
    }

    /// Returns the moves after a node, or after the root, in their order.
    pub fn children(&self, of: usize) -> impl Iterator<Item = (usize, &MoveNode<T>)> {
        let mut id = self.first_child(of);
        core::iter::from_fn(move || {
            let node = self.node(id)?;
            Some((core::mem::replace(&mut id, node.next), node))
        })
    }

    /// Returns the child with move `m`, and appends it if it is new.
    pub fn child(&mut self, parent: usize, m: Move) -> usize {
        if let Some((id, _)) = self.children(parent).find(|(_, node)| node.m == m) {
            return id;
        }
        let id = self.nodes.len();
        self.nodes.push(MoveNode::new(m));
        let elder = match self.nodes.get_mut(parent) {
            Some(parent) => {
                if parent.first_child == Self::ROOT {
                    parent.first_child = id;
                }
                core::mem::replace(&mut parent.last_child, id)
            }
            None => Self::ROOT,
        };
        if let Some(elder) = self.node_mut(elder) {
            elder.next = id;
        }
        id
    }

    /// Merges a game and its variations. `note` gets the data of a move, each token of the move (the
    /// move itself, its NAGs and comments), and whether the move is in the main line.
    pub fn add_game(&mut self, game: &Game, mut note: impl FnMut(&mut T, Token<'_>, bool)) {
        // The last move of the line and the move before it.
        let (mut last, mut before) = (Self::ROOT, Self::ROOT);
        let mut outer = Vec::new();
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    before = last;
                    last = self.child(last, m);
                }
                Token::VariationStart => {
                    outer.push((last, before));
                    last = before;
                    continue;
                }
                Token::VariationEnd => {
                    (last, before) = outer.pop().unwrap_or((last, before));
                    continue;
                }
                Token::Nag(_) | Token::Comment(_) => {}
            }
            if let Some(node) = self.node_mut(last) {
                note(&mut node.data, token, outer.is_empty());
            }
        }
    }

    /// Sorts the alternatives of all moves. The order of equal moves does not change.
    pub fn sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&MoveNode<T>) -> K) {
        let mut ids: Vec<usize> = Vec::new();
        for parent in 0..self.nodes.len() {
            ids.clear();
            ids.extend(self.children(parent).map(|(id, _)| id));
            if ids.len() < 2 {
                continue;
            }
            ids.sort_by_key(|id| self.node(*id).map(&mut key));
            let mut next = Self::ROOT;
            for id in ids.iter().rev() {
                if let Some(node) = self.nodes.get_mut(*id) {
                    node.next = next;
                    next = *id;
                }
            }
            if let (Some(node), Some(last)) = (self.nodes.get_mut(parent), ids.last()) {
                node.first_child = next;
                node.last_child = *last;
            }
        }
    }

    /// Calls `each` with the nodes depth first: a move, its continuation, its next alternative.
    pub fn for_each(&self, mut each: impl FnMut(&MoveNode<T>)) {
        let mut waiting = Vec::new();
        let mut id = self.first_child(Self::ROOT);
        while let Some(node) = self.node(id) {
            each(node);
            if node.next != Self::ROOT {
                waiting.push(node.next);
            }
            id = node.first_child;
            if id == Self::ROOT {
                id = waiting.pop().unwrap_or(Self::ROOT);
            }
        }
    }

    /// Appends the tree to a game in PGN order: a move, its alternatives, its continuation. Calls
    /// `each` after each move, to add NAGs and comments.
    ///
    /// # Errors
    /// Errors of `each`, and of the game if it has no room for more variations.
    pub fn write_line(
        &self,
        game: &mut Game,
        mut each: impl FnMut(&mut Game, &MoveNode<T>) -> Result<(), LineError>,
    ) -> Result<(), LineError> {
        struct Branch {
            main: usize,
            next: usize,
            open: bool,
        }
        let mut push = |game: &mut Game, id: usize| {
            let Some(node) = self.node(id) else { return Ok(()) };
            game.push_move(node.m);
            each(game, node)
        };
        let mut branches: Vec<Branch> = Vec::new();
        let mut parent = Self::ROOT;
        loop {
            let first = self.first_child(parent);
            if let Some(node) = self.node(first) {
                push(game, first)?;
                branches.push(Branch { main: first, next: node.next, open: false });
            }
            let Some(branch) = branches.last_mut() else { return Ok(()) };
            if branch.open {
                game.end_variation()?;
            }
            if let Some(node) = self.node(branch.next) {
                game.start_variation()?;
                push(game, branch.next)?;
                branch.open = true;
                parent = branch.next;
                branch.next = node.next;
            } else {
                parent = branch.main;
                branches.pop();
            }
        }
    }
}

impl<T: Default> MoveNode<T> {
    fn new(m: Move) -> MoveNode<T> {
        MoveNode { m, data: T::default(), first_child: 0, next: 0, last_child: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tree: &MoveTree<u32>) -> alloc::string::String {
        use core::fmt::Write as _;
        let (mut game, mut text) = (Game::new(), alloc::string::String::new());
        tree.write_line(&mut game, |_, _| Ok(())).unwrap();
        for token in game.tokens() {
            let _ = match token {
                Token::Move(m) => write!(text, "{m} "),
                Token::VariationStart => write!(text, "( "),
                _ => write!(text, ") "),
            };
        }
        text
    }

    #[test]
    fn tree_of_game_writes_the_game() {
        let mut game = Game::new();
        for m in ["e2e4", "e7e5"] {
            game.push_move(m.parse().unwrap());
        }
        game.start_variation().unwrap();
        game.push_move("c7c5".parse().unwrap());
        game.push_move("g1f3".parse().unwrap());
        game.end_variation().unwrap();
        game.push_move("f1c4".parse().unwrap());
        let mut tree = MoveTree::new();
        tree.add_game(&game, |count, _, _| *count += 1);
        assert_eq!(text(&tree), "e2e4 e7e5 ( c7c5 g1f3 ) f1c4 ");
        tree.sort_by_key(|node| core::cmp::Reverse(node.m.bits()));
        tree.add_game(&game, |count, _, _| *count += 1);
        assert_eq!(tree.node(1).unwrap().data, 2);
        assert_eq!(tree.len(), 6);
    }

    #[test]
    fn sort_orders_alternatives_and_keeps_all() {
        let mut tree: MoveTree<u32> = MoveTree::new();
        for (m, games) in [("e2e4", 1), ("d2d4", 3), ("c2c4", 2)] {
            let id = tree.child(MoveTree::<u32>::ROOT, m.parse().unwrap());
            tree.node_mut(id).unwrap().data = games;
        }
        tree.sort_by_key(|node| core::cmp::Reverse(node.data));
        tree.child(MoveTree::<u32>::ROOT, "a2a3".parse().unwrap());
        assert_eq!(text(&tree), "d2d4 ( c2c4 ) ( e2e4 ) ( a2a3 ) ");
    }
}
