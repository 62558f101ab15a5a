//! Prints how fast each game of a PGN file was played.
//!
//! ```console
//! $ cargo run --example time_classes fixtures/pgn/text_before_moves/base.pgn
//! rapid 600+0
//! unknown
//! ```

use time_control::{TimeClass, TimeControl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: time_classes FILE.pgn")?;
    for game in pgn::Reader::open(path)?.games() {
        let game = game?;
        match TimeControl::of(&game) {
            Some(control) => {
                println!("{} {}+{}", TimeClass::of(&game), control.base, control.increment)
            }
            None => println!("{}", TimeClass::of(&game)),
        }
    }
    Ok(())
}
