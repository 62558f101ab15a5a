//! Compares the games and diagnostics of every base under fixtures/cbh with its expected.jsonl.

use std::fmt::Write as _;

use cbh::prelude::*;
use cbh::{Database, Encoding, OpenOptions, Scope};
use chess_store::AnyError;
use testkit::Case;

fn open(case: &Case) -> Result<Database, AnyError> {
    let mut options = OpenOptions::default();
    options.encoding = case.meta.encoding.as_deref().and_then(Encoding::from_label);
    Ok(Database::open_with(case.path("cbh"), &options)?)
}

/// The cases of the family that are not archives.
fn cases() -> impl Iterator<Item = Case> {
    testkit::cases("cbh").into_iter().filter(|case| case.meta.format == "cbh")
}

#[test]
fn conformance_games_match_expected() {
    for case in cases() {
        case.assert_opened(&open(&case));
    }
}

#[test]
fn conformance_options_match_expected() {
    assert!(!testkit::assert_options_read("cbh", cbh::FORMATS).is_empty());
}

#[test]
fn header_all_fixtures_equals_header_of_game() {
    for case in cases() {
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
            // Tags from moves and annotations come last.
            let mut with_moves = game.header.clone();
            with_moves.tags = header.tags.clone();
            assert_eq!(header, with_moves, "{}, game {}", case.name, number + 1);
            let tags: Vec<_> = game.header.tags.iter().take(header.tags.len()).collect();
            assert_eq!(header.tags.iter().collect::<Vec<_>>(), tags, "{}", case.name);
        }
    }
}

#[test]
fn diagnostics_all_fixtures_match_snapshot() {
    let text: String = cases()
        .map(|case| format!("{}\n{}", case.name, testkit::what_is_said(&open(&case))))
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn strict_reading_refuses_quirks_only() {
    for case in cases() {
        let Ok(base) = open(&case) else { continue };
        testkit::assert_strict_takes_the_sound(&base, &case.name);
    }
}

#[test]
fn strict_opening_refuses_quirks() {
    let mut options = OpenOptions::default();
    options.strict = true;
    let mut refused = 0;
    for case in cases() {
        let Ok(lenient) = open(&case) else { continue };
        let strict = Database::open_with(case.path("cbh"), &options);
        match lenient.warnings().first() {
            None => assert_eq!(strict.unwrap().len(), lenient.len(), "{}", case.name),
            Some(warning) => {
                let error = strict.unwrap_err();
                assert_eq!(error.to_string(), warning.to_string(), "{}", case.name);
                assert_eq!(error.scope(), Scope::Base, "{}", case.name);
                refused += 1;
            }
        }
    }
    assert!(refused > 2, "{refused} bases with a quirk of their own");
}

#[test]
fn dump_all_fixtures_covers_every_byte() {
    for case in cases() {
        let Ok(base) = open(&case) else { continue };
        let mut reader = base.reader();
        for number in 0..base.len() {
            let mut end: Option<(&str, u64)> = None;
            let (mut jumps, mut moves) = (0, 0);
            let result = reader.dump(number, &mut |field| {
                if end != Some((field.file, field.offset)) {
                    jumps += 1;
                }
                end = Some((field.file, field.offset + field.bytes.len() as u64));
                moves += usize::from(field.name == "move");
            });
            let mut game = Game::new();
            let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
            if read.is_ok() {
                result.unwrap();
                let all =
                    game.tokens().filter(|token| matches!(token, cbh::chess_core::Token::Move(_)));
                assert_eq!(moves, all.count(), "{}, game {}", case.name, number + 1);
            }
            // A header, up to eight names, moves and annotations, without gaps inside any of them.
            assert!(jumps <= 11, "{}, game {}: {jumps}", case.name, number + 1);
        }
    }
}

#[test]
fn dump_annotated_game_matches_snapshot() {
    let case = cases().find(|case| case.name == "annotations").unwrap();
    let mut text = String::new();
    let mut reader = open(&case).unwrap().into_reader();
    reader
        .dump(0, &mut |field| {
            let bytes: Vec<String> = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let (file, offset, name) = (field.file, field.offset, field.name);
            writeln!(text, "{file} {offset:5} {name} [{}] {}", bytes.join(" "), field.value)
                .unwrap();
        })
        .unwrap();
    insta::assert_snapshot!(text);
}
