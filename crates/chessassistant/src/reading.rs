//! The possible readings of the description's contradiction.

use crate::layout::{PLAIN, PLAIN_MIRRORED, Plain, mirrored};

/// The direction in which the files of a step are counted. The description contradicts itself:
/// towards h by its squares and extended moves, towards a by its move notation.
// chessassistant §11 "Self-check"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Reading {
    /// All steps count towards h.
    #[default]
    Right,
    /// Plain moves count towards a, extended moves towards h: the literal description.
    Literal,
    /// All steps count towards a.
    Left,
}

impl Reading {
    /// All readings, the most likely first.
    pub const ALL: [Reading; 3] = [Reading::Right, Reading::Literal, Reading::Left];

    /// The name of the reading, as in the option `reading`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reading::Right => "right",
            Reading::Literal => "literal",
            Reading::Left => "left",
        }
    }

    pub(crate) fn plain(self) -> &'static [Plain; 256] {
        match self {
            Reading::Right => &PLAIN,
            Reading::Literal | Reading::Left => &PLAIN_MIRRORED,
        }
    }

    pub(crate) fn extended(self, step: u8) -> u8 {
        match self {
            Reading::Right | Reading::Literal => step & 0x77,
            Reading::Left => mirrored(step & 0x77),
        }
    }
}
