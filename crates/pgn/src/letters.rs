//! The letters of the pieces in other languages. pgn §3.3.2 "Letters of other languages"

use chess_core::Role;

/// The letters of king, queen, rook, bishop and knight in one or several languages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Alphabet {
    /// The message of the deviation.
    pub(crate) message: &'static str,
    letters: [&'static str; 5],
}

/// The letters of the same pieces in English.
const ENGLISH: [u8; 5] = *b"KQRBN";

macro_rules! alphabet {
    ($languages:literal: $($letter:literal)+) => {
        Alphabet {
            message: concat!("the pieces have ", $languages, " letters"),
            letters: [$($letter),+],
        }
    };
}

pub(crate) static ALPHABETS: [Alphabet; 20] = [
    alphabet!("German, Danish, Norwegian, Swedish, Croatian or Slovenian": "K" "D" "T" "L" "S"),
    alphabet!("Dutch": "K" "D" "T" "L" "P"),
    alphabet!("French": "R" "D" "T" "F" "C"),
    alphabet!("Spanish, Italian or Catalan": "R" "D" "T" "A" "C"),
    alphabet!("Portuguese": "R" "D" "T" "B" "C"),
    alphabet!("Romanian": "R" "D" "T" "N" "C"),
    alphabet!("Finnish": "K" "D" "T" "L" "R"),
    alphabet!("Hungarian": "K" "V" "B" "F" "H"),
    alphabet!("Czech or Slovak": "K" "D" "V" "S" "J"),
    alphabet!("Polish": "K" "H" "W" "G" "S"),
    alphabet!("Icelandic": "K" "D" "H" "B" "R"),
    alphabet!("Estonian": "K" "L" "V" "O" "R"),
    alphabet!("Latvian": "K" "D" "T" "L" "Z"),
    alphabet!("Lithuanian": "K" "V" "B" "R" "Ž"),
    alphabet!("Turkish": "Ş" "V" "K" "F" "A"),
    alphabet!("Russian": "Кр" "Ф" "Л" "С" "К"),
    alphabet!("Ukrainian": "Кр" "Ф" "Т" "С" "К"),
    alphabet!("Bulgarian": "Ц" "Д" "Т" "О" "К"),
    alphabet!("Serbian": "К" "Д" "Т" "Л" "С"),
    alphabet!("Greek": "Ρ" "Β" "Π" "Α" "Ι"),
];

impl Alphabet {
    /// Returns the English letter of the piece whose letter begins a text, given the first two
    /// characters of the text. Also returns the number of characters of the letter.
    pub(crate) fn piece(&self, first: char, second: Option<char>) -> Option<(u8, usize)> {
        let mut pieces = self.letters.iter().zip(ENGLISH);
        pieces.find_map(|(letter, english)| {
            let mut letters = letter.chars();
            let fits = letters.next().is_some_and(|letter| is_alike(first, letter));
            match letters.next() {
                None => fits.then_some((english, 1)),
                Some(next) => {
                    let fits = fits && second.is_some_and(|second| is_alike(second, next));
                    fits.then_some((english, 2))
                }
            }
        })
    }

    /// Returns whether a token that is no move in English could be one in these letters.
    pub(crate) fn explains(&self, token: &str) -> bool {
        let mut before = None;
        let mut letters = token.chars().peekable();
        while let Some(letter) = letters.next() {
            let begins = before.is_none_or(promotes);
            let other =
                |(english, _)| Role::from_letter(letter) != Role::from_letter(char::from(english));
            if begins && self.piece(letter, letters.peek().copied()).is_some_and(other) {
                return true;
            }
            before = Some(letter);
        }
        false
    }
}

/// Returns whether `typed` is `letter`, or a Latin letter in place of a Cyrillic or Greek one.
fn is_alike(typed: char, letter: char) -> bool {
    typed == letter
        || matches!((typed, letter), ('K', 'К') | ('C', 'С') | ('T', 'Т') | ('p', 'р') | ('P', 'Ρ'))
}

/// Returns whether the letter of a promotion may follow.
pub(crate) fn promotes(before: char) -> bool {
    matches!(before, '1' | '8' | '=' | '/' | '(')
}

/// Returns whether `letter` names a piece in English.
pub(crate) fn is_english(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(|letter| ENGLISH.contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_distinct_and_have_five_letters() {
        for (at, alphabet) in ALPHABETS.iter().enumerate() {
            assert!(!ALPHABETS.iter().skip(at + 1).any(|other| other == alphabet), "{alphabet:?}");
            for (letter, english) in alphabet.letters.iter().zip(ENGLISH) {
                let mut letters = letter.chars();
                let found = alphabet.piece(letters.next().unwrap(), letters.next());
                assert_eq!(found, Some((english, letter.chars().count())), "{letter}");
            }
        }
    }

    #[test]
    fn explains_only_letters_with_another_meaning() {
        let german = &ALPHABETS[0];
        for (token, explained) in [
            ("Sf3", true),
            ("e8=T", true),
            ("exd1S", true),
            ("Kf1", false),
            ("Nf3", false),
            ("e4", false),
            ("e4S", false),
            ("", false),
        ] {
            assert_eq!(german.explains(token), explained, "{token}");
        }
    }
}
