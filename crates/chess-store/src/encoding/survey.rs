//! Detects the code page of texts by byte statistics.

use super::{Encoding, has_utf8};

/// Collects the texts of a base and detects their encoding.
///
/// In a Western code page, letters beyond ASCII occur alone or in pairs. In a Cyrillic code page,
/// whole words consist of them. Runs of three such bytes or more distinguish the two.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodingSurvey {
    /// The number of bytes from 0x80, and how many of them are in runs of Windows-1251 letters without
    /// a Latin letter beside them.
    high: u64,
    windows_1251: u64,
    /// The same counts for texts that are not UTF-8, whatever stands beside the runs.
    page_high: u64,
    page_1251: u64,
    /// How many bytes are in runs of CP866 letters, and in runs of any bytes from 0x80, in texts that
    /// are not UTF-8.
    page_866: u64,
    page_runs: u64,
    /// A bit set of the bytes from 0x80 that occur in texts that are not UTF-8.
    letters: u128,
    /// Number of pairs of a lower-case and an upper-case letter, read as Windows-1251. They are
    /// rare in Russian words, but frequent in Greek words (Windows-1253) and in Russian words in
    /// KOI8-R.
    turns: u64,
    /// Number of characters beyond ASCII in valid UTF-8 texts.
    utf8: u64,
    /// Whether a text beyond ASCII is not valid UTF-8.
    not_utf8: bool,
    /// Whether such a text has sequences of UTF-8 nevertheless.
    is_mixed: bool,
}

/// Minimum length of a run that counts as a word.
const WORD: usize = 3;
/// Minimum number of bytes in words for a result that the user has not confirmed.
const ENOUGH: u64 = 24;
/// Minimum number of different bytes from 0x80. One repeated letter is not text.
const VARIETY: u32 = 8;
/// The same minimums for a hint that the user can ignore.
const ENOUGH_FOR_HINT: u64 = 9;
const VARIETY_FOR_HINT: u32 = 4;
/// The capital letters of the Cyrillic code pages, in [`EncodingSurvey::letters`]: 0xc0 to 0xdf in
/// Windows-1251, 0x80 to 0x9f in CP866.
const CAPITALS_1251: u128 = 0xffff_ffff << 0x40;
const CAPITALS_866: u128 = 0xffff_ffff;

impl EncodingSurvey {
    /// Adds a text.
    pub fn add(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        let high = text.iter().filter(|byte| **byte >= 0x80).count() as u64;
        self.high = self.high.saturating_add(high);
        let is_cp866 = |byte: u8| matches!(byte, 0x80..=0xaf | 0xe0..=0xef);
        let in_words = |is_letter: fn(u8) -> bool| {
            let runs = text.split(move |byte| !is_letter(*byte));
            runs.filter(|run| run.len() >= WORD).map(|run| run.len() as u64).sum::<u64>()
        };
        let windows_1251 = in_words(|byte| byte >= 0xc0);
        self.windows_1251 = self.windows_1251.saturating_add(words_without_latin(text));
        let end = match std::str::from_utf8(text) {
            Ok(text) => {
                let beyond = text.chars().filter(|letter| !letter.is_ascii()).count();
                self.utf8 = self.utf8.saturating_add(beyond as u64);
                return;
            }
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => {
                self.is_mixed |= has_utf8(text);
                0
            }
        };
        self.not_utf8 = true;
        if !text.get(..end).unwrap_or_default().is_ascii() {
            // UTF-8 that was cut within its last character.
            return;
        }
        for byte in text.iter().filter(|byte| **byte >= 0x80) {
            self.letters |= 1u128.checked_shl(u32::from(byte & 0x7f)).unwrap_or(0);
        }
        self.page_high = self.page_high.saturating_add(high);
        self.page_1251 = self.page_1251.saturating_add(windows_1251);
        self.page_866 = self.page_866.saturating_add(in_words(is_cp866));
        self.page_runs = self.page_runs.saturating_add(in_words(|byte| byte >= 0x80));
        let turns =
            text.windows(2).filter(|pair| matches!(pair, [0xe0..=0xff, 0xc0..=0xdf])).count();
        self.turns = self.turns.saturating_add(turns as u64);
    }

    /// Returns whether a text in a code page has a word of bytes from 0x80, which counts as Cyrillic. A
    /// writer of Western texts that avoids such texts is never [taken for one](Self::cyrillic) of Cyrillic.
    #[must_use]
    pub fn has_word(text: &[u8]) -> bool {
        text.split(u8::is_ascii).any(|run| run.len() >= WORD)
    }

    /// Returns the encoding of the texts of a Windows program that uses one encoding for the whole
    /// base: UTF-8, Windows-1251 or Windows-1252.
    #[must_use]
    pub fn windows_verdict(&self) -> Encoding {
        if !self.not_utf8 && self.utf8 >= 4 {
            Encoding::UTF_8
        } else if self.windows_1251.saturating_mul(2) > self.high {
            Encoding::WINDOWS_1251
        } else {
            Encoding::WINDOWS_1252
        }
    }

    /// Returns whether a text mixes UTF-8 and single bytes, see [`TextDecoder::is_mixed`].
    ///
    /// [`TextDecoder::is_mixed`]: super::TextDecoder::is_mixed
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// Returns the Cyrillic code page of texts that are not UTF-8, Windows-1251 or CP866. Returns
    /// `None` if there is not enough text.
    #[must_use]
    pub fn cyrillic(&self) -> Option<Encoding> {
        let words = self.page_1251.max(self.page_866);
        let is_text = words >= ENOUGH && self.letters.count_ones() >= VARIETY;
        if !is_text || words.saturating_mul(2) <= self.page_high {
            return None;
        }
        if self.page_866 > self.page_1251 {
            return (self.letters & CAPITALS_866 != 0).then_some(Encoding::CP866);
        }
        self.resembles_russian().then_some(Encoding::WINDOWS_1251)
    }

    /// Returns whether the texts resemble Cyrillic texts in Windows-1251. Hebrew (Windows-1255) has
    /// no capital letters there, and Greek and KOI8-R have many turns.
    fn resembles_russian(&self) -> bool {
        let has_capitals = self.letters & CAPITALS_1251 != 0;
        has_capitals && self.turns.saturating_mul(20) < self.page_1251
    }

    /// Returns whether whole words consist of bytes beyond ASCII that have no meaning, or another
    /// one, in `chosen`: the texts are in a script other than Latin, and the user should name their
    /// encoding.
    #[must_use]
    pub fn doubts(&self, chosen: Encoding) -> bool {
        let is_text = self.page_runs >= ENOUGH_FOR_HINT
            && self.letters.count_ones() >= VARIETY_FOR_HINT
            && self.page_runs.saturating_mul(2) > self.page_high;
        let is_known = chosen == Encoding::UTF_8
            || chosen == Encoding::CP866 && self.page_866 >= self.page_1251
            || chosen == Encoding::WINDOWS_1251 && self.resembles_russian();
        is_text && !is_known
    }
}

/// Returns how many bytes are in runs of Windows-1251 letters that no Latin letter stands beside.
/// Western words, such as `Jõeäär`, mix both.
fn words_without_latin(text: &[u8]) -> u64 {
    let is_word = |byte: &u8| *byte >= 0xc0 || byte.is_ascii_alphabetic();
    let words = text.split(|byte| !is_word(byte));
    let whole = words.filter(|word| word.len() >= WORD && word.iter().all(|byte| *byte >= 0xc0));
    whole.map(|word| word.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(texts: &[&[u8]]) -> EncodingSurvey {
        let mut survey = EncodingSurvey::default();
        texts.iter().for_each(|text| survey.add(text));
        survey
    }

    #[test]
    fn survey_of_windows_texts_detects_encoding() {
        let verdict = |texts: &[&[u8]]| survey(texts).windows_verdict();
        let russian = Encoding::WINDOWS_1251.encode("Ботвинник, Михаил").0.into_owned();
        assert_eq!(verdict(&[b"Morphy"]), Encoding::WINDOWS_1252);
        assert_eq!(verdict(&[b"R\xe9ti", b"Gr\xfcnfeld", b"\xc5\xe5"]), Encoding::WINDOWS_1252);
        let western = [&b"J\xf5e\xe4\xe4\xe4r"[..], b"\xd6\xe4\xfcn", b"Gr\xf6\xdf\xf6"];
        assert_eq!(verdict(&western), Encoding::WINDOWS_1252, "Latin letters beside each run");
        assert_eq!(verdict(&[b"\xd2\xe0\xeb\xfc-Fischer"]), Encoding::WINDOWS_1251);
        assert_eq!(verdict(&[&russian, b"R\xe9ti"]), Encoding::WINDOWS_1251);
        assert_eq!(verdict(&["Réti".as_bytes(), "Ботвинник".as_bytes()]), Encoding::UTF_8);
        assert_eq!(verdict(&["Réti".as_bytes()]), Encoding::WINDOWS_1252, "too little to tell");
        assert_eq!(verdict(&["Ботвинник".as_bytes(), b"R\xe9ti"]), Encoding::WINDOWS_1252);
    }

    #[test]
    fn survey_without_words_is_not_cyrillic() {
        let texts: Vec<Vec<u8>> = (0x80..=0xffu8).map(|byte| vec![byte, byte, b' ']).collect();
        assert!(!texts.iter().any(|text| EncodingSurvey::has_word(text)));
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        assert_eq!(survey(&texts).cyrillic(), None);
        assert!(EncodingSurvey::has_word(b"a\xe9\xe9\xe9"));
    }

    #[test]
    fn survey_cyrillic_needs_enough_text() {
        let text = "Белые получают перевес: слон сильнее коня. ЧЕРНЫЕ сдались";
        for page in [Encoding::WINDOWS_1251, Encoding::CP866] {
            assert_eq!(survey(&[&page.encode(text).0]).cyrillic(), Some(page), "{}", page.name());
        }
        let short = Encoding::WINDOWS_1251.encode("Таль, Михаил").0;
        assert_eq!(survey(&[&short]).cyrillic(), None);
        let western = Encoding::WINDOWS_1252.encode("Größe, Müßiggang, Überfälle, Änderungen").0;
        assert_eq!(survey(&[&western]).cyrillic(), None);
        assert_eq!(survey(&[text.as_bytes()]).cyrillic(), None);
        assert_eq!(survey(&[&[0xe9; 100]]).cyrillic(), None);
        // Greek in Windows-1253 has accented letters within words.
        let greek = b"\xe7 \xec\xe1\xfd\xf1\xe7 \xf0\xeb\xe5\xf5\xf1\xdc \xea\xe5\xf1\xe4\xdf\xe6\xe5\xe9 \xf4\xe7\xed \xf0\xe1\xf1\xf4\xdf\xe4\xe1";
        assert_eq!(survey(&[greek]).cyrillic(), None);
        // Hebrew in Windows-1255 has one case.
        let hebrew =
            b"\xec\xec\xe1\xef \xe9\xfa\xf8\xe5\xef \xe2\xe3\xe5\xec \xe1\xf1\xe9\xe5\xed \xf2\xed \xf6\xf8\xe9\xe7\xed \xf8\xe1\xe9\xed";
        assert_eq!(survey(&[hebrew]).cyrillic(), None);
    }

    #[test]
    fn survey_doubts_scripts_that_it_does_not_recognise() {
        let doubts = |texts: &[&[u8]]| {
            let survey = survey(texts);
            survey.doubts(survey.cyrillic().unwrap_or(Encoding::WINDOWS_1252))
        };
        let encoded = |text, page: Encoding| page.encode(text).0.into_owned();
        let (tal, title) = ("Таль, Михаил", "Матч на первенство мира между Талем и Ботвинником");
        // Too little for a verdict.
        assert!(doubts(&[&encoded(tal, Encoding::WINDOWS_1251)]));
        assert!(doubts(&[&encoded(tal, Encoding::CP866)]));
        assert!(!doubts(&[&encoded(title, Encoding::WINDOWS_1251)]));
        assert!(!doubts(&[&encoded(title, Encoding::CP866)]));
        assert!(doubts(&[&encoded(title, Encoding::KOI8_R)]));
        // Greek, Hebrew, Chinese.
        assert!(doubts(&[b"\xd0\xe1\xf0\xe1\xe4\xfc\xf0\xef\xf5\xeb\xef\xf2"]));
        assert!(doubts(&[b"\xeb\xe4\xef, \xe3\xe5\xe3", b"\xec\xe5\xe9, \xee\xf9\xe4"]));
        assert!(doubts(&[
            b"\xb6\xa1\xc1\xa2\xc8\xcb",
            b"\xcd\xf5\xab\x68",
            b"\xba\xee\xd2\xdd\xe0"
        ]));
        // Latin letters.
        for page in [Encoding::WINDOWS_1250, Encoding::WINDOWS_1252, Encoding::CP437] {
            let text = "Größe, Müßiggang, Überfälle, Änderungen, schön, übermäßig, Öfen";
            assert!(!doubts(&[&encoded(text, page)]), "{}", page.name());
        }
        let polish = encoded("zażółć gęślą jaźń, Świdziński", Encoding::WINDOWS_1250);
        assert!(!doubts(&[&polish]));
        // UTF-8, also if a field cut its last letter.
        assert!(!doubts(&[title.as_bytes(), &title.as_bytes()[..31]]));
        assert!(!doubts(&[b"Smyslov"]));
        assert!(!doubts(&[&[0xe9; 100]]));
    }
}
