//! Prints what is wrong with each game, as `pgn-extract -r` does.
//!
//! ```console
//! $ cargo run --example pgn_warnings fixtures/pgn/castling/base.pgn
//! warning: .pgn, line 9, column 4, byte 179, game 2, ply 1: castling is not written with capital letters O and hyphens [pgn-zero-castling]
//! warning: .pgn, line 9, column 8, byte 183, game 2, ply 2: castling is not written with capital letters O and hyphens [pgn-zero-castling]
//! warning: .pgn, line 14, column 4, byte 275, game 3, ply 1: castling is not written with capital letters O and hyphens [pgn-zero-castling]
//! ...
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
