//! Predicts which encoding a reader will detect in a new base.

use chess_store::{Encoding, EncodingSurvey};

use crate::open::{NAMES_EXAMINED, comment_texts};
use crate::selfcheck::GAMES;

/// The encodings that a reader can detect.
const VERDICTS: [Encoding; 3] = [Encoding::WINDOWS_1252, Encoding::WINDOWS_1251, Encoding::UTF_8];

/// The texts of a new base, as a reader will examine them.
// chessassistant §10 "Text encoding"
#[derive(Debug)]
pub(crate) struct Guess {
    encoding: Encoding,
    survey: EncodingSurvey,
    /// Whether a text is read wrongly under each verdict.
    misread: [bool; 3],
}

impl Guess {
    pub(crate) fn new(encoding: Encoding) -> Guess {
        Guess { encoding, survey: EncodingSurvey::default(), misread: [false; 3] }
    }

    /// Adds a name and its title. A reader examines the names of the first ids.
    pub(crate) fn add_name(&mut self, id: u32, [name, title]: [&[u8]; 2]) {
        if id < NAMES_EXAMINED {
            self.survey.add(name);
        }
        self.add_text(name);
        self.add_text(title);
    }

    /// Adds the comments of a game. A reader examines the first games.
    pub(crate) fn add_game(&mut self, game: u32, codes: &[u8]) {
        let is_examined = u64::from(game) < GAMES;
        // A verdict other than Windows-1252 comes from texts that were examined.
        if is_examined || self.encoding != Encoding::WINDOWS_1252 {
            comment_texts(codes, |text| {
                if is_examined {
                    self.survey.add(text);
                }
                self.add_text(text);
            });
        }
    }

    fn add_text(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        for (misread, verdict) in self.misread.iter_mut().zip(VERDICTS) {
            if !*misread && verdict != self.encoding {
                *misread = verdict.decode(text) != self.encoding.decode(text);
            }
        }
    }

    /// Returns whether a reader of the base with this comment reads a text wrongly.
    pub(crate) fn is_wrong(&self, comment: &[u8]) -> bool {
        let mut all = Guess { ..*self };
        all.survey.add(comment);
        all.add_text(comment);
        let verdict = all.survey.windows_verdict();
        VERDICTS.into_iter().zip(all.misread).any(|(one, misread)| one == verdict && misread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_wrong(encoding: Encoding, names: &[&str], comment: &str) -> bool {
        let mut guess = Guess::new(encoding);
        for (id, name) in (1..).zip(names) {
            guess.add_name(id, [&*encoding.encode(name).0, b"GM"]);
        }
        guess.is_wrong(&encoding.encode(comment).0)
    }

    #[test]
    fn guess_is_wrong_where_the_reader_detects_another_page() {
        let [western, russian, utf8] = VERDICTS;
        for (encoding, names, comment, wrong) in [
            (western, &["R\u{e9}ti", "M\u{fc}ller"][..], "", false),
            (western, &["Morphy"], "", false),
            (western, &["\u{d8}\u{d6}\u{c4}"], "", true),
            (western, &["R\u{e9}ti"], "\u{d8}\u{d6}\u{c4}\u{dc}\u{c5}", true),
            (russian, &["\u{422}\u{430}\u{43b}\u{44c}", "Tal"], "", false),
            (russian, &["\u{42e}"], "", true),
            (russian, &["Tal"], "", false),
            (utf8, &["\u{422}\u{430}\u{43b}\u{44c}"], "", false),
            (utf8, &["R\u{e9}ti"], "", true),
            (utf8, &["R\u{e9}ti"], "\u{422}\u{430}\u{43b}", false),
            (Encoding::WINDOWS_1250, &["M\u{fc}ller"], "", false),
            (Encoding::WINDOWS_1250, &["\u{141}\u{f3}d\u{17a}"], "", true),
        ] {
            let name = encoding.name();
            assert_eq!(is_wrong(encoding, names, comment), wrong, "{name} {names:?} {comment}");
        }
    }
}
