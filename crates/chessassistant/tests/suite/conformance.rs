//! Every fixture gives the games of its `expected.jsonl`, and the warnings and errors of the
//! snapshots.

use std::fmt::Write as _;

use chessassistant::prelude::*;
use chessassistant::{Diagnostics, OpenOptions, Quirk};

use crate::common::{self, open_case, open_case_with};

#[test]
fn read_fixture_gives_expected_games() {
    for case in testkit::cases("chessassistant") {
        case.assert_opened(&open_case(&case).map_err(Into::into));
    }
}

#[test]
fn options_read_as_expected() {
    assert!(!testkit::assert_options_read("chessassistant", chessassistant::FORMATS).is_empty());
}

/// The warnings of opening, then errors and warnings of each game; `(clean)` if there are none.
#[test]
fn read_fixture_reports_each_problem() {
    let mut report = String::new();
    for case in testkit::cases("chessassistant") {
        let before = report.len();
        writeln!(report, "== {}", case.name).unwrap();
        let empty = report.len();
        match open_case(&case) {
            Ok(base) => {
                for warning in base.warnings() {
                    writeln!(report, "{warning}").unwrap();
                }
                let (mut game, mut reader) = (Game::new(), base.reader());
                for number in 0..base.len() {
                    let mut diagnostics = Diagnostics::lenient();
                    if let Err(error) = reader.game(number, &mut game, &mut diagnostics) {
                        writeln!(report, "error {error}").unwrap();
                    }
                    for warning in diagnostics.warnings().iter().take(6) {
                        writeln!(report, "{warning}").unwrap();
                    }
                    if diagnostics.warnings().len() > 6 {
                        writeln!(report, "and more").unwrap();
                    }
                }
            }
            Err(error) => writeln!(report, "closed {error}").unwrap(),
        }
        let silent = report.len() == empty;
        assert!(!(case.is_bad() && silent), "{} is damaged and nothing is said", case.name);
        if silent {
            report.truncate(before);
        }
    }
    insta::assert_snapshot!(report);
}

/// Lenient reading gives the same game as strict reading. A quirk is an error in strict mode.
#[test]
fn strict_accepted_game_matches_lenient() {
    for case in testkit::cases("chessassistant") {
        let Ok(base) = open_case(&case) else { continue };
        testkit::assert_strict_takes_the_sound(&base, &case.name);
    }
}

#[test]
fn read_header_matches_whole_game() {
    for case in testkit::cases("chessassistant") {
        let Ok(base) = open_case(&case) else { continue };
        let (mut header, mut game) = (Header::default(), Game::new());
        let mut reader = base.reader();
        for number in 0..base.len() {
            // Damage in either affects only this game.
            let _ = reader.header(number, &mut header, &mut Diagnostics::lenient());
            let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
            // A00 in a game with its own start position is the one field that depends on the moves.
            if game.setup().is_some() && game.header.eco.is_none() {
                header.eco = None;
            }
            assert_eq!(header, game.header, "{} game {}", case.name, number + 1);
        }
        assert!(reader.header(base.len(), &mut header, &mut Diagnostics::lenient()).is_err());
    }
}

#[test]
fn details_fixtures_match_snapshot() {
    let cases = testkit::cases("chessassistant");
    let mut report = String::new();
    for name in
        ["features", "cyrillic", "comments", "outcomes", "counted_left", "bad_unknown_codes"]
    {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        writeln!(report, "== {name}").unwrap();
        let base = open_case(case).unwrap();
        for (fact, value) in base.about().iter() {
            writeln!(report, "{fact}: {value}").unwrap();
        }
        for (row, value) in base.details() {
            writeln!(report, "{row}: {value}").unwrap();
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn dump_fixtures_match_snapshot() {
    let cases = testkit::cases("chessassistant");
    let mut report = String::new();
    for (name, number) in
        [("vectors", 2), ("comments", 9), ("redirects", 0), ("promotions", 1), ("bad_setups", 1)]
    {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        writeln!(report, "== {name} {}", number + 1).unwrap();
        let mut each = |field: chess_store::Field| {
            let bytes = field.bytes.iter().fold(String::new(), |mut text, byte| {
                write!(text, "{byte:02x}").unwrap();
                text
            });
            let (file, offset) = (field.file, field.offset);
            writeln!(report, "{file} {offset}: {bytes} {} {}", field.name, field.value).unwrap();
        };
        if let Err(error) = open_case(case).unwrap().reader().dump(number, &mut each) {
            writeln!(report, "error {error}").unwrap();
        }
    }
    insta::assert_snapshot!(report);
}

/// A dump has every byte of the record, in order.
#[test]
fn dump_fixture_names_every_byte() {
    for case in testkit::cases("chessassistant").iter().filter(|case| !case.is_bad()) {
        let base = open_case(case).unwrap();
        let d02 = common::files_of(case).d02;
        for number in 0..base.len() {
            let mut end = None;
            let dumped = base.reader().dump(number, &mut |field| {
                if field.file == "d02" {
                    let start = field.offset as usize;
                    assert!(end.is_none_or(|end| end == start), "{}: a gap", case.name);
                    assert_eq!(d02[start..start + field.bytes.len()], field.bytes, "{}", case.name);
                    end = Some(start + field.bytes.len());
                }
            });
            // The only record with a three-byte length is dumped as stated.
            assert!(dumped.is_ok() || case.name == "long_length", "{}: {dumped:?}", case.name);
        }
    }
}

/// Strict opening accepts exactly the bases without warnings on opening.
#[test]
fn open_strict_quirk_is_error() {
    let mut strict = OpenOptions::default();
    strict.strict = true;
    for case in testkit::cases("chessassistant") {
        let Ok(lenient) = open_case(&case) else { continue };
        match (lenient.warnings().first(), open_case_with(&case, strict.clone())) {
            (None, opened) => assert!(opened.is_ok(), "{}: {opened:?}", case.name),
            (Some(warning), opened) => {
                let error = opened.expect_err(&case.name);
                assert_eq!(error.scope(), chessassistant::Scope::Base, "{}", case.name);
                assert_eq!(error.location(), warning.at, "{}", case.name);
                let message = warning.quirk::<Quirk>().unwrap();
                assert!(error.to_string().contains(chess_store::Quirk::message(message)));
            }
        }
    }
}
