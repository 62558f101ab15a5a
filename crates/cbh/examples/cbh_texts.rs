//! Prints the titles of the guiding texts of a base, which are no games. ChessBase shows them in the
//! game list, with a symbol in front.
//!
//! ```console
//! $ cargo run --example cbh_texts fixtures/cbh/texts/base.cbh
//! [("en", "Preface")]
//! 2 games beside them
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: cbh_texts BASE.cbh")?;
    let base = cbh::Database::open(path)?;
    for text in base.guiding_texts() {
        println!("{:?}", text?.titles);
    }
    println!("{} games beside them", base.len());
    Ok(())
}
