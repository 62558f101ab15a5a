//! Every base under fixtures/movecode gives the games of its expected.jsonl, and says what is wrong.

use std::fmt::Write as _;

use chess_core::seam::OpenOptions;
use chess_core::{AnyError, Diagnostics, Game, Header};
use movecode::Database;
use testkit::Case;

/// The bases; the one in RAR is about builds that cannot read it.
fn cases(format: &str) -> Vec<Case> {
    let mut cases = testkit::cases(format);
    cases.retain(|case| !cfg!(feature = "rar") || case.name != "bad_rar");
    cases
}

fn open(case: &Case) -> Result<Database, AnyError> {
    Ok(Database::open(&case.path("jose"), &OpenOptions::default())?)
}

#[test]
fn games_are_as_expected() {
    for case in cases("movecode") {
        case.assert_opened(&open(&case));
    }
}

#[test]
fn headers_alone_are_those_of_the_games() {
    for case in cases("movecode") {
        let Ok(base) = open(&case) else { continue };
        let (mut game, mut header) = (Game::new(), Header::default());
        for number in 0..base.len() {
            let mut diagnostics = Diagnostics::lenient();
            let whole = base.game(number, &mut game, &mut diagnostics);
            let alone = base.header(number, &mut header, &mut diagnostics);
            // What the codes say of a result comes with the moves.
            if whole.is_ok() && game.header.tags.get("JoseResult").is_none() {
                alone.unwrap();
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
    let mut text = String::new();
    for number in 0..base.len() {
        let mut next = None;
        base.dump(number, &mut |field| {
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
