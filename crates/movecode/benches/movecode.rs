//! Codes and archives, games a second: `cargo bench -p movecode`.

use std::io::Cursor;

use arbitrary::Unstructured;
use chess_core::{Diagnostics, Game, Header, Location};
use divan::Bencher;
use divan::counter::ItemsCount;
use movecode::{Database, DecodeOptions, EncodedGame, GameCode, Writer, decode_game, encode_game};
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: usize = 1000;
/// Plain games of about 85 half-moves, as in tournament collections.
const FLAVOUR: Flavour = Flavour { plies: 85, ..Flavour::PLAIN };

fn games() -> Vec<Game> {
    let mut random = Random::new(1);
    let mut game = || random_game(&mut Unstructured::new(&random.bytes(500)), FLAVOUR).unwrap();
    (0..GAMES).map(|_| game()).collect()
}

fn codes() -> Vec<EncodedGame> {
    let mut all = Vec::new();
    for game in games() {
        let mut encoded = EncodedGame::default();
        encode_game(&game, &mut encoded, &mut Vec::new()).unwrap();
        all.push(encoded);
    }
    all
}

fn archive() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.jose");
    write(&games(), &path);
    std::fs::read(path).unwrap()
}

fn write(games: &[Game], path: &std::path::Path) {
    let mut writer = Writer::create(path, &Default::default()).unwrap();
    let mut losses = Vec::new();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    writer.finish().unwrap();
}

#[divan::bench]
fn decode(bencher: Bencher) {
    let codes = codes();
    let mut game = Game::new();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for encoded in &codes {
            let from = GameCode { fen: None, code: &encoded.code, comments: &encoded.comments };
            let options = DecodeOptions::default();
            let mut diagnostics = Diagnostics::lenient();
            game.clear();
            decode_game(&from, &mut game, &options, &mut diagnostics, Location::default()).unwrap();
        }
    });
}

#[divan::bench]
fn encode(bencher: Bencher) {
    let games = games();
    let (mut encoded, mut losses) = (EncodedGame::default(), Vec::new());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for game in &games {
            encode_game(game, &mut encoded, &mut losses).unwrap();
        }
    });
}

#[divan::bench]
fn archive_games(bencher: Bencher) {
    let base = Database::from_archive(Cursor::new(archive()), &Default::default()).unwrap();
    let mut game = Game::new();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
        }
    });
}

#[divan::bench]
fn archive_headers(bencher: Bencher) {
    let base = Database::from_archive(Cursor::new(archive()), &Default::default()).unwrap();
    let mut header = Header::default();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.header(number, &mut header, &mut Diagnostics::lenient()).unwrap();
        }
    });
}

#[divan::bench]
fn archive_write(bencher: Bencher) {
    let games = games();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.jose");
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| write(&games, &path));
}
