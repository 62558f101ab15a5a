//! Every case of fixtures/cbf reads as its expected.jsonl, and a dump covers all of its bytes.

use cbf::Quirk;
use chess_core::Game;
use chess_store::erased::{Database, Opener};
use chess_store::{AnyError, Diagnostics, Encoding, OpenOptions, Quirk as _};
use testkit::{Case, Suite};

const SUITE: Suite = Suite {
    adjust_header: |header, game, whole| {
        // Unused bits of a set-up belong to the moves.
        let idle = game.setup().is_some() && game.header.tags.get(cbf::tags::SPARE).is_some();
        if !whole || idle {
            header.clone_from(&game.header);
        }
    },
    // A book opens with the warning that it is experimental.
    tolerant: &["fbk"],
    silent: &[
        "bad_charset_24",
        "bad_charset_atari_ends",
        "bad_charset_capital",
        "bad_charset_capital_windows",
        "bad_charset_half",
        "bad_charset_holes",
        "bad_charset_last_letter",
        "bad_charset_tie",
        "bad_charset_turns_41",
        "bad_charset_utf8",
        "bad_hyphens",
        "bad_index_of_nothing",
        "bad_more_names",
        "bad_names",
        "bad_player_signs_437",
    ],
    // The index, the record.
    most_jumps: 2,
    dumped: &[("tiny", 0)],
    ..Suite::new("cbf", cbf::FORMATS, |warning| warning.quirk::<Quirk>().is_some())
};

testkit::suite!(SUITE);

/// The options to open a case with.
fn options(case: &Case) -> OpenOptions {
    let label = case.meta.encoding.as_deref();
    let mut options = OpenOptions::default();
    options.encoding = label.map(|label| Encoding::from_label(label).unwrap());
    options
}

fn open_with(case: &Case, options: &OpenOptions) -> Result<Box<dyn Database>, AnyError> {
    let format = case.format_in(cbf::FORMATS, "cbf");
    let Some(Opener::Database(open)) = format.open else { panic!("not a base of files") };
    open(&case.path(format.extensions[0]), options)
}

/// Only a damaged case has damaged games, and their errors have an offset.
#[test]
fn error_of_game_has_offset() {
    SUITE.for_each_base(|case, base| {
        let (mut game, mut reader) = (Game::new(), base.reader());
        for number in 0..base.len() {
            let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
            if let Err(error) = read {
                assert!(case.is_bad(), "{}: {error}", case.name);
                assert!(error.location().offset.is_some(), "{}: {error}", case.name);
            }
        }
    });
}

/// The quirk of a missing index is refused when a base is opened strictly.
#[test]
fn open_strict_missing_index_is_error() {
    let mut refused = 0;
    SUITE.for_each_base(|case, lenient| {
        let first = lenient.warnings().first();
        if first.is_some_and(|first| first.quirk() == Some(Quirk::IndexMissing)) {
            let mut strict = options(case);
            strict.strict = true;
            let error = open_with(case, &strict).map(|base| base.len()).unwrap_err();
            let Some(cbf::ErrorKind::Strict(warning)) = error.kind() else { panic!("{error}") };
            assert_eq!(Some(warning), first, "{}", case.name);
            refused += 1;
        }
    });
    assert!(refused > 0);
}

/// The fields of a dump are contiguous and cover each record.
#[test]
fn dumps_name_every_byte() {
    for case in SUITE.cases().iter().filter(|case| !case.is_bad()) {
        let base = SUITE.open(case).unwrap();
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

/// Every quirk of the reader occurs in some case.
#[test]
fn quirks_all_occur_in_cases() {
    let mut met = Vec::new();
    for case in SUITE.cases() {
        let Ok(base) = SUITE.open(&case) else { continue };
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

/// Named settings are parsed, and unknown ones are errors that name them.
#[test]
fn settings_are_read() {
    let case = SUITE.case("tiny");
    let open = |name: &str, value: &str| {
        let mut options = options(&case);
        options.settings.set(name, value);
        open_with(&case, &options)
    };
    let found = |base: Box<dyn Database>| base.details()[0].1.clone();
    assert_eq!(found(open("records", "auto").unwrap()), "by the index, .cbi");
    assert_eq!(found(open("records", "walk").unwrap()), "one after the other, without the index");
    let error = open("record", "walk").map(|base| base.len()).unwrap_err();
    assert_eq!(
        error.message().to_string(),
        "unknown option record=walk: the options here are dialect, records"
    );
}
