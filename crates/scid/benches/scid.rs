//! Opening, reading and writing a base in memory. `cargo bench -p scid`

use arbitrary::Unstructured;
use chess_core::{Game, Header};
use chess_store::Diagnostics;
use divan::Bencher;
use divan::counter::ItemsCount;
use scid::{Database, Encoded, Losses, Parts, Writer};
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: usize = 5000;

const ANNOTATED: Flavour = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };

fn games(flavour: Flavour) -> Vec<Game> {
    let mut random = Random::new(11);
    let length = if flavour.comments { 1500 } else { 100 };
    (0..GAMES)
        .map(|number| {
            let mut game =
                random_game(&mut Unstructured::new(&random.bytes(length)), flavour).unwrap();
            game.header.white = format!("Player {}", number % 900);
            game
        })
        .collect()
}

fn files(games: &[Game]) -> Parts<Vec<u8>> {
    let mut writer = Writer::in_memory();
    for game in games {
        writer.write(game, &mut Losses::new()).unwrap();
    }
    writer.into_bytes().unwrap()
}

fn open(files: &Parts<Vec<u8>>) -> Database<&Vec<u8>> {
    Database::from_parts(files.as_ref(), &Default::default()).unwrap()
}

fn plies(games: &[Game]) -> usize {
    let moves = |game: &Game| {
        game.tokens().filter(|token| matches!(token, chess_core::Token::Move(_))).count()
    };
    games.iter().map(moves).sum()
}

/// Names a second.
#[divan::bench]
fn open_names(bencher: Bencher) {
    let files = files(&games(Flavour::PLAIN));
    let names = open(&files).names().iter().map(scid::NameList::count).sum::<usize>();
    bencher.counter(ItemsCount::new(names)).bench(|| open(&files).len());
}

/// Games a second.
#[divan::bench]
fn headers(bencher: Bencher) {
    let files = files(&games(Flavour::PLAIN));
    let base = open(&files);
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    let mut reader = base.reader();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            reader.header(number, &mut header, &mut diagnostics).unwrap();
        }
    });
}

/// Plies a second, in plain or in annotated games.
#[divan::bench(args = [false, true])]
fn decode(bencher: Bencher, annotated: bool) {
    let games = games(if annotated { ANNOTATED } else { Flavour::PLAIN });
    let files = files(&games);
    let base = open(&files);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    bencher.counter(ItemsCount::new(plies(&games))).bench_local(|| {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    });
}

/// Plies a second, without the serial part.
#[divan::bench(args = [false, true])]
fn encode(bencher: Bencher, annotated: bool) {
    let games = games(if annotated { ANNOTATED } else { Flavour::PLAIN });
    let mut encoder = Writer::in_memory().encoder();
    let (mut encoded, mut losses) = (Encoded::default(), Losses::new());
    bencher.counter(ItemsCount::new(plies(&games))).bench_local(|| {
        for game in &games {
            encoder.encode(game, &mut encoded, &mut losses).unwrap();
        }
    });
}

/// Plies a second, the serial part only.
#[divan::bench(args = [false, true])]
fn append(bencher: Bencher, annotated: bool) {
    let games = games(if annotated { ANNOTATED } else { Flavour::PLAIN });
    let mut losses = Losses::new();
    let new = || {
        let writer = Writer::in_memory();
        let mut encoder = writer.encoder();
        let encode = |game| {
            let mut encoded = Encoded::default();
            encoder.encode(game, &mut encoded, &mut Losses::new()).unwrap();
            encoded
        };
        let encoded: Vec<Encoded> = games.iter().map(encode).collect();
        (writer, encoded)
    };
    let plies = ItemsCount::new(plies(&games));
    bencher.counter(plies).with_inputs(new).bench_local_values(|(mut writer, mut encoded)| {
        for game in &mut encoded {
            writer.append(game, &mut losses).unwrap();
        }
        (writer, encoded)
    });
}

/// Plies a second, whole bases.
#[divan::bench]
fn write(bencher: Bencher) {
    let games = games(Flavour::PLAIN);
    bencher.counter(ItemsCount::new(plies(&games))).bench(|| files(&games));
}
