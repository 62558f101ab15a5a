//! Appends a game to a base in memory and lists the sizes of its files. `pgn2dcg` makes bases of the
//! same bytes.
//!
//! ```console
//! $ cargo run --example dcg_append
//! appended as game 2, 0 losses
//! index 97 bytes, games 18 bytes
//! ```

use dcg::{Editor, Game, Losses, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    game.header.set("White", "Anderssen, Adolf");
    game.push_move("e2e4".parse()?);
    let mut losses = Losses::new();
    let mut writer = Writer::in_memory();
    writer.write(&game, &mut losses)?;

    let mut editor = Editor::from_parts(writer.into_bytes()?, &Default::default())?;
    game.header.set("White", "Kieseritzky, Lionel");
    let number = editor.append(&game, &mut losses)?;
    println!("appended as game {}, {} losses", number + 1, losses.total());
    let files = editor.into_parts();
    println!("index {} bytes, games {} bytes", files.dci.len(), files.dcg.len());
    Ok(())
}
