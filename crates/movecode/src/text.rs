//! Texts in CESU-8: UTF-8 in which characters beyond U+FFFF are two surrogates of three bytes each.

use std::borrow::Cow;

use chess_store::Encoding;

/// Decodes a text. The flag is `true` for UTF-8, CESU-8 or the encoding `asked`. Without `asked`,
/// other bytes are decoded as Windows-1252.
// movecode §7 "Texts"
pub(crate) fn decode_text(bytes: &[u8], asked: Option<Encoding>) -> (Cow<'_, str>, bool) {
    if let Some(encoding) = asked.filter(|encoding| *encoding != Encoding::UTF_8) {
        return (encoding.decode(bytes), true);
    }
    if let Ok(text) = str::from_utf8(bytes) {
        return (Cow::Borrowed(text), true);
    }
    match decode_cesu(bytes) {
        Some(text) => (Cow::Owned(text), true),
        None => (Encoding::WINDOWS_1252.decode(bytes), false),
    }
}

fn decode_cesu(mut rest: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(rest.len());
    while !rest.is_empty() {
        let valid = match str::from_utf8(rest) {
            Ok(all) => {
                text.push_str(all);
                return Some(text);
            }
            Err(error) => error.valid_up_to(),
        };
        text.push_str(str::from_utf8(rest.get(..valid)?).ok()?);
        let (pair, after) = rest.get(valid..)?.split_at_checked(6)?;
        text.push(surrogate_pair(pair)?);
        rest = after;
    }
    Some(text)
}

/// `1110_1101 1010_hhhh 10hh_hhhh 1110_1101 1011_llll 10ll_llll`
fn surrogate_pair(bytes: &[u8]) -> Option<char> {
    let &[0xed, high1 @ 0xa0..=0xaf, high2, 0xed, low1 @ 0xb0..=0xbf, low2] = bytes else {
        return None;
    };
    let half = |first: u8, second: u8| {
        (second & 0xc0 == 0x80).then(|| u32::from(first & 0x0f) << 6 | u32::from(second & 0x3f))
    };
    let bits = half(high1, high2)? << 10 | half(low1, low2)?;
    char::from_u32(bits.checked_add(0x1_0000)?)
}

/// Returns `true` if a text is the same in CESU-8.
fn is_plain(text: &str) -> bool {
    // Scanning all bytes is faster than testing for an early exit after each.
    !text.bytes().fold(false, |odd, byte| odd | (byte == 0) | (byte >= 0xf0))
}

/// Encodes a text for a column, without U+0000.
#[cfg(feature = "archive")]
pub(crate) fn encoded_text(text: &str) -> Cow<'_, [u8]> {
    if is_plain(text) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::new();
    encode_text(text, &mut bytes);
    Cow::Owned(bytes)
}

/// Appends a text. Returns `false` if characters were dropped: U+0000 would end the text.
pub(crate) fn encode_text(text: &str, out: &mut Vec<u8>) -> bool {
    if is_plain(text) {
        out.extend_from_slice(text.as_bytes());
        return true;
    }
    let mut units = [0; 2];
    let mut bytes = [0; 4];
    for character in text.chars().filter(|character| *character != '\0') {
        match character.encode_utf16(&mut units) {
            [high, low] => {
                for surrogate in [*high, *low] {
                    let [upper, lower] = surrogate.to_be_bytes();
                    let middle = 0x80 | (upper & 0x0f) << 2 | lower >> 6;
                    out.extend_from_slice(&[0xed, middle, 0x80 | lower & 0x3f]);
                }
            }
            _ => out.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes()),
        }
    }
    !text.contains('\0')
}

/// Truncates a text to a column of `characters` characters.
#[cfg(feature = "archive")]
pub(crate) fn cut(text: &str, characters: u16) -> &str {
    let mut left = usize::from(characters);
    // No character has fewer bytes than UTF-16 units.
    if text.len() <= left {
        return text;
    }
    for (at, character) in text.char_indices() {
        match left.checked_sub(character.len_utf16()) {
            Some(less) => left = less,
            None => return text.get(..at).unwrap_or(text),
        }
    }
    text
}

/// A cursor over the texts of a comment stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts<'a> {
    rest: &'a [u8],
}

/// A text of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawText<'a> {
    pub(crate) bytes: &'a [u8],
    /// `true` if a zero byte terminated the text.
    pub(crate) ended: bool,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Texts<'a> {
        Texts { rest: bytes }
    }

    /// Returns the number of remaining bytes.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn next(&mut self) -> Option<RawText<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        Some(self.take())
    }

    fn take(&mut self) -> RawText<'a> {
        let ended = self.rest.iter().position(|byte| *byte == 0);
        let end = ended.unwrap_or(self.rest.len());
        let (bytes, after) = self.rest.split_at_checked(end).unwrap_or((self.rest, &[]));
        self.rest = after.get(1..).unwrap_or_default();
        RawText { bytes, ended: ended.is_some() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encode_text_cesu_round_trips() {
        for (text, bytes) in [
            ("Zürich", &b"Z\xc3\xbcrich"[..]),
            ("日", b"\xe6\x97\xa5"),
            ("a😀b", b"a\xed\xa0\xbd\xed\xb8\x80b"),
            ("\u{10ffff}\u{10000}", b"\xed\xaf\xbf\xed\xbf\xbf\xed\xa0\x80\xed\xb0\x80"),
        ] {
            let mut encoded = Vec::new();
            assert!(encode_text(text, &mut encoded));
            assert_eq!(encoded, bytes);
            assert_eq!(decode_text(bytes, None), (text.into(), true));
        }
    }

    #[test]
    fn decode_text_invalid_utf8_is_windows_1252() {
        assert_eq!(decode_text(b"Z\xfcrich", None), ("Zürich".into(), false));
        // A high surrogate alone.
        assert!(!decode_text(b"\xed\xa0\xbd", None).1);
        assert_eq!(decode_text(b"\xcd", Some(Encoding::WINDOWS_1251)), ("Н".into(), true));
    }

    #[test]
    fn decode_text_four_byte_utf8_is_accepted() {
        assert_eq!(decode_text("😀".as_bytes(), None), ("😀".into(), true));
    }

    #[test]
    fn encode_text_zero_character_is_dropped() {
        let mut out = Vec::new();
        assert!(!encode_text("a\0b", &mut out));
        assert_eq!(out, b"ab");
    }

    #[test]
    fn texts_stream_is_split_at_zero_bytes() {
        let mut texts = Texts::new(b"one\0\0three");
        assert_eq!(texts.next(), Some(RawText { bytes: b"one", ended: true }));
        assert_eq!(texts.next(), Some(RawText { bytes: b"", ended: true }));
        assert_eq!(texts.next(), Some(RawText { bytes: b"three", ended: false }));
        assert_eq!(texts.next(), None);
    }
}
