//! A Scid base in memory to PGN text: the program's main job. `cargo bench -p scoresheet`

use arbitrary::Unstructured;
use chess_core::Game;
use chess_store::Diagnostics;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use scid::{Database, Losses, Parts, Writer};
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: u64 = 5000;

/// A base of random games.
fn base(flavour: Flavour) -> Database<Vec<u8>> {
    let mut random = Random::new(7);
    let mut writer = Writer::in_memory();
    for _ in 0..GAMES {
        let bytes = random.bytes(if flavour.comments { 1500 } else { 100 });
        let game = random_game(&mut Unstructured::new(&bytes), flavour).unwrap();
        writer.write(&game, &mut Losses::new()).unwrap();
    }
    let parts: Parts<Vec<u8>> = writer.into_bytes().unwrap();
    Database::from_parts(parts, &Default::default()).unwrap()
}

fn export(base: &Database<Vec<u8>>, text: &mut Vec<u8>) {
    let mut exporter = pgn::Exporter::new();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    text.clear();
    while reader.read_game(&mut game, &mut diagnostics).unwrap() {
        exporter.write_game(&game, text);
    }
}

/// Games and bytes of PGN a second, from plain and from annotated games.
#[divan::bench(args = [false, true])]
fn si4_to_pgn(bencher: Bencher, annotated: bool) {
    let all = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };
    let base = base(if annotated { all } else { Flavour::PLAIN });
    let mut text = Vec::new();
    export(&base, &mut text);
    bencher
        .counter(ItemsCount::new(GAMES))
        .counter(BytesCount::new(text.len()))
        .bench_local(|| export(&base, &mut text));
}
