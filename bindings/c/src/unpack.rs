//! Random access to text: an index of its games, and a temporary file for a compressed one.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use scoresheet::chess_store::io::{ReadAt as _, Spool};
use scoresheet::{Database, Format, Indexed, Input, OpenOptions, unpack_input};

use crate::Watcher;
use crate::status::Failure;

/// The number of bytes that are unpacked between two calls of the watcher.
const STEP: u64 = 1 << 20;

/// The games of a text, by number.
#[derive(Clone)]
pub(crate) struct Numbered {
    pub(crate) games: Arc<dyn Database>,
    /// Why the text could not be read to its end. `games` has those before.
    pub(crate) failure: Option<Failure>,
}

/// Finds the games of a text.
///
/// # Errors
/// The file cannot be read, or `watcher` asked to stop. Damage further on is part of the result.
pub(crate) fn number_games(
    mut file: Input,
    path: &Path,
    format: &'static Format,
    options: &OpenOptions,
    watcher: Watcher,
) -> Result<Numbered, Failure> {
    let io = |error| Failure::io(path, &error);
    let mut failure = None;
    if let Some(packed) = unpack_input(file.clone(), options.max_unpacked).map_err(io)? {
        file = unpack(packed, path, watcher, &mut failure)?;
    }
    let size = file.size().ok();
    let failed = |error| Failure::of(path, &error);
    let mut games = Indexed::new(file, format, options).map_err(failed)?;
    loop {
        match games.grow() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                failure = failure.or(Some(failed(error)));
                break;
            }
        }
        if watcher.tell(games.position(), size).is_break() {
            return Err(Failure::cancelled());
        }
    }
    Ok(Numbered { games: Arc::new(games), failure })
}

/// Unpacks a file into memory, or into a temporary file if it is large. Damage ends the file and is put
/// into `failure`.
fn unpack(
    mut packed: Box<dyn Read + Send>,
    path: &Path,
    watcher: Watcher,
    failure: &mut Option<Failure>,
) -> Result<Input, Failure> {
    let io = |error| Failure::io(path, &error);
    let (mut spool, mut done) = (Spool::default(), 0u64);
    let mut bytes = vec![0; 1 << 16];
    let mut next = STEP;
    loop {
        let count = match packed.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                *failure = Some(io(error));
                break;
            }
        };
        spool.push(bytes.get(..count).unwrap_or_default()).map_err(io)?;
        done = done.saturating_add(count as u64);
        if done >= next {
            next = done.saturating_add(STEP);
            if let ControlFlow::Break(()) = watcher.tell(done, None) {
                return Err(Failure::cancelled());
            }
        }
    }
    Ok(Arc::new(spool.finish().map_err(io)?).into())
}
