//! Every base under fixtures/movecode gives the games of its expected.jsonl, and says what is wrong.

use std::fmt::Write as _;

use chess_store::AnyError;

use movecode::prelude::*;
use movecode::{Database, OpenOptions, Quirk};
use testkit::Case;

use crate::common::open_case;

/// The bases; the one in RAR is about builds that cannot read it.
fn cases(format: &str) -> Vec<Case> {
    let mut cases = testkit::cases(format);
    cases.retain(|case| !cfg!(feature = "rar") || case.name != "bad_rar");
    cases
}

fn open(case: &Case) -> Result<Database, AnyError> {
    Ok(open_case(case, OpenOptions::default())?)
}

#[test]
fn games_are_as_expected() {
    for case in cases("movecode") {
        case.assert_opened(&open(&case));
    }
}

#[test]
fn options_read_as_expected() {
    assert!(!testkit::assert_options_read("movecode", movecode::FORMATS).is_empty());
}

#[test]
fn headers_alone_are_those_of_the_games() {
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
                // What the codes say of a result comes with the moves (movecode §3.5.2).
                if header.result == movecode::chess_core::GameResult::Unknown {
                    header.result = game.header.result;
                }
                assert_eq!(header, game.header, "{}, game {}", case.name, number + 1);
            }
        }
    }
}

#[test]
fn strict_takes_no_quirk_and_reads_the_rest_the_same() {
    for case in cases("movecode") {
        let Ok(base) = open(&case) else { continue };
        testkit::assert_strict_takes_the_sound(&base, &case.name);
    }
}

#[test]
fn strict_opening_makes_an_error_of_the_first_quirk() {
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
fn what_is_said_of_each() {
    let text: String = cases("movecode")
        .iter()
        .map(|case| format!("{}\n{}", case.name, testkit::what_is_said(&open(case))))
        .collect();
    if !cfg!(feature = "rar") {
        insta::assert_snapshot!(text);
    }
}

#[test]
fn dump_names_every_byte() {
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
