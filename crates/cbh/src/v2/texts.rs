//! Guiding texts.

use chess_store::TextDecoder;

use super::entities::{FieldReader, encode_by_language};
use crate::texts::Numbering;

/// The first two bytes of the content. // cbh2 §4.7 "Guiding texts"
pub(crate) const TEXT_START: [u8; 2] = [5, 0];

/// Parses the content of a guiding text: HTML by language. Returns `None` if it is damaged.
// cbh2 §4.7 "Guiding texts"
pub(crate) fn parse_contents(content: &[u8], text: &TextDecoder) -> Option<Vec<(String, String)>> {
    let body = content.strip_prefix(&TEXT_START)?;
    let mut fields = FieldReader::new(body);
    fields.int();
    let count = fields.int();
    let mut contents = Vec::new();
    for _ in 0..count {
        let language = u16::try_from(fields.int()).ok()?;
        let html = fields.string();
        if fields.cut {
            return None;
        }
        if !html.is_empty() {
            contents.push((Numbering::Nation.code(language), text.decode(html).into_owned()));
        }
    }
    (!fields.cut).then_some(contents)
}

/// Appends the content of a guiding text: HTML by language. The seven languages of titles always
/// have an entry. Returns `None` if the content is too long.
// cbh2 §4.7 "Guiding texts"
pub(crate) fn encode_contents(contents: &[(u16, &str)], out: &mut Vec<u8>) -> Option<()> {
    let contents: Vec<(i32, &[u8])> = { contents.iter() }
        .map(|(language, html)| (i32::from(*language), html.as_bytes()))
        .collect();
    let mut body = Vec::new();
    encode_by_language(&contents, &mut body);
    let size = i32::try_from(body.len()).ok()?;
    out.extend_from_slice(&TEXT_START);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&body);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encode_contents_has_all_languages_in_order() {
        let contents = [(53, "Hallo"), (0, "any")];
        let mut bytes = Vec::new();
        encode_contents(&contents, &mut bytes).unwrap();
        assert_eq!(bytes[..10], [5, 0, 76, 0, 0, 0, 8, 0, 0, 0]);
        let decoder = TextDecoder::utf8_or(chess_store::Encoding::WINDOWS_1252);
        let read = parse_contents(&bytes, &decoder).unwrap();
        let text = |language: &str, text: &str| (language.to_owned(), text.to_owned());
        assert_eq!(read, [text("any", "any"), text("de", "Hallo")]);
    }

    #[test]
    fn parse_contents_example_returns_html() {
        #[rustfmt::skip]
        let bytes = [
            5, 0,
            22, 0, 0, 0,                          // bytes that follow
            2, 0, 0, 0,                           // two languages
            42, 0, 0, 0, 2, 0, 0, 0, b'H', b'i',  // English
            53, 0, 0, 0, 0, 0, 0, 0,              // German, empty
        ];
        let decoder = TextDecoder::utf8_or(chess_store::Encoding::WINDOWS_1252);
        assert_eq!(
            parse_contents(&bytes, &decoder),
            Some(vec![("en".to_owned(), "Hi".to_owned())])
        );
        for length in 0..bytes.len() {
            assert_eq!(parse_contents(&bytes[..length], &decoder), None);
        }
    }
}
