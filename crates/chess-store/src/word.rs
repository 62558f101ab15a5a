//! Searches for a word in the stored texts of a game.

use memchr::{memchr2_iter, memmem};

use crate::encoding::TextDecoder;

/// Letters, digits and blanks of ASCII, to be found in a text without regard to case.
///
/// ```
/// use chess_store::Word;
///
/// let word = Word::new("novelty").unwrap();
/// assert!(word.is_in(b"A strong Novelty."));
/// assert!(Word::new("caf\u{e9}").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    lower: Vec<u8>,
    /// The index of the letter that is rarest in texts, and its two forms.
    rare: (usize, u8, u8),
}

/// Letters by their frequency in English text, the most frequent first. Digits are rarer.
const FREQUENT: &[u8] = b" etaoinshrdlcumwfgypbvkjxqz";

/// Letters beyond ASCII that differ only in case from a letter of ASCII: the letter of ASCII, and the
/// other in UTF-8 (Kelvin sign, long s).
const FOLDED: [(u8, &[u8]); 2] = [(b'k', b"\xe2\x84\xaa"), (b's', b"\xc5\xbf")];

impl Word {
    /// Creates a word. Returns `None` for other characters and for an empty text.
    #[must_use]
    pub fn new(text: &str) -> Option<Word> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b' ';
        if !text.bytes().all(is_plain) {
            return None;
        }
        let lower = text.to_ascii_lowercase().into_bytes();
        let rarity = |byte: u8| FREQUENT.iter().position(|other| *other == byte);
        let (index, byte) = (0..)
            .zip(lower.iter().copied())
            .max_by_key(|(_, byte)| rarity(*byte).unwrap_or(FREQUENT.len()))?;
        Some(Word { lower, rare: (index, byte, byte.to_ascii_uppercase()) })
    }

    /// Returns whether `text` has the word, in letters of ASCII.
    #[must_use]
    pub fn is_in(&self, text: &[u8]) -> bool {
        let (index, lower, upper) = self.rare;
        memchr2_iter(lower, upper, text).any(|place| {
            let start = place.checked_sub(index);
            let rest = start.and_then(|start| text.get(start..)?.get(..self.lower.len()));
            rest.is_some_and(|part| part.eq_ignore_ascii_case(&self.lower))
        })
    }
}

impl TextDecoder {
    /// Returns whether a text with these bytes could have `word` when it is decoded. May return false
    /// positives, never false negatives.
    #[must_use]
    pub fn may_contain(&self, bytes: &[u8], word: &Word) -> bool {
        if word.is_in(bytes) {
            return true;
        }
        let folds = |(ascii, _): &&(u8, &[u8])| word.lower.contains(ascii);
        let mut folded = FOLDED.iter().filter(folds).peekable();
        if folded.peek().is_none() || bytes.is_ascii() {
            return false;
        }
        // Code pages of one byte for each character have none of these letters.
        !self.has_known_letters() || folded.any(|(_, utf8)| memmem::find(bytes, utf8).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;

    #[test]
    fn is_in_ignores_case_only() {
        let word = Word::new("vs Karpov 1987").unwrap();
        assert!(word.is_in(b"Kasparov VS KARPOV 1987!"));
        for other in ["vs Karpov 198", "vs  Karpov 1987", "s Karpov 1987", ""] {
            assert!(!word.is_in(other.as_bytes()), "{other}");
        }
        for (word, text, is_in) in
            [("z", "pizza", true), ("aa", "aba", false), ("7", "67", true), ("ab", "xAB", true)]
        {
            assert_eq!(Word::new(word).unwrap().is_in(text.as_bytes()), is_in, "{word} in {text}");
        }
    }

    #[test]
    fn new_other_characters_are_none() {
        for text in ["", "a.b", "\u{e9}", "a\nb", "%clk"] {
            assert_eq!(Word::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn may_contain_letters_that_fold_to_ascii() {
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        let (king, rook) = (Word::new("king").unwrap(), Word::new("oo").unwrap());
        assert!(decoder.may_contain("\u{212a}ing".as_bytes(), &king));
        assert!(!decoder.may_contain("\u{e9}ing".as_bytes(), &king));
        assert!(!decoder.may_contain(b"\x8ang", &king));
        assert!(!decoder.may_contain("\u{212a}".as_bytes(), &rook));
        assert!(decoder.may_contain("\u{17f}even".as_bytes(), &Word::new("seven").unwrap()));
    }

    #[cfg(feature = "encodings")]
    #[test]
    fn may_contain_in_encoding_of_several_bytes_is_true_in_doubt() {
        let decoder = TextDecoder::only(Encoding::from_label("gb18030").unwrap());
        let word = Word::new("king").unwrap();
        assert!(decoder.may_contain(b"\x81\x36\xa5\x38ing", &word));
        assert!(!decoder.may_contain(b"queen", &word));
    }
}
