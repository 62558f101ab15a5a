//! Lists what could not be read of a base, and how much of each damaged game is left.
//!
//! ```console
//! $ cargo run --example damaged_games fixtures/scid/bad_move/base.si4
//! fixtures/scid/bad_move/base.sg4: byte 8, game 2, ply 1: byte 0x60 is no move: code 0 means nothing for a Knight: 0 plies are left
//! ```

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: damaged_games BASE")?;
    let mut base = scoresheet::open(&path)?;
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    loop {
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            // The game holds everything before the damage, and the next game reads.
            Err(error) => println!("{error}: {} plies are left", game.ply_count()),
        }
    }
}
