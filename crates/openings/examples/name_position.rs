//! Plays moves in UCI notation and names the position. Lichess shows the same name under the board.
//!
//! ```console
//! $ cargo run --example name_position d2d4 g8f6 c2c4 e7e6 b1c3 f8b4
//! E20 Nimzo-Indian Defense
//! ```

use chess_core::Position;
use openings::Tracker;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut position, mut tracker) = (Position::start(), Tracker::default());
    for text in std::env::args().skip(1) {
        position.apply(text.parse()?);
        tracker.visit(&position);
    }
    let opening = tracker.opening().ok_or("no position of the line has a name")?;
    println!("{} {}", opening.eco(), opening.name());
    Ok(())
}
