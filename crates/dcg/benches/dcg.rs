//! Games a second, reading and writing, and a base of ten million games.
//!
//! `cargo bench -p dcg`

use std::fs::File;
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use chess_core::io::WriteAt;
use chess_core::seam::{CreateOptions, OpenOptions};
use chess_core::{Diagnostics, Game, Header};
use dcg::layout::Layout;
use dcg::moves::{Record, Step};
use dcg::{Database, Editor, Encoder, Parts, Writer};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use testkit::{Disk, Flavour, Random, Stop, random_game};

fn main() {
    divan::main();
}

const GAMES: usize = 2000;

/// Games of 80 plies; annotated ones with a variation, a comment or a NAG every few moves.
fn games(annotated: bool) -> Vec<Game> {
    let flavour = if annotated {
        Flavour { variations: true, comments: true, nags: 255, plies: 80, ..Flavour::PLAIN }
    } else {
        Flavour { plies: 80, ..Flavour::PLAIN }
    };
    let mut random = Random::new(1);
    (0..GAMES)
        .map(|_| random_game(&mut Unstructured::new(&random.bytes(1200)), flavour).unwrap())
        .collect()
}

fn files() -> Parts<Disk> {
    let file = || Disk::new(Vec::new(), &Stop::never());
    Parts { dci: file(), dcn: file(), dcs: file(), dce: Some(file()), dcg: file() }
}

fn written(games: &[Game]) -> Parts<Vec<u8>> {
    let mut writer = Writer::from_parts(files(), &CreateOptions::default()).unwrap();
    for game in games {
        writer.write(game, &mut Vec::new()).unwrap();
    }
    let parts = writer.into_parts().unwrap();
    Parts {
        dci: parts.dci.bytes(),
        dcn: parts.dcn.bytes(),
        dcs: parts.dcs.bytes(),
        dce: parts.dce.map(|dce| dce.bytes()),
        dcg: parts.dcg.bytes(),
    }
}

fn open(annotated: bool) -> Database<Vec<u8>> {
    Database::from_parts(written(&games(annotated)), &OpenOptions::default()).unwrap()
}

/// Header and moves, with the check that each move is legal.
#[divan::bench(args = [false, true])]
fn read_games(bencher: Bencher, annotated: bool) {
    let base = open(annotated);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.game(number, &mut game, &mut diagnostics).unwrap();
            black_box(&game);
        }
    });
}

#[divan::bench]
fn read_headers(bencher: Bencher) {
    let base = open(false);
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.header(number, &mut header, &mut diagnostics).unwrap();
            black_box(&header);
        }
    });
}

/// Squares only, without a board.
#[divan::bench]
fn list_squares(bencher: Bencher) {
    let mut encoder = Encoder::default();
    let records: Vec<Vec<u8>> = games(false)
        .iter()
        .map(|game| {
            let mut record = Vec::new();
            encoder.encode(game, &mut Vec::new(), &mut record).unwrap();
            record
        })
        .collect();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut sum = 0u32;
        for record in &records {
            for step in Record::parse(record).unwrap().steps() {
                if let Ok(Step::Move(m)) = step {
                    sum = sum.wrapping_add(u32::from(m.to().index()));
                }
            }
        }
        sum
    });
}

#[divan::bench(args = [false, true])]
fn write_games(bencher: Bencher, annotated: bool) {
    let games = games(annotated);
    let mut losses = Vec::new();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut writer = Writer::from_parts(files(), &CreateOptions::default()).unwrap();
        for game in &games {
            losses.clear();
            writer.write(game, &mut losses).unwrap();
        }
        writer.into_parts().unwrap()
    });
}

/// A base of ten million games of which one is there: files with holes, so it needs no room.
fn ten_million(folder: &Path) -> (PathBuf, u64) {
    const COUNT: u64 = 10_000_000;
    const PLACE: u64 = 7_654_321;
    let path = folder.join("big.dci");
    let mut writer = Writer::create(&path, &CreateOptions::default()).unwrap();
    writer.write(&games(false)[0], &mut Vec::new()).unwrap();
    writer.finish().unwrap();
    let index = File::options().read(true).write(true).open(&path).unwrap();
    let base = Database::open(&path, &OpenOptions::default()).unwrap();
    let mut entry = base.entry(0).unwrap();
    let record = std::fs::read(path.with_extension("dcg")).unwrap().split_off(10);
    // Where the game would stand among games of its size.
    entry.offset = 10 + PLACE * record.len() as u64;
    let mut bytes = Vec::new();
    entry.encode(Layout::Current, &mut bytes);
    index.set_len(19 + 39 * COUNT).unwrap();
    index.write_at(19, &[0; 39]).unwrap();
    index.write_at(19 + 39 * PLACE, &bytes).unwrap();
    let all = File::options().read(true).write(true).open(path.with_extension("dcg")).unwrap();
    all.write_at(entry.offset, &record).unwrap();
    all.set_len(10 + COUNT * record.len() as u64).unwrap();
    (path, PLACE)
}

#[divan::bench]
fn open_ten_million(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = ten_million(folder.path());
    bencher.bench_local(|| Database::open(&path, &OpenOptions::default()).unwrap().len());
}

/// Deletes, undeletes, replaces and reads back one game of ten million; each change reaches the
/// disk before the next.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn edit_ten_million(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let (path, place) = ten_million(folder.path());
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.bench_local(|| {
        let base = Database::open(&path, &OpenOptions::default()).unwrap();
        base.game(place, &mut game, &mut diagnostics).unwrap();
        let mut editor = Editor::open(&path, &OpenOptions::default()).unwrap();
        editor.set_deleted(place, true).unwrap();
        editor.set_deleted(place, false).unwrap();
        let new = editor.replace(place, &game, &mut Vec::new()).unwrap();
        let base = Database::open(&path, &OpenOptions::default()).unwrap();
        let white = game.header.white.clone();
        base.game(new, &mut game, &mut diagnostics).unwrap();
        assert_eq!(game.header.white, white);
        editor.set_deleted(place, false).unwrap();
    });
}
