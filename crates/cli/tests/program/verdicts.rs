//! Tests that all commands agree about a damaged base.

use std::fs;
use std::path::{Path, PathBuf};

use crate::broken_packing::gzip;
use crate::place::{Place, Ran};

/// Returns the damaged bases among the fixtures, by the file that names each.
fn damaged_bases() -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Tables have no fixtures.
    for family in scoresheet::families().iter().filter(|family| family.name != "tables") {
        for case in testkit::cases(family.name).iter().filter(|case| case.is_bad()) {
            let files = family.formats.iter().filter_map(|format| {
                let path = case.path(format.extensions.first()?);
                path.is_file().then_some(path)
            });
            // Cases with their own encoding are left out, because their options ask for more than
            // default reading.
            if case.meta.encoding.is_none() {
                found.extend(files.take(1));
            }
        }
    }
    assert!(found.len() > 100, "{}", found.len());
    found
}

/// Returns the number that precedes the first of `words` in a line of standard error.
fn number_before(ran: &Ran, words: &[&str]) -> Option<u64> {
    let number = |line: &str| {
        let end = words.iter().find_map(|word| line.find(word))?;
        line.get(..end)?.rsplit(' ').next()?.parse().ok()
    };
    ran.err.lines().rev().find_map(number)
}

#[test]
fn verdicts_of_commands_on_damaged_bases_agree() {
    let place = Place::new();
    for path in damaged_bases() {
        let base = path.to_str().unwrap();
        let convert = ["convert", base, "-", "--to", "jsonl"];
        let (list, count) = (["list", base], ["list", base, "--count"]);
        let run = |words: &[&str]| place.run_words(words, "");
        let converted = run(&convert);
        let (listed, counted) = (run(&list), run(&count));
        assert_eq!([listed.code, counted.code], [converted.code; 2], "{listed}{converted}");
        if converted.code == 3 {
            continue;
        }
        let read = number_before(&converted, &[" game read", " games read"]);
        for ran in [&listed, &counted] {
            assert_eq!(number_before(ran, &[" game", " games"]), read, "{ran}{converted}");
        }
        let failing = |words: &[&str]| run(&[words, &["--fail-on", "damage"]].concat());
        let converted = failing(&convert);
        for ran in [failing(&list), failing(&count)] {
            assert_eq!(ran.code, converted.code, "{ran}{converted}");
        }
        // A command fails because of damage if and only if check finds the base damaged.
        let checked = run(&["check", base]);
        if converted.code != 1 {
            assert_eq!(checked.code == 0, converted.code == 0, "{checked}{converted}");
        }
    }
}

/// Three games with names, teams, titles, comments and variations.
const GAMES: &str = r#"[Event "Team cup"]
[Site "Riverside"]
[Date "2019.03.14"]
[Round "3.1"]
[White "Alder, Nora"]
[Black "Birch, Tom"]
[Result "1-0"]
[WhiteTeam "Rooks"]
[BlackTeam "Pawns"]
[Annotator "Elm, Kim"]
[CbhTitle "The first board"]

1. e4 e5 {solid} 2. Nf3 Nc6 (2... d6 {quiet}) 3. Bc4 $1 1-0

[Event "Team cup"]
[Site "Riverside"]
[Date "2019.03.14"]
[Round "3.2"]
[White "Cedar, Ann"]
[Black "Damson, Lee"]
[Result "0-1"]
[CbhTitle "The second board"]

1. d4 d5 2. c4 e6 3. Nc3 {the usual move} 0-1

[Event "Friendly"]
[Site "Hillside"]
[Date "2020.01.02"]
[Round "?"]
[White "Birch, Tom"]
[Black "Fir, Sam"]
[Result "1/2-1/2"]

1. c4 c5 2. g3 g6 {even} 1/2-1/2

"#;

/// Kinds of harm that a file of a base can take.
const HARM: [&str; 5] = ["missing", "empty", "halved", "cut by a byte", "zeroed"];

/// Harms a file of a base.
fn harm(path: &Path, how: &str) {
    let bytes = fs::read(path).unwrap();
    let rest = match how {
        "missing" => return fs::remove_file(path).unwrap(),
        "empty" => Vec::new(),
        "halved" => bytes[..bytes.len() / 2].to_vec(),
        "cut by a byte" => bytes[..bytes.len().saturating_sub(1)].to_vec(),
        _ => vec![0; bytes.len()],
    };
    fs::write(path, rest).unwrap();
}

/// Harm that loses something is damage, and all commands agree about it.
#[test]
fn harmed_file_that_loses_something_is_damage() {
    let mut lossy = 0;
    for format in ["cbh", "2cbh", "si4", "si5", "dci", "cbf", "cdp"] {
        let place = Place::new();
        fs::write(place.path("three.pgn"), GAMES).unwrap();
        place.run(&format!("convert three.pgn sound.{format}")).well();
        let text = place.run(&format!("convert sound.{format} - --to jsonl")).well().out;
        let files = place.files();
        let extensions: Vec<_> =
            files.iter().filter_map(|name| name.strip_prefix("sound.")).collect();
        for (harmed, how) in extensions.iter().flat_map(|one| HARM.map(|how| (*one, how))) {
            for extension in &extensions {
                let from = place.path(&format!("sound.{extension}"));
                fs::copy(from, place.path(&format!("base.{extension}"))).unwrap();
            }
            harm(&place.path(&format!("base.{harmed}")), how);
            let base = format!("base.{format}");
            let converted = place.run(&format!("convert {base} - --to jsonl --fail-on damage"));
            let checked = place.run(&format!("check {base}"));
            let what = format!("{format}: {harmed} {how}\n{checked}{converted}");
            let is_main = harmed == format && how == "missing";
            if converted.out != text {
                lossy += 1;
                assert!(checked.code == 1 || is_main && checked.code == 3, "{what}");
            }
            let code = match checked.code {
                0 => 0,
                1 if converted.code == 3 => 3,
                1 => 4,
                _ => 3,
            };
            assert_eq!(converted.code, code, "{what}");
            let counted = place.run(&format!("list {base} --count --fail-on damage"));
            assert_eq!(counted.code, code, "{what}{counted}");
            assert_eq!(
                number_before(&counted, &[" game", " games"]),
                number_before(&converted, &[" game read", " games read"]),
                "{what}{counted}"
            );
        }
    }
    assert!(lossy > 60, "{lossy}");
}

#[test]
fn jose_table_missing_is_damage_of_a_file_that_exists() {
    let place = Place::new();
    let folder = testkit::workspace_root().join("fixtures/movecode/folder");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("IO_") && !name.starts_with("IO_Player") {
            fs::copy(&path, place.path(name)).unwrap();
        }
    }
    let ran = place.run("check IO_Game.MYD");
    assert!(
        ran.code == 1 && ran.err.contains("IO_Game.MYD: a table of the base is missing"),
        "{ran}"
    );
    assert!(!ran.err.to_lowercase().contains(".jose"), "{ran}");
}

#[test]
fn jose_archive_torn_before_its_games_says_so() {
    let place = Place::new();
    place.run("convert games.pgn whole.jose").well();
    let bytes = fs::read(place.path("whole.jose")).unwrap();
    fs::write(place.path("torn.jose"), &bytes[..bytes.len() / 10]).unwrap();
    let words = "the archive is cut off or damaged: IO_Game is not in what is left of it";
    for (command, code) in [("check", 1), ("list", 3)] {
        let ran = place.run(&format!("{command} torn.jose"));
        assert!(ran.code == code && ran.err.contains(words), "{ran}");
    }
}

#[test]
fn check_unsupported_file_gives_no_verdict() {
    let place = Place::new();
    fs::write(place.path("base.cbone"), [0; 64]).unwrap();
    let ran = place.run("check base.cbone");
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.err.contains("of one file") && !ran.err.contains("broken"), "{ran}");
    let ran = place.run("check --json base.cbone");
    assert!(ran.code == 3 && ran.out.contains("\"kind\":\"unsupported\""), "{ran}");
    // So may a base of several files that are compressed one by one.
    let files = [
        ("si4", "Scid 4"),
        ("si5", "Scid 5"),
        ("cbh", "ChessBase"),
        ("2cbh", "ChessBase 17 (experimental)"),
    ];
    for (extension, title) in files.into_iter().chain([
        ("dci", "Simple"),
        ("cbf", "ChessBase"),
        ("cdp", "Chess Assistant"),
    ]) {
        place.run(&format!("convert games.pgn base.{extension}")).well();
        let packed = gzip(fs::read(place.path(&format!("base.{extension}"))).unwrap());
        let name = format!("base.{extension}.gz");
        fs::write(place.path(&name), packed).unwrap();
        for command in ["check", "list"] {
            let ran = place.run(&format!("{command} {name}"));
            let words = "bases cannot be read while they are compressed; unpack their files first";
            assert!(ran.code == 3 && ran.err.contains(words), "{ran}");
            assert!(ran.err.contains(title), "{ran}");
        }
    }
    // The reader of jose archives looks into a further layer.
    place.run("convert games.pgn base.jose").well();
    fs::write(place.path("base.jose.gz"), gzip(fs::read(place.path("base.jose")).unwrap()))
        .unwrap();
    place.run("check base.jose.gz").well();
    // Texts in UTF-16, and archives that need a password or another program, may be intact.
    let wide = "1. e4 *".encode_utf16().flat_map(u16::to_le_bytes);
    for (name, bytes, words) in [
        ("wide.pgn", [0xff, 0xfe].into_iter().chain(wide).collect(), "UTF-16"),
        ("locked.zip", zip_of_one_file("a.pgn", 1, 0), "encrypted"),
        ("bzip2.zip", zip_of_one_file("a.pgn", 0, 12), "compressed in a way"),
        ("locked.jose", zip_of_one_file("IO_Game.MYD", 1, 0), "encrypted"),
    ] {
        fs::write(place.path(name), bytes).unwrap();
        let ran = place.run(&format!("check {name}"));
        assert!(ran.code == 3 && ran.err.contains(words), "{ran}");
        assert!(!ran.err.contains("broken"), "{ran}");
        let ran = place.run(&format!("check --json {name}"));
        assert!(ran.code == 3 && ran.out.contains("\"kind\":\"unsupported\""), "{ran}");
        // A folder of bases does not pass over the archive.
        fs::create_dir(place.path("folder")).unwrap();
        fs::rename(place.path(name), place.path(&format!("folder/{name}"))).unwrap();
        let ran = place.run("check folder");
        assert!(ran.code == 3 && ran.err.contains(words), "{ran}");
        fs::remove_dir_all(place.path("folder")).unwrap();
    }
}

/// Returns a zip archive of one stored file, with these flags and this compression method in its
/// headers.
fn zip_of_one_file(name: &str, flags: u16, method: u16) -> Vec<u8> {
    let (name, text) = (name.as_bytes(), b"1. e4 *\n");
    let size = text.len() as u32;
    let mut fields = Vec::new();
    for field in [flags, method, 0, 0x21] {
        fields.extend(field.to_le_bytes());
    }
    for field in [0x1234_5678, size, size] {
        fields.extend(field.to_le_bytes());
    }
    let length = name.len() as u16;
    fields.extend(length.to_le_bytes());
    let local = [&b"PK\x03\x04\x14\0"[..], &fields, &[0; 2], name, text].concat();
    let central = [&b"PK\x01\x02\x14\0\x14\0"[..], &fields, &[0; 16], name].concat();
    let mut end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0".to_vec();
    for field in [central.len() as u32, local.len() as u32] {
        end.extend(field.to_le_bytes());
    }
    [local, central, end, vec![0; 2]].concat()
}

#[test]
fn move_number_above_limit_is_reported() {
    let place = Place::new();
    let text = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 70000\"]\n\n70000. e4 *\n";
    fs::write(place.path("far.pgn"), text).unwrap();
    // Formats that store the text of a FEN keep it; the others lose the number.
    for format in ["pgn", "jose", "jsonl", "si4", "si5", "cbh", "2cbh", "dci", "cbf", "cdp"] {
        let ran = place.run(&format!("convert --verbose far.pgn out.{format}")).well();
        assert!(ran.err.contains("pgn-move-number"), "{format}: {ran}");
        let keeps = matches!(format, "pgn" | "jose" | "jsonl");
        assert_eq!(
            ran.err.contains("lost setup: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 70000"),
            !keeps,
            "{ran}"
        );
    }
    for (name, quirk) in [("out.pgn", "pgn-move-number"), ("out.jose", "movecode-move-number")] {
        let ran = place.run(&format!("check --verbose {name}")).well();
        assert!(ran.out.contains(quirk), "{ran}");
    }
}

#[test]
fn comments_at_one_place_are_joined_with_space() {
    let place = Place::new();
    fs::write(place.path("two.pgn"), "1. e4 {or even}{really} (1. d4) {at last} *\n").unwrap();
    for base in ["two.si4", "two.si5"] {
        assert_eq!(place.run(&format!("convert two.pgn {base}")).code, 0);
        let text = place.run(&format!("convert {base} - --to pgn")).out;
        assert!(text.contains("{or even really at last}"), "{text}");
    }
}
