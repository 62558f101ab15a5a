//! Every case of fixtures/movecode reads as its expected.jsonl and reports its warnings and errors.

use std::fmt::Write as _;

use chess_store::AnyError;

use movecode::prelude::*;
use movecode::{Database, OpenOptions, Quirk};
use testkit::Case;

use crate::common::open_case;

/// The cases, except the RAR archive, which tests builds without RAR support.
fn cases(format: &str) -> Vec<Case> {
    let mut cases = testkit::cases(format);
    cases.retain(|case| !cfg!(feature = "rar") || case.name != "bad_rar");
    cases
}

fn open(case: &Case) -> Result<Database, AnyError> {
    Ok(open_case(case, OpenOptions::default())?)
}

#[test]
fn cases_read_as_expected() {
    for case in cases("movecode") {
        case.assert_opened(&open(&case));
    }
}

#[test]
fn options_read_as_expected() {
    assert!(!testkit::assert_options_read("movecode", movecode::FORMATS).is_empty());
}

#[test]
fn header_read_alone_equals_game_header() {
    for case in cases("movecode") {
        let Ok(base) = open(&case) else { continue };
        let (mut game, mut header) = (Game::new(), Header::default());
        let mut reader = base.reader();
        for number in 0..base.len() {
            let mut diagnostics = Diagnostics::lenient();
            let whole = reader.game(number, &mut game, &mut diagnostics);
            let alone = reader.header(number, &mut header, &mut diagnostics);
            if whole.is_ok() && game.header.tags.get("JoseResult").is_none() {
                alone.unwrap();
                // The result of the codes is read with the moves (movecode §3.5.2).
                if header.result == movecode::chess_core::GameResult::Unknown {
                    header.result = game.header.result;
                }
                assert_eq!(header, game.header, "{}, game {}", case.name, number + 1);
            }
        }
    }
}

#[test]
fn strict_reading_refuses_quirks_and_agrees_otherwise() {
    for case in cases("movecode") {
        let Ok(base) = open(&case) else { continue };
        testkit::assert_strict_takes_the_sound(&base, &case.name);
    }
}

#[test]
fn strict_opening_first_quirk_is_error() {
    let mut refused = 0;
    for case in cases("movecode") {
        let Ok(lenient) = open(&case) else { continue };
        let mut options = OpenOptions::default();
        options.strict = true;
        let strict = Database::open_with(case.path("jose"), &options);
        match lenient.warnings().first() {
            None => assert_eq!(strict.unwrap().len(), lenient.len(), "{}", case.name),
            Some(warning) => {
                let error = AnyError::from(strict.unwrap_err());
                assert_eq!(error.scope(), chess_store::Scope::Base);
                assert_eq!(error.to_string(), format!("{}: {}", warning.at, warning.message));
                assert!(warning.quirk::<Quirk>().is_some());
                refused += 1;
            }
        }
    }
    assert!(refused >= 3);
}

#[test]
fn cases_messages_match_snapshot() {
    let text: String = cases("movecode")
        .iter()
        .map(|case| format!("{}\n{}", case.name, testkit::what_is_said(&open(case))))
        .collect();
    if !cfg!(feature = "rar") {
        insta::assert_snapshot!(text);
    }
}

#[test]
fn dump_sample_game_matches_snapshot() {
    let cases = cases("movecode");
    let case = cases.iter().find(|case| case.name == "comments").unwrap();
    let base = open(case).unwrap();
    let (mut text, mut reader) = (String::new(), base.reader());
    for number in 0..base.len() {
        let mut next = None;
        reader
            .dump(number, &mut |field| {
                let bytes: String = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                writeln!(text, "{:5} {bytes:24} {}: {}", field.offset, field.name, field.value)
                    .unwrap();
                assert!(next.is_none_or(|next| next == field.offset), "{field:?}");
                next = Some(field.offset + field.bytes.len() as u64);
            })
            .unwrap();
    }
    insta::assert_snapshot!(text);
}
