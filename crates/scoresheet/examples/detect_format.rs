//! Prints the format of each file by its content, as `file` does.
//!
//! ```console
//! $ cargo run --example detect_format fixtures/scid/plain/base.si4 fixtures/dcg/basic/base.dci
//! fixtures/scid/plain/base.si4: si4, Scid 4
//! fixtures/dcg/basic/base.dci: dcg, Simple Chess Database
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let format = scoresheet::detect(&path)?;
        println!("{path}: {}, {}", format.name, format.title);
    }
    Ok(())
}
