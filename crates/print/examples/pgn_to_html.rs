//! Writes the games of a PGN file as an HTML page, and prints their number.
//!
//! ```console
//! $ cargo run --example pgn_to_html fixtures/pgn/export_format/base.pgn target/games.html
//! 1 games
//! ```

use std::fs::File;

use chess_store::CreateOptions;
use chess_store::erased::{Creator, Encoded};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pgn_to_html FILE.pgn FILE.html".into());
    };
    let format = print::FORMATS.iter().find(|format| format.name == "html");
    let Some(Creator::Sink(create)) = format.and_then(|format| format.create) else {
        return Err("pages are written to a stream".into());
    };
    let mut writer = create(Box::new(File::create(&to)?), &CreateOptions::default())?;
    let (mut encoder, mut encoded) = (writer.encoder(), Encoded::default());
    let mut games = 0u32;
    for game in pgn::Reader::open(from)?.games() {
        encoder.encode(&game?, &mut encoded)?;
        writer.append(&mut encoded)?;
        games += 1;
    }
    writer.finish()?;
    println!("{games} games");
    Ok(())
}
