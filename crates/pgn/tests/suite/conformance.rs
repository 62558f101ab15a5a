//! Every case of fixtures/pgn: its games, its export, its diagnostics.

use std::sync::Arc;

use chess_core::TYPED_TAGS;
use chess_store::erased::{Opener, Source};
use chess_store::{AnyError, OpenOptions, Scope, StreamInput, StreamReader};
use pgn::{Diagnostics, Encoding, ErrorKind, Game, Location, Warning};
use testkit::{Case, cases};

fn source(case: &Case) -> Result<Box<dyn Source>, AnyError> {
    let Some(Opener::Source(open)) = pgn::FORMATS[0].open else { panic!("a source") };
    let encoding = case.meta.encoding.as_deref();
    let mut options = OpenOptions::default();
    options.encoding = encoding.map(|label| Encoding::from_label(label).unwrap());
    open(StreamInput::of_file(Arc::new(case.bytes("base.pgn"))), &options)
}

fn open(case: &Case) -> Result<StreamReader<Box<dyn Source>>, AnyError> {
    Ok(StreamReader::new(source(case)?))
}

#[test]
fn fixture_games_match_expected() {
    for case in cases("pgn") {
        match source(&case) {
            Ok(source) => case.assert_source(source),
            Err(error) => case.assert_closed(&error),
        }
    }
}

fn options(case: &Case) -> pgn::OpenOptions {
    let mut options = pgn::OpenOptions::default();
    let label = case.meta.encoding.as_deref();
    options.encoding = label.map(|label| Encoding::from_label(label).unwrap());
    options
}

/// Returns whether a game failed because of its variant.
fn is_variant<E: std::fmt::Display>(read: &Result<bool, E>) -> bool {
    read.as_ref().is_err_and(|error| error.to_string().contains(": variant "))
}

/// Reading only headers gives the same headers, the same number of games, and the same warnings
/// outside the moves.
#[test]
fn read_header_matches_read_game() {
    for case in cases("pgn") {
        let bytes = case.bytes("base.pgn");
        let mut reader = pgn::Reader::with_options(bytes.as_slice(), &options(&case));
        let Ok(mut games) = open(&case) else { continue };
        let (mut header, mut game) = (pgn::Header::default(), Game::new());
        loop {
            let (mut notes, mut all) = (Diagnostics::lenient(), Diagnostics::lenient());
            let found = games.read_game(&mut game, &mut all);
            let alone = reader.read_header(&mut header, &mut notes).map_err(AnyError::from);
            assert_eq!(header, game.header, "{}", case.name);
            assert_eq!(reader.position(), games.position(), "{}", case.name);
            let of_the_moves = |place: Location| place.ply.is_some();
            assert_eq!(is_variant(&alone), is_variant(&found), "{}", case.name);
            // The error text includes the first move that is illegal in chess.
            let alone = if is_variant(&found) { Ok(true) } else { alone };
            let found = match found {
                found if is_variant(&found) => Ok(true),
                Err(error) if of_the_moves(error.location()) => Ok(true),
                found => found.map_err(|error| error.to_string()),
            };
            let alone = alone.map_err(|error| error.to_string());
            assert_eq!(alone, found, "{}", case.name);
            let outside = |notes: &Diagnostics| -> Vec<Warning> {
                let warnings = notes.warnings().iter().copied();
                warnings.filter(|warning| !of_the_moves(warning.at)).collect()
            };
            assert_eq!(outside(&notes), outside(&all), "{}", case.name);
            for warning in notes.warnings().iter().filter(|warning| of_the_moves(warning.at)) {
                assert!(is_of_the_end(warning), "{}: {warning}", case.name);
            }
            if alone == Ok(false) {
                break;
            }
        }
    }
}

/// Returns whether a warning is about the text after the moves, or about missing text there.
fn is_of_the_end(warning: &Warning) -> bool {
    let quirk = warning.quirk::<pgn::Quirk>();
    quirk.is_some_and(|quirk| {
        use pgn::Quirk::{CommentAfterResult, MissingResult, ResultMismatch, ResultSpelling};
        [CommentAfterResult, MissingResult, ResultMismatch, ResultSpelling].contains(&quirk)
    })
}

/// Alternating between headers and games gives the same results as reading only games.
#[test]
fn read_header_alternating_with_read_game_agrees() {
    for case in cases("pgn") {
        let bytes = case.bytes("base.pgn");
        let mut reader = pgn::Reader::with_options(bytes.as_slice(), &options(&case));
        let Ok(mut games) = open(&case) else { continue };
        let (mut game, mut same) = (Game::new(), Game::new());
        for number in 1.. {
            let mut notes = Diagnostics::lenient();
            let found = games.read_game(&mut game, &mut notes);
            let read = if number % 2 == 0 {
                reader.read_header(&mut same.header, &mut Diagnostics::lenient())
            } else {
                let read = reader.read_game(&mut same, &mut Diagnostics::lenient());
                assert_eq!(same, game, "{}", case.name);
                assert_eq!(read.is_ok(), found.is_ok(), "{}", case.name);
                read
            };
            assert_eq!(same.header, game.header, "{}", case.name);
            if matches!(found, Ok(false)) {
                assert!(matches!(read, Ok(false)), "{}", case.name);
                assert_eq!(reader.found(), number - 1, "{}", case.name);
                break;
            }
            assert_eq!(reader.found(), number, "{}", case.name);
        }
    }
}

#[test]
fn fixture_export_matches_expected_and_reads_back() {
    for case in cases("pgn") {
        let Ok(mut source) = open(&case) else { continue };
        let (mut text, mut exporter) = (Vec::new(), pgn::Exporter::new());
        let (mut games, mut game) = (Vec::new(), Game::new());
        while !matches!(source.read_game(&mut game, &mut Diagnostics::lenient()), Ok(false)) {
            exporter.write_game(&game, &mut text);
            games.push(game.clone());
        }
        assert_eq!(
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(&case.bytes("expected.pgn")),
            "{}",
            case.name
        );
        if case.name != "bad_fen" {
            let (mut back, mut reader) = (Vec::new(), pgn::Reader::new(text.as_slice()));
            loop {
                match reader.read_game(&mut game, &mut Diagnostics::lenient()) {
                    Ok(false) => break,
                    Ok(true) => {}
                    // An unsupported variant is an error each time.
                    Err(error) => assert!(matches!(error.kind(), ErrorKind::Variant(_)), "{error}"),
                }
                back.push(game.clone());
            }
            assert!(games == back, "{}: what is written reads back otherwise", case.name);
        }
    }
}

/// The spellings of typed tags occur once each, before all other tags and in their own order.
#[test]
fn header_spellings_are_in_order() {
    for case in cases("pgn") {
        let Ok(mut games) = open(&case) else { continue };
        let mut game = Game::new();
        while !matches!(games.read_game(&mut game, &mut Diagnostics::lenient()), Ok(false)) {
            let place = |name: &str| TYPED_TAGS.iter().position(|typed| *typed == name);
            let places = game.header.tags.iter().map(|(name, _)| place(name).unwrap_or(usize::MAX));
            let places: Vec<usize> = places.collect();
            let once = places.is_sorted_by(|a, b| a < b || (*a, *b) == (usize::MAX, usize::MAX));
            assert!(once, "{}: {:?}", case.name, game.header.tags);
        }
    }
}

#[test]
fn fixture_diagnostics_match_expected() {
    for case in cases("pgn") {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(&case.dir);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("diagnostics", diagnostics(&case)));
    }
}

/// Returns the warnings and errors in the order of the reader.
fn diagnostics(case: &Case) -> String {
    let mut said = String::new();
    let mut source = match open(case) {
        Ok(source) => source,
        Err(error) => return format!("not opened: {error}"),
    };
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    loop {
        let result = source.read_game(&mut game, &mut diagnostics);
        for warning in diagnostics.warnings() {
            said += &format!("warning: {warning}\n");
        }
        if diagnostics.unlisted().total() > 0 {
            said += &format!("and {} warnings more\n", diagnostics.unlisted().total());
        }
        diagnostics.clear();
        match result {
            Ok(true) => {}
            Ok(false) => return said,
            Err(error) => {
                assert_eq!(error.scope(), Scope::Game);
                said += &format!("error: {error}\n");
            }
        }
    }
}

#[test]
fn reader_warnings_are_those_of_the_last_game() {
    // Only the tag of the first game has no quotes.
    let text = "[White A]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. c4 *\n";
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut counts = Vec::new();
    let mut reader = pgn::Reader::new(text.as_bytes());
    while reader.read_game(&mut game, &mut diagnostics).unwrap() {
        counts.push(diagnostics.warnings().len());
    }
    assert_eq!(counts, [1, 0, 0]);
    counts.clear();
    let mut reader = pgn::Reader::new(text.as_bytes());
    while reader.read_header(&mut game.header, &mut diagnostics).unwrap() {
        counts.push(diagnostics.warnings().len());
    }
    assert_eq!(counts, [1, 0, 0]);
}

#[test]
fn reader_strict_deviation_is_error_and_reading_continues() {
    for case in cases("pgn") {
        let (Ok(mut strict), Ok(mut lenient)) = (open(&case), open(&case)) else { continue };
        let (mut game, mut same) = (Game::new(), Game::new());
        let mut notes = Diagnostics::lenient();
        loop {
            let result = strict.read_game(&mut game, &mut Diagnostics::strict());
            let plain = lenient.read_game(&mut same, &mut notes);
            assert_eq!(game, same, "{}", case.name);
            let clean = notes.warnings().is_empty();
            notes.clear();
            match (result, plain) {
                (Ok(false), Ok(false)) => break,
                (Ok(true), Ok(true)) => assert!(clean, "{}", case.name),
                (Err(_), plain) => assert!(!clean || plain.is_err(), "{}", case.name),
                (result, plain) => panic!("{}: {result:?}, {plain:?}", case.name),
            }
        }
    }
}

#[test]
fn formats_options_by_name_are_refused() {
    let Some(Opener::Source(open)) = pgn::FORMATS[0].open else { panic!("a source") };
    let mut options = OpenOptions::default();
    options.settings.set("speed", "high");
    let error = open(StreamInput::new(Box::new(std::io::empty())), &options).err().unwrap();
    assert_eq!(
        error.message().to_string(),
        "unknown option speed=high: this format has no options here"
    );
}
