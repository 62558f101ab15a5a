//! Counts the positions after a number of legal moves, for each first move. `go perft 3` of
//! Stockfish prints the same lines.
//!
//! ```console
//! $ cargo run --example perft 3
//! ...
//! e2e4: 600
//! ...
//! Nodes searched: 8902
//! $ cargo run --example perft 3 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
//! ...
//! Nodes searched: 97862
//! ```

use chess_core::Position;

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |m| {
        let mut after = *position;
        after.apply(m);
        after
    };
    position.legal_moves().iter().map(|m| perft(&after(*m), depth - 1)).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (depth, fen) = arguments.split_first().ok_or("usage: perft DEPTH [FEN]")?;
    let depth: u32 = depth.parse()?;
    let start = match fen {
        [] => Position::start(),
        fields => Position::from_fen(&fields.join(" "))?,
    };
    let mut total = 0;
    for m in &start.legal_moves() {
        let mut after = start;
        after.apply(*m);
        let count = perft(&after, depth.saturating_sub(1));
        println!("{m}: {count}");
        total += count;
    }
    println!("\nNodes searched: {total}");
    Ok(())
}
