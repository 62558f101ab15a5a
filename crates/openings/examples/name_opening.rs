//! Prints the opening of each game of a PGN file, as the analysis board of Lichess names it.
//!
//! ```console
//! $ cargo run --example name_opening fixtures/pgn/export_format/base.pgn
//! C95 Ruy Lopez: Closed, Breyer Defense, Zaitsev Hybrid
//! ```

use openings::Opening;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: name_opening FILE.pgn")?;
    for game in pgn::Reader::open(path)?.games() {
        match Opening::of(&game?) {
            Some(opening) => println!("{} {}", opening.eco(), opening.name()),
            None => println!("no name"),
        }
    }
    Ok(())
}
