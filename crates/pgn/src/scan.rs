//! Scans a text sixteen bytes at a time. The compiler turns the loops over arrays into SIMD.

/// The bytes that are examined together.
const LANES: usize = 16;

/// Returns the first place, from `from` on, of a byte that needs special handling in a comment: a
/// brace, a backslash, a control character. `|` is found too, because it is between the braces in
/// ASCII. The last fifteen bytes of `text` are not searched.
#[inline]
pub(crate) fn find_special(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for lanes in text.get(from..)?.as_chunks::<LANES>().0 {
        let mut specials = *lanes;
        for byte in &mut specials {
            *byte = mark_special(*byte);
        }
        let specials = u128::from_le_bytes(specials);
        if specials != 0 {
            return at.checked_add(specials.trailing_zeros() as usize >> 3);
        }
        at = at.wrapping_add(LANES);
    }
    None
}

/// Returns a number other than zero if `byte` is special.
// Saturating subtraction is a SIMD instruction; the compiler turns comparisons into a bit table.
#[inline(always)]
const fn mark_special(byte: u8) -> u8 {
    let below_space = b' '.saturating_sub(byte);
    let brace = 3u8.saturating_sub(byte.wrapping_sub(b'{'));
    let backslash = 1u8.saturating_sub(byte ^ b'\\');
    below_space | brace | backslash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_special_finds_each_byte_at_each_place() {
        for byte in 0..=255u8 {
            let special = matches!(byte, 0..32 | b'\\' | b'{'..=b'}');
            for place in 0..40 {
                let mut text = [b'a'; 64];
                text[place] = byte;
                text[place + 1] = b'}';
                let expected = if special { place } else { place + 1 };
                assert_eq!(find_special(&text, 0), Some(expected), "{byte:#x}");
                assert_eq!(find_special(&text, place), Some(expected));
                text[place + 1] = 0xff;
                assert_eq!(find_special(&text, 0), special.then_some(place), "{byte:#x}");
            }
        }
        let text = b"123456789abcdef}g";
        assert_eq!(find_special(text, 0), Some(15));
        assert_eq!(find_special(text, 1), Some(15));
        assert_eq!(find_special(text, 2), None);
        assert_eq!(find_special(text, 18), None);
        assert_eq!(find_special(b"123456789abcdefg}", 0), None);
    }
}
