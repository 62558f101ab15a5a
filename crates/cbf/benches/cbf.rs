//! `cargo bench -p cbf`: plies a second, over bases made here.

use std::io::Cursor;

use cbf::{CreateOptions, Database, OpenOptions, Writer};
use chess_core::{Diagnostics, Game};
use divan::Bencher;
use divan::counter::ItemsCount;
use testkit::{Flavour, Random, random_game};

const GAMES: u64 = 500;

fn main() {
    divan::main();
}

/// Random games of a hundred-odd half-moves: plain, or with variations and comments.
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
    let moves = |game: &Game| {
        game.tokens().filter(|token| matches!(token, chess_core::Token::Move(_))).count()
    };
    ItemsCount::new(games.iter().map(moves).sum::<usize>())
}

fn write(games: &[Game]) -> (Vec<u8>, Vec<u8>) {
    let empty = || Cursor::new(Vec::with_capacity(1 << 20));
    let mut writer = Writer::new(empty(), empty(), &CreateOptions::default()).unwrap();
    let mut losses = Vec::new();
    for game in games {
        losses.clear();
        writer.write(game, &mut losses).unwrap();
    }
    let (cbf, cbi) = writer.into_parts().unwrap();
    (cbf.into_inner(), cbi.into_inner())
}

#[divan::bench(args = [false, true])]
fn decode(bencher: Bencher<'_, '_>, annotated: bool) {
    let games = games(annotated);
    let (cbf, cbi) = write(&games);
    let base = Database::from_parts(cbf, Some(cbi), &OpenOptions::default()).unwrap();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    bencher.counter(plies(&games)).bench_local(|| {
        for number in 0..base.len() {
            base.game(number, &mut game, &mut diagnostics).unwrap();
        }
    });
}

#[divan::bench(args = [false, true])]
fn encode(bencher: Bencher<'_, '_>, annotated: bool) {
    let games = games(annotated);
    bencher.counter(plies(&games)).bench_local(|| write(&games));
}

#[divan::bench]
fn headers(bencher: Bencher<'_, '_>) {
    let (cbf, cbi) = write(&games(false));
    let base = Database::from_parts(cbf, Some(cbi), &OpenOptions::default()).unwrap();
    let (mut header, mut diagnostics) = (chess_core::Header::default(), Diagnostics::lenient());
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for number in 0..base.len() {
            base.header(number, &mut header, &mut diagnostics).unwrap();
        }
    });
}
