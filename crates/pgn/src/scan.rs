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

/// Returns the length of the movetext, from the start of `text`, that need not be looked at to find
/// the end of the game: moves, move numbers, white space and most signs. The text begins outside words
/// and numbers. Its last bytes are not searched.
#[inline]
pub(crate) fn find_not_plain(text: &[u8]) -> usize {
    match text {
        [first, second, ..] if mark_not_plain(b' ', *first, *second) == 0 => {}
        _ => return 0,
    }
    let mut at = 1usize;
    while let Some(marked) = text.get(at.wrapping_sub(1)..).and_then(mark_lanes) {
        if marked != 0 {
            return at.saturating_add(marked.trailing_zeros() as usize >> 3);
        }
        at = at.wrapping_add(LANES);
    }
    at
}

/// Marks the bytes of `text` after the first that are not plain movetext.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the arrays have LANES bytes")]
fn mark_lanes(text: &[u8]) -> Option<u128> {
    let before = text.first_chunk::<LANES>()?;
    let lanes = text.get(1..)?.first_chunk::<LANES>()?;
    let after = text.get(2..)?.first_chunk::<LANES>()?;
    let mut marked = [0; LANES];
    for lane in 0..LANES {
        marked[lane] = mark_not_plain(before[lane], lanes[lane], after[lane]);
    }
    Some(u128::from_le_bytes(marked))
}

/// Returns a number other than zero if `byte` is not plain movetext. `0` and `1` are plain inside a
/// word or a number, and `1` before a digit too. A point or a comma is plain unless `5` follows.
#[inline(always)]
const fn mark_not_plain(before: u8, byte: u8, after: u8) -> u8 {
    let of_results = is_in(byte, b'(', 3) | is_in(byte | 2, b'/', 1) | is_in(byte, b':', 3);
    let brackets = is_in(byte | 0x20, b'{', 1);
    let others = of_results | brackets | is_in(byte, b'%', 1) | byte & 0x80;
    let in_word = is_in(before, b'0', 10) | is_in(before | 0x20, b'a', 26);
    let (one, digit_after) = (byte & 1, is_in(after, b'0', 10));
    let one_before_digit = if digit_after < one { digit_after } else { one };
    let begins = is_in((byte & 0xfe) ^ b'0' | in_word | one_before_digit, 0, 1);
    let point = is_in((byte | 2) ^ b'.' | after ^ b'5', 0, 1);
    others | begins | point
}

/// Returns a number other than zero if `byte` is one of `count` bytes from `first` on.
#[inline(always)]
const fn is_in(byte: u8, first: u8, count: u8) -> u8 {
    count.saturating_sub(byte.wrapping_sub(first))
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

    #[test]
    fn find_not_plain_finds_each_byte_at_each_place() {
        for byte in 0..=255u8 {
            for (before, after, plain) in [
                (b' ', b' ', !matches!(byte, b'0' | b'1')),
                (b'.', b'9', byte != b'0'),
                (b'9', b' ', true),
                (b'Z', b'-', true),
                (b' ', b'5', !matches!(byte, b'0' | b'.' | b',')),
            ] {
                let special = b"%()*-/:;<[{".contains(&byte);
                let plain = plain && !special && byte < 0x80;
                for place in 1..40 {
                    let mut text = [b' '; 64];
                    (text[place - 1], text[place], text[place + 1]) = (before, byte, after);
                    let found = find_not_plain(&text);
                    assert_eq!(found == place, !plain, "{byte:#x} {place} {found}");
                }
            }
            let first = find_not_plain(&[&[byte][..], &[b' '; 40]].concat());
            let plain = !b"%()*-/01:;<[{".contains(&byte) && byte < 0x80;
            assert_eq!(first > 0, plain, "{byte:#x}");
        }
    }
}
