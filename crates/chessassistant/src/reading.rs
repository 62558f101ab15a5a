//! The readings of the description's one contradiction.

use crate::layout::{PLAIN, PLAIN_MIRRORED, Plain, mirrored};

/// How the one contradiction of the description is read: do the files of a step count towards h,
/// as its squares and its extended moves do, or towards a, as its move notation says?
// chessassistant §11 "Self-check"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reading {
    /// All steps count towards h.
    #[default]
    Right,
    /// Plain moves count towards a, extended moves towards h: the description to the letter.
    Literal,
    /// All steps count towards a.
    Left,
}

impl Reading {
    /// All readings, the likeliest first.
    pub const ALL: [Reading; 3] = [Reading::Right, Reading::Literal, Reading::Left];

    /// Name of the reading, as the option `reading` takes it.
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
