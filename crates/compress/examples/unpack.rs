//! Prints the content of a file, or of its compressed content.
//!
//! ```console
//! $ cargo run --example unpack fixtures/pgn/no_tags/base.pgn
//! 1. e4 e5 1-0
//!
//! 1. d4 d5 0-1 1. c4 *
//! ```

use std::fs::File;
use std::io::{copy, stdout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: unpack FILE")?;
    // No formats: an archive has no texts of games then.
    match compress::unpack_input(File::open(&path)?, None, std::iter::empty())? {
        Some(mut content) => copy(&mut content, &mut stdout())?,
        None => copy(&mut File::open(&path)?, &mut stdout())?,
    };
    Ok(())
}
