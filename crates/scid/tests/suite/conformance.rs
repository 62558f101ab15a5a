//! Every fixture reads as its folder states.

use scid::prelude::*;
use scid::{Database, Error, OpenOptions};

use crate::files::{BaseFiles as _, Files, encoding, family};

#[test]
fn read_fixture_gives_expected_games() {
    for case in testkit::cases("scid").iter().filter(|case| !case.is_bad()) {
        let files = Files::of(case);
        let base = files.open_in(encoding(case)).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        assert_eq!(base.len(), case.meta.games, "{}", case.name);
        let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
        let mut games = Vec::new();
        let mut header = Header::default();
        for number in 0..base.len() {
            let mut game = Game::new();
            reader
                .game(number, &mut game, &mut diagnostics)
                .unwrap_or_else(|e| panic!("{}: {e}", case.name));
            reader.header(number, &mut header, &mut diagnostics).unwrap();
            assert_eq!(header.white, game.header.white, "{} game {number}", case.name);
            assert_eq!(header.date, game.header.date, "{} game {number}", case.name);
            games.push(game);
        }
        case.assert_games(&games);
    }
}

/// Damaged fixtures keep the expected games, and invalid ones do not open.
#[test]
fn read_damaged_fixture_keeps_expected_games() {
    for case in testkit::cases("scid").iter().filter(|case| case.is_bad()) {
        let files = Files::of(case);
        let base = files.open();
        assert_eq!(base.as_ref().map_or(0, |base| base.len()), case.meta.games, "{}", case.name);
        if let Ok(base) = base {
            case.assert_database(&base);
        }
    }
}

/// Snapshot of all messages about the damaged bases, and the surviving games.
#[test]
fn read_damaged_fixture_reports_each_error() {
    let mut report = String::new();
    for case in testkit::cases("scid").iter().filter(|case| case.is_bad()) {
        use std::fmt::Write as _;
        writeln!(report, "{}: {}", case.name, case.meta.expect.as_deref().unwrap()).unwrap();
        let files = Files::of(case);
        let base = match files.open() {
            Ok(base) => base,
            Err(error) => {
                writeln!(report, "  refused: {error}\n").unwrap();
                continue;
            }
        };
        for warning in base.warnings() {
            writeln!(report, "  open: {warning}").unwrap();
        }
        let mut survivors = Vec::new();
        for number in 0..base.len() {
            let mut game = Game::new();
            let mut diagnostics = Diagnostics::lenient();
            match base.reader().game(number, &mut game, &mut diagnostics) {
                Ok(()) => survivors.push(number + 1),
                Err(error) => {
                    assert_eq!(error.location().game, Some(number));
                    assert!(error.location().offset.is_some());
                    writeln!(report, "  error: {error} [{} plies kept]", game.ply_count()).unwrap();
                }
            }
            for warning in diagnostics.warnings() {
                writeln!(report, "  quirk: {warning}").unwrap();
            }
        }
        writeln!(report, "  games read: {survivors:?}\n").unwrap();
    }
    insta::assert_snapshot!(report);
}

/// Lenient reading gives the same game as strict reading, without warnings.
#[test]
fn strict_accepted_game_matches_lenient() {
    for case in testkit::cases("scid") {
        let Ok(files) = Files::of(&case).open().map(|_| Files::of(&case)) else { continue };
        let base = files.open().unwrap();
        let mut reader = base.reader();
        for number in 0..base.len() {
            let (mut strictly, mut leniently) = (Game::new(), Game::new());
            let mut diagnostics = Diagnostics::lenient();
            if reader.game(number, &mut strictly, &mut Diagnostics::strict()).is_ok() {
                reader.game(number, &mut leniently, &mut diagnostics).unwrap();
                assert_eq!(strictly, leniently, "{} game {number}", case.name);
                assert_eq!(diagnostics.warnings(), [], "{} game {number}", case.name);
            }
        }
    }
}

/// In strict mode, the first warning of opening is the error.
#[test]
fn open_strict_deviation_is_error() {
    for case in testkit::cases("scid") {
        let files = Files::of(&case);
        let Ok(lenient) = files.open_in(encoding(&case)) else { continue };
        let mut options = OpenOptions::default();
        (options.encoding, options.strict) = (encoding(&case), true);
        let strict = Database::from_parts(files.as_ref(), &options);
        let said = strict.map_err(|error: Error| error.to_string()).map(drop);
        match lenient.warnings().first() {
            None => assert_eq!(said, Ok(()), "{}", case.name),
            Some(warning) => {
                let expected = format!("{}: {}", warning.at, warning.message);
                assert_eq!(said, Err(expected), "{}", case.name);
            }
        }
    }
}

/// A base opens by any of its file names, in any case.
#[test]
fn open_any_file_finds_companions() {
    let case = testkit::cases("scid").into_iter().find(|case| case.name == "plain").unwrap();
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

/// Several threads read one base at once and get the same games.
#[test]
fn database_shared_by_threads_reads_same_games() {
    let case =
        testkit::cases("scid").into_iter().find(|case| case.name == "names_frequency").unwrap();
    let files = Files::of(&case);
    let (base, expected) = (files.open().unwrap(), files.read().unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(base.games().map(Result::unwrap).eq(expected.iter().cloned())));
        }
    });
}

/// The dump covers every byte of entry and record once, in order, and finds the five names.
#[test]
fn dump_names_every_byte() {
    for case in testkit::cases("scid").iter().filter(|case| !case.is_bad()) {
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

#[test]
fn dump_variations_matches_snapshot() {
    let case = testkit::cases("scid").into_iter().find(|case| case.name == "variations").unwrap();
    let files = Files::of(&case);
    let mut lines = String::new();
    let mut each = |field: scid::Field| {
        use std::fmt::Write as _;
        let hex: Vec<String> = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let (file, offset, name, value) = (field.file, field.offset, field.name, &field.value);
        writeln!(lines, "{file} {offset:6} {:24} {name}: {value}", hex.join(" ")).unwrap();
    };
    files.open().unwrap().reader().dump(0, &mut each).unwrap();
    insta::assert_snapshot!(lines);
}

/// Decoding into the same `Game` allocates nothing after warm-up.
#[test]
fn read_game_reused_buffers_allocate_nothing() {
    let case =
        testkit::cases("scid").into_iter().find(|case| case.name == "names_frequency").unwrap();
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
