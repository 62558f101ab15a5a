//! The moves of a game as a tree in stored order.

use chess_core::Move;

/// The links of a move.
#[derive(Clone, Copy, Debug)]
struct Links {
    /// The preceding move. The root is its own parent.
    parent: u32,
    /// The first continuation.
    first: u32,
    /// The last continuation in stored order.
    last: u32,
    /// The next alternative to this move.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// The number of the root, which is not a move.
pub(crate) const ROOT: u32 = 0;

/// The moves in stored order. The first continuation comes first with all that follows it, then the
/// other continuations.
///
/// Number 0 is the root. Move *n* of the record, from 0, has number *n* + 1.
///
/// Not [`chess_core::Tree`], which borrows a finished game. A decoder fills this one before there is
/// a game, an encoder leaves illegal moves out, and both reuse its memory. A game without variations
/// has no links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// The moves without the root, followed by unused room that later games reuse.
    moves: Vec<Move>,
    /// The number of moves.
    count: usize,
    /// The links of the root and all moves. Empty until a position has two continuations; until
    /// then, each move follows the previous one.
    links: Vec<Links>,
}

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.links.clear();
    }

    /// The number of moves.
    #[inline]
    pub(crate) fn moves(&self) -> u32 {
        // Cannot fail: a record has fewer than 2^32 bytes.
        u32::try_from(self.count).unwrap_or(NONE)
    }

    /// Appends a continuation of `parent`. Returns its number.
    #[inline]
    pub(crate) fn push(&mut self, parent: u32, m: Move) -> u32 {
        let end = self.moves();
        if let Some(place) = self.room(1).first_mut() {
            *place = m;
        }
        self.count = self.count.saturating_add(1);
        if !self.links.is_empty() || parent != end {
            self.link(end.saturating_add(1), parent);
        }
        end.saturating_add(1)
    }

    /// Returns room for `most` moves after the existing ones.
    #[inline]
    fn room(&mut self, most: usize) -> &mut [Move] {
        let end = self.count.saturating_add(most);
        if self.moves.len() < end {
            self.moves.resize(end.next_power_of_two(), Move::NULL);
        }
        self.moves.get_mut(self.count..end).unwrap_or_default()
    }

    /// Appends a line of at most `most` moves after the move `parent`. `more` writes the moves and
    /// returns their number.
    ///
    /// Returns the number of the last move, or `parent`.
    #[inline]
    pub(crate) fn push_line<T>(
        &mut self,
        mut parent: u32,
        most: usize,
        more: impl FnOnce(&mut [Move]) -> (usize, T),
    ) -> (u32, T) {
        let end = self.moves();
        let (done, result) = more(self.room(most));
        self.count = self.count.saturating_add(done.min(most));
        let new_end = self.moves();
        if self.links.is_empty() && parent == end {
            return (new_end, result);
        }
        for number in end..new_end {
            let number = number.saturating_add(1);
            self.link(number, parent);
            parent = number;
        }
        (parent, result)
    }

    /// Links a move to its parent as the last continuation.
    fn link(&mut self, number: u32, parent: u32) {
        if self.links.is_empty() {
            self.links.extend((0..number).map(|number| {
                let next = number.saturating_add(1);
                Links { parent: number.saturating_sub(1), first: next, last: next, next: NONE }
            }));
            if let Some(end) = self.links.last_mut() {
                (end.first, end.last) = (NONE, NONE);
            }
        }
        self.links.push(Links { parent, first: NONE, last: NONE, next: NONE });
        let Some(above) = self.links.get_mut(parent as usize) else { return };
        let before = std::mem::replace(&mut above.last, number);
        if before == NONE {
            above.first = number;
        } else if let Some(before) = self.links.get_mut(before as usize) {
            before.next = number;
        }
    }

    /// Returns a move by number. The root has the null move.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<Move> {
        match number.checked_sub(1) {
            Some(place) => self.stored().get(place as usize).copied(),
            None => Some(Move::NULL),
        }
    }

    /// Returns the parent of a move. The root is its own parent.
    pub(crate) fn parent(&self, number: u32) -> u32 {
        let links = self.links.get(number as usize);
        links.map_or(number.saturating_sub(1), |links| links.parent)
    }

    /// The first continuation.
    #[inline]
    pub(crate) fn first(&self, number: u32) -> Option<u32> {
        if self.links.is_empty() {
            return (number < self.moves()).then(|| number.saturating_add(1));
        }
        self.links.get(number as usize).map(|links| links.first).filter(|first| *first != NONE)
    }

    /// Returns the next alternative to a move.
    #[inline]
    pub(crate) fn next(&self, number: u32) -> Option<u32> {
        self.links.get(number as usize).map(|links| links.next).filter(|next| *next != NONE)
    }

    /// Returns the last move of the main line, or the root if there are no moves.
    pub(crate) fn main_end(&self) -> u32 {
        if self.is_line() {
            return self.moves();
        }
        let mut at = ROOT;
        while let Some(first) = self.first(at) {
            at = first;
        }
        at
    }

    /// Whether the game has no variations.
    pub(crate) fn is_line(&self) -> bool {
        self.links.is_empty()
    }

    /// Returns the moves in stored order.
    pub(crate) fn stored(&self) -> &[Move] {
        self.moves.get(..self.count).unwrap_or_default()
    }

    /// Returns the number of moves in the main line.
    pub(crate) fn main_plies(&self) -> u32 {
        if self.is_line() {
            return self.moves();
        }
        let (mut at, mut count) = (ROOT, 0u32);
        while let Some(first) = self.first(at) {
            at = first;
            count = count.saturating_add(1);
        }
        count
    }

    /// Iterates over the tree in PGN order, without recursion.
    pub(crate) fn walk<'a>(&'a self, open: &'a mut Vec<(u32, Option<u32>)>) -> Walk<'a> {
        open.clear();
        Walk { tree: self, open, at: ROOT, pending: None }
    }
}

/// A step of [`Tree::walk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The move with this number.
    Move(u32),
    Start,
    End,
}

/// The iterator of [`Tree::walk`].
pub(crate) struct Walk<'a> {
    tree: &'a Tree,
    /// For each open variation: the move it is an alternative to, and the next alternative.
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
            // The previous move has a pending variation, or none.
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
    /// Advances to the next move of the line, or out of the line.
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
    fn tree_walk_nested_variations_is_in_pgn_order() {
        // The line 1 (6 7 (8)) (9) 2 3 (4 5), with moves numbered in stored order.
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
