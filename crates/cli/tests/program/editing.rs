//! Tests of edit, on every format that can be edited in place.

use std::fs;

use insta::assert_snapshot;
use scoresheet::Format;

use crate::place::Place;

fn editable() -> impl Iterator<Item = &'static Format> {
    scoresheet::formats().filter(|format| format.edit.is_some() && format.create.is_some())
}

fn base(place: &Place, format: &Format) -> String {
    let name = format!("base.{}", format.extensions[0]);
    place.run(&format!("convert games.pgn {name}"));
    name
}

fn deleted(place: &Place, name: &str) -> usize {
    place.run(&format!("list --json {name} --deleted")).out.lines().count()
}

#[test]
fn formats_editable_exist() {
    assert!(editable().count() > 0);
}

#[test]
fn delete_undelete_and_compact() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        place.run(&format!("edit {name} delete 1")).well();
        assert_eq!(deleted(&place, &name), 1);
        place.run(&format!("edit {name} undelete 1-2")).well();
        assert_eq!(deleted(&place, &name), 0);
        place.run(&format!("edit {name} delete 2")).well();
        place.run(&format!("edit {name} compact")).well();
        assert_eq!(place.run(&format!("list --json {name}")).well().out.lines().count(), 1);
    }
}

#[test]
fn edit_overlapping_numbers_change_each_game_once() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        let ran = place.run(&format!("edit {name} delete 2 1-2 1- 2")).well();
        assert_eq!(ran.err, "deleted 2 games\n");
        let ran = place.run(&format!("edit {name} -v undelete 2 1 2")).well();
        assert_eq!(ran.err, "undelete game 1\nundelete game 2\nundeleted 2 games\n");
        assert_eq!(deleted(&place, &name), 0);
    }
}

#[test]
fn append_games_are_added_at_the_end() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        place.run(&format!("edit {name} append games.pgn"));
        assert_eq!(place.run(&format!("list --json {name}")).well().out.lines().count(), 4);
        let pgn = |n: u64| place.run(&format!("show {name} {n} --pgn")).well().out;
        assert_eq!((pgn(3), pgn(4)), (pgn(1), pgn(2)));
    }
}

#[test]
fn replace_leaves_the_new_game_for_the_old() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        let ran = place.run(&format!("edit {name} replace 2 games.pgn"));
        assert!(ran.err.starts_with("replace game 2 with Alder, Nora - Birch, Tom\n"), "{ran}");
        // In its place, or at the end with the old one marked as deleted.
        let live = place.run(&format!("list --csv {name} --deleted=no")).well().out;
        let whites = live.lines().skip(1).map(|line| line.contains("Alder, Nora"));
        assert_eq!(whites.collect::<Vec<_>>(), [true, true], "{live}");
    }
}

#[test]
fn edit_dry_run_changes_nothing() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        let ran = place.run(&format!("edit {name} --dry-run delete 1-2")).well();
        assert_eq!(
            ran.err,
            "dry run, nothing is written: deleted 2 games\ndelete game 1\ndelete game 2\n"
        );
        assert_eq!(deleted(&place, &name), 0);
    }
}

#[test]
fn edit_unsupported_format_is_error() {
    let place = Place::new();
    let ran = place.run("edit games.pgn delete 1");
    assert_eq!(ran.code, 3);
    assert_snapshot!("edit_pgn", ran);
    place.run("convert games.pgn base.dci").well();
    let ran = place.run("edit base.dci delete 3");
    assert_eq!(ran.code, 3);
    assert_snapshot!("edit_missing_game", ran);
}

#[test]
fn edit_delete_filters_select_games() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        let ran = place.run(&format!("edit {name} delete --player ALDER")).well();
        assert_eq!(ran.err, "deleted 1 game\n");
        assert!(place.run(&format!("list --csv {name} --deleted")).well().out.contains("Alder"));
        // If numbers and filters are given, both must match.
        let ran = place.run(&format!("edit {name} delete 1 --event study"));
        assert_eq!((ran.code, &*ran.err), (1, "deleted 0 games\n"), "{ran}");
        let ran = place.run(&format!("edit {name} undelete --deleted")).well();
        assert_eq!(ran.err, "undeleted 1 game\n");
        assert_eq!(deleted(&place, &name), 0);
        // A filter that needs the moves.
        let fen = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1";
        let ran = place.run_words(&["edit", &name, "delete", "-v", "--position", fen], "").well();
        assert_eq!(ran.err, "delete game 2\ndeleted 1 game\n");
        assert_eq!(deleted(&place, &name), 1);
    }
}

#[test]
fn edit_without_selection_is_error() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    assert_eq!(place.run("edit base.si4 delete").code, 2);
    let ran = place.run("edit base.si4 --dry-run delete --date 1922").well();
    assert!(ran.err.ends_with("\ndelete game 2\n"), "{ran}");
    assert_eq!(deleted(&place, "base.si4"), 0);
}

#[test]
fn append_many_bases_adds_all() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        place.run("convert games.pgn other.si5").well();
        let ran = place.run(&format!("edit {name} --dry-run append other.si5 games.pgn"));
        let line = "append Alder, Nora - Birch, Tom\nappend White to play - and draw\n";
        let summary = "dry run, nothing is written: appended 4 games\n";
        assert_eq!(ran.well().err, summary.to_owned() + &line.repeat(2));
        let ran = place.run(&format!("edit {name} append other.si5 games.pgn"));
        assert!(ran.err.starts_with("appended 4 games\n"), "{ran}");
        let list = place.run(&format!("list --csv {name}")).well().out;
        assert_eq!(list.matches("Alder").count(), 3, "{list}");
        assert_eq!(list.lines().count(), 7, "{list}");
    }
}

/// As `convert` does.
#[test]
fn append_damaged_games_are_kept_up_to_the_damage() {
    for format in editable() {
        let place = Place::new();
        place.take_fixture("scid/bad_move");
        let name = base(&place, format);
        let from = "fixtures/scid/bad_move/base.si4 games.pgn";
        for options in ["-q ", ""] {
            let ran = place.run(&format!("edit {name} {options}append {from}")).well();
            assert!(ran.err.contains("bad_move/base.sg4: byte 8, game 2, ply 1:"), "{ran}");
            assert_eq!(
                ran.err.contains("appended 5 games, 1 damaged"),
                options.is_empty(),
                "{ran}"
            );
        }
        let list = place.run(&format!("list --csv {name}"));
        assert_eq!((list.code, list.out.lines().count()), (0, 1 + 2 + 2 * 5), "{list}");
    }
    let place = Place::new();
    std::fs::write(place.path("bad.pgn"), "[White \"A\"]\n\n1. e4 e5 2. Qxe1 *\n").unwrap();
    place.run("convert games.pgn base.si4").well();
    // Nothing in the file is whole.
    assert_eq!(place.run("edit base.si4 append bad.pgn").code, 4);
    assert!(place.run("show base.si4 3 --pgn").well().out.contains("1. e4 e5 *"));
    let whole = "edit base.si4 --fail-on damage append bad.pgn games.pgn";
    assert_eq!(place.run(whole).code, 4);
}

/// The losses are summed by kind, and listed by game with --verbose.
#[test]
fn append_losses_are_summed_and_name_the_game() {
    let place = Place::new();
    let clock = "1. e4 {a} {b} e5 {c} {d} *\n\n";
    std::fs::write(place.path("new.pgn"), format!("{clock}1. d4 *\n\n{clock}")).unwrap();
    place.run("convert games.pgn base.si4").well();
    let ran = place.run("edit base.si4 append new.pgn").well();
    let sum = "appended 3 games, 2 with losses\n  moved  comment-moved         4  comments joined or moved\n";
    assert_eq!(ran.err, sum, "{ran}");
    let ran = place.run("edit base.si4 -v append new.pgn").well();
    assert!(ran.err.contains("base.si4: game 6: lost comment-moved: "), "{ran}");
    assert!(ran.err.contains("base.si4: game 8: lost comment-moved: "), "{ran}");
}

#[test]
fn append_unsupported_games_are_skipped() {
    let place = Place::new();
    let chess960 = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \
        \"nrkbqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBQRBN w FBfb - 0 1\"]\n\n*\n";
    let text = format!("{chess960}\n[White \"After\"]\n\n1. e4 *\n");
    std::fs::write(place.path("new.pgn"), text).unwrap();
    for name in ["si4", "dcg"] {
        let name = base(&place, scoresheet::format_named(name).unwrap());
        let ran = place.run(&format!("edit {name} -q append new.pgn"));
        assert_eq!(ran.code, 4, "{ran}");
        assert!(ran.err.contains("game 1 of new.pgn refused: "), "{ran}");
        assert_eq!(ran.err.lines().count(), 1, "{ran}");
        let list = place.run(&format!("list --csv {name}")).well().out;
        assert!(list.lines().nth(3).is_some_and(|line| line.contains("After")), "{list}");
    }
}

#[test]
fn convert_and_append_move_without_code_names_game_and_ply() {
    let place = Place::new();
    let text = "1. e4 *\n\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \
        \"5bkr/8/8/8/8/8/8/R3K2R w KQh - 0 1\"]\n\n1. Ke2 O-O *\n";
    std::fs::write(place.path("odd.pgn"), text).unwrap();
    let ran = place.run("convert odd.pgn odd.si5");
    let refused = "ply 2 refused: the rules do not allow move g8h8, and it has no code\n";
    assert_eq!(ran.code, 4, "{ran}");
    assert!(ran.err.contains(&format!("odd.si5: game 2, {refused}")), "{ran}");
    let ran = place.run("edit odd.si5 append odd.pgn");
    assert_eq!(ran.code, 4, "{ran}");
    assert!(ran.err.contains(&format!("odd.si5: game 2 of odd.pgn, {refused}")), "{ran}");
}

/// A damaged first game is not replaced by the next one.
#[test]
fn replace_damaged_game_is_refused() {
    let place = Place::new();
    std::fs::write(place.path("bad.pgn"), "1. e5 *\n\n[White \"Sound\"]\n\n1. e4 *\n").unwrap();
    for format in editable() {
        let name = base(&place, format);
        let before = place.run(&format!("list --json {name}")).well().out;
        let ran = place.run(&format!("edit {name} replace 2 bad.pgn"));
        assert_eq!(ran.code, 3, "{ran}");
        assert!(ran.err.contains("bad.pgn: its first game is damaged"), "{ran}");
        assert_eq!(place.run(&format!("list --json {name}")).well().out, before);
    }
}

/// Names are in the index of a Scid base, so a game keeps its record, damaged or not.
#[test]
fn set_names_of_scid_base_keeps_records_and_damage() {
    let place = Place::new();
    place.take_fixture("scid/bad_move");
    let base = "fixtures/scid/bad_move/base.si4";
    let records = || fs::read(place.path("fixtures/scid/bad_move/base.sg4")).unwrap();
    let before = (records(), place.run(&format!("check {base}")));
    assert_eq!(before.1.code, 1);
    for (options, changed) in [("--dry-run ", 0), ("", 3)] {
        let ran = place.run(&format!("edit {base} {options}set White=Somebody 1-")).well();
        assert!(ran.err.contains("3 games"), "{ran}");
        let list = place.run(&format!("list --csv {base}"));
        assert_eq!(list.out.matches("Somebody").count(), changed, "{list}");
    }
    assert!(records() == before.0);
    let checked = place.run(&format!("check {base}"));
    assert_eq!((checked.code, checked.out), (before.1.code, before.1.out));
    // A tag of the record gives the game a new record, with the same moves.
    place.run(&format!("edit {base} set Annotator=Nobody 1-")).well();
    assert!(records().starts_with(&before.0) && records().len() > before.0.len());
    let checked = place.run(&format!("check {base}"));
    assert!(checked.code == 1 && checked.out.contains("game 2, ply 1:"), "{checked}");
}

/// A dry run shows the summary, and then each change with the old value. A tag that nobody knows is
/// named.
#[test]
fn set_dry_run_shows_old_and_new_and_unknown_tags() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    let unknown = "note: Evnt is a tag that no program knows; is Event meant?\n";
    let ran = place.run("edit base.si4 -n set White=Tal Evnt=Riga ECO= 1").well();
    let words = [
        "dry run, nothing is written: changed 1 game\nWhite: 1 name: Alder, Nora (1)\n",
        unknown,
        "game 1: White \"Alder, Nora\" → \"Tal\"\ngame 1: Evnt (none) → \"Riga\"\n",
        "game 1: ECO \"C50\" → (none)\n",
    ];
    assert_eq!(ran.err, words.concat());
    let ran = place.run("edit base.si4 set Evnt=Riga 1").well();
    assert_eq!(ran.err, format!("changed 1 game\n{unknown}"));
    // The base knows it now.
    assert_eq!(place.run("edit base.si4 set Evnt=Tal 1").well().err, "changed 1 game\n");
    fs::write(place.path("table.csv"), "Number,Dat,Round\n1,2020,4\n").unwrap();
    for options in ["-n ", ""] {
        let ran = place.run(&format!("edit base.si4 {options}set --csv table.csv")).well();
        assert!(
            ran.err.contains("note: Dat is a tag that no program knows; is Date meant?"),
            "{ran}"
        );
        assert_eq!(ran.err.contains("game 1: Round \"3\" → \"4\"\n"), options == "-n ", "{ran}");
    }
}

/// A game that cannot be read is not one that needs no change.
#[test]
fn set_damaged_game_is_reported_and_not_counted() {
    let place = Place::new();
    place.take_fixture("scid/bad_length_zero");
    let base = "fixtures/scid/bad_length_zero/base.si4";
    let ran = place.run(&format!("edit {base} -q -n set White=Somebody 1-"));
    assert!(ran.code == 4 && ran.err.contains("game 2"), "{ran}");
    for options in ["--dry-run ", ""] {
        let ran = place.run(&format!("edit {base} {options}set White=Somebody 1-"));
        assert_eq!(ran.code, 4, "{ran}");
        assert!(ran.err.contains("changed 2 games\n") && ran.err.contains("game 2"), "{ran}");
    }
}

/// Changed and unchanged games are counted; a dry run counts the same.
#[test]
fn edit_changes_are_counted() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        place.run(&format!("edit {name} delete 1")).well();
        let ran = place.run(&format!("edit {name} delete 1-2")).well();
        assert_eq!(ran.err, "deleted 1 game; 1 more needed no change\n");
        place.run(&format!("edit {name} undelete 2")).well();
        let rehearsal = place.run(&format!("edit {name} -n compact")).well().err;
        let real = place.run(&format!("edit {name} compact")).well().err;
        assert_eq!(rehearsal, format!("dry run, nothing is written: {real}"));
        assert!(real.starts_with("dropped 1 deleted game of 2, 1 is left; "), "{real}");
    }
}

#[test]
fn append_base_to_itself_is_error() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    let ran = place.run("edit base.si4 append ./base.si4");
    assert!(ran.code == 2 && ran.err.contains("would double"), "{ran}");
}

#[test]
fn edit_set_selection_changes_tags() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        let moves = |n: u32| {
            let json = place.run(&format!("show {name} {n} --json")).well().out;
            serde_json::from_str::<serde_json::Value>(&json).unwrap()["line"].clone()
        };
        let before = moves(1);
        let words = ["edit", &name, "set", "Event=Linares", "Date=2020-02-03", "1"];
        let ran = place.run_words(&words, "").well();
        assert_eq!(ran.err, "changed 1 game\n");
        // In its place, or at the end with the old one marked as deleted.
        let list = place.run(&format!("list {name} --csv --deleted=no --event linares")).well().out;
        let number = list.lines().nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        assert!(list.contains("2020.02.03") && list.contains("Alder"), "{list}");
        assert_eq!(moves(number), before);
        let words = ["edit", &name, "set", "Event=Linares", "--event", "linares", "--deleted=no"];
        let ran = place.run_words(&words, "").well();
        assert_eq!(ran.err, "changed 0 games; 1 more needed no change\n");
    }
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    for words in ["Event", "FEN=x 1", "Date=soon 1", "WhiteElo=good 1", "Event=x", "Deleted=1 1"] {
        let ran = place.run(&format!("edit base.si4 set {words}"));
        assert_eq!(ran.code, 2, "{ran}");
    }
    let tag = |name: &str| {
        let json = place.run("list --json base.si4").well().out;
        let line = serde_json::from_str::<serde_json::Value>(json.lines().next().unwrap()).unwrap();
        line["tags"][name].clone()
    };
    place.run_words(&["edit", "base.si4", "set", "WhiteElo=", "ECO=B90", "1"], "").well();
    assert!(tag("WhiteElo").is_null() && tag("ECO") == "B90");
}

/// More games than a batch, and one of them named twice.
#[test]
fn edit_set_many_games_changes_tags() {
    let place = Place::new();
    let games: String = (0..4_500).map(|n| format!("[White \"W{n}\"]\n\n1. e4 *\n\n")).collect();
    fs::write(place.path("many.pgn"), games).unwrap();
    for name in ["many.si4", "many.si5"] {
        place.run(&format!("convert many.pgn {name}")).well();
        let ran = place.run(&format!("edit {name} set Event=Linares Annotator=me 1 1-")).well();
        assert_eq!(ran.err, "changed 4,500 games\n");
        let ran = place.run(&format!("check {name}")).well();
        assert!(ran.err.is_empty() || !ran.err.contains("error"), "{ran}");
        let list = place.run(&format!("list {name} --csv --columns white,event")).well().out;
        let changed = |(n, line): (usize, &str)| line == format!("W{n},Linares");
        assert_eq!(list.lines().count(), 4_501);
        assert!(list.lines().skip(1).enumerate().all(changed));
        let last = place.run(&format!("show {name} 4500 --json")).well().out;
        assert!(last.contains("[\"Annotator\",\"me\"]"), "{last}");
    }
}

#[test]
fn edit_flag_adds_and_removes_flags() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    let flags = || {
        let ran = place.run("list --json base.si4 --columns ScidFlags").well();
        ran.out
            .lines()
            .map(|line| line.split('"').nth(3).unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    let ran = place.run("edit base.si4 flag 1-2 --add WT").well();
    assert_eq!((ran.err.as_str(), flags()), ("flagged 2 games\n", vec!["WT".to_owned(); 2]));
    let ran = place.run("edit base.si4 flag --player alder --take W --add !").well();
    assert_eq!((ran.err.as_str(), flags()), ("flagged 1 game\n", vec!["T!".into(), "WT".into()]));
    let ran = place.run("edit base.si4 flag 1-2 --only T -n").well();
    assert!(ran.err.contains("flagged 2 games\n"), "{ran}");
    place.run("edit base.si4 flag 1-2 --only T").well();
    assert_eq!(flags(), ["T", "T"]);
    let ran = place.run("edit base.si4 flag 1 --add zz");
    assert!(
        ran.code == 2 && ran.err.contains("N novelty") && ran.err.lines().count() == 1,
        "{ran}"
    );
    place.run("convert games.pgn base.dci").well();
    assert_eq!(place.run("edit base.dci flag 1 --add W").code, 3);
    let help = place.run("edit base.si4 flag --help").well().out;
    let flags = scoresheet::format_named("si4").unwrap().flags.unwrap();
    for (letter, what) in flags.letters {
        let meaning = what.split(',').next().unwrap();
        assert!(
            help.contains(meaning) && (help.contains(*letter) || letter.is_numeric()),
            "{letter}"
        );
    }
}

#[test]
fn edit_dedupe_marks_repeated_games() {
    for format in editable() {
        let place = Place::new();
        let name = base(&place, format);
        place.run(&format!("edit {name} append games.pgn")).well();
        let ran = place.run(&format!("edit {name} -n dedupe")).well();
        assert!(ran.err.contains("game 3 repeats game 1\n"), "{ran}");
        assert_eq!(deleted(&place, &name), 0);
        let ran = place.run(&format!("edit {name} dedupe")).well();
        assert_eq!(ran.err, "4 games compared\ndeleted 2 games\n");
        assert_eq!(deleted(&place, &name), 2);
        let ran = place.run(&format!("edit {name} dedupe")).well();
        assert_eq!(ran.err, "2 games compared\ndeleted 0 games\n");
    }
}

/// Files that other programs keep for a base are named when it is compacted, because they may be
/// stale.
#[test]
fn compact_files_of_other_programs_are_named() {
    let place = Place::new();
    place.run("convert games.pgn base.dci").well();
    fs::write(place.path("base.tree"), "offsets").unwrap();
    fs::write(place.path("other.tree"), "offsets").unwrap();
    let ran = place.run("edit base.dci compact").well();
    assert!(ran.err.contains("out of date now: base.tree\n"), "{}", ran.err);
    fs::remove_file(place.path("base.tree")).unwrap();
    let ran = place.run("edit base.dci compact").well();
    assert!(!ran.err.contains("out of date"), "{}", ran.err);
}

#[test]
fn edit_set_csv_changes_many_games_or_none() {
    let place = Place::new();
    let game = |white: &str| format!("[White \"{white}\"]\n[Site \"Old\"]\n\n1. e4 *\n\n");
    fs::write(place.path("in.pgn"), game("A") + &game("B") + &game("C")).unwrap();
    place.run("convert in.pgn base.si4").well();
    let white = || place.run("list base.si4 --csv --columns number,white,site").well().out;
    let table = white().replace("1,A,Old", "1,\"Tal, M\",'=x").replace("3,C,Old", "3,C,");
    fs::write(place.path("table.csv"), &table).unwrap();
    let dry = place.run("edit base.si4 --dry-run set --csv table.csv").well();
    assert!(dry.err.contains("game 1: White \"A\" → \"Tal, M\""), "{dry}");
    assert!(dry.err.contains("dry run, nothing is written: changed 1 game"), "{dry}");
    assert!(white().contains("1,A,Old\n"));
    let ran = place.run("edit base.si4 set --csv table.csv").well();
    assert!(ran.err.contains("changed 1 game; 2 more needed no change"), "{ran}");
    assert!(white().contains("1,\"Tal, M\",'=x\n2,B,Old\n3,C,Old\n"), "{}", white());
    // Semicolons, and a byte order mark.
    fs::write(place.path("table.csv"), "\u{feff}game;Site\n2;\"New; York\"\n").unwrap();
    place.run("edit base.si4 set --csv table.csv").well();
    assert!(white().contains("2,B,New; York\n"), "{}", white());
    for (table, message) in [
        ("White\nX\n", "names no column Number"),
        ("Number,White\n1,X\n9,Y\n", "no game 9; the base has 3 games"),
        ("Number,White\n1,X\n1,Y\n", "table.csv:3: game 1 is there twice"),
        ("Number,White\n1,X\nx,Y\n", "table.csv:3: \"x\" is not the number of a game"),
        ("Number,White\n1,X\n2\n", "table.csv:3: 1 cells, but the first line has 2"),
        ("Number,Date\n1,1999\n2,soon\n", "table.csv:3: \"Date=soon\": a date is written"),
        ("Number,FEN\n1,x\n", "the start position belongs to the moves"),
    ] {
        fs::write(place.path("table.csv"), table).unwrap();
        let ran = place.run("edit base.si4 set --csv table.csv");
        assert!(matches!(ran.code, 2 | 3) && ran.err.contains(message), "{message}: {ran}");
        assert!(white().contains("1,\"Tal, M\",'=x\n2,B,New; York\n"), "{table}");
    }
}
