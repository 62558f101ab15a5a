//! Reads move evaluations written as signs. pgn §3.5 "NAGs"

use chess_core::Nag;

/// The signs and their NAGs. A sign stands before its own prefixes, so the longest match wins.
const GLYPHS: [(&str, u16); 49] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("[]", 7),
    ("+--", 20),
    ("--+", 21),
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=/∞", 44),
    ("=∞", 44),
    ("∞=", 44),
    ("~=", 44),
    ("=", 10),
    ("±", 16),
    ("∓", 17),
    ("⩲", 14),
    ("⩱", 15),
    ("∞", 13),
    ("~", 13),
    ("⨀", 22),
    ("⊙", 22),
    ("⟳", 32),
    ("↑↑", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⯹", 44),
    ("⊕", 138),
    ("△", 140),
    ("∆", 140),
    ("Δ", 140),
    ("⌓", 142),
    ("N", 146),
    ("TN", 146),
    ("D", 220),
];

/// Parses the evaluation sign at the start of `text`. Returns its NAG, its length, and whether the
/// standard allows the sign.
pub(crate) fn parse_glyph(text: &[u8]) -> Option<(Nag, usize, bool)> {
    let (sign, nag) = GLYPHS.iter().find(|(sign, _)| {
        let letters = sign.starts_with(|letter: char| letter.is_ascii_alphabetic());
        text.strip_prefix(sign.as_bytes()).is_some_and(|rest| {
            // A letter that continues is the start of another token: `N@c5`.
            !letters || rest.first().is_none_or(stands_apart)
        })
    })?;
    Some((Nag(*nag), sign.len(), *nag <= 6 && sign.is_ascii()))
}

/// Returns whether `byte` can follow a letter that is a token of its own.
fn stands_apart(byte: &u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'!' | b'?' | b'(' | b')' | b'{' | b'}' | b';' | b'$' | b'.' | b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_glyph_longest_sign_wins() {
        for (at, (sign, _)) in GLYPHS.iter().enumerate() {
            let earlier = GLYPHS.iter().take(at).find(|(other, _)| sign.starts_with(other));
            assert!(earlier.is_none(), "{sign} after {earlier:?}");
        }
        assert_eq!(parse_glyph(b"!? Nf3"), Some((Nag(5), 2, true)));
        assert_eq!(parse_glyph("±)".as_bytes()), Some((Nag(16), 2, false)));
        assert_eq!((parse_glyph(b"Nf3"), parse_glyph(b"N@c5")), (None, None));
        assert_eq!(parse_glyph(b"N "), Some((Nag(146), 1, false)));
    }

    #[test]
    fn glyphs_match_specification() {
        let table = include_str!("../../../docs/formats/tables/pgn-signs.tsv");
        let rows = table.lines().filter(|row| !row.starts_with('#'));
        let found = rows.map(|row| row.split_once('\t').unwrap());
        let found: Vec<(&str, u16)> =
            found.map(|(sign, nag)| (sign, nag.parse().unwrap())).collect();
        assert_eq!(found, GLYPHS);
    }
}
