//! A Scid base in memory to PGN text: the program's main job. `cargo bench -p scoresheet`

use std::io::Cursor;

use arbitrary::Unstructured;
use chess_core::{Diagnostics, Game};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use scid::{Database, Extensions, Writer};
use testkit::{Flavour, Random, random_game};

fn main() {
    divan::main();
}

const GAMES: u64 = 5000;

/// The three files of a base of random games.
fn files(flavour: Flavour) -> [Vec<u8>; 3] {
    let mut random = Random::new(7);
    let new = || Cursor::new(Vec::new());
    let mut writer =
        Writer::from_parts(Extensions::SI4, new(), new(), new(), &Default::default()).unwrap();
    for _ in 0..GAMES {
        let bytes = random.bytes(if flavour.comments { 1500 } else { 100 });
        let game = random_game(&mut Unstructured::new(&bytes), flavour).unwrap();
        writer.write(&game, &mut Vec::new()).unwrap();
    }
    let (index, games, names) = writer.into_parts().unwrap();
    [index, games, names].map(Cursor::into_inner)
}

fn export(base: &Database<&[u8]>, text: &mut Vec<u8>) {
    let mut exporter = pgn::Exporter::new();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    text.clear();
    for number in 0..base.len() {
        base.game(number, &mut game, &mut diagnostics).unwrap();
        exporter.write_game(&game, text);
    }
}

/// Games and bytes of PGN a second, from plain and from annotated games.
#[divan::bench(args = [false, true])]
fn si4_to_pgn(bencher: Bencher, annotated: bool) {
    let all = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };
    let [index, games, names] = files(if annotated { all } else { Flavour::PLAIN });
    let options = Default::default();
    let base = Database::from_parts(Extensions::SI4, &*index, &*games, &*names, &options).unwrap();
    let mut text = Vec::new();
    export(&base, &mut text);
    bencher
        .counter(ItemsCount::new(GAMES))
        .counter(BytesCount::new(text.len()))
        .bench_local(|| export(&base, &mut text));
}
