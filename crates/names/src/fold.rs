//! How words of names are compared: in ASCII letters, and alike if only the romanisation differs.
//!
//! The rules join the systems in which Cyrillic names are printed: BGN/PCGN, ISO 9, the German of
//! Duden, the French of the press, and the Polish and Croatian alphabets: `Kortschnoj` and `Korchnoi`.

use deunicode::deunicode_char;

/// Transliterates to ASCII letters: `Müller` to `Muller`, `Карпов` to `Karpov`.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            plain if plain.is_ascii() => folded.push(plain),
            // Combining marks follow their letter.
            '\u{300}'..='\u{36f}' => {}
            other => folded.push_str(deunicode_char(other).unwrap_or(" ")),
        }
    }
    folded
}

/// The sort key of a text: lower-case ASCII letters.
pub fn sort_key(text: &str) -> String {
    let mut key = fold(text);
    key.make_ascii_lowercase();
    key
}

/// A word in lower case, with the forms by which it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) text: String,
    /// Without the second letter of an umlaut: `muller` of `mueller`.
    plain: String,
    /// The word as it sounds, where `ch` is the first sound of Chess.
    sound: String,
    /// The same, where `ch` sounds as in Bach.
    other_sound: Option<String>,
}

/// Words whose sound is shorter are compared by their letters: `Zhu` is not `Zhou`.
const SHORTEST_SOUND: usize = 4;

/// Spellings of one sound, in lower case; `^` and `$` are the ends of the word. The first that fits
/// counts. Capitals are sounds: `S` as in ship, `C` as in chess, `Z` as in pleasure, `H` as in Bach.
const SOUNDS: &[(&str, &str)] = &[
    ("schtsch", "S"),
    ("chtch", "S"),
    ("shch", "S"),
    ("tsch", "C"),
    ("tch", "C"),
    ("tsh", "C"),
    ("sch", "S"),
    ("szt", "st"),
    ("sh", "S"),
    ("cz", "C"),
    ("ic$", "iC"),
    ("kh", "H"),
    ("zh", "Z"),
    ("tth", "t"),
    ("th", "t"),
    ("ph", "f"),
    ("gh", "g"),
    ("dh", "d"),
    ("bh", "b"),
    ("h", "H"),
    ("ts", "c"),
    ("tz", "c"),
    ("ck", "k"),
    ("ce", "ce"),
    ("ci", "ci"),
    ("cy", "ci"),
    ("c", "k"),
    ("qu", "ku"),
    ("qi", "qi"),
    ("q", "g"),
    ("xander$", "ksandr"),
    ("xandre$", "ksandr"),
    ("ksander$", "ksandr"),
    ("ksandar$", "ksandr"),
    ("x", "ks"),
    ("gue", "ge"),
    ("gui", "gi"),
    ("^dimitr", "dmitr"),
    ("^aa", "a"),
    ("^ye", "e"),
    ("^je", "e"),
    ("^ie", "e"),
    ("aye", "a"),
    ("aje", "a"),
    ("aie", "a"),
    ("ae", "a"),
    ("oye", "o"),
    ("oje", "o"),
    ("oie", "o"),
    ("oe", "o"),
    ("eye", "e"),
    ("eje", "e"),
    ("eie", "e"),
    ("aue", "aue"),
    ("eue", "eue"),
    ("ue", "u"),
    ("ou", "u"),
    ("y", "i"),
    ("j", "i"),
    ("w", "v"),
    ("off$", "ov"),
    ("eff$", "ev"),
    ("of$", "ov"),
    ("ef$", "ev"),
    ("eph$", "ev"),
];

/// For each first letter, a set of the places of its rules in [`SOUNDS`].
static RULES: [u128; 128] = {
    let (mut rules, mut rest, mut place) = ([0; 128], SOUNDS, 0);
    while let [(letters, _), after @ ..] = rest {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            rules[letters.as_bytes()[0] as usize] |= 1 << place;
        }
        (rest, place) = (after, place + 1);
    }
    rules
};

impl Letters {
    /// Creates the forms of a word of ASCII letters and digits.
    pub(super) fn new(word: &str) -> Letters {
        let text = word.to_ascii_lowercase();
        let sound = sound(&text, "C");
        let other_sound = text.contains("ch").then(|| self::sound(&text, "H"));
        Letters { plain: without_umlauts(&text), text, sound, other_sound }
    }

    /// Returns whether two words differ in nothing but umlauts and romanisation.
    pub(super) fn are_alike(&self, other: &Letters) -> bool {
        self.text == other.text || self.plain == other.plain || self.sound_alike(other)
    }

    fn sound_alike(&self, other: &Letters) -> bool {
        let long = |letters: &Letters| letters.sound.len() >= SHORTEST_SOUND;
        // Pinyin distinguishes what romanisations of Cyrillic do not: `Jiang` is not `Yang`.
        let pinyin = |letters: &Letters| letters.text.ends_with("ng");
        long(self)
            && long(other)
            && !pinyin(self)
            && self.sounds().any(|one| other.sounds().any(|other| one == other))
    }

    fn sounds(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.sound).chain(self.other_sound.as_deref())
    }

    /// Returns whether this word begins `other`.
    pub(super) fn begins(&self, other: &Letters) -> bool {
        // An initial stands for its letter: J is John, and not Ivan.
        let is_spoken = match &*self.text {
            "v" | "w" | "e" => true,
            text => text.len() > 1 && (self.sound.len() == text.len() || self.sound.len() > 2),
        };
        other.text.starts_with(&*self.text)
            || is_spoken && self.sounds().any(|one| other.sounds().any(|all| all.starts_with(one)))
    }
}

fn sound(word: &str, ch: &str) -> String {
    let anchored = ["^", word, "$"].concat();
    let (mut rest, mut sound) = (&*anchored, String::with_capacity(word.len()));
    let mut push = |letter: char| {
        // `Vaisser` is `Vaiser`, but `Wolff` is not `Wolf`.
        let is_doubled = matches!(letter, 'e' | 'i' | 's') && sound.ends_with(letter);
        if letter != '^' && letter != '$' && !is_doubled {
            sound.push(letter);
        }
    };
    while let Some(first) = rest.chars().next() {
        let mut rules = RULES.get(first as usize).copied().unwrap_or_default();
        let rule = loop {
            let rule = SOUNDS.get(rules.trailing_zeros() as usize);
            if rule.is_none_or(|(letters, _)| rest.starts_with(letters)) {
                break rule;
            }
            rules &= rules - 1;
        };
        let (length, letters) = match rule {
            // After the longer rules that contain it.
            Some(("c", _)) if rest.starts_with("ch") => (2, ch),
            // `Carlsen` is not `Karlsen`.
            Some(("c", _)) if rest.len() + 1 == anchored.len() => (1, "c"),
            Some((letters, sound)) => (letters.len(), *sound),
            None => (first.len_utf8(), rest.get(..first.len_utf8()).unwrap_or_default()),
        };
        letters.chars().for_each(&mut push);
        rest = rest.get(length..).unwrap_or_default();
    }
    sound
}

/// `mueller` is `muller`, but `bauer` is not `baur`, and `yue` not `yu`.
fn without_umlauts(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    let mut before = ' ';
    for letter in word.chars() {
        let before_last = || plain.chars().rev().take(2).last();
        let is_umlaut = letter == 'e'
            && word.len() > 3
            && matches!(before, 'a' | 'o' | 'u')
            && !before_last().is_some_and(|letter| "aeiouyq".contains(letter));
        if !is_umlaut {
            plain.push(if letter == 'w' { 'v' } else { letter });
        }
        before = letter;
    }
    plain
}

/// The letters that no rule changes, and the letters that change in the shortest words.
const LASTING: &[u8] = b"abdlmnr";
const CHANGING: &[u8] = b"evw";

/// Digits share bits with letters. The bits below 32 are free.
fn letter_bit(byte: u8) -> u64 {
    1 << ((byte | 0x20) & 0x3f)
}

/// Returns a bit for the first letter of a word, the same for letters that [`SOUNDS`] exchanges.
fn first_bit(byte: u8) -> u64 {
    1 << match byte.to_ascii_lowercase() {
        b'e' | b'i' | b'j' | b'y' => 1,
        b'f' | b'p' => 2,
        b'g' | b'q' => 3,
        b'o' | b'u' => 4,
        b'v' | b'w' => 5,
        b'c' | b'h' | b'k' | b's' | b't' | b'x' | b'z' => 6,
        b'a' => 7,
        b'b' => 8,
        b'd' => 9,
        b'l' => 10,
        b'm' => 11,
        b'n' => 12,
        b'r' => 13,
        _ => 0,
    }
}

/// Returns the letters of a folded word.
pub(super) fn letters_of(word: &str) -> u64 {
    word.bytes().fold(0, |set, byte| set | letter_bit(byte))
}

/// Returns a bit for the first letter of a folded word, the same for all words alike.
pub(super) fn first_letters(word: &str) -> u64 {
    word.bytes().next().map_or(0, first_bit)
}

/// Returns the letters, and the first one, that every word [alike](Letters::are_alike) has, or that `word` begins.
pub(super) fn lasting_letters(word: &str) -> u64 {
    let is_short = sound(word, "C").len() < SHORTEST_SOUND;
    let lasts = |byte: &u8| LASTING.contains(byte) || is_short && !CHANGING.contains(byte);
    word.bytes().filter(lasts).fold(first_letters(word), |set, byte| set | letter_bit(byte))
}

/// Returns whether a word of a folded text has all letters of a set. Rules most names out.
pub(super) fn has_word_with(text: &str, sets: &[u64]) -> bool {
    let has_all = |word: u64| sets.iter().any(|letters| letters & !word == 0);
    let mut word = 0;
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            word |= letter_bit(byte) | if word == 0 { first_bit(byte) } else { 0 };
        } else if byte != b'\'' {
            if has_all(word) {
                return true;
            }
            word = 0;
        }
    }
    has_all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_alike(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|word| Letters::new(&fold(word)));
        assert_eq!(one.are_alike(&other), other.are_alike(&one));
        one.are_alike(&other)
    }

    #[test]
    fn romanisations_of_one_name_are_alike() {
        for names in [
            &["Korchnoi", "Kortschnoj", "Kortchnoi", "Korchnoy", "Корчной"][..],
            &["Khalifman", "Chalifman", "Halifman", "Халифман"],
            &["Jussupow", "Yusupov", "Iousoupov", "Юсупов"],
            &["Polugaevsky", "Polugajewski", "Polugayevskiy", "Полугаевский"],
            &["Nepomnyashchy", "Nepomniachtchi"],
            &["Bogoljubow", "Bogolyubov"],
            &["Gligorić", "Gligoric", "Gligorich"],
            &["Alexander", "Aleksandr", "Alexandre", "Aleksandar"],
            &["Evgeny", "Jewgenij", "Yevgeniy"],
            &["Müller", "Mueller", "Muller"],
            &["Löw", "Loew", "Low"],
            &["Høi", "Hoi"],
            &["Weiß", "Weiss"],
        ] {
            for one in names {
                assert!(names.iter().all(|other| are_alike(one, other)), "{one} in {names:?}");
            }
        }
    }

    #[test]
    fn different_names_are_not_alike() {
        for (one, other) in [
            ("Zhu", "Zhou"),
            ("Yang", "Jiang"),
            ("Yu", "Ju"),
            ("Bauer", "Baur"),
            ("Xue", "Xu"),
            ("Tal", "Taleb"),
            ("Karpov", "Karpow2"),
            ("Chen", "Shen"),
            ("Meyer", "Mayer"),
        ] {
            assert!(!are_alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn lasting_letters_are_in_all_words_that_are_alike() {
        for (one, other) in [
            ("yusupov", "jussupow"),
            ("chalifman", "khalifman"),
            ("wei", "vei"),
            ("low", "loew"),
            ("usov", "Ousov"),
        ] {
            assert!(has_word_with(other, &[lasting_letters(one)]), "{one} {other}");
        }
        assert!(!has_word_with("Sokolov, Ivan", &[lasting_letters("karpov")]));
    }
}
