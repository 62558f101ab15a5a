//! Damaged databases: no panic, no hang, errors with locations, intact games stay readable.

use cbf::{CreateOptions, Database, Error, Losses, OpenOptions, Parts, Writer, fbk};
use chess_core::Game;
use chess_store::{Diagnostics, Scope};
use testkit::{Disk, Stop, allocations, cases, damaged, within};

use crate::open;

fn read_all(cbf: &[u8], cbi: Option<&[u8]>) {
    let base = match Database::from_parts(Parts::new(cbf, cbi), &OpenOptions::default()) {
        Ok(base) => base,
        Err(error) => {
            assert!(matches!(error.kind(), cbf::ErrorKind::NoRecords), "{error}");
            assert_eq!(error.scope(), Scope::Base);
            return;
        }
    };
    let (mut game, mut strict) = (Game::new(), Game::new());
    let (mut diagnostics, mut reader) = (Diagnostics::lenient(), base.reader());
    for number in 0..base.len() {
        diagnostics.clear();
        let read = reader.game(number, &mut game, &mut diagnostics);
        assert_eq!(game.open_variations(), 0);
        if let Err(error) = &read {
            assert!(error.location().game == Some(number), "{error}");
            assert_eq!(error.scope(), Scope::Game, "{error}");
        }
        if reader.game(number, &mut strict, &mut Diagnostics::strict()).is_ok() {
            assert!(read.is_ok() && game == strict && diagnostics.warnings().is_empty());
        }
        let header = reader.header(number, &mut game.header, &mut diagnostics);
        let mut fields = 0;
        let dumped = reader.dump(number, &mut |_| fields += 1);
        assert_eq!(dumped.is_ok(), read.is_ok(), "{number}");
        // A game needs a header, and a game with a header has fields to dump.
        assert!(header.is_ok() || read.is_err() && fields <= 1, "{number}");
        assert!(header.is_err() || fields > 0, "{number}");
    }
}

#[test]
fn database_damaged_does_not_panic() {
    within(240, || {
        for case in cases("cbf").iter().filter(|case| case.meta.format == "cbf") {
            let names = if case.name == "upper_case" {
                ["BASE.CBF", "BASE.CBI"]
            } else {
                ["base.cbf", "base.cbi"]
            };
            let [cbf, cbi] = names.map(|name| case.file(name).is_file().then(|| case.bytes(name)));
            let cbf = cbf.unwrap_or_default();
            let count = if cbf.len() > 2000 { 8 } else { 40 };
            for bytes in damaged(&cbf, 1, count) {
                read_all(&bytes, cbi.as_deref());
                read_all(&bytes, None);
            }
            for index in damaged(&cbi.unwrap_or_default(), 2, 20) {
                read_all(&cbf, Some(&index));
            }
        }
    });
}

#[test]
fn book_damaged_does_not_panic() {
    within(60, || {
        for case in cases("cbf").iter().filter(|case| case.meta.format == "fbk") {
            for bytes in damaged(&case.bytes("base.fbk"), 3, 500) {
                let book = fbk::Book::from_parts(bytes.as_slice());
                let (mut game, mut fields) = (Game::new(), 0);
                let mut reader = book.reader();
                let read = reader.game(0, &mut game, &mut Diagnostics::lenient());
                assert_eq!(game.open_variations(), 0);
                if let Err(error) = read {
                    assert!(error.location().offset.is_some(), "{error}");
                }
                // Only half a move at the end is not dumped.
                let dumped = reader.dump(0, &mut |_| fields += 1);
                assert_eq!((dumped.is_ok(), fields), (bytes.len() % 2 == 0, bytes.len() / 2));
            }
        }
    });
}

/// Damage inside one record changes no other game.
#[test]
fn database_one_damaged_record_keeps_other_games() {
    let case = cases("cbf").into_iter().find(|case| case.name == "annotated").unwrap();
    let (cbf, cbi) = (case.bytes("base.cbf"), case.bytes("base.cbi"));
    let sound = open(cbf.clone(), Some(cbi.clone())).unwrap();
    let mut sound_reader = sound.reader();
    for (hurt, record) in (0..).zip(testkit::records_in(&sound, "cbf")) {
        let mut bytes = cbf.clone();
        for byte in &mut bytes[record] {
            *byte = !*byte;
        }
        let base = open(bytes, Some(cbi.clone())).unwrap();
        let mut reader = base.reader();
        let (mut game, mut expected) = (Game::new(), Game::new());
        for number in (0..sound.len()).filter(|number| *number != hurt) {
            reader.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            sound_reader.game(number, &mut expected, &mut Diagnostics::lenient()).unwrap();
            assert!(game == expected, "{hurt} {number}");
        }
    }
}

/// The moves before the end of a truncated record are read. A file without its first record is not a
/// database.
#[test]
fn read_truncated_record_keeps_earlier_moves() {
    let case = cases("cbf").into_iter().find(|case| case.name == "annotated").unwrap();
    let (cbf, cbi) = (case.bytes("base.cbf"), case.bytes("base.cbi"));
    let records = testkit::records_in(&open(cbf.clone(), Some(cbi.clone())).unwrap(), "cbf");
    let cut = |cbf: &[u8]| open(cbf.to_vec(), Some(cbi.clone()));
    testkit::assert_cuts_keep_moves(&cbf, (0..).zip(records).skip(1), cut, |error| {
        error.kind::<cbf::ErrorKind>().is_some()
    });
}

/// Files that are no database are refused, with and without an index.
#[test]
fn open_junk_is_error() {
    let mut junk: Vec<Vec<u8>> = vec![b"[Event \"?\"]\n\n1. e4 e5 *\n".repeat(3)];
    for length in [1, 13, 14, 50, 5000] {
        junk.extend([0, b' ', 0xff].map(|byte| vec![byte; length]));
        junk.push(testkit::Random::new(length as u64).bytes(length));
    }
    let index = [[0, 0, 0, 3], [0, 0, 0, 2], [0, 0, 0, 17], [0, 0, 0, 60]].concat();
    for cbf in &junk {
        for cbi in [None, Some(index.clone()), Some(cbf.clone())] {
            let error = open(cbf.clone(), cbi).map(|base| base.len()).unwrap_err();
            assert!(matches!(error.kind(), cbf::ErrorKind::NoRecords), "{error}");
        }
    }
}

/// A damaged database of one game opens while its header is present.
#[test]
fn open_single_damaged_game_succeeds() {
    let case = cases("cbf").into_iter().find(|case| case.name == "charset_cp850").unwrap();
    let cbf = case.bytes("base.cbf");
    for length in 14..=cbf.len() {
        let base = open(cbf[..length].to_vec(), None).unwrap();
        assert_eq!(base.len(), 1, "{length}");
    }
    // Changing the year makes the checksum foreign.
    let mut other = cbf.clone();
    other[0] ^= 4;
    let base = open(other, None).unwrap();
    base.reader().game(0, &mut Game::new(), &mut Diagnostics::lenient()).unwrap();
}

/// An index without a correct entry is ignored, even if the records have gaps.
#[test]
fn open_wrong_index_falls_back_to_scan() {
    let case = cases("cbf").into_iter().find(|case| case.name == "gaps").unwrap();
    let cbf = case.bytes("base.cbf");
    let games = open(cbf.clone(), None).unwrap().len();
    let mut cbi = vec![0, 0, 0, 9];
    cbi.extend([0xff; 36]);
    let base = open(cbf, Some(cbi)).unwrap();
    assert!(!base.uses_index() && base.len() == games && games > 1);
    let names: Vec<&str> = base.warnings().iter().map(|warning| warning.name).collect();
    assert!(names.contains(&"cbf-index-unused"), "{names:?}");
}

/// The deepest nesting a record can hold, and a file of noise.
#[test]
fn database_extreme_bytes_do_not_panic() {
    within(60, || {
        let noise: Vec<u8> = testkit::Random::new(9).bytes(200_000);
        read_all(&noise, None);
        read_all(&noise, Some(&noise));
        read_all(&vec![0xff; 100_000], None);
        read_all(&vec![0; 100_000], Some(&[0xff; 4000]));
    });
}

/// A reused game allocates nothing for a record of moves and names in ASCII.
#[test]
fn game_reused_does_not_allocate() {
    let case = cases("cbf").into_iter().find(|case| case.name == "quirks").unwrap();
    let (cbf, cbi) = (case.bytes("base.cbf"), case.bytes("base.cbi"));
    let base = open(cbf, Some(cbi)).unwrap();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    let mut read = || {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    read();
    let count = allocations(read);
    // Each of the 23 games has a set-up, whose FEN is allocated.
    assert!(count <= 23, "{count} allocations");
}

/// Whichever write fails, the writer reports an error with its file.
#[test]
fn writer_failing_disk_is_error() {
    let write = |stop: &Stop| -> Result<(), Error> {
        let [cbf, cbi] = [(); 2].map(|()| Disk::new(Vec::new(), stop));
        let mut writer = Writer::from_parts(Parts::new(cbf, Some(cbi)), &CreateOptions::default())?;
        let mut game = Game::new();
        game.push_move("e2e4".parse().unwrap());
        game.push_comment(&"x".repeat(60_000)).unwrap();
        for _ in 0..12 {
            writer.write(&game, &mut Losses::new())?;
        }
        writer.into_parts().map(drop)
    };
    testkit::assert_failures_are_reported(&["cbf", "cbi"], true, write);
}
