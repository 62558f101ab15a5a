//! Tests of bases with texts in letters other than Latin, whose encoding no file names.

use std::fs;

use scoresheet::chess_store::Encoding;

use crate::place::Place;

/// The extensions of the files that a base of each format consists of.
const BASES: [(&str, &[&str]); 5] = [
    ("cbh", &["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj"]),
    ("si4", &["si4", "sg4", "sn4"]),
    ("si5", &["si5", "sg5", "sn5"]),
    ("dci", &["dci", "dcg", "dcn", "dcs", "dce"]),
    ("cdp", &["cdp", "emb", "d00", "a02", "d02"]),
];

/// Russian names with more than enough letters for a verdict, and fewer.
const TITLE_MATCH: [&str; 3] = ["Смыслов Василий", "Ботвинник Михаил", "Матч на первенство мира"];
const SHORT: [&str; 3] = ["Таль", "Корчной", "Рига"];

/// Writes `base.FORMAT` with the names of the players and of the event in `encoding`.
fn write_base(place: &Place, format: &str, names: [&str; 3], encoding: &str) {
    let page = Encoding::from_label(encoding).unwrap();
    let names = names.map(|name| page.encode(name).0.into_owned());
    // Files hold names as they are given, so that ASCII letters can be replaced.
    let ascii = ['Q', 'X', 'Z'];
    let stand_ins = [0, 1, 2].map(|n| ascii[n].to_string().repeat(names[n].len()));
    let [white, black, event] = &stand_ins;
    let text = format!(
        "[Event \"{event}\"]\n[Date \"1957.03.05\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n"
    );
    fs::write(place.path("ascii.pgn"), text).unwrap();
    place.run(&format!("convert --force ascii.pgn base.{format}")).well();
    let extensions = BASES.iter().find(|base| base.0 == format).unwrap().1;
    let mut replaced = 0;
    for extension in extensions {
        let path = place.path(&format!("base.{extension}"));
        let mut bytes = fs::read(&path).unwrap();
        for (ascii, name) in stand_ins.iter().zip(&names) {
            let found = bytes.windows(name.len()).position(|part| part == ascii.as_bytes());
            if let Some(at) = found {
                bytes[at..at + name.len()].copy_from_slice(name);
                replaced += 1;
            }
        }
        fs::write(path, bytes).unwrap();
    }
    assert!(replaced >= 3, "{format}: {replaced}");
}

fn pgn_of(place: &Place, format: &str, options: &str) -> (String, String) {
    let line = format!("convert base.{format} - --to pgn {options}");
    let ran = place.run(line.trim_end()).well();
    (ran.out, ran.err)
}

#[test]
fn names_in_cyrillic_pages_are_recognised() {
    for (format, _) in BASES {
        let place = Place::new();
        for encoding in ["windows-1251", "cp866"] {
            if (format, encoding) == ("cdp", "cp866") {
                continue; // Chess Assistant is a Windows program.
            }
            write_base(&place, format, TITLE_MATCH, encoding);
            let (text, said) = pgn_of(&place, format, "");
            assert!(TITLE_MATCH.iter().all(|name| text.contains(name)), "{format}: {text}");
            assert!(!said.contains("other-script"), "{format}: {said}");
        }
    }
}

#[test]
fn names_in_other_scripts_ask_for_the_encoding() {
    let greek = ["Παπαϊωάννου Ιωάννης", "Κοτρωνιάς Βασίλης", "Πρωτάθλημα Ελλάδας"];
    let hebrew = ["גלפנד בוריס", "סמירין איליה", "אליפות ישראל"];
    for (format, _) in BASES {
        let place = Place::new();
        for (names, encoding) in [
            (greek, "windows-1253"),
            (hebrew, "windows-1255"),
            (TITLE_MATCH, "koi8-r"),
            (SHORT, "windows-1251"),
        ] {
            write_base(&place, format, names, encoding);
            let (text, said) = pgn_of(&place, format, "");
            // Chess Assistant needs no minimum to read Russian texts.
            if (format, names) == ("cdp", SHORT) {
                assert!(names.iter().all(|name| text.contains(name)), "{text}");
                continue;
            }
            let words = ["-other-script]", "name their encoding, as in --encoding"];
            assert!(words.iter().all(|word| said.contains(word)), "{format} {encoding}: {said}");
            let ran = place.run(&format!("info base.{format}")).well();
            assert!(ran.out.contains("-other-script]"), "{format} {encoding}: {ran}");
            let (text, said) = pgn_of(&place, format, &format!("--encoding {encoding}"));
            assert!(names.iter().all(|name| text.contains(name)), "{format} {encoding}: {text}");
            assert!(!said.contains("-other-script]"), "{format} {encoding}: {said}");
        }
    }
}

#[test]
fn names_in_old_bases_are_recognised_or_ask_for_the_encoding() {
    let place = Place::new();
    let [white, black, event] = TITLE_MATCH;
    let text =
        format!("[Event \"{event}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n");
    fs::write(place.path("names.pgn"), text).unwrap();
    for (encoding, is_known) in [("windows-1251", true), ("cp866", true), ("koi8-r", false)] {
        place.run(&format!("convert -f names.pgn base.cbf --to-encoding {encoding}"));
        let (text, said) = pgn_of(&place, "cbf", "");
        assert_eq!(text.contains(white), is_known, "{encoding}: {text}");
        assert_eq!(said.contains("[cbf-other-script]"), !is_known, "{encoding}: {said}");
        let (text, said) = pgn_of(&place, "cbf", &format!("--encoding {encoding}"));
        assert!(text.contains(white) && !said.contains("other-script"), "{encoding}: {text}{said}");
    }
}

#[test]
fn names_in_latin_letters_are_not_doubted() {
    let german = ["Müßigbrodt Jörg", "Hübner Großschädel", "Überlingen Öfen Äcker"];
    for (format, _) in BASES {
        let place = Place::new();
        for encoding in ["windows-1252", "windows-1250", "cp850"] {
            write_base(&place, format, german, encoding);
            let (text, said) = pgn_of(&place, format, "");
            assert!(!said.contains("other-script"), "{format}: {said}");
            assert_eq!(text.contains(german[0]), encoding != "cp850", "{format}: {text}");
        }
    }
}
