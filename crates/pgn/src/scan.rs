//! Scans a text eight bytes at a time (SWAR).

/// Returns a word with `byte` in all eight places.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Returns the first place, from `from` on, of a byte that needs special handling in a comment: a
/// brace, a backslash, a control character. `|`, `~` and 0x7f are found too, because they are next
/// to the braces in ASCII. The last seven bytes of `text` are not searched.
#[inline]
pub(crate) fn find_special(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for eight in text.get(from..)?.as_chunks::<8>().0 {
        let specials = specials(u64::from_le_bytes(*eight));
        if specials != 0 {
            return at.checked_add(specials.trailing_zeros() as usize >> 3);
        }
        at = at.wrapping_add(8);
    }
    None
}

/// Returns a word with the highest bit set in each special byte.
#[inline]
const fn specials(word: u64) -> u64 {
    // No addition carries into the next byte: the highest bit of both operands is clear in every
    // byte.
    let low = word & all(0x7f);
    let from_brace_on = low.wrapping_add(all(0x80 - b'{'));
    let from_space_on = low.wrapping_add(all(0x80 - b' '));
    let not_backslash = (low ^ all(b'\\')).wrapping_add(all(0x7f));
    (from_brace_on | !(from_space_on & not_backslash)) & !word & all(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_special_finds_each_byte_at_each_place() {
        for byte in 0..=255u8 {
            let special = matches!(byte, 0..32 | b'\\' | b'{'..=0x7f);
            for place in 0..24 {
                let mut text = [b'a'; 32];
                text[place] = byte;
                text[place + 1] = b'}';
                let expected = if special { place } else { place + 1 };
                assert_eq!(find_special(&text, 0), Some(expected), "{byte:#x}");
                assert_eq!(find_special(&text, place), Some(expected));
                text[place + 1] = 0xff;
                assert_eq!(find_special(&text, 0), special.then_some(place), "{byte:#x}");
            }
        }
        assert_eq!(find_special(b"1234567}", 8), None);
        assert_eq!(find_special(b"1234567}", 9), None);
        assert_eq!(find_special(b"12345678}", 0), None);
    }
}
