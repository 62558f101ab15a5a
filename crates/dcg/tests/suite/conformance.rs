//! Every base under fixtures/dcg gives the games of its expected.jsonl, and the expected messages.

use std::fmt::Write as _;

use chess_store::AnyError;
use dcg::prelude::*;
use dcg::{Database, OpenOptions, Quirk, Scope};
use testkit::{Case, cases};

fn open(case: &Case) -> Result<Database, AnyError> {
    Ok(Database::open(case.path("dci"))?)
}

#[test]
fn read_fixture_gives_expected_games() {
    for case in cases("dcg") {
        case.assert_opened(&open(&case));
    }
}

#[test]
fn options_read_as_expected() {
    assert!(!testkit::assert_options_read("dcg", dcg::FORMATS).is_empty());
}

#[test]
fn read_header_matches_whole_game() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        let (mut game, mut header, mut reader) = (Game::new(), Header::default(), base.reader());
        let mut diagnostics = Diagnostics::lenient();
        for number in 0..base.len() {
            if let Err(error) = reader.game(number, &mut game, &mut diagnostics) {
                assert_eq!(error.scope(), Scope::Game, "{}: {error}", case.name);
            }
            if let Err(error) = reader.header(number, &mut header, &mut diagnostics) {
                assert_eq!(error.scope(), Scope::Game, "{}: {error}", case.name);
            }
            assert_eq!(header, game.header, "{}, game {}", case.name, number + 1);
        }
    }
}

#[test]
fn read_fixture_reports_each_problem() {
    let text: String = cases("dcg")
        .iter()
        .map(|case| format!("{}\n{}", case.name, testkit::what_is_said(&open(case))))
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn strict_accepted_game_matches_lenient() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        testkit::assert_strict_takes_the_sound(&base, &case.name);
    }
}

#[test]
fn open_strict_quirk_is_error() {
    let mut options = OpenOptions::default();
    options.strict = true;
    let mut refused = 0;
    for case in cases("dcg") {
        let Ok(lenient) = open(&case) else { continue };
        let strict = Database::open_with(case.path("dci"), &options);
        match lenient.warnings().first() {
            None => assert_eq!(strict.unwrap().len(), lenient.len(), "{}", case.name),
            Some(warning) => {
                let error = strict.unwrap_err();
                assert_eq!(error.to_string(), warning.to_string(), "{}", case.name);
                assert_eq!(error.scope(), Scope::Base, "{}", case.name);
                assert!(warning.quirk::<Quirk>().is_some(), "{}", case.name);
                refused += 1;
            }
        }
    }
    assert!(refused > 3, "{refused} bases with a quirk of their own");
}

#[test]
fn dump_fixture_names_every_byte() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        let mut reader = base.reader();
        for number in 0..base.len() {
            let mut ends: Vec<(&str, u64)> = Vec::new();
            let mut jumps = 0;
            let result = reader.dump(number, &mut |field| {
                let (file, end) = ends.pop().unwrap_or((field.file, field.offset));
                jumps += usize::from((file, end) != (field.file, field.offset));
                ends.push((field.file, field.offset + field.bytes.len() as u64));
            });
            let mut diagnostics = Diagnostics::lenient();
            let read = reader.game(number, &mut Game::new(), &mut diagnostics);
            if read.is_ok() {
                result.unwrap();
            }
            // The entry, four names, the record: no gaps.
            assert!(jumps <= 5, "{}, game {}", case.name, number + 1);
        }
    }
}

#[test]
fn dump_sample_matches_snapshot() {
    let case = cases("dcg").into_iter().find(|case| case.name == "variations").unwrap();
    let mut text = String::new();
    let mut reader = open(&case).unwrap().into_reader();
    reader
        .dump(1, &mut |field| {
            let bytes: Vec<String> = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let bytes = bytes.join(" ");
            writeln!(
                text,
                "{} {:5} {} [{}] {}",
                field.file, field.offset, field.name, bytes, field.value
            )
            .unwrap();
        })
        .unwrap();
    insta::assert_snapshot!(text);
}

/// The game to show first by number, by offset, and missing.
#[test]
fn default_game_number_or_offset_is_read() {
    for (name, expected) in [("open_default", 2), ("default_offset", 2), ("bad_default_missing", 0)]
    {
        let case = cases("dcg").into_iter().find(|case| case.name == name).unwrap();
        assert_eq!(open(&case).unwrap().default_game(), expected, "{name}");
    }
}
