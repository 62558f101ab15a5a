//! Damaged bases: no panic, no hang, bounded memory, and every error has a location.

use dcg::layout::MAGIC_SIZE;
use dcg::prelude::*;
use dcg::{ErrorKind, Location, RecordDecoder, RecordEncoder, RecordOptions};
use testkit::{assert_others_stand, damaged, scratched, survive_opening, within};

use crate::common::{FLAVOUR, games, open, read, write};

const FILES: &[&str] = &["dci", "dcn", "dcs", "dce", "dcg"];

#[test]
fn read_damaged_base_does_not_panic() {
    let whole = write(&games(7, 12, FLAVOUR)).0;
    within(300, move || {
        for (file, seed) in (0..5).zip(1..) {
            let original = match file {
                0 => &whole.dci,
                1 => &whole.dcn,
                2 => &whole.dcs,
                3 => whole.dce.as_ref().unwrap(),
                _ => &whole.dcg,
            };
            for bytes in damaged(original, seed, 150) {
                let mut parts = whole.clone();
                match file {
                    0 => parts.dci = bytes,
                    1 => parts.dcn = bytes,
                    2 => parts.dcs = bytes,
                    3 => parts.dce = Some(bytes),
                    _ => parts.dcg = bytes,
                }
                survive_opening(open(parts), FILES, u64::MAX);
            }
        }
    });
}

#[test]
fn read_damaged_record_keeps_other_games() {
    let written = games(8, 9, FLAVOUR);
    let whole = write(&written).0;
    let healthy = read(whole.clone());
    let base = open(whole.clone()).unwrap();
    let start = base.entry(4).unwrap().offset as usize;
    let end = base.entry(5).unwrap().offset as usize;
    for seed in 0..200 {
        let mut parts = whole.clone();
        parts.dcg = scratched(&whole.dcg, start..end, seed);
        assert_others_stand(&open(parts).unwrap(), 4, &healthy);
    }
}

#[test]
fn read_damaged_record_keeps_earlier_moves() {
    let written = games(9, 40, FLAVOUR);
    let whole = write(&written).0;
    let base = open(whole.clone()).unwrap();
    let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
    for number in 0..base.len() {
        let start = base.entry(number).unwrap().offset as usize;
        let end = base.entry(number + 1).map_or(whole.dcg.len(), |next| next.offset as usize);
        let mut whole_game = Game::new();
        reader.game(number, &mut whole_game, &mut diagnostics).unwrap();
        for cut in (start + 1..whole.dcg.len().min(start + 200)).step_by(19) {
            let mut parts = whole.clone();
            parts.dcg.truncate(cut);
            let mut game = Game::new();
            let mut cut_base = open(parts).unwrap().into_reader();
            match cut_base.game(number, &mut game, &mut diagnostics) {
                Ok(()) => assert!(cut >= end, "game {number} cut at {cut}"),
                Err(error) => {
                    assert!(cut < end, "game {number} cut at {cut}: {error}");
                    let kind = error.kind();
                    let cuts = matches!(kind, ErrorKind::RecordCut(..) | ErrorKind::Cut(_));
                    assert!(cuts, "game {number} cut at {cut}: {error}");
                }
            }
            let kept: Vec<_> = game.main_line().collect();
            let all: Vec<_> = whole_game.main_line().collect();
            assert!(all.starts_with(&kept), "game {number} cut at {cut}");
        }
    }
}

#[test]
fn read_false_length_allocates_little() {
    // A game whose stated length is 4 GiB.
    let mut parts = write(&games(10, 1, FLAVOUR)).0;
    parts.dcg.truncate(MAGIC_SIZE as usize);
    parts
        .dcg
        .extend_from_slice(&[0x84, 0xff, 0xff, 0xff, 0xff, 0x00, 0x03, 0x1c, 0x86, 0x84, 0xff]);
    let base = open(parts).unwrap();
    let mut game = Game::new();
    let mut read = || {
        let error = base.reader().game(0, &mut game, &mut Diagnostics::lenient()).unwrap_err();
        assert_eq!(
            error.to_string(),
            ".dcg, byte 10, game 1: the record should have 4294967295 bytes and has 6"
        );
    };
    let bytes = allocation_counter::measure(&mut read).bytes_max;
    assert!(bytes < 4096, "{bytes} bytes");
    assert_eq!(game.ply_count(), 1);
}

#[test]
fn read_endless_variations_does_not_recurse() {
    // A hundred thousand nested variations: no recursion.
    let mut record = vec![0x00, 0x03, 0x1c];
    for _ in 0..100_000 {
        record.extend_from_slice(&[0x84, 0x03, 0x1c]);
    }
    within(60, move || {
        let mut game = Game::new();
        let mut diagnostics = Diagnostics::lenient();
        let (mut decoder, options) = (RecordDecoder::default(), RecordOptions::default());
        let at = Location::file("dcg");
        decoder.decode(&record, options, &mut game, &mut diagnostics, at).unwrap();
        assert_eq!(game.variation_count(), 100_000);
        let mut out = Vec::new();
        RecordEncoder::default().encode(&game, &mut Vec::new(), &mut out).unwrap();
        assert_eq!(out.len(), record.len() + 100_000, "the ends are written");
    });
}
