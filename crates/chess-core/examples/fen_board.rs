//! Draws the position of a FEN, as the command `d` of Stockfish does.
//!
//! ```console
//! $ cargo run --example fen_board rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
//!  +---+---+---+---+---+---+---+---+
//!  | r | n | b |   | k | b | n | r | 8
//!  +---+---+---+---+---+---+---+---+
//!  | p | p | p | p |   | p | p | p | 7
//! ...
//!    a   b   c   d   e   f   g   h
//!
//! Fen: rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
//! Checkers: h4
//! White is checkmated
//! ```

use chess_core::{Position, Square};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fields: Vec<String> = std::env::args().skip(1).collect();
    let position = Position::from_fen(&fields.join(" "))?;
    let line = format!(" +{}", "---+".repeat(8));
    println!("{line}");
    for rank in (0..8).rev() {
        for file in 0..8 {
            let piece = Square::at(file, rank).and_then(|square| position.piece_at(square));
            print!(" | {}", piece.map_or(' ', |piece| piece.letter()));
        }
        println!(" | {}\n{line}", rank + 1);
    }
    println!("   a   b   c   d   e   f   g   h\n\nFen: {}", position.fen());
    let checkers: Vec<String> = position.checkers().map(|square| square.to_string()).collect();
    println!("Checkers: {}", checkers.join(" "));
    if position.is_checkmate() {
        println!("{:?} is checkmated", position.turn());
    }
    Ok(())
}
