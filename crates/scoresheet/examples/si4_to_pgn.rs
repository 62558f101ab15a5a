//! Writes a base of any format as PGN to standard output. `scid2pgn` does the same for Scid's bases.
//!
//! ```console
//! $ cargo run --example si4_to_pgn fixtures/scid/variations/base.si4
//! [Event "nineteen alternatives"]
//! [Site "?"]
//! [Date "????.??.??"]
//! [Round "?"]
//! [White "?"]
//! [Black "?"]
//! [Result "*"]
//!
//! 1. e4 (1. d4) (1. c4) (1. Nf3) (1. a3) (1. a4) (1. b3) (1. b4) (1. c3) (1. d3)
//! (1. e3) (1. f3) (1. f4) (1. g3) (1. g4) (1. h3) (1. h4) (1. Na3) (1. Nc3) (1.
//! Nh3) 1... e5 *
//!
//! ...
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
