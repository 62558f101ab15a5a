//! The modes of a record, and how they hide the bytes.

use super::steps::{Tabled, Usual};
use super::tables::{MODE_0, MODE_1, MODE_4, MODE_5, MODE_10};

/// How the moves of a record are written.
// cbh §4.3 "Modes"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mode {
    /// The number in the record.
    pub(crate) number: u8,
    /// Words of two bytes only.
    pub(crate) simple: bool,
    /// Whether the count of moves is taken off before the table is looked up.
    before: bool,
    table: Table,
}

/// What the bytes of a mode mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Table {
    Whole(&'static [u8; 256]),
    Partly(&'static [u16; 256]),
}

/// The bytes of a mode of codes as steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModeSteps {
    Usual(Usual),
    Tabled(Tabled),
}

/// The mode written for games of standard chess.
pub(crate) const STANDARD: u8 = 0;
/// The mode written for Chess960.
pub(crate) const CHESS960: u8 = 10;

impl Mode {
    /// The mode of this number, if its table is known.
    pub(crate) fn of(number: u8) -> Option<Mode> {
        let (simple, before, table) = match number {
            0 => (false, true, Table::Whole(&MODE_0)),
            1 => (true, true, Table::Partly(&MODE_1)),
            4 => (false, false, Table::Whole(&MODE_4)),
            5 => (true, false, Table::Whole(&MODE_5)),
            10 => (false, false, Table::Whole(&MODE_10)),
            _ => return None,
        };
        Some(Mode { number, simple, before, table })
    }

    /// Whether it is Chess960's.
    pub(crate) fn is_chess960(self) -> bool {
        self.number == CHESS960
    }

    /// Its bytes as steps; `None` for modes of words.
    pub(crate) fn steps(self) -> Option<ModeSteps> {
        match (self.number, self.table) {
            (STANDARD, _) => Some(ModeSteps::Usual(Usual)),
            (_, Table::Whole(table)) if !self.simple && !self.before => {
                Some(ModeSteps::Tabled(Tabled(table)))
            }
            _ => None,
        }
    }

    /// What a byte means when so many moves came before; `None` where the table is not known.
    #[inline]
    pub(crate) fn decode(self, byte: u8, count: u8) -> Option<u8> {
        let index = if self.before { byte.wrapping_sub(count) } else { byte };
        let code = match self.table {
            Table::Whole(table) => *table.get(usize::from(index))?,
            Table::Partly(table) => u8::try_from(*table.get(usize::from(index))?).ok()?,
        };
        Some(if self.before { code } else { code.wrapping_sub(count) })
    }
}

/// The tables of a mode turned round, for writing.
#[derive(Clone, Debug)]
pub(crate) struct Hider {
    before: bool,
    bytes: [u8; 256],
}

impl Hider {
    pub(crate) fn new(mode: Mode) -> Hider {
        let mut bytes = [0; 256];
        for byte in 0..=u8::MAX {
            // As of a record without moves, where nothing is taken off.
            let Some(code) = mode.decode(byte, 0) else { continue };
            if let Some(place) = bytes.get_mut(usize::from(code)) {
                *place = byte;
            }
        }
        Hider { before: mode.before, bytes }
    }

    /// The byte that means this code when so many moves came before.
    #[inline]
    pub(crate) fn encode(&self, code: u8, count: u8) -> u8 {
        let index = if self.before { code } else { code.wrapping_add(count) };
        let byte = self.bytes.get(usize::from(index)).copied().unwrap_or(0);
        if self.before { byte.wrapping_add(count) } else { byte }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::Color;

    use crate::moves::cell::Cell;
    use crate::moves::codes;
    use crate::moves::steps::Steps;

    #[test]
    fn each_table_turns_round() {
        for number in [0, 4, 5, 10] {
            let mode = Mode::of(number).unwrap();
            let hider = Hider::new(mode);
            for count in [0, 1, 77, 255] {
                for code in 0..=255 {
                    let byte = hider.encode(code, count);
                    assert_eq!(mode.decode(byte, count), Some(code), "mode {number}");
                }
            }
        }
    }

    #[test]
    fn steps_are_those_of_the_codes() {
        let hidden = |mode: Mode, color, byte, count| match mode.steps().unwrap() {
            ModeSteps::Usual(steps) => steps.step(byte, count, color),
            ModeSteps::Tabled(steps) => steps.step(byte, count, color),
        };
        for (number, color) in [0, 4, 10].into_iter().flat_map(|n| Color::ALL.map(|c| (n, c))) {
            let mode = Mode::of(number).unwrap();
            for (byte, count) in (0..=255).flat_map(|byte| [0, 1, 130].map(|count| (byte, count))) {
                let step = mode.decode(byte, count).and_then(|code| codes::step_of(code, color));
                let piece = step.map_or(Cell::EMPTY, |step| Cell::new(step.slot, color).moved());
                assert_eq!(hidden(mode, color, byte, count).piece(), piece, "mode {number}");
            }
        }
        assert!([1, 5].into_iter().all(|number| Mode::of(number).unwrap().steps().is_none()));
    }

    #[test]
    fn what_is_not_known_is_said() {
        assert!([2, 3, 6, 8, 11, 12, 63].into_iter().all(|number| Mode::of(number).is_none()));
        let mode = Mode::of(1).unwrap();
        let known = (0..=255).filter(|byte| mode.decode(*byte, 0).is_some()).count();
        assert_eq!(known, 75);
    }
}
