//! Indexes a Scid base and prints the games that reach a position, by the move that was played.
//!
//! ```console
//! $ cargo run --example index_positions fixtures/scid/opening_lines/base.si4 g1f3
//! c7c5: [239, 240]
//! d7d5: [241, 242, 243, 244]
//! g8f6: [246, 247, 248, 249, 250, 251, 252, 253, 261]
//! g7g6: [245]
//! end: [238]
//! ```

use std::error::Error;
use std::num::NonZeroUsize;

use chess_core::Position;
use chess_store::erased::Database;
use position_index::PositionIndex;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let base = arguments.next().ok_or("usage: index_positions BASE.si4 [MOVE...]")?;
    let mut position = Position::start();
    for text in arguments {
        position.apply(text.parse()?);
    }

    let database = scid::Database::open(base)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("positions");
    let fingerprint = || Ok(Database::len(&database).to_string().into_bytes());
    position_index::build(&database, &path, NonZeroUsize::MIN, &|_| true, &fingerprint)?;

    let index = PositionIndex::open(&path, &fingerprint()?)?.ok_or("the base has changed")?;
    let found = index.find(&mut *Database::reader(&database), &position)?;
    for (m, games) in found.moves {
        let name = m.map_or("end".to_owned(), |m| m.to_string());
        println!("{name}: {games:?}");
    }
    Ok(())
}
