//! Prints the games that pass a filter, given as names and values. The program's options of the same
//! names choose the same games: `scoresheet list BASE --player morphy --eco C40..C49`.
//!
//! ```console
//! $ cargo run --example filter_games fixtures/scid/plain/base.si4 player morphy eco C40..C49
//! Morphy, Paul - Duke and Count 1-0
//! ```

use scoresheet::{Filter, Scanner};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, words) =
        arguments.split_first().ok_or("usage: filter_games BASE [NAME VALUE]...")?;
    let pairs = words.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str()));
    let filter = Filter::named(pairs)?;
    Scanner::new().filter(filter).for_each(&mut scoresheet::open(path)?, |scanned| {
        let header = &scanned.game.header;
        println!("{} - {} {}", header.white, header.black, header.result);
    })?;
    Ok(())
}
