//! Which encoding the texts of a base are in, and texts from bytes.

use chess_store::Encoding;

/// Decodes the texts of a base. The common single-byte pages go through a table, so that nothing
/// is allocated.
#[derive(Clone, Debug)]
pub(crate) struct Charset {
    encoding: Encoding,
    /// What the bytes from 0x80 mean, if each of them means one character.
    upper: Option<Box<[char; 128]>>,
}

impl Charset {
    pub(crate) fn new(encoding: Encoding) -> Charset {
        let mut upper = Box::new(['\0'; 128]);
        let single = (0x80..=u8::MAX).zip(upper.iter_mut()).all(|(byte, letter)| {
            let bytes = [byte];
            let text = encoding.decode(&bytes);
            let mut letters = text.chars();
            match (letters.next(), letters.next()) {
                (Some(only), None) if only != char::REPLACEMENT_CHARACTER => {
                    *letter = only;
                    true
                }
                _ => false,
            }
        });
        Charset { encoding, upper: single.then_some(upper) }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Appends the bytes as text.
    pub(crate) fn decode_into(&self, bytes: &[u8], out: &mut String) {
        match (&self.upper, str::from_utf8(bytes)) {
            (_, Ok(text)) if text.is_ascii() => out.push_str(text),
            (Some(upper), _) => {
                out.extend(bytes.iter().map(|byte| match upper.get(usize::from(byte & 0x7f)) {
                    Some(letter) if *byte >= 0x80 => *letter,
                    _ => char::from(*byte),
                }))
            }
            (None, _) => out.push_str(&self.encoding.decode(bytes)),
        }
    }
}

/// Collects texts of a base and tells their encoding.
///
/// The format does not say it. The program is a Windows program: windows-1252, or windows-1251 in
/// Russia. The rule of the house, that valid UTF-8 stays, is applied to the base as a whole, since
/// short Russian and German texts in guillemets can pass for UTF-8 one by one.
// chessassistant §10 "Text encoding"
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Detector {
    /// Bytes from 0x80.
    high: u64,
    /// Those of them from 0xC0 that stand in runs of three or more: Cyrillic words.
    in_runs: u64,
    /// Characters beyond ASCII of texts that are valid UTF-8.
    utf8: u64,
    /// Whether some text beyond ASCII is not valid UTF-8.
    not_utf8: bool,
}

impl Detector {
    pub(crate) fn add(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        let high = text.iter().filter(|byte| **byte >= 0x80).count();
        self.high = self.high.saturating_add(high as u64);
        for run in text.split(|byte| *byte < 0xc0).filter(|run| run.len() >= 3) {
            self.in_runs = self.in_runs.saturating_add(run.len() as u64);
        }
        match str::from_utf8(text) {
            Ok(text) => {
                let beyond = text.chars().filter(|letter| !letter.is_ascii()).count();
                self.utf8 = self.utf8.saturating_add(beyond as u64);
            }
            Err(_) => self.not_utf8 = true,
        }
    }

    pub(crate) fn verdict(&self) -> Encoding {
        if !self.not_utf8 && self.utf8 >= 4 {
            Encoding::UTF_8
        } else if self.in_runs.saturating_mul(2) > self.high {
            Encoding::WINDOWS_1251
        } else {
            Encoding::WINDOWS_1252
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(texts: &[&[u8]]) -> Encoding {
        let mut detector = Detector::default();
        for text in texts {
            detector.add(text);
        }
        detector.verdict()
    }

    #[test]
    fn encodings_are_told_from_the_bytes() {
        let russian = Encoding::WINDOWS_1251.encode("Ботвинник, Михаил").0.into_owned();
        assert_eq!(verdict(&[b"Morphy"]), Encoding::WINDOWS_1252);
        assert_eq!(verdict(&[b"R\xe9ti", b"Gr\xfcnfeld", b"\xc5\xe5"]), Encoding::WINDOWS_1252);
        assert_eq!(verdict(&[&russian, b"R\xe9ti"]), Encoding::WINDOWS_1251);
        assert_eq!(verdict(&["Réti".as_bytes(), "Ботвинник".as_bytes()]), Encoding::UTF_8);
        assert_eq!(verdict(&["Réti".as_bytes()]), Encoding::WINDOWS_1252, "too little to tell");
        assert_eq!(verdict(&["Ботвинник".as_bytes(), b"R\xe9ti"]), Encoding::WINDOWS_1252);
    }

    #[test]
    fn every_byte_survives_the_windows_pages() {
        let all: Vec<u8> = (0..=255).collect();
        for encoding in [Encoding::WINDOWS_1252, Encoding::WINDOWS_1251] {
            let mut text = String::new();
            Charset::new(encoding).decode_into(&all, &mut text);
            assert_eq!(encoding.encode(&text).0, all);
        }
        let mut text = String::new();
        Charset::new(Encoding::UTF_8).decode_into("Réti \u{1f600}".as_bytes(), &mut text);
        assert_eq!(text, "Réti \u{1f600}");
    }
}
