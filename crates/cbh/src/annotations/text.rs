//! Encoding of annotation texts.

use std::borrow::Cow;

use chess_store::{Encoding, EncodingSurvey, TextDecoder};

/// The bytes of the figurines in ChessBase's single-byte fonts, in the order of [`PIECES`].
const PAGE_FIGURINES: [u8; 5] = [0xa2, 0xa3, 0xa6, 0xa5, 0xa4];
/// King, queen, rook, bishop, knight.
const PIECES: [char; 5] = ['♔', '♕', '♖', '♗', '♘'];
/// The first figurine character in UTF-8 text. The others follow in the order of [`PIECES`].
const UTF8_FIGURINES: char = '\u{e024}';

/// Decodes the text of an annotation.
// cbh §5.4 "Text"
pub(crate) fn decode<'a>(bytes: &'a [u8], text: &TextDecoder) -> Cow<'a, str> {
    if bytes.is_ascii() {
        return text.decode(bytes);
    }
    if std::str::from_utf8(bytes).is_err() && bytes.iter().any(|byte| is_figurine(*byte)) {
        return Cow::Owned(decode_page(bytes, text));
    }
    let decoded = text.decode(bytes);
    if has_utf8_figurines(&decoded) {
        return Cow::Owned(decoded.chars().map(from_utf8_figurine).collect());
    }
    decoded
}

/// Decodes single-byte text. A figurine byte counts as one only before a square or a capture;
/// elsewhere it is a character of the code page.
fn decode_page(bytes: &[u8], text: &TextDecoder) -> String {
    let mut out = String::new();
    let mut start = 0;
    for (at, pair) in bytes.windows(2).enumerate() {
        let [byte, next] = pair else { continue };
        let Some(piece) = figurine(*byte).filter(|_| starts_target(*next)) else { continue };
        // The byte may be the end of a letter in UTF-8.
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if before.is_some_and(|before| matches!(before, 0xc2..=0xdf)) {
            continue;
        }
        out.push_str(&text.decode(bytes.get(start..at).unwrap_or_default()));
        out.push(piece);
        start = at.saturating_add(1);
    }
    out.push_str(&text.decode(bytes.get(start..).unwrap_or_default()));
    out
}

fn is_figurine(byte: u8) -> bool {
    PAGE_FIGURINES.contains(&byte)
}

fn figurine(byte: u8) -> Option<char> {
    PAGE_FIGURINES.iter().zip(PIECES).find(|(code, _)| **code == byte).map(|(_, piece)| piece)
}

fn starts_target(byte: u8) -> bool {
    matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x')
}

fn is_utf8_figurine(letter: char) -> bool {
    from_utf8_figurine(letter) != letter
}

/// Whether a text has figurine letters of ChessBase, which are read as the pieces of Unicode.
pub(crate) fn has_utf8_figurines(text: &str) -> bool {
    !text.is_ascii() && text.contains(is_utf8_figurine)
}

fn from_utf8_figurine(letter: char) -> char {
    let number = u32::from(letter).checked_sub(u32::from(UTF8_FIGURINES));
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| PIECES.get(number)).copied().unwrap_or(letter)
}

fn to_utf8_figurine(letter: char) -> char {
    let number = (0u32..).zip(PIECES).find(|(_, piece)| *piece == letter);
    let code = number.and_then(|(number, _)| u32::from(UTF8_FIGURINES).checked_add(number));
    code.and_then(char::from_u32).unwrap_or(letter)
}

/// Encodes a text: Windows-1252 if it can represent the text and no reader takes it for Cyrillic, else
/// UTF-8.
pub(crate) fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text.as_bytes());
    }
    let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
    let plain: Cow<'_, str> = if text.contains(PIECES) {
        let byte = |letter: char| {
            let code = PIECES.iter().zip(PAGE_FIGURINES).find(|(piece, _)| **piece == letter);
            code.map_or(letter, |(_, code)| char::from(code))
        };
        Cow::Owned(text.chars().map(byte).collect())
    } else {
        Cow::Borrowed(text)
    };
    let (bytes, complete) = Encoding::WINDOWS_1252.encode(&plain);
    if complete && !EncodingSurvey::has_word(&bytes) && decode(&bytes, &decoder) == text {
        return Cow::Owned(bytes.into_owned());
    }
    let utf8: String = text.chars().map(to_utf8_figurine).collect();
    if decode(utf8.as_bytes(), &decoder) == text {
        return Cow::Owned(utf8.into_bytes());
    }
    Cow::Borrowed(text.as_bytes())
}

/// Encodes a text in UTF-8, with the figurines of ChessBase.
pub(crate) fn encode_utf8(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(PIECES) {
        return Cow::Borrowed(text.as_bytes());
    }
    Cow::Owned(text.chars().map(to_utf8_figurine).collect::<String>().into_bytes())
}

/// Whether the text has a line end other than CR LF.
pub(crate) fn has_other_line_ends(text: &str) -> bool {
    text.match_indices('\n').any(|(at, _)| {
        let line = text.get(..at).and_then(|before| before.strip_suffix('\r'));
        line.is_none_or(|line| line.ends_with('\r'))
    })
}

/// Returns the text with line ends as ChessBase stores them, CR LF.
pub(crate) fn with_stored_line_ends(text: &str) -> Cow<'_, str> {
    if !has_other_line_ends(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len().saturating_add(16));
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            if !out.ends_with('\r') {
                out.push('\r');
            }
            out.push('\n');
        }
        out.push_str(line);
    }
    Cow::Owned(out)
}

/// Encodes a name, as [`encode`] does, without figurines.
pub(crate) fn encode_name(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text.as_bytes());
    }
    let (bytes, complete) = Encoding::WINDOWS_1252.encode(text);
    let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
    if complete && !EncodingSurvey::has_word(&bytes) && decoder.decode(&bytes) == text {
        return bytes;
    }
    Cow::Borrowed(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_encodings_round_trip() {
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        for (bytes, text) in [
            (&b"plain"[..], "plain"),
            (b"f\xfcr", "für"),
            ("Ünïcode Ã¼ \u{416}".as_bytes(), "Ünïcode Ã¼ \u{416}"),
            (b"5 \xa3, but \xa3xd4 and \xa4f3", "5 £, but ♕xd4 and ♘f3"),
            ("\u{416} \u{e028}f3".as_bytes(), "\u{416} ♘f3"),
        ] {
            assert_eq!(decode(bytes, &decoder), text);
            assert_eq!(encode(text), bytes, "{text}");
        }
        assert_eq!(decode(&encode("Ã¼"), &decoder), "Ã¼");
        assert_eq!(decode(&encode("♔ alone"), &decoder), "♔ alone");
        assert_eq!(encode_name("Müller"), &b"M\xfcller"[..]);
        assert_eq!(encode_name("Ã¼"), "Ã¼".as_bytes());
        assert_eq!(encode_name("ÿÿÿ"), "ÿÿÿ".as_bytes(), "its bytes would count as Cyrillic");
        assert_eq!(encode("ÿÿÿ"), "ÿÿÿ".as_bytes());
        assert_eq!(encode_name("Ã¼, ü"), "Ã¼, ü".as_bytes(), "its bytes would be read as a mix");
        assert_eq!(decode(&encode("Ã¼, ü"), &decoder), "Ã¼, ü");
        assert_eq!(decode(b"Caf\xe9 Ch\xc3\xa2 \xa4f3, \xc3\xa4e", &decoder), "Café Châ ♘f3, äe");
    }
}
