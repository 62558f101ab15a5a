//! Rewrites a PGN text in export format, as `pgn-extract` without options does.
//!
//! ```console
//! $ cargo run --example pgn_format fixtures/pgn/suffixes/base.pgn
//! [Event "T"]
//! [Site "S"]
//! [Date "2026.11.21"]
//! [Round "1"]
//! [White "W"]
//! [Black "B"]
//! [Result "*"]
//!
//! 1. e4 $1 1... e5 $2 2. Nf3 $3 2... Nc6 $4 3. Bb5 $5 3... a6 $6 4. Ba4 $1 $14
//! 4... Nf6 $146 5. O-O $1 $6 5... Be7 $0 *
//! ```

use pgn::{Losses, Reader, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_format FILE")?;
    let mut losses = Losses::new();
    let mut writer = Writer::new(std::io::stdout());
    for game in Reader::open(path)?.games() {
        writer.write(&game?, &mut losses)?;
    }
    writer.finish()?;
    Ok(())
}
