//! Copies a base of Scid 4 to the format of Scid 5, as Scid's "Database, Export" does.
//!
//! ```console
//! $ cargo run --example si4_to_si5 fixtures/scid/plain/base.si4 target/example.si5
//! 6 games, 0 losses
//! ```

use scid::{Database, Losses, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("usage: si4_to_si5 BASE.si4 NEW.si5".into());
    };
    // The extension of the path selects the version of the format.
    let mut writer = Writer::create(output)?;
    let mut losses = Losses::new();
    let base = Database::open(input)?;
    for game in base.games() {
        writer.write(&game?, &mut losses)?;
    }
    // The description, the names of the flags, the type and the default game.
    writer.set_about(&base.about(), &mut losses);
    let games = writer.len();
    writer.finish()?;
    println!("{games} games, {} losses", losses.total());
    Ok(())
}
