//! Lists the games of a base, one per line, as the game list of Jerry does.
//!
//! ```console
//! $ cargo run --example dcg_list fixtures/dcg/basic/base.dci
//! 1. Anderssen, Adolf - Kieseritzky, Lionel 1-0
//! 2. Beta, B - Alpha, A 1/2-1/2
//! 3. Alpha, A - Beta, B 0-1
//! 4. Alpha, A - Beta, B *
//! 5. Alpha, A - Beta, B *
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: dcg_list BASE.dci")?;
    for (number, game) in (1..).zip(dcg::Database::open(path)?.games()) {
        // A damaged game costs no other.
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                println!("{number}. {error}");
                continue;
            }
        };
        let header = &game.header;
        println!("{number}. {} - {} {}", header.white, header.black, header.result);
    }
    Ok(())
}
