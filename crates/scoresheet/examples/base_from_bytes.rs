//! Opens a base from bytes in memory, such as an upload or a member of an archive.
//!
//! ```console
//! $ cargo run --example base_from_bytes fixtures/scid/plain/base.si4
//! si4: 6 games
//! ```

use std::path::Path;

use scoresheet::{Inputs, OpenOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: base_from_bytes BASE")?;
    let path = Path::new(&path);
    let folder = path.parent().ok_or("a file is needed")?;
    // The first argument names the file to open; its companions are found by name.
    let mut inputs = Inputs::new(path.file_name().ok_or("a file is needed")?);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        inputs.add(entry.file_name(), std::fs::read(entry.path())?);
    }
    let mut base = scoresheet::open_inputs(&inputs, &OpenOptions::default())?;
    println!("{}: {} games", base.format().name, base.games().count());
    Ok(())
}
