//! Lists the repeated games of PGN files.
//!
//! ```console
//! $ cargo run --example repeated_games fixtures/pgn/export_format/base.pgn fixtures/pgn/export_format/base.pgn
//! game 1 of file 2 repeats game 1 of file 1
//! ```

use dedupe::{Fingerprinter, Games, Place, Reduced};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut games = Games::new();
    let (names, mut added) = games.adding();
    let (mut fingerprinter, mut reduced) = (Fingerprinter::new(&names), Reduced::default());
    for (base, path) in std::env::args().skip(1).enumerate() {
        for (number, game) in (0..).zip(pgn::Reader::open(path)?.games()) {
            fingerprinter.reduce(&game?, &mut reduced);
            added.push(&reduced, Place { base, number });
        }
    }
    for pair in games.finish().pairs {
        let named = |place: Place| format!("game {} of file {}", place.number + 1, place.base + 1);
        println!("{} repeats {}", named(pair.game), named(pair.stays));
    }
    Ok(())
}
