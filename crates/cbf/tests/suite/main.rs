//! The integration tests of the crate, in one binary.

mod conformance;
mod hostile;
mod rewrite;
mod round_trip;
mod structures;

use cbf::{Database, Game, OpenOptions, Parts, Writer};
use chess_store::Losses;

/// Opens a database of two files in memory.
fn open(cbf: Vec<u8>, cbi: Option<Vec<u8>>) -> Result<Database<Vec<u8>>, cbf::Error> {
    Database::from_parts(Parts::new(cbf, cbi), &OpenOptions::default())
}

/// Writes games to a database in memory. Returns its two files and the losses.
fn write<'a>(games: impl IntoIterator<Item = &'a Game>) -> (Vec<u8>, Vec<u8>, Losses) {
    let (mut writer, mut losses) = (Writer::in_memory(), Losses::new());
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    let parts = writer.into_bytes().unwrap();
    (parts.cbf, parts.cbi.unwrap(), losses)
}
