//! Writes a base of any format as PGN to standard output. `scid2pgn` does the same for Scid's bases.
//!
//! ```console
//! $ cargo run --example si4_to_pgn fixtures/scid/names/base.si4
//! ```

use std::io::Write;

use scoresheet::pgn;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut base = scoresheet::open(std::env::args().nth(1).ok_or("usage: si4_to_pgn BASE")?)?;
    let mut out = std::io::stdout().lock();
    for game in base.games() {
        write!(out, "{}", pgn::to_string(&game?))?;
    }
    Ok(())
}
