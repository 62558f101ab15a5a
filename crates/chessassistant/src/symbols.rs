//! Symbols: the single table from their bytes to NAGs.
//!
//! No description gives the byte values of symbols. Until a genuine base settles the question, a
//! byte is read as the NAG of the same number. Only this table must change when the values are
//! known. `Survey` counts the symbol bytes of a base.

use crate::layout::DIAGRAM_NAG;

/// The NAG of each symbol byte; `None` for a symbol that is kept as a raw tag.
// chessassistant §9.2 "Symbols"
static NAGS: [Option<u16>; 256] = identity();

const fn identity() -> [Option<u16>; 256] {
    let mut table = [None; 256];
    let mut code = 0u16;
    while code < 256 {
        let nag = match code {
            // A diagram has a comment type of its own.
            DIAGRAM_NAG => None,
            MARK => Some(1),
            QUESTION_MARK => Some(2),
            _ => Some(code),
        };
        #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            table[code as usize] = nag;
        }
        code = code.wrapping_add(1);
    }
    table
}

/// `!` and `?` as characters. Symbols may be characters as well: these two would then be by far the
/// most frequent, and as numbers they stand for nothing that annotators write.
const MARK: u16 = b'!' as u16;
const QUESTION_MARK: u16 = b'?' as u16;

/// Whether a symbol byte is read as a character.
pub(crate) fn is_character(symbol: u8) -> bool {
    matches!(symbol, b'!' | b'?')
}

/// The NAG of a symbol byte.
pub(crate) fn nag_of(symbol: u8) -> Option<u16> {
    NAGS.get(usize::from(symbol)).copied().flatten()
}

/// The symbol byte of a NAG.
pub(crate) fn symbol_of(nag: u16) -> Option<u8> {
    (0..=u8::MAX).zip(&NAGS).find(|(_, known)| **known == Some(nag)).map(|(symbol, _)| symbol)
}

/// The text of a NAG, for bases whose readers may not share the table.
pub(crate) fn text_of(nag: u16) -> Option<&'static str> {
    Some(match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 | 8 => "[]",
        10 => "=",
        13 => "Inf",
        14 => "+/=",
        15 => "=/+",
        16 => "+/-",
        17 => "-/+",
        18 => "+-",
        19 => "-+",
        22 | 23 => "(.)",
        36 | 37 => "^",
        40 | 41 => "->",
        44 | 45 => "=/Inf",
        132 | 133 => "->/<-",
        146 => "N",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbol_table_maps_both_ways() {
        for symbol in 0..=u8::MAX {
            if let Some(nag) = nag_of(symbol).filter(|_| !is_character(symbol)) {
                assert_eq!(symbol_of(nag), Some(symbol));
            }
        }
        assert_eq!(nag_of(220), None);
        assert_eq!(symbol_of(256), None);
        assert_eq!([nag_of(0x21), nag_of(0x3f)], [Some(1), Some(2)]);
        assert_eq!([symbol_of(1), symbol_of(2), symbol_of(0x21)], [Some(1), Some(2), None]);
    }
}
