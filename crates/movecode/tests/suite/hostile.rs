//! Damaged archives: no panic, no hang, bounded memory; every error has a location.

use std::ops::Range;

use chess_core::Game;
use chess_store::Diagnostics;
use movecode::{DecodeOptions, Dialect, ErrorKind, GameCode, Location, Losses, decode_game};
use testkit::{Damage, Random, assert_damage_is_local, records_in, within};

use crate::common::{FLAVOUR, games, open, open_parts, read, unpack, write};

const NAMED: &[&str] = &["MYD", "frm", "jose"];

#[test]
fn database_damaged_table_does_not_panic() {
    let files = unpack(&write(&games(7, 5, FLAVOUR)).0);
    let names: Vec<&'static str> =
        files.iter().map(|(name, _)| &*Box::leak(name.clone().into_boxed_str())).collect();
    within(300, move || {
        let original =
            |wanted: &'static str| files.iter().find(|(name, _)| name == wanted).unwrap().1.clone();
        for name in names {
            let count = match name {
                "IO_Game.MYD" | "IO_Game.frm" => 250,
                name if name.ends_with("MYI") => continue,
                _ => 20,
            };
            let damage = Damage { damaged: &[name], named: NAMED, count };
            damage.assert_survived(original, |damaged, bytes| {
                let mut files = files.clone();
                files.iter_mut().find(|(name, _)| name == damaged).unwrap().1 = bytes;
                open_parts(files)
            });
        }
    });
}

#[test]
fn database_damaged_container_does_not_panic() {
    let archive = write(&games(8, 8, FLAVOUR)).0;
    within(300, move || {
        let damage = Damage { damaged: &["jose"], named: NAMED, count: 120 };
        damage.assert_survived(|_| archive.clone(), |_, bytes| open(bytes));
    });
}

#[test]
fn decode_game_random_codes_do_not_panic() {
    within(300, || {
        let mut random = Random::new(11);
        let mut game = Game::new();
        for round in 0..20_000 {
            let length = random.below(60);
            let mut code = random.bytes(length);
            // Mostly moves, since other codes end a game early.
            for byte in &mut code {
                if random.below(3) > 0 {
                    *byte = [0x13, 0x0f, 0x2e, 0x27, 0xf0, 0xf1, 0xe0, 0xb1, 0x22][random.below(9)];
                }
            }
            let comments = random.bytes(12);
            let from = GameCode { fen: None, code: &code, comments: &comments };
            let dialect = [Dialect::Jose, Dialect::Published][round % 2];
            let mut options = DecodeOptions::default();
            options.dialect = dialect;
            let mut diagnostics = Diagnostics::lenient();
            let at = Location::file("MYD").at(1000);
            let read = decode_game(&from, &mut game, &options, &mut diagnostics, at);
            assert_eq!(game.open_variations(), 0);
            if let Err(error) = read {
                let offset = error.location().offset.unwrap();
                assert!((1000..=1000 + code.len() as u64).contains(&offset));
            }
        }
    });
}

/// The files of an archive: names and contents.
type Files = Vec<(String, Vec<u8>)>;

/// Returns the files of an archive, the place of its rows, and the ranges of the rows.
fn rows_of(seed: u64, count: usize) -> (Files, usize, Vec<Range<usize>>) {
    let files = unpack(&write(&games(seed, count, FLAVOUR)).0);
    let rows = files.iter().position(|(name, _)| name == "IO_Game.MYD").unwrap();
    let records = records_in(&open_parts(files.clone()).unwrap(), "MYD");
    (files, rows, records)
}

#[test]
fn database_damaged_row_keeps_other_games() {
    let (files, rows, records) = rows_of(9, 9);
    let healthy = read(&open_parts(files.clone()).unwrap());
    // Up to the next row's header, of three to five bytes.
    let row = records[4].start..records[5].start - 5;
    assert_damage_is_local(&files[rows].1, row, 4, &healthy, |bytes| {
        let mut files = files.clone();
        files[rows].1 = bytes;
        open_parts(files)
    });
}

#[test]
fn decode_game_deep_variations_are_error() {
    let code = [0x13, 0xf0].repeat(100_000);
    let from = GameCode { fen: None, code: &code, comments: &[] };
    let mut game = Game::new();
    let options = DecodeOptions::default();
    let mut diagnostics = Diagnostics::lenient();
    let error =
        decode_game(&from, &mut game, &options, &mut diagnostics, Location::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep), "{error}");
}

/// Entries with a table's name but without data: empty files, links, folders.
#[test]
fn container_empty_entries_are_ignored() {
    let files = unpack(&write(&games(10, 6, FLAVOUR)).0);
    let healthy = read(&open_parts(files.clone()).unwrap());
    let hollow = |tar: &mut tar::Builder<Vec<u8>>, kind| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_link_name("elsewhere").unwrap();
        for (name, _) in &files {
            tar.append_data(&mut header, name, &[][..]).unwrap();
        }
    };
    use tar::EntryType as Kind;
    for kind in [Kind::Regular, Kind::Symlink, Kind::Link, Kind::Directory] {
        for before in [true, false] {
            let mut tar = tar::Builder::new(Vec::new());
            if before {
                hollow(&mut tar, kind);
            }
            for (name, bytes) in &files {
                let mut header = tar::Header::new_gnu();
                header.set_size(bytes.len() as u64);
                tar.append_data(&mut header, name, bytes.as_slice()).unwrap();
            }
            if !before {
                hollow(&mut tar, kind);
            }
            let base = open(tar.into_inner().unwrap()).unwrap();
            assert_eq!(read(&base), healthy, "{kind:?} {before}");
            let twice =
                base.warnings().iter().any(|warning| warning.name == "movecode-table-twice");
            assert_eq!(twice, kind == Kind::Regular, "{:?}", base.warnings());
        }
    }
}

#[test]
fn container_decompression_bomb_is_error() {
    use std::io::Write as _;
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(80 << 20);
    header.set_mode(0o644);
    let zeros = std::io::Read::take(std::io::repeat(0), 80 << 20);
    tar.append_data(&mut header, "IO_Game.MYD", zeros).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&tar.into_inner().unwrap()).unwrap();
    // Two layers make it small enough.
    let mut twice = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    twice.write_all(&gzip.finish().unwrap()).unwrap();
    let bomb = twice.finish().unwrap();
    assert!(bomb.len() < 500_000, "{}", bomb.len());
    let error = open(bomb).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooBig(_)), "{error}");
}

#[test]
fn writer_unfinished_creates_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.jose");
    let mut writer = movecode::Writer::create(&path).unwrap();
    writer.write(&Game::new(), &mut Losses::new()).unwrap();
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
