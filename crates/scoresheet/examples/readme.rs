//! The example of README.md: prints the players and the length of each game.
//!
//! ```console
//! $ cargo run --example readme
//! ```
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut base = scoresheet::open("fixtures/scid/plain/base.si4")?;
    for game in base.games() {
        // A damaged game is an error, and the next game still reads.
        let game = game?;
        let header = &game.header;
        println!("{} - {}: {} plies", header.white, header.black, game.ply_count());
    }
    Ok(())
}
