//! Writes an archive in memory, and lists the tables in it, as `tar tzf` does.
//!
//! ```console
//! $ cargo run --example jose_write
//! IO_Collection.MYD
//! IO_Collection.MYI
//! IO_Collection.frm
//! ...
//! ```

use movecode::{Game, Losses, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    writer.write(&Game::new(), &mut losses)?;
    let archive = writer.into_bytes()?;
    let unpacked = flate2::read::GzDecoder::new(archive.as_slice());
    for entry in tar::Archive::new(unpacked).entries()? {
        println!("{}", entry?.path()?.display());
    }
    Ok(())
}
