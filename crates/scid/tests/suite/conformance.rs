//! Every fixture reads as its folder states.

use chess_core::Game;
use chess_store::Diagnostics;
use scid::Database;
use scid::Quirk;
use testkit::Suite;

use crate::files::{BaseFiles as _, Files, family};

const SUITE: Suite = Suite {
    adjust_header: |header, game, _| {
        // The tags of the record follow the tags of the entry.
        let own: Vec<_> = game.header.tags.iter().take(header.tags.len()).collect();
        if header.tags.iter().collect::<Vec<_>>() == own {
            header.tags.clone_from(&game.header.tags);
        }
        // Tags of the record hold what the entry lacks.
        header.event_date = header.event_date.or(game.header.event_date);
        header.white_elo = header.white_elo.or(game.header.white_elo);
        header.black_elo = header.black_elo.or(game.header.black_elo);
        header.eco = header.eco.or(game.header.eco);
    },
    silent: &[
        "bad_matsig",
        "bad_nags7",
        "bad_names_empty",
        "bad_names_frequency_256",
        "bad_names_frequency_65536",
        "bad_si5_number_ten",
    ],
    dumped: &[("variations", 0)],
    ..Suite::new("scid", scid::FORMATS, |warning| warning.quirk::<Quirk>().is_some())
};

testkit::suite!(SUITE);

/// Each damaged fixture says what is expected of it, and its errors have an offset.
#[test]
fn error_of_damaged_fixture_has_offset() {
    let mut errors = 0;
    for case in SUITE.cases().iter().filter(|case| case.is_bad()) {
        assert!(case.meta.expect.is_some(), "{}", case.name);
        let Ok(base) = SUITE.open(case) else { continue };
        let mut reader = base.reader();
        for number in 0..base.len() {
            let read = reader.game(number, &mut Game::new(), &mut Diagnostics::lenient());
            let Err(error) = read else { continue };
            assert!(error.location().offset.is_some(), "{}: {error}", case.name);
            errors += 1;
        }
    }
    assert!(errors > 0);
}

/// Only damaged fixtures have damaged games.
#[test]
fn read_sound_fixture_has_no_error() {
    for case in SUITE.cases().iter().filter(|case| !case.is_bad()) {
        let base = SUITE.open(case).unwrap();
        let mut reader = base.reader();
        for number in 0..base.len() {
            let read = reader.game(number, &mut Game::new(), &mut Diagnostics::lenient());
            read.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        }
    }
}

/// A base opens by any of its file names, in any case.
#[test]
fn open_any_file_finds_companions() {
    let case = SUITE.case("plain");
    let files = Files::of(&case);
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in
        [("Base.SI4", &files.index), ("base.sg4", &files.games), ("BASE.Sn4", &files.names)]
    {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    for name in ["Base.SI4", "base.sg4", "BASE.Sn4"] {
        let base = Database::open(folder.path().join(name)).unwrap();
        assert_eq!(base.len(), case.meta.games);
    }
    std::fs::remove_file(folder.path().join("BASE.Sn4")).unwrap();
    let left = Database::open(folder.path().join("Base.SI4")).unwrap();
    let missing = left.warnings().iter().find(|warning| warning.name == "scid-missing-file");
    assert_eq!(missing.unwrap().at.file, "sn4");
    // A game without its names is damaged.
    assert_eq!(left.games().filter(Result::is_err).count() as u64, case.meta.games);
    std::fs::remove_file(folder.path().join("base.sg4")).unwrap();
    Database::open(folder.path().join("Base.SI4")).unwrap_err();
}

/// The dump covers every byte of entry and record once, in order, and finds the five names.
#[test]
fn dump_names_every_byte() {
    for case in SUITE.cases().iter().filter(|case| !case.is_bad()) {
        let files = Files::of(case);
        let base = files.open().unwrap();
        for number in 0..base.len() {
            let entry = base.entry(number).unwrap();
            let mut next = entry.offset;
            let (mut in_entry, mut names) = (0, 0);
            let (mut comments, mut behind) = (0u64, 0u64);
            let family = family(case);
            let mut each = |field: scid::Field| {
                if field.file == family.index {
                    in_entry += field.bytes.len();
                } else if field.file == family.names {
                    names += 1;
                } else if field.name == "comment" {
                    // Comments follow the moves, but the dump reports each one at its marker.
                    comments += field.bytes.len() as u64;
                } else if field.name == "comment without a marker" {
                    assert_eq!(field.offset, next + comments + behind, "{}", case.name);
                    behind += field.bytes.len() as u64;
                } else {
                    assert_eq!(field.offset, next, "{} game {number}", case.name);
                    next += field.bytes.len() as u64;
                }
            };
            base.reader().dump(number, &mut each).unwrap();
            assert_eq!(in_entry, base.version().entry_size(), "{}", case.name);
            assert_eq!(names, 5, "{} game {number}", case.name);
            let end = entry.offset + u64::from(entry.length);
            assert_eq!(next + comments + behind, end, "{}", case.name);
        }
    }
}

/// Decoding into the same `Game` allocates nothing after warm-up.
#[test]
fn read_game_reused_buffers_allocate_nothing() {
    let case = SUITE.case("names_frequency");
    let files = Files::of(&case);
    let base = files.open().unwrap();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    let mut all = || {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    all();
    assert_eq!(testkit::allocations(all), 0);
}
