//! Counts the games and moves of a PGN file. `grep -c '^\[Event '` counts the same games, where each
//! has the tag.
//!
//! ```console
//! $ cargo run --example pgn_count fixtures/pgn/export_format/base.pgn
//! 1 games, 85 plies
//! $ cargo run --example pgn_count fixtures/pgn/many_games/base.pgn
//! 60 games, 180 plies
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_count FILE")?;
    let (mut games, mut plies) = (0, 0);
    for game in pgn::Reader::open(path)?.games() {
        plies += game?.ply_count();
        games += 1;
    }
    println!("{games} games, {plies} plies");
    Ok(())
}
