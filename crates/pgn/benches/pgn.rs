//! Benchmarks of reading and writing generated games. `cargo bench -p scoresheet-pgn`

use arbitrary::Unstructured;
use chess_core::{Game, Header};
use chess_store::Diagnostics;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: usize = 2000;

/// Returns games of some length, plain or annotated.
fn games(flavour: Flavour) -> Vec<Game> {
    let mut random = Random::new(7);
    let mut games = Vec::new();
    while games.len() < GAMES {
        let bytes = random.bytes(if flavour.comments { 1500 } else { 160 });
        if let Ok(game) = random_game(&mut Unstructured::new(&bytes), flavour) {
            games.push(game);
        }
    }
    games
}

fn text(games: &[Game]) -> Vec<u8> {
    let (mut text, mut exporter) = (Vec::new(), pgn::Exporter::new());
    games.iter().for_each(|game| exporter.write_game(game, &mut text));
    text
}

fn plies(games: &[Game]) -> usize {
    games.iter().map(Game::ply_count).sum()
}

fn read(bencher: Bencher, flavour: Flavour) {
    let games = games(flavour);
    let text = text(&games);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher
        .counter(ItemsCount::new(plies(&games)))
        .counter(BytesCount::new(text.len()))
        .bench_local(|| {
            let mut reader = pgn::Reader::new(text.as_slice());
            while reader.read_game(&mut game, &mut diagnostics).expect("own text") {}
            diagnostics.clear();
        });
}

fn write(bencher: Bencher, flavour: Flavour) {
    let games = games(flavour);
    let mut exporter = pgn::Exporter::new();
    let mut out = Vec::with_capacity(text(&games).len());
    bencher
        .counter(ItemsCount::new(plies(&games)))
        .counter(BytesCount::new(out.capacity()))
        .bench_local(|| {
            out.clear();
            games.iter().for_each(|game| exporter.write_game(game, &mut out));
        });
}

#[divan::bench]
fn read_plain(bencher: Bencher) {
    read(bencher, Flavour::PLAIN);
}

#[divan::bench]
fn read_annotated(bencher: Bencher) {
    read(bencher, Flavour::ALL);
}

#[divan::bench]
fn read_headers(bencher: Bencher) {
    let games = games(Flavour::PLAIN);
    let text = text(&games);
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(games.len())).counter(BytesCount::new(text.len())).bench_local(
        || {
            let mut reader = pgn::Reader::new(text.as_slice());
            while reader.read_header(&mut header, &mut diagnostics).expect("own text") {}
        },
    );
}

/// Does the work of several threads on one thread.
fn cut(bencher: Bencher, flavour: Flavour) {
    let games = games(flavour);
    let text = text(&games);
    let mut block = pgn::Block::default();
    bencher.counter(ItemsCount::new(games.len())).counter(BytesCount::new(text.len())).bench_local(
        || {
            let mut cutter = pgn::Cutter::new(text.as_slice());
            while cutter.block(&mut block).expect("own text") {}
        },
    );
}

#[divan::bench]
fn cut_plain(bencher: Bencher) {
    cut(bencher, Flavour::PLAIN);
}

#[divan::bench]
fn cut_annotated(bencher: Bencher) {
    cut(bencher, Flavour::ALL);
}

#[divan::bench]
fn write_plain(bencher: Bencher) {
    write(bencher, Flavour::PLAIN);
}

#[divan::bench]
fn write_annotated(bencher: Bencher) {
    write(bencher, Flavour::ALL);
}
