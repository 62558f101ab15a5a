//! Damaged bases: no panic, no hang, bounded memory, and every error has a location.

use chess_core::Game;
use chess_store::Diagnostics;
use dcg::layout::MAGIC_SIZE;
use dcg::{
    Database, ErrorKind, Location, Losses, OpenOptions, Parts, Promotions, RecordDecoder,
    RecordEncoder, RecordOptions,
};
use testkit::{Damage, assert_cuts_keep_moves, assert_damage_is_local, records_in, within};

use crate::common::{FLAVOUR, games, open, read, write};

const FILES: &[&str] = &["dci", "dcn", "dcs", "dce", "dcg"];

/// Returns a file of a base.
fn file<'a>(parts: &'a mut Parts<Vec<u8>>, extension: &str) -> &'a mut Vec<u8> {
    match extension {
        "dci" => &mut parts.dci,
        "dcn" => &mut parts.dcn,
        "dcs" => &mut parts.dcs,
        "dce" => parts.dce.as_mut().unwrap(),
        "dcg" => &mut parts.dcg,
        other => panic!(".{other}"),
    }
}

#[test]
fn read_damaged_base_does_not_panic() {
    let whole = write(&games(7, 12, FLAVOUR)).0;
    within(300, move || {
        let damage = Damage { damaged: FILES, named: FILES, count: 150 };
        let original = |extension| file(&mut whole.clone(), extension).clone();
        damage.assert_survived(original, |extension, bytes| {
            let mut parts = whole.clone();
            *file(&mut parts, extension) = bytes;
            open(parts)
        });
    });
}

#[test]
fn read_damaged_record_keeps_other_games() {
    let whole = write(&games(8, 9, FLAVOUR)).0;
    let healthy = read(whole.clone());
    let records = records_in(&open(whole.clone()).unwrap(), "dcg");
    assert_damage_is_local(&whole.dcg, records[4].clone(), 4, &healthy, |dcg| {
        open(Parts { dcg, ..whole.clone() })
    });
}

#[test]
fn read_truncated_record_keeps_earlier_moves() {
    let whole = write(&games(9, 40, FLAVOUR)).0;
    let records = records_in(&open(whole.clone()).unwrap(), "dcg");
    // The options name the numbering of promotions, because the games that are left may suggest another.
    let mut options = OpenOptions::default();
    options.promotions = Some(Promotions::Program);
    let cut =
        |dcg: &[u8]| Database::from_parts(Parts { dcg: dcg.to_vec(), ..whole.clone() }, &options);
    assert_cuts_keep_moves(&whole.dcg, (0..).zip(records), cut, |error| {
        matches!(error.kind(), Some(ErrorKind::RecordCut(..) | ErrorKind::Cut(_)))
    });
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
        RecordEncoder::default().encode(&game, &mut Losses::new(), &mut out).unwrap();
        assert_eq!(out.len(), record.len() + 100_000, "the ends are written");
    });
}
