//! Guiding texts: pages between the games.

use nom::bytes::complete::take;
use nom::multi::length_data;
use nom::number::complete::{le_u16, le_u32, u8 as byte};
use nom::{IResult, Parser};

use chess_store::TextDecoder;

use crate::error::Error;
use crate::record::RECORD_HEADER;

/// A guiding text. Its titles and contents exist by language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GuidingText {
    /// Whether the text is marked as deleted.
    pub deleted: bool,
    /// The titles with language numbers; see [`LANGUAGES`].
    pub titles: Vec<(u16, String)>,
    /// The contents by language: HTML since about 2015, before that plain text with ChessBase
    /// formatting.
    pub contents: Vec<(u16, String)>,
}

/// The languages of guiding texts by number.
// cbh §4.9 "Guiding texts"
pub const LANGUAGES: [&str; 8] = ["en", "de", "fr", "es", "it", "nl", "pt", "any"];

/// Parses a record, header included. Returns `None` if it is damaged.
// cbh §4.9 "Guiding texts"
pub(crate) fn parse_text(record: &[u8], text: &TextDecoder) -> Option<GuidingText> {
    fn title(input: &[u8]) -> IResult<&[u8], (u16, &[u8])> {
        (le_u16, length_data(le_u16)).parse(input)
    }
    fn content(version: u16) -> impl Fn(&[u8]) -> IResult<&[u8], (u16, &[u8])> {
        move |input| {
            let (rest, language) = le_u16(input)?;
            let length = |input| match version {
                1 => le_u16(input).map(|(rest, length)| (rest, u32::from(length))),
                _ => le_u32(input),
            };
            let (rest, length_of) = length(rest)?;
            let (rest, text) = take(length_of)(rest)?;
            let (rest, more) = length(rest)?;
            let (rest, _) = take(more)(rest)?;
            Ok((rest, (language, text)))
        }
    }
    let body = record.get(RECORD_HEADER..)?;
    let (mut rest, (version, count)) =
        (le_u16::<_, nom::error::Error<&[u8]>>, le_u16).parse(body).ok()?;
    let decode = |bytes: &[u8]| {
        let end =
            bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1));
        text.decode(bytes.get(..end).unwrap_or_default()).into_owned()
    };
    let mut parsed = GuidingText::default();
    for _ in 0..count {
        let (after, (language, bytes)) = title(rest).ok()?;
        rest = after;
        parsed.titles.push((language, decode(bytes)));
    }
    let (after, (_, count)) = (byte::<_, nom::error::Error<&[u8]>>, le_u16).parse(rest).ok()?;
    rest = after;
    for _ in 0..count {
        let (after, (language, bytes)) = content(version)(rest).ok()?;
        rest = after;
        parsed.contents.push((language, decode(bytes)));
    }
    Some(parsed)
}

/// Returns the number of texts and the first titles, for display.
pub(crate) fn list_texts(
    count: usize,
    texts: impl Iterator<Item = Result<GuidingText, Error>>,
) -> String {
    /// The maximum number of titles listed.
    const TITLES: usize = 20;
    let mut list = count.to_string();
    for (number, text) in texts.take(TITLES).enumerate() {
        list.push_str(if number == 0 { ": " } else { "; " });
        match text {
            Ok(text) => {
                let title = text.titles.first().map_or("", |(_, title)| title.as_str());
                list.push_str(if title.is_empty() { "without a title" } else { title });
            }
            Err(_) => list.push_str("damaged"),
        }
    }
    if count > TITLES {
        list.push_str("; ...");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_text_example_returns_titles_and_contents() {
        #[rustfmt::skip]
        let bytes = [
            0x80, 0x00, 0x00, 0x1f, // a text of 31 bytes
            0x03, 0x00,             // version 3
            0x01, 0x00,             // one title
            0x00, 0x00, 0x02, 0x00, b'H', b'i', // English
            0x01,
            0x01, 0x00,             // one content
            0x01, 0x00, 0x02, 0x00, 0x00, 0x00, b'J', b'a', // German
            0x00, 0x00, 0x00, 0x00,
        ];
        let decoder = TextDecoder::utf8_or(chess_store::Encoding::WINDOWS_1252);
        let text = parse_text(&bytes, &decoder).unwrap();
        assert_eq!(text.titles, [(0, "Hi".to_owned())]);
        assert_eq!(text.contents, [(1, "Ja".to_owned())]);
        for length in 0..bytes.len() {
            assert_eq!(parse_text(&bytes[..length], &decoder), None);
        }
    }
}
