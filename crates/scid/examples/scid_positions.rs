//! Counts the positions of a base, and prints the most frequent ones. The tree window of Scid shows
//! the same counts of games for the start position.
//!
//! ```console
//! $ cargo run --example scid_positions fixtures/scid/plain/base.si4
//! 189 positions
//! 6 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! 2 rnb2knr/p1p2p2/4p2p/bp3qp1/P2p1PPQ/1RPPB2P/1PK1P3/1N3BNR w - - 0 1
//! 2 rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1
//! ```

use std::collections::HashMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: scid_positions BASE.si4")?;
    let mut counts = HashMap::new();
    for game in scid::Database::open(path)?.games() {
        let game = game?;
        let mut position = game.start_position();
        *counts.entry(position.without_clocks()).or_insert(0u64) += 1;
        for m in game.main_line() {
            position.apply(m);
            *counts.entry(position.without_clocks()).or_insert(0) += 1;
        }
    }
    println!("{} positions", counts.len());
    let mut counts: Vec<_> = counts.iter().map(|(at, count)| (count, at.to_fen())).collect();
    counts.sort_by(|one, other| other.0.cmp(one.0).then(one.1.cmp(&other.1)));
    for (count, fen) in counts.iter().take(3) {
        println!("{count} {fen}");
    }
    Ok(())
}
