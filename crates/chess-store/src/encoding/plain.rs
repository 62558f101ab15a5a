//! Letters of the Latin script without their marks, and Russian letters in Latin ones.

/// The plain letters of U+00C0 to U+017F.
const LATIN: &[u8; 192] = b"AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty\
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL\
    lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

/// The plain letters of U+0410 to U+044F, the Russian alphabet.
const CYRILLIC: &str = "A B V G D E Zh Z I I K L M N O P R S T U F Kh Ts Ch Sh Shch ' Y ' E Iu Ia \
    a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch ' y ' e iu ia";

/// Returns the ASCII letters that stand for a character that an encoding does not have, or `?`.
pub(super) fn plain_letters(letter: char) -> &'static [u8] {
    let place_from = |first: u32| {
        u32::from(letter).checked_sub(first).and_then(|place| usize::try_from(place).ok())
    };
    match letter {
        'Æ' => b"AE",
        'æ' => b"ae",
        'Œ' => b"OE",
        'œ' => b"oe",
        'Ĳ' => b"IJ",
        'ĳ' => b"ij",
        'ß' => b"ss",
        'Þ' => b"Th",
        'þ' => b"th",
        'Ș' => b"S",
        'ș' => b"s",
        'Ț' => b"T",
        'ț' => b"t",
        '\u{a0}' => b" ",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => b"-",
        '\u{2018}'..='\u{201b}' => b"'",
        '\u{201c}'..='\u{201f}' => b"\"",
        '\u{2026}' => b"...",
        // A mark that follows its letter.
        '\u{300}'..='\u{36f}' => b"",
        'Ё' => b"Io",
        'ё' => b"io",
        '\u{410}'..='\u{44f}' => {
            let plain = place_from(0x410).and_then(|place| CYRILLIC.split(' ').nth(place));
            plain.map_or(b"?", str::as_bytes)
        }
        _ => place_from(0xc0)
            .and_then(|place| LATIN.get(place..place.checked_add(1)?))
            .unwrap_or(b"?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_letters_of_latin_letters_drop_marks() {
        for (text, plain) in [
            ("Ćirić Žlebčík Şahin Łódź", "Ciric Zlebcik Sahin Lodz"),
            ("Åse Ðorđe Ñandú Straße Ægir Ñ", "Ase Dorde Nandu Strasse AEgir N"),
            ("Õun İlker ŽżŽ ſ × ÷", "Oun Ilker ZzZ s x /"),
            ("C\u{301} „x” – …", "C \"x\" - ..."),
            ("Алехин, Ящерица", "Alekhin, Iashcheritsa"),
            ("Ё", "Io"),
            ("ӂ 将", "? ?"),
        ] {
            let mut bytes = Vec::new();
            for letter in text.chars() {
                match letter {
                    letter if letter.is_ascii() => bytes.push(letter as u8),
                    letter => bytes.extend_from_slice(plain_letters(letter)),
                }
            }
            assert_eq!(String::from_utf8(bytes).unwrap(), plain);
        }
    }
}
