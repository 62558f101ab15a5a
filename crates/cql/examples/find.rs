//! Prints the games of a PGN file that match a query, with the half-moves at which they do.
//!
//! ```console
//! $ cargo run --example find mate crates/cql/tests/data/hand/V.pgn
//! 2 W - B: 7
//! ```

use std::error::Error;

use cql::Query;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(text), Some(path)) = (arguments.next(), arguments.next()) else {
        return Err("usage: find QUERY FILE.pgn".into());
    };
    let query = Query::parse(&text).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2);
    });
    for warning in query.warnings() {
        eprintln!("note: {warning}");
    }
    let mut searcher = query.searcher();
    let mut found = Vec::new();
    for (number, game) in (1..).zip(pgn::Reader::open(path)?.games()) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        searcher.set_game_number(number);
        let result = searcher.find(&game)?;
        if let Some(game_found) = result {
            let plies: Vec<_> = game_found.hits().iter().map(|hit| hit.ply.to_string()).collect();
            let header = &game.header;
            let line = format!("{number} {} - {}: {}", header.white, header.black, plies.join(" "));
            found.push((game_found.sort_values().to_vec(), line));
        }
        searcher.messages().for_each(|message| println!("{message}"));
    }
    found.sort_by(|(a, _), (b, _)| query.compare(a, b));
    for (values, line) in found {
        let values: Vec<_> = values.into_iter().flatten().map(|v| format!(" {v}")).collect();
        println!("{line}{}", values.concat());
    }
    for (name, value) in searcher.persistent() {
        println!("{name} = {value}");
    }
    Ok(())
}
