//! Tests that all commands agree about a damaged base.

use std::fs;
use std::path::PathBuf;

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

#[test]
fn check_unsupported_file_gives_no_verdict() {
    let place = Place::new();
    fs::write(place.path("book.ctg"), [0; 64]).unwrap();
    let ran = place.run("check book.ctg");
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.err.contains("opening book") && !ran.err.contains("broken"), "{ran}");
    let ran = place.run("check --json book.ctg");
    assert!(ran.code == 3 && ran.out.contains("\"kind\":\"unsupported\""), "{ran}");
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
