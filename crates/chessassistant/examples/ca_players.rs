//! Lists the players of a base in the order of its name index. The player list of Chess Assistant
//! has the same order.
//!
//! ```console
//! $ cargo run --example ca_players fixtures/chessassistant/players/base.cdp
//! 0:
//! 3: Ann
//! 2: Lasker
//! 1: Polgar
//! ```

use chessassistant::NameKind;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: ca_players BASE.cdp")?;
    let base = chessassistant::Database::open(path)?;
    let players = base.table(NameKind::Players).ok_or("the base has no names")?;
    for id in players.sorted_ids() {
        println!("{id}: {}", base.text(players.get(id)?.name));
    }
    Ok(())
}
