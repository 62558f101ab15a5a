//! The integration tests of the crate, in one binary.

mod conformance;
mod hostile;
mod rewrite;
mod round_trip;
mod structures;

use cbf::{Database, Game, OpenOptions, Writer};
use chess_store::{Loss, WriteGames};

/// Opens a database of two files in memory.
fn open(cbf: Vec<u8>, cbi: Option<Vec<u8>>) -> Result<Database<Vec<u8>>, cbf::Error> {
    Database::from_parts(cbf, cbi, &OpenOptions::default())
}

/// Writes games to a database in memory. Returns its two files and the losses.
fn write<'a>(games: impl IntoIterator<Item = &'a Game>) -> (Vec<u8>, Vec<u8>, Vec<Loss>) {
    let (mut writer, mut losses) = (Writer::in_memory().unwrap(), Vec::new());
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    let (cbf, cbi) = writer.into_parts().unwrap();
    (cbf, cbi, losses)
}
