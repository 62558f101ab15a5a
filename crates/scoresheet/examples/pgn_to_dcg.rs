//! Converts PGN in memory to the files of a DCG base in memory. `pgn2dcg` writes the same bytes to
//! disk.
//!
//! ```console
//! $ cargo run --example pgn_to_dcg 1. e4 e5 2. Nf3 *
//! index 58 bytes, games 18 bytes
//! [53, 69, 6d, 70, 6c, 65, 43, 44, 62, 67, 07, 00, 03, 1c, 0d, 24, 01, 95]
//! ```

use dcg::{Losses, Writer};
use scoresheet::pgn;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let (mut writer, mut losses) = (Writer::in_memory(), Losses::new());
    for game in pgn::Reader::new(text.as_bytes()).games() {
        writer.write(&game?, &mut losses)?;
    }
    let files = writer.into_bytes()?;
    println!("index {} bytes, games {} bytes", files.dci.len(), files.dcg.len());
    println!("{:02x?}", files.dcg);
    Ok(())
}
