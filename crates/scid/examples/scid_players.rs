//! Lists the players of a base. Each name is stored once; the name editor of Scid lists the same.
//!
//! ```console
//! $ cargo run --example scid_players fixtures/scid/plain/base.si4
//! Alder, Nora
//! Birch, Tom
//! Morphy, Paul
//! Duke and Count
//! Shortest
//! Possible
//! ?
//! Random, Walk
//! ```

use scid::NameKind;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: scid_players BASE.si4")?;
    let base = scid::Database::open(path)?;
    let players = &base.names()[NameKind::Player as usize];
    for id in 0..players.len() {
        if let Some(name) = players.get(id as u32) {
            println!("{name}");
        }
    }
    Ok(())
}
