//! Copies a base, deletes a game of the copy and compacts it, as Scid's "Maintenance, Compact" does.
//!
//! ```console
//! $ cargo run --example scid_delete fixtures/scid/plain/base.si4 2 target/example.si4
//! 6 games before, 5 after
//! ```

use scid::{Database, Editor, Losses, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, number, to] = arguments.as_slice() else {
        return Err("usage: scid_delete BASE.si4 NUMBER COPY.si4".into());
    };
    let mut writer = Writer::create(to)?;
    let base = Database::open(from)?;
    for game in base.games() {
        writer.write(&game?, &mut Losses::new())?;
    }
    writer.set_about(&base.about(), &mut Losses::new());
    writer.finish()?;

    // Numbers count from 0 here, and from 1 in what people read.
    let number = number.parse::<u64>()?.checked_sub(1).ok_or("games are numbered from 1")?;
    let mut editor = Editor::open(to)?;
    let before = editor.len();
    editor.set_deleted(number, true)?;
    editor.compact()?;
    println!("{before} games before, {} after", Database::open(to)?.len());
    Ok(())
}
