//! Bytes to text and back.
//!
//! Most old files do not say their encoding. The rule of the house: what is valid UTF-8 stays,
//! anything else is read in the format's usual code page, or in the one the user names.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use oem_cp::code_table::{DECODING_TABLE_CP437, DECODING_TABLE_CP850};

/// A character encoding of eight-bit text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One of the Encoding Standard, as browsers know them.
    Web(&'static encoding_rs::Encoding),
    /// A DOS or Atari code page: ASCII below 128, this table above.
    Table(&'static str, &'static [char; 128]),
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(Kind::Web(encoding_rs::UTF_8));
    /// Windows-1252, which every byte survives; what the world calls Latin-1.
    pub const WINDOWS_1252: Encoding = Encoding(Kind::Web(encoding_rs::WINDOWS_1252));
    /// Windows-1251, Cyrillic.
    pub const WINDOWS_1251: Encoding = Encoding(Kind::Web(encoding_rs::WINDOWS_1251));
    /// DOS code page 437, United States.
    pub const CP437: Encoding = Encoding(Kind::Table("cp437", &DECODING_TABLE_CP437));
    /// DOS code page 850, Western Europe.
    pub const CP850: Encoding = Encoding(Kind::Table("cp850", &DECODING_TABLE_CP850));
    /// The character set of the Atari ST.
    pub const ATARI_ST: Encoding = Encoding(Kind::Table("atarist", &ATARI_ST));

    /// The encoding of a label, in either case: the Encoding Standard's (`utf-8`, `latin1`,
    /// `windows-1251`, `koi8-r`, ...), `cp437`, `cp850` or `atarist`.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Encoding> {
        let label = label.trim();
        [Encoding::CP437, Encoding::CP850, Encoding::ATARI_ST]
            .into_iter()
            .find(|page| page.name().eq_ignore_ascii_case(label))
            .or_else(|| {
                encoding_rs::Encoding::for_label(label.as_bytes()).map(Kind::Web).map(Encoding)
            })
    }

    /// The label to name it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Web(encoding) => encoding.name(),
            Kind::Table(name, _) => name,
        }
    }

    /// All of the bytes as text. Bytes without a meaning become U+FFFD; the single-byte pages
    /// named by constants here have none.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.0 {
            Kind::Web(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Kind::Table(_, table) => decode_table(bytes, table),
        }
    }

    /// The text as bytes, and whether every character had a place; those without become `?`.
    #[must_use]
    pub fn encode(self, text: &str) -> (Cow<'_, [u8]>, bool) {
        match self.0 {
            Kind::Web(encoding) => encode_web(text, encoding),
            Kind::Table(_, table) => encode_table(text, table),
        }
    }
}

fn encode_web<'a>(
    text: &'a str,
    encoding: &'static encoding_rs::Encoding,
) -> (Cow<'a, [u8]>, bool) {
    let (bytes, _, lossy) = encoding.encode(text);
    if !lossy {
        return (bytes, true);
    }
    // The Encoding Standard would write `&#1234;`, which no chess program reads.
    let mut out = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for character in text.chars() {
        match encoding.encode(character.encode_utf8(&mut buffer)) {
            (bytes, _, false) => out.extend_from_slice(&bytes),
            _ => out.push(b'?'),
        }
    }
    (Cow::Owned(out), false)
}

fn decode_table<'a>(bytes: &'a [u8], table: &[char; 128]) -> Cow<'a, str> {
    if let Some(text) = core::str::from_utf8(bytes).ok().filter(|text| text.is_ascii()) {
        return Cow::Borrowed(text);
    }
    let letter = |byte: &u8| match table.get(usize::from(byte & 0x7f)) {
        Some(letter) if *byte >= 0x80 => *letter,
        _ => char::from(*byte),
    };
    Cow::Owned(bytes.iter().map(letter).collect::<String>())
}

fn encode_table<'a>(text: &'a str, table: &[char; 128]) -> (Cow<'a, [u8]>, bool) {
    if text.is_ascii() {
        return (Cow::Borrowed(text.as_bytes()), true);
    }
    let mut complete = true;
    let mut byte = |letter: char| {
        if letter.is_ascii() {
            return letter as u8;
        }
        match (0x80u8..=0xff).zip(table).find(|(_, in_table)| **in_table == letter) {
            Some((byte, _)) => byte,
            None => {
                complete = false;
                b'?'
            }
        }
    };
    let bytes = text.chars().map(&mut byte).collect();
    (Cow::Owned(bytes), complete)
}

/// How a reader makes text of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextDecoder {
    encoding: Encoding,
    utf8_first: bool,
}

impl TextDecoder {
    /// UTF-8 where it is valid, else the given code page.
    #[must_use]
    pub const fn utf8_or(encoding: Encoding) -> TextDecoder {
        TextDecoder { encoding, utf8_first: true }
    }

    /// The given encoding only.
    #[must_use]
    pub const fn only(encoding: Encoding) -> TextDecoder {
        TextDecoder { encoding, utf8_first: false }
    }

    /// What the user asked for, else UTF-8 or the format's usual code page.
    #[must_use]
    pub fn new(asked: Option<Encoding>, usual: Encoding) -> TextDecoder {
        asked.map_or(TextDecoder::utf8_or(usual), TextDecoder::only)
    }

    /// The beginning of some bytes that is UTF-8 and would be read as such; nothing if these texts
    /// are in another encoding. For small texts side by side, which it saves looking at each.
    #[must_use]
    pub fn utf8_prefix<'a>(&self, bytes: &'a [u8]) -> &'a str {
        if !self.utf8_first {
            return "";
        }
        let valid = |bytes: &'a [u8]| core::str::from_utf8(bytes);
        valid(bytes)
            .or_else(|error| valid(bytes.get(..error.valid_up_to()).unwrap_or_default()))
            .unwrap_or_default()
    }

    /// The bytes as text, borrowed if they are UTF-8 already.
    #[must_use]
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        if self.utf8_first
            && let Ok(text) = core::str::from_utf8(bytes)
        {
            return Cow::Borrowed(text);
        }
        self.encoding.decode(bytes)
    }
}

/// Atari ST characters 0x80 to 0xFF, from the Unicode Consortium's mapping (MISC/ATARIST.TXT).
#[rustfmt::skip]
static ATARI_ST: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å',
    'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', 'ß', 'ƒ',
    'á', 'í', 'ó', 'ú', 'ñ', 'Ñ', 'ª', 'º', '¿', '⌐', '¬', '½', '¼', '¡', '«', '»',
    'ã', 'õ', 'Ø', 'ø', 'œ', 'Œ', 'À', 'Ã', 'Õ', '¨', '´', '†', '¶', '©', '®', '™',
    'ĳ', 'Ĳ', 'א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט', 'י', 'כ', 'ל', 'מ', 'נ',
    'ס', 'ע', 'פ', 'צ', 'ק', 'ר', 'ש', 'ת', 'ן', 'ך', 'ם', 'ף', 'ץ', '§', '∧', '∞',
    'α', 'β', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∮', 'φ', '∈', '∩',
    '≡', '±', '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '³', '¯',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_single_byte_pages() {
        let bytes: Vec<u8> = (0..=255).collect();
        for page in [Encoding::WINDOWS_1252, Encoding::CP437, Encoding::CP850, Encoding::ATARI_ST] {
            let text = page.decode(&bytes).into_owned();
            let (back, complete) = page.encode(&text);
            assert!(complete, "{}", page.name());
            assert_eq!(back, bytes, "{}", page.name());
        }
    }

    #[test]
    fn valid_utf8_stays() {
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
    fn labels() {
        for (label, name) in [
            ("UTF-8", "UTF-8"),
            ("latin1", "windows-1252"),
            ("CP437", "cp437"),
            ("cp850", "cp850"),
            ("AtariST", "atarist"),
            ("windows-1251", "windows-1251"),
        ] {
            assert_eq!(Encoding::from_label(label).map(Encoding::name), Some(name), "{label}");
        }
        assert_eq!(Encoding::from_label("klingon"), None);
    }

    #[test]
    fn what_has_no_place_becomes_a_question_mark() {
        for page in [Encoding::WINDOWS_1252, Encoding::CP437] {
            let (bytes, complete) = page.encode("a日b");
            assert_eq!((bytes.as_ref(), complete), (&b"a?b"[..], false));
        }
    }
}
