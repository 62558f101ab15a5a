//! Tests of unusual names and paths: no file of the user is lost, and messages name the problem.

use std::fs;

use crate::place::{GAMES, Place};

/// Runs a command that must fail with this exit code and message, and must change nothing.
#[track_caller]
fn refused(place: &Place, line: &str, code: i32, words: &str) {
    let before = contents(place);
    let ran = place.run(line);
    assert_eq!((ran.code, ran.err.as_str()), (code, &*format!("scoresheet: {words}\n")), "{ran}");
    assert_eq!(contents(place), before, "{line}");
}

/// Returns every file with its content.
fn contents(place: &Place) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| fs::read(place.path(&name)).map(|bytes| (name, bytes)).ok();
    place.files().into_iter().filter_map(read).collect()
}

#[test]
fn convert_input_as_output_is_refused() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    refused(&place, "convert -f games.pgn ./games.pgn", 2, "./games.pgn: is an input too");
    // Another file of the same base.
    refused(&place, "convert -f base.sg4 base.si4", 2, "base.si4: is an input too");
    refused(&place, "repair -f base.si4 base.si4", 2, "base.si4: is an input too");
    let line = "convert -f games.pgn out.pgn --report games.pgn";
    refused(&place, line, 2, "games.pgn: is an input too");
    let line = "convert -f games.pgn out.pgn --report out.pgn";
    refused(&place, line, 2, "out.pgn: is the output too");
    let line = "convert -f games.pgn out.si4 --report out.sg4";
    refused(&place, line, 2, "out.sg4: is the output too");
    place.run("convert games.pgn base.pgn").well();
}

#[test]
fn convert_existing_output_needs_force() {
    let place = Place::new();
    fs::write(place.path("out.sg4"), "mine").unwrap();
    fs::write(place.path("report"), "mine").unwrap();
    refused(&place, "convert games.pgn out.si4", 3, "out.sg4: exists; --force replaces it");
    let line = "convert games.pgn other.pgn --report report";
    refused(&place, line, 3, "report: exists; --force replaces it");
    place.run("convert --force games.pgn out.si4").well();
    place.run("check out.si4").well();
}

/// On a file system that distinguishes case, `OUT.SI4` is not the existing `out.si4`. On all
/// others, and for Scid, both names mean one base.
#[test]
fn outputs_differing_in_case_are_one_base() {
    let place = Place::new();
    place.run("convert games.pgn out.si4").well();
    let ran = place.run("convert games.pgn OUT.SI4");
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.err.ends_with("exists; --force replaces it\n"), "{ran}");
}

/// Companions are found by letters of any alphabet without regard to case.
#[test]
fn convert_base_into_itself_in_other_case_is_refused() {
    let place = Place::new();
    place.run("convert games.pgn Ärger.si4").well();
    let line = "convert -f Ärger.si4 ÄRGER.SI4";
    refused(&place, line, 2, "ÄRGER.SI4: is an input too");
}

#[cfg(unix)]
#[test]
fn convert_output_link_is_followed() {
    let place = Place::new();
    fs::create_dir(place.path("far")).unwrap();
    fs::write(place.path("far/real.pgn"), "mine").unwrap();
    std::os::unix::fs::symlink("far/real.pgn", place.path("link.pgn")).unwrap();
    std::os::unix::fs::symlink("nowhere.pgn", place.path("dangling.pgn")).unwrap();
    std::os::unix::fs::symlink("games.pgn", place.path("alias.pgn")).unwrap();
    let line = "convert -f games.pgn alias.pgn";
    let ran = place.run(line);
    assert!(ran.code == 2 && ran.err.ends_with("is an input too\n"), "{ran}");
    let ran = place.run("convert games.pgn dangling.pgn");
    assert_eq!((ran.code, ran.err.contains("exists; --force")), (3, true), "{ran}");
    // The link stays, and its target is replaced.
    place.run("convert -f games.pgn link.pgn").well();
    assert!(place.path("link.pgn").is_symlink());
    assert_eq!(place.text("far/real.pgn"), GAMES);
    assert_eq!(place.run("convert link.pgn -").well().out, GAMES);
}

#[test]
fn convert_folder_as_output_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("dir")).unwrap();
    refused(&place, "convert games.pgn dir", 2, "dir: is a folder");
    refused(&place, "convert games.pgn dir --to pgn", 2, "dir: is a folder");
    let line = "convert games.pgn nowhere/out.pgn";
    refused(&place, line, 3, "nowhere/out.pgn: there is no folder nowhere");
    for command in ["show dir 1", "dump dir 1", "repair dir out.pgn"] {
        refused(&place, command, 2, "dir: is a folder; name a base in it");
    }
    refused(&place, "list dir", 3, "dir: no base of a known format in this folder");
    refused(&place, "info dir", 3, "dir: no base of a known format in this folder");
}

#[test]
fn convert_compressed_output_must_be_text() {
    let place = Place::new();
    for name in ["out.pgn.gz", "out.pgn.bz2", "out.pgn.zst", "out.jsonl.gz"] {
        place.run(&format!("convert games.pgn {name}")).well();
        assert!(!fs::read(place.path(name)).unwrap().starts_with(b"[Event"), "{name}");
        assert_eq!(place.run(&format!("convert {name} -")).well().out, GAMES, "{name}");
    }
    refused(
        &place,
        "convert games.pgn a.pgn.xz",
        2,
        "a.pgn.xz: compressed texts are written as .gz, .bz2, .zst only",
    );
    refused(
        &place,
        "convert games.pgn a.si4.gz",
        2,
        "a.si4.gz: Scid 4 bases are not written compressed",
    );
    place.run("convert games.pgn out.gz --to pgn").well();
}

#[test]
fn convert_unusual_file_names_are_accepted() {
    let place = Place::new();
    fs::create_dir(place.path("Schöne Partien")).unwrap();
    let name = "Schöne Partien/♞ *[1].si4";
    place.run_words(&["convert", "games.pgn", name], "").well();
    for command in ["info", "list", "check"] {
        place.run_words(&[command, name], "").well();
    }
    assert_eq!(place.run_words(&["convert", name, "-"], "").well().out, GAMES);
    place.run_words(&["convert", "-q", "games.pgn", "--", "-odd.pgn"], "").well();
    assert_eq!(place.text("-odd.pgn"), GAMES);
}

#[test]
fn convert_thousands_of_inputs_writes_one_base() {
    let place = Place::new();
    fs::create_dir(place.path("disk")).unwrap();
    for number in 0..3000 {
        fs::write(place.path(&format!("disk/{number:04}.pgn")), format!("1. e4 {{{number}}} *\n"))
            .unwrap();
    }
    for inputs in ["disk", "disk/*.pgn"] {
        let text = place.run(&format!("convert {inputs} -")).well().out;
        let numbers: Vec<u32> = text
            .split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(numbers, (0..3000).collect::<Vec<_>>(), "{inputs}");
    }
}

#[test]
fn input_unreadable_is_reported_with_quiet() {
    let place = Place::new();
    let missing = "scoresheet: none.pgn: No such file or directory\n";
    let ran = place.run("convert -q games.pgn none.pgn out.pgn");
    assert!(ran.code == 4 && ran.err.starts_with("scoresheet: none.pgn: "), "{ran}");
    let ran = place.run("info -q games.pgn none.pgn");
    assert!(ran.code == 4 && ran.err.starts_with("scoresheet: none.pgn: "), "{ran}");
    assert!(!cfg!(unix) || ran.err == missing, "{ran}");
    let ran = place.run("info none.pgn nothing.si4");
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.err.ends_with("scoresheet: none of the files can be read\n"), "{ran}");
}

#[test]
fn show_ply_beyond_end_is_error() {
    let place = Place::new();
    refused(
        &place,
        "show games.pgn 1 --ply 14",
        3,
        "the game has 13 half-moves; --ply 14 is beyond its end",
    );
    place.run("show games.pgn 1 --ply 13").well();
    place.run("show games.pgn 1 --ply end").well();
}
