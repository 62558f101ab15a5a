//! Damaged bases: no panic, no hang, bounded memory. Undamaged games survive, and errors have a
//! location.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_core::Game;
use chessassistant::volume::Volume;
use chessassistant::{Decoder, Diagnostics, Encoding, NameKind, Reading};
use testkit::{Case, damaged, within};

use crate::common::{Base, Files, files_of, open};

/// Reads everything and checks the invariants.
fn read_all(base: &Base) -> Vec<Option<Game>> {
    let games = testkit::survive(base, &["d02", "a02", "d00", "emb"], 200);
    let details = base.details();
    let surveyed = details.iter().find(|(name, _)| *name == "games surveyed").unwrap();
    assert_eq!(surveyed.1, base.len().min(10_000).to_string());
    for kind in NameKind::ALL {
        if let Some(table) = base.table(kind) {
            for id in 0..table.len().min(1000) {
                match table.get(id) {
                    Ok(name) => assert!(name.name.len() <= 255 && name.title.len() <= 255),
                    Err(error) => assert_eq!(error.location().file, "emb", "{error}"),
                }
            }
            assert!(table.sorted_ids().count() < 1_000_000);
        }
    }
    games
}

fn cases() -> Vec<Case> {
    testkit::cases("chessassistant")
        .into_iter()
        // Without the largest fixtures, which differ only in length.
        .filter(|case| {
            !["long_comments", "long_length", "bad_deep_branches", "bad_no_d02"]
                .contains(&case.name.as_str())
        })
        .collect()
}

#[test]
fn read_damaged_records_and_addresses_does_not_panic() {
    within(300, || {
        for (seed, case) in (0u64..).zip(cases()) {
            let whole = files_of(&case);
            for file in ["d02", "a02", "d00", "cdp"] {
                let bytes = match file {
                    "d02" => &whole.d02,
                    "a02" => &whole.a02,
                    "d00" => &whole.d00,
                    _ => &whole.cdp,
                };
                for damaged in damaged(bytes, seed, 4) {
                    let mut files = whole.clone();
                    match file {
                        "d02" => files.d02 = damaged,
                        "a02" => files.a02 = damaged,
                        "d00" => files.d00 = damaged,
                        _ => files.cdp = damaged,
                    }
                    read_all(&open(&files));
                }
            }
        }
    });
}

/// The moves are readable whatever damage the volume has.
#[test]
fn read_damaged_volume_keeps_games() {
    within(300, || {
        for (seed, case) in (0u64..).zip(cases()).filter(|(_, case)| !case.is_bad()) {
            let whole = files_of(&case);
            let games = read_all(&open(&whole));
            for damaged in damaged(&whole.emb, seed, 16) {
                let files = Files { emb: damaged, ..whole.clone() };
                let base = open(&files);
                read_all(&base);
                let mut reader = base.reader();
                for (number, healthy) in (0..).zip(&games) {
                    // A game with lost names is damaged but keeps its moves.
                    let mut game = Game::new();
                    let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
                    match healthy {
                        Some(healthy) => {
                            // Other names may lead to another detected encoding.
                            assert_eq!(game.ply_count(), healthy.ply_count(), "{}", case.name);
                            assert!(game.main_line().eq(healthy.main_line()), "{}", case.name);
                        }
                        None => assert!(read.is_err(), "{}", case.name),
                    }
                }
            }
        }
    });
}

/// A damaged record never affects another game.
#[test]
fn read_damaged_record_keeps_other_games() {
    within(120, || {
        let cases = testkit::cases("chessassistant");
        let case = cases.iter().find(|case| case.name == "features").unwrap();
        let whole = files_of(case);
        let healthy = read_all(&open(&whole));
        let addresses: Vec<usize> = whole
            .a02
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()) as usize)
            .collect();
        for (victim, start) in addresses.iter().enumerate() {
            let end = addresses.get(victim + 1).copied().unwrap_or(whole.d02.len());
            for at in (*start..end).step_by(9) {
                for byte in [0xe7, 0xff] {
                    let mut files = whole.clone();
                    files.d02[at] = byte;
                    let games = read_all(&open(&files));
                    for (number, (before, after)) in healthy.iter().zip(games).enumerate() {
                        let same = number == victim || after == *before;
                        assert!(same, "byte {at} of game {victim} changed game {number}");
                    }
                }
            }
        }
    });
}

/// A file that counts the bytes read from it.
struct Counting(Vec<u8>, Arc<AtomicU64>);

impl chess_store::io::ReadAt for Counting {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read_at(offset, buffer)?;
        self.1.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A table of fragments that repeats the whole volume is refused before the bytes are concatenated.
#[test]
fn read_volume_memory_is_bounded() {
    let filler = vec![0; 1 << 20];
    let mut bytes = chessassistant::volume::build(&[("Players.d01", filler)]).unwrap();
    let (length, table) = (bytes.len() as u32, bytes.len() as u32);
    // 64 fragments that each cover the first megabyte; the folder's entry is changed to use them.
    let fragment = 16 * 1024u32;
    for _ in 0..length / fragment {
        bytes.extend_from_slice(&fragment.to_le_bytes());
        bytes.extend_from_slice(&200u32.to_le_bytes());
    }
    let name = bytes.windows(11).position(|window| window == b"Players.d01").unwrap();
    let claimed = length / fragment * fragment;
    bytes[name - 20..name - 16].copy_from_slice(&claimed.to_le_bytes());
    bytes[name - 16..name - 12].copy_from_slice(&table.to_le_bytes());
    let read = Arc::new(AtomicU64::new(0));
    let source = Counting(bytes, Arc::clone(&read));
    let volume = Volume::open(source, &mut Diagnostics::lenient()).unwrap();
    read.store(0, Ordering::Relaxed);
    let error = volume.file("players.d01").unwrap_err();
    assert!(error.to_string().contains("fragments overlap"), "{error}");
    assert!(read.load(Ordering::Relaxed) < 1024, "only the table has been read");
}

/// The time for deep nesting is proportional to the record's size.
#[test]
fn read_deep_branches_is_fast() {
    within(60, || {
        let mut decoder = Decoder::new(Encoding::WINDOWS_1252, Reading::Right);
        let mut game = Game::new();
        let depth = 200_000;
        for record in [
            [vec![0xe7; depth], vec![0xe8; depth]].concat(),
            [0xe7, 0x13].repeat(depth),
            [0xe7, 0xe8].repeat(depth),
            [vec![0x13], [0xe7, 0xe8].repeat(depth)].concat(),
            [vec![0xe7; depth], [0x13, 0xe8].repeat(depth)].concat(),
        ] {
            let mut diagnostics = Diagnostics::lenient();
            let read = decoder.decode(&record, &mut game, &mut diagnostics);
            let kept = diagnostics.warnings().len() <= Diagnostics::KEPT;
            assert!(kept && (read.is_err() || !diagnostics.warnings().is_empty()));
            assert_eq!(game.open_variations(), 0);
        }
    });
}
