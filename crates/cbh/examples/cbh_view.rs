//! Lists the games of a base, one per line, as the game list of ChessBase does.
//!
//! ```console
//! $ cargo run --example cbh_view fixtures/cbh/plain/base.cbh
//!    1 Alpha, Anna          2100 Beta, Bert           1-0       3 2001.02.03
//!    2 Beta, Bert                Alpha, Anna          1/2-1/2  10 ????.??.??
//!    3 Gamma                     ?                    *         0 ????.??.??
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: cbh_view BASE.cbh")?;
    for (number, game) in (1..).zip(cbh::Database::open(path)?.games()) {
        // A damaged game costs no other.
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                println!("{number:4} {error}");
                continue;
            }
        };
        let header = &game.header;
        let elo = header.white_elo.map(|elo| elo.to_string()).unwrap_or_default();
        println!(
            "{number:4} {:20} {elo:4} {:20} {:7} {:3} {}",
            header.white,
            header.black,
            header.result.to_string(),
            game.ply_count().div_ceil(2),
            header.date
        );
    }
    Ok(())
}
