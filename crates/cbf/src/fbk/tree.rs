//! A book's moves as a tree, and its traversal in file order and in PGN order.

use chess_core::{Game, Move};

use super::WEAK;

/// The moves from the start position. Children are ordered.
#[derive(Debug)]
pub(super) struct Tree {
    /// The first node is the root, which has no move.
    nodes: Vec<Node>,
}

/// Index of a node. As a child or sibling, the root (0) means none.
pub(super) type Id = usize;

pub(super) const ROOT: Id = 0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) m: Move,
    pub(super) weak: bool,
    first_child: Id,
    last_child: Id,
    pub(super) next: Id,
}

impl Tree {
    pub(super) fn new() -> Tree {
        Tree { nodes: vec![Node::new(Move::NULL)] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    pub(super) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id).filter(|_| id != ROOT)
    }

    pub(super) fn first_child(&self, of: Id) -> Id {
        self.nodes.get(of).map_or(ROOT, |node| node.first_child)
    }

    /// Returns the child with move `m`, and appends it if it is new.
    pub(super) fn child(&mut self, parent: Id, m: Move) -> Id {
        let mut id = self.first_child(parent);
        while let Some(node) = self.node(id) {
            if node.m == m {
                return id;
            }
            id = node.next;
        }
        let id = self.nodes.len();
        self.nodes.push(Node::new(m));
        let elder = match self.nodes.get_mut(parent) {
            Some(parent) => {
                if parent.first_child == ROOT {
                    parent.first_child = id;
                }
                std::mem::replace(&mut parent.last_child, id)
            }
            None => ROOT,
        };
        if let Some(elder) = self.nodes.get_mut(elder).filter(|_| elder != ROOT) {
            elder.next = id;
        }
        id
    }

    pub(super) fn mark_weak(&mut self, id: Id) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.weak = true;
        }
    }

    /// Calls `each` with the nodes in file order: a move, its continuation, its next alternative.
    pub(super) fn for_each(&self, mut each: impl FnMut(&Node, bool)) {
        let mut waiting = Vec::new();
        let mut id = self.first_child(ROOT);
        while let Some(node) = self.node(id) {
            each(node, node.first_child == ROOT);
            if node.next != ROOT {
                waiting.push(node.next);
            }
            id = node.first_child;
            if id == ROOT {
                id = waiting.pop().unwrap_or(ROOT);
            }
        }
    }

    /// Appends the tree to a game in PGN order: a move, its alternatives, its continuation.
    pub(super) fn write_line(&self, game: &mut Game) {
        struct Branch {
            main: Id,
            next: Id,
            open: bool,
        }
        let push = |game: &mut Game, id: Id| {
            let Some(node) = self.node(id) else { return };
            game.push_move(node.m);
            if node.weak {
                game.push_nag(WEAK);
            }
        };
        let mut branches: Vec<Branch> = Vec::new();
        let mut parent = ROOT;
        loop {
            let first = self.first_child(parent);
            if let Some(node) = self.node(first) {
                push(game, first);
                branches.push(Branch { main: first, next: node.next, open: false });
            }
            let Some(branch) = branches.last_mut() else { return };
            if branch.open {
                // Cannot fail: `open` is set only while the variation is open.
                let _ = game.end_variation();
            }
            if let Some(node) = self.node(branch.next) {
                let _ = game.start_variation();
                push(game, branch.next);
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

impl Node {
    fn new(m: Move) -> Node {
        Node { m, weak: false, first_child: ROOT, last_child: ROOT, next: ROOT }
    }
}
