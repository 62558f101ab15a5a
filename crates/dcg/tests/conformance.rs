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
        match open(&case) {
            Ok(base) => {
                assert_eq!(base.len(), case.meta.games, "{}", case.name);
                case.assert_database(&base);
            }
            Err(error) => {
                assert!(case.is_bad(), "{}: {error}", case.name);
                case.assert_closed(&error);
            }
        }
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

/// All that is said of a base: on opening, and game by game.
fn report(case: &Case) -> String {
    let mut text = format!("{}\n", case.name);
    let base = match open(case) {
        Ok(base) => base,
        Err(error) => {
            writeln!(text, "  error: {error}").unwrap();
            return text;
        }
    };
    for warning in base.warnings() {
        writeln!(text, "  {warning}").unwrap();
    }
    let mut game = Game::new();
    for number in 0..base.len() {
        let mut diagnostics = Diagnostics::lenient();
        let result = base.game(number, &mut game, &mut diagnostics);
        for warning in diagnostics.warnings() {
            writeln!(text, "  {warning}").unwrap();
        }
        if let Err(error) = result {
            writeln!(text, "  error: {error}").unwrap();
        }
    }
    text
}

#[test]
fn what_is_said_of_each() {
    let text: String = cases("dcg").iter().map(report).collect();
    insta::assert_snapshot!(text);
}

#[test]
fn strict_takes_no_quirk_and_reads_the_rest_the_same() {
    for case in cases("dcg") {
        let Ok(base) = open(&case) else { continue };
        let (mut lenient, mut strict) = (Game::new(), Game::new());
        for number in 0..base.len() {
            let mut diagnostics = Diagnostics::lenient();
            let tolerated = base.game(number, &mut lenient, &mut diagnostics);
            let taken = base.game(number, &mut strict, &mut Diagnostics::strict());
            let sound = tolerated.is_ok() && diagnostics.warnings().is_empty();
            assert_eq!(taken.is_ok(), sound, "{}, game {}", case.name, number + 1);
            if sound {
                assert_eq!(lenient, strict);
            }
        }
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
