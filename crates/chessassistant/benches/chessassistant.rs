//! Reading and writing a base in memory: games and half-moves a second.
//!
//! `cargo bench -p chessassistant`

use arbitrary::Unstructured;
use chess_core::io::ReadAt;
use chess_core::seam::{CreateOptions, OpenOptions};
use chess_core::{Diagnostics, Game, Header, Token};
use chessassistant::{Database, Outputs, Parts, Writer};
use divan::Bencher;
use divan::counter::ItemsCount;
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: u64 = 1000;

/// Games of some eighty half-moves, plain or with everything the format holds.
fn games(flavour: Flavour) -> Vec<Game> {
    (0..GAMES)
        .map(|seed| {
            let bytes = Random::new(seed).bytes(400);
            random_game(&mut Unstructured::new(&bytes), flavour).unwrap()
        })
        .collect()
}

fn plain() -> Vec<Game> {
    games(Flavour { plies: 80, ..Flavour::PLAIN })
}

fn annotated() -> Vec<Game> {
    games(Flavour { chess960: false, tags: false, nags: 100, ..Flavour::ALL })
}

fn write(games: &[Game]) -> Outputs<Vec<u8>> {
    let none = Vec::new;
    let outputs = Outputs { cdp: none(), emb: none(), d00: none(), a02: none(), d02: none() };
    let mut writer = Writer::new(outputs, &CreateOptions::default()).unwrap();
    let mut losses = Vec::new();
    for game in games {
        losses.clear();
        writer.write(game, &mut losses).unwrap();
    }
    writer.finish().unwrap()
}

fn open(games: &[Game]) -> Database {
    let boxed = |bytes: Vec<u8>| Box::new(bytes) as Box<dyn ReadAt>;
    let files = write(games);
    let parts = Parts {
        cdp: Some(boxed(files.cdp)),
        emb: Some(boxed(files.emb)),
        d00: boxed(files.d00),
        a02: boxed(files.a02),
        d02: boxed(files.d02),
    };
    Database::from_parts(parts, &OpenOptions::default()).unwrap()
}

fn plies(games: &[Game]) -> usize {
    games
        .iter()
        .map(|game| game.tokens().filter(|token| matches!(token, Token::Move(_))).count())
        .sum()
}

fn read(bencher: Bencher<'_, '_>, games: &[Game]) {
    let base = open(games);
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    bencher.counter(ItemsCount::new(plies(games))).bench_local(|| {
        for number in 0..base.len() {
            diagnostics.clear();
            base.game(number, &mut game, &mut diagnostics).unwrap();
            divan::black_box(&game);
        }
    });
}

/// Half-moves.
#[divan::bench]
fn read_plain(bencher: Bencher<'_, '_>) {
    read(bencher, &plain());
}

/// Half-moves, those of variations counted.
#[divan::bench]
fn read_annotated(bencher: Bencher<'_, '_>) {
    read(bencher, &annotated());
}

/// Games.
#[divan::bench]
fn read_headers(bencher: Bencher<'_, '_>) {
    let base = open(&plain());
    let mut header = Header::default();
    let mut diagnostics = Diagnostics::lenient();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.header(number, &mut header, &mut diagnostics).unwrap();
            divan::black_box(&header);
        }
    });
}

/// Half-moves.
#[divan::bench]
fn write_plain(bencher: Bencher<'_, '_>) {
    let games = plain();
    bencher.counter(ItemsCount::new(plies(&games))).bench_local(|| write(&games));
}
