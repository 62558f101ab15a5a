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
        at = match first_marked(marked) {
            Some(lane) if is_castling(text, at.wrapping_add(lane)) => {
                at.wrapping_add(lane).wrapping_add(1)
            }
            Some(lane) => return at.wrapping_add(lane),
            None => at.wrapping_add(LANES),
        };
    }
    at
}

/// Returns whether the sign at `at` is the hyphen of `O-O`.
#[inline]
fn is_castling(text: &[u8], at: usize) -> bool {
    text.get(at.wrapping_sub(1)..).is_some_and(|text| text.starts_with(b"O-O"))
}

/// Like [`find_not_plain`], but skips comments too. `from` is the opening brace of a comment. A comment
/// is not skipped if it contains another opening brace or a line that begins with a bracket, or if it
/// begins a line.
// Most comments are shorter than a block, and a search from brace to brace waits for each.
pub(crate) fn skip_commented(text: &[u8], from: usize) -> usize {
    // Without SIMD, the marks of a block cost more than a search for each brace.
    if cfg!(target_family = "wasm") {
        return from;
    }
    let (mut at, mut opened, mut after_white) = (from, None, 0);
    while let Some(Block { open, close, white, not_plain }) = mark_block(text, at) {
        // The subtraction sets the bits from each opening brace up to its closing brace.
        let (inside, borrow) = close.overflowing_sub(open);
        let (inside, unclosed) = inside.overflowing_sub(u64::from(opened.is_some()));
        let mut not_plain = not_plain & !(inside | open | close);
        while not_plain != 0
            && is_castling(text, at.wrapping_add(not_plain.trailing_zeros() as usize))
        {
            not_plain &= not_plain.wrapping_sub(1);
        }
        let begins_line = open & inside & (white << 1 | after_white);
        let itself = not_plain | close & inside | begins_line;
        let in_comment = open & !inside | before_bracket(text, at, white & inside);
        let last = |open: u64| Some(at.wrapping_add(open.checked_ilog2()? as usize));
        let found = itself | in_comment;
        if found != 0 {
            let bit = found & found.wrapping_neg();
            return if itself & bit != 0 {
                at.wrapping_add(bit.trailing_zeros() as usize)
            } else {
                last(open & bit.wrapping_sub(1)).or(opened).unwrap_or(at)
            };
        }
        opened = if borrow | unclosed { last(open).or(opened) } else { None };
        after_white = white >> 63;
        at = at.wrapping_add(BLOCK);
    }
    opened.unwrap_or(at)
}

/// Returns the bits of `white` before a bracket. `at` is the place of the first bit.
#[inline]
fn before_bracket(text: &[u8], at: usize, white: u64) -> u64 {
    let (mut left, mut found) = (white, 0);
    while left != 0 {
        let next = at.wrapping_add(left.trailing_zeros() as usize).wrapping_add(1);
        let bit = left & left.wrapping_neg();
        if text.get(next) == Some(&b'[') {
            found |= bit;
        }
        left ^= bit;
    }
    found
}

/// The number of bytes that [`mark_block`] marks.
const BLOCK: usize = 64;

/// Marks of the bytes of a block, a bit each.
#[derive(Default)]
struct Block {
    open: u64,
    close: u64,
    /// White space other than a blank.
    white: u64,
    not_plain: u64,
}

/// Marks the bytes of `text` from `at` on. `None` at the start of `text` and near its end.
#[inline(always)]
fn mark_block(text: &[u8], at: usize) -> Option<Block> {
    let text = text.get(at.wrapping_sub(1)..)?.first_chunk::<{ BLOCK + 2 }>()?;
    let mut block = Block::default();
    for from in [0usize, 16, 32, 48] {
        let at = from.wrapping_add(1);
        block.open |= to_bits(mark_lanes(text, at, |_, byte, _| is(byte == b'{'))?) << from;
        block.close |= to_bits(mark_lanes(text, at, |_, byte, _| is(byte == b'}'))?) << from;
        block.white |= to_bits(mark_lanes(text, at, |_, byte, _| is_white(byte))?) << from;
        block.not_plain |= to_bits(mark_lanes(text, at, mark_not_plain)?) << from;
    }
    Some(block)
}

/// Returns the highest bit of each byte.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn to_bits(lanes: [u8; LANES]) -> u64 {
    u64::from(safe_arch::move_mask_i8_m128i(lanes.into()).cast_unsigned())
}

#[cfg(not(target_arch = "x86_64"))]
use multiply_to_bits as to_bits;

#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
const fn multiply_to_bits(lanes: [u8; LANES]) -> u64 {
    const LOWEST: u128 = u128::from_le_bytes([1; LANES]);
    // The product moves bit 8n of eight bytes to bit 56 + n.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let lanes = u128::from_le_bytes(lanes) >> 7 & LOWEST;
    let low = (lanes as u64).wrapping_mul(GATHER) >> 56;
    let high = ((lanes >> 64) as u64).wrapping_mul(GATHER) >> 56;
    high << 8 | low
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

/// Marks bytes that are not plain movetext. `0` and `1` are plain inside a word or a number, and `1`
/// before a digit too. A point is plain unless `5` follows.
#[inline(always)]
const fn mark_not_plain(before: u8, byte: u8, after: u8) -> u8 {
    let blank = is_white(byte) | is(byte | 4 == b'$');
    let sign = is(byte | 2 == b'#') | is(byte == b'+') | is(byte | 2 == b'?');
    let point = is(byte == b'.') & !is(after == b'5');
    let zero_or_one = is(byte | 1 == b'1');
    let after_word = is_in(before, b'0', b'z' - b'0' + 1);
    let one_before_digit = is(byte == b'1') & is_in(after, b'0', 10);
    mark_not_word(byte) & !(blank | sign | point) | zero_or_one & !after_word & !one_before_digit
}

#[inline(always)]
const fn is_white(byte: u8) -> u8 {
    is_in(byte, b'\t', 5)
}

/// Returns 255 if `byte` is one of `count` bytes from `first` on, or else 0.
// Signed comparison is a SIMD instruction.
#[inline(always)]
const fn is_in(byte: u8, first: u8, count: u8) -> u8 {
    let offset = byte.wrapping_sub(first).wrapping_sub(0x80).cast_signed();
    is(offset < count.wrapping_sub(0x80).cast_signed())
}

/// Returns 255 or 0.
#[inline(always)]
const fn is(condition: bool) -> u8 {
    if condition { 255 } else { 0 }
}

/// Marks bytes other than letters and digits.
#[inline(always)]
const fn mark_not_word(byte: u8) -> u8 {
    !(is_in(byte | 0x20, b'a', 26) | is_in(byte, b'0', 10))
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

    /// Like [`skip_commented`], byte by byte.
    fn skip_commented_by_byte(text: &[u8], from: usize) -> usize {
        let is_stop = |at: usize| {
            mark_not_plain(text[at - 1], text[at], text[at + 1]) != 0 && !is_castling(text, at)
        };
        let mut at = from;
        loop {
            let open = at;
            loop {
                at += 1;
                match text[at] {
                    b'}' => break,
                    b'{' => return open,
                    b'[' if is_white(text[at - 1]) != 0 => return open,
                    _ => {}
                }
            }
            at += 1;
            while text[at] != b'{' {
                if is_stop(at) {
                    return at;
                }
                at += 1;
            }
            if is_white(text[at - 1]) != 0 {
                return at;
            }
        }
    }

    #[test]
    fn skip_commented_stops_where_bytes_do() {
        let common = ["{ [%clk 0:01] }", "{a\nb}", "12. e4 ", "O-O-O "];
        let rare = ["{", "}", "\n", "[", "1. ", "*", "-"];
        let mut random = testkit::Random::new(1);
        let mut stops = [0; BLOCK];
        for _ in 0..20_000 {
            let mut text = String::from(" {");
            for _ in 0..24 {
                let piece = rare.get(random.below(60)).unwrap_or(&common[random.below(4)]);
                text.push_str(piece);
            }
            text.push_str("}*");
            text.push_str(&" ".repeat(2 * BLOCK));
            let found = skip_commented(text.as_bytes(), 1);
            assert_eq!(found, skip_commented_by_byte(text.as_bytes(), 1), "{text:?}");
            stops[found % BLOCK] += 1;
        }
        assert!(stops.iter().all(|count| *count > 0), "{stops:?}");
    }

    #[test]
    fn to_bits_takes_the_highest_bit_of_each_byte() {
        for bits in 0..=u16::MAX {
            let lanes = std::array::from_fn(|lane| if bits >> lane & 1 == 1 { 0x80 } else { 0x7f });
            assert_eq!(to_bits(lanes), u64::from(bits));
            assert_eq!(multiply_to_bits(lanes), u64::from(bits));
        }
    }
}
