//! Reads and writes a base in memory: games and plies a second.
//!
//! `cargo bench -p chessassistant`

use arbitrary::Unstructured;
use chess_core::{Game, Header, Token};
use chessassistant::{Database, Diagnostics, Encoded, Losses, OpenOptions, Parts, Writer};
use divan::Bencher;
use divan::counter::ItemsCount;
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: u64 = 1000;

/// Games of about eighty plies, plain or with everything the format holds.
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

fn write(games: &[Game]) -> Parts<Vec<u8>> {
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    for game in games {
        losses.clear();
        writer.write(game, &mut losses).unwrap();
    }
    writer.into_bytes().unwrap()
}

fn open(games: &[Game]) -> Database<Vec<u8>> {
    Database::from_parts(write(games), &OpenOptions::default()).unwrap()
}

fn plies(games: &[Game]) -> usize {
    games
        .iter()
        .map(|game| game.tokens().filter(|token| matches!(token, Token::Move(_))).count())
        .sum()
}

fn read(bencher: Bencher<'_, '_>, games: &[Game]) {
    let base = open(games);
    let mut reader = base.reader();
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    bencher.counter(ItemsCount::new(plies(games))).bench_local(|| {
        for number in 0..base.len() {
            diagnostics.clear();
            reader.game(number, &mut game, &mut diagnostics).unwrap();
            divan::black_box(&game);
        }
    });
}

/// Plies.
#[divan::bench]
fn read_plain(bencher: Bencher<'_, '_>) {
    read(bencher, &plain());
}

/// Plies, including variations.
#[divan::bench]
fn read_annotated(bencher: Bencher<'_, '_>) {
    read(bencher, &annotated());
}

/// Games.
#[divan::bench]
fn read_headers(bencher: Bencher<'_, '_>) {
    let base = open(&plain());
    let mut reader = base.reader();
    let mut header = Header::default();
    let mut diagnostics = Diagnostics::lenient();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            reader.header(number, &mut header, &mut diagnostics).unwrap();
            divan::black_box(&header);
        }
    });
}

/// Plies.
#[divan::bench]
fn write_plain(bencher: Bencher<'_, '_>) {
    let games = plain();
    bencher.counter(ItemsCount::new(plies(&games))).bench_local(|| write(&games));
}

/// Games: the serial part when several threads encode.
#[divan::bench]
fn append_plain(bencher: Bencher<'_, '_>) {
    let games = plain();
    let encode = || {
        let writer = Writer::in_memory();
        let mut encoder = writer.encoder();
        let encoded = games.iter().map(|game| {
            let mut encoded = Encoded::default();
            encoder.encode(game, &mut encoded, &mut Losses::new()).unwrap();
            encoded
        });
        let encoded: Vec<Encoded> = encoded.collect();
        (writer, encoded)
    };
    bencher.counter(ItemsCount::new(GAMES)).with_inputs(encode).bench_local_values(
        |(mut writer, mut encoded)| {
            for encoded in &mut encoded {
                writer.append(encoded, &mut Losses::new()).unwrap();
            }
            writer.into_bytes().unwrap()
        },
    );
}
