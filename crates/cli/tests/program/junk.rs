//! Tests of random bytes and empty files under the names of each format: they are never taken for
//! sound games.

use std::fs;

use insta::assert_snapshot;
use scoresheet::Format;

use crate::place::{Place, Ran};

/// Seeds of random bytes to try each format with.
const SEEDS: u64 = 8;
const COMMANDS: [&str; 4] = ["info", "list", "check", "convert"];
const SAYING: [&str; 3] = ["info", "list", "convert"];

fn readable() -> impl Iterator<Item = &'static Format> {
    scoresheet::formats().filter(|format| format.open.is_some())
}

/// Which files of a base are junk.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Junk {
    /// Its first file, without any other.
    First,
    /// Every file that a base of the format may have.
    All,
}

/// A format without magic number or checksum reads games from any bytes, and finds them damaged
/// because their moves make no sense. Among these formats only the index (`.si5`, `.d00`) has no
/// mark.
fn has_no_mark(format: &Format, junk: Junk) -> bool {
    match format.name {
        "fbk" | "pgn" | "jsonl" | "epd" | "fen" => true,
        "si5" | "chessassistant" => junk == Junk::All,
        _ => false,
    }
}

/// `list` reads only headers, and any bytes are a header: damage is found only in the moves. PGN
/// has no header without moves.
fn lists_anything(format: &Format, junk: Junk) -> bool {
    has_no_mark(format, junk) && !matches!(format.name, "pgn" | "jsonl" | "epd" | "fen")
}

fn lay(place: &Place, format: &Format, junk: Junk, seed: u64) -> String {
    let mut random = testkit::Random::new(seed);
    let count = if junk == Junk::All { format.extensions.len() } else { 1 };
    for extension in &format.extensions[..count] {
        fs::write(place.path(&format!("junk.{extension}")), random.bytes(3000)).unwrap();
    }
    format!("junk.{}", format.extensions[0])
}

fn run(place: &Place, command: &str, name: &str) -> Ran {
    let _ = fs::remove_file(place.path("out.pgn"));
    let target = if command == "convert" { " out.pgn" } else { "" };
    place.run(&format!("{command} {name}{target}"))
}

/// Expects one line on standard error that names a file of the base, and no output.
fn assert_refused(place: &Place, command: &str, ran: &Ran) {
    assert!(ran.out.is_empty() && !place.path("out.pgn").exists(), "{ran}");
    // A file that may be an encrypted archive is not judged.
    if command == "check" && ran.code != 3 {
        assert_eq!(ran.code, 1, "{ran}");
        assert!(ran.err.starts_with("junk.") && ran.err.ends_with(": broken; 0 games\n"), "{ran}");
    } else {
        assert_eq!((ran.code, ran.err.lines().count()), (3, 1), "{ran}");
        assert!(ran.err.starts_with("scoresheet: junk."), "{ran}");
    }
}

/// Expects that games were found and reported as damaged, or that no game was found.
fn assert_told(format: &Format, command: &str, ran: &Ran) {
    let told = match command {
        "info" => ran.out.contains("\ndamaged      "),
        "check" => ran.out.contains("game 1") && ran.err.contains(": damaged; "),
        _ => ran.err.contains("game 1") && ran.err.starts_with("junk."),
    };
    let barren = format.name == "pgn" && ran.err.starts_with("junk.pgn: contains no games\n");
    assert!(told || barren, "{ran}");
    let code = if barren || command == "check" { 1 } else { 4 };
    assert!(ran.code == code || command == "list" && ran.code == 0, "{ran}");
}

fn try_everything(junk: Junk) {
    for format in readable() {
        for seed in 0..SEEDS {
            let place = Place::new();
            let name = lay(&place, format, junk, seed);
            for command in COMMANDS {
                let ran = run(&place, command, &name);
                if command == "list" && lists_anything(format, junk) {
                    assert!(ran.code <= 1 || ran.code == 4, "{ran}");
                } else if has_no_mark(format, junk) {
                    assert_told(format, command, &ran);
                } else {
                    assert_refused(&place, command, &ran);
                }
            }
        }
    }
}

#[test]
fn junk_single_file_is_no_base() {
    try_everything(Junk::First);
}

#[test]
fn junk_in_every_file_is_no_base() {
    try_everything(Junk::All);
}

#[test]
fn junk_and_empty_files_messages_match_snapshot() {
    let mut said = String::new();
    // The messages of tables are not in the snapshot, because the tests are built without them.
    for format in readable().filter(|format| !matches!(format.name, "parquet" | "arrow")) {
        let place = Place::new();
        for (what, junk) in [("alone", Junk::First), ("in all files", Junk::All)] {
            let name = lay(&place, format, junk, 7);
            for command in SAYING {
                let ran = run(&place, command, &name);
                add(&mut said, &format!("{command} {name}, junk {what}"), &ran);
            }
        }
        for extension in format.extensions {
            fs::write(place.path(&format!("junk.{extension}")), "").unwrap();
        }
        let name = format!("junk.{}", format.extensions[0]);
        for command in SAYING {
            add(&mut said, &format!("{command} {name}, all empty"), &run(&place, command, &name));
        }
    }
    assert_snapshot!(said);
}

/// Formats the exit code and standard error; of many lines, only the first and the last two.
fn add(said: &mut String, what: &str, ran: &Ran) {
    said.push_str(&format!("{what}: {}\n", ran.code));
    let lines: Vec<&str> = ran.err.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if index == 0 || index + 2 >= lines.len() {
            said.push_str(&format!("    {line}\n"));
        }
    }
}
