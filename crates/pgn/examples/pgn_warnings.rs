//! Prints what is wrong with each game, as `pgn-extract -r` does.
//!
//! ```console
//! $ cargo run --example pgn_warnings fixtures/pgn/glyphs/base.pgn
//! ```

use pgn::{Diagnostics, Game, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_warnings FILE")?;
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = Reader::open(path)?;
    loop {
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            // The game holds the moves before the error, and the next game reads.
            Err(error) => println!("error: {error}"),
        }
        // Each call replaces the warnings of the game before.
        for warning in diagnostics.warnings() {
            println!("warning: {warning}");
        }
    }
}
