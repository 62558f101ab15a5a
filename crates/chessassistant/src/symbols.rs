//! Symbols: the one table from their bytes to glyphs.
//!
//! No description gives the byte values of symbols. Until a genuine base settles it, a byte is
//! taken for the NAG of the same number; change this table, and only this, when it is known.
//! [`Survey`](crate::Survey) counts the bytes a base has.

use crate::layout::DIAGRAM_NAG;

/// The NAG of each symbol byte; `None` where a symbol is kept as a raw tag instead.
// chessassistant §9.2 "Symbols"
static NAGS: [Option<u16>; 256] = identity();

const fn identity() -> [Option<u16>; 256] {
    let mut table = [None; 256];
    let mut code = 0u16;
    while code < 256 {
        // A diagram has a comment type of its own.
        if code != DIAGRAM_NAG {
            #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
            {
                table[code as usize] = Some(code);
            }
        }
        code = code.wrapping_add(1);
    }
    table
}

/// The glyph of a symbol byte.
pub(crate) fn nag_of(symbol: u8) -> Option<u16> {
    NAGS.get(usize::from(symbol)).copied().flatten()
}

/// The symbol byte of a glyph.
pub(crate) fn symbol_of(nag: u16) -> Option<u8> {
    (0..=u8::MAX).zip(&NAGS).find(|(_, known)| **known == Some(nag)).map(|(symbol, _)| symbol)
}

/// How a glyph is written in text, for bases whose readers may not share the table.
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
    fn the_table_goes_both_ways() {
        for symbol in 0..=u8::MAX {
            if let Some(nag) = nag_of(symbol) {
                assert_eq!(symbol_of(nag), Some(symbol));
            }
        }
        assert_eq!(nag_of(220), None);
        assert_eq!(symbol_of(256), None);
    }
}
