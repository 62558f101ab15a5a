//! Games a second, reading and writing, and a base of ten million games.
//!
//! `cargo bench -p dcg`

use std::fs::File;
use std::path::{Path, PathBuf};

use chess_core::{Game, Header};
use chess_store::Diagnostics;
use chess_store::io::WriteAt;
use dcg::layout::Layout;
use dcg::moves::{Record, Step};
use dcg::{Database, Editor, Encoded, Losses, OpenOptions, Parts, RecordEncoder, Writer};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use testkit::{Flavour, random_games};

fn main() {
    divan::main();
}

const GAMES: usize = 2000;

/// Games of 80 plies. Annotated games have a variation, a comment or a NAG every few moves.
fn games(annotated: bool) -> Vec<Game> {
    let flavour = if annotated {
        Flavour { variations: true, comments: true, nags: 255, plies: 80, ..Flavour::PLAIN }
    } else {
        Flavour { plies: 80, ..Flavour::PLAIN }
    };
    random_games(1, GAMES, 1200, flavour)
}

fn written(games: &[Game]) -> Parts<Vec<u8>> {
    let mut writer = Writer::in_memory();
    for game in games {
        writer.write(game, &mut Losses::new()).unwrap();
    }
    writer.into_bytes().unwrap()
}

fn open(annotated: bool) -> Database<Vec<u8>> {
    Database::from_parts(written(&games(annotated)), &OpenOptions::default()).unwrap()
}

/// Header and moves, with a legality check for each move.
#[divan::bench(args = [false, true])]
fn read_games(bencher: Bencher, annotated: bool) {
    let mut reader = open(annotated).into_reader();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        reader.seek(0);
        while reader.read_game(&mut game, &mut diagnostics).unwrap() {
            black_box(&game);
        }
    });
}

#[divan::bench]
fn read_headers(bencher: Bencher) {
    let mut reader = open(false).into_reader();
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..GAMES as u64 {
            reader.header(number, &mut header, &mut diagnostics).unwrap();
            black_box(&header);
        }
    });
}

/// Squares only, without a board.
#[divan::bench]
fn list_squares(bencher: Bencher) {
    let mut encoder = RecordEncoder::default();
    let records: Vec<Vec<u8>> = games(false)
        .iter()
        .map(|game| {
            let mut record = Vec::new();
            encoder.encode(game, &mut Losses::new(), &mut record).unwrap();
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
    let mut losses = Losses::new();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut writer = Writer::in_memory();
        for game in &games {
            losses.clear();
            writer.write(game, &mut losses).unwrap();
        }
        writer.into_bytes().unwrap()
    });
}

/// The serial part when several threads encode.
#[divan::bench(args = [false, true])]
fn append_games(bencher: Bencher, annotated: bool) {
    let mut losses = Losses::new();
    let mut encoder = Writer::in_memory().encoder();
    let encode = |game: &Game| {
        let mut encoded = Encoded::default();
        encoder.encode(game, &mut encoded, &mut Losses::new()).unwrap();
        encoded
    };
    let mut encoded: Vec<Encoded> = games(annotated).iter().map(encode).collect();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut writer = Writer::in_memory();
        for encoded in &mut encoded {
            writer.append(encoded, &mut losses).unwrap();
        }
        writer.into_bytes().unwrap()
    });
}

/// A base of ten million games with one real game: sparse files, so it needs no disk space.
fn ten_million(folder: &Path) -> (PathBuf, u64) {
    const COUNT: u64 = 10_000_000;
    const PLACE: u64 = 7_654_321;
    let path = folder.join("big.dci");
    let mut writer = Writer::create(&path).unwrap();
    writer.write(&games(false)[0], &mut Losses::new()).unwrap();
    writer.finish().unwrap();
    let mut index = File::options().read(true).write(true).open(&path).unwrap();
    let base = Database::open(&path).unwrap();
    let mut entry = base.entry(0).unwrap();
    let record = std::fs::read(path.with_extension("dcg")).unwrap().split_off(10);
    // The offset that the game would have among games of its size.
    entry.offset = 10 + PLACE * record.len() as u64;
    let mut bytes = Vec::new();
    entry.encode(Layout::Current, &mut bytes);
    index.set_len(19 + 39 * COUNT).unwrap();
    index.write_at(19, &[0; 39]).unwrap();
    index.write_at(19 + 39 * PLACE, &bytes).unwrap();
    let mut all = File::options().read(true).write(true).open(path.with_extension("dcg")).unwrap();
    all.write_at(entry.offset, &record).unwrap();
    all.set_len(10 + COUNT * record.len() as u64).unwrap();
    (path, PLACE)
}

#[divan::bench]
fn open_ten_million(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = ten_million(folder.path());
    bencher.bench_local(|| Database::open(&path).unwrap().len());
}

/// Deletes, undeletes, replaces and reads back one game of ten million. Each edit reaches the disk
/// before the next.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn edit_ten_million(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let (path, place) = ten_million(folder.path());
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.bench_local(|| {
        let base = Database::open(&path).unwrap();
        base.reader().game(place, &mut game, &mut diagnostics).unwrap();
        let mut editor = Editor::open(&path).unwrap();
        editor.set_deleted(place, true).unwrap();
        editor.set_deleted(place, false).unwrap();
        let new = editor.replace(place, &game, &mut Losses::new()).unwrap();
        let base = Database::open(&path).unwrap();
        let white = game.header.white.clone();
        base.reader().game(new, &mut game, &mut diagnostics).unwrap();
        assert_eq!(game.header.white, white);
        editor.set_deleted(place, false).unwrap();
    });
}
