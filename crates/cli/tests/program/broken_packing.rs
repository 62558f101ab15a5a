//! Tests of damaged compressed inputs: every command refuses them, and `repair` rescues their
//! games.

use std::fs;
use std::io::Write;

use crate::place::{GAMES, Place};

pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes.as_ref()).unwrap();
    gzip.finish().unwrap()
}

/// Returns a folder with a compressed text of many games whose checksum is wrong.
fn place_with_wrong_checksum() -> Place {
    let place = Place::new();
    let mut packed = gzip(GAMES.repeat(300));
    let at = packed.len() - 8;
    packed[at] ^= 1;
    fs::write(place.path("bad.pgn.gz"), packed).unwrap();
    place
}

#[test]
fn commands_wrong_checksum_is_error() {
    let place = place_with_wrong_checksum();
    place.run("convert games.pgn base.si4").well();
    let before = fs::read(place.path("base.sg4")).unwrap();
    for line in [
        "convert bad.pgn.gz out.pgn",
        "convert bad.pgn.gz out.si4 --threads 1",
        "convert bad.pgn.gz out.si4 --threads 8",
        "convert bad.pgn.gz out.pgn --sort date",
        "repair bad.pgn.gz out.pgn --strict",
        "dedupe bad.pgn.gz out.pgn",
        "list bad.pgn.gz",
        "list bad.pgn.gz --count",
        "info bad.pgn.gz",
        "tree bad.pgn.gz",
        "show bad.pgn.gz 1",
        "show bad.pgn.gz 601",
        "edit base.si4 append bad.pgn.gz",
    ] {
        let ran = place.run(line);
        assert!(ran.code == 3 && ran.err.contains("checksum or length is wrong"), "{line}: {ran}");
        assert!(!ran.err.contains("Error {"), "{line}: {ran}");
    }
    assert_eq!(place.files(), ["bad.pgn.gz", "base.sg4", "base.si4", "base.sn4", "games.pgn"]);
    assert!(fs::read(place.path("base.sg4")).unwrap() == before, "something was appended");
    let ran = place.run("check bad.pgn.gz");
    assert!(ran.code == 1 && ran.err.contains("broken; 600 games"), "{ran}");
}

#[test]
fn repair_truncated_input_writes_the_games_before_the_break() {
    let place = Place::new();
    let text: String = (0..3000)
        .map(|n| format!("[White \"W{}\"]\n\n1. e4 {{{n}}} *\n\n", n * 7919 % 3001))
        .collect();
    let packed = gzip(&text);
    fs::write(place.path("cut.pgn.gz"), &packed[..packed.len() / 2]).unwrap();
    let ran = place.run("repair cut.pgn.gz out.pgn");
    let words =
        ["the gzip data is cut off", &format!("ends at byte {}", packed.len() / 2), "written"];
    assert!(ran.code == 4 && words.iter().all(|words| ran.err.contains(words)), "{ran}");
    let whole = place.text("out.pgn").matches("[White ").count();
    assert!(whole > 1000 && whole < 2000, "{whole}");
    let ran = place.run("check cut.pgn.gz");
    assert!(ran.code == 1 && ran.out.contains("breaks off inside this game"), "{ran}");
    // There is nothing to rescue.
    fs::write(place.path("stub.pgn.gz"), &packed[..12]).unwrap();
    assert_eq!(place.run("repair stub.pgn.gz none.pgn").code, 3);
    assert_eq!(place.run("check stub.pgn.gz").code, 1);
}

#[test]
fn gzip_with_bytes_behind_it_is_read_with_a_warning() {
    let place = Place::new();
    fs::write(place.path("a.pgn.gz"), [gzip(GAMES), b"rubbish".to_vec()].concat()).unwrap();
    fs::write(place.path("b.pgn.gz"), [gzip(GAMES), vec![0; 700]].concat()).unwrap();
    for line in ["convert a.pgn.gz -", "list a.pgn.gz", "tree a.pgn.gz"] {
        let ran = place.run(line).well();
        assert_eq!(ran.err.matches("compressed-trailing-bytes").count(), 1, "{line}: {ran}");
    }
    assert_eq!(place.run("check --strict a.pgn.gz").code, 1);
    assert_eq!(place.run("convert --strict a.pgn.gz out.pgn").code, 3);
    assert_eq!(place.run("check --strict b.pgn.gz").well().err.matches("sound").count(), 1);
}

#[test]
fn file_that_is_not_what_its_name_says_is_refused() {
    let place = Place::new();
    let mut packed = gzip(GAMES);
    packed[0] ^= 1;
    fs::write(place.path("a.pgn.gz"), packed).unwrap();
    fs::write(place.path("empty.pgn.zst"), "").unwrap();
    for name in ["a.pgn.gz", "empty.pgn.zst"] {
        let ran = place.run(&format!("convert {name} out.pgn"));
        assert!(ran.code == 3 && ran.err.contains("does not begin as such a file"), "{ran}");
    }
}
