//! Counts the positions of a base, and prints the most frequent ones. The tree window of Scid shows
//! the same counts of games for the start position.
//!
//! ```console
//! $ cargo run --example scid_positions fixtures/scid/plain/base.si4
//! ```

use std::collections::HashMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: scid_positions BASE.si4")?;
    let mut counts = HashMap::new();
    for game in scid::Database::open(path)?.games() {
        let game = game?;
        let mut position = game.start_position();
        for m in game.main_line() {
            *counts.entry(position.without_clocks()).or_insert(0u64) += 1;
            position.apply(m);
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
