//! Lists the games of a base, one per line, as the game list of Chess Assistant does.
//!
//! ```console
//! $ cargo run --example ca_list fixtures/chessassistant/players/base.cdp
//! 1. Polgar - Lasker
//! 2. Lasker - Polgar
//! 3. ? - Ann
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: ca_list BASE.cdp")?;
    for (number, game) in (1..).zip(chessassistant::Database::open(path)?.games()) {
        match game {
            Ok(game) => println!("{number}. {} - {}", game.header.white, game.header.black),
            Err(error) => println!("{number}. {error}"),
        }
    }
    Ok(())
}
