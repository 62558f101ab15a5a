//! Tests that a failure gives one clear line and an exit code.

use std::fs;

use insta::assert_snapshot;

use crate::place::Place;

#[test]
fn failure_message_is_one_line() {
    let place = Place::new();
    fs::write(place.path("noise.bin"), [0x91; 64]).unwrap();
    fs::write(place.path("bad.si4"), "no Scid index").unwrap();
    fs::create_dir(place.path("empty")).unwrap();
    let lines = [
        "info missing.pgn",
        "info noise.bin",
        "list bad.si4",
        "show games.pgn 3",
        "convert missing.si4 out.pgn",
        "convert games.pgn out.xyz",
        "convert games.pgn nowhere/out.pgn",
        "convert empty out.pgn",
        "convert none*.pgn out.pgn",
        "check missing.pgn",
        "dump games.pgn 1",
    ];
    let mut all = String::new();
    for line in lines {
        let ran = place.run(line);
        assert!(ran.code >= 2, "{ran}");
        assert_eq!(ran.err.lines().count(), 1, "{ran}");
        all.push_str(&ran.to_string());
    }
    assert_snapshot!(all);
    assert_eq!(place.files(), ["bad.si4", "empty", "games.pgn", "noise.bin"]);
}

#[test]
fn check_missing_file_continues_with_next() {
    let place = Place::new();
    let ran = place.run("check missing.pgn games.pgn");
    assert_eq!((ran.code, ran.err.lines().count()), (4, 2), "{ran}");
    assert!(ran.err.contains("missing.pgn") && ran.err.contains("games.pgn: sound"), "{ran}");
}

#[test]
fn usage_error_exits_with_code_two() {
    let place = Place::new();
    for line in [
        "frobnicate",
        "convert games.pgn",
        "convert games.pgn out.pgn --to nonsense",
        "info games.pgn --encoding klingon",
        "show games.pgn 0",
        "list games.pgn --csv --json",
        "list games.pgn --quiet --verbose",
    ] {
        let ran = place.run(line);
        assert_eq!(ran.code, 2, "{ran}");
    }
}

#[test]
fn encoding_common_labels_are_accepted() {
    let place = Place::new();
    fs::write(place.path("latin.pgn"), b"[White \"M\xfcller\"]\n\n1. e4 *\n").unwrap();
    for (label, name) in
        [("windows-1252", "Müller"), ("windows-1251", "Mьller"), ("cp437", "Mⁿller")]
    {
        let ran = place.run(&format!("list --csv latin.pgn --encoding {label}")).well();
        assert!(ran.out.contains(name), "{ran}");
    }
}
