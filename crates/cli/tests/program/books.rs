//! Tests of book, of lists of positions, of repertoires and of merged games.

use std::fs;
use std::path::PathBuf;

use crate::place::Place;

/// Returns the file of a case of the crate `books`.
fn fixture(name: &str) -> PathBuf {
    testkit::workspace_root().join("crates/books/fixtures").join(name)
}

/// Returns a place with the files of cases under short names.
fn place() -> Place {
    let place = Place::new();
    for (from, to) in [
        ("polyglot/special/base.bin", "special.bin"),
        ("polyglot/bad_order/base.bin", "unsorted.bin"),
        ("polyglot/bad_duplicate/base.bin", "twice.bin"),
        ("ctg/lines/base.ctg", "lines.ctg"),
        ("ctg/lines/base.cto", "lines.cto"),
        ("ctg/lines/base.ctb", "lines.ctb"),
        ("abk/lines/base.abk", "lines.abk"),
        ("obk/lines/base.obk", "lines.obk"),
        ("make/base.pgn", "make.pgn"),
    ] {
        let from = fixture(from);
        fs::copy(&from, place.path(to)).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
    }
    place
}

#[test]
fn book_show_prints_the_data_of_each_format() {
    let place = place();
    let shown: Vec<String> = ["special.bin", "lines.ctg", "lines.cto", "lines.abk", "lines.obk"]
        .map(|book| format!("{}", place.run(&format!("book show {book} --json")).well()))
        .to_vec();
    insta::assert_snapshot!("book_show", shown.join("\n"));
    let table = place.run_words(&["book", "show", "lines.ctg", "--moves", "1. e4"], "");
    insta::assert_snapshot!("book_show_table", table.well());
    let absent = place.run("book show special.bin --fen 8/8/8/8/8/8/8/K1k5");
    assert_eq!((absent.code, absent.out.as_str()), (1, ""));
    let other = place.run("book show games.pgn");
    assert!(other.code == 3 && other.err.contains("no opening book"), "{other}");
}

#[test]
fn book_is_named_where_a_base_is_opened() {
    let place = place();
    for (book, title) in
        [("special.bin", "Polyglot"), ("lines.ctg", "ChessBase"), ("lines.abk", "Arena")]
    {
        let info = place.run(&format!("info {book}"));
        assert!(info.well().out.contains(&format!("{title} opening book")), "{book}");
        let checked = place.run(&format!("check {book}"));
        assert!(checked.well().err.contains("sound"), "{book}");
        let listed = place.run(&format!("list {book}"));
        assert!(listed.code == 3 && listed.err.contains("scoresheet book"), "{listed}");
    }
    let info = place.run("info --json special.bin lines.obk");
    insta::assert_snapshot!("book_info", info.well());
    assert_eq!(place.run("check unsorted.bin").code, 1);
}

#[test]
fn book_convert_keeps_moves_and_says_what_it_writes() {
    let place = place();
    for book in ["special.bin", "lines.ctg", "lines.abk", "lines.obk"] {
        for to in ["bin", "abk", "pgn", "jsonl", "csv"] {
            if book.ends_with(to) {
                continue;
            }
            let out = format!("{book}.{to}");
            place.run(&format!("book convert {book} {out}")).well();
            if ["bin", "abk"].contains(&to) {
                place.run(&format!("book check {out} --strict")).well();
            }
        }
    }
    let moves = |book: &str| {
        let shown = place.run(&format!("book show {book} --json"));
        let mut moves: Vec<String> = shown
            .well()
            .out
            .lines()
            .map(|line| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                row["uci"].as_str().unwrap().to_owned()
            })
            .collect();
        moves.sort();
        moves
    };
    assert_eq!(moves("lines.abk.bin"), moves("lines.abk"));
    assert_eq!(moves("special.bin.abk"), moves("special.bin"));
    insta::assert_snapshot!("book_as_pgn", place.text("lines.abk.pgn"));
    let rows = place.text("lines.ctg.csv").lines().count();
    assert_eq!(rows, place.text("lines.ctg.jsonl").lines().count() + 1);
    assert_eq!(place.run("book convert lines.abk lines.abk.bin").code, 3);
    assert_eq!(place.run("book convert lines.abk other.ctg").code, 2);
    #[cfg(not(feature = "tables"))]
    {
        let ran = place.run("book convert lines.abk lines.parquet");
        assert!(ran.code == 2 && ran.err.contains("--features tables"), "{}", ran.err);
        assert!(!place.path("lines.parquet").exists());
    }
}

#[test]
fn book_make_like_polyglot_writes_its_bytes() {
    let place = place();
    for (options, expected) in [
        ("", "default"),
        ("--min-game 1", "min1"),
        ("--min-game 1 --uniform", "uniform"),
        ("--min-game 1 --only-white", "white"),
        ("--min-game 1 --only black", "black"),
    ] {
        let line = format!("book make make.pgn {expected}.bin --like-polyglot {options}");
        place.run(line.trim_end()).well();
        let wanted = fs::read(fixture(&format!("make/{expected}.bin")));
        let Ok(wanted) = wanted else { panic!("make/{expected}.bin is missing") };
        assert_eq!(fs::read(place.path(&format!("{expected}.bin"))).unwrap(), wanted, "{options}");
    }
    place.run("book merge white.bin black.bin both.bin").well();
    place.run("book check both.bin --strict").well();
    assert_eq!(place.run("book merge white.bin lines.abk x.bin").code, 3);
    assert_eq!(place.run("book make make.pgn make.bin --only white --only-black").code, 2);
}

#[test]
fn book_check_repair_writes_a_sound_book() {
    let place = place();
    for book in ["unsorted.bin", "twice.bin"] {
        let ran = place.run(&format!("book check {book} --strict --repair new-{book}"));
        assert_eq!(ran.code, 1, "{ran}");
        place.run(&format!("book check new-{book} --strict")).well();
    }
    assert_eq!(place.run("book check lines.abk --repair x.bin").code, 3);
}

const POSITIONS: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; id \"a; b\";\n\
    not a position\n\
    8/8/8/8/8/8/8/K1k5 w - - 12 40\n";

#[test]
fn positions_are_games_without_moves() {
    let place = Place::new();
    fs::write(place.path("tests.epd"), POSITIONS).unwrap();
    let listed = place.run("list tests.epd --json");
    assert!(listed.err.contains("tests.epd: line 2"), "{listed}");
    let converted = place.run("convert tests.epd out.pgn");
    assert!(place.text("out.pgn").contains("[Epd_bm \"e5\"]"), "{converted}");
    place.run("convert out.pgn again.epd").well();
    let text = place.text("again.epd");
    assert!(text.starts_with(POSITIONS.lines().next().unwrap()), "{text}");
    place.run("convert out.pgn again.fen");
    assert_eq!(place.text("again.fen").lines().last(), Some("8/8/8/8/8/8/8/K1k5 w - - 12 40"));
}

#[test]
fn convert_at_writes_one_position_of_each_game() {
    let place = Place::new();
    let run = |at: &str| {
        let ran = place.run_words(&["convert", "games.pgn", "out.epd", "--force", "--at", at], "");
        (ran.code, fs::read_to_string(place.path("out.epd")).unwrap_or_default())
    };
    let (code, text) = run("ply=2");
    assert_eq!(code, 0);
    insta::assert_snapshot!("positions_at", text);
    assert!(run("end").1.contains("r2q1bnr/ppp1kBpp/2np4/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ -"));
    // The second game is too short.
    assert_eq!(run("ply=13").0, 4);
    assert_eq!(run("position").0, 2);
    let words = "convert games.pgn out.epd --force --at position --pattern Nd5";
    let ran = place.run(words);
    assert!(place.text("out.epd").lines().count() == 1, "{ran}");
    let expected = place.text("out.epd");
    assert_eq!(run("match").0, 2);
    for (name, value) in [("--pattern", "Nd5"), ("--cql", "Nd5"), ("--cql", "mate")] {
        let words = ["convert", "games.pgn", "out.epd", "--force", "--at", "match", name, value];
        let again = place.run_words(&words, "");
        assert_eq!((again.code, place.text("out.epd")), (ran.code, expected.clone()), "{again}");
    }
    place.run("convert games.pgn out.html --diagrams 3").well();
    let page = place.text("out.html");
    // After moves 3 and 6 of the first game and move 3 of the second, which begins with a diagram.
    assert_eq!(page.matches("<figure").count(), 4, "{page}");
}

const LINES: &str = "[White \"A\"]\n[Result \"1-0\"]\n\n1. d4 Nf6 2. c4 e6 1-0\n\n\
    [White \"B\"]\n[Result \"0-1\"]\n\n1. d4 Nf6 2. c4 g6 0-1\n\n\
    [White \"C\"]\n[Result \"1/2-1/2\"]\n\n1. d4 f5 1/2-1/2\n\n\
    [White \"D\"]\n[Result \"1-0\"]\n\n1. d4 f5 1-0\n\n\
    [White \"E\"]\n[Result \"*\"]\n\n1. c4 *\n\n";

#[test]
fn repertoire_lists_missing_answers_and_unplayed_lines() {
    let place = Place::new();
    fs::write(place.path("lines.pgn"), LINES).unwrap();
    fs::write(place.path("mine.pgn"), "1. d4 Nf6 (1... d5 2. c4) 2. c4 e6 *\n").unwrap();
    let line = "repertoire mine.pgn lines.pgn --for white --leaving";
    insta::assert_snapshot!("repertoire", place.run(line).well());
    insta::assert_snapshot!(
        "repertoire_json",
        place.run(&format!("{line} --json --min-games 1")).well()
    );
    let names = |option: &str| {
        let ran = place.run(&format!("list lines.pgn {option} mine.pgn --columns white --csv"));
        ran.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names("--in-repertoire"), ["A"]);
    assert_eq!(names("--leaves-repertoire"), ["B", "C", "D", "E"]);
    let ran = place.run("list lines.pgn --in-repertoire absent.pgn");
    assert_eq!(ran.code, 2, "{ran}");
}

#[test]
fn convert_merge_games_writes_one_game() {
    let place = Place::new();
    fs::write(place.path("lines.pgn"), LINES).unwrap();
    place.run("convert lines.pgn one.pgn --merge-games --counts").well();
    insta::assert_snapshot!("merged_games", place.text("one.pgn"));
    place.run("convert lines.pgn pruned.pgn --merge-games=positions --min-games 2").well();
    assert!(place.text("pruned.pgn").contains("1. d4 Nf6 (1... f5) 2. c4 *"), "pruned");
    assert_eq!(place.run("convert lines.pgn x.pgn --counts").code, 2);
}
