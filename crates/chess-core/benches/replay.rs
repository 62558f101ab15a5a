//! Replays a game and runs the queries of a PGN writer.

use chess_core::{Move, Position};
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858. Castling is king to rook.
const OPERA: &str = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 \
    c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 e1a1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8";

fn moves() -> Vec<Move> {
    OPERA.split_whitespace().map(|text| text.parse().expect("a move")).collect()
}

#[divan::bench]
fn apply(bencher: divan::Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut position = Position::start();
        for m in &moves {
            position.apply(divan::black_box(*m));
        }
        position
    });
}

#[divan::bench]
fn apply_and_check(bencher: divan::Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut position = Position::start();
        let mut checks = 0;
        for m in &moves {
            position.apply(divan::black_box(*m));
            checks += u32::from(position.in_check());
        }
        checks
    });
}

#[divan::bench]
fn apply_and_legal_moves(bencher: divan::Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut position = Position::start();
        let mut count = 0;
        for m in &moves {
            position.apply(divan::black_box(*m));
            count += position.legal_moves().len();
        }
        count
    });
}
