//! Guiding texts: pages between the games.

use nom::bytes::complete::take;
use nom::multi::length_data;
use nom::number::complete::{le_u16, le_u32, u8 as byte};
use nom::{IResult, Parser};

use chess_store::{GuidingText, Location, Loss, LossKind, Losses, TextDecoder};

use crate::error::{Error, ErrorKind};
use crate::header::put;
use crate::layout::{RECORD_SIZE, RECORD_TEXT, TYPE_DELETED, TYPE_PRESENT, TYPE_TEXT};
use crate::record::{RECORD_HEADER, RecordHeader};

/// The languages of texts by number.
// cbh §4.9 "Guiding texts"
pub(crate) const LANGUAGES: [&str; 8] = ["en", "de", "fr", "es", "it", "nl", "pt", "any"];

/// The languages of texts as nations, in the order of [`LANGUAGES`].
// cbh2 §4.7 "Guiding texts"
const NATIONS: [u16; 8] = [42, 53, 49, 43, 70, 103, 117, 0];

/// How a format numbers the languages of guiding texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbering {
    /// The place in [`LANGUAGES`]: `.cbh`.
    Own,
    /// The place in [`NATIONS`]: `.2cbh`.
    Nation,
}

impl Numbering {
    /// The prefix of a language without a code.
    fn prefix(self) -> &'static str {
        match self {
            Numbering::Own => "language-",
            Numbering::Nation => "nation-",
        }
    }

    /// Returns the code of a language.
    pub(crate) fn code(self, number: u16) -> String {
        let place = match self {
            Numbering::Own => Some(usize::from(number)),
            Numbering::Nation => NATIONS.iter().position(|nation| *nation == number),
        };
        match place.and_then(|place| LANGUAGES.get(place)) {
            Some(code) => (*code).to_owned(),
            None => format!("{}{number}", self.prefix()),
        }
    }

    /// Returns the number of a language, if the format has one.
    fn number(self, code: &str) -> Option<u16> {
        if let Some(place) = LANGUAGES.iter().position(|known| *known == code) {
            return match self {
                Numbering::Own => u16::try_from(place).ok(),
                Numbering::Nation => NATIONS.get(place).copied(),
            };
        }
        code.strip_prefix(self.prefix())?.parse().ok()
    }

    /// Returns texts with the numbers of their languages. Adds texts in languages that the format
    /// does not have to `losses`.
    pub(crate) fn numbered<'t>(
        self,
        texts: &'t [(String, String)],
        losses: &mut Losses,
    ) -> Vec<(u16, &'t str)> {
        let mut numbered: Vec<(u16, &str)> = Vec::new();
        for (language, text) in texts {
            let number = self.number(language);
            match number.filter(|number| numbered.iter().all(|(known, _)| known != number)) {
                Some(number) => numbered.push((number, text)),
                None if text.is_empty() => {}
                None => {
                    let what = format!("the text in the language {language:?}");
                    losses.push(Loss::new(LossKind::BaseFact, what));
                }
            }
        }
        numbered.sort_by_key(|(number, _)| *number);
        numbered
    }
}

/// Returns the contents of a text as HTML. Reports the formatting of an old text as lost, because its
/// meaning is not known.
pub(crate) fn html_contents(text: &GuidingText, losses: &mut Losses) -> Vec<(String, String)> {
    if text.is_html {
        return text.contents.clone();
    }
    if text.contents.iter().any(|(_, content)| !content.is_empty()) {
        losses.push(Loss::new(LossKind::BaseFact, "the formatting of an old text"));
    }
    let html = |(language, content): &(String, String)| (language.clone(), html_of(content));
    text.contents.iter().map(html).collect()
}

/// Converts the plain text of an old version to HTML. Lines end in carriage returns.
fn html_of(plain: &str) -> String {
    if plain.is_empty() {
        return String::new();
    }
    let mut html = String::from("<html><body>");
    for letter in plain.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '\r' => html.push_str("<br>"),
            '\t' => html.push(' '),
            // The other control characters belong to the formatting.
            other if other.is_control() => {}
            other => html.push(other),
        }
    }
    html.push_str("</body></html>");
    html
}

/// The header of a guiding text in the `.cbh`.
// cbh §3.3 "Text record"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TextRecord {
    pub(crate) deleted: bool,
    /// The offset of the text in the `.cbg`.
    pub(crate) moves: u32,
    pub(crate) tournament: u32,
    pub(crate) source: u32,
    pub(crate) annotator: u32,
    pub(crate) round: u8,
    pub(crate) subround: u8,
}

pub(crate) fn parse_text_record(bytes: &[u8; RECORD_SIZE]) -> TextRecord {
    let id = |[a, b, c]: [u8; 3]| u32::from_be_bytes([0, a, b, c]);
    let [kind, m1, m2, m3, m4, _, _, rest @ ..] = *bytes;
    let [t1, t2, t3, s1, s2, s3, a1, a2, a3, round, subround, ..] = rest;
    TextRecord {
        deleted: kind & TYPE_DELETED != 0,
        moves: u32::from_be_bytes([m1, m2, m3, m4]),
        tournament: id([t1, t2, t3]),
        source: id([s1, s2, s3]),
        annotator: id([a1, a2, a3]),
        round,
        subround,
    }
}

impl TextRecord {
    /// Encodes the record. The flags, whose meaning for texts is not known, are 0.
    pub(crate) fn encode(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        let deleted = if self.deleted { TYPE_DELETED } else { 0 };
        put(&mut bytes, 0, &[TYPE_PRESENT | TYPE_TEXT | deleted]);
        put(&mut bytes, 1, &self.moves.to_be_bytes());
        for (at, id) in (7..).step_by(3).zip([self.tournament, self.source, self.annotator]) {
            let [_, a, b, c] = id.to_be_bytes();
            put(&mut bytes, at, &[a, b, c]);
        }
        put(&mut bytes, 16, &[self.round, self.subround]);
        bytes
    }
}

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
        parsed.titles.push((Numbering::Own.code(language), decode(bytes)));
    }
    let (after, (_, count)) = (byte::<_, nom::error::Error<&[u8]>>, le_u16).parse(rest).ok()?;
    rest = after;
    for _ in 0..count {
        let (after, (language, bytes)) = content(version)(rest).ok()?;
        rest = after;
        parsed.contents.push((Numbering::Own.code(language), decode(bytes)));
    }
    parsed.is_html = version >= HTML_VERSION;
    Some(parsed)
}

/// The first version of texts in HTML.
const HTML_VERSION: u16 = 3;

/// Encodes a text as a record of the `.cbg`, header included. Adds what it cannot hold to `losses`.
///
/// # Errors
/// If a title or the whole text is too long.
// cbh §4.9 "Guiding texts"
pub(crate) fn encode_text(text: &GuidingText, losses: &mut Losses) -> Result<Vec<u8>, Error> {
    let too_long = |_| ErrorKind::TooMuchText.at(Location::file("cbg"));
    let contents = html_contents(text, losses);
    let titles = Numbering::Own.numbered(&text.titles, losses);
    let contents = Numbering::Own.numbered(&contents, losses);
    let mut out = vec![0; RECORD_HEADER];
    let short = |number: usize| u16::try_from(number).map(u16::to_le_bytes).map_err(too_long);
    let long = |number: usize| u32::try_from(number).map(u32::to_le_bytes).map_err(too_long);
    out.extend_from_slice(&HTML_VERSION.to_le_bytes());
    out.extend_from_slice(&short(titles.len())?);
    for (language, title) in titles {
        out.extend_from_slice(&language.to_le_bytes());
        out.extend_from_slice(&short(title.len())?);
        out.extend_from_slice(title.as_bytes());
    }
    out.push(1);
    out.extend_from_slice(&short(contents.len())?);
    for (language, content) in contents {
        out.extend_from_slice(&language.to_le_bytes());
        out.extend_from_slice(&long(content.len())?);
        out.extend_from_slice(content.as_bytes());
        out.extend_from_slice(&[0; 4]);
    }
    let size = u32::try_from(out.len()).map_err(too_long)?;
    if size > MAX_BYTES {
        return Err(ErrorKind::TooMuchText.at(Location::file("cbg")));
    }
    let header = RecordHeader { flags: RECORD_TEXT, size };
    put(&mut out, 0, &header.encode());
    Ok(out)
}

/// The largest size of a record. It has three bytes.
const MAX_BYTES: u32 = 0xff_ffff;

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
                let title = text.title();
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
            0x80, 0x00, 0x00, 0x1d, // a text of 29 bytes
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
        assert_eq!(text.titles, [("en".to_owned(), "Hi".to_owned())]);
        assert_eq!(text.contents, [("de".to_owned(), "Ja".to_owned())]);
        assert!(text.is_html);
        let mut losses = Losses::new();
        assert_eq!(encode_text(&text, &mut losses).unwrap(), bytes);
        assert_eq!(losses, []);
        for length in 0..bytes.len() {
            assert_eq!(parse_text(&bytes[..length], &decoder), None);
        }
    }

    #[test]
    fn language_every_number_round_trips() {
        for numbering in [Numbering::Own, Numbering::Nation] {
            for number in 0..300 {
                assert_eq!(numbering.number(&numbering.code(number)), Some(number));
            }
        }
        assert_eq!(Numbering::Nation.code(53), "de");
        assert_eq!(Numbering::Nation.number("any"), Some(0));
        assert_eq!(Numbering::Nation.number("language-9"), None);
        let texts = ["de", "language-9", "de"].map(|code| (code.to_owned(), "x".to_owned()));
        let mut losses = Losses::new();
        assert_eq!(Numbering::Nation.numbered(&texts, &mut losses), [(53, "x")]);
        assert_eq!(losses.total(), 2);
    }

    #[test]
    fn html_of_old_text_escapes_and_reports_formatting() {
        let mut text = GuidingText::default();
        text.contents = vec![("de".to_owned(), "1 < 2\r\u{4}&\tx".to_owned())];
        let mut losses = Losses::new();
        let html = html_contents(&text, &mut losses);
        assert_eq!(html[0].1, "<html><body>1 &lt; 2<br>&amp; x</body></html>");
        assert_eq!(losses.listed()[0].to_string(), "base-fact: the formatting of an old text");
    }

    #[test]
    fn text_record_example_round_trips() {
        let mut bytes = [0; RECORD_SIZE];
        #[rustfmt::skip]
        bytes[..18].copy_from_slice(&[
            0x83,                   // a text, deleted
            0x00, 0x00, 0x00, 0x1a, // offset in the .cbg
            0x00, 0x00,
            0x00, 0x00, 0x02,       // tournament
            0x00, 0x00, 0x03,       // source
            0x00, 0x00, 0x04,       // annotator
            0x05, 0x06,             // round and subround
        ]);
        let record = parse_text_record(&bytes);
        let ids = (record.tournament, record.source, record.annotator);
        assert_eq!((record.deleted, record.moves, ids), (true, 26, (2, 3, 4)));
        assert_eq!((record.round, record.subround), (5, 6));
        assert_eq!(record.encode(), bytes);
    }
}
