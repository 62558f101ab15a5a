//! Decodes every game of a ChessBase base, without making text from it: our cbh crate and cbvault
//! (MIT).
//!
//! `cargo run --release --bin chessbase -- BASE [PASSES]`, the base named without an extension.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cbh::prelude::*;
use cbvault::bridge::{Database as Peer, GameRef, GameSink, for_each_game};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let base = arguments.next().expect("BASE");
    let passes = arguments.next().and_then(|passes| passes.parse().ok()).unwrap_or(7);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..passes {
        let (ours, games) = timed(|| ours(&base));
        let (peer, same) = timed(|| peer(&base));
        println!("ours {ours:.3?} ({games} games)  peer {peer:.3?} ({same} games)");
        a.push(ours);
        b.push(peer);
    }
    a.sort();
    b.sort();
    let (a, b) = (a[a.len() / 2], b[b.len() / 2]);
    println!("median: ours {a:.3?}, peer {b:.3?}, ratio {:.2}", b.as_secs_f64() / a.as_secs_f64());
}

fn timed(body: impl FnOnce() -> u64) -> (Duration, u64) {
    let start = Instant::now();
    let games = body();
    (start.elapsed(), games)
}

fn ours(base: &str) -> u64 {
    let base = cbh::Database::open(format!("{base}.cbh")).expect("open");
    let (mut reader, mut game) = (base.reader(), Game::new());
    let mut diagnostics = Diagnostics::lenient();
    for number in 0..base.len() {
        let _ = reader.game(number, &mut game, &mut diagnostics);
        black_box(&game);
        diagnostics.clear();
    }
    base.len()
}

struct Count(u64);

impl GameSink for Count {
    fn game(&mut self, game: GameRef<'_>) {
        black_box(game);
        self.0 += 1;
    }
}

fn peer(base: &str) -> u64 {
    let base = Peer::open(base).expect("open");
    let mut count = Count(0);
    for_each_game(&base, &mut count).expect("read");
    count.0
}
