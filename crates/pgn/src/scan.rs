//! Scans a text sixteen bytes at a time. The compiler turns the loops over arrays into SIMD.

/// The bytes that are examined together.
const LANES: usize = 16;

/// Returns the first place, from `from` on, of a byte that needs special handling in a comment: a
/// brace, a backslash, a control character. `|` is found too, because it is between the braces in
/// ASCII. The last fifteen bytes of `text` are not searched.
#[inline]
pub(crate) fn find_special(text: &[u8], from: usize) -> Option<usize> {
    find(text, from, mark_special)
}

/// Returns the first place of a byte that ends the plain value of a tag: a quote, a backslash, a line
/// end.
#[inline]
pub(crate) fn find_value_end(text: &[u8]) -> Option<usize> {
    find_anywhere(text, mark_value_end)
}

/// Returns the first place of a byte other than an ASCII letter or digit.
#[inline]
pub(crate) fn find_word_end(text: &[u8]) -> Option<usize> {
    find_anywhere(text, mark_not_word)
}

#[inline(always)]
fn find_anywhere(text: &[u8], mark: impl Fn(u8) -> u8 + Copy) -> Option<usize> {
    find(text, 0, mark).or_else(|| text.iter().position(|byte| mark(*byte) != 0))
}

/// Returns the first place, from `from` on, of a byte that `mark` marks.
#[inline(always)]
fn find(text: &[u8], from: usize, mark: impl Fn(u8) -> u8) -> Option<usize> {
    let mut at = from;
    loop {
        // In place: the compiler puts an array that `map` makes into memory.
        let mut lanes = *text.get(at..)?.first_chunk::<LANES>()?;
        for byte in &mut lanes {
            *byte = mark(*byte);
        }
        if let Some(lane) = first_marked(lanes) {
            return Some(at.wrapping_add(lane));
        }
        at = at.wrapping_add(LANES);
    }
}

/// Returns the first byte that is not zero.
#[inline(always)]
const fn first_marked(lanes: [u8; LANES]) -> Option<usize> {
    match u128::from_le_bytes(lanes) {
        0 => None,
        marked => Some(marked.trailing_zeros() as usize >> 3),
    }
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

/// Returns a number other than zero if `byte` ends a plain value.
#[inline(always)]
const fn mark_value_end(byte: u8) -> u8 {
    let no_sign = smaller(byte ^ b'"', byte ^ b'\\');
    let no_line_end = smaller(byte ^ b'\n', byte ^ b'\r');
    1u8.saturating_sub(smaller(no_sign, no_line_end))
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
        if let Some(lane) = first_marked(marked) {
            return at.wrapping_add(lane);
        }
        at = at.wrapping_add(LANES);
    }
    at
}

/// Marks the bytes of `text` from `at` on with `mark`, which also gets the bytes before and after.
/// `None` at the start of `text` and near its end.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "the arrays have LANES bytes")]
fn mark_lanes(text: &[u8], at: usize, mark: impl Fn(u8, u8, u8) -> u8) -> Option<[u8; LANES]> {
    let text = text.get(at.wrapping_sub(1)..)?.first_chunk::<{ LANES + 2 }>()?;
    let before = text.first_chunk::<LANES>()?;
    let lanes = text.get(1..)?.first_chunk::<LANES>()?;
    let after = text.last_chunk::<LANES>()?;
    let mut marked = [0; LANES];
    for lane in 0..LANES {
        marked[lane] = mark(before[lane], lanes[lane], after[lane]);
    }
    Some(marked)
}

/// Returns a number other than zero if `byte` is not plain movetext. `0` and `1` are plain inside a
/// word or a number, and `1` before a digit too. A point is plain unless `5` follows.
// Constants that are subtracted need no register of their own.
#[inline(always)]
const fn mark_not_plain(before: u8, byte: u8, after: u8) -> u8 {
    let no_blank = smaller(is_outside(byte, b'\t', 5), is_outside(byte, b' ', 2));
    let no_check = smaller(is_outside(byte, b'#', 2), byte ^ b'+');
    let no_sign = smaller(byte ^ b'.', (byte | 2) ^ b'?');
    let no_text = smaller(smaller(no_blank, no_check), smaller(no_sign, mark_not_word(byte)));
    let no_zero_or_one = (byte ^ b'0') & 0xfe;
    // Of the plain bytes, digits and letters alone.
    let after_word = is_outside(before ^ b'0', 10, 0x36);
    let one_before_digit = smaller(byte & 1, 10u8.saturating_sub(after.wrapping_sub(b'0')));
    let no_number = no_zero_or_one | after_word | one_before_digit;
    let no_half = byte ^ b'.' | after ^ b'5';
    no_text | 1u8.saturating_sub(smaller(no_number, no_half))
}

/// Returns a number other than zero if `byte` is neither a letter nor a digit.
#[inline(always)]
const fn mark_not_word(byte: u8) -> u8 {
    smaller(is_outside(byte, b'0', 10), is_outside(byte | 0x20, b'a', 26))
}

/// Returns a number other than zero if `byte` is none of `count` bytes from `first` on.
#[inline(always)]
const fn is_outside(byte: u8, first: u8, count: u8) -> u8 {
    byte.wrapping_sub(first).saturating_sub(count.wrapping_sub(1))
}

#[inline(always)]
const fn smaller(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
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
