//! The modes of a record, and how they hide the bytes.

use super::tables::{MODE_0, MODE_1, MODE_4, MODE_5, MODE_10, UNKNOWN};

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
    table: &'static [u16; 256],
}

/// The mode written for games of standard chess.
pub(crate) const STANDARD: u8 = 0;
/// The mode written for Chess960.
pub(crate) const CHESS960: u8 = 10;

impl Mode {
    /// The mode of this number, if its table is known.
    pub(crate) fn of(number: u8) -> Option<Mode> {
        let (simple, before, table) = match number {
            0 => (false, true, &MODE_0),
            1 => (true, true, &MODE_1),
            4 => (false, false, &MODE_4),
            5 => (true, false, &MODE_5),
            10 => (false, false, &MODE_10),
            _ => return None,
        };
        Some(Mode { number, simple, before, table })
    }

    /// Whether it is Chess960's.
    pub(crate) fn is_chess960(self) -> bool {
        self.number == CHESS960
    }

    /// What a byte means when so many moves came before; `None` where the table is not known.
    #[inline]
    pub(crate) fn decode(self, byte: u8, count: u8) -> Option<u8> {
        let index = if self.before { byte.wrapping_sub(count) } else { byte };
        let code = self.table.get(usize::from(index)).copied().unwrap_or(UNKNOWN);
        let code = u8::try_from(code).ok()?;
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
        for (byte, code) in (0..=u8::MAX).zip(mode.table) {
            if let Some(place) = bytes.get_mut(usize::from(*code)) {
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
    fn what_is_not_known_is_said() {
        assert!([2, 3, 6, 8, 11, 12, 63].into_iter().all(|number| Mode::of(number).is_none()));
        let mode = Mode::of(1).unwrap();
        let known = (0..=255).filter(|byte| mode.decode(*byte, 0).is_some()).count();
        assert_eq!(known, 75);
    }
}
