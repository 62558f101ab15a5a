//! Counts the games of a base and those marked as deleted, from the index alone. Scid shows both
//! numbers in its status bar.
//!
//! ```console
//! $ cargo run --example scid_count fixtures/scid/plain/base.si4
//! 6 games, 0 deleted
//! $ cargo run --example scid_count fixtures/scid/deleted/base.si4
//! 5 games, 2 deleted
//! ```

use scid::{Database, Diagnostics, Header};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = Database::open(std::env::args().nth(1).ok_or("usage: scid_count BASE.si4")?)?;
    let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
    let mut reader = base.reader();
    let mut deleted = 0;
    for number in 0..base.len() {
        reader.header(number, &mut header, &mut diagnostics)?;
        deleted += u64::from(header.deleted);
    }
    println!("{} games, {deleted} deleted", base.len());
    Ok(())
}
