//! Caches which part of a text is valid UTF-8.

use chess_store::TextDecoder;

/// The number of bytes that are validated at once. Validating each short text by itself is slower.
const CHUNK_SIZE: usize = 512;

/// Returns parts of a text as UTF-8. The parts are requested in text order, and the text is
/// validated in chunks.
pub(crate) struct KnownText<'t> {
    text: &'t [u8],
    decoder: TextDecoder,
    /// The start of the validated part.
    start: usize,
    known: &'t str,
}

impl<'t> KnownText<'t> {
    pub(crate) fn new(text: &'t [u8], decoder: TextDecoder) -> KnownText<'t> {
        KnownText { text, decoder, start: 0, known: "" }
    }

    /// Returns the text between two offsets if it is valid UTF-8 and the decoder reads it as UTF-8.
    #[inline]
    pub(crate) fn get(&mut self, from: usize, to: usize) -> Option<&'t str> {
        let text = self.get_known(from, to);
        if text.is_some() { text } else { self.validate(from, to) }
    }

    #[inline]
    fn get_known(&self, from: usize, to: usize) -> Option<&'t str> {
        // An offset before `start` wraps around, so it is outside the text.
        self.known.get(from.wrapping_sub(self.start)..to.wrapping_sub(self.start))
    }

    #[inline(never)]
    fn validate(&mut self, from: usize, to: usize) -> Option<&'t str> {
        let end = to.max(from.saturating_add(CHUNK_SIZE)).min(self.text.len());
        self.start = from;
        self.known = self.decoder.utf8_prefix(self.text.get(from..end)?);
        self.get_known(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_store::Encoding;

    #[test]
    fn known_text_get_other_encodings_are_none() {
        let text =
            ["ä".repeat(CHUNK_SIZE).as_bytes(), b"b\xe4c", "d".repeat(CHUNK_SIZE).as_bytes()]
                .concat();
        let long = CHUNK_SIZE.saturating_mul(2);
        let mut known = KnownText::new(&text, TextDecoder::utf8_or(Encoding::WINDOWS_1252));
        assert_eq!(known.get(0, 4), Some("ää"));
        assert_eq!(known.get(0, 3), None);
        assert_eq!(known.get(0, long).map(str::len), Some(long));
        assert_eq!(known.get(long, long + 1), Some("b"));
        assert_eq!(known.get(long, long + 2), None);
        assert_eq!(known.get(long + 2, long + 4), Some("cd"));
        assert_eq!(known.get(4, 6), Some("ä"));
        assert_eq!(known.get(text.len(), text.len() + 1), None);
        let mut other = KnownText::new(&text, TextDecoder::only(Encoding::WINDOWS_1252));
        assert_eq!(other.get(0, 4), None);
    }
}
