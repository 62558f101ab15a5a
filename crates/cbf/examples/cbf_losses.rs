//! Writes a game in memory and prints what the format cannot hold. Old ChessBase drops the same when
//! it imports PGN, and reports nothing.
//!
//! ```console
//! $ cargo run --example cbf_losses
//! 39 bytes
//! lost: date: 1990.05.17
//! lost: characters: ✓ by test (ply 2)
//! ```

use cbf::{Game, Losses, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    game.header.set("White", "Karpov,A");
    game.header.set("Date", "1990.05.17");
    for m in ["e2e4", "e7e5"] {
        game.push_move(m.parse()?);
    }
    game.push_comment("✓ by test")?;

    let (mut writer, mut losses) = (Writer::in_memory(), Losses::new());
    writer.write(&game, &mut losses)?;
    let files = writer.into_bytes()?;
    println!("{} bytes", files.cbf.len());
    for loss in &losses {
        println!("lost: {loss}");
    }
    Ok(())
}
