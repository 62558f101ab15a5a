//! Rewrites a PGN text in export format, as `pgn-extract` without options does.
//!
//! ```console
//! $ cargo run --example pgn_format fixtures/pgn/castling/base.pgn
//! ```

use pgn::{Reader, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_format FILE")?;
    let mut losses = Vec::new();
    let mut writer = Writer::new(std::io::stdout());
    for game in Reader::open(path)?.games() {
        writer.write(&game?, &mut losses)?;
    }
    writer.finish()?;
    Ok(())
}
