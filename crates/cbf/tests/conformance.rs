//! Every case of fixtures/cbf reads as its expected.jsonl says, and all of its bytes have a name.

use chess_core::seam::{self, Database, Opener};
use chess_core::{AnyError, Diagnostics, Encoding, Game};
use testkit::{Case, cases};

fn open(case: &Case) -> Result<Box<dyn Database>, AnyError> {
    let format = cbf::FORMATS.iter().find(|format| format.name == case.meta.format).unwrap();
    let options = seam::OpenOptions {
        encoding: case.meta.encoding.as_deref().map(|label| Encoding::from_label(label).unwrap()),
        extra: Vec::new(),
    };
    let Some(Opener::Database(open)) = format.open else { panic!("not a base of files") };
    open(&case.path(format.extensions[0]), &options)
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

/// What strict accepts, lenient reads the same; and every damaged case says where.
#[test]
fn strict_and_lenient_agree() {
    for case in cases("cbf") {
        let Ok(base) = open(&case) else { continue };
        let (mut lenient, mut strict) = (Game::new(), Game::new());
        for number in 0..base.len() {
            let read = base.game(number, &mut lenient, &mut Diagnostics::lenient());
            if base.game(number, &mut strict, &mut Diagnostics::strict()).is_ok() {
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

/// A header alone is that of the game, but for what a set-up says in vain.
#[test]
fn headers_agree() {
    for case in cases("cbf").iter().filter(|case| !case.is_bad()) {
        let base = open(case).unwrap();
        let (mut game, mut header) = (Game::new(), chess_core::Header::default());
        for number in 0..base.len() {
            base.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            base.header(number, &mut header, &mut Diagnostics::lenient()).unwrap();
            let idle = game.setup().is_some() && game.header.tags.get(cbf::tags::SPARE).is_some();
            assert!(idle || game.header == header, "{} game {number}", case.name);
        }
    }
}

/// The fields of a dump lie end to end and cover each record.
#[test]
fn dumps_name_every_byte() {
    for case in cases("cbf").iter().filter(|case| !case.is_bad()) {
        let base = open(case).unwrap();
        for number in 0..base.len() {
            let mut fields = Vec::new();
            base.dump(number, &mut |field| fields.push(field)).unwrap();
            let record: Vec<_> = fields.iter().filter(|field| field.file != "cbi").collect();
            for pair in record.windows(2) {
                let end = pair[0].offset + pair[0].bytes.len() as u64;
                assert_eq!(end, pair[1].offset, "{} game {number}", case.name);
            }
            let named: usize = record.iter().map(|field| field.bytes.len()).sum();
            if case.meta.format == "cbf" {
                let base = cbf::Database::open(&case.path("cbf"), &cbf::OpenOptions::default());
                let header = base.unwrap().record_header(number).unwrap();
                assert_eq!(named, header.record_size(), "{} game {number}", case.name);
            }
        }
    }
}

#[test]
fn dump_of_a_game() {
    let case = cases("cbf").into_iter().find(|case| case.name == "tiny").unwrap();
    let mut text = String::new();
    open(&case)
        .unwrap()
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

/// What is said of each case that is odd or damaged.
#[test]
fn messages() {
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
        let mut game = Game::new();
        for warning in base.warnings() {
            text.push_str(&format!("  {warning}\n"));
        }
        for number in 0..base.len() {
            let mut diagnostics = Diagnostics::lenient();
            let read = base.game(number, &mut game, &mut diagnostics);
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

/// Every quirk of the reader is met by some case.
#[test]
fn every_quirk_has_a_case() {
    use cbf::Quirk;
    use chess_core::Quirk as _;
    let mut met = Vec::new();
    for case in cases("cbf") {
        let Ok(base) = open(&case) else { continue };
        met.extend(base.warnings().iter().map(|warning| warning.name));
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        for number in 0..base.len() {
            diagnostics.clear();
            let _ = base.game(number, &mut game, &mut diagnostics);
            met.extend(diagnostics.warnings().iter().map(|warning| warning.name));
        }
    }
    // Those two are the writer's.
    let written = [Quirk::ManyMoves, Quirk::ManyGames];
    let missing: Vec<_> = Quirk::ALL
        .iter()
        .filter(|quirk| !written.contains(quirk) && !met.contains(&quirk.name()))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
