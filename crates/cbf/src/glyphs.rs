//! Evaluation codes and the glyphs they are. cbf §7.2 "Evaluation codes"
//!
//! A comment record has three codes: of the move, of the position, and one more. Each known one
//! is a NAG; a code whose NAG another code owns, or without one, is kept as a NAG of its own
//! beyond PGN's, `256 * slot + code` with the slots counted from 1.

use chess_core::{Color, Nag};

/// The three codes of a record.
pub(crate) type Codes = [u8; 3];

/// NAGs by code from 1; 0 where there is none.
const MOVE: [u16; 9] = [1, 2, 5, 6, 3, 4, 0, 140, 142];
/// The same for positions. Those of 11 to 14 are White's; Black's are one more.
const POSITION: [u16; 15] = [18, 16, 14, 10, 13, 15, 17, 19, 44, 45, 132, 36, 40, 138, 8];
/// The same for the third code.
const EXTRA: [u16; 7] = [145, 142, 140, 144, 142, 143, 0];

/// NAGs that come close to a code that has another: slot, code.
const NEAR: [(u16, usize, u8); 10] = [
    (7, 1, 15),   // forced move: only move
    (11, 1, 4),   // equal, quiet
    (12, 1, 4),   // equal, active
    (20, 1, 1),   // White crushes
    (21, 1, 8),   // Black crushes
    (136, 1, 14), // moderate time pressure
    (137, 1, 14),
    (130, 1, 11), // slight counterplay
    (131, 1, 11),
    (134, 1, 11), // strong counterplay
];

/// The NAG people know the code by, for a move of this colour.
fn semantic(slot: usize, code: u8, mover: Color) -> Option<u16> {
    let table: &[u16] = match slot {
        0 => &MOVE,
        1 => &POSITION,
        _ => &EXTRA,
    };
    let nag = *table.get(usize::from(code.checked_sub(1)?))?;
    let sided = slot == 1 && (11..=14).contains(&code) && mover == Color::Black;
    (nag != 0).then(|| nag.saturating_add(u16::from(sided)))
}

/// Whether the code's NAG, met alone, is read back as this code.
fn owns_its_nag(slot: usize, code: u8) -> bool {
    !(slot == 2 && matches!(code, 2 | 3 | 5))
}

/// Calls `each` with the NAGs of a record's codes. A code that does not own its NAG has two: the
/// one people know, and its own.
pub(crate) fn for_each_nag(codes: Codes, mover: Color, mut each: impl FnMut(Nag)) {
    for (slot, code) in codes.into_iter().enumerate().filter(|(_, code)| *code != 0) {
        let semantic = semantic(slot, code, mover);
        if let Some(nag) = semantic {
            each(Nag(nag));
        }
        if semantic.is_none() || !owns_its_nag(slot, code) {
            each(private(slot, code));
        }
    }
}

/// The NAG that only this format knows.
fn private(slot: usize, code: u8) -> Nag {
    let slot = u16::try_from(slot).unwrap_or(0).saturating_add(1);
    Nag(slot << 8 | u16::from(code))
}

/// Slot and code of a NAG, and whether the code says the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coded {
    pub(crate) slot: usize,
    pub(crate) code: u8,
    pub(crate) exact: bool,
}

/// The code of a NAG on a move of this colour, if any comes near.
pub(crate) fn code_of(nag: Nag, mover: Color) -> Option<Coded> {
    let [slot, code] = nag.0.to_be_bytes();
    if slot != 0 {
        let slot = usize::from(slot).checked_sub(1).filter(|slot| *slot < 3)?;
        return (code != 0).then_some(Coded { slot, code, exact: true });
    }
    for slot in 0..3 {
        for code in (1..=15).filter(|code| owns_its_nag(slot, *code)) {
            if semantic(slot, code, mover) == Some(nag.0) {
                return Some(Coded { slot, code, exact: true });
            }
            if semantic(slot, code, !mover) == Some(nag.0) {
                return Some(Coded { slot, code, exact: false });
            }
        }
    }
    let near = NEAR.iter().find(|(known, _, _)| *known == nag.0);
    near.map(|(_, slot, code)| Coded { slot: *slot, code: *code, exact: false })
}

/// Whether `nag` only says for people what the NAG after it says exactly.
pub(crate) fn is_shadow(nag: Nag, next: Nag, mover: Color) -> bool {
    let [slot, code] = next.0.to_be_bytes();
    let slot = usize::from(slot).wrapping_sub(1);
    slot < 3 && !owns_its_nag(slot, code) && semantic(slot, code, mover) == Some(nag.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_comes_back() {
        for mover in Color::ALL {
            for slot in 0..3 {
                for code in 1..=255 {
                    let mut codes = [0; 3];
                    codes[slot] = code;
                    let mut nags = Vec::new();
                    for_each_nag(codes, mover, |nag| nags.push(nag));
                    if let [first, second] = nags[..] {
                        assert!(is_shadow(first, second, mover));
                    }
                    let coded = code_of(*nags.last().unwrap(), mover).unwrap();
                    assert_eq!(coded, Coded { slot, code, exact: true });
                }
            }
        }
    }

    #[test]
    fn known_glyphs() {
        let nags = |codes, mover| {
            let mut nags = Vec::new();
            for_each_nag(codes, mover, |nag| nags.push(nag.0));
            nags
        };
        assert_eq!(nags([1, 0, 0], Color::White), [1]);
        assert_eq!(nags([5, 8, 1], Color::White), [3, 19, 145]);
        assert_eq!(nags([0, 13, 0], Color::Black), [41]);
        assert_eq!(nags([8, 0, 3], Color::White), [140, 140, 2 * 256 + 256 + 3]);
        assert_eq!(nags([7, 0, 0], Color::White), [256 + 7]);
        assert_eq!(nags([0, 99, 0], Color::White), [512 + 99]);
    }

    #[test]
    fn foreign_glyphs() {
        assert_eq!(code_of(Nag(146), Color::White), None);
        assert_eq!(code_of(Nag(0), Color::White), None);
        // Black's initiative on a move of White's loses its side.
        let found = code_of(Nag(37), Color::White).unwrap();
        assert_eq!(found, Coded { slot: 1, code: 12, exact: false });
        assert_eq!(code_of(Nag(0x0401), Color::White), None);
    }
}
