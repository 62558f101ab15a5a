//! Every base under fixtures/dcg gives the games of its expected.jsonl, and says what is wrong.

use std::fmt::Write as _;

use chess_core::seam::OpenOptions;
use chess_core::{AnyError, Diagnostics, Game};
use dcg::Database;
use testkit::{Case, cases};

fn open(case: &Case) -> Result<Database, AnyError> {
    Ok(Database::open(&case.path("dci"), &OpenOptions::default())?)
}

#[test]
fn games_are_as_expected() {
    for case in cases("dcg") {
        case.assert_opened(&open(&case));
    }
}

#[test]
fn headers_alone_are_those_of_the_games() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        let (mut game, mut header) = (Game::new(), chess_core::Header::default());
        for number in 0..base.len() {
            let (mut one, mut other) = (Diagnostics::lenient(), Diagnostics::lenient());
            let _ = base.game(number, &mut game, &mut one);
            base.header(number, &mut header, &mut other).unwrap();
            assert_eq!(header, game.header, "{}, game {}", case.name, number + 1);
        }
    }
}

#[test]
fn what_is_said_of_each() {
    let text: String = cases("dcg")
        .iter()
        .map(|case| format!("{}\n{}", case.name, testkit::what_is_said(&open(case))))
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn strict_takes_no_quirk_and_reads_the_rest_the_same() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        testkit::assert_strict_takes_the_sound(&base, &case.name);
    }
}

#[test]
fn a_dump_names_every_byte() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        for number in 0..base.len() {
            let mut ends: Vec<(&str, u64)> = Vec::new();
            let mut jumps = 0;
            let result = base.dump(number, &mut |field| {
                let (file, end) = ends.pop().unwrap_or((field.file, field.offset));
                jumps += usize::from((file, end) != (field.file, field.offset));
                ends.push((field.file, field.offset + field.bytes.len() as u64));
            });
            let mut diagnostics = Diagnostics::lenient();
            let read = base.game(number, &mut Game::new(), &mut diagnostics);
            if read.is_ok() {
                result.unwrap();
            }
            // The entry, four names, the record: no gap inside any of them.
            assert!(jumps <= 5, "{}, game {}", case.name, number + 1);
        }
    }
}

#[test]
fn a_dump_in_full() {
    let case = cases("dcg").into_iter().find(|case| case.name == "variations").unwrap();
    let mut text = String::new();
    open(&case)
        .unwrap()
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
