//! Opening, reading and writing a base in memory. `cargo bench -p scid`

use std::io::Cursor;

use arbitrary::Unstructured;
use chess_core::{Diagnostics, Game, Header};
use divan::Bencher;
use divan::counter::ItemsCount;
use scid::{Database, Encoder, Extensions, Writer};
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

/// A base as its three files: index, games, names.
fn files(games: &[Game]) -> [Vec<u8>; 3] {
    let new = || Cursor::new(Vec::new());
    let mut writer =
        Writer::from_parts(Extensions::SI4, new(), new(), new(), &Default::default()).unwrap();
    for game in games {
        writer.write(game, &mut Vec::new()).unwrap();
    }
    let (index, games, names) = writer.into_parts().unwrap();
    [index, games, names].map(Cursor::into_inner)
}

fn open([index, games, names]: &[Vec<u8>; 3]) -> Database<&[u8]> {
    let options = Default::default();
    Database::from_parts(Extensions::SI4, &**index, &**games, &**names, &options).unwrap()
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
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.header(number, &mut header, &mut diagnostics).unwrap();
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
    bencher.counter(ItemsCount::new(plies(&games))).bench_local(|| {
        for number in 0..base.len() {
            base.game(number, &mut game, &mut diagnostics).unwrap();
        }
    });
}

/// Plies a second, records only.
#[divan::bench(args = [false, true])]
fn encode(bencher: Bencher, annotated: bool) {
    let games = games(if annotated { ANNOTATED } else { Flavour::PLAIN });
    let mut encoder = Encoder::new(chess_core::Encoding::UTF_8, false);
    let mut losses = Vec::new();
    bencher.counter(ItemsCount::new(plies(&games))).bench_local(|| {
        for game in &games {
            let tags = game.header.tags.iter();
            encoder.encode(game, tags, Default::default(), &mut losses).unwrap();
        }
    });
}

/// Plies a second, whole bases.
#[divan::bench]
fn write(bencher: Bencher) {
    let games = games(Flavour::PLAIN);
    bencher.counter(ItemsCount::new(plies(&games))).bench(|| files(&games));
}
