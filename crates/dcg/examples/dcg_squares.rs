//! Lists the squares of the first moves of a game. The format needs no rules of chess for that.
//!
//! ```console
//! $ cargo run --example dcg_squares
//! e2 e4
//! e7 e5
//! g1 f3
//! a variation starts
//! f1 c4
//! a variation ends
//! ```

use dcg::moves::{Record, Step};

/// `1. e4 e5 2. Nf3 (2. Bc4)`: two squares of six bits in each move, then the tags of a variation.
const RECORD: &[u8] = &[0x00, 0x03, 0x1c, 0x0d, 0x24, 0x01, 0x95, 0x84, 0x01, 0x5a, 0x85];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for step in Record::parse(RECORD)?.steps() {
        match step? {
            Step::Move(m) => println!("{} {}", m.from(), m.to()),
            Step::NullMove => println!("null move"),
            Step::VariationStart => println!("a variation starts"),
            Step::VariationEnd => println!("a variation ends"),
            Step::Comment(text) => println!("comment: {}", String::from_utf8_lossy(text)),
            Step::Nags(nags) => println!("NAGs: {nags:?}"),
        }
    }
    Ok(())
}
