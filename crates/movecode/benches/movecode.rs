//! `cargo bench -p movecode`: games per second for codes and archives.

use std::io::Cursor;

use arbitrary::Unstructured;
use chess_core::{Game, Header};
use chess_store::Diagnostics;
use divan::Bencher;
use divan::counter::ItemsCount;
use movecode::{
    Database, DecodeOptions, EncodedGame, GameCode, Location, Losses, Writer, decode_game,
    encode_game,
};
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: usize = 1000;
/// Games of about 85 plies, as in tournament collections.
const PLAIN: Flavour = Flavour { plies: 85, ..Flavour::PLAIN };
/// Games with a variation, comment or NAG every few moves.
const ANNOTATED: Flavour = Flavour { variations: true, comments: true, nags: 255, ..PLAIN };

fn games(flavour: Flavour) -> Vec<Game> {
    let mut random = Random::new(1);
    let mut game = || random_game(&mut Unstructured::new(&random.bytes(500)), flavour).unwrap();
    (0..GAMES).map(|_| game()).collect()
}

fn archive() -> Vec<u8> {
    let mut writer = Writer::in_memory();
    for game in games(PLAIN) {
        writer.write(&game, &mut Losses::new()).unwrap();
    }
    writer.into_bytes().unwrap()
}

fn write(games: &[Game], path: &std::path::Path) {
    let mut writer = Writer::create(path).unwrap();
    let mut losses = Losses::new();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    writer.finish().unwrap();
}

#[divan::bench]
fn decode(bencher: Bencher) {
    decode_games(bencher, PLAIN);
}

#[divan::bench]
fn decode_annotated(bencher: Bencher) {
    decode_games(bencher, ANNOTATED);
}

#[divan::bench]
fn encode(bencher: Bencher) {
    encode_games(bencher, PLAIN);
}

#[divan::bench]
fn encode_annotated(bencher: Bencher) {
    encode_games(bencher, ANNOTATED);
}

fn decode_games(bencher: Bencher, flavour: Flavour) {
    let encoded = games(flavour).into_iter().map(|game| {
        let mut encoded = EncodedGame::default();
        encode_game(&game, &mut encoded, &mut Losses::new()).unwrap();
        encoded
    });
    let encoded: Vec<EncodedGame> = encoded.collect();
    let options = DecodeOptions::default();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for EncodedGame { code, comments, .. } in &encoded {
            let from = GameCode { fen: None, code, comments };
            game.clear();
            diagnostics.clear();
            decode_game(&from, &mut game, &options, &mut diagnostics, Location::default()).unwrap();
        }
    });
}

fn encode_games(bencher: Bencher, flavour: Flavour) {
    let games = games(flavour);
    let (mut encoded, mut losses) = (EncodedGame::default(), Losses::new());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for game in &games {
            encode_game(game, &mut encoded, &mut losses).unwrap();
        }
    });
}

#[divan::bench]
fn archive_games(bencher: Bencher) {
    let base = Database::from_archive(Cursor::new(archive()), &Default::default()).unwrap();
    let (mut game, mut reader) = (Game::new(), base.reader());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
        }
    });
}

#[divan::bench]
fn archive_headers(bencher: Bencher) {
    let base = Database::from_archive(Cursor::new(archive()), &Default::default()).unwrap();
    let (mut header, mut reader) = (Header::default(), base.reader());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            reader.header(number, &mut header, &mut Diagnostics::lenient()).unwrap();
        }
    });
}

/// Each run packs the tables and syncs the disk, so few samples suffice.
#[divan::bench(sample_count = 20)]
fn archive_write(bencher: Bencher) {
    let games = games(PLAIN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.jose");
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| write(&games, &path));
}
