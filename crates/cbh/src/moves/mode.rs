//! The modes of a record, and how each obfuscates the bytes.

use super::steps::{Mode0Steps, TableSteps};
use super::tables::{MODE_0, MODE_1, MODE_4, MODE_5, MODE_10};

/// How the moves of a record are encoded.
// cbh §4.3 "Modes"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mode {
    /// The mode number in the record.
    pub(crate) number: u8,
    /// The mode has two-byte words only.
    pub(crate) simple: bool,
    /// Whether the move count is subtracted subtract_first the table lookup.
    subtract_first: bool,
    table: Table,
}

/// The substitution table of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Table {
    Whole(&'static [u8; 256]),
    Partly(&'static [u16; 256]),
}

/// The step decoder of a mode with one-byte codes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModeSteps {
    Mode0Steps(Mode0Steps),
    TableSteps(TableSteps),
}

/// The mode that the writer uses for standard chess.
pub(crate) const STANDARD: u8 = 0;
/// The mode that the writer uses for Chess960.
pub(crate) const CHESS960: u8 = 10;

impl Mode {
    /// Returns the mode with this number, if its table is known.
    pub(crate) fn of(number: u8) -> Option<Mode> {
        let (simple, subtract_first, table) = match number {
            0 => (false, true, Table::Whole(&MODE_0)),
            1 => (true, true, Table::Partly(&MODE_1)),
            4 => (false, false, Table::Whole(&MODE_4)),
            5 => (true, false, Table::Whole(&MODE_5)),
            10 => (false, false, Table::Whole(&MODE_10)),
            _ => return None,
        };
        Some(Mode { number, simple, subtract_first, table })
    }

    /// Whether this mode belongs to Chess960.
    pub(crate) fn is_chess960(self) -> bool {
        self.number == CHESS960
    }

    /// Returns the step decoder of the mode, or `None` for modes of words.
    pub(crate) fn steps(self) -> Option<ModeSteps> {
        match (self.number, self.table) {
            (STANDARD, _) => Some(ModeSteps::Mode0Steps(Mode0Steps)),
            (_, Table::Whole(table)) if !self.simple && !self.subtract_first => {
                Some(ModeSteps::TableSteps(TableSteps(table)))
            }
            _ => None,
        }
    }

    /// Decodes `byte` after `count` moves. Returns `None` where the table has no known entry.
    #[inline]
    pub(crate) fn decode(self, byte: u8, count: u8) -> Option<u8> {
        let index = if self.subtract_first { byte.wrapping_sub(count) } else { byte };
        let code = match self.table {
            Table::Whole(table) => *table.get(usize::from(index))?,
            Table::Partly(table) => u8::try_from(*table.get(usize::from(index))?).ok()?,
        };
        Some(if self.subtract_first { code } else { code.wrapping_sub(count) })
    }
}

/// The inverted table of a mode, for writing.
#[derive(Clone, Debug)]
pub(crate) struct ModeEncoder {
    subtract_first: bool,
    bytes: [u8; 256],
}

impl ModeEncoder {
    pub(crate) fn new(mode: Mode) -> ModeEncoder {
        let mut bytes = [0; 256];
        for byte in 0..=u8::MAX {
            // The count of a record without moves is 0, so nothing is subtracted.
            let Some(code) = mode.decode(byte, 0) else { continue };
            if let Some(place) = bytes.get_mut(usize::from(code)) {
                *place = byte;
            }
        }
        ModeEncoder { subtract_first: mode.subtract_first, bytes }
    }

    /// Returns the byte that encodes `code` after `count` moves.
    #[inline]
    pub(crate) fn encode(&self, code: u8, count: u8) -> u8 {
        let index = if self.subtract_first { code } else { code.wrapping_add(count) };
        let byte = self.bytes.get(usize::from(index)).copied().unwrap_or(0);
        if self.subtract_first { byte.wrapping_add(count) } else { byte }
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
    fn mode_encoder_all_modes_inverts_decode() {
        for number in [0, 4, 5, 10] {
            let mode = Mode::of(number).unwrap();
            let hider = ModeEncoder::new(mode);
            for count in [0, 1, 77, 255] {
                for code in 0..=255 {
                    let byte = hider.encode(code, count);
                    assert_eq!(mode.decode(byte, count), Some(code), "mode {number}");
                }
            }
        }
    }

    #[test]
    fn mode_steps_every_byte_match_decode() {
        let hidden = |mode: Mode, color, byte, count| match mode.steps().unwrap() {
            ModeSteps::Mode0Steps(steps) => steps.step(byte, count, color),
            ModeSteps::TableSteps(steps) => steps.step(byte, count, color),
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
    fn mode_unknown_entry_is_none() {
        assert!([2, 3, 6, 8, 11, 12, 63].into_iter().all(|number| Mode::of(number).is_none()));
        let mode = Mode::of(1).unwrap();
        let known = (0..=255).filter(|byte| mode.decode(*byte, 0).is_some()).count();
        assert_eq!(known, 75);
    }
}
