//! Plays moves in UCI notation and prints the FEN after each. Stockfish shows the same FENs with
//! `position startpos moves ...` and `d`.
//!
//! ```console
//! $ cargo run --example uci_positions e2e4 c7c5 g1f3
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
//! rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
//! rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
//! $ cargo run --example uci_positions g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8
//! ...
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5
//! The position occurred 3 times.
//! ```

use std::collections::HashMap;

use chess_core::{Move, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut position = Position::start();
    // Positions are equal for repetitions if they differ in the clocks only.
    let mut counts = HashMap::from([(position.without_clocks(), 1)]);
    for text in std::env::args().skip(1) {
        let m: Move = text.parse()?;
        if !position.is_legal(m) {
            return Err(format!("{text} is illegal in {}", position.fen()).into());
        }
        position.apply(m);
        println!("{}", position.fen());
        *counts.entry(position.without_clocks()).or_insert(0) += 1;
    }
    if let Some(count @ 3..) = counts.get(&position.without_clocks()) {
        println!("The position occurred {count} times.");
    }
    Ok(())
}
