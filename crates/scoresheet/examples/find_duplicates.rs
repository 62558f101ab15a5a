//! Prints the games that occur twice in one or several bases, as `pgn-extract -D` counts them.
//!
//! ```console
//! $ cargo run --example find_duplicates fixtures/scid/plain/base.si4 fixtures/scid/plain/expected.pgn
//! game 1 of fixtures/scid/plain/expected.pgn repeats game 1 of fixtures/scid/plain/base.si4
//! ...
//! ```

use std::ops::ControlFlow;

use scoresheet::dedupe::Deduper;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let mut deduper = Deduper::new();
    for path in &paths {
        deduper.add(&mut scoresheet::open(path)?, &mut |_| ControlFlow::Continue(()))?;
    }
    for pair in deduper.finish().pairs {
        let [game, stays] = [pair.game, pair.stays];
        println!(
            "game {} of {} repeats game {} of {}",
            game.number + 1,
            paths[game.base],
            stays.number + 1,
            paths[stays.base]
        );
    }
    Ok(())
}
