//! Prints the facts that a base reveals about the undocumented parts of its format.
//!
//! ```console
//! $ cargo run --example ca_details fixtures/chessassistant/players/base.cdp
//! signature: Chess Assistant 3.0 database.
//! version: Chess Data Pro format. Version 1.3
//! version of the names: Data Pro Volume format. Version 1.1
//! players: 4
//! ...
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: ca_details BASE.cdp")?;
    for (question, answer) in chessassistant::Database::open(path)?.details() {
        println!("{question}: {answer}");
    }
    Ok(())
}
