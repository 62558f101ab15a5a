//! Prints the games of a PGN file as JSON lines.
//!
//! ```console
//! $ cargo run --example pgn_to_jsonl fixtures/pgn/end_in_glyph/base.pgn
//! {"tags":[["Event","T"],["Site","?"],["Date","????.??.??"],["Round","?"],["White","?"],["Black","?"],["Result","*"]],"fen":null,"line":["e2e4","e7e5","$146"]}
//! ```

use std::io;

use chess_store::CreateOptions;
use chess_store::erased::{Creator, Encoded};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_to_jsonl FILE.pgn")?;
    let format = lines::FORMATS.iter().find(|format| format.name == "jsonl");
    let Some(Creator::Sink(create)) = format.and_then(|format| format.create) else {
        return Err("JSON lines are written to a stream".into());
    };
    let mut writer = create(Box::new(io::stdout()), &CreateOptions::default())?;
    let (mut encoder, mut encoded) = (writer.encoder(), Encoded::default());
    for game in pgn::Reader::open(path)?.games() {
        encoder.encode(&game?, &mut encoded)?;
        writer.append(&mut encoded)?;
    }
    writer.finish()?;
    Ok(())
}
