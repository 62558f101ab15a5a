//! Counts plies on four threads. Each thread owns a reader of the shared base.
//!
//! ```console
//! $ cargo run --example scid_threads fixtures/scid/plain/base.si4
//! 192 plies
//! ```

use std::sync::Arc;

use chess_store::Reader;
use scid::{Database, Diagnostics, Error, Game};

const THREADS: usize = 4;

/// Returns the plies of every fourth game from `first` on. The iterator owns its reader.
fn plies(base: Arc<Database>, first: usize) -> impl Iterator<Item = Result<usize, Error>> {
    let numbers = (first as u64..base.len()).step_by(THREADS);
    let mut reader = Reader::<Database, _>::new(base);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    numbers.map(move |number| {
        reader.game(number, &mut game, &mut diagnostics)?;
        Ok(game.ply_count())
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: scid_threads BASE.si4")?;
    let base = Arc::new(Database::open(path)?);
    let sums = std::thread::scope(|scope| {
        let sum = |first| {
            let base = Arc::clone(&base);
            scope.spawn(move || plies(base, first).sum::<Result<usize, Error>>())
        };
        let threads: Vec<_> = (0..THREADS).map(sum).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).collect::<Vec<_>>()
    });
    println!("{} plies", sums.into_iter().sum::<Result<usize, Error>>()?);
    Ok(())
}
