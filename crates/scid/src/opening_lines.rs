//! The opening lines that index entries refer to, by code. (scid §2.5 "Derived fields")
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "the tables are made in the compiler, where a mistake is a compile error; the walk uses their own numbers"
)]

mod table;

use chess_core::{Move, Square};

use table::LINES;

/// Returns the moves of a line; none for an unused code.
pub(crate) fn moves(code: u8) -> &'static [Move] {
    let code = usize::from(code);
    ENDS.get(code)
        .map_or(&[], |end| &MOVES[usize::from(ENDS[code.saturating_sub(1)])..usize::from(*end)])
}

/// Finds the longest opening line that a game follows, move by move from the usual start position.
#[derive(Clone, Copy)]
pub(crate) struct LongestLine {
    /// The game's node in the tree of lines; `LEFT` once it has left the tree.
    node: u16,
    code: u8,
}

/// The root is not a child.
const NONE: u16 = 0;
const LEFT: u16 = u16::MAX;

impl LongestLine {
    pub(crate) const fn new() -> LongestLine {
        LongestLine { node: 0, code: 0 }
    }

    /// The finder for a game without an opening line.
    pub(crate) const fn none() -> LongestLine {
        LongestLine { node: LEFT, code: 0 }
    }

    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        if self.node != LEFT {
            self.step(m);
        }
    }

    fn step(&mut self, m: Move) {
        let mut child = TREE[usize::from(self.node)].child;
        while child != NONE && TREE[usize::from(child)].m.bits() != m.bits() {
            child = TREE[usize::from(child)].sibling;
        }
        self.node = if child == NONE { LEFT } else { child };
        if child != NONE && TREE[usize::from(child)].code != 0 {
            self.code = TREE[usize::from(child)].code;
        }
    }

    /// The code of the line; 0 for none.
    pub(crate) const fn code(self) -> u8 {
        self.code
    }
}

/// A move in the tree of lines.
#[derive(Clone, Copy)]
struct Node {
    m: Move,
    /// The code of the line that ends here, or 0.
    code: u8,
    child: u16,
    sibling: u16,
}

/// The moves of all lines.
const COUNT: usize = count();
/// The moves of all lines, concatenated.
static MOVES: [Move; COUNT] = all_moves();
/// The end of each line in them, by code. Code 0 has no line.
static ENDS: [u16; LINES.len() + 1] = ends();
static TREE: [Node; COUNT + 1] = tree();

/// A move has four letters, and a blank separates two moves.
const fn length(line: &str) -> usize {
    (line.len() + 1) / 5
}

const fn count() -> usize {
    let (mut sum, mut line) = (0, 0);
    while line < LINES.len() {
        sum += length(LINES[line]);
        line += 1;
    }
    sum
}

const fn ends() -> [u16; LINES.len() + 1] {
    let mut ends = [0; LINES.len() + 1];
    let mut line = 0;
    while line < LINES.len() {
        ends[line + 1] = ends[line] + length(LINES[line]) as u16;
        line += 1;
    }
    ends
}

const fn move_at(line: &str, number: usize) -> Move {
    let text = line.as_bytes();
    Move::new(square_at(text, number * 5), square_at(text, number * 5 + 2))
}

const fn square_at(text: &[u8], at: usize) -> Square {
    Square::from_low_bits((text[at] - b'a') | (text[at + 1] - b'1') << 3)
}

const fn all_moves() -> [Move; COUNT] {
    let mut moves = [Move::NULL; COUNT];
    let (mut next, mut line) = (0, 0);
    while line < LINES.len() {
        let mut number = 0;
        while number < length(LINES[line]) {
            moves[next] = move_at(LINES[line], number);
            next += 1;
            number += 1;
        }
        line += 1;
    }
    moves
}

const fn tree() -> [Node; COUNT + 1] {
    let mut tree = [Node { m: Move::NULL, code: 0, child: NONE, sibling: NONE }; COUNT + 1];
    let (mut used, mut line) = (1, 0);
    while line < LINES.len() {
        let (mut node, mut number) = (0, 0);
        while number < length(LINES[line]) {
            let m = move_at(LINES[line], number);
            let mut child = tree[node].child as usize;
            while child != 0 && tree[child].m.bits() != m.bits() {
                child = tree[child].sibling as usize;
            }
            if child == 0 {
                child = used;
                used += 1;
                tree[child].m = m;
                tree[child].sibling = tree[node].child;
                tree[node].child = child as u16;
            }
            node = child;
            number += 1;
        }
        tree[node].code = line as u8 + 1;
        line += 1;
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_core::Position;

    fn code_of(line: &[Move]) -> u8 {
        let mut longest = LongestLine::new();
        line.iter().for_each(|m| longest.play(*m));
        longest.code()
    }

    #[test]
    fn opening_lines_table_is_legal_and_unambiguous() {
        for code in 1..=254 {
            let line = moves(code);
            let mut position = Position::start();
            for m in line {
                assert!(position.is_legal(*m), "{code}");
                position.apply(*m);
            }
            assert_eq!(code_of(line), code);
        }
        assert!(moves(0).is_empty() && moves(255).is_empty());
    }

    #[test]
    fn opening_line_longest_complete_line_wins() {
        let line = |text: &str| text.split(' ').map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
        for (played, code) in [
            ("a2a3", 0),
            ("b2b3", 1),
            ("b2b3 e7e5 c1b2", 1),
            // A prefix of longer lines is not a line itself.
            ("c2c4 c7c5 g1f3", 4),
            ("d2d4 g8f6 c2c4 e7e6", 51),
            ("d2d4 0000 c2c4", 15),
            (
                "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1h1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8h8",
                197,
            ),
        ] {
            assert_eq!(code_of(&line(played)), code, "{played}");
        }
        let mut none = LongestLine::none();
        none.play("b2b3".parse().unwrap());
        assert_eq!(none.code(), 0);
    }
}
