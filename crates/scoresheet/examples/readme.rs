//! The example of README.md: prints the players and the length of each game.
//!
//! ```console
//! $ cargo run --example readme
//! Alder, Nora - Birch, Tom: 17 plies
//! Morphy, Paul - Duke and Count: 33 plies
//! Shortest - Possible: 4 plies
//! ? - ?: 0 plies
//! Birch, Tom - Alder, Nora: 18 plies
//! Random, Walk - Random, Walk: 120 plies
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
