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

/// Returns the end of the movetext, from `from` on, that need not be looked at to find the end of the
/// game: moves, move numbers, white space and most signs. The first byte is outside words and numbers.
/// The last bytes of `text` are not searched.
#[inline]
pub(crate) fn find_not_plain(text: &[u8], from: usize) -> usize {
    // These would depend on the byte before.
    if matches!(text.get(from), Some(b'0' | b'1')) {
        return from;
    }
    let mut at = from;
    while let Some(marked) = mark_lanes(text, at, mark_not_plain) {
        if marked != 0 {
            return at.saturating_add(marked.trailing_zeros() as usize >> 3);
        }
        at = at.wrapping_add(LANES);
    }
    at
}

/// Marks the bytes of `text` from `at` on with `mark`, which also gets the bytes before and after.
/// `None` at the start of `text` and near its end.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the arrays have LANES bytes")]
fn mark_lanes(text: &[u8], at: usize, mark: impl Fn(u8, u8, u8) -> u8) -> Option<u128> {
    let text = text.get(at.checked_sub(1)?..)?;
    let before = text.first_chunk::<LANES>()?;
    let lanes = text.get(1..)?.first_chunk::<LANES>()?;
    let after = text.get(2..)?.first_chunk::<LANES>()?;
    let mut marked = [0; LANES];
    for lane in 0..LANES {
        marked[lane] = mark(before[lane], lanes[lane], after[lane]);
    }
    Some(u128::from_le_bytes(marked))
}

/// Returns a number other than zero if `byte` is not plain movetext. `0` and `1` are plain inside a
/// word or a number, and `1` before a digit too. A point is plain unless `5` follows.
#[inline(always)]
const fn mark_not_plain(before: u8, byte: u8, after: u8) -> u8 {
    let blank = is_in(byte, b'\t', 5) | is_in(byte, b' ', 2);
    let check = is_in(byte, b'#', 2) | is_in(byte, b'+', 1);
    let sign = is_in(byte, b'.', 1) | is_in(byte | 2, b'?', 1);
    let (one, digit_after) = (byte & 1, is_in(after, b'0', 10));
    let one_before_digit = if digit_after < one { digit_after } else { one };
    let begins = is_in((byte & 0xfe) ^ b'0' | one_before_digit, 0, 1);
    // Of the plain bytes, these are neither letters nor digits.
    let after_sign = is_in(before, 0, b'0') | is_in(before, b':', 6);
    let begins = if after_sign < begins { after_sign } else { begins };
    let point = is_in(byte ^ b'.' | after ^ b'5', 0, 1);
    let word = is_in(byte, b'0', 10) | is_in(byte | 0x20, b'a', 26);
    is_in(word | blank | check | sign, 0, 1) | begins | point
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
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || b" \t\n\x0b\x0c\r!#$+.=?".contains(&byte);
        for byte in 0..=255u8 {
            for (before, after, plain) in [
                (b' ', b' ', !matches!(byte, b'0' | b'1')),
                (b'.', b'9', byte != b'0'),
                (b'9', b' ', true),
                (b'Z', b'-', true),
                (b' ', b'5', !matches!(byte, b'0' | b'.')),
            ] {
                let plain = plain && is_plain(byte);
                for place in 2..40 {
                    let mut text = [b' '; 64];
                    (text[place - 1], text[place], text[place + 1]) = (before, byte, after);
                    let found = find_not_plain(&text, 1);
                    assert_eq!(found == place, !plain, "{byte:#x} {place} {found}");
                }
            }
            let first = find_not_plain(&[&b" "[..], &[byte], &[b' '; 40]].concat(), 1);
            let plain = is_plain(byte) && !matches!(byte, b'0' | b'1');
            assert_eq!(first > 1, plain, "{byte:#x}");
        }
    }
}
