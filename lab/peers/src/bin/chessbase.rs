//! Decodes every game of a ChessBase base, without making text from it: our cbh crate and cbvault
//! (MIT).
//!
//! `cargo run --release --bin chessbase -- BASE [PASSES]`, the base named without an extension.

use std::hint::black_box;

use cbh::{Diagnostics, Game};
use cbvault::bridge::{Database as Peer, GameRef, GameSink, for_each_game};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let base = arguments.next().expect("BASE");
    let passes = arguments.next().and_then(|passes| passes.parse().ok()).unwrap_or(7);
    peers::side_by_side(passes, || peers::timed(|| ours(&base)), || peers::timed(|| peer(&base)));
}

fn ours(base: &str) -> String {
    let base = cbh::Database::open(format!("{base}.cbh")).expect("open");
    let (mut reader, mut game) = (base.reader(), Game::new());
    let mut diagnostics = Diagnostics::lenient();
    for number in 0..base.len() {
        let _ = reader.game(number, &mut game, &mut diagnostics);
        black_box(&game);
        diagnostics.clear();
    }
    format!("{} games", base.len())
}

struct Count(u64);

impl GameSink for Count {
    fn game(&mut self, game: GameRef<'_>) {
        black_box(game);
        self.0 += 1;
    }
}

fn peer(base: &str) -> String {
    let base = Peer::open(base).expect("open");
    let mut count = Count(0);
    for_each_game(&base, &mut count).expect("read");
    format!("{} games", count.0)
}
