//! Lists the players and results of a PGN file without reading its moves.
//!
//! ```console
//! $ cargo run --example pgn_headers fixtures/pgn/export_format/base.pgn
//! 1992.11.04 Fischer, Robert J. - Spassky, Boris V. 1/2-1/2
//! ```

use pgn::{Diagnostics, Header, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_headers FILE")?;
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    let mut reader = Reader::open(path)?;
    while reader.read_header(&mut header, &mut diagnostics)? {
        println!("{} {} - {} {}", header.date, header.white, header.black, header.result);
    }
    Ok(())
}
