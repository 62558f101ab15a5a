//! Prints the Polyglot key of a position. The keys are those in the description of Polyglot's book
//! format.
//!
//! ```console
//! $ cargo run --example polyglot_key
//! 463b96181691fc9c
//! $ cargo run --example polyglot_key rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3
//! 3c8123ea7b067637
//! ```

use chess_core::Position;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fields: Vec<String> = std::env::args().skip(1).collect();
    let position = match fields.as_slice() {
        [] => Position::start(),
        fields => Position::from_fen(&fields.join(" "))?,
    };
    println!("{:016x}", tables::zobrist(&position));
    Ok(())
}
