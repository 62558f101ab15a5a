//! `convert --sort` and `--split`.

use std::fs;

#[cfg(unix)]
use crate::place::interruptible;
use crate::place::{GAMES, Place};

/// Returns a folder with games of several years. One is damaged by an illegal move.
fn place() -> Place {
    let place = Place::new();
    let game = |white: &str, date: &str, moves: &str| {
        format!("[Event \"x\"]\n[White \"{white}\"]\n[Date \"{date}\"]\n\n{moves} *\n\n")
    };
    let games = [
        game("C", "1990.01.02", "1. d4"),
        game("A", "1985.??.??", "1. e4 {first} e5 2. Ke5"),
        game("B", "1990.01.01", "1. c4 (1. b4 $1)"),
        game("D", "????.??.??", "1. g3"),
        game("a", "1985.01.01", "1. f4"),
    ];
    fs::write(place.path("years.pgn"), games.concat()).unwrap();
    place
}

/// Returns the White players of a base, in its order.
fn whites(place: &Place, file: &str) -> Vec<String> {
    let ran = place.run_words(&["list", "--csv", "--columns", "white", file], "");
    ran.out.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn convert_sort_orders_games_of_every_format() {
    let place = place();
    for source in ["years.pgn", "years.si4", "years.dci", "years.jsonl"] {
        if source != "years.pgn" {
            place.run(&format!("convert years.pgn {source}"));
        }
        for (keys, expected) in [
            ("date,white", ["a", "A", "B", "C", "D"]),
            ("-date", ["C", "B", "A", "a", "D"]),
            ("-white", ["D", "C", "B", "A", "a"]),
            ("year,-number", ["a", "A", "B", "C", "D"]),
        ] {
            for target in ["out.pgn", "out.si5"] {
                let ran = place.run(&format!("convert --force {source} {target} --sort={keys}"));
                assert!(ran.err.contains("5 games read, 5 written"), "{ran}");
                assert_eq!(whites(&place, target), expected, "{source} by {keys}: {ran}");
            }
        }
        let ran = place.run(&format!("convert --force {source} out.pgn --sort -date --limit 2"));
        assert!(ran.code == 0 && whites(&place, "out.pgn") == ["C", "B"], "{ran}");
    }
}

/// Sorting keeps all data of the games, and damage is reported with the original game number.
#[test]
fn convert_sort_keeps_games_unchanged() {
    let place = place();
    place.run("convert games.pgn plain.pgn");
    place.run("convert games.pgn sorted.pgn --sort=number").well();
    assert_eq!(place.text("sorted.pgn"), place.text("plain.pgn"));
    let ran = place.run("convert years.pgn out.pgn --sort=white --report report.jsonl");
    assert!(ran.code == 0 && ran.err.contains("1 damaged"), "{ran}");
    assert_eq!(ran.err.matches("years.pgn: ").count(), 1, "told once: {ran}");
    let report = place.text("report.jsonl");
    assert_eq!(report.lines().count(), 1, "{report}");
    let line: serde_json::Value = serde_json::from_str(report.trim()).unwrap();
    assert_eq!((&line["base"], &line["game"]), (&"years.pgn".into(), &2.into()), "{report}");
    let ran = place.run("convert years.pgn strict.pgn --sort=white --strict");
    assert!(ran.code == 3 && !place.path("strict.pgn").exists(), "{ran}");
    // A loss is reported for the game in its input.
    place.run("convert --force years.pgn out.cbf --sort=-number --report report.jsonl");
    assert!(
        place.text("report.jsonl").contains("\"kind\":\"loss\""),
        "{}",
        place.text("report.jsonl")
    );
}

#[test]
fn split_count_writes_several_bases() {
    let place = place();
    let ran = place.run("convert years.pgn part.si4 --split 2").well();
    assert!(ran.err.contains("5 games read, 5 written") && ran.err.contains("3 bases written"));
    let names = ["part-001.si4", "part-002.si4", "part-003.si4"];
    let counts = names.map(|name| whites(&place, name).len());
    assert_eq!(counts, [2, 2, 1]);
    let ran = place.run("convert years.pgn part.si4 --split 3");
    assert!(ran.code == 3 && ran.err.contains("part-001.si4: exists; --force"), "{ran}");
    let ran = place.run("convert years.pgn few.pgn.gz --split 2 --sort=-white --limit 3").well();
    assert_eq!(whites(&place, "few-001.pgn.gz"), ["D", "C"]);
    assert_eq!(whites(&place, "few-002.pgn.gz"), ["B"]);
    assert!(!place.path("few-003.pgn.gz").exists(), "{ran}");
    for wrong in ["--split 0", "--split colour", "--split ''"] {
        let ran = place.run(&format!("convert years.pgn x.pgn {wrong}"));
        assert_eq!(ran.code, 2, "{ran}");
    }
    assert_eq!(place.run("convert years.pgn - --split 2").code, 2);
}

/// Outputs before the one that could not be written stay, and the message names them.
#[test]
fn split_failure_midway_keeps_complete_bases() {
    for extension in ["si4", "si5"] {
        let place = place();
        let name = |number: usize| format!("part-{number:03}.{extension}");
        // A base that another program is changing cannot be written.
        for (last, said) in [
            (2, format!("{} was written before\n", name(1))),
            (4, format!("3 bases, {} to {}, were written before\n", name(1), name(3))),
        ] {
            let lock = format!("{}~lock", name(last));
            let locked = fs::File::create(place.path(&lock)).unwrap();
            locked.lock().unwrap();
            let ran = place.run(&format!("convert -f years.pgn part.{extension} --split 1"));
            assert!(ran.code == 3 && ran.err.contains(&said), "{ran}");
            assert!(ran.err.contains(&format!("scoresheet: {}: ", name(last))), "{ran}");
            for (number, white) in (1..last).zip(["C", "A", "B", "D", "a"]) {
                assert_eq!(whites(&place, &name(number)), [white], "{}", name(number));
            }
            let others = place.files().into_iter().filter(|file| file.starts_with("part-"));
            let beyond = |file: &String| *file >= format!("part-{last:03}");
            let beyond: Vec<String> = others.filter(beyond).collect();
            assert_eq!(beyond, [lock.as_str()]);
            drop(locked);
            fs::remove_file(place.path(&lock)).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn split_interrupt_midway_keeps_complete_bases() {
    let place = place();
    fs::write(place.path("many.pgn"), "[White \"A\"]\n\n1. e4 *\n\n".repeat(9_999)).unwrap();
    let words = ["convert", "many.pgn", "part.pgn", "--split", "1"];
    let child = interruptible(&place.path("")).args(words).spawn().unwrap();
    let began = || place.path("part-0003.pgn").exists();
    testkit::wait_until(std::time::Duration::from_secs(20), began);
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    let files = place.files();
    let written = files.iter().filter(|name| name.starts_with("part-")).count();
    assert!((3..9_999).contains(&written), "{written}: {said}");
    let expected: Vec<String> = (1..=written)
        .map(|number| format!("part-{number:04}.pgn"))
        .chain(["games.pgn", "many.pgn", "years.pgn"].map(str::to_owned))
        .collect();
    assert!(files.iter().all(|name| expected.contains(name)), "{files:?}");
    let last = format!("part-{written:04}.pgn");
    let counted = format!("{written} bases, part-0001.pgn to {last}, were written before\n");
    assert!(said.ends_with(&format!("{counted}scoresheet: interrupted\n")), "{said}");
    let whole = place.text("part-0001.pgn");
    assert!(whole.ends_with("1. e4 *\n\n"), "{whole}");
    assert!((2..=written).all(|number| place.text(&format!("part-{number:04}.pgn")) == whole));
}

#[test]
fn split_column_writes_base_for_each_value() {
    let place = place();
    fs::write(place.path("years2.pgn"), GAMES).unwrap();
    place.run("convert years.pgn years2.pgn by.pgn --split year").well();
    let years: Vec<_> = place.files().into_iter().filter(|name| name.starts_with("by-")).collect();
    let expected = ["by-1922.pgn", "by-1985.pgn", "by-1990.pgn", "by-2019.pgn", "by-unknown.pgn"];
    assert_eq!(years, expected);
    assert_eq!(whites(&place, "by-1985.pgn"), ["A", "a"]);
    assert_eq!(whites(&place, "by-unknown.pgn"), ["D"]);
    // Names that a file system may treat as the same get different files.
    place.run("convert years.pgn player.pgn --split white").well();
    assert_eq!(whites(&place, "player-a 2.pgn"), ["a"]);
    let ran = place.run("convert years.pgn none.pgn --split white --player nobody");
    assert!(ran.code == 1 && ran.err.contains("0 of 5 games chosen"), "{ran}");
}

/// macOS and Windows take some spellings of a name for the same file; a link does so everywhere.
#[cfg(unix)]
#[test]
fn split_two_outputs_in_one_file_is_error() {
    let place = place();
    std::os::unix::fs::symlink("by-1985.pgn", place.path("by-1990.pgn")).unwrap();
    let ran = place.run("convert -f years.pgn by.pgn --split year");
    let message = "by-1990.pgn: is the same file as an output that was written before";
    assert!(ran.code == 3 && ran.err.contains(message), "{ran}");
    assert!(ran.err.contains("by-unknown.pgn to by-1985.pgn, were written before"), "{ran}");
    assert_eq!(whites(&place, "by-1985.pgn"), ["A", "a"]);
}

#[test]
fn default_game_after_sort_is_followed() {
    let place = place();
    place.run("convert years.pgn years.si4");
    place.run("edit years.si4 about default-game=3").well();
    place.run("convert years.si4 sorted.si4 --sort=white").well();
    let ran = place.run("info --json sorted.si4").well();
    let info: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(info["about"]["default-game"], 3, "{ran}");
    let ran = place.run("convert years.si4 without.si4 --sort=white --white A --exact");
    assert!(ran.err.contains("default-game"), "{ran}");
}
