//! Replaces two files as a unit: after a crash, a reader finds both old files or both new ones.
//! No tool does the same for two files; `mv new old` does it for one.
//!
//! ```console
//! $ cargo run --example replace_files target/example.idx target/example.dat
//! target/example.idx: 5 bytes
//! target/example.dat: 7 bytes
//! ```

use std::io::Write;
use std::path::PathBuf;

use chess_store::files::Staged;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let [index, data] = arguments.as_slice() else {
        return Err("usage: replace_files INDEX DATA".into());
    };
    let mut staged = Staged::new();
    staged.create(data)?.write_all(b"records")?;
    staged.create(index)?.write_all(b"index")?;
    staged.commit()?;
    for path in [index, data] {
        println!("{}: {} bytes", path.display(), std::fs::metadata(path)?.len());
    }
    Ok(())
}
