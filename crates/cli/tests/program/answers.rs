//! Regression tests for questions that users had.

use std::fs;

use crate::place::{GAMES, Place};

const LINE: &str = "[White \"A\"]\n\n1. e4 Nf6 2. e5 d5 3. exd6 *\n";

/// An en passant square of a FEN counts only if a pawn can capture there.
#[test]
fn position_fen_of_other_programs_is_found() {
    let place = Place::new();
    fs::write(place.path("line.pgn"), LINE).unwrap();
    let found = |fen: &str| {
        let ran = place.run_words(&["list", "--json", "line.pgn", "--position", fen], "");
        assert!(ran.code <= 1, "{ran}");
        ran.code == 0
    };
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for rest in ["", " b", " b KQkq", " b KQkq e3 0 1", " b KQkq - 0 1", " b KQkq -"] {
        assert!(found(&format!("{after_e4}{rest}")), "{rest}");
    }
    assert!(!found(&format!("{after_e4} w")));
    let after_d5 = "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq";
    assert!(found(&format!("{after_d5} d6 0 3")) && found(after_d5));
    assert!(!found(&format!("{after_d5} - 0 3")), "here the square makes a difference");
    for junk in [" x", " b ABC", " b KQkq e9", " b KQkq - x", " b KQkq - 0 1 2"] {
        let fen = format!("{after_e4}{junk}");
        let ran = place.run_words(&["list", "line.pgn", "--position", &fen], "");
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.err.contains(" of a FEN: "), "{ran}");
    }
}

/// An unset shell variable gives an empty value.
#[test]
fn filter_empty_value_selects_nothing() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    for option in [
        "--player",
        "--white",
        "--black",
        "--event",
        "--site",
        "--date",
        "--eco",
        "--elo",
        "--result",
        "--games",
        "--position",
        "--moves",
        "--length",
        "--where",
    ] {
        for value in ["", " "] {
            let ran = place.run_words(&["edit", "base.si4", "delete", option, value], "");
            assert_eq!(ran.code, 2, "{ran}");
            let ran = place.run_words(&["list", "base.si4", option, value], "");
            assert_eq!(ran.code, 2, "{ran}");
        }
    }
    let ran = place.run_words(&["edit", "base.si4", "delete", ""], "");
    assert_eq!(ran.code, 2, "{ran}");
    assert_eq!(place.run("list base.si4 --deleted").code, 1);
}

#[test]
fn date_in_text_is_parsed_and_keeps_spelling() {
    let place = Place::new();
    let game = |date: &str| format!("[Date \"{date}\"]\n[White \"{date}\"]\n\n1. e4 *\n\n");
    let spelt = ["2020.2.3", "2020-02-03", "2020/02/03", "3.2.2020", "03-02-2020"];
    let all: String = spelt.iter().map(|date| game(date)).collect();
    fs::write(place.path("dates.pgn"), &all).unwrap();
    let ran = place.run("list dates.pgn --json --date 2020-02-03").well();
    assert_eq!(ran.out.lines().count(), spelt.len(), "{ran}");
    place.run("convert dates.pgn copy.pgn").well();
    let copy = place.text("copy.pgn");
    assert!(spelt.iter().all(|date| copy.contains(&format!("[Date \"{date}\"]"))), "{copy}");
    // A date spelt in another way is kept.
    for name in ["dates.si4", "dates.si5", "dates.dci"] {
        let ran = place.run(&format!("convert dates.pgn {name}")).well();
        assert_eq!(ran.err, "5 games read, 5 written\n", "{name}");
        let ran = place.run(&format!("list {name} --json --date 2020-02-03")).well();
        assert_eq!(ran.out.lines().count(), spelt.len(), "{ran}");
    }
    let online = "[Date \"????.??.??\"]\n[UTCDate \"2021.05.06\"]\n\n1. e4 *\n";
    fs::write(place.path("online.pgn"), online).unwrap();
    place.run("list online.pgn --date 2021-05-06").well();
    place.run("convert online.pgn online.si4").well();
    place.run("list online.si4 --date 2021-05-06").well();
    assert!(place.run("convert online.pgn -").well().out.contains("[Date \"????.??.??\"]"));
}

#[test]
fn options_in_any_place_are_accepted() {
    let place = Place::new();
    place.run("convert games.pgn --player birch a.pgn").well();
    place.run("convert games.pgn -f a.pgn").well();
    place.run("convert games.pgn --encoding utf-8 b.pgn").well();
    place.run("convert -o c.pgn games.pgn").well();
    place.run("convert games.pgn games.pgn --output d.pgn").well();
    assert_eq!(place.text("b.pgn"), GAMES);
    assert_eq!(place.text("c.pgn"), GAMES);
    assert_eq!(place.text("d.pgn"), GAMES.repeat(2));
    let ran = place.run("convert games.pgn");
    assert!(ran.code == 2 && ran.err.contains("IN... OUT"), "{ran}");
}

#[test]
fn list_unknown_name_suggests_a_list_unless_one_is_given() {
    let place = Place::new();
    fs::write(place.path("players.ssp"), "@PLAYER\nBirch, John\n").unwrap();
    let ran = place.run("list games.pgn --player nobody --players players.ssp");
    assert!(ran.err.ends_with("shows similar ones\n"), "{ran}");
}

#[test]
fn convert_nothing_selected_writes_nothing() {
    let place = Place::new();
    let ran = place.run("list games.pgn --player nobody");
    let note = "0 of 2 games\nnote: the name may be spelt otherwise: --where 'White=^nob' shows";
    assert!(ran.out.is_empty() && ran.err.starts_with(note), "{ran}");
    assert!(ran.err.ends_with("and --players FILE knows many\n"), "{ran}");
    let ran = place.run("list --csv games.pgn --player nobody");
    assert_eq!(ran.out.lines().count(), 1, "{ran}");
    let ran = place.run("convert games.pgn out.si4 --player nobody");
    assert!(ran.err.starts_with("0 of 2 games chosen; nothing was written\n"), "{ran}");
    assert_eq!(place.files(), ["games.pgn"]);
    // An empty base is converted, and the exit code says that it holds no game.
    fs::write(place.path("empty.pgn"), "").unwrap();
    let ran = place.run("convert empty.pgn empty.si4");
    assert!(ran.code == 1 && place.path("empty.si4").exists(), "{ran}");
}

#[test]
fn list_deleted_games_are_marked() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    place.run("edit base.si4 delete 2").well();
    let ran = place.run("list base.si4").well();
    assert!(ran.out.contains("      1  Alder") && ran.out.contains("      2× White"), "{ran}");
    assert_eq!(ran.err, "2 of 2 games, 1 marked as deleted (×)\n");
    let ran = place.run("list base.si4 --csv").well();
    assert!(ran.out.lines().last().unwrap().ends_with(",1"), "{ran}");
    let ran = place.run("convert base.si4 out.pgn").well();
    assert!(
        ran.err.contains("1 game marked as deleted was included; --deleted=no leaves"),
        "{ran}"
    );
    let ran = place.run("convert base.si4 live.pgn --deleted=no").well();
    assert!(!ran.err.contains("deleted was"), "{ran}");
}

#[test]
fn damage_of_one_kind_is_summarised() {
    let place = Place::new();
    fs::write(place.path("bad.pgn"), "1. e4 e5 2. Ke3 *\n\n".repeat(50)).unwrap();
    for line in ["list bad.pgn", "check bad.pgn", "convert bad.pgn out.pgn"] {
        let ran = place.run(line);
        let told = format!("{}{}", ran.out, ran.err);
        assert_eq!(told.matches("Ke3\" is not legal here").count(), 4, "{ran}");
        assert!(told.contains("... and 47 more games: "), "{ran}");
    }
    let ran = place.run("check bad.pgn --verbose");
    assert_eq!(ran.out.matches("is not legal here").count(), 50, "{ran}");
    assert!(
        ran.out.contains("ply 3: \"Ke3\" is not legal here; the moves from here on are left out"),
        "{ran}"
    );
}

#[test]
fn command_line_bare_file_gets_hint() {
    let place = Place::new();
    let ran = place.run("games.pgn");
    assert!(ran.code == 2 && ran.err.contains("scoresheet info games.pgn"), "{ran}");
    let ran = place.run("lst games.pgn");
    assert!(ran.code == 2 && ran.err.contains("'list'"), "{ran}");
}

#[test]
fn conversion_moved_tags_are_no_loss() {
    let place = Place::new();
    let ran = place.run("convert games.pgn old.cbf").well();
    assert!(ran.err.contains("  moved  tag-moved "), "{ran}");
    assert!(!ran.err.contains("lost   tag"), "{ran}");
}

#[test]
fn json_numbers_are_numbers_and_tags_an_object() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    let json = |line: &str| -> serde_json::Value {
        let ran = place.run(line).well();
        serde_json::from_str(ran.out.lines().next().unwrap()).unwrap()
    };
    let info = json("info --json base.si4");
    assert_eq!((&info["about"]["players"], &info["about"]["version"]), (&4.into(), &400.into()));
    assert_eq!(json("list --json base.si4")["tags"]["White"], "Alder, Nora");
    let row = json("list --json base.si4 --columns number,white,whiteelo,moves,SetUp");
    let expected = serde_json::json!(
        { "Number": 1, "White": "Alder, Nora", "WhiteElo": 1873, "Moves": 7, "SetUp": null }
    );
    assert_eq!(row, expected);
}

#[test]
fn list_sort_and_limit_apply() {
    let place = Place::new();
    fs::write(place.path("line.pgn"), LINE).unwrap();
    let whites = |line: &str| -> Vec<String> {
        let ran = place.run(line).well();
        ran.out.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
    };
    let list = |rest: &str| {
        whites(&format!("list games.pgn line.pgn --csv --columns number,white {rest}"))
    };
    assert_eq!(list("--sort white"), ["A", "\"Alder", "White to play"]);
    assert_eq!(list("--sort=-plies"), ["\"Alder", "White to play", "A"]);
    assert_eq!(list("--sort date,-white"), ["White to play", "\"Alder", "A"]);
    assert_eq!(list("--sort date --limit 2"), ["White to play", "\"Alder"]);
    assert_eq!(list("--limit 1"), ["\"Alder"]);
    let ran = place.run("list games.pgn line.pgn --limit 1").well();
    assert_eq!(ran.err, "first 1 game found; the rest was not looked at\n", "{ran}");
    let ran = place.run("list games.pgn line.pgn --sort white --limit 1").well();
    assert_eq!(ran.err, "first 1 of 3 games\n", "{ran}");
    let ran = place.run("list games.pgn line.pgn").well();
    assert!(ran.out.contains("line.pgn"), "{ran}");
}

/// The message names the missing companion file, and the rest of the base can be converted.
#[test]
fn base_without_companion_is_salvaged() {
    for (gone, left) in [("sg4", "the header"), ("sn4", "the moves")] {
        let place = Place::new();
        place.run("convert games.pgn lone.si4").well();
        fs::remove_file(place.path(&format!("lone.{gone}"))).unwrap();
        let info = place.run("info lone.si4");
        assert!(
            info.out.contains("format       Scid 4") && info.out.contains("games        2"),
            "{info}"
        );
        assert!(
            info.out
                .contains(&format!("damage       lone.{gone}: this file of the base is missing")),
            "{info}"
        );
        // All games are damaged: their moves or their names are missing.
        let list = place.run("list lone.si4 --csv");
        assert_eq!(list.code, 4, "{list}");
        assert_eq!(list.out.contains("Alder"), left == "the header", "{list}");
        let ran = place.run("repair lone.si4 out.pgn");
        assert_eq!(ran.code, 4, "{ran}");
        assert_eq!(place.text("out.pgn").contains("7. Nd5#"), left == "the moves");
        let ran = place.run("edit lone.si4 delete 1");
        assert_eq!(ran.code, 3, "{ran}");
        assert!(ran.err.contains(&format!("lone.{gone}")), "{ran}");
    }
    for (base, gone) in [("lone.dci", "dcg"), ("lone.cdp", "d02"), ("lone.cdp", "a02")] {
        let place = Place::new();
        place.run(&format!("convert games.pgn {base}")).well();
        let left = ["dcn", "d00"].map(|file| format!("lone.{file}"));
        fs::remove_file(place.path(&format!("lone.{gone}"))).unwrap();
        for named in left.iter().filter(|left| place.path(left).exists()) {
            let list = place.run(&format!("list {named} --csv"));
            // All games are damaged.
            assert_eq!(list.code, 4, "{list}");
            assert!(list.out.contains("Alder") && list.err.contains(gone), "{list}");
            let ran = place.run(&format!("convert {named} out.pgn -f"));
            assert!(ran.err.contains("2 damaged"), "{ran}");
            assert!(place.text("out.pgn").contains("Alder"), "{ran}");
        }
    }
    // A damaged names file costs only the names.
    let place = Place::new();
    place.run("convert games.pgn lone.cbh").well();
    fs::write(place.path("lone.cbp"), b"no names").unwrap();
    let ran = place.run("convert lone.cbh out.pgn");
    // Every game has lost its names.
    assert_eq!(ran.code, 4, "{ran}");
    assert!(ran.err.contains("cbh-not-names"), "{ran}");
    assert!(place.text("out.pgn").contains("7. Nd5#"), "{ran}");
    let place = Place::new();
    place.run("convert games.pgn lone.si4").well();
    fs::remove_file(place.path("lone.si4")).unwrap();
    let ran = place.run("info lone.sg4");
    assert!(
        ran.code == 3 && ran.err.contains("lone.si4: missing; it belongs beside lone.sg4"),
        "{ran}"
    );
}

#[test]
fn file_of_unreadable_kind_is_named() {
    let place = Place::new();
    for (name, bytes, words) in [
        ("a.cbone", &b"some base"[..], "ChessBase base of one file"),
        ("a.rar", b"Rar!\x1a\x07\0rest", "RAR archive; unpack it first"),
        ("a.7z", b"7z\xbc\xaf\x27\x1crest", "7-Zip archive"),
        ("a.xyz", b"", "the file is empty"),
        ("a.pdf", b"%PDF-1.4", "PDF"),
        ("a.abc", b"????", "not a chess database of a known format"),
    ] {
        fs::write(place.path(name), bytes).unwrap();
        let ran = place.run(&format!("info {name}"));
        assert!(ran.code == 3 && ran.err.contains(words), "{ran}");
    }
}

#[cfg(feature = "manual")]
#[test]
fn manual_references_all_exist() {
    let page = Place::new().run("man").well().out;
    assert!(!page.contains("(1)") || page.matches("(1)").count() <= 2, "{page}");
    assert!(!page.contains("scoresheet\\-info(1)") && page.contains(".SH COMMANDS"), "{page}");
    assert!(page.contains("scoresheet edit set"), "{page}");
}

/// A search of the folder would read the output as an input the next time.
#[test]
fn convert_output_in_searched_folder_prints_note() {
    let place = Place::new();
    fs::create_dir(place.path("disk")).unwrap();
    fs::write(place.path("disk/a.pgn"), GAMES).unwrap();
    let ran = place.run("convert disk disk/all.pgn").well();
    assert!(ran.err.starts_with("note: disk/all.pgn lies in a folder that is searched"), "{ran}");
    assert!(!place.run("convert disk all.pgn").well().err.contains("note"));
}
