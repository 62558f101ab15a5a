//! Finds the games that reach a position. Scid's "Search, Current board" finds the same games.
//!
//! ```console
//! $ cargo run --example position_search fixtures/scid/plain/base.si4 rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b
//! 1: Alder, Nora - Birch, Tom
//! 2: Morphy, Paul - Duke and Count
//! 2 of 6 games
//! ```

use scoresheet::{Filter, Scanner};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, fen) = arguments.split_first().ok_or("usage: position_search BASE FEN")?;
    let filter = Filter::new().with("position", &fen.join(" "))?;
    let mut found = 0;
    let scanner = Scanner::new().filter(filter);
    let seen = scanner.for_each(&mut scoresheet::open(path)?, |scanned| {
        let header = &scanned.game.header;
        println!("{}: {} - {}", scanned.number + 1, header.white, header.black);
        found += 1;
    })?;
    println!("{found} of {seen} games");
    Ok(())
}
