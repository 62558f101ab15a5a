//! Games per second, read and written.
//!
//! `cargo bench -p cbh`

use cbh::{Database, Encoded, Losses, OpenOptions, Parts, Writer, v2};
use chess_core::{Game, Header};
use chess_store::Diagnostics;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use testkit::{Flavour, random_games};

fn main() {
    divan::main();
}

const GAMES: usize = 2000;

/// Builds games of 80 plies. Annotated games have a variation, a comment or a NAG every few moves.
fn games(annotated: bool) -> Vec<Game> {
    let flavour = if annotated {
        Flavour { variations: true, comments: true, nags: 139, plies: 80, ..Flavour::PLAIN }
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

/// Reads header, moves and annotations, and checks that each move is legal.
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

/// Reads the data used for lists and searches.
#[divan::bench]
fn read_headers(bencher: Bencher) {
    let base = open(false);
    let mut reader = base.reader();
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            reader.header(number, &mut header, &mut diagnostics).unwrap();
            black_box(&header);
        }
    });
}

/// Encodes header, moves and annotations, which several threads can share.
#[divan::bench(args = [false, true])]
fn encode_games(bencher: Bencher, annotated: bool) {
    let games = games(annotated);
    let mut encoder = Writer::in_memory().encoder();
    let (mut encoded, mut losses) = (Encoded::default(), Losses::new());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for game in &games {
            losses.clear();
            encoder.encode(game, &mut encoded, &mut losses).unwrap();
            black_box(&encoded);
        }
    });
}

/// Writes a whole base, including its names.
#[divan::bench(args = [false, true])]
fn write_base(bencher: Bencher, annotated: bool) {
    let games = games(annotated);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| black_box(written(&games)));
}

fn open_v2(annotated: bool) -> v2::Database<Vec<u8>> {
    let mut writer = v2::Writer::in_memory();
    for game in games(annotated) {
        writer.write(&game, &mut Losses::new()).unwrap();
    }
    v2::Database::from_parts(writer.into_bytes().unwrap(), &OpenOptions::default()).unwrap()
}

/// Like `read_games`, for `.2cbh`.
#[divan::bench(args = [false, true])]
fn read_games_v2(bencher: Bencher, annotated: bool) {
    let mut reader = open_v2(annotated).into_reader();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        reader.seek(0);
        while reader.read_game(&mut game, &mut diagnostics).unwrap() {
            black_box(&game);
        }
    });
}

/// Like `encode_games`, for `.2cbh`.
#[divan::bench(args = [false, true])]
fn encode_games_v2(bencher: Bencher, annotated: bool) {
    let games = games(annotated);
    let mut encoder = v2::Writer::in_memory().encoder();
    let (mut encoded, mut losses) = (v2::Encoded::default(), Losses::new());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for game in &games {
            losses.clear();
            encoder.encode(game, &mut encoded, &mut losses).unwrap();
            black_box(&encoded);
        }
    });
}
