//! Lists the games of an old ChessBase base, one per line: players, year, ECO code and full moves.
//! ChessBase for DOS shows the same columns.
//!
//! ```console
//! $ cargo run --example cbf_list fixtures/cbf/tiny/base.cbf
//! Müller,K - Bäcker,J  1990.??.??  C42/07  3
//! Endgame study - ?  ????.??.??    1
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: cbf_list BASE.cbf")?;
    for game in cbf::Database::open(path)?.games() {
        let game = game?;
        let header = &game.header;
        let eco = header.eco.map(|eco| eco.to_string()).unwrap_or_default();
        println!(
            "{} - {}  {}  {eco}  {}",
            header.white,
            header.black,
            header.date,
            game.ply_count().div_ceil(2)
        );
    }
    Ok(())
}
