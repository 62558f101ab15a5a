//! Merges the games of a PGN file into one game with variations, without comments.
//!
//! ```console
//! $ cargo run --example merge_games fixtures/pgn/end_in_glyph/base.pgn
//! [Event "?"]
//! [Site "?"]
//! [Date "????.??.??"]
//! [Round "?"]
//! [White "?"]
//! [Black "?"]
//! [Result "*"]
//!
//! 1. e4 e5 *
//! ```

use changes::merge::{MergeOptions, Merger};
use changes::{Changes, Strip};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: merge_games FILE.pgn")?;
    let mut changes = Changes::default();
    changes.strip = Strip::list("comments,glyphs")?;
    let mut merger = Merger::new(MergeOptions::default());
    for game in pgn::Reader::open(path)?.games() {
        let mut game = game?;
        changes.apply(&mut game);
        merger.add(&game);
    }
    println!("{}", pgn::to_string(&merger.finish()?).trim_end());
    Ok(())
}
