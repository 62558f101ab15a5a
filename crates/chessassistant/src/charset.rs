//! The encoding of a base's texts, and text decoding.

use chess_store::Encoding;

/// Decodes the texts of a base. Common single-byte encodings use a table, so that nothing is
/// allocated.
#[derive(Clone, Debug)]
pub(crate) struct Charset {
    encoding: Encoding,
    /// The characters of the bytes from 0x80 on, if each byte is one character.
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

    /// Decodes the bytes and appends the text.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charset_windows_pages_keep_every_byte() {
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
