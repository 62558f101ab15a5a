//! The moves of a game as a tree, in the order the record stores them.

use chess_core::Move;

/// A move and what follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) m: Move,
    /// The move before it; the root's own number for the root.
    pub(crate) parent: u32,
    /// The continuation that comes first.
    first: u32,
    /// The one that was stored last.
    last: u32,
    /// The next alternative to this move.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// The number of the root, which is no move.
pub(crate) const ROOT: u32 = 0;

/// The moves in stored order: the first continuation and all that follows it, then the others.
/// Number 0 is the root; move *n* of the record, from 0, has number *n* + 1.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Whether a position has two continuations.
    branched: bool,
}

impl Default for Tree {
    fn default() -> Tree {
        let mut tree = Tree { nodes: Vec::new(), branched: false };
        tree.clear();
        tree
    }
}

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.branched = false;
        self.nodes.push(Node { m: Move::NULL, parent: ROOT, first: NONE, last: NONE, next: NONE });
    }

    /// How many moves there are.
    pub(crate) fn moves(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// Appends a continuation; gives its number.
    #[inline]
    pub(crate) fn push(&mut self, parent: u32, m: Move) -> u32 {
        // A record has fewer bytes than a u32 has numbers.
        let number = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        self.nodes.push(Node { m, parent, first: NONE, last: NONE, next: NONE });
        let Some(above) = self.nodes.get_mut(parent as usize) else { return number };
        let before = std::mem::replace(&mut above.last, number);
        if before == NONE {
            above.first = number;
        } else if let Some(before) = self.nodes.get_mut(before as usize) {
            before.next = number;
            self.branched = true;
        }
        number
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }

    /// The continuation that comes first.
    #[inline]
    pub(crate) fn first(&self, number: u32) -> Option<u32> {
        self.get(number).map(|node| node.first).filter(|first| *first != NONE)
    }

    /// The next alternative to a move.
    #[inline]
    pub(crate) fn next(&self, number: u32) -> Option<u32> {
        self.get(number).map(|node| node.next).filter(|next| *next != NONE)
    }

    /// The last move of the main line; the root if there is none.
    pub(crate) fn main_end(&self) -> u32 {
        if !self.branched {
            return self.moves();
        }
        let mut at = ROOT;
        while let Some(first) = self.first(at) {
            at = first;
        }
        at
    }

    /// Whether no position has two continuations.
    pub(crate) fn is_line(&self) -> bool {
        !self.branched
    }

    /// The moves in stored order.
    pub(crate) fn stored(&self) -> impl Iterator<Item = Move> + '_ {
        self.nodes.iter().skip(1).map(|node| node.m)
    }

    /// How many moves the main line has.
    pub(crate) fn main_plies(&self) -> u32 {
        if !self.branched {
            return self.moves();
        }
        let (mut at, mut count) = (ROOT, 0u32);
        while let Some(first) = self.first(at) {
            at = first;
            count = count.saturating_add(1);
        }
        count
    }

    /// The tree in PGN order, without recursion.
    pub(crate) fn walk<'a>(&'a self, open: &'a mut Vec<(u32, Option<u32>)>) -> Walk<'a> {
        open.clear();
        Walk { tree: self, open, at: ROOT, pending: None }
    }
}

/// A step of [`Tree::walk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The move of this number.
    Move(u32),
    Start,
    End,
}

/// See [`Tree::walk`].
pub(crate) struct Walk<'a> {
    tree: &'a Tree,
    /// For each variation that is open: the move it is an alternative to, and the next one.
    open: &'a mut Vec<(u32, Option<u32>)>,
    at: u32,
    /// The first move of the variation that was just opened.
    pending: Option<u32>,
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if let Some(first) = self.pending.take() {
            self.at = first;
            return Some(Step::Move(first));
        }
        if self.open.last().is_some_and(|(main, _)| *main == self.at) {
            // The move before this stands for an alternative yet to be opened, or for none.
            let next = self.open.last().and_then(|(_, next)| *next);
            let Some(alternative) = next else {
                self.open.pop();
                return self.advance();
            };
            if let Some((_, next)) = self.open.last_mut() {
                *next = self.tree.next(alternative);
            }
            self.pending = Some(alternative);
            return Some(Step::Start);
        }
        self.advance()
    }
}

impl Walk<'_> {
    /// On to the next move of the line, or out of it.
    fn advance(&mut self) -> Option<Step> {
        if let Some(first) = self.tree.first(self.at) {
            self.at = first;
            if let Some(alternative) = self.tree.next(first) {
                self.open.push((first, Some(alternative)));
            }
            return Some(Step::Move(first));
        }
        let (main, _) = self.open.last()?;
        self.at = *main;
        Some(Step::End)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_pgn_order() {
        // 1 (6 7 (8)) (9) 2 3 (4 5), with the numbers of the stored order.
        let mut tree = Tree::default();
        let m: Move = "e2e4".parse().unwrap();
        for parent in [0, 1, 2, 2, 4, 0, 6, 6, 0] {
            tree.push(parent, m);
        }
        let mut text = String::new();
        for step in tree.walk(&mut Vec::new()) {
            match step {
                Step::Move(number) => text.push_str(&number.to_string()),
                Step::Start => text.push('('),
                Step::End => text.push(')'),
            }
        }
        assert_eq!(text, "1(67(8))(9)23(45)");
        assert_eq!((tree.moves(), tree.main_plies(), tree.main_end()), (9, 3, 3));
        assert!(!tree.is_line());
        assert_eq!(Tree::default().walk(&mut Vec::new()).next(), None);
    }
}
