//! `cargo bench -p scoresheet-cbf`: plies per second, over generated databases.

use cbf::{CreateOptions, Database, Encoded, Losses, OpenOptions, Parts, Writer};
use chess_core::{Game, Header, Token};
use chess_store::Diagnostics;
use divan::Bencher;
use divan::counter::ItemsCount;
use testkit::{Flavour, Random, random_game};

const GAMES: u64 = 500;

fn main() {
    divan::main();
}

/// Random games of up to 160 plies: plain, or with variations and comments.
fn games(annotated: bool) -> Vec<Game> {
    let variations = annotated;
    let flavour =
        Flavour { variations, comments: annotated, nags: 6, plies: 160, ..Flavour::PLAIN };
    let flavour = if annotated { flavour } else { Flavour { nags: 0, ..flavour } };
    let game = |seed| {
        let bytes = Random::new(seed).bytes(1200);
        random_game(&mut arbitrary::Unstructured::new(&bytes), flavour).unwrap()
    };
    (0..GAMES).map(game).collect()
}

fn plies(games: &[Game]) -> ItemsCount {
    let moves = |game: &Game| game.tokens().filter(|token| matches!(token, Token::Move(_))).count();
    ItemsCount::new(games.iter().map(moves).sum::<usize>())
}

fn write(games: &[Game]) -> Parts<Vec<u8>> {
    let mut writer = writer();
    let mut losses = Losses::new();
    for game in games {
        losses.clear();
        writer.write(game, &mut losses).unwrap();
    }
    writer.into_bytes().unwrap()
}

fn writer() -> Writer<Vec<u8>> {
    let empty = || Vec::with_capacity(1 << 20);
    Writer::from_parts(Parts::new(empty(), Some(empty())), &CreateOptions::default()).unwrap()
}

#[divan::bench(args = [false, true])]
fn decode(bencher: Bencher<'_, '_>, annotated: bool) {
    let games = games(annotated);
    let base = Database::from_parts(write(&games), &OpenOptions::default()).unwrap();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    bencher.counter(plies(&games)).bench_local(|| {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    });
}

#[divan::bench(args = [false, true])]
fn encode(bencher: Bencher<'_, '_>, annotated: bool) {
    let games = games(annotated);
    bencher.counter(plies(&games)).bench_local(|| write(&games));
}

/// The sequential part of writing: appending encoded games.
#[divan::bench(args = [false, true])]
fn append(bencher: Bencher<'_, '_>, annotated: bool) {
    let games = games(annotated);
    let mut encoder = writer().encoder();
    let mut losses = Losses::new();
    let encode = |game| {
        let mut encoded = Encoded::default();
        encoder.encode(game, &mut encoded, &mut losses).unwrap();
        encoded
    };
    let mut encoded: Vec<Encoded> = games.iter().map(encode).collect();
    bencher.counter(plies(&games)).with_inputs(writer).bench_local_values(|mut writer| {
        for encoded in &mut encoded {
            writer.append(encoded, &mut Losses::new()).unwrap();
        }
        writer
    });
}

#[divan::bench]
fn headers(bencher: Bencher<'_, '_>) {
    let base = Database::from_parts(write(&games(false)), &OpenOptions::default()).unwrap();
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    let mut reader = base.reader();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            reader.header(number, &mut header, &mut diagnostics).unwrap();
        }
    });
}
