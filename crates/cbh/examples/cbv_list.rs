//! Lists the files in an archive of ChessBase, as `uncbv list` does.
//!
//! ```console
//! $ cargo run --example cbv_list fixtures/cbh/archive/base.cbv
//!          5         10 letter.txt
//!        414        124 more\Mixed.CBH
//!        122        438 more\Mixed.CBG
//! ...
//! ```

use cbh::archive::Archive;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: cbv_list ARCHIVE [PASSWORD]")?;
    let archive = Archive::open(path, arguments.next().as_deref())?;
    for member in archive.members() {
        println!("{:>10} {:>10} {}", member.size, member.packed, member.name);
    }
    Ok(())
}
