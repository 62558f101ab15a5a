//! Every case of fixtures/cbf reads as its expected.jsonl, and a dump covers all of its bytes.

use chess_core::{Game, Header};
use chess_store::erased::{Database, Opener};
use chess_store::{AnyError, Diagnostics, Encoding, OpenOptions, Quirk as _};
use testkit::{Case, cases};

/// The options to open a case with.
fn options(case: &Case) -> OpenOptions {
    let label = case.meta.encoding.as_deref();
    let mut options = OpenOptions::default();
    options.encoding = label.map(|label| Encoding::from_label(label).unwrap());
    options
}

fn open(case: &Case) -> Result<Box<dyn Database>, AnyError> {
    open_with(case, &options(case))
}

fn open_with(case: &Case, options: &OpenOptions) -> Result<Box<dyn Database>, AnyError> {
    let format = cbf::FORMATS.iter().find(|format| format.name == case.meta.format).unwrap();
    let Some(Opener::Database(open)) = format.open else { panic!("not a base of files") };
    open(&case.path(format.extensions[0]), options)
}

#[test]
fn cases_read_as_expected() {
    for case in cases("cbf") {
        match open(&case) {
            Ok(base) => {
                assert_eq!(base.len(), case.meta.games, "{}", case.name);
                case.assert_database(&*base);
            }
            Err(error) if case.is_bad() => case.assert_closed(&error),
            Err(error) => panic!("{}: {error}", case.name),
        }
    }
}

#[test]
fn options_read_as_expected() {
    assert!(!testkit::assert_options_read("cbf", cbf::FORMATS).is_empty());
}

/// Games accepted in strict mode read the same in lenient mode, and every error has a location.
#[test]
fn strict_and_lenient_agree() {
    for case in cases("cbf") {
        let Ok(base) = open(&case) else { continue };
        let (mut lenient, mut strict) = (Game::new(), Game::new());
        let mut reader = base.reader();
        for number in 0..base.len() {
            let read = reader.game(number, &mut lenient, &mut Diagnostics::lenient());
            if reader.game(number, &mut strict, &mut Diagnostics::strict()).is_ok() {
                assert!(read.is_ok() && strict == lenient, "{} game {number}", case.name);
            }
            if let Err(error) = read {
                assert!(case.is_bad(), "{}: {error}", case.name);
                assert!(error.location().offset.is_some(), "{}: {error}", case.name);
                assert_eq!(error.location().game, Some(number), "{}: {error}", case.name);
            }
        }
    }
}

/// A header read alone equals the game's header, except for unused bits of a set-up.
#[test]
fn header_read_alone_equals_game_header() {
    for case in cases("cbf").iter().filter(|case| !case.is_bad()) {
        let base = open(case).unwrap();
        let (mut game, mut header) = (Game::new(), Header::default());
        let mut reader = base.reader();
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            reader.header(number, &mut header, &mut Diagnostics::lenient()).unwrap();
            let idle = game.setup().is_some() && game.header.tags.get(cbf::tags::SPARE).is_some();
            assert!(idle || game.header == header, "{} game {number}", case.name);
        }
    }
}

/// The fields of a dump are contiguous and cover each record.
#[test]
fn dumps_name_every_byte() {
    for case in cases("cbf").iter().filter(|case| !case.is_bad()) {
        let base = open(case).unwrap();
        for number in 0..base.len() {
            let mut fields = Vec::new();
            base.reader().dump(number, &mut |field| fields.push(field)).unwrap();
            let record: Vec<_> = fields.iter().filter(|field| field.file != "cbi").collect();
            for pair in record.windows(2) {
                let end = pair[0].offset + pair[0].bytes.len() as u64;
                assert_eq!(end, pair[1].offset, "{} game {number}", case.name);
            }
            let named: usize = record.iter().map(|field| field.bytes.len()).sum();
            if case.meta.format == "cbf" {
                let base = cbf::Database::open(case.path("cbf")).unwrap();
                let header = base.record_header(number).unwrap();
                assert_eq!(named, header.record_size(), "{} game {number}", case.name);
            }
        }
    }
}

#[test]
fn dump_sample_game_matches_snapshot() {
    let case = cases("cbf").into_iter().find(|case| case.name == "tiny").unwrap();
    let mut text = String::new();
    open(&case)
        .unwrap()
        .reader()
        .dump(0, &mut |field| {
            use std::fmt::Write as _;
            let hex: String = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(
                text,
                ".{} {:>3} {} {hex} {}",
                field.file, field.offset, field.name, field.value
            )
            .unwrap();
        })
        .unwrap();
    insta::assert_snapshot!(text);
}

/// The warnings and errors of each case.
#[test]
fn cases_messages_match_snapshot() {
    let mut text = String::new();
    for case in cases("cbf") {
        text.push_str(&format!("{}\n", case.name));
        let base = match open(&case) {
            Ok(base) => base,
            Err(_) => {
                text.push_str("  does not open\n");
                continue;
            }
        };
        let (mut game, mut reader) = (Game::new(), base.reader());
        for warning in base.warnings() {
            text.push_str(&format!("  {warning}\n"));
        }
        for number in 0..base.len() {
            let mut diagnostics = Diagnostics::lenient();
            let read = reader.game(number, &mut game, &mut diagnostics);
            for warning in diagnostics.warnings() {
                text.push_str(&format!("  {warning}\n"));
            }
            if let Err(error) = read {
                text.push_str(&format!("  ERROR {error}\n"));
            }
        }
    }
    insta::assert_snapshot!(text);
}

/// Every quirk of the reader occurs in some case.
#[test]
fn quirks_all_occur_in_cases() {
    use cbf::Quirk;
    let mut met = Vec::new();
    for case in cases("cbf") {
        let Ok(base) = open(&case) else { continue };
        met.extend(base.warnings().iter().map(|warning| warning.name));
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        let mut reader = base.reader();
        for number in 0..base.len() {
            diagnostics.clear();
            let _ = reader.game(number, &mut game, &mut diagnostics);
            met.extend(diagnostics.warnings().iter().map(|warning| warning.name));
        }
    }
    // Only the writer reports these two.
    let written = [Quirk::ManyMoves, Quirk::ManyGames];
    let missing: Vec<_> = Quirk::ALL
        .iter()
        .filter(|quirk| !written.contains(quirk) && !met.contains(&quirk.name()))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// Strict opening fails with the first warning of lenient opening. A database without warnings opens,
/// and so does every book, whose only warning is that it is experimental.
#[test]
fn strict_opening_refuses_what_lenient_opening_warns_of() {
    let mut refused = Vec::new();
    for case in cases("cbf") {
        let Ok(lenient) = open(&case) else { continue };
        let mut options = options(&case);
        options.strict = true;
        match (open_with(&case, &options), lenient.warnings()) {
            (Ok(strict), said) => {
                let books = case.meta.format == "fbk" && said.len() == 1;
                assert!(said.is_empty() || books, "{}: {said:?}", case.name);
                assert_eq!(strict.len(), lenient.len(), "{}", case.name);
            }
            (Err(error), said) => {
                assert_eq!(error.scope(), chess_store::Scope::Base, "{}: {error}", case.name);
                let Some(cbf::ErrorKind::Strict(warning)) = error.kind() else {
                    panic!("{}: {error}", case.name);
                };
                assert_eq!(*warning, said[0], "{}", case.name);
                refused.push(warning.quirk::<cbf::Quirk>().unwrap());
            }
        }
    }
    assert!(refused.contains(&cbf::Quirk::IndexMissing), "{refused:?}");
}

/// Named settings are parsed, and unknown ones are errors that name them.
#[test]
fn settings_are_read() {
    let case = cases("cbf").into_iter().find(|case| case.name == "tiny").unwrap();
    let open = |name: &str, value: &str| {
        let mut options = options(&case);
        options.settings.set(name, value);
        open_with(&case, &options)
    };
    let found = |base: Box<dyn Database>| base.details()[0].1.clone();
    assert_eq!(found(open("records", "auto").unwrap()), "by the .cbi");
    assert_eq!(found(open("records", "walk").unwrap()), "one after the other in the .cbf");
    let error = open("record", "walk").map(|base| base.len()).unwrap_err();
    assert_eq!(
        error.message().to_string(),
        "unknown option record=walk: the options here are dialect, records"
    );
}
