//! Prints the games of a PGN file that a filter selects. Each criterion has the name of the program's option.
//!
//! ```console
//! $ cargo run --example select_games fixtures/pgn/export_format/base.pgn opening=ruy result=draw
//! Fischer, Robert J. - Spassky, Boris V.
//! ```

use query::Filter;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: select_games FILE.pgn NAME=VALUE...")?;
    let given: Vec<String> = arguments.collect();
    let filter = Filter::named(given.iter().filter_map(|one| one.split_once('=')))?;
    for game in pgn::Reader::open(path)?.games() {
        let game = game?;
        if filter.selects(&game) {
            println!("{} - {}", game.header.white, game.header.black);
        }
    }
    Ok(())
}
