//! Damaged archives: no panic, no hang, bounded memory; every error has a location.

use movecode::prelude::*;
use movecode::{Database, DecodeOptions, Dialect, ErrorKind, GameCode, Location, decode_game};
use testkit::{Random, assert_others_stand, damaged, scratched, survive_opening, within};

use crate::common::{FLAVOUR, games, open, open_parts, read, unpack, write};

fn survive(base: Result<Database, movecode::Error>) {
    survive_opening(base, &["MYD", "frm", "jose"], u64::MAX);
}

#[test]
fn database_damaged_table_does_not_panic() {
    let files = unpack(&write(&games(7, 5, FLAVOUR)).0);
    within(300, move || {
        for (place, seed) in (0..files.len()).zip(1..) {
            let count = match files[place].0.as_str() {
                "IO_Game.MYD" | "IO_Game.frm" => 250,
                name if name.ends_with("MYI") => continue,
                _ => 20,
            };
            for bytes in damaged(&files[place].1, seed, count) {
                let mut files = files.clone();
                files[place].1 = bytes;
                survive(open_parts(files));
            }
        }
    });
}

#[test]
fn database_damaged_container_does_not_panic() {
    let archive = write(&games(8, 8, FLAVOUR)).0;
    within(300, move || {
        for bytes in damaged(&archive, 3, 120) {
            survive(open(bytes));
        }
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

#[test]
fn database_damaged_row_keeps_other_games() {
    let files = unpack(&write(&games(9, 9, FLAVOUR)).0);
    let healthy = read(&open_parts(files.clone()).unwrap());
    let rows = files.iter().position(|(name, _)| name == "IO_Game.MYD").unwrap();
    let mut starts = Vec::new();
    for number in 0..9 {
        let base = open_parts(files.clone()).unwrap();
        let mut first = None;
        base.reader().dump(number, &mut |field| first = first.or(Some(field.offset))).unwrap();
        starts.push(first.unwrap() as usize);
    }
    // Up to the next row's header, of three to five bytes.
    let (start, end) = (starts[4], starts[5] - 5);
    for seed in 0..200 {
        let mut files = files.clone();
        files[rows].1 = scratched(&files[rows].1, start..end, seed);
        assert_others_stand(&open_parts(files).unwrap(), 4, &healthy);
    }
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
    writer.write(&Game::new(), &mut Vec::new()).unwrap();
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
