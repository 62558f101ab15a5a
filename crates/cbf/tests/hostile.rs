//! Damaged bases: no panic, no hang, errors with their place, healthy games survive.

use cbf::{Database, OpenOptions, fbk};
use chess_core::{Diagnostics, Game};
use testkit::{allocations, cases, damaged, within};

fn read_all(cbf: &[u8], cbi: Option<&[u8]>) {
    let Ok(base) = Database::from_parts(cbf, cbi, &OpenOptions::default()) else { return };
    let (mut game, mut strict) = (Game::new(), Game::new());
    let mut diagnostics = Diagnostics::lenient();
    for number in 0..base.len() {
        diagnostics.clear();
        let read = base.game(number, &mut game, &mut diagnostics);
        assert_eq!(game.open_variations(), 0);
        if let Err(error) = &read {
            assert!(error.location().game == Some(number), "{error}");
        }
        if base.game(number, &mut strict, &mut Diagnostics::strict()).is_ok() {
            assert!(read.is_ok() && game == strict && diagnostics.warnings().is_empty());
        }
        let _ = base.header(number, &mut game.header, &mut diagnostics);
        let _ = base.dump(number, &mut |_| {});
    }
}

#[test]
fn damaged_bases() {
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
fn damaged_books() {
    within(60, || {
        for case in cases("cbf").iter().filter(|case| case.meta.format == "fbk") {
            for bytes in damaged(&case.bytes("base.fbk"), 3, 500) {
                let book = fbk::Book::from_parts(bytes.as_slice());
                let mut game = Game::new();
                let read = book.game(0, &mut game, &mut Diagnostics::lenient());
                assert_eq!(game.open_variations(), 0);
                if let Err(error) = read {
                    assert!(error.location().offset.is_some(), "{error}");
                }
                let _ = book.dump(0, &mut |_| {});
            }
        }
    });
}

/// Damage inside one record leaves all others as they are.
#[test]
fn other_games_survive() {
    let case = cases("cbf").into_iter().find(|case| case.name == "annotated").unwrap();
    let (cbf, cbi) = (case.bytes("base.cbf"), case.bytes("base.cbi"));
    let open = |cbf: Vec<u8>| Database::from_parts(cbf, Some(cbi.clone()), &OpenOptions::default());
    let sound = open(cbf.clone()).unwrap();
    let mut starts = Vec::new();
    for number in 0..sound.len() {
        let mut first = None;
        let each = &mut |field: chess_core::seam::Field| {
            if field.file == "cbf" && first.is_none() {
                first = Some(field.offset as usize);
            }
        };
        sound.dump(number, each).unwrap();
        starts.push(first.unwrap());
    }
    starts.push(cbf.len());
    for hurt in 0..sound.len() as usize {
        let mut bytes = cbf.clone();
        for byte in &mut bytes[starts[hurt]..starts[hurt + 1]] {
            *byte = !*byte;
        }
        let base = open(bytes).unwrap();
        let (mut game, mut expected) = (Game::new(), Game::new());
        for number in (0..sound.len()).filter(|number| *number != hurt as u64) {
            base.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            sound.game(number, &mut expected, &mut Diagnostics::lenient()).unwrap();
            assert!(game == expected, "{hurt} {number}");
        }
    }
}

/// What is no base at all is refused as a whole, with and without an index.
#[test]
fn junk_does_not_open() {
    let mut junk: Vec<Vec<u8>> = vec![b"[Event \"?\"]\n\n1. e4 e5 *\n".repeat(3)];
    for length in [1, 13, 14, 50, 5000] {
        junk.extend([0, b' ', 0xff].map(|byte| vec![byte; length]));
        junk.push(testkit::Random::new(length as u64).bytes(length));
    }
    let index = [[0, 0, 0, 3], [0, 0, 0, 2], [0, 0, 0, 17], [0, 0, 0, 60]].concat();
    for cbf in &junk {
        for cbi in [None, Some(index.clone()), Some(cbf.clone())] {
            let error = Database::from_parts(cbf.clone(), cbi, &OpenOptions::default());
            let error = error.map(|base| base.len()).unwrap_err();
            assert!(matches!(error.kind(), cbf::ErrorKind::NoRecords), "{error}");
        }
    }
}

/// Damage to a base of one game leaves it open while there is anything to be had.
#[test]
fn one_damaged_game_opens() {
    let case = cases("cbf").into_iter().find(|case| case.name == "charset_cp850").unwrap();
    let cbf = case.bytes("base.cbf");
    for length in 14..=cbf.len() {
        let base = Database::from_parts(&cbf[..length], None, &OpenOptions::default()).unwrap();
        assert_eq!(base.len(), 1, "{length}");
    }
    // The year: its checksum is a stranger's then.
    let mut other = cbf.clone();
    other[0] ^= 4;
    let base = Database::from_parts(other, None, &OpenOptions::default()).unwrap();
    base.game(0, &mut Game::new(), &mut Diagnostics::lenient()).unwrap();
}

/// An index of which no entry is right is set aside, even where the records have gaps.
#[test]
fn an_index_of_lies() {
    let case = cases("cbf").into_iter().find(|case| case.name == "gaps").unwrap();
    let cbf = case.bytes("base.cbf");
    let games = Database::from_parts(cbf.clone(), None, &OpenOptions::default()).unwrap().len();
    let mut cbi = vec![0, 0, 0, 9];
    cbi.extend([0xff; 36]);
    let base = Database::from_parts(cbf, Some(cbi), &OpenOptions::default()).unwrap();
    assert!(!base.uses_index() && base.len() == games && games > 1);
    let names: Vec<&str> = base.warnings().iter().map(|warning| warning.name).collect();
    assert!(names.contains(&"cbf-index-unused"), "{names:?}");
}

/// The deepest nesting a record can hold, and a file of noise.
#[test]
fn extremes() {
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
fn no_allocation_per_game() {
    let case = cases("cbf").into_iter().find(|case| case.name == "quirks").unwrap();
    let (cbf, cbi) = (case.bytes("base.cbf"), case.bytes("base.cbi"));
    let base = Database::from_parts(cbf, Some(cbi), &OpenOptions::default()).unwrap();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut read = || {
        for number in 0..base.len() {
            base.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    read();
    let count = allocations(read);
    // Each of the 23 games has a set-up, whose FEN is a text of its own.
    assert!(count <= 23, "{count} allocations");
}
