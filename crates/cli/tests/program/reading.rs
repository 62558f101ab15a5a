//! Tests of info, list, show, check, dump, formats, completions and man.

use std::fs;

use insta::assert_snapshot;

use crate::place::Place;

#[test]
fn info_says_what_a_file_is() {
    let place = Place::new();
    assert_snapshot!(place.run("info games.pgn").well());
    let json = place.run("info --json games.pgn").well().out;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&value["games"], &value["players"]), (&2.into(), &4.into()));
    assert_eq!(value["features"]["set-ups"], 1);
    assert_eq!(value["years"], serde_json::json!([1922, 2019]));
}

#[test]
fn info_of_a_scid_base() {
    let place = Place::new();
    place.take_fixture("scid/plain");
    assert_snapshot!(place.run("info fixtures/scid/plain/base.si4").well());
    let by_companion = place.run("info fixtures/scid/plain/base.sg4").well();
    assert!(by_companion.out.contains("games        6\n"), "{by_companion}");
}

/// Reading the games gives the numbers of the index, and more.
#[test]
fn info_reads_every_game_if_told() {
    let place = Place::new();
    for case in ["plain", "variations", "nullmoves", "setup", "si5_rich", "names"] {
        let case = format!("scid/{case}");
        place.take_fixture(&case);
        let extension = if case.ends_with("si5_rich") { "si5" } else { "si4" };
        let base = format!("fixtures/{case}/base.{extension}");
        let info = |words: &str| -> serde_json::Value {
            let out = place.run(&format!("info {words} {base}")).well().out;
            serde_json::from_str(&out).unwrap()
        };
        let (index, mut games) = (info("--json"), info("--json --games"));
        let features = games["features"].as_object_mut().unwrap();
        features.remove("null moves");
        features.remove("letters beyond ASCII");
        // A number that was not computed is unknown, not zero.
        assert!(games["damaged"] == 0 && games["warnings"].is_object(), "{case}");
        for unknown in ["damaged", "warnings"] {
            games[unknown] = serde_json::Value::Null;
        }
        assert_eq!(index, games, "{case}");
    }
}

#[test]
fn list_is_a_table_or_lines() {
    let place = Place::new();
    assert_snapshot!("list", place.run("list games.pgn").well());
    assert_snapshot!("list_csv", place.run("list --csv games.pgn").well());
    assert_snapshot!("list_json", place.run("list --json games.pgn").well());
}

#[test]
fn show_draws_and_writes() {
    let place = Place::new();
    assert_snapshot!("show", place.run("show games.pgn 1").well());
    assert_snapshot!("show_ply", place.run("show games.pgn 1 --ply 13").well());
    assert_snapshot!("show_ascii", place.run("show games.pgn 2 --ply end --ascii").well());
    let all: String =
        ["1", "2"].map(|n| place.run(&format!("show games.pgn {n} --pgn")).well().out).concat();
    assert_eq!(all, place.text("games.pgn"));
    let json = place.run("show games.pgn 2 --json").well().out;
    assert!(json.contains("\"fen\":\"7K/8/k1P5/7p/8/8/8/8 w - - 0 1\""), "{json}");
}

#[test]
fn check_reports_each_damage() {
    let place = Place::new();
    place.take_fixture("scid/bad_move");
    let sound = place.run("check games.pgn").well();
    assert_eq!(sound.err, "games.pgn: sound; 2 games\n");
    let line = "check fixtures/scid/bad_move/base.si4";
    assert_snapshot!("check", place.run(line));
    let json = place.run(&format!("{line} --json"));
    assert_eq!(json.code, 1);
    let finding: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&finding["game"], &finding["kind"]), (&2.into(), &"damage".into()));
    assert!(finding["byte"].is_u64() && finding["file"].is_string(), "{finding}");
}

#[test]
fn dump_names_every_byte() {
    let place = Place::new();
    place.run("convert games.pgn base.dci").well();
    assert_snapshot!("dump", place.run("dump base.dci 2").well());
    let json = place.run("dump --json base.dci 2").well().out;
    for line in json.lines() {
        let field: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(field["offset"].is_u64() && field["name"].is_string(), "{line}");
    }
    assert_snapshot!("dump_of_text", place.run("dump games.pgn 1"));
}

#[test]
fn formats_lists_what_the_table_holds() {
    let place = Place::new();
    let ran = place.run("formats").well();
    for format in scoresheet::formats() {
        assert!(ran.out.contains(&format!(" {}\n", format.title)), "{ran}");
        assert!(ran.out.contains(&format!("\n{} ", format.name)), "{ran}");
    }
    let json = place.run("formats --json").well().out;
    assert_eq!(json.lines().count(), scoresheet::formats().count());
}

#[cfg(feature = "manual")]
#[test]
fn completions_and_manual_are_made() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.run(&format!("completions {shell}")).well().out.contains("convert"));
    }
    let page = place.run("man").well().out;
    for command in ["convert", "info", "list", "show", "check", "repair", "edit", "dump"] {
        assert!(page.contains(&format!("scoresheet {command}")), "{command}");
    }
    for text in ["Exit codes", "130", "PAGER", "undelete", "losses.jsonl"] {
        assert!(page.contains(text), "{text}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = place.run(&format!("completions {shell}")).out;
        assert!(scoresheet::formats().all(|format| script.contains(format.name)), "{shell}");
    }
}

#[cfg(not(feature = "manual"))]
#[test]
fn completions_and_manual_say_how_to_get_them() {
    for line in ["man", "completions bash"] {
        let ran = Place::new().run(line);
        assert!(ran.code == 3 && ran.err.contains("build it with `--features manual`"), "{ran}");
    }
    assert_eq!(Place::new().run("completions cmd").code, 2);
}

#[test]
fn help_has_examples() {
    let place = Place::new();
    assert_snapshot!("help", place.run("--help").well());
    // The list of formats is wrapped in other places if there are more.
    #[cfg(not(feature = "tables"))]
    assert_snapshot!("help_convert", place.run("convert --help").well());
    for command in [
        "info",
        "list",
        "show",
        "convert",
        "check",
        "repair",
        "edit",
        "serve",
        "index",
        "dump",
        "formats",
        "completions",
        "man",
    ] {
        let help = place.run(&format!("{command} --help")).well().out;
        assert!(help.contains("Example"), "{command}");
    }
}

/// Index fields that contradict the moves, as other programs leave them.
#[test]
fn check_compares_the_index_with_the_games() {
    let place = Place::new();
    place.take_fixture("scid/bad_matsig");
    let base = "fixtures/scid/bad_matsig/base.si4";
    assert_eq!(place.run(&format!("check {base}")).well().out, "");
    let ran = place.run(&format!("check --strict {base}"));
    assert_eq!(ran.code, 1);
    assert_snapshot!("check_stale_index", ran);
    assert_snapshot!("check_stale_index_json", place.run(&format!("check --json {base}")).well());
}

#[test]
fn pattern_of_many_deep_folders_is_one_or_refused() {
    let place = Place::new();
    let deep = "a/".repeat(40);
    fs::create_dir_all(place.path(&deep)).unwrap();
    fs::copy(place.path("games.pgn"), place.path(&format!("{deep}deep.pgn"))).unwrap();
    let count = place.run("list --count games.pgn").well().out;
    let ran = place.run(&format!("list --count a/{}deep.pgn", "**/".repeat(30))).well();
    assert_eq!(ran.out, count);
    let ran = place.run(&format!("list --count a/{}deep.pgn", "**/*/".repeat(10)));
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.err.contains("at most 3 times **"), "{ran}");
}

/// `data/rar4.jose` and `data/rar5.jose` are the tables of fixtures/movecode/folder, packed with
/// the library that unpacks them here (rars 0.10).
#[test]
fn archives_in_rar_are_read() {
    let place = Place::new();
    let fixtures = testkit::workspace_root().join("fixtures/movecode/folder");
    let expected = fs::read_to_string(fixtures.join("expected.pgn")).unwrap();
    let rars: [(&str, &[u8]); 2] = [
        ("rar4.jose", include_bytes!("data/rar4.jose")),
        ("rar5.jose", include_bytes!("data/rar5.jose")),
    ];
    for (name, bytes) in rars {
        fs::write(place.path(name), bytes).unwrap();
        if cfg!(feature = "rar") {
            assert_eq!(place.run(&format!("convert {name} -")).well().out, expected, "{name}");
            let info = place.run(&format!("info {name}")).well().out;
            assert!(info.contains("games        5\n"), "{info}");
        } else {
            let ran = place.run(&format!("info {name}"));
            assert_eq!((ran.code, ran.err.lines().count()), (3, 1), "{ran}");
            assert!(ran.err.contains("RAR archive; unpack it with unrar, 7-Zip"), "{ran}");
        }
        // A truncated archive is damaged, or of a kind that this build does not read. It never causes
        // a panic.
        let code = if cfg!(feature = "rar") { 1 } else { 3 };
        fs::write(place.path(name), &bytes[..bytes.len() / 2]).unwrap();
        let ran = place.run(&format!("check {name}"));
        assert!(ran.code == code && !ran.err.contains("panick"), "{ran}");
    }
}
