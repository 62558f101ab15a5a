//! Text encodings.
//!
//! Most old files do not state their encoding. Valid UTF-8 is read as UTF-8. Anything else is read
//! in the usual code page of the format, or in the one that the user specifies. A text may mix both.

mod pages;
mod plain;
mod survey;

use std::borrow::Cow;

use pages::{PAGES, Page};
use plain::plain_letters;
pub use survey::EncodingSurvey;

/// A character encoding of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Utf8,
    /// ASCII below 128, and a table from 128 on.
    Page(&'static Page),
    /// An encoding of the Encoding Standard.
    #[cfg(feature = "encodings")]
    Web(&'static encoding_rs::Encoding),
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kind {}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Utf8 => "UTF-8",
            Kind::Page(page) => page.name,
            #[cfg(feature = "encodings")]
            Kind::Web(encoding) => encoding.name(),
        }
    }
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(Kind::Utf8);
    /// DOS code page 437, United States.
    pub const CP437: Encoding = Encoding(Kind::Page(&pages::CP437));
    /// DOS code page 850, Western Europe.
    pub const CP850: Encoding = Encoding(Kind::Page(&pages::CP850));
    /// DOS code page 852, Central Europe.
    pub const CP852: Encoding = Encoding(Kind::Page(&pages::CP852));
    /// DOS code page 866, Cyrillic.
    pub const CP866: Encoding = Encoding(Kind::Page(&pages::CP866));
    /// Windows-1250, Central Europe.
    pub const WINDOWS_1250: Encoding = Encoding(Kind::Page(&pages::WINDOWS_1250));
    /// Windows-1251, Cyrillic.
    pub const WINDOWS_1251: Encoding = Encoding(Kind::Page(&pages::WINDOWS_1251));
    /// Windows-1252, often called Latin-1. Every byte survives a round trip.
    pub const WINDOWS_1252: Encoding = Encoding(Kind::Page(&pages::WINDOWS_1252));
    /// Windows-1254, Turkish.
    pub const WINDOWS_1254: Encoding = Encoding(Kind::Page(&pages::WINDOWS_1254));
    /// ISO 8859-2, Central Europe.
    pub const ISO_8859_2: Encoding = Encoding(Kind::Page(&pages::ISO_8859_2));
    /// ISO 8859-15, Western Europe with the euro.
    pub const ISO_8859_15: Encoding = Encoding(Kind::Page(&pages::ISO_8859_15));
    /// KOI8-R, Cyrillic.
    pub const KOI8_R: Encoding = Encoding(Kind::Page(&pages::KOI8_R));
    /// Mac OS Roman.
    pub const MACINTOSH: Encoding = Encoding(Kind::Page(&pages::MACINTOSH));
    /// The character set of the Atari ST.
    pub const ATARI_ST: Encoding = Encoding(Kind::Page(&pages::ATARI_ST));

    /// Returns the encoding with a label, in either case: `utf-8`, `latin1`, `windows-1251`,
    /// `koi8-r`, `cp850`, `atarist`, and others. With the feature `encodings`, all labels of the
    /// Encoding Standard are accepted.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Encoding> {
        let label = label.trim();
        let same = |name: &&str| name.eq_ignore_ascii_case(label);
        if ["utf-8", "utf8"].iter().any(same) {
            return Some(Encoding::UTF_8);
        }
        let page = PAGES.iter().find(|page| same(&page.name) || page.labels.iter().any(same));
        page.map(|page| Encoding(Kind::Page(page))).or_else(|| web(label))
    }

    /// Returns the preferred label.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Decodes all bytes. Bytes without a meaning become U+FFFD. The single-byte code pages that
    /// have constants here have no such bytes.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.0 {
            Kind::Utf8 => String::from_utf8_lossy(bytes),
            Kind::Page(page) => decode_page(bytes, page),
            #[cfg(feature = "encodings")]
            Kind::Web(encoding) => encoding.decode_without_bom_handling(bytes).0,
        }
    }

    /// Encodes a text. A letter that the encoding does not have becomes its plain letters, as `Ć`
    /// becomes `C`, and other characters become `?`. Also returns whether all characters could be
    /// encoded.
    #[must_use]
    pub fn encode(self, text: &str) -> (Cow<'_, [u8]>, bool) {
        match self.0 {
            Kind::Utf8 => (Cow::Borrowed(text.as_bytes()), true),
            Kind::Page(page) => encode_page(text, page),
            #[cfg(feature = "encodings")]
            Kind::Web(encoding) => encode_web(text, encoding),
        }
    }
}

#[cfg(not(feature = "encodings"))]
fn web(_: &str) -> Option<Encoding> {
    None
}

#[cfg(feature = "encodings")]
fn web(label: &str) -> Option<Encoding> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes())?;
    Some(Encoding(Kind::Web(encoding)))
}

#[cfg(feature = "encodings")]
fn encode_web<'a>(
    text: &'a str,
    encoding: &'static encoding_rs::Encoding,
) -> (Cow<'a, [u8]>, bool) {
    let (bytes, _, lossy) = encoding.encode(text);
    if !lossy {
        return (bytes, true);
    }
    // The Encoding Standard would write `&#1234;`, which chess programs do not understand.
    let mut out = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for character in text.chars() {
        match encoding.encode(character.encode_utf8(&mut buffer)) {
            (bytes, _, false) => out.extend_from_slice(&bytes),
            _ => out.extend_from_slice(plain_letters(character)),
        }
    }
    (Cow::Owned(out), false)
}

fn decode_page<'a>(bytes: &'a [u8], page: &Page) -> Cow<'a, str> {
    let beyond_ascii = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if beyond_ascii == 0
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    // A character of these code pages takes up to three bytes in UTF-8.
    let room = bytes.len().saturating_add(beyond_ascii.saturating_mul(2));
    let mut text = String::with_capacity(room);
    text.extend(bytes.iter().map(|byte| page.letter(*byte)));
    Cow::Owned(text)
}

fn encode_page<'a>(text: &'a str, page: &Page) -> (Cow<'a, [u8]>, bool) {
    if text.is_ascii() {
        return (Cow::Borrowed(text.as_bytes()), true);
    }
    let mut complete = true;
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match page.byte(letter) {
            Some(byte) => bytes.push(byte),
            None => {
                complete = false;
                bytes.extend_from_slice(plain_letters(letter));
            }
        }
    }
    (Cow::Owned(bytes), complete)
}

/// Replaces each LF and the CRs before it by LF. Programs for DOS and Windows store line ends as
/// CR LF, and a second conversion makes CR CR LF of them. Any other CR stays. The result has no
/// CR LF, so that a text which was read is written and read back unchanged.
#[must_use]
pub fn unix_line_ends(text: Cow<'_, str>) -> Cow<'_, str> {
    if !has_cr_lf(&text) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.trim_end_matches('\r'));
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// Whether a text has a CR LF, so that [`unix_line_ends`] changes it.
#[must_use]
pub fn has_cr_lf(text: &str) -> bool {
    let mut returns = memchr::memchr_iter(b'\r', text.as_bytes());
    returns.any(|at| text.as_bytes().get(at.saturating_add(1)) == Some(&b'\n'))
}

/// Like [`unix_line_ends`], in place.
pub fn set_unix_line_ends(text: &mut String) {
    if has_cr_lf(text) {
        *text = unix_line_ends(Cow::Borrowed(text)).into_owned();
    }
}

/// Returns whether a text has a well-formed sequence of UTF-8 of more than one byte.
fn has_utf8(bytes: &[u8]) -> bool {
    bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

/// Decodes the text of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextDecoder {
    encoding: Encoding,
    utf8_first: bool,
}

impl TextDecoder {
    /// Decodes valid UTF-8 as UTF-8, and other text in the given code page.
    #[must_use]
    pub const fn utf8_or(encoding: Encoding) -> TextDecoder {
        TextDecoder { encoding, utf8_first: true }
    }

    /// Decodes all text in the given encoding.
    #[must_use]
    pub const fn only(encoding: Encoding) -> TextDecoder {
        TextDecoder { encoding, utf8_first: false }
    }

    /// Uses the encoding that the user specifies, or else UTF-8 with the usual code page of the
    /// format.
    #[must_use]
    pub fn new(asked: Option<Encoding>, usual: Encoding) -> TextDecoder {
        asked.map_or(TextDecoder::utf8_or(usual), TextDecoder::only)
    }

    /// Returns the longest prefix of `bytes` that is UTF-8 and would be decoded as such. Empty if
    /// the base uses another encoding. Saves checking each of many adjacent small texts.
    #[must_use]
    pub fn utf8_prefix<'a>(&self, bytes: &'a [u8]) -> &'a str {
        if !self.utf8_first {
            return "";
        }
        let valid = |bytes: &'a [u8]| std::str::from_utf8(bytes);
        valid(bytes)
            .or_else(|error| valid(bytes.get(..error.valid_up_to()).unwrap_or_default()))
            .unwrap_or_default()
    }

    /// Returns whether each text is UTF-8 or has one byte for each character.
    pub(crate) fn has_known_letters(&self) -> bool {
        matches!(self.encoding.0, Kind::Utf8 | Kind::Page(_))
    }

    /// Decodes a text. Returns a borrowed text if it is UTF-8 already.
    ///
    /// Other text in Windows-1252 may have been edited by newer programs: its well-formed sequences of
    /// UTF-8 are decoded as such, see [`is_mixed`](TextDecoder::is_mixed).
    #[must_use]
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        if self.utf8_first
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            return Cow::Borrowed(text);
        }
        if !self.is_mixed(bytes) {
            return self.encoding.decode(bytes);
        }
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.push_str(&self.encoding.decode(chunk.invalid()));
        }
        Cow::Owned(text)
    }

    /// Returns whether a text has sequences of UTF-8 and single bytes of Windows-1252. In other code
    /// pages two letters may look like UTF-8 by chance, as in the Russian name `Пётр`.
    #[must_use]
    pub fn is_mixed(&self, bytes: &[u8]) -> bool {
        self.utf8_first
            && self.encoding == Encoding::WINDOWS_1252
            && std::str::from_utf8(bytes).is_err()
            && has_utf8(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;

    #[test]
    fn decode_single_byte_page_round_trips() {
        let bytes: Vec<u8> = (0..=255).collect();
        for page in PAGES {
            let page = Encoding(Kind::Page(page));
            let text = page.decode(&bytes).into_owned();
            let (back, complete) = page.encode(&text);
            assert!(complete, "{}", page.name());
            assert_eq!(back, bytes, "{}", page.name());
        }
    }

    #[cfg(feature = "encodings")]
    #[test]
    fn pages_equal_encoding_standard() {
        let bytes: Vec<u8> = (0..=255).collect();
        let standard = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes());
        let mut compared = 0;
        for page in PAGES {
            let Some(standard_page) = standard(page.name) else { continue };
            compared += 1;
            let text = Encoding(Kind::Page(page)).decode(&bytes);
            assert_eq!(text, standard_page.decode_without_bom_handling(&bytes).0, "{}", page.name);
            for label in page.labels.iter().filter(|label| **label != "latin9") {
                assert_eq!(standard(label), Some(standard_page), "{label}");
            }
        }
        assert_eq!(compared, 9);
        assert_eq!(Encoding::from_label("shift_jis").map(Encoding::name), Some("Shift_JIS"));
    }

    #[test]
    fn decode_valid_utf8_is_unchanged() {
        let decoder = TextDecoder::utf8_or(Encoding::CP850);
        assert_eq!(decoder.decode("Köln".as_bytes()), "Köln");
        assert_eq!(decoder.decode(b"K\x94ln"), "Köln");
        assert_eq!(decoder.utf8_prefix("Köln".as_bytes()), "Köln");
        assert_eq!(decoder.utf8_prefix(&"Köln".as_bytes()[..2]), "K");
        assert_eq!(decoder.utf8_prefix(b"K\x94ln"), "K");
        let only = TextDecoder::only(Encoding::WINDOWS_1252);
        assert_eq!(only.decode("ö".as_bytes()), "Ã¶");
        assert_eq!(only.utf8_prefix(b"Oe"), "");
    }

    #[test]
    fn decode_mixed_text_keeps_both_encodings() {
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        for (bytes, text, is_mixed) in [
            (&b"Svr\xc5\xa1ek, Radom\xedr"[..], "Svršek, Radomír", true),
            (b"Gr\xfc\xdfe \xe2\x80\x93 M\xc3\xbcller", "Grüße – Müller", true),
            (b"\xc5\xa0iska \xc5", "Šiska Å", true),
            (b"\xf0\x9f\x98\x80\xf0\x9f", "😀ðŸ", true),
            (b"M\xfcller", "Müller", false),
            ("Müller".as_bytes(), "Müller", false),
        ] {
            assert_eq!(decoder.decode(bytes), text);
            assert_eq!(decoder.is_mixed(bytes), is_mixed, "{text}");
        }
        let russian = Encoding::WINDOWS_1251.encode("Пётр").0.into_owned();
        assert_eq!(TextDecoder::utf8_or(Encoding::WINDOWS_1251).decode(&russian), "Пётр");
        let only = TextDecoder::only(Encoding::WINDOWS_1252);
        assert_eq!(only.decode(b"\xc5\xa1\xed"), "Å¡í");
    }

    #[test]
    fn unix_line_ends_replaces_cr_lf() {
        let lines = |text: &'static str| unix_line_ends(text.into());
        assert_eq!(lines("one\r\ntwo\r\n\r\n"), "one\ntwo\n\n");
        assert_eq!(lines("a\rb\n"), "a\rb\n");
        assert_eq!(lines("a\r\r\nb\r\r\r\n\r\n\rc\r"), "a\nb\n\n\rc\r");
        assert!(matches!(lines("plain"), Cow::Borrowed("plain")));
        let mut text = String::from("a\r\n\rb");
        set_unix_line_ends(&mut text);
        assert_eq!(text, "a\n\rb");
    }

    #[test]
    fn from_label_any_case_is_found() {
        for (label, name) in [
            ("UTF-8", "UTF-8"),
            ("latin1", "windows-1252"),
            ("CP437", "cp437"),
            ("cp850", "cp850"),
            ("AtariST", "atarist"),
            ("windows-1251", "windows-1251"),
            (" l2 ", "ISO-8859-2"),
        ] {
            let encoding = Encoding::from_label(label);
            assert_eq!(encoding.map(Encoding::name), Some(name), "{label}");
            assert_eq!(Encoding::from_label(name), encoding);
        }
        let labels = || PAGES.iter().flat_map(|page| page.labels.iter().chain([&page.name]));
        let different: BTreeSet<String> = labels().map(|label| label.to_lowercase()).collect();
        assert_eq!(different.len(), labels().count(), "a label names one page");
        assert_eq!(Encoding::from_label("klingon"), None);
    }

    #[test]
    fn encode_missing_character_is_question_mark() {
        for page in [Encoding::WINDOWS_1252, Encoding::CP437] {
            let (bytes, complete) = page.encode("a日b");
            assert_eq!((bytes.as_ref(), complete), (&b"a?b"[..], false));
        }
    }

    #[test]
    fn pages_match_specification() {
        let table = include_str!("../../../../docs/formats/tables/code-pages.tsv");
        let mut pages = PAGES.iter();
        for row in table.lines().filter(|row| !row.starts_with('#')) {
            let [name, labels, letters] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three cells: {row}")
            };
            let page = pages.next().unwrap();
            assert_eq!((page.name, page.labels.join(" ").as_str()), (name, labels));
            let found = (0x80..=u8::MAX).map(|byte| format!("{:04x}", page.letter(byte) as u32));
            assert_eq!(found.collect::<Vec<_>>().join(" "), letters, "{name}");
        }
        assert!(pages.next().is_none());
    }
}
